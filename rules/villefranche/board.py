"""Villefranche: the board's geometry, as tables made at import.

Cells have names (``c4``) outside and indices inside; sets and counts of cells are ints (`rules.villefranche.grid`).
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.villefranche.grid import LANE, Grid, cell_set, members

GRID = Grid.of(9, 9)
COLUMNS = "abcdefghi"
NAMES: tuple[str, ...] = tuple(
    f"{COLUMNS[column]}{row + 1}" if column < GRID.width else "" for row in range(9) for column in range(GRID.stride)
)
"""Index -> name; empty for the spare column."""
INDEX: Mapping[str, int] = {name: index for index, name in enumerate(NAMES) if name}
BIT: tuple[int, ...] = tuple(1 << LANE * index for index in range(len(NAMES)))


def cells_with_names(*names: str) -> int:
    """The set of the cells with these names."""
    return cell_set(INDEX[name] for name in names)


def names_of(cells: int) -> tuple[str, ...]:
    """The names of a set of cells, by column, then row."""
    return tuple(sorted([NAMES[index] for index in members(cells)]))


MARKET = cells_with_names("e5")
LAND = cells_with_names(*(f"{column}{row}" for column in "bcdefgh" for row in range(2, 9))) & ~MARKET
"""Building land, without the market square."""
ENCLOSURE = GRID.lanes & ~LAND & ~MARKET
CORNER_NAMES = ("a1", "i1", "a9", "i9")
CORNERS = cells_with_names(*CORNER_NAMES)
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

ENCLOSURE_BESIDE: tuple[int, ...] = tuple(GRID.edges(bit) & ENCLOSURE if bit & LAND else 0 for bit in BIT)
"""For each cell of building land, the enclosure cells in front of it: none, one, or two at a corner (`VF-23`)."""
