"""Villefranche: forecasts in words."""

from __future__ import annotations

import pytest

from rules import load
from rules.villefranche import GAME
from service.cases.worked_cases import stage
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import words
from tests.rules.play import AnyGame


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_are_called_by_name(language: str) -> None:
    """A forecast names the leader by the player's name."""
    game: AnyGame = GAME
    state = stage(game, {"put": ["white t a1", "white t a1"]}, load(game.id, "cases"))
    said = [
        words(language, game.id).with_people({"white": "Zoé"}).forecast_text(each) for each in game.forecasts(state)
    ]
    assert said[0].startswith("Zoé ")
