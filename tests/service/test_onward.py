"""Runs of forced steps: each is legal, skips nothing that a player could do, and does not end the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rules import GAMES
from rules.steps import at_most
from service import schemas
from service.tables import forced_moves
from service.tables.forced_moves import MAX_AT_ONCE, ForcedMove, forced_run, next_step
from tests.rules.play import AnyGame
from tests.support.records import notations_of, record_of, records_of

GAME = GAMES["fief"]
FIEF = records_of(GAME.id)


def states(game: AnyGame, name: str) -> Iterator[Any]:
    """Each state of a recorded game, from start to end."""
    record = record_of(f"{game.id}/{name}")
    state = game.setup(schemas.load(schemas.of(game).setup, record["setup"]))
    yield state
    for notation in notations_of(record):
        state = game.apply(state, game.read(notation))
        yield state


def could_be_done(state: Any) -> bool:
    """Whether any move is legal other than `next` and those legal at any time; checks all moves."""
    return any(move.kind != "next" and move.kind not in GAME.out_of_turn for move in GAME.moves(state))


@pytest.mark.parametrize("name", [path.stem for path in FIEF])
def test_a_row_is_all_up_to_where_somebody_can_do_something(name: str) -> None:
    """Before each step there is nothing else to do; after the last there is, or the next one would end the game."""
    longest = 0
    for state in states(GAME, name):
        row = forced_run(GAME, state, list(GAME.moves(state)))
        longest = max(longest, len(row))
        assert bool(row) == (not could_be_done(state) and next_step(GAME, state, list(GAME.moves(state))) is not None)
        now = state
        for step in row:
            assert step.before is now and GAME.check(now, step.move).legal and not could_be_done(now)
            now = step.after
            assert GAME.due(now).ended is None
        if row and len(row) < MAX_AT_ONCE:
            assert could_be_done(now) or next_step(GAME, now, list(GAME.moves(now))) is None
    assert longest > 2


def test_an_election_that_is_due_ends_a_row() -> None:
    """A run stops before an election of a bishop, pope or king."""
    ended = [
        GAME.due(row[-1].after).code
        for state in states(GAME, "three_alone")
        if (row := forced_run(GAME, state, list(GAME.moves(state))))
    ]
    assert {"bishops", "king", "purchases"} <= set(ended)
    assert not {"bishops_none", "pope_none", "king_none", "ended"} & set(ended)


def test_a_row_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run has a maximum of steps, and stops when they take too much work."""
    state = next(
        state for state in states(GAME, "three_alone") if len(forced_run(GAME, state, [GAME.read("next")])) > 2
    )
    whole = forced_run(GAME, state, [GAME.read("next")])
    monkeypatch.setattr(forced_moves, "MAX_AT_ONCE", 2)
    assert forced_run(GAME, state, [GAME.read("next")]) == whole[:2]
    with at_most(None) as effort:
        forced_run(GAME, state, [GAME.read("next")])
    monkeypatch.setattr(forced_moves, "BUDGET", 4)
    assert effort.steps > 0
    assert len(forced_run(GAME, state, [GAME.read("next")])) < 2


def test_the_only_move_is_a_step_where_it_says_nothing_more() -> None:
    """A pass without alternative is a forced step; the only place for a piece is not, nor a pass among other moves."""
    game = GAMES["architekton"]
    state = next(iter(states(game, "no_display")))
    passing, laying = game.read("pass"), game.read("(1,0) building F M W M")
    step = next_step(game, state, [passing])
    assert isinstance(step, ForcedMove) and step.move == passing
    assert next_step(game, state, [laying]) is None
    assert next_step(game, state, [laying, passing]) is None
    assert next_step(game, step.after, [passing]) is None  # the second pass would end the game
