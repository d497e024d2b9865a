"""The score sheet's other readings have the scores that the position has under them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from rules.ranking import first, is_draw
from service.i18n import sentences
from service.i18n.languages import LANGUAGES
from service.i18n.reading_notes import score
from service.judgements import ScoreChange, Sheet
from service.rulings.judge import sheet
from tests.rules.play import EVERY_GAME, AnyGame
from tests.support.loops import over
from tests.support.recorded_games import plies
from tests.support.records import RECORD_PATHS

SOME = 4
"""How many states of a game are scored besides its end."""
every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)


def score_states(game: AnyGame) -> Iterator[tuple[Any, Any]]:
    """Setups and states of the recorded games: the ends, and some earlier ones."""
    for path in RECORD_PATHS:
        if path.parent.name == game.id:
            played = list(plies(path))
            yield from ((form, state) for _, form, state, _ in (*played[:: len(played) // SOME], played[-1]))


def anew(game: AnyGame, form: Any, state: Any, changed: Mapping[str, str]) -> Sheet:
    """The score sheet of the same position at a table with other readings."""
    return sheet(game, game.enter(replace(form, readings={**state.readings, **changed}), game.position(state)))


def leaders(told: Sheet) -> set[str]:
    return set(first(told.ranking))


@every_game
def test_sensitivity_is_the_score_under_each_other_value(game: AnyGame) -> None:
    """Each other value of a scoring reading is listed once, with its totals and leaders."""
    for form, state in over(score_states(game)):
        now = sheet(game, state)
        told = {(change.key, change.value): change for change in now.sensitivity}
        assert len(told) == len(now.sensitivity)
        for reading in game.readings:
            for value in reading.values:
                other, change = anew(game, form, state, {reading.key: value}), told.pop((reading.key, value), None)
                differs = leaders(other) != leaders(now)
                if change is None:  # the table's own value, or a reading that says it changes no score
                    assert value == state.readings[reading.key] or not reading.scores
                    assert (other.totals, differs) == (now.totals, False)
                else:
                    assert (change.totals, change.winner_changes) == (other.totals, differs)
                    assert set(change.leaders) == leaders(other)
                    assert says_who(game, change)
                    assert change.changes == (differs or other.totals != now.totals)
        assert not told


def says_who(game: AnyGame, change: ScoreChange) -> bool:
    """Whether the sentence names the new leaders, if the winner changes; in a draw it may name none."""
    if not change.winner_changes:
        return True
    for language in LANGUAGES:
        words = sentences.words(language, game.id)
        told = score(words, change).partition(":")[2]
        named = {seat for seat in change.totals if words.player(seat) in told}
        if named != set(change.leaders) and not (is_draw(change.ranking) and not named):
            return False
    return True


@every_game
def test_what_is_told_of_scoring_readings_is_not_idle(game: AnyGame) -> None:
    """The control: in each game with scoring readings, some of them change a score."""
    scoring = {reading.key for reading in game.readings if reading.scores}
    seen = {
        change.key for _, state in score_states(game) for change in sheet(game, state).sensitivity if change.changes
    }
    assert seen <= scoring
    assert bool(seen) == bool(scoring)
