"""What is unknown on a table of Architekton, and at which of it an entry can look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Final

from rules.architekton.legal_moves import a_lay, cells_of
from rules.architekton.moves import Building, Land, Lay, Move, Pass
from rules.architekton.position import told
from rules.architekton.state import COLOURS, Position, Setup, State
from rules.architekton.tiles import AROUND, Square
from rules.architekton.unknowns.fill import HOUSES_OF
from rules.forms import Malformed, is_unknown, rest_is_unknown
from rules.kernel import Cell
from rules.unknowns import apart

MAX_REST: Final = 1_000
"""So many cells of the rest are named at most: a town has a hundred, but a tile may be entered far away."""


def cells(_: Setup, entered: Position) -> tuple[Cell, ...]:
    """The cells, row by row from the north west on; of those beyond all that was entered the next ones.

    Raises `Malformed` for one beside a payment that is pending.
    """
    unknown = {tile.cell for tile in entered.landscapes if is_unknown(tile.landscape)} | {*_rest(entered)}
    for number, claim in enumerate(entered.pending):
        around = {claim.cell, *AROUND[claim.cell]}
        if around & unknown or (rest_is_unknown(entered) and around - told(entered)):
            raise Malformed("near_unknown", f"/pending/{number}/cell", cell="{},{}".format(*claim.cell))
    return (*sorted(unknown, key=_in_order), *_houses(entered))


def _houses(entered: Position) -> Iterator[str]:
    """The facts how many houses a player has left: unknown by its word, or with the rest, of whom it is the turn."""
    left = entered.supply
    unsaid = {entered.turn} - left.keys() if rest_is_unknown(entered) else set()
    yield from (HOUSES_OF + colour for colour in COLOURS if colour in unsaid or is_unknown(left.get(colour)))


def _in_order(cell: Square) -> Square:
    return -cell[1], cell[0]


def known(_: Setup, entered: Position) -> Position:
    """The position with its unknown cells, for what may lie there counts where there seems too little."""
    return replace(entered, supply={colour: left for colour, left in entered.supply.items() if not is_unknown(left)})


def _rest(entered: Position) -> Iterator[Square]:
    """The cells that are not entered within the rectangle around those that are, and next to it."""
    if rest_is_unknown(entered):
        known = told(entered)
        columns, rows = [x for x, _ in known] or [0], [y for _, y in known] or [0]
        every = product(range(min(columns) - 1, max(columns) + 2), range(min(rows) - 1, max(rows) + 2))
        yield from islice((cell for cell in every if cell not in known), MAX_REST)


def matter(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """The tile's cell and those beside it; beside a landscape also those that surround a building with it.

    All, where houses may have run out, or where some tile may fit somewhere else; of what lies beyond all that was
    entered no more than the move looks at.
    """
    if isinstance(move, Pass):
        settled = state.display is None or a_sure_lay(state, unknown)
        return () if settled else tuple(unknown)
    if not isinstance(move, Building | Land):
        return ()
    if isinstance(move, Building) and houses_may_be_out(state, unknown):
        return tuple(unknown)
    found = {move.cell, *AROUND[move.cell]}
    if isinstance(move, Building) and move.house_from is not None:
        found.add(move.house_from)
    if isinstance(move, Land):
        for cell in AROUND[move.cell]:
            if state.hides(cell) or cell in state.houses:
                found.update(outer(move, cell))
    counted = (fact for fact in unknown if isinstance(move, Building) and fact == houses_of(state))
    return (*sorted(filter(state.hides, found), key=_in_order), *counted)


def distance(_: State, move: Move, cell: Cell) -> float:
    """How far an unknown cell is from the move's."""
    return apart(cells_of(move), cell)


def outer(move: Lay, cell: Square) -> list[Square]:
    """The cells beside a neighbour of a tile, but for the tile's own."""
    return [near for near in AROUND[cell] if near != move.cell]


def houses_may_be_out(state: State, unknown: Sequence[Cell]) -> bool:
    """Whether the houses that the player seems to have left may all stand on unknown cells (`AR-13`)."""
    if state.player in state.counted or houses_of(state) in unknown:
        return False
    return 0 < state.supply[state.player] <= len(unknown)


def houses_of(state: State) -> str:
    """The fact how many houses the player has left."""
    return HOUSES_OF + COLOURS[state.player]


def a_sure_lay(state: State, unknown: Sequence[Cell]) -> bool:
    """Whether a tile of the display fits where all that it touches is known."""
    blocked = {near for cell in unknown if isinstance(cell, tuple) for near in (cell, *AROUND[cell])}
    # What is known of the town, with a tile of no kind on every cell where one cannot be sure.
    tiles = {**state.tiles, **dict.fromkeys(blocked - state.tiles.keys(), "")}
    return a_lay(state._replace(tiles=tiles)) is not None
