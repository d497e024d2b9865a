"""A log that cannot be replayed: players get a friendly page, and the operator the error."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import pytest

from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.loops import over
from tests.web.conftest import PART, Visitor

DAMAGED_ENTRY = b'{"type": "played", "at'
SENTENCES = {"en": "This log cannot be replayed:", "fr": "Ce journal ne peut être rejoué :"}
PAGES = ("", "/moves", "/sheet", "/turns", "/moves?do=chart")


@pytest.mark.parametrize("language", SENTENCES)
def test_a_damaged_log_is_told_in_plain_words(
    language: str, visitor: Callable[..., Visitor], ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    """Each page of the table, and each request for news, answers 503 in plain words; the server's log has the error
    and the entry's hash. The controls: the pages before that entry, and another table.
    """
    guest = visitor(language)
    table, other = guest.open(), guest.open()
    assert [guest.get(table + page).status_code for page in PAGES] == [200] * len(PAGES)
    ledger.append(table.removeprefix("/t/"), 1, "x", [DAMAGED_ENTRY], "")
    caplog.clear()
    answers = [guest.get(table + page) for page in PAGES] + [guest.get(f"{table}?since=1", **PART)]
    for answer in over(answers):
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert SENTENCES[language] in Document(answer.text).text
        assert not [word for word in ("Traceback", "JSONDecodeError", "codec", "sha256") if word in answer.text]
    noted = [record.getMessage() for record in caplog.records]
    assert len(noted) == len(answers)
    assert all("JSONDecodeError" in each and sha256(DAMAGED_ENTRY).hexdigest() in each for each in noted)
    assert guest.get(other).status_code == 200
