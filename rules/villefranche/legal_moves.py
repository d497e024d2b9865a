"""Villefranche: the legal placements, for the whole board at once.

The majority, the walls and the site rules are sets of cells; reachability is searched only for the few sites that lie
on the ways found so far. The list contains exactly the moves that `legality` lets pass: a test of every game checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from rules.villefranche.board import BIT, CORNER_NAMES, CORNERS, ENCLOSURE, GRID, INDEX, LAND, MARKET, NAMES, names_of
from rules.villefranche.counting import (
    church_cells,
    cuts_nothing,
    fronts_of,
    joined_window,
    noble_cells,
    shops_needed,
    unfinished_towers,
)
from rules.villefranche.enclosure import SIDES
from rules.villefranche.grid import LANE, each_pair, members
from rules.villefranche.legality import shop_for_each
from rules.villefranche.moves import BellTower, CornerStorey, House, Move, Nave, NobleStorey, OnTwo, Rampart, Roof
from rules.villefranche.state import State

# every possible move, made once
CORNER_STOREYS = {INDEX[name]: CornerStorey(name) for name in CORNER_NAMES}
HOUSES = {index: House(NAMES[index]) for index in members(LAND)}
ROOFS = {index: Roof(NAMES[index]) for index in members(LAND)}
NOBLE_STOREYS = {index: NobleStorey(NAMES[index]) for index in members(LAND)}
BELL_TOWERS = {index: BellTower(NAMES[index]) for index in members(LAND)}


def _pairs_within(cells: int) -> int:
    """The pairs with both cells in a set."""
    return cells & cells >> LANE | (cells & cells >> GRID.row) << 1


def _cells(pair: int) -> tuple[str, str]:
    first, second = names_of(GRID.cells_of_pairs(pair))
    return first, second


ALL_NAVES = _pairs_within(LAND)
NAVES = {pair: Nave(_cells(pair)) for pair in each_pair(ALL_NAVES)}
RAMPARTS = {pair: Rampart(_cells(pair)) for side in SIDES for pair in side.ramparts}


class BoardView:
    """One table from the view of the player due; each part is computed at its first use."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.own = state.towns[state.player]
        self.other = state.towns[1 - state.player]
        self.free = LAND & ~state.taken_cells

    @cached_property
    def walled_land(self) -> int:
        """Building land with a rampart on every enclosure cell in front of it (`VF-23`)."""
        missing = ENCLOSURE & ~CORNERS & ~(self.own.ramparts | self.other.ramparts)
        return LAND & ~GRID.edges(missing) if missing else LAND

    @cached_property
    def majority(self) -> int:
        """The cells around which the player has the majority (`VF-22`)."""
        return GRID.at_least(GRID.around(self.own.counts), GRID.around(self.other.counts))

    @cached_property
    def nave_majority(self) -> int:
        """The pairs around which the player has the majority (`VF-22`)."""
        own, other = self.own.counts, self.other.counts
        flat = GRID.at_least(GRID.around_horizontal(own), GRID.around_horizontal(other))
        upright = GRID.at_least(GRID.around_vertical(own), GRID.around_vertical(other))
        return flat | upright << 1

    @cached_property
    def fronts(self) -> int:
        """The free cells in front of candidate gates that have a way to the market."""
        return fronts_of(self.state) & self.free

    @cached_property
    def isolated_land(self) -> int:
        """The cells that neighbour no noble tower and no church (`VF-34`)."""
        buildings = noble_cells(self.own) | noble_cells(self.other) | church_cells(self.own) | church_cells(self.other)
        return LAND & ~GRID.ring(buildings)

    @cached_property
    def waves(self) -> list[int]:
        """The free cells by their distance from the market, up to the fronts that have a way."""
        waves = GRID.waves(MARKET, self.free, self.fronts)
        if waves is None:
            self.fronts &= GRID.reach(MARKET, self.free)
            waves = GRID.waves(MARKET, self.free, self.fronts) or []
        return waves

    @cached_property
    def trail(self) -> int:
        """Cells that join every such front to the market."""
        return GRID.trails(self.waves, self.fronts)

    @cached_property
    def search_results(self) -> dict[int, bool]:
        """The sites that were searched, and whether they leave every gate its way."""
        return {}

    def keeps_ways(self, site: tuple[int, ...], cells: int) -> bool:
        """Whether every gate with a way to the market still has one when pieces stand on free cells (`VF-21`)."""
        return cuts_nothing(self.free, self.fronts, site, cells) or self._keeps_ways(site, cells)

    def _keeps_ways(self, site: tuple[int, ...], cells: int) -> bool:
        if not self.trail & cells:
            return True
        keeps = self.search_results.get(cells)
        if keeps is None:
            keeps = self.search_results[cells] = self._search(site, cells)
        return keeps

    def _search(self, site: tuple[int, ...], cells: int) -> bool:
        if self.fronts & cells:
            return False
        if len(site) == 2 and not all(self.search_results.get(BIT[cell], True) for cell in site):
            return False  # one of the two cells alone cuts off a way
        nearer = MARKET  # cells nearer to the market than the site have their way without it
        for wave in self.waves:
            if wave & cells:
                break
            nearer |= wave
        return GRID.waves(nearer, self.free & ~cells, self.fronts) is not None

    def passable(self, sites: int) -> Iterator[int]:
        """The cells of `sites` that leave every gate its way."""
        open_cells, fronts = self.free | MARKET, self.fronts
        window, safe_sets = joined_window(0)
        while sites:
            low = sites & -sites
            sites ^= low
            index = low.bit_length() >> 3
            # first the check of `cuts_nothing`, without a call for each cell
            if (
                open_cells >> LANE * (index - GRID.stride - 1) & window in safe_sets and not fronts & low
            ) or self._keeps_ways((index,), low):
                yield index


def _ramparts(view: BoardView) -> Iterator[Move]:
    if not view.own.bricks:
        return
    state = view.state
    for side in SIDES:
        side_walls = state.walls & side.mask
        for pair in side.ramparts:
            if side_walls | pair in side.gates and not GRID.cells_of_pairs(pair) & state.taken_cells:
                yield RAMPARTS[pair]


def _corner_storeys(view: BoardView) -> Iterator[Move]:
    if view.own.cylinders:
        for owner, move in zip(view.state.corners, CORNER_STOREYS.values(), strict=True):
            if owner is None:
                yield move


def _houses(view: BoardView) -> Iterator[Move]:
    if view.own.cubes:
        for index in view.passable(view.free & view.walled_land & view.majority):
            yield HOUSES[index]


def _roofs(view: BoardView) -> Iterator[Move]:
    if view.own.pyramids:
        for index in members(view.own.houses & view.walled_land & view.majority):
            yield ROOFS[index]


def _noble_storeys(view: BoardView) -> Iterator[Move]:
    own = view.own
    if not (own.cylinders and own.shops):
        return
    sites = GRID.edges(own.shops) & view.walled_land & view.majority
    unfinished = unfinished_towers(own)
    for index in members(sites & unfinished):
        yield NOBLE_STOREYS[index]
    if not unfinished & view.majority:
        for index in view.passable(sites & view.free & view.isolated_land):
            move = NOBLE_STOREYS[index]
            if not noble_cells(own) or shop_for_each(view.state, move) is None:
                yield move


def _naves(view: BoardView) -> Iterator[Move]:
    own = view.own
    shops = own.shops.bit_count()
    if not (own.bricks and shops):
        return
    if shops >= shops_needed(view.state, own, 2):
        for pair in each_pair(own.naves & _pairs_within(view.walled_land) & view.nave_majority):
            yield NAVES[pair]
    if shops < shops_needed(view.state, own, 1):
        return
    if not own.naves & view.nave_majority and not GRID.cells_of_pairs(own.doubles) & view.majority:
        for pair in each_pair(_pairs_within(view.free & view.walled_land & view.isolated_land) & view.nave_majority):
            move = NAVES[pair]
            if view.keeps_ways(move.site, move.bits):
                yield move


def _bell_towers(view: BoardView) -> Iterator[Move]:
    own = view.own
    if own.pyramids and own.shops.bit_count() >= shops_needed(view.state, own, 3):
        for index in members(GRID.cells_of_pairs(own.doubles) & view.walled_land & view.majority):
            yield BELL_TOWERS[index]


_LIST: Mapping[type[Move], Callable[[BoardView], Iterator[Move]]] = {
    CornerStorey: _corner_storeys,
    Rampart: _ramparts,
    Roof: _roofs,
    BellTower: _bell_towers,
    House: _houses,
    NobleStorey: _noble_storeys,
    Nave: _naves,
}
"""The kinds in the order of the cost to find out whether a move exists, cheapest first."""


def moves_of(state: State, kinds: Sequence[type[Move]]) -> Iterator[Move]:
    """The legal placements of these kinds, kind by kind, cell by cell; the kinds must be due and the game on."""
    view = BoardView(state)
    return chain.from_iterable(_LIST[kind](view) for kind in kinds)


def has_move(state: State, kinds: Sequence[type[Move]]) -> bool:
    """Whether there is any legal placement of these kinds."""
    view = BoardView(state)
    for kind, listed in _LIST.items():
        if kind in kinds:
            for _ in listed(view):
                return True
    return False


def cells_of(move: Move) -> tuple[str, ...]:
    """The names of the cells that a move's piece stands on."""
    return move.cells if isinstance(move, OnTwo) else (move.cell,)


def move_distance(other: Move, move: Move) -> tuple[int, tuple[str, ...]]:
    """The distance of a move from another of its kind: by the edges between their cells, then by name."""
    pairs = zip(cells_of(move), cells_of(other), strict=True)
    return sum(abs(ord(a[0]) - ord(b[0])) + abs(ord(a[1]) - ord(b[1])) for a, b in pairs), cells_of(other)
