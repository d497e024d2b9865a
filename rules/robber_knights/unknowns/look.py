"""What is unknown on a table of Robber Knights, and at which of it a move can look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from rules.forms import Malformed, is_unknown, rest_is_unknown
from rules.kernel import Cell
from rules.robber_knights.legal_moves import cells_of
from rules.robber_knights.legality import supply_of
from rules.robber_knights.moves import STEP, Move, Stop, Tile, route
from rules.robber_knights.position import enter, rectangle, rest_of
from rules.robber_knights.state import (
    BELOW,
    SIDE,
    UNKNOWN,
    Position,
    Setup,
    StandingTile,
    State,
)
from rules.robber_knights.tiles import CASTLES, MINIMUM, Face
from rules.unknowns import apart

PLACED: Final = "placed"
"""The fact how many tiles were laid in this turn."""
SUPPLY: Final = "knights "
"""The facts how many knights the players have left, before the colour."""
MAX_FAR: Final = 250
"""So many cells that are too far away are tried at most, each with every way that the cells beside the tile can be."""
Place: TypeAlias = tuple[int, int]


class There(NamedTuple):
    """A tile, and its knights as a state has them."""

    face: Face
    stack: str = ""


Contents: TypeAlias = Mapping[Cell, tuple[There | int | None, ...]]
"""What can be there: a tile or None on a cell, a number for a fact."""


def cells(form: Setup, entered: Position) -> tuple[Cell, ...]:
    """The cells, row by row from the upper left on, then the supplies and the tiles laid in this turn.

    Of a table of which every cell is told, knights under others are none of it: the rules say what they leave open.
    """
    partly = any(is_unknown(tile.face) or _bare(tile) for tile in entered.tiles)
    told = (*entered.supply.values(), entered.placed)
    if not partly and not rest_is_unknown(entered) and not any(map(is_unknown, told)):
        return ()
    for number, tile in enumerate(entered.tiles):
        if is_unknown(tile.face) and tile.colour is not None and entered.laid is None:
            raise Malformed("back_of_unknown", f"/tiles/{number}/colour", cell=tile.cell)
    state = enter(form, known(form, entered))
    below = {cell for cell, stack in state.stacks.items() if stack.startswith(BELOW)}
    found: list[Cell] = [*sorted(below | state.unseen, key=lambda cell: (-cell[1], cell[0]))]
    found += [SUPPLY + colour for colour, left in zip(state.colours, state.supply, strict=True) if left is None]
    return (*found, PLACED) if state.placed == UNKNOWN else tuple(found)


def _bare(tile: StandingTile) -> bool:
    """Whether of the knights of a tile not even the upper ones are given."""
    return tile.covered and not tile.knights


def known(form: Setup, entered: Position) -> Position:
    """The position with its unknown cells, which the state keeps: knights may stand there.

    Where the starting layout has a tile, only its knights are unknown.
    """
    layout = {entry.cell: entry.tile for entry in form.layout}
    return replace(
        entered,
        tiles=tuple(_known(tile, layout) for tile in entered.tiles),
        supply={colour: left for colour, left in entered.supply.items() if not is_unknown(left)},
        placed=None if is_unknown(entered.placed) else entered.placed,
        rest=entered.rest if rest_of(form, entered) else None,
    )


def _known(tile: StandingTile, layout: Mapping[Place, Face]) -> StandingTile:
    if is_unknown(tile.face):
        under = tile.covered or not tile.knights
        return replace(tile, face=layout[tile.cell], covered=under) if tile.cell in layout else tile
    return tile


def matter(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """The tile's cell and those of its march; its sides where nothing is known to lie there; what may be too far away.

    The supply where the knights that are known to be left are too few.
    """
    if isinstance(move, Stop):
        return tuple(cell for cell in unknown if cell == PLACED)
    found: set[Cell] = {
        move.cell,
        *left_on(move),
        *cells_beside(state, move),
        *far_away(state, move),
        *too_far(state, move),
    }
    if _supply_matters(state, move):
        found.add(SUPPLY + state.colours[state.player])
    return tuple(cell for cell in unknown if cell in found)


def left_on(move: Tile) -> dict[Place, int]:
    """How many knights the march leaves on each cell after the first."""
    return {} if move.knights is None else dict(zip(route(move)[1:], move.knights.left[1:], strict=False))


def distance(_: State, move: Move, cell: Cell) -> float:
    """How far an unknown cell is from the tile and its march; supplies are looked at last."""
    return apart(cells_of(move), cell)


def cells_beside(state: State, move: Tile) -> list[Place]:
    """The unknown cells beside the tile, where no tile is known to lie beside it (`RK-10`)."""
    x, y = move.cell
    beside = [(x + dx, y + dy) for dx, dy in STEP.values()]
    return [] if any(cell in state.tiles for cell in beside) else [cell for cell in beside if cell in state.unseen]


def cells_outside(state: State, move: Tile) -> list[Place]:
    """The unknown cells that could make the rectangle larger, where it matters how large it is; none of the march."""
    x, y = move.cell
    left, bottom, right, top = state.box
    if state.tiles and left <= x <= right and bottom <= y <= top:
        return []
    own = {move.cell, *left_on(move), *cells_beside(state, move)}
    return sorted(
        cell
        for cell in state.unknown
        if cell not in own and not (state.tiles and left <= cell[0] <= right and bottom <= cell[1] <= top)
    )


def far_away(state: State, move: Tile) -> list[Place]:
    """Those of them that matter, for with all of them the rectangle would be too large (`RK-11`)."""
    outside = cells_outside(state, move)
    left, bottom, right, top = rectangle({move.cell, *state.tiles, *state.unknown})
    most = SIDE[len(state.colours)]
    return outside if right - left + 1 > most or top - bottom + 1 > most else []


def outside(state: State, move: Tile) -> bool:
    """Whether the tile lies outside the rectangle around those that are known: then `RK-11` looks at the others."""
    (x, y), (left, bottom, right, top) = move.cell, state.box
    return not state.tiles or not (left <= x <= right and bottom <= y <= top)


def too_far(state: State, move: Tile) -> list[Place]:
    """The cells of the rest so far from the tile that `RK-11` lets none lie on both."""
    (x, y), most = move.cell, SIDE[len(state.colours)]
    return sorted(
        cell for cell in state.rest if outside(state, move) and max(abs(cell[0] - x), abs(cell[1] - y)) >= most
    )


def not_clear(state: State, move: Tile) -> bool:
    """Whether more of what lies beyond matters for `RK-11` than one cell at a time, or cells that are too far away.

    So it is where these are many; where the limit is passed without what lies there, or may be by what lies around the
    tile; and where no tile is known, so that the table may be anywhere.
    """
    if not state.rest or not outside(state, move):
        return False
    if len(too_far(state, move)) << len(cells_beside(state, move)) > MAX_FAR:
        return True
    march = [cell for cell in left_on(move) if cell in state.unseen]
    own = {cell for cell in (move.cell, *cells_beside(state, move)) if cell in state.unseen}
    left, bottom, right, top = rectangle({*state.tiles, *state.unknown, *own, *march} or {move.cell})
    most = SIDE[len(state.colours)]
    return not state.tiles or right - left >= most or top - bottom >= most


def _supply_matters(state: State, move: Tile) -> bool:
    number = sum(move.knights.left) if move.knights else 0
    fewest, most = supply_of(state, state.player)
    least = MINIMUM[move.face] if move.face in CASTLES and state.readings["knights"] == "compulsory" else 0
    return fewest < number or (number < least and fewest < least <= most)
