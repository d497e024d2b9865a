"""Reports of a wrong ruling: a form on verdict, question and dispute downloads a case file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rules
from service.cases import numbering
from service.cli import commands
from service.i18n.languages import LANGUAGES
from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.records import RECORD_PATHS, notations_of, record_of
from tests.web.conftest import Visitor
from web.position_url import Trail

Visitors = Callable[..., Visitor]
GAMES = sorted({path.parent.name: path.stem for path in RECORD_PATHS}.items())


def case_of(guest: Visitor, form: tuple[str, dict[str, str]], **fields: str) -> Any:
    """The case file that a form downloads."""
    answer = guest.client.get(form[0], query_string={**form[1], **fields})
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    return json.loads(answer.text)


def verdict(guest: Visitor, at: str) -> Document:
    """A verdict's page, which has the form."""
    page = guest.see(at)
    assert page.form("/case"), at
    return page


@pytest.mark.parametrize(("game", "name"), GAMES)
def test_a_verdict_is_reported_from_a_table(
    game: str, name: str, visitor: Visitors, ledger: Ledger, copies: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In every game a table and its question give the same case file, with the readings in force. The command `rule`
    gives the same ruling; `case add` accepts the file, unless those readings forbid its position.
    """
    guest = visitor()
    table = guest.sit(ledger, f"{game}/{name}")
    move = _moves(game, name)[0]
    reading = rules.GAMES[game].readings[0]
    form = guest.see(f"{table}/readings").form("/readings")
    other = next(each for each in reading.values if each != form[1][f"reading-{reading.key}"])
    guest.send(form, **{f"reading-{reading.key}": other})
    case = case_of(guest, verdict(guest, f"{table}?move={move}").form("/case"))
    assert (case["game"], case["move"], case["readings"][reading.key]) == (game, move, other)
    there = guest.get(f"{table}/what-if?move={move}")
    if there.status_code == 303:
        assert case_of(guest, verdict(guest, there.headers["Location"]).form("/case")) == case
    file = copies / "case.json"
    file.write_text(json.dumps(case))
    assert commands.main(["rule", str(file), "--lang", "en", "--json"]) == (case["said"]["ruling"] != "legal")
    said = json.loads(capsys.readouterr().out)
    assert said["ruling"] == case["said"]["ruling"]
    assert list(dict.fromkeys(finding["rule"] for finding in said["findings"])) == case["said"]["rules"]
    rule, record = next(iter(rules.load(game, "rulebook"))), numbering.record_of(rules.GAMES[game])
    before = record.read_text()
    added = commands.main(
        ["case", "add", str(file), "--rule", rule, *(f"--{each}=Why?" for each in LANGUAGES), "--lang", "en"]
    )
    assert added == (2 if "anyway" in case else 0)
    assert (record.read_text() == before) == (added == 2)


def _moves(game: str, name: str) -> list[str]:
    record = record_of(f"{game}/{name}")
    return notations_of(record)


def test_what_is_reported_is_what_was_said_and_what_should_be(
    visitor: Visitors, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file has the note on one line of at most 300 characters, and both rulings; `rule` prints the expected one."""
    guest = visitor()
    table = guest.open()
    form = verdict(guest, f"{table}?move=h+d4").form("/case")
    assert form[1]["expected"] == "legal"
    case = case_of(guest, form, note=" It is\r\n mine. \u0007" + "x" * 400)
    assert case["note"] == "It is mine. " + "x" * 288
    assert (case["said"]["ruling"], case["expected"]["ruling"]) == ("illegal", "legal")
    file = tmp_path / "case.json"
    file.write_text(json.dumps(case))
    assert commands.main(["rule", str(file), "--lang", "en"]) == 1
    assert "Expected: Legal" in capsys.readouterr().out


def test_a_dispute_is_reported_as_it_was_raised(visitor: Visitors) -> None:
    """A dispute's report has the position before its move, though the game went on."""
    guest = visitor()
    table = guest.open()
    for move in ("r b9c9", "r g1h1"):
        guest.place(table, move)
    raised = guest.send(guest.see(f"{table}/disputes/new?entry=2").form("/disputes", entry="2"), question="?")
    case = case_of(guest, raised.form("/case"))
    assert case["move"] == "r b9c9"
    assert case["position"].get("cells", {}) == {}
    assert guest.get(f"{table}/case?dispute=7").status_code == 404


def test_a_question_is_reported_with_what_is_unknown(visitor: Visitors) -> None:
    """A question's report keeps the rest unknown, and has the page's ruling."""
    guest = visitor()
    position = {"rest": "unknown"}
    text = Trail(({"setup": {}, "position": position},)).text()
    page = verdict(guest, f"/ask/villefranche/{text}/move?move=h+c4")
    case = case_of(guest, page.form("/case"))
    assert case["position"]["rest"] == "unknown"
    assert any(attributes.get("class") == f"verdict {case['said']['ruling']}" for _, attributes in page.elements)


def test_where_no_ruling_is_there_is_no_file(visitor: Visitors) -> None:
    """Without a ruling the address answers 422, and for an unknown game 404."""
    guest = visitor()
    table = guest.open()
    for path in (f"{table}/case", f"{table}/case?move=nonsense", "/ask/villefranche/nonsense/case?move=h+d4"):
        assert guest.get(path).status_code == 422, path
    assert guest.get("/ask/chess/x/case?move=h+d4").status_code == 404
