"""Architekton with many unknown cells: a ruling takes no more steps than a request may."""

from __future__ import annotations

import pytest

from rules.kernel import Ruling
from rules.steps import at_most
from service.runtime.budget import BUDGET
from tests.rules.architekton.positions import CORNERS, DISPLAY, ELEVEN, FAR, Json, rule_on, town

EVERY = "(0,0) landscape E order (0,1) (1,0) (0,-1) keep (0,1) keep (1,0)"


@pytest.mark.parametrize(
    ("position", "move", "exact", "most"),
    [
        # The landscape, its neighbours and theirs: thirteen cells, and fillings for no others.
        (town(CORNERS, **FAR), "(0,0) landscape E", True, 250),
        (town(CORNERS, **FAR), "(0,0) landscape E keep (0,1)", True, 250),
        (town(CORNERS, **FAR), EVERY, True, 300),
        # Four neighbours of a building are combined.
        (town({(0, 3): "earth", (3, 0): "meadow"}, **FAR), "(1,1) building E E F M", True, 450),
        # Houses may have run out, wherever they are, or there are too many cells to tell.
        (town(CORNERS, ELEVEN, **FAR), "(0,0) building E E F M", True, 350),
        (town({(-46, -46): "earth", (46, 46): "earth"}, ELEVEN, **FAR), "(0,0) building E E F M", True, 350),
        (town(dict.fromkeys([(x, 0) for x in range(-15, 15)], "?"), ELEVEN), "(0,0) building E E F M", False, 350),
        # A tile of the display may fit anywhere, or nowhere.
        (town({(0, 1): "?", (9, 9): "?"}, {(0, 0): "EMMM"}, **DISPLAY), "pass", True, 81),
        (town({(-3, -3): "earth", (3, 3): "earth"}, {(0, 0): "EMMM"}, **DISPLAY, **FAR), "pass", False, 0),
    ],
)  # fmt: skip
def test_many_unknown_cells_are_bounded_work(position: Json, move: str, exact: bool, most: int) -> None:
    """However many cells are unknown, the ruling is `unproven` after few checks, within the budget."""
    with at_most(BUDGET) as effort:
        said = rule_on(position, move)
    assert (said.verdict.ruling, said.exact) == (Ruling.UNPROVEN, exact)
    assert said.checks <= most
    assert effort.steps < BUDGET // 2
    assert said.needs
