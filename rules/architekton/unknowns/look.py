"""What is unknown on a table of Architekton, and at which of it an entry can look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Final

from rules.architekton.legal_moves import a_lay, cells_of
from rules.architekton.moves import Building, Land, Lay, Move, Pass
from rules.architekton.state import LandscapeTile, Position, Setup, State
from rules.architekton.tiles import AROUND, Square
from rules.forms import UNKNOWN, Malformed, is_unknown, rest_is_unknown
from rules.kernel import Cell
from rules.unknowns import apart

MOST_REST: Final = 1_000
"""So many cells of the rest can be unknown: a town has a hundred at most, but a tile may be entered far away."""


def cells(_: Setup, entered: Position) -> tuple[Cell, ...]:
    """The cells, row by row from the north west on. Raises `Malformed` for one beside a payment that is pending."""
    unknown = {tile.cell for tile in entered.landscapes if is_unknown(tile.landscape)} | {*_rest(entered)}
    for number, claim in enumerate(entered.pending):
        if not unknown.isdisjoint((claim.cell, *AROUND[claim.cell])):
            raise Malformed("near_unknown", f"/pending/{number}/cell", cell="{},{}".format(*claim.cell))
    return tuple(sorted(unknown, key=lambda cell: (-cell[1], cell[0])))


def known(_: Setup, entered: Position) -> Position:
    """The position with each unknown cell told as one, for what may lie there counts where there seems too little."""
    more = (LandscapeTile(cell, UNKNOWN) for cell in _rest(entered))  # type: ignore[arg-type]  # a mark: `OrUnknown`
    return replace(entered, landscapes=(*entered.landscapes, *more), rest=None)


def _rest(entered: Position) -> Iterator[Square]:
    """The cells that are not entered, within the rectangle around those that are."""
    told = {tile.cell for tile in entered.landscapes} | {tile.cell for tile in entered.buildings}
    if rest_is_unknown(entered) and told:
        columns, rows = [x for x, _ in told], [y for _, y in told]
        every = product(range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1))
        yield from islice((cell for cell in every if cell not in told), MOST_REST)


def matter(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """The tile's cell and those beside it; beside a landscape also those that surround a building with it.

    All, where houses may have run out, or where some tile may fit somewhere else.
    """
    if isinstance(move, Pass):
        settled = state.display is None or a_sure_lay(state, unknown)
        return () if settled else tuple(unknown)
    if not isinstance(move, Building | Land):
        return ()
    if isinstance(move, Building) and houses_may_be_out(state, unknown):
        return tuple(unknown)
    found = {move.cell, getattr(move, "house_from", None), *AROUND[move.cell]}
    if isinstance(move, Land):
        for cell in AROUND[move.cell]:
            if cell in unknown or cell in state.houses:
                found.update(outer(move, cell))
    return tuple(cell for cell in unknown if cell in found)


def distance(_: State, move: Move, cell: Cell) -> float:
    """How far an unknown cell is from the move's."""
    return apart(cells_of(move), cell)


def outer(move: Lay, cell: Square) -> list[Square]:
    """The cells beside a neighbour of a tile, but for the tile's own."""
    return [near for near in AROUND[cell] if near != move.cell]


def houses_may_be_out(state: State, unknown: Sequence[Cell]) -> bool:
    """Whether the houses that the player seems to have left may all stand on unknown cells (`AR-13`)."""
    return 0 < state.supply[state.player] <= len(unknown)


def a_sure_lay(state: State, unknown: Sequence[Cell]) -> bool:
    """Whether a tile of the display fits where all that it touches is known."""
    blocked = {near for cell in unknown if isinstance(cell, tuple) for near in (cell, *AROUND[cell])}
    # What is known of the town, with a tile of no kind on every cell where one cannot be sure.
    tiles = {**state.tiles, **dict.fromkeys(blocked - state.tiles.keys(), "")}
    return a_lay(state._replace(tiles=tiles)) is not None
