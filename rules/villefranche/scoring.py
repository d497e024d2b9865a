"""Villefranche: the lines of the score sheet and what decides a tie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.kernel import Fact, Line, Seat
from rules.ranking import ByPoints, Standing, Tiebreak
from rules.villefranche.board import BIT, CORNER_NAMES, CORNER_NUMBER, GRID, INDEX, LAND, NAMES, names_of
from rules.villefranche.counting import church_cells, noble_cells
from rules.villefranche.enclosure import SIDES, Gate, Side, distance
from rules.villefranche.grid import LANE, cell_set, each_pair, members
from rules.villefranche.play import seats_of
from rules.villefranche.state import COLOURS, State

GATE_POINTS = 2
TOWER_POINTS = 2
NOWHERE = float("-inf")


def score(state: State) -> tuple[Line, ...]:
    """Every line of both players, `VF-60` to `VF-64`, lines without points too."""
    lines = []
    for player, colour in enumerate(COLOURS):
        for rule, facts in (
            ("VF-60", gates_held(state, player)),
            ("VF-61", corner_towers(state, player)),
            ("VF-62", corporations(state, player)),
            ("VF-63", noble_towers(state, player)),
            ("VF-64", parishes(state, player)),
        ):
            evidence = tuple(facts)
            lines.append(Line(colour, rule, sum(fact.counts["points"] for fact in evidence), evidence))
    return tuple(lines)


def _points_fact(cells: tuple[str, ...], points: int) -> Fact:
    return Fact(cells, {"points": points})


def flanked_gates(state: State, player: int) -> Iterator[Gate]:
    """The gates that are known and flanked by the player on both sides (`VF-60`)."""
    for side in SIDES:
        gate = known_gate(state, side)
        if gate is None:
            continue
        left, right = gate.sides
        if holder(state, left) == player == holder(state, right):
            yield gate


def known_gate(state: State, side: Side) -> Gate | None:
    """The only gate that a side can still have (`VF-11`)."""
    gates = side.gates.get(state.walls & side.mask, ())
    return gates[0] if len(gates) == 1 else None


def holder(state: State, cell: int) -> int | None:
    """Whose rampart stands on a cell beside a known gate, or whose corner tower; None while that is nobody's."""
    if cell in CORNER_NUMBER:
        return state.corners[CORNER_NUMBER[cell]]
    black, white = (bool(town.ramparts & BIT[cell]) for town in state.towns)
    return None if black == white else int(white)


def gates_held(state: State, player: int) -> Iterator[Fact]:
    """`VF-60`: two points a gate held."""
    for gate in flanked_gates(state, player):
        yield _points_fact((NAMES[gate.cell], *(NAMES[cell] for cell in gate.sides)), GATE_POINTS)


def corner_towers(state: State, player: int) -> Iterator[Fact]:
    """`VF-61`: the points of each corner tower owned (reading `corner_tower_points`)."""
    points = int(state.readings["corner_tower_points"])
    for name, owner in zip(CORNER_NAMES, state.corners, strict=True):
        if owner == player:
            yield _points_fact((name,), points)


def corporations(state: State, player: int) -> Iterator[Fact]:
    """`VF-62`: lines of adjacent shops (reading `corporation`)."""
    reading = state.readings["corporation"]
    own = state.towns[player].shops
    if reading == "single_colour":
        for line in _lines(own):
            yield _points_fact(names_of(line), line.bit_count())
        return
    for line in _lines(own | state.towns[1 - player].shops):
        n, mine = line.bit_count(), (line & own).bit_count()
        if 2 * mine > n:
            yield _points_fact(names_of(line), n if reading == "majority_takes_all" else mine)


def _lines(shops: int) -> Iterator[int]:
    """The maximal straight runs of two or more cells of a set, along rows and columns."""
    for shift in (LANE, GRID.row):
        starts = shops & ~(shops << shift) & shops >> shift
        while starts:
            line = cell = starts & -starts
            starts ^= cell
            while cell := cell << shift & shops:
                line |= cell
            yield line


def noble_towers(state: State, player: int) -> Iterator[Fact]:
    """`VF-63`: two points a finished noble tower."""
    for cell in members(state.towns[player].towers):
        yield _points_fact((NAMES[cell],), TOWER_POINTS)


def parishes(state: State, player: int) -> Iterator[Fact]:
    """`VF-64`: a point a cell of each parish (readings `parish_extent`, `parish_church_cells`, `parish_walls`)."""
    town = state.towns[player]
    area = (town.houses | town.shops | noble_cells(town) | church_cells(town)) & LAND
    if state.readings["parish_walls"] == "included":
        area |= town.ramparts | cell_set(
            INDEX[name] for name, owner in zip(CORNER_NAMES, state.corners, strict=True) if owner == player
        )
    free = church_cells(town) if state.readings["parish_church_cells"] == "deducted" else 0
    found = _adjacent_areas if state.readings["parish_extent"] == "touching" else _areas
    for parish in found(area, town.churches):
        yield _points_fact(names_of(parish), (parish & ~free).bit_count())


def _areas(area: int, churches: int) -> Iterator[int]:
    """The connected parts of an area that hold a church."""
    cells = GRID.cells_of_pairs(churches) & area
    while cells:
        parish = GRID.reach(cells & -cells, area)
        cells &= ~parish
        yield parish


def _adjacent_areas(area: int, churches: int) -> Iterator[int]:
    """Each church with what shares an edge with it; a cell that belongs to several is the first one's."""
    counted = 0
    for church in each_pair(churches):
        cells = GRID.cells_of_pairs(church) & area
        parish = (cells | GRID.edges(cells & LAND)) & area & ~counted
        counted |= parish
        yield parish


def nearest_tower(state: State, seat: Seat, _tied: Sequence[Seat] = COLOURS) -> Standing:
    """`VF-70`: the finished noble tower nearest to the market; none at all is behind any."""
    towers = sorted((distance(cell), NAMES[cell]) for cell in members(state.towns[_player(seat)].towers))
    if not towers:
        return Standing((NOWHERE,))
    between, name = towers[0]
    return Standing((-between,), (Fact((name,), {"distance": between}),), between)


def nearest_gates(state: State, seat: Seat, _tied: Sequence[Seat] = COLOURS) -> Standing:
    """`VF-71`: the gates held, nearest to the market first; a further gate is ahead of none."""
    gates = sorted((gate.distance, NAMES[gate.cell]) for gate in flanked_gates(state, _player(seat)))
    away = tuple(between for between, _ in gates)
    evidence = tuple(Fact((name,), {"distance": between}) for between, name in gates)
    return Standing(tuple(-between for between in away), evidence, away or None)


def _player(seat: Seat) -> int:
    return 0 if seat == COLOURS[0] else 1


ranking = ByPoints(
    seats_of, score, (Tiebreak("VF-70", nearest_tower), Tiebreak("VF-71", nearest_gates)), shared_by="VF-72"
)
