"""Architekton: the score sheet's sentences on a series of games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.architekton import GAME
from rules.architekton.state import LayoutTile, Player, Result, Setup
from service.i18n.sentences import words_with_people

PLAIN = Setup(layout=(LayoutTile((0, 0), "earth"), LayoutTile((1, 1), "forest")))
L = Result("light", started="light")


@pytest.mark.parametrize(
    ("series", "english", "french"),
    [
        ((L,), "Iris began game 2, but it was Simon’s turn", "Iris a commencé la manche 2, mais c’était à Simon"),
        (
            (L, Result(None, started="light")),
            "Iris began game 2, but it was Simon’s turn",
            "c’était à Simon de la commencer",
        ),
        (
            (Result("dark", early=True),),
            "Simon had already won the series with game 1",
            "aucune autre ne devait suivre",
        ),
    ],
)
def test_what_departs_is_a_sentence_on_the_sheet(series: tuple[Result, ...], english: str, french: str) -> None:
    """`AR-40`: a departure from the series' order is a sentence with the players' names."""
    form = replace(PLAIN, players=(Player("light", "Iris"), Player("dark", "Simon")), series=series)
    for language, part in (("en", english), ("fr", french)):
        said = words_with_people(language, GAME.id, form)
        assert any(part in said.line_text(line) for line in GAME.score(GAME.setup(form)))
