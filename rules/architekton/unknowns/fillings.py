"""The fillings of a table of Architekton that stand for all.

Beside a building every combination is heard. Beside a landscape each of its four neighbours is one *arm*, with the
cells that surround it: an arm is breached by a landscape, and by a building that would be settled and is not answered
for; what else lies there only has to match once (`AR-12`). So the arms are varied one at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from operator import eq
from typing import Any, Final

from rules.architekton.legal_moves import unseen_buildings
from rules.architekton.moves import Building, Land, Lay, Move, Pass
from rules.architekton.state import State
from rules.architekton.tiles import AROUND, OPPOSITE, Square, rotations
from rules.architekton.unknowns.fill import Content, There, leaves_tile, letters_left
from rules.architekton.unknowns.look import houses_may_be_out, matter, outer
from rules.kernel import Cell, Effect
from rules.unknowns import Filling

OTHER: Final = {"E": "F", "F": "M", "M": "W", "W": "E"}
"""Another landscape, for each."""
EVERYWHERE: Final = frozenset({"AR-2", "AR-13", "AR-30", "AR-31", "AR-32", "AR-33", "AR-40"})
"""The rules of which an effect counts tiles, houses or groups of the whole town."""


def fillings(state: State, move: Move, cells: Sequence[Cell]) -> Iterator[Filling]:
    """Those that the rules tell apart."""
    if isinstance(move, Land) and not (move.order or move.keep or move.take):
        yield from (each for each in _arms(state, move, cells) if leaves_tile(state, move, each))
    elif isinstance(move, Building | Land):
        yield from (each for each in _laid(state, move, cells) if leaves_tile(state, move, each))
    else:
        every = [_anything(state, move) for _ in cells]
        yield from (dict(zip(cells, each, strict=True)) for each in product(*every))


def _laid(state: State, move: Lay, cells: Sequence[Cell]) -> Iterator[Filling]:
    """Every combination; where houses of a building's player may have run out, each with as many as are left, too."""
    for each in _combined(state, move, cells):
        yield each
        if isinstance(move, Building) and houses_may_be_out(state, cells):
            yield from _houses(state, move, each)


def _combined(state: State, move: Lay, cells: Sequence[Cell]) -> Iterator[Filling]:
    """Every combination; where a tile lies on the very cell, with one more tile at most."""
    every = {cell: _contents(state, move, cell) for cell in cells if cell != move.cell}
    free: dict[Cell, Any] = {} if move.cell not in cells else {move.cell: None}
    yield from ({**free, **dict(zip(every, each, strict=True))} for each in product(*every.values()))
    for taken in _taken(state) if free else ():
        base: dict[Cell, Any] = {**dict.fromkeys(every), move.cell: taken}
        yield base
        yield from ({**base, cell: there} for cell, others in every.items() for there in others if there)


def effect_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Filling]:
    """The same; beside a landscape with the houses of both on every building."""
    cells = matter(state, move, unknown)
    if not isinstance(move, Land):
        yield from fillings(state, move, cells)
        return
    base = _fine(state, move, cells)
    yield from (each for each in _matches(state, move, cells, base) if leaves_tile(state, move, each))
    for arm in AROUND[move.cell]:
        yield from ({**base, **each} for each in _arm(state, move, arm, cells, told=True))


def tells(state: State, move: Move, unknown: Sequence[Cell], effect: Effect) -> bool:
    """Not what is counted in the whole town; nor chips where several buildings may be settled, nor houses in supply."""
    values = effect.facts.values
    if effect.rule in EVERYWHERE or "houses" in values or effect.facts.code == "no_house":
        return not unknown
    return not {"chips", "pool"} & values.keys() or len(matter(state, move, unknown)) < 2


# --- what can lie on a cell --------------------------------------------------------------------------------------


def _contents(state: State, move: Lay, cell: Cell) -> tuple[Content, ...]:
    """What the rules tell apart, beside a building or where a landscape comes with answers."""
    beside = AROUND[move.cell]
    if isinstance(move, Land):
        at: Any = cell
        return tuple(_neighbours(state, move, at, told=True) if cell in beside else _around(state, move, at))
    owner = state.player if cell == move.house_from else None
    built = (There(_lie(state)), There(_lie(state), state.player)) if owner is not None else (There(_lie(state)),)
    if cell not in beside:
        return (None, *built)
    side, letters = move.sides[beside.index(cell)], letters_left(state)
    match = [letter for letter in letters if letter == side]
    differ = [letter for letter in letters if letter != side][:1]
    return (None, *map(There, match + differ), *built)


def _taken(state: State) -> list[There]:
    """Tiles on the cell itself: a landscape of either of two kinds, and a building."""
    return [*map(There, letters_left(state)[:2]), There(_lie(state))]


def _side(move: Land, arm: Square) -> int:
    """The side of a building on a neighbour that faces the landscape."""
    return OPPOSITE[AROUND[move.cell].index(arm)]


def _building(state: State, move: Land, arm: Square, *, facing: bool, rest: bool, owner: int | None) -> There:
    """A building on an arm whose side that faces the landscape matches or not, and its other sides what lies there."""
    sides = ""
    for side, near in enumerate(AROUND[arm]):
        letter = move.tile if near == move.cell else state.tiles.get(near, "")
        letter = letter if len(letter) == 1 else _common(state)
        matches = facing if side == _side(move, arm) else rest
        sides += letter if matches else OTHER[letter]
    return There(sides if state.box is None else _like(state, sides, _side(move, arm)), owner)


def _lie(state: State) -> str:
    """Any building that may lie on an unknown cell."""
    return "EFMW" if state.box is None else next(iter(unseen_buildings(state)), "EFMW")


def _like(state: State, wanted: str, arm_side: int) -> str:
    """Of the buildings in the box the one that is most like a wanted one, first on the side that faces the tile."""
    every = [lie for name in unseen_buildings(state) for lie in rotations(name)]
    alike = [(lie[arm_side] == wanted[arm_side], sum(map(eq, lie, wanted)), lie) for lie in every]
    return max(alike)[2] if alike else wanted


def _common(state: State) -> str:
    """A landscape of which there are many left."""
    return next(iter(letters_left(state)), "E")


def _neighbours(state: State, move: Land, arm: Square, *, told: bool) -> Iterator[Content]:
    """No tile, a landscape, and buildings that match or not, with no house or one that would be paid for, or not.

    `told`: with houses of the other player, too.
    """
    yield None
    lands = [letter for letter in letters_left(state) if letter != move.tile]
    yield from map(There, lands[:1])
    for facing in (True, False):
        yield _building(state, move, arm, facing=facing, rest=True, owner=None)
        for rest in (True, False):
            for owner in (0, 1) if told else (state.player,):
                yield _building(state, move, arm, facing=facing, rest=rest, owner=owner)


def _around(state: State, move: Land, cell: Square) -> list[Content]:
    """What surrounds a neighbour: nothing, what matches a building that is known there, and what does not."""
    match = [state.tiles[near][side - 2] for side, near in enumerate(AROUND[cell]) if _is_building(state, move, near)]
    letters = letters_left(state)
    usual = [*dict.fromkeys(match)] or [_common(state)]
    other = [letter for letter in letters if letter not in usual][:1]
    return [None, *(There(letter) for letter in [*usual, *other] if letter in letters)]


def _is_building(state: State, move: Land, cell: Square) -> bool:
    return cell in AROUND[move.cell] and len(state.tiles.get(cell, "")) > 1


def _anything(state: State, move: Move) -> tuple[Content, ...]:
    """What may make room for a tile of the display, or take it."""
    built = [There(letter * 4) for letter in "EFMW"] if isinstance(move, Pass) else [There(_lie(state), state.player)]
    return (None, *map(There, letters_left(state)), *built)


# --- beside a landscape ------------------------------------------------------------------------------------------


def _fine(state: State, move: Land, cells: Sequence[Cell]) -> dict[Cell, Any]:
    """What lets most moves pass: buildings without houses that match, and nothing around them."""
    unknown = [arm for arm in AROUND[move.cell] if arm in cells]
    fine: dict[Cell, Any] = dict.fromkeys(cells)
    return fine | {arm: _building(state, move, arm, facing=True, rest=True, owner=None) for arm in unknown}


def _arms(state: State, move: Land, cells: Sequence[Cell]) -> Iterator[Filling]:
    """Which of the neighbours match, at most one of them breached; and the landscape's own cell taken."""
    base = _fine(state, move, cells)
    for each in _matches(state, move, cells, base):
        yield each
        if move.cell in cells:
            yield from ({**each, move.cell: there} for there in _taken(state))
    for arm in AROUND[move.cell]:
        yield from ({**base, **each} for each in _arm(state, move, arm, cells, told=False))


def _matches(state: State, move: Land, cells: Sequence[Cell], base: Filling) -> Iterator[dict[Cell, Any]]:
    """All neighbours match, none does, there is none, or just one of them."""
    arms = [arm for arm in AROUND[move.cell] if arm in cells]
    differ: dict[Cell, Any] = {arm: _building(state, move, arm, facing=False, rest=True, owner=None) for arm in arms}
    none: dict[Cell, Any] = dict.fromkeys(arms)
    yield dict(base)
    yield {**base, **differ}
    yield {**base, **none}
    for arm in arms:
        for there in _neighbours(state, move, arm, told=False):
            yield {**base, **none, arm: there}
            yield {**base, **differ, arm: there}


def _arm(state: State, move: Land, arm: Square, cells: Sequence[Cell], *, told: bool) -> Iterator[dict[Cell, Any]]:
    """An arm with what surrounds it: all of it a landscape, or one cell not."""
    around = [near for near in outer(move, arm) if near in cells]
    lies: list[Content] = [*_neighbours(state, move, arm, told=told)] if arm in cells else [None]
    ways = [*_surrounded(state, move, arm, around, told=told)]
    for there, way in product(lies, ways):
        yield {**way, arm: there} if arm in cells else dict(way)


def _surrounded(
    state: State, move: Land, arm: Square, around: Sequence[Square], *, told: bool
) -> Iterator[dict[Cell, Any]]:
    every = {near: _around(state, move, near) for near in around}
    first: dict[Cell, Any] = {near: _facing(state, arm, near) for near in around}
    other: dict[Cell, Any] = {
        near: next((each for each in every[near] if each not in (None, first[near])), None) for near in around
    }
    nothing: dict[Cell, Any] = dict.fromkeys(around)
    yield nothing
    for each in ({**first}, {**other}) if around else ():
        yield {**each}
        for near in around:
            yield from ({**each, near: there} for there in every[near])
            if told:
                yield {**each, near: There(_lie(state))}


def _facing(state: State, arm: Square, near: Square) -> Content:
    """The landscape that matches the building on an arm, or what an unknown one would have there."""
    tile = state.tiles.get(arm, "")
    letter = tile[AROUND[arm].index(near)] if len(tile) > 1 else _common(state)
    return There(letter) if letter in letters_left(state) else None


# --- houses that may have run out --------------------------------------------------------------------------------


def _houses(state: State, move: Building, base: Filling) -> Iterator[Filling]:
    """A filling with as many houses of the player as are left, and one fewer, with each cell in turn.

    They stand where a filling has a building without a house, or nothing that the tile would touch.
    """
    house = There(_lie(state), state.player)
    left = state.supply[state.player] - sum(there == house for there in base.values())
    closed = {move.cell, move.house_from, *AROUND[move.cell]}
    room = [
        cell for cell, there in base.items() if there == There(_lie(state)) or (there is None and cell not in closed)
    ]
    for cell in room if 0 < left <= len(room) else ():
        few = {**base, **dict.fromkeys([other for other in room if other != cell][: left - 1], house)}
        yield few
        yield {**few, cell: house}
