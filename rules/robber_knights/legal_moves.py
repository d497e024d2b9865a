"""Robber Knights: the list of legal moves, cell by cell, face by face, and those nearest to a refused one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from rules.caches import cache
from rules.kernel import Facts
from rules.robber_knights.hands import may_lay, possible_faces
from rules.robber_knights.legality import has_copy, knights_on, supply_of
from rules.robber_knights.moves import (
    MAX_BROUGHT,
    MAX_ON_A_TILE,
    STEP,
    Cell,
    Direction,
    Knights,
    Move,
    Stop,
    Tile,
    route,
)
from rules.robber_knights.state import BELOW, SIDE, State
from rules.robber_knights.tiles import CASTLES, DECK, FACES, LAKES, MINIMUM, Face, Letter

Room: TypeAlias = tuple[int, int]
"""The number of knights that a tile of a march needs, and that it has room for."""


def moves(state: State, kinds: Sequence[str] | None = None) -> Iterator[Move]:
    """The legal moves, or only those of the given kinds; a tile without its letter."""
    if not any(state.left):
        return
    if kinds is None or Tile.kind in kinds:
        yield from tiles_at(state, sites(state))
    if state.placed > 0 and (kinds is None or Stop.kind in kinds):
        yield Stop()


def faces_of(state: State) -> list[Face]:
    """The faces that the player in turn may lay (`RK-12`)."""
    if state.hands is None or state.laid is None:
        return [face for face in FACES if has_copy(state, face)]
    return possible_faces(state.hands, state.player, len(state.laid[state.player]))


def letters_of(state: State, face: Face) -> list[Letter]:
    """The letters that a tile of this face may have now (`RK-12`); empty if unknown."""
    if state.hands is None or state.laid is None:
        return []
    hands, player, laid_tiles = state.hands, state.player, state.laid[state.player]
    with_it = [letter for letter, faces in DECK.items() if face in faces]
    return [letter for letter in with_it if may_lay(hands, player, laid_tiles, face, letter)]


def tiles_at(state: State, cells: Sequence[Cell], faces: Sequence[Face] | None = None) -> Iterator[Tile]:
    """The legal tiles, with every deployment, on these cells, each of which must be one of `sites`.

    With `faces`, only tiles of these, each of which must be one of `faces_of`.
    """
    faces = faces_of(state) if faces is None else faces
    castles = [face for face in faces if face in CASTLES]
    others = [face for face in faces if face not in CASTLES]
    for cell in cells:
        for face in others:
            yield Tile(cell, face)
        for face in castles:
            for knights in _deployments(state, cell, face):
                yield Tile(cell, face, None, knights)


def sites(state: State) -> list[Cell]:
    """The cells that a tile may go to (`RK-10`, `RK-11`), from the lower left."""
    left, bottom, right, top = _bounds(state)
    found = set()
    for x, y in state.tiles:
        found |= {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
    return sorted((x, y) for x, y in found - state.tiles.keys() if left <= x <= right and bottom <= y <= top)


def is_site(state: State, cell: Cell) -> bool:
    """Whether a cell is one of `sites`."""
    x, y = cell
    left, bottom, right, top = _bounds(state)
    if cell in state.tiles or not (left <= x <= right and bottom <= y <= top):
        return False
    return any(beside in state.tiles for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)))


def _bounds(state: State) -> tuple[int, int, int, int]:
    """The left, lower, right and upper bound of the cells that a tile may go to, beside others or not."""
    left, bottom, right, top = state.box
    most = SIDE[len(state.colours)]
    wide, high = right - left + 1 > most, top - bottom + 1 > most
    across = 0 if right - left + 1 >= most or high else 1
    along = 0 if top - bottom + 1 >= most or wide else 1
    return left - across, bottom - along, right + across, top + along


def _deployments(state: State, cell: Cell, face: Face) -> Iterator[Knights | None]:
    """None for no knights, then every deployment from a castle on this cell."""
    supply, most = supply_of(state, state.player)
    least = MINIMUM[face]
    free = state.readings["knights"] == "optional" or most < least
    if free:
        yield None
    if not supply:
        return
    budget = min(supply, MAX_BROUGHT)
    alone = 1 if state.readings["castle_minimum"] == "when_marching" and free else least
    yield from _knights_that_stay(alone, min(budget, MAX_ON_A_TILE))
    if budget > least:
        for direction in STEP:
            rooms = _rooms(state, cell, direction, budget - least)
            if rooms:
                yield from _knights_that_march(direction, least, budget, rooms)


def _rooms(state: State, cell: Cell, direction: Direction, knights: int) -> tuple[Room, ...]:
    """The rooms of the tiles that a march can enter one after the other, while there are knights for them."""
    dx, dy = STEP[direction]
    x, y = cell
    tiles, stacks = state.tiles, state.stacks
    rooms: list[Room] = []
    while True:
        x, y = x + dx, y + dy
        face = tiles.get((x, y))
        if face is None or face in LAKES:
            break
        stack = stacks.get((x, y), "")
        there = knights_on(state, stack)[1] if stack.startswith(BELOW) else len(stack)
        least, most = MINIMUM[face], MAX_ON_A_TILE - there
        knights -= least
        if most < least or knights < 0:
            break
        rooms.append((least, most))
    return tuple(rooms)


@cache()  # a list of legal moves asks thousands of times
def _knights_that_stay(least: int, most: int) -> tuple[Knights, ...]:
    return tuple(Knights((number,)) for number in range(least, most + 1))


@cache()  # a list of legal moves asks thousands of times
def _knights_that_march(direction: Direction, castle: int, budget: int, rooms: tuple[Room, ...]) -> tuple[Knights, ...]:
    """Every march from a castle, which needs `castle` knights, over tiles with these rooms, with `budget` at most."""
    found = []

    def go(left: tuple[int, ...], budget: int) -> None:
        if len(left) > 1:
            found.append(Knights(left, direction))
        if len(left) <= len(rooms):
            least, most = rooms[len(left) - 1]
            for number in range(least, min(most, budget) + 1):
                go((*left, number), budget - number)

    for number in range(castle, min(budget, MAX_ON_A_TILE) + 1):
        go((number,), budget - number)
    return tuple(found)


def cells_of(move: Move) -> tuple[Cell, ...]:
    """The cells of a move: the tile's, and those of its march."""
    return tuple(route(move)) if isinstance(move, Tile) else ()


def move_distance(other: Move, move: Move) -> tuple[int, ...]:
    """How far from a move another one of its kind is: first by the cell, then the face, then the knights."""
    if isinstance(other, Stop) or isinstance(move, Stop):
        return ()
    (x, y), (to_x, to_y) = other.cell, move.cell
    faces = (other.face != move.face, MINIMUM[other.face] != MINIMUM[move.face])
    return (abs(x - to_x) + abs(y - to_y), *faces, *_unlike(other.knights, move.knights))


def _unlike(one: Knights | None, other: Knights | None) -> tuple[int, int]:
    """The distance of two deployments: another direction, and the number of knights that stay elsewhere."""
    if one is None or other is None:
        return (one is not other, sum((one or other).left) if one or other else 0)  # type: ignore[union-attr]
    length = max(len(one.left), len(other.left))
    pairs = zip(*(left + (0,) * (length - len(left)) for left in (one.left, other.left)), strict=True)
    return (one.march != other.march, sum(abs(a - b) for a, b in pairs))


def knights_differ(refused: Knights | None, near: Knights | None) -> Facts:
    """No knights, another direction, fewer or more knights, or the same number distributed otherwise."""
    if refused is None or near is None:
        return Facts("knights.none" if near is None else "knights.some", {"n": sum((near or refused).left)})  # type: ignore[union-attr]  # one of them is none
    if refused.march != near.march:
        return Facts("knights.way")
    more = sum(near.left) - sum(refused.left)
    if more:
        return Facts("knights.more" if more > 0 else "knights.fewer", {"n": abs(more)})
    return Facts("knights")


def letters_differ(_refused: str | None, near: str | None) -> Facts:
    """A tile whose back was not read; or another letter on it."""
    return Facts("letter.none" if near is None else "letter")
