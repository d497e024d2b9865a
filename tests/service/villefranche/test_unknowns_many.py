"""Villefranche with many unknown cells: a ruling takes few checks, and no more steps than a request may."""

from __future__ import annotations

import pytest

from rules.fillings import MAX_CHECKS
from rules.kernel import Ruling
from rules.steps import at_most
from service.runtime.budget import BUDGET
from tests.rules.villefranche.positions import around, ask

MOVES = ("h c5", "s c5", "n c5", "e c5c6", "b c5", "r b1c1", "t a1")


@pytest.mark.parametrize(("number", "most"), [(2, 60), (6, 800), (9, 1_200), (80, MAX_CHECKS // 2)])
@pytest.mark.parametrize("move", MOVES)
def test_many_unknown_cells_take_few_checks(move: str, number: int, most: int) -> None:
    """With up to eighty unknown cells, a ruling takes few enough checks and steps for one request."""
    with at_most(BUDGET // 2) as effort:
        told = ask(dict.fromkeys(around(number), "?"), move)
    assert told.checks <= most
    assert effort.steps <= 12 * most + 4_000
    assert bool(told.needs) == (told.verdict.ruling is Ruling.UNPROVEN)


@pytest.mark.parametrize("move", MOVES)
def test_a_whole_board_may_be_unknown(move: str) -> None:
    """With nothing entered at all, the ruling is `unproven` and names what to enter."""
    with at_most(BUDGET // 2):
        told = ask({}, move, rest="unknown")
    assert told.verdict.ruling is Ruling.UNPROVEN
    assert told.needs
