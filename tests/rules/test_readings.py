"""The readings of a setup, the same for every game."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from rules.forms import Malformed
from tests.rules.play import EVERY_GAME, AnyGame, setups
from tests.support.case_states import cases, state_of

every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)


@every_game
def test_what_a_setup_leaves_open_has_its_default(game: AnyGame) -> None:
    """Each reading has the chosen value, or else its default."""
    first, *others = game.readings
    state = game.setup(replace(setups(game.id)[0], readings={first.key: first.values[-1]}))
    assert state.readings == {first.key: first.values[-1], **{other.key: other.default for other in others}}


@every_game
def test_the_readings_that_say_so_change_scores(game: AnyGame) -> None:
    """Exactly the readings with `scores` change the sheet or the places of a worked case about points."""
    states = [state_of(game, case) for case in cases(game) if "score" in case]
    changing = set()
    for state, reading in product(states, game.readings):
        tables = (game.with_readings(state, {reading.key: value}) for value in reading.values)
        sheet, *others = [(game.score(table), game.ranking(table)) for table in tables]
        if any(other != sheet for other in others):
            changing.add(reading.key)
    assert changing == {reading.key for reading in game.readings if reading.scores}


@every_game
@pytest.mark.parametrize(
    ("key", "value", "code"), [("", "", "unknown_reading"), (None, "neither", "unknown_reading_value")]
)
def test_a_reading_that_there_is_not_is_refused(game: AnyGame, key: str | None, value: str, code: str) -> None:
    """The setup refuses an unknown reading, or an unknown value of one, and points to it."""
    key = game.readings[0].key if key is None else key
    with pytest.raises(Malformed) as refused:
        game.setup(replace(setups(game.id)[0], readings={key: value}))
    assert (refused.value.code, refused.value.pointer) == (code, f"/readings/{key}")
