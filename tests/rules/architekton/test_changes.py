"""Architekton: what can be told of a town against an earlier one."""

from __future__ import annotations

from rules.architekton import GAME
from rules.changes import compare_positions
from tests.rules.table_pairs import always_found, pairs, why
from tests.support.loops import over


def test_a_few_tiles_are_always_found_and_never_undone() -> None:
    """Up to three moves; an answer, a tile turned up and a pass are moves, too."""
    always_found(GAME, (1, 2, 3))


def test_chips_and_houses_come_from_somewhere() -> None:
    """A chip that no building brought, and a house on an old building, are impossible."""
    going_on = [state for state, _, _ in pairs(GAME, 29, (0,)) if GAME.due(state).ended is None]
    for state in over(going_on):
        richer = state._replace(chips=(state.chips[0] + 1, state.chips[1]))
        assert "AR-20" in why(compare_positions(GAME, state, richer))
    for state in over(state for state in going_on if state.houses):
        cell, owner = next(iter(state.houses.items()))
        assert "AR-13" in why(compare_positions(GAME, state, state._replace(houses={**state.houses, cell: 1 - owner})))
