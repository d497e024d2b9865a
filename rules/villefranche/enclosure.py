"""Villefranche: the sides of the enclosure, with the ramparts and gates that each can have (`VF-11`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.villefranche.board import GRID, INDEX, pair_of
from rules.villefranche.grid import cell_set


class Gate(NamedTuple):
    """A candidate cell for a gate, and the cells that it depends on."""

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
    """For the cells 0 to 5 of the side, the pair of a rampart that begins there."""
    mask: int
    """All these pairs, and the bits that mark a second brick on one of them."""
    gates: Mapping[int, tuple[Gate, ...]]
    """The ramparts that stand -> the candidate gates (`VF-11`). No entry: no finished side has these ramparts."""
    fronts: Mapping[int, int]
    """The same -> the set of the cells in front of the candidate gates."""


RAMPART_STARTS = {0: (1, 3, 5), 2: (0, 3, 5), 4: (0, 2, 5), 6: (0, 2, 4)}
"""Gate number -> the first cells of the three ramparts, on a finished side (`VF-11`)."""
AGAIN = 2
"""The shift of a pair that marks a second brick on the same two cells (a move that stood)."""


def distance(index: int) -> int:
    """The cells strictly between a cell and the market, going by edges; buildings are disregarded."""
    row, column = divmod(index, GRID.stride)
    return abs(column - 4) + abs(row - 4) - 1


def _side(name: str, cells: str, inward: int) -> Side:
    line = tuple(INDEX[cell] for cell in cells.split())
    inner = line[1:-1]
    ramparts = tuple(pair_of(inner[k], inner[k + 1]) for k in range(6))
    gates = {
        k: Gate(inner[k], inner[k] + inward, (line[k], line[k + 2]), distance(inner[k])) for k in sorted(RAMPART_STARTS)
    }
    table: dict[int, list[Gate]] = {}
    for number, firsts in RAMPART_STARTS.items():
        for chosen in range(8):
            walls = sum(ramparts[first] for bit, first in enumerate(firsts) if chosen >> bit & 1)
            table.setdefault(walls, []).append(gates[number])
    mask = sum(ramparts) | sum(ramparts) << AGAIN
    fronts = {walls: cell_set(gate.front for gate in found) for walls, found in table.items()}
    return Side(name, inner, ramparts, mask, {walls: tuple(found) for walls, found in table.items()}, fronts)


SIDES = (
    _side("south", "a1 b1 c1 d1 e1 f1 g1 h1 i1", GRID.stride),
    _side("north", "a9 b9 c9 d9 e9 f9 g9 h9 i9", -GRID.stride),
    _side("west", "a1 a2 a3 a4 a5 a6 a7 a8 a9", 1),
    _side("east", "i1 i2 i3 i4 i5 i6 i7 i8 i9", -1),
)
SIDE_OF_RAMPART: Mapping[int, Side] = {pair: side for side in SIDES for pair in side.ramparts}
