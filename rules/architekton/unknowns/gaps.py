"""Architekton: the unknown cells and facts of a position, and its known part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from typing import Final

from rules.architekton.legal_moves import (
    cells_of,
)
from rules.architekton.moves import Move
from rules.architekton.position import entered_cells
from rules.architekton.state import COLOURS, Position, Setup, State
from rules.architekton.tiles import AROUND, Square
from rules.forms import Malformed, is_unknown, rest_is_unknown
from rules.kernel import Cell
from rules.unknowns import squared_distance

HOUSES_OF: Final = "houses "
"""The prefix of the facts, before the colour: the number of houses that a player has left."""
MAX_REST: Final = 1_000
"""The maximum number of named cells of the rest: a town has a hundred, but a tile may be entered far away."""


def cells(_: Setup, position: Position) -> tuple[Cell, ...]:
    """The unknown cells, row by row from the north west; beyond the entered cells, the nearest ones. Then the facts.

    Raises `Malformed` for an unknown cell beside a pending payment.
    """
    unknown = {tile.cell for tile in position.landscapes if is_unknown(tile.landscape)} | {*_rest(position)}
    for number, claim in enumerate(position.pending):
        around = {claim.cell, *AROUND[claim.cell]}
        if around & unknown or (rest_is_unknown(position) and around - entered_cells(position)):
            raise Malformed("near_unknown", f"/pending/{number}/cell", cell="{},{}".format(*claim.cell))
    return (*sorted(unknown, key=in_order), *_houses(position))


def _houses(position: Position) -> Iterator[str]:
    """The facts how many houses a player has left: unknown by its word, or with the rest, of whom it is the turn."""
    left = position.supply
    unsaid = {position.turn} - left.keys() if rest_is_unknown(position) else set()
    yield from (HOUSES_OF + colour for colour in COLOURS if colour in unsaid or is_unknown(left.get(colour)))


def in_order(cell: Square) -> Square:
    """The sorting key of cells: row by row from the north west."""
    return -cell[1], cell[0]


def known_part(_: Setup, position: Position) -> Position:
    """The position with its unknown cells, since their contents count if the rest seems too little."""
    return replace(position, supply={colour: left for colour, left in position.supply.items() if not is_unknown(left)})


def _rest(position: Position) -> Iterator[Square]:
    """The cells without an entry within the rectangle around the entered ones, and next to it."""
    if rest_is_unknown(position):
        known_cells = entered_cells(position)
        columns, rows = [x for x, _ in known_cells] or [0], [y for _, y in known_cells] or [0]
        every = product(range(min(columns) - 1, max(columns) + 2), range(min(rows) - 1, max(rows) + 2))
        yield from islice((cell for cell in every if cell not in known_cells), MAX_REST)


def distance(_: State, move: Move, cell: Cell) -> float:
    """The distance of an unknown cell from the move's."""
    return squared_distance(cells_of(move), cell)
