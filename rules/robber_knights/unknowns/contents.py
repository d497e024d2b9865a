"""The contents of an unknown cell of Robber Knights that a move can distinguish, and of several cells together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from rules.fillings import Filling
from rules.kernel import Cell
from rules.robber_knights.legality import hidden_knights, supply_of, visible_knights
from rules.robber_knights.moves import KNIGHTS, MAX_ON_A_TILE, Move, Tile
from rules.robber_knights.position import rectangle
from rules.robber_knights.state import (
    BELOW,
    SIDE,
    SOMEBODY,
    UNKNOWN,
    State,
)
from rules.robber_knights.tiles import CASTLE_TILES, FACES, LAKES, MINIMUM, TILES, Face
from rules.robber_knights.unknowns.gaps import SUPPLY, TILES_PLACED, Place
from rules.robber_knights.unknowns.scope import knights_left_on

NO_COUNT: Final = "uncounted"
"""In a filling: the number of knights is not checked."""


def contents(state: State, move: Move, cell: Cell) -> tuple[There | int | None, ...]:
    """Nothing, and tiles of every landscape with the numbers of knights that the march distinguishes; facts as numbers.

    Outside the march, the number of knights on a tile does not matter.
    """
    if not isinstance(move, Tile):
        return (0, 1) if cell == TILES_PLACED else (None,)
    if isinstance(cell, str):
        return _supplies(state, move)
    if cell in state.tiles:
        return tuple(There(state.tiles[cell], stack) for stack in stacks_of(state.stacks[cell]))
    stock, left = tiles_left(state, move), knights_left_on(move)
    if cell in state.stacks:
        return tuple(There(face, stack) for face in faces_of(stock).values() for stack in stacks_of(state.stacks[cell]))
    if cell == move.cell:
        return (None, *(There(face, BELOW) for face in stock))
    faces = faces_of(stock).values()
    if cell in left:
        return (None, *(There(face, SOMEBODY * n) for face in faces for n in _numbers(state, face, left[cell])))
    return (None, *(There(face, BELOW) for face in list(faces)[:1]))


def stacks_of(stack: str) -> list[str]:
    """The possible stacks for one of which perhaps only the upper knights are known."""
    if not stack.startswith(BELOW):
        return [stack]
    upper = stack.removeprefix(BELOW)
    return [SOMEBODY * n + upper for n in range(max(MAX_ON_A_TILE - len(upper), 0) + 1)]


def has_known_total(state: State) -> bool:
    """Whether known supplies determine the number of knights on all unknown cells together."""
    return bool(hidden_knights(state)) and any(left is not None for left in state.supply)


def _numbers(state: State, face: Face, left: int) -> list[int]:
    """Numbers of knights on a tile: the fewest and the most for each result of a march that leaves `left` there."""
    if has_known_total(state):
        missing = [
            KNIGHTS - (n or 0) - visible_knights(state, colour)
            for colour, n in zip(state.colours, state.supply, strict=True)
        ]
        return list(range(max(min(MAX_ON_A_TILE, sum(missing)), 0) + 1))
    if face in LAKES:
        return [0]
    alike: dict[tuple[bool, bool], list[int]] = {}
    for n in range(MAX_ON_A_TILE + 1):
        alike.setdefault((n + left > MAX_ON_A_TILE, n + MINIMUM[face] > MAX_ON_A_TILE), []).append(n)
    return sorted({n for numbers in alike.values() for n in (numbers[0], numbers[-1])})


def tiles_left(state: State, move: Tile) -> Counter[Face]:
    """The tiles that may lie on unknown cells: of those laid, if known, else of all but the one in question."""
    if state.laid is not None and state.hands is not None and state.hands.kept_options:
        return _laid_tiles(state) - Counter(state.tiles.values())
    every = Counter({face: number * len(state.colours) for face, number in FACES.items()})
    every.subtract([*state.tiles.values(), move.face])
    return +every


def _laid_tiles(state: State) -> Counter[Face]:
    """The tiles that were laid, and those of the starting layout if it is known."""
    found = Counter(tile.face for tiles in state.laid or () for tile in tiles)
    if state.hands is not None and state.hands.kept_options:
        kept_tiles = state.hands.kept_options[0]
        found.update({face: len(kept_tiles) - kept_tiles.count(number) for number, face in enumerate(CASTLE_TILES)})
    return found


def faces_of(stock: Counter[Face]) -> dict[str, Face]:
    """A face of each landscape, the one with the most copies; first the one that needs the fewest knights."""
    found: dict[str, Face] = {}
    for face, _ in stock.most_common():
        found.setdefault(face.split()[0], face)
    return dict(sorted(found.items(), key=lambda each: (each[1] in LAKES, MINIMUM[each[1]])))


def _supplies(state: State, move: Tile) -> tuple[int, ...]:
    """The fewest and the most knights that the player can have left, and the number that the rules need."""
    fewest, most = supply_of(state, state.player)
    number, least = sum(move.knights.left) if move.knights else 0, MINIMUM[move.face]
    numbers = {fewest, most, number - 1, number, least - 1, least}
    return tuple(sorted(n for n in numbers if fewest <= n <= most))


# --- whole fillings ----------------------------------------------------------------------------------------------


def fill(state: State, filling: Filling) -> State | None:
    """The state with these cells filled; None if there are too few tiles or knights."""
    tiles, stacks, supply, placed = dict(state.tiles), dict(state.stacks), list(state.supply), state.placed
    new: list[Place] = []
    for cell, there in filling.items():
        if cell == NO_COUNT:
            continue
        if cell == TILES_PLACED:
            placed = there
        elif isinstance(cell, str):
            supply[state.colours.index(cell.removeprefix(SUPPLY))] = there
        elif there is None:
            if cell in stacks:
                return None
        else:
            if cell not in tiles:
                new.append(cell)
            tiles[cell], stacks[cell] = there
            if not there.stack:
                del stacks[cell]
    box = rectangle(tiles) if new else state.box
    if not _keeps_limit(state, new):
        return None
    unknown, rest = state.unknown.difference(filling), state.rest.difference(filling)
    filled = state._replace(tiles=tiles, stacks=stacks, box=box, supply=tuple(supply), placed=placed, unknown=unknown)
    filled = filled._replace(rest=rest)
    stands = _enough_tiles(filled, {tiles[cell] for cell in new})
    return filled if stands and (NO_COUNT in filling or _enough_knights(filled)) else None


def _keeps_limit(state: State, new: Sequence[Place]) -> bool:
    """Whether new tiles stay within the limit of `RK-11`, unless the others exceed it already."""
    if state.rest.isdisjoint(new):
        return True
    most = SIDE[len(state.colours)]
    (left, bottom, right, top), without = rectangle({*state.tiles, *new}), {*state.tiles, *new} - state.rest
    west, south, east, north = rectangle(without) if without else (left, bottom, left, bottom)
    return right - left < max(most, east - west + 1) and top - bottom < max(most, north - south + 1)


def _enough_tiles(state: State, new: set[Face]) -> bool:
    """Whether there are enough tiles with the `new` faces, and room for those that must lie somewhere."""
    if state.laid is None:
        if UNKNOWN not in state.left:
            missing = TILES * len(state.colours) - sum(state.left) - len(state.tiles)
            if not 0 <= missing <= len(state.unknown_cells):
                return False
        faces = list(state.tiles.values()) if new else []
        return all(faces.count(face) <= FACES[face] * len(state.colours) for face in new)
    there, laid_tiles = Counter(state.tiles.values()), _laid_tiles(state)
    exact = state.hands is not None and bool(state.hands.kept_options)
    most = laid_tiles if exact else {face: number * len(state.colours) for face, number in FACES.items()}
    return all(there[face] <= most[face] for face in new) and (laid_tiles - there).total() <= len(state.unknown_cells)


def _enough_knights(state: State) -> bool:
    """Whether the known supplies are consistent with the visible knights."""
    if all(left is None for left in state.supply):
        return True
    missing = [
        KNIGHTS - left - visible_knights(state, colour)
        for colour, left in zip(state.colours, state.supply, strict=True)
        if left is not None
    ]
    if min(missing) < 0 or sum(missing) > hidden_knights(state):
        return False
    somebody = "".join(state.stacks.values()).count(SOMEBODY)
    return len(missing) < len(state.supply) or somebody <= sum(missing)


class There(NamedTuple):
    """A tile, and its knights as a state has them."""

    face: Face
    stack: str = ""


Contents: TypeAlias = Mapping[Cell, tuple[There | int | None, ...]]
"""Cell or fact -> its possible contents: a tile or None on a cell, a number for a fact."""
