"""What other readings would change, on the page of a move that is asked about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rules import GAMES
from rules.kernel import Ruling
from service.judgements import Judgement, ReadingAlternative
from service.rulings import judge as rulings
from tests.web.conftest import Visitor


@pytest.mark.parametrize("folded", [False, True], ids=["few", "many"])
def test_every_reading_is_shown(
    visitor: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch, *, folded: bool
) -> None:
    """All of them, however many would change the ruling; of more than a few, some are folded away."""
    every = [ReadingAlternative(each.key, each.values[-1], Ruling.LEGAL, ()) for each in GAMES["villefranche"].readings]
    others = tuple(every if folded else every[:5])
    assert len(every) > 5
    judge = rulings.judge

    def asked(*given: Any) -> Judgement:
        return replace(judge(*given), alternatives=others)

    guest = visitor()
    table = guest.open()
    monkeypatch.setattr(rulings, "judge", asked)
    page = guest.see(f"{table}?move=h+c4")
    assert page.text.count("The move would be legal.") == len(others)
    assert ("What more readings would change" in page.text) == folded
