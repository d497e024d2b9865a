"""Architekton: every legal move of a state, and the existing tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, permutations, product
from types import MappingProxyType

from rules.architekton.box import BUILDINGS, OF_EACH_LANDSCAPE
from rules.architekton.moves import Building, Keep, Land, Lay, Move, Pass, Take, UpBuilding, UpLandscape
from rules.architekton.play import kinds_to_turn_up, phase
from rules.architekton.settlement import SIDES, SurroundedBuilding, find_surrounded
from rules.architekton.state import State
from rules.architekton.tiles import (
    AROUND,
    EVERY_BUILDING,
    EVERY_LIE,
    LANDSCAPE,
    LETTER,
    OPPOSITE,
    Square,
    canonical,
    fits,
    matching_lies,
    rotations,
)
from rules.kernel import Facts

Facing = tuple[str, str, str, str]
"""The landscape that faces each side of a cell: a letter, or "" without a tile."""


# --- the existing tiles ------------------------------------------------------------------------------------------


def seen_landscapes(state: State) -> Mapping[str, int]:
    """The number of landscapes of each kind on the table or in the display."""
    return {letter: seen_of_landscape(state, letter) for letter in LANDSCAPE}


def seen_of_landscape(state: State, letter: str) -> int:
    """The number of landscapes of one kind on the table or in the display."""
    on_table = list(state.tiles.values()).count(letter)
    return on_table if state.display is None else on_table + state.display.landscapes.count(letter)


def seen_buildings(state: State) -> int:
    """The number of buildings on the table or in the display."""
    return state.building_count + (0 if state.display is None else len(state.display.buildings))


def left_in_box(state: State) -> Mapping[str, int]:
    """The buildings of the box that were not seen yet; empty if the table does not know its box."""
    left = Counter(state.box)
    left.subtract(canonical(tile) for tile in state.tiles.values() if len(tile) > 1)
    if state.display is not None:
        left.subtract(state.display.buildings)
    return left


def unseen_buildings(state: State) -> tuple[str, ...]:
    """The buildings that may still turn up, by name."""
    if seen_buildings(state) >= BUILDINGS:
        return ()
    if state.box is None:
        return EVERY_BUILDING
    return tuple(sorted(tile for tile, number in left_in_box(state).items() if number > 0))


def unseen_landscapes(state: State) -> tuple[str, ...]:
    """The landscapes that may still turn up, by letter."""
    seen_counts = seen_landscapes(state)
    return tuple(letter for letter in LANDSCAPE if seen_counts[letter] < OF_EACH_LANDSCAPE)


def lies(state: State) -> tuple[str, ...]:
    """Every building that may be laid now, in every rotation."""
    names = unseen_buildings(state) if state.display is None else tuple(dict.fromkeys(state.display.buildings))
    return EVERY_LIE if names is EVERY_BUILDING else tuple(lie for name in names for lie in rotations(name))


# --- their sites -------------------------------------------------------------------------------------------------


def sites(state: State) -> tuple[Mapping[Square, Facing], Mapping[Square, Facing]]:
    """The free cells where a building may touch landscapes only, and those where a landscape may touch buildings only.

    With the landscapes that face each side (`AR-10`, `AR-11`), from west to east, whatever was laid first.
    """
    tiles = state.tiles
    for_buildings: dict[Square, Facing] = {}
    for_landscapes: dict[Square, Facing] = {}
    for cell in sorted({near for tile_cell in tiles for near in AROUND[tile_cell] if near not in tiles}):
        letters, facing = _facing(tiles, cell)
        if letters == 1:
            for_buildings[cell] = facing
        elif letters == SIDES:
            for_landscapes[cell] = facing
    return MappingProxyType(for_buildings), MappingProxyType(for_landscapes)


def site(state: State, cell: Square) -> tuple[Facing | None, Facing | None]:
    """What faces each side of a cell, if it is one of the `sites` of buildings, and if it is one of landscapes."""
    letters, facing = (0, None) if cell in state.tiles else _facing(state.tiles, cell)
    return facing if letters == 1 else None, facing if letters == SIDES else None


def _facing(tiles: Mapping[Square, str], cell: Square) -> tuple[int, Facing]:
    """The letters of each tile around a free cell (0 if both kinds touch it, or none), and what faces each side."""
    found = [tiles.get(near, "") for near in AROUND[cell]]
    kinds = {len(tile) for tile in found if tile}
    if kinds == {SIDES}:
        found = [tile and tile[side] for tile, side in zip(found, OPPOSITE, strict=True)]
    north, east, south, west = found
    return kinds.pop() if len(kinds) == 1 else 0, (north, east, south, west)


def settlements(
    closed: Sequence[SurroundedBuilding], mover: int
) -> Iterator[tuple[tuple[Square, ...], tuple[Square, ...], tuple[Square, ...]]]:
    """Every possible order and answers of a tile (`AR-23`, `AR-25`)."""
    cells = [building.cell for building in closed]
    own = [building.cell for building in closed if building.differ and building.owner == mover]
    for order in ((), *permutations(cells)):
        for taken in product((False, True), repeat=len(own)):
            keep = tuple(cell for cell, take in zip(own, taken, strict=True) if not take)
            yield order, keep, tuple(cell for cell, take in zip(own, taken, strict=True) if take)


def _landscapes(state: State, places: Iterable[tuple[Square, Facing]]) -> Iterator[Lay]:
    letters = unseen_landscapes(state) if state.display is None else tuple(dict.fromkeys(state.display.landscapes))
    for cell, facing in places:
        for letter in letters:
            if letter not in facing:
                continue
            move = Land(cell, LANDSCAPE[letter])
            closed = find_surrounded(state, move)
            if not closed:
                yield move
                continue
            for order, keep, take in settlements(closed, state.player):
                yield Land(cell, move.landscape, order, keep, take)


def _buildings(state: State, places: Iterable[tuple[Square, Facing]]) -> Iterator[Lay]:
    every = lies(state)
    player = state.player
    own = sorted(cell for cell, owner in state.houses.items() if owner == player)
    sources: Sequence[Square | None] = (None,) if state.supply[player] else own
    for cell, facing in places:
        for sides in matching_lies(facing) if every is EVERY_LIE else fits(every, facing):
            if "" in facing:
                for source in sources:
                    yield Building(cell, sides, source)
                continue
            closed = find_surrounded(state, Building(cell, sides))
            for source in sources:
                for order, keep, take in settlements(closed, player):
                    yield Building(cell, sides, source, order, keep, take)


def lays(state: State, kinds: Iterable[str] = ("building", "landscape")) -> Iterator[Lay]:
    """Every tile that may be laid now, everywhere."""
    for_buildings, for_landscapes = sites(state)
    if "landscape" in kinds:
        yield from _landscapes(state, for_landscapes.items())
    if "building" in kinds:
        yield from _buildings(state, for_buildings.items())


def lays_at(state: State, cell: Square) -> Iterator[Lay]:
    """Every tile that may be laid now on a cell."""
    for_building, for_landscape = site(state, cell)
    if for_building:
        yield from _buildings(state, [(cell, for_building)])
    elif for_landscape:
        yield from _landscapes(state, [(cell, for_landscape)])


def first_lay(state: State) -> Lay | None:
    """The first legal tile in the list, if there is one."""
    return next(lays(state), None)


def has_lay(state: State) -> bool:
    """Whether a tile may be laid now. It tries cells in any order until one fits."""
    found = chain(_landscapes(state, _places(state, SIDES)), _buildings(state, _places(state, 1)))
    return next(found, None) is not None


def _places(state: State, letters: int) -> Iterator[tuple[Square, Facing]]:
    """The free cells that only tiles with a number of letters touch, and what faces each side; with repetitions."""
    tiles = state.tiles
    for tile_cell, tile in tiles.items():
        for cell in AROUND[tile_cell] if len(tile) == letters else ():
            if cell not in tiles:
                found, facing = _facing(tiles, cell)
                if found == letters:
                    yield cell, facing


def moves(state: State, kinds: Sequence[str] | None = None) -> Iterator[Move]:
    """The legal moves, or only those of the given kinds."""
    for move in _moves(state, kinds):
        if kinds is None or move.kind in kinds:
            yield move


def _moves(state: State, kinds: Sequence[str] | None) -> Iterator[Move]:
    now = phase(state)
    if now == "over":
        return
    if now == "answer":
        cell = state.pending[0].cell
        yield from (Keep(cell), Take(cell))
    elif now == "turn":
        yield from lays(state, ("building", "landscape") if kinds is None else kinds)
        if state.display is None or ((kinds is None or Pass.kind in kinds) and not has_lay(state)):
            yield Pass()
    else:
        due = kinds_to_turn_up(state)
        if UpBuilding in due:
            yield from map(UpBuilding, unseen_buildings(state))
        if UpLandscape in due:
            yield from (UpLandscape(LANDSCAPE[letter]) for letter in unseen_landscapes(state))


def cells_of(move: Move) -> tuple[Square, ...]:
    """The cell of a tile or of an answer."""
    return (move.cell,) if isinstance(move, Building | Land | Keep | Take) else ()


def move_distance(other: Move, move: Move) -> tuple[int, int, int, tuple[int, ...]]:
    """The distance of a move from another of its kind.

    By the steps between the cells, the sides that differ (least for a turned tile), the clauses that differ, and the
    place on the table.
    """
    here, there = cells_of(other)[:1], cells_of(move)[:1]
    steps = sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in zip(here, there, strict=True))
    sides = 1 + sum(a != b for a, b in zip(_text(other), _text(move), strict=True))
    if canonical(_text(other)) == canonical(_text(move)):
        sides = int(_text(other) != _text(move))
    clauses = sum(
        getattr(other, name, None) != getattr(move, name, None) for name in ("house_from", "order", "keep", "take")
    )
    return steps, sides, clauses, tuple(number for cell in here for number in cell)


def sides_differ(refused: str, near: str) -> Facts:
    """The same tile turned; or the number of different sides."""
    if near in rotations(refused):
        return Facts("sides.turned")
    return Facts("sides", {"n": sum(a != b for a, b in zip(refused, near, strict=True))})


def _text(move: Move) -> str:
    if isinstance(move, Building | UpBuilding):
        return move.sides
    return LETTER[move.landscape] if isinstance(move, Land | UpLandscape) else ""
