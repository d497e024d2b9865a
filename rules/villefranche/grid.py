"""Sets of cells and counts of pieces on a rectangular board, as one kind of int.

Each cell owns one byte of an int, its *lane*. A set of cells has the lowest bit of each member's lane set; a count
has a number of up to 127 in each lane. Both add and shift alike, so that a sum over every cell's neighbours is a
handful of additions for the whole board, and a comparison of two counts in every cell is one subtraction. A *pair* is
two cells with a common edge, named by its lower left one: bit 0 of that cell's lane for a horizontal pair, bit 1 for
a vertical one.

An empty spare column stands right of every row: a shift over an edge lands there, not on the other side of the board.
So a result may have bits in the spare column or above the last row: mask it before use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.records import dataclass

LANE = 8


def cell_set(indices: Iterable[int]) -> int:
    """The set of the cells with these indices."""
    cells = 0
    for index in indices:
        cells |= 1 << LANE * index
    return cells


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of `width` by `height` cells. Cell ``(column, row)`` has the index ``row * stride + column``."""

    width: int
    height: int
    stride: int
    """The indices from one row to the next: the width and the spare column."""
    row: int
    """The bits of a shift by one row."""
    lanes: int
    """The set of all cells."""
    high: int
    """The highest bit of every lane."""

    @classmethod
    def of(cls, width: int, height: int) -> Grid:
        """Make the grid of a board."""
        stride = width + 1
        lanes = cell_set(row * stride + column for row in range(height) for column in range(width))
        return cls(width, height, stride, LANE * stride, lanes, lanes << (LANE - 1))

    def edges(self, cells: int) -> int:
        """The cells that share an edge with one of `cells` (and some of `cells`, where two touch)."""
        return cells << LANE | cells >> LANE | cells << self.row | cells >> self.row

    def ring(self, cells: int) -> int:
        """The cells that share an edge or a corner with one of `cells`, and `cells` themselves."""
        wide = cells | cells << LANE | cells >> LANE
        return wide | wide << self.row | wide >> self.row

    def reach(self, seed: int, free: int) -> int:
        """The cells of `free` that can be reached from `seed` by edges over `free`, and `seed`."""
        row = self.row
        reached = seed
        while True:
            grown = reached | (reached << LANE | reached >> LANE | reached << row | reached >> row) & free
            if grown == reached:
                return reached
            reached = grown

    def waves(self, seed: int, free: int, targets: int) -> list[int] | None:
        """Go outward from `seed` over `free`, by edges, until all `targets` are reached.

        The cells at distance 1, 2, … ; None if some target cannot be reached.
        """
        row = self.row
        found: list[int] = []
        wave = seed
        unseen = free & ~seed
        targets &= ~seed
        while targets:
            wave = (wave << LANE | wave >> LANE | wave << row | wave >> row) & unseen
            if not wave:
                return None
            unseen ^= wave
            targets &= unseen
            found.append(wave)
        return found

    def trails(self, waves: list[int], targets: int) -> int:
        """Cells of the waves that join each target to the seed: one shortest way each, shared if possible."""
        row = self.row
        trail = needed = 0
        for number in range(len(waves) - 1, -1, -1):
            needed |= targets & waves[number]
            trail |= needed
            if not number:
                break
            before = waves[number - 1]
            chosen = targets & before
            while needed:
                cell = needed & -needed
                needed ^= cell
                touching = (cell << LANE | cell >> LANE | cell << row | cell >> row) & before
                if not touching & chosen:
                    chosen |= touching & -touching
            needed = chosen
        return trail

    def around(self, count: int) -> int:
        """For each cell, the sum of `count` over its eight neighbours."""
        column = count + (count << self.row) + (count >> self.row)
        return column + (column << LANE) + (column >> LANE) - count

    def around_horizontal(self, count: int) -> int:
        """For each horizontal pair, at its left cell, the sum of `count` over its ten neighbours."""
        column = count + (count << self.row) + (count >> self.row)
        return (column << LANE) + column + (column >> LANE) + (column >> 2 * LANE) - count - (count >> LANE)

    def around_vertical(self, count: int) -> int:
        """For each vertical pair, at its lower cell, the sum of `count` over its ten neighbours."""
        row = self.row
        line = count + (count << LANE) + (count >> LANE)
        return (line << row) + line + (line >> row) + (line >> 2 * row) - count - (count >> row)

    def at_least(self, left: int, right: int) -> int:
        """The cells where the count `left` is not below the count `right`."""
        return ((left | self.high) - right & self.high) >> (LANE - 1)

    def safe_window(self, width: int, height: int) -> tuple[int, frozenset[int]]:
        """The cases in which building on `width` by `height` cells surely cuts off nothing.

        Returns a window, to be laid with its lower left cell diagonally below the site's, and the sets of free cells
        in it for which all free cells that share an edge with the site are joined around it. If they are not, a longer
        way round may still join them: then search.
        """
        inside = cell_set(row * self.stride + column for row in range(1, height + 1) for column in range(1, width + 1))
        window = self.ring(inside) & ~inside
        doors = self.edges(inside) & window
        frames = [1 << LANE * cell for cell in members(window)]
        found = set()
        for number in range(1 << len(frames)):
            free = sum(bit for place, bit in enumerate(frames) if number >> place & 1)
            open_doors = free & doors
            if not open_doors & ~self.reach(open_doors & -open_doors, free):
                found.add(free)
        return window, frozenset(found)

    def cells_of_pairs(self, pairs: int) -> int:
        """The cells that a set of pairs covers."""
        flat = pairs & self.lanes
        upright = pairs >> 1 & self.lanes
        return flat | flat << LANE | upright | upright << self.row


def members(cells: int) -> Iterator[int]:
    """The indices of a set of cells, ascending."""
    while cells:
        low = cells & -cells
        yield low.bit_length() >> 3
        cells ^= low


def each_pair(pairs: int) -> Iterator[int]:
    """The pairs of a set, one at a time."""
    while pairs:
        low = pairs & -pairs
        yield low
        pairs ^= low
