"""Robber Knights: the unknown cells and facts on which a move can depend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.kernel import Cell
from rules.robber_knights.legality import supply_of
from rules.robber_knights.moves import STEP, Move, Stop, Tile, route
from rules.robber_knights.position import rectangle
from rules.robber_knights.state import (
    SIDE,
    State,
)
from rules.robber_knights.tiles import CASTLES, MINIMUM
from rules.robber_knights.unknowns.gaps import SUPPLY, TILES_PLACED, Place

MAX_FAR: Final = 250
"""The maximum number of cells too far away to try, each with every filling of the cells beside the tile."""


def relevant_cells(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """The tile's cell and those of its march; its neighbours, if no tile is known there; cells perhaps too far away.

    Also the supply, if the knights known to be left are too few.
    """
    if isinstance(move, Stop):
        return tuple(cell for cell in unknown if cell == TILES_PLACED)
    found: set[Cell] = {
        move.cell,
        *knights_left_on(move),
        *cells_beside(state, move),
        *cells_far_away(state, move),
        *cells_too_far(state, move),
    }
    if _supply_matters(state, move):
        found.add(SUPPLY + state.colours[state.player])
    return tuple(cell for cell in unknown if cell in found)


def knights_left_on(move: Tile) -> dict[Place, int]:
    """The number of knights that the march leaves on each cell after the first."""
    return {} if move.knights is None else dict(zip(route(move)[1:], move.knights.left[1:], strict=False))


def cells_beside(state: State, move: Tile) -> list[Place]:
    """The unknown cells beside the tile, if no known tile lies beside it (`RK-10`)."""
    x, y = move.cell
    beside = [(x + dx, y + dy) for dx, dy in STEP.values()]
    return (
        [] if any(cell in state.tiles for cell in beside) else [cell for cell in beside if cell in state.unknown_cells]
    )


def cells_outside(state: State, move: Tile) -> list[Place]:
    """The unknown cells outside the march that could enlarge the rectangle, if its size matters."""
    x, y = move.cell
    left, bottom, right, top = state.box
    if state.tiles and left <= x <= right and bottom <= y <= top:
        return []
    own = {move.cell, *knights_left_on(move), *cells_beside(state, move)}
    return sorted(
        cell
        for cell in state.unknown
        if cell not in own and not (state.tiles and left <= cell[0] <= right and bottom <= cell[1] <= top)
    )


def cells_far_away(state: State, move: Tile) -> list[Place]:
    """Those of them that matter: with all of them the rectangle would be too large (`RK-11`)."""
    outside = cells_outside(state, move)
    left, bottom, right, top = rectangle({move.cell, *state.tiles, *state.unknown})
    most = SIDE[len(state.colours)]
    return outside if right - left + 1 > most or top - bottom + 1 > most else []


def is_outside(state: State, move: Tile) -> bool:
    """Whether the tile lies outside the rectangle around the known ones: then `RK-11` depends on the others."""
    (x, y), (left, bottom, right, top) = move.cell, state.box
    return not state.tiles or not (left <= x <= right and bottom <= y <= top)


def cells_too_far(state: State, move: Tile) -> list[Place]:
    """The cells of the rest that are so far from the tile that `RK-11` forbids tiles on both."""
    (x, y), most = move.cell, SIDE[len(state.colours)]
    return sorted(
        cell for cell in state.rest if is_outside(state, move) and max(abs(cell[0] - x), abs(cell[1] - y)) >= most
    )


def is_unclear(state: State, move: Tile) -> bool:
    """Whether the rest matters for `RK-11` by more than one cell at a time, or by cells that are too far away.

    True if these are many; if the limit is exceeded without them, or may be by the cells around the tile. Also true if
    no tile is known, so that the table may be anywhere.
    """
    if not state.rest or not is_outside(state, move):
        return False
    if len(cells_too_far(state, move)) << len(cells_beside(state, move)) > MAX_FAR:
        return True
    march = [cell for cell in knights_left_on(move) if cell in state.unknown_cells]
    own = {cell for cell in (move.cell, *cells_beside(state, move)) if cell in state.unknown_cells}
    left, bottom, right, top = rectangle({*state.tiles, *state.unknown, *own, *march} or {move.cell})
    most = SIDE[len(state.colours)]
    return not state.tiles or right - left >= most or top - bottom >= most


def _supply_matters(state: State, move: Tile) -> bool:
    number = sum(move.knights.left) if move.knights else 0
    fewest, most = supply_of(state, state.player)
    least = MINIMUM[move.face] if move.face in CASTLES and state.readings["knights"] == "compulsory" else 0
    return fewest < number or (number < least and fewest < least <= most)
