"""Villefranche: the lines of the score sheet and the tie-breaks."""

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


def points(state: State) -> dict[tuple[Seat, str], int]:
    """The points of both players by each rule, as on the lines."""
    holders = [gate_holder(state, gate) for gate in known_gates(state)]
    of_tower = int(state.readings["corner_tower_points"])
    found: dict[tuple[Seat, str], int] = {}
    for player, colour in enumerate(COLOURS):
        found[colour, "VF-60"] = GATE_POINTS * holders.count(player)
        found[colour, "VF-61"] = of_tower * state.corners.count(player)
        found[colour, "VF-62"] = sum([n for _, n in corporation_areas(state, player)])
        found[colour, "VF-63"] = TOWER_POINTS * state.towns[player].towers.bit_count()
        found[colour, "VF-64"] = sum([n for _, n in parish_areas(state, player)])
    return found


def _points_fact(cells: tuple[str, ...], points: int) -> Fact:
    return Fact(cells, {"points": points})


def area_fact(cells: int, points: int) -> Fact:
    """The evidence for the points of a set of cells."""
    return _points_fact(names_of(cells), points)


def flanked_gates(state: State, player: int) -> list[Gate]:
    """The known gates flanked by the player on both sides (`VF-60`)."""
    return [gate for gate in known_gates(state) if gate_holder(state, gate) == player]


def known_gates(state: State) -> list[Gate]:
    """The gates of sides with only one candidate left (`VF-11`)."""
    return [gate for side in SIDES if (gate := known_gate(state, side)) is not None]


def known_gate(state: State, side: Side) -> Gate | None:
    """The only remaining candidate for a side's gate, if there is just one (`VF-11`)."""
    gates = side.gates.get(state.walls & side.mask, ())
    return gates[0] if len(gates) == 1 else None


def gate_holder(state: State, gate: Gate) -> int | None:
    """Who flanks a known gate on both sides, if one player does (`VF-60`)."""
    left, right = gate.sides
    player = holder(state, left)
    return player if player == holder(state, right) else None


def holder(state: State, cell: int) -> int | None:
    """The owner of the rampart or corner tower on a cell beside a known gate; None while nobody owns it."""
    if cell in CORNER_NUMBER:
        return state.corners[CORNER_NUMBER[cell]]
    black, white = state.towns
    if black.ramparts & BIT[cell]:
        return None if white.ramparts & BIT[cell] else 0
    return 1 if white.ramparts & BIT[cell] else None


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
    return (area_fact(*area) for area in corporation_areas(state, player))


def corporation_areas(state: State, player: int) -> list[tuple[int, int]]:
    """The cells of each line of shops that counts for the player, and its points."""
    reading, own = state.readings["corporation"], state.towns[player].shops
    if not own:
        return []
    if reading == "single_colour":
        return [(line, line.bit_count()) for line in _lines(own)]
    counts = [
        (line, line.bit_count(), (line & own).bit_count()) for line in _lines(own | state.towns[1 - player].shops)
    ]
    return [(line, n if reading == "majority_takes_all" else mine) for line, n, mine in counts if 2 * mine > n]


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
    return (area_fact(*area) for area in parish_areas(state, player))


def parish_areas(state: State, player: int) -> list[tuple[int, int]]:
    """The cells of each parish of the player, and its points."""
    town, readings = state.towns[player], state.readings
    if not town.churches:
        return []
    area = (town.houses | town.shops | noble_cells(town) | church_cells(town)) & LAND
    if readings["parish_walls"] == "included":
        area |= town.ramparts | cell_set(
            INDEX[name] for name, owner in zip(CORNER_NAMES, state.corners, strict=True) if owner == player
        )
    free = church_cells(town) if readings["parish_church_cells"] == "deducted" else 0
    found = _adjacent_areas if readings["parish_extent"] == "touching" else _areas
    return [(parish, (parish & ~free).bit_count()) for parish in found(area, town.churches)]


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
