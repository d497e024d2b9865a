"""Fief: what is told ahead comes true when one plays on."""

from __future__ import annotations

from itertools import chain
from typing import Any

from rules.fief import GAME
from rules.fief.lords import players_from_first
from rules.fief.moves import Next
from rules.fief.victory import points
from rules.kernel import Facts
from tests.rules.forecasts_in_play import assert_told_before_the_end, case_states
from tests.rules.play import every_nth_step


def test_what_may_end_a_game_is_told() -> None:
    """Before the move that ends a game, the rule that ends it has told that it may come soon."""
    assert_told_before_the_end(GAME, sudden=set())


def test_it_is_won_at_the_end_of_the_round_as_told() -> None:
    """If the round ended now, those told would win, by the rule told; and where nobody is told, nobody would."""
    won = 0
    going = (state for state, move in every_nth_step(GAME, 5) if move is not None)
    for state in chain(going, case_states(GAME, "FI-81", "FI-82")):
        if GAME.due(state).ended is not None:
            continue
        told = {(each.rule, each.facts.code): each.facts for each in GAME.forecasts(state)}
        last = state._replace(phase="combats", turn=players_from_first(state)[-1], captured=None, estates=())
        ended = GAME.due(GAME.apply(last, Next())).ended
        wins = [(rule, facts.values["colours"]) for (rule, code), facts in told.items() if code == "would"]
        assert wins == ([] if ended is None else [(ended.rule, ended.values["colours"])])
        won += len(wins)
        missing: Any = told.get(("FI-81", "short"), Facts()).values.get("colours", ())
        for each in missing:
            assert points(state, each.values["name"]) + each.values["n"] == 3
    assert won
