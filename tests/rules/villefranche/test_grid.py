"""Sets and counts of cells as ints, against the same worked out cell by cell."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from rules.villefranche.grid import LANE, Grid, cell_set, members
from tests.support.loops import over

GRID = Grid.of(5, 4)
CELLS = [(column, row) for row in range(4) for column in range(5)]
INDEX = {cell: cell[1] * GRID.stride + cell[0] for cell in CELLS}
sets = st.sets(st.sampled_from(CELLS))
counts = st.dictionaries(st.sampled_from(CELLS), st.integers(0, 9))


def ints(cells: set[tuple[int, int]]) -> int:
    return cell_set(INDEX[cell] for cell in cells)


def lanes(count: dict[tuple[int, int], int]) -> int:
    return sum(number << LANE * INDEX[cell] for cell, number in count.items())


def edge(cell: tuple[int, int]) -> set[tuple[int, int]]:
    column, row = cell
    return {(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)} & set(CELLS)


def ring(*site: tuple[int, int]) -> set[tuple[int, int]]:
    near = {(c + i, r + j) for c, r in site for i in (-1, 0, 1) for j in (-1, 0, 1)}
    return (near & set(CELLS)) - set(site)


def walk(seed: set[tuple[int, int]], free: set[tuple[int, int]]) -> set[tuple[int, int]]:
    reached = set(seed)
    while more := {near for cell in reached for near in edge(cell)} & free - reached:
        reached |= more
    return reached


@given(sets)
def test_members_of_a_set(cells: set[tuple[int, int]]) -> None:
    """A set lists its members, ascending."""
    assert list(members(ints(cells))) == sorted(INDEX[cell] for cell in cells)


@given(sets)
def test_edges_and_ring_stay_on_the_board(cells: set[tuple[int, int]]) -> None:
    """Neighbours by edge and by corner; nothing wraps from one side of the board to the other."""
    assert GRID.edges(ints(cells)) & GRID.lanes == ints({near for cell in cells for near in edge(cell)})
    wide = cells | {near for cell in cells for near in ring(cell)}
    assert GRID.ring(ints(cells)) & GRID.lanes == ints(wide)


@given(sets, sets)
def test_reach(seed: set[tuple[int, int]], free: set[tuple[int, int]]) -> None:
    """What can be reached by edges over free cells."""
    assert GRID.reach(ints(seed), ints(free)) == ints(walk(seed, free))


@given(sets, sets, sets)
def test_waves_and_trails(seed: set[tuple[int, int]], free: set[tuple[int, int]], some: set[tuple[int, int]]) -> None:
    """Waves reach all targets or say that one is out of reach; the trails alone join the targets to the seed."""
    targets = some & free
    waves = GRID.waves(ints(seed), ints(free), ints(targets))
    assert (waves is None) == (not targets <= walk(seed, free))
    if waves is not None:
        trail = GRID.trails(waves, ints(targets))
        assert trail & ~ints(free) == 0
        assert ints(targets) & ~GRID.reach(ints(seed), trail) == 0


@given(counts)
def test_sums_around_cells_and_pairs(count: dict[tuple[int, int], int]) -> None:
    """The sums over eight neighbours of a cell and ten of a pair are those counted one by one."""
    around = GRID.around(lanes(count))
    flat, upright = GRID.around_horizontal(lanes(count)), GRID.around_vertical(lanes(count))

    def read(sums: int, cell: tuple[int, int]) -> int:
        return sums >> LANE * INDEX[cell] & 0xFF

    for column, row in over(CELLS):
        cell = (column, row)
        assert read(around, cell) == sum(count.get(near, 0) for near in ring(cell))
        if column < 4:
            assert read(flat, cell) == sum(count.get(near, 0) for near in ring(cell, (column + 1, row)))
        if row < 3:
            assert read(upright, cell) == sum(count.get(near, 0) for near in ring(cell, (column, row + 1)))


@given(counts, counts)
def test_at_least(left: dict[tuple[int, int], int], right: dict[tuple[int, int], int]) -> None:
    """One subtraction compares two counts in every cell."""
    expected = {cell for cell in CELLS if left.get(cell, 0) >= right.get(cell, 0)}
    assert GRID.at_least(lanes(left), lanes(right)) == ints(expected)


@given(free=sets, site=st.sampled_from([(1, 1), (2, 1), (3, 2)]), size=st.sampled_from([(1, 1), (2, 1), (1, 2)]))
def test_joined_surroundings_cut_nothing(
    free: set[tuple[int, int]], site: tuple[int, int], size: tuple[int, int]
) -> None:
    """Where the free cells around a site are joined, taking the site leaves all others joined as they were."""
    column, row = site
    taken = {(column + i, row + j) for i in range(size[0]) for j in range(size[1])} & set(CELLS)
    window, joined = GRID.safe_window(*size)
    seen = ints(free - taken) >> LANE * (INDEX[site] - GRID.stride - 1) & window
    assume(seen in joined and free - taken)
    for cell in over(free - taken):
        assert walk({cell}, free | taken) - taken == walk({cell}, free - taken)
