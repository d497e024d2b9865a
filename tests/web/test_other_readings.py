"""The changes under other readings, on the page of a verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from rules import GAMES
from rules.effects import effect
from rules.kernel import Effect, Ruling
from service.i18n.sentences import words
from service.judgements import Judgement, ReadingAlternative
from service.rulings import judge as rulings
from tests.web.conftest import Visitor

LEGAL, WON = (), (effect("VF-70", "won", {"winners": ("white",), "n": 1, "decided_by": "total"}),)
"""The effects under another reading: the ruling changes alone, or the winner, too."""


@pytest.mark.parametrize(
    ("number", "differences", "folded"),
    [(1, LEGAL, 0), (2, LEGAL, 2), (6, LEGAL, 6), (3, WON, 0)],
    ids=["one", "two", "many", "the winner"],
)
def test_every_reading_is_shown(
    visitor: Callable[..., Visitor],
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    differences: tuple[Effect, ...],
    folded: int,
) -> None:
    """The page shows one reading openly, and several in a fold with their number, unless they change the winner. An
    effect that several share stands once.
    """
    every = [
        ReadingAlternative(each.key, each.values[-1], Ruling.LEGAL, differences)
        for each in GAMES["villefranche"].readings
    ]
    others = tuple(every[:number])
    assert len(others) == number
    judge = rulings.judge

    def judge_case(*given: Any) -> Judgement:
        return replace(judge(*given), alternatives=others)

    guest = visitor()
    table = guest.open()
    monkeypatch.setattr(rulings, "judge", judge_case)
    page = guest.get(f"{table}?move=h+c4").text
    shown, _, behind = page.partition('<details class="more readings">')
    titles = [words("en", "villefranche").text["readings"][other.key]["title"] + ": " for other in others]
    parts = shown.partition('class="grounds"')[2], behind.partition("</details>")[0]
    assert [sum(map(unescape(part).count, titles)) for part in parts] == [number - folded, folded]
    assert (f"{number} other readings change this" in page) == bool(folded)
    assert page.count("White wins") == bool(differences)
