"""Villefranche: the board's geometry, as tables made at import.

Cells have names (``c4``) outside and indices inside; sets and counts of cells are ints (`rules.villefranche.grid`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.villefranche.grid import LANE, Grid, cell_set, members

GRID = Grid.of(9, 9)
COLUMNS = "abcdefghi"
NAMES: tuple[str, ...] = tuple(
    f"{COLUMNS[column]}{row + 1}" if column < GRID.width else "" for row in range(9) for column in range(GRID.stride)
)
"""Index -> name; empty for the spare column."""
INDEX: Mapping[str, int] = {name: index for index, name in enumerate(NAMES) if name}
BIT: tuple[int, ...] = tuple(1 << LANE * index for index in range(len(NAMES)))


def named(*names: str) -> int:
    """The set of the cells with these names."""
    return cell_set(INDEX[name] for name in names)


def names_of(cells: int) -> tuple[str, ...]:
    """The names of a set of cells, by column, then row."""
    return tuple(sorted(NAMES[index] for index in members(cells)))


MARKET = named("e5")
LAND = named(*(f"{column}{row}" for column in "bcdefgh" for row in range(2, 9))) & ~MARKET
"""Building land, without the market square."""
ENCLOSURE = GRID.lanes & ~LAND & ~MARKET
CORNER_NAMES = ("a1", "i1", "a9", "i9")
CORNERS = named(*CORNER_NAMES)
CORNER_NUMBER: Mapping[int, int] = {INDEX[name]: number for number, name in enumerate(CORNER_NAMES)}

NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(members(GRID.ring(bit) & ~bit & GRID.lanes)) if name else () for bit, name in zip(BIT, NAMES, strict=True)
)
"""The cells that share an edge or a corner with each cell."""


def pair_of(first: int, second: int) -> int:
    """The pair that two cells make (`rules.villefranche.grid`), or 0 if they share no edge."""
    low, high = (first, second) if first < second else (second, first)
    if high - low == 1:
        return BIT[low]
    return BIT[low] << 1 if high - low == GRID.stride else 0


def _pair_ring(first: int, second: int) -> tuple[int, ...]:
    both = NEIGHBOURS[first] + NEIGHBOURS[second]
    return tuple(sorted({cell for cell in both if cell != first and cell != second}))


RING: Mapping[tuple[int, ...], tuple[int, ...]] = {
    **{(cell,): near for cell, near in enumerate(NEIGHBOURS) if near},
    **{
        (low, high): _pair_ring(low, high)
        for low in INDEX.values()
        for high in (low + 1, low + GRID.stride)
        if high < len(NAMES) and NAMES[high]
    },
}
"""The cells around a site of one cell or of two that touch (`VF-22`)."""


class Gate(NamedTuple):
    """A cell of the enclosure where a gate can be, and what it depends on."""

    cell: int
    front: int
    """The cell of building land in front of it."""
    sides: tuple[int, int]
    """The two cells of the enclosure beside it."""
    distance: int
    """Cells strictly between the gate and the market, going by edges (`VF-71`)."""


class Side(NamedTuple):
    """One side of the enclosure: its seven cells between the corners."""

    name: str
    cells: tuple[int, ...]
    ramparts: tuple[int, ...]
    """The pair that a rampart is whose first cell is number 0 to 5 of the side."""
    mask: int
    """All these pairs, and the bits that mark a second brick on one of them."""
    gates: Mapping[int, tuple[Gate, ...]]
    """The ramparts that stand -> the candidate gates (`VF-11`). No entry: no finished side has these ramparts."""
    fronts: Mapping[int, int]
    """The same -> the set of the cells in front of the candidate gates."""


FINISHED = {0: (1, 3, 5), 2: (0, 3, 5), 4: (0, 2, 5), 6: (0, 2, 4)}
"""Gate number -> the first cells of the three ramparts, on a finished side (`VF-11`)."""
AGAIN = 2
"""A pair shifted by so much says that a second brick lies on the same two cells (a move that stood)."""


def distance(index: int) -> int:
    """The cells strictly between a cell and the market, going by edges; buildings are disregarded."""
    row, column = divmod(index, GRID.stride)
    return abs(column - 4) + abs(row - 4) - 1


def _side(name: str, cells: str, inward: int) -> Side:
    line = tuple(INDEX[cell] for cell in cells.split())
    inner = line[1:-1]
    ramparts = tuple(pair_of(inner[k], inner[k + 1]) for k in range(6))
    gates = {k: Gate(inner[k], inner[k] + inward, (line[k], line[k + 2]), distance(inner[k])) for k in sorted(FINISHED)}
    table: dict[int, list[Gate]] = {}
    for number, firsts in FINISHED.items():
        for chosen in range(8):
            laid = sum(ramparts[first] for bit, first in enumerate(firsts) if chosen >> bit & 1)
            table.setdefault(laid, []).append(gates[number])
    mask = sum(ramparts) | sum(ramparts) << AGAIN
    fronts = {laid: cell_set(gate.front for gate in found) for laid, found in table.items()}
    return Side(name, inner, ramparts, mask, {laid: tuple(found) for laid, found in table.items()}, fronts)


SIDES = (
    _side("south", "a1 b1 c1 d1 e1 f1 g1 h1 i1", GRID.stride),
    _side("north", "a9 b9 c9 d9 e9 f9 g9 h9 i9", -GRID.stride),
    _side("west", "a1 a2 a3 a4 a5 a6 a7 a8 a9", 1),
    _side("east", "i1 i2 i3 i4 i5 i6 i7 i8 i9", -1),
)
SIDE_OF_RAMPART: Mapping[int, Side] = {pair: side for side in SIDES for pair in side.ramparts}

WALLED: tuple[int, ...] = tuple(GRID.edges(bit) & ENCLOSURE if bit & LAND else 0 for bit in BIT)
"""For each cell of building land, the enclosure cells in front of it: none, one, or two at a corner (`VF-23`)."""
