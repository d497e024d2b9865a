"""The fillings of a table of Architekton that stand for all: beside a building every combination is heard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

from rules.architekton.moves import Building, Land, Move, Pass
from rules.architekton.state import State
from rules.architekton.tiles import AROUND
from rules.architekton.unknowns.arms import Arms
from rules.architekton.unknowns.fill import Content, Hand, There, a_lie, distinct, letters_left, taken
from rules.architekton.unknowns.look import houses_may_be_out, houses_of, matter
from rules.effects import OF_EVERY_GAME
from rules.kernel import Cell, Effect
from rules.unknowns import Filling, TooMany

EVERYWHERE: Final = frozenset({"AR-2", "AR-13", "AR-30", "AR-31", "AR-32", "AR-33", "AR-40"})
"""The rules of which an effect counts tiles, houses or groups of the whole town."""
MAX_ANYWHERE: Final = 2
"""On so many cells anything may lie, where a tile of the display may fit somewhere else."""
MAX_HOUSES: Final = 24
"""On so many cells houses may stand, where they may have run out."""


def fillings(state: State, move: Move, cells: Sequence[Cell]) -> Iterator[Filling]:
    """Those that the rules tell apart. Raises `TooMany`."""
    if isinstance(move, Building | Land):
        hand = Hand(state, move)
        ways = Arms(state, move, cells).to_rule() if isinstance(move, Land) else _counted(state, move, cells)
        yield from filter(hand.has_tile, distinct(ways))
        return
    if len(cells) > MAX_ANYWHERE:
        raise TooMany
    every = [_anything(state, move) for _ in cells]
    yield from (dict(zip(cells, each, strict=True)) for each in product(*every))


def effect_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Filling]:
    """The same; beside a landscape fewer, but with the houses of both where something is settled."""
    cells = matter(state, move, unknown)
    if not isinstance(move, Land):
        yield from fillings(state, move, cells)
        return
    hand = Hand(state, move)
    yield from filter(hand.has_tile, distinct(Arms(state, move, cells).to_tell()))


def tells(state: State, move: Move, unknown: Sequence[Cell], effect: Effect) -> bool:
    """Not what is counted in the whole town; nor chips where several buildings may be settled, nor houses in supply.

    Points and the end where every cell is known.
    """
    if effect.facts.code in OF_EVERY_GAME:
        return all(isinstance(cell, str) for cell in unknown)
    values = effect.facts.values
    if effect.rule in EVERYWHERE or "houses" in values or effect.facts.code == "no_house":
        return not unknown
    return not {"chips", "pool"} & values.keys() or len(matter(state, move, unknown)) < 2


# --- beside a building -------------------------------------------------------------------------------------------


def _counted(state: State, move: Building, cells: Sequence[Cell]) -> Iterator[Filling]:
    """The ways that can lie there; where nobody knows how many houses are left, with none, one, and all that may be."""
    fact, seen = houses_of(state), state.supply[state.player]
    ways = _built(state, move, [cell for cell in cells if cell != fact])
    if fact not in cells:
        return ways
    return ({**way, fact: left} for way in ways for left in sorted({0, min(1, seen), seen}))


def _built(state: State, move: Building, cells: Sequence[Cell]) -> Iterator[Filling]:
    """The landscapes that may lie beside the tile, combined; then one more thing at a time: a building beside it, a
    tile on the very cell, the house that moves, and as many houses as are left. Raises `TooMany`.
    """
    beside = [cell for cell in AROUND[move.cell] if cell in cells]
    nothing: dict[Cell, Any] = dict.fromkeys(cells)
    source = move.house_from if move.house_from in cells else None
    if source is not None:
        nothing[source] = There(a_lie(state), state.player)
    every = [_contents(state, move, cell) for cell in beside]
    yield from ({**nothing, **dict(zip(beside, way, strict=True))} for way in product(*every))
    alone = [dict[Cell, Any](zip(beside, way, strict=True)) for way in _alike(every)]
    for each in alone:
        yield from ({**nothing, **each, cell: there} for cell in beside for there in _buildings(state, move, cell))
        yield from ({**nothing, **each, move.cell: there} for there in taken(state) if move.cell in cells)
        if source is not None and source not in beside:
            yield from ({**nothing, **each, source: there} for there in (None, There(a_lie(state))))
    if houses_may_be_out(state, cells):
        if len(cells) > MAX_HOUSES:
            raise TooMany
        for each in alone:
            yield from _houses(state, move, {**nothing, **each})


def _contents(state: State, move: Building, cell: Cell) -> tuple[Content, ...]:
    """What may lie beside a building: nothing, a landscape that matches or not."""
    at: Any = cell
    side, letters = move.sides[AROUND[move.cell].index(at)], letters_left(state)
    match = [letter for letter in letters if letter == side]
    differ = [letter for letter in letters if letter != side][:1]
    return (None, *map(There, match + differ))


def _buildings(state: State, move: Building, cell: Cell) -> Iterator[There]:
    """What may not; with a house, too, where one is to be there."""
    owners = (None, state.player) if cell == move.house_from else (None,)
    yield from (There(a_lie(state), owner) for owner in owners)


def _alike(every: Sequence[Sequence[Content]]) -> Iterator[tuple[Content, ...]]:
    """The first of each cell's contents, the second, and so on; and one cell other than nothing."""
    for row in range(max(map(len, every), default=1)):
        yield tuple(each[min(row, len(each) - 1)] for each in every)
    for number, each in enumerate(every):
        yield from ((*[None] * number, there, *[None] * (len(every) - number - 1)) for there in each[1:])


def _houses(state: State, move: Building, base: Filling) -> Iterator[Filling]:
    """A filling with as many houses of the player as are left, and one fewer, with each cell in turn.

    They stand where a filling has a building without a house, or nothing that the tile would touch.
    """
    bare, house = There(lie := a_lie(state)), There(lie, state.player)
    left = state.supply[state.player] - sum(there == house for there in base.values())
    closed = {move.cell, move.house_from, *AROUND[move.cell]}
    room = [cell for cell, there in base.items() if there == bare or (there is None and cell not in closed)]
    for cell in room if 0 < left <= len(room) else ():
        few = {**base, **dict.fromkeys([other for other in room if other != cell][: left - 1], house)}
        yield few
        yield {**few, cell: house}


# --- anywhere ----------------------------------------------------------------------------------------------------


def _anything(state: State, move: Move) -> tuple[Content, ...]:
    """What may make room for a tile of the display, or take it."""
    built = [There(letter * 4) for letter in "EFMW"] if isinstance(move, Pass) else [There(a_lie(state), state.player)]
    return (None, *map(There, letters_left(state)), *built)
