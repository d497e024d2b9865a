"""The fillings of a table of Robber Knights that stand for all.

What a move breaks at one cell of its march it breaks whatever lies at the others, so these are varied one at a time,
unless the supplies bind them; on the cells beside the tile and those far away, what rules look at together is combined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

from rules.kernel import Cell
from rules.robber_knights.legality import INITIAL
from rules.robber_knights.moves import MOST_ON_A_TILE, Move, Tile
from rules.robber_knights.state import (
    BELOW,
    SOMEBODY,
    State,
)
from rules.robber_knights.tiles import LAKES, MINIMUM, POINTS, Face
from rules.robber_knights.unknowns.fill import contents, counted, faces_of, stacks_of, tiles_left
from rules.robber_knights.unknowns.look import (
    Contents,
    Place,
    There,
    cells_beside,
    cells_outside,
    far_away,
    left_on,
    matter,
)
from rules.unknowns import Filling


def fillings(state: State, move: Move, cells: Sequence[Cell]) -> Iterator[Filling]:
    """Every combination beside the tile and at its cell; the march varied cell by cell; and what is far away."""
    every = {cell: contents(state, move, cell) for cell in cells}
    if isinstance(move, Tile):
        yield from _varied(state, move, every)
    else:
        yield from (dict(zip(every, each, strict=True)) for each in product(*every.values()))


def _varied(state: State, move: Tile, every: Contents) -> Iterator[Filling]:
    """Every combination of what rules look at together; of the march one cell at a time."""
    stock, best = tiles_left(state, move), {cell: _first(there) for cell, there in every.items()}
    for known in _facts(every):
        for filling in _around_march(state, move, {**best, **known}, every):
            yield _dealt(filling, stock)


def _first(there: tuple[There | int | None, ...]) -> There | int | None:
    """What lets most moves pass: the first tile, which asks for the fewest knights and has the fewest."""
    return next((each for each in there if each is not None), None)


def _facts(every: Contents) -> Iterator[Filling]:
    """Every combination of the facts."""
    facts: list[Cell] = [cell for cell in every if isinstance(cell, str)]
    yield from (dict(zip(facts, each, strict=True)) for each in product(*[every[cell] for cell in facts]))


def _around_march(state: State, move: Tile, best: Filling, every: Contents) -> Iterator[Filling]:
    """What lies beside the tile, at its cell and far away; of some of these, what lies on the march."""
    beside = [cell for cell in cells_beside(state, move) if cell in best]
    fine = _fine(state, move, best)
    far: list[Filling] = [{cell: best[cell] for cell in some} for some in _some(far_away(state, move))]
    far += [{move.cell: best[move.cell]}] if move.cell in best else []
    for number in range(len(beside) + 1):
        for none in combinations(beside, number):
            base: dict[Cell, Any] = {**fine, **dict.fromkeys(none)}
            yield base
            yield from ({**base, **more} for more in far)
            if number in (0, len(beside) - 1):
                yield from _on_march(state, move, base, every)
    yield from ({**fine, move.cell: there} for there in every.get(move.cell, ()))
    yield from _spread(state, move, fine)


def _fine(state: State, move: Tile, best: Filling) -> dict[Cell, Any]:
    """Nothing at the tile's cell and far away, and the best elsewhere."""
    own = [move.cell] if move.cell in best else []
    return {**best, **dict.fromkeys(own), **dict.fromkeys(far_away(state, move))}


def _spread(state: State, move: Tile, fine: Filling) -> Iterator[Filling]:
    """The rectangle as large as it can be, be that too large or not."""
    outside, faces = cells_outside(state, move), list(faces_of(tiles_left(state, move)).values())
    if outside and faces:
        yield {**fine, **dict.fromkeys(_outermost(outside), There(faces[0], BELOW))}


def _some(far: Sequence[Place]) -> Iterator[tuple[Place, ...]]:
    """One or two of the cells that are far away: no more than two make a rectangle too wide or too high."""
    yield from ((cell,) for cell in far)
    yield from combinations(far, 2)


def _outermost(cells: Sequence[Place]) -> set[Place]:
    """The cells farthest to each side."""
    return {end(cells, key=lambda cell: cell[axis]) for end in (min, max) for axis in (0, 1)}


def _on_march(state: State, move: Tile, base: Filling, every: Contents) -> Iterator[Filling]:
    """One cell of the march at a time, or all where supplies bind them; and all without a tile where it can be so."""
    march = [cell for cell in left_on(move) if base.get(cell) is not None]
    if counted(state):
        yield from (
            {**base, **dict(zip(march, each, strict=True))} for each in product(*[every[cell] for cell in march])
        )
        return
    for cell in march:
        yield from ({**base, cell: there} for there in every[cell] if there != base[cell])
    bare = [cell for cell in march if cell not in state.tiles]
    if len(bare) > 1:
        yield {**base, **dict.fromkeys(bare)}


def _dealt(filling: Mapping[Cell, Any], stock: Counter[Face]) -> Filling:
    """The filling with other faces, of the same landscape if there are any, for tiles of which there are too few."""
    tiles = {cell: there for cell, there in filling.items() if isinstance(there, There)}
    if all(number <= stock[face] for face, number in Counter(there.face for there in tiles.values()).items()):
        return filling
    left, found = stock.copy(), dict(filling)
    for cell, there in tiles.items():
        like = sorted(+left, key=lambda face: (face != there.face, MINIMUM[face] != MINIMUM[there.face]))
        if like:
            found[cell] = There(like[0], there.stack)
            left[like[0]] -= 1
    return found


# --- effects -----------------------------------------------------------------------------------------------------


def effect_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Filling]:
    """What leaves the march free, cell by cell: who is on top, how many stand there, and what is like another tile.

    From two fillings on that have nothing in common, for what is told of several tiles at once.
    """
    cells = matter(state, move, unknown)
    every = {cell: contents(state, move, cell) for cell in cells}
    if not isinstance(move, Tile):
        yield from fillings(state, move, cells)
        return
    stock, march = tiles_left(state, move), [cell for cell in left_on(move) if cell in every]
    told = {cell: tuple(dict.fromkeys(_told(state, move, cell))) for cell in march}
    best = _fine(state, move, {cell: _first(there) for cell, there in every.items()})
    others = best | {cell: there[-1] for cell, there in told.items() if there}
    for known, base in product(_facts(every), (best, others)):
        for filling in ({**base, **known}, *_spread(state, move, {**base, **known})):
            yield _dealt(filling, stock)
        if counted(state):
            ways = product(*told.values())
            yield from (_dealt({**base, **known, **dict(zip(told, each, strict=True))}, stock) for each in ways)
        else:
            ones: Iterator[dict[Cell, Any]] = ({cell: there} for cell in march for there in told[cell])
            yield from (_dealt({**base, **known, **one}, stock) for one in ones)


def _told(state: State, move: Tile, cell: Place) -> Iterator[There]:
    """The tiles and knights of a cell of the march that effects tell apart, where the march may leave knights."""
    left = left_on(move)
    for there in _tellable(state, move, cell):
        standing = len(there.stack) + max(left[cell], MINIMUM[there.face])
        if there.face not in LAKES and left[cell] >= MINIMUM[there.face] and standing <= MOST_ON_A_TILE:
            yield there


def _tellable(state: State, move: Tile, cell: Place) -> Iterator[There]:
    initials = [INITIAL[colour] for colour in state.colours]
    if cell in state.tiles:
        face, stack = state.tiles[cell], state.stacks[cell]
        yield from (There(face, whole) for whole in stacks_of(stack))
        yield from (There(face, initial) for initial in initials if stack == BELOW)
        return
    left, stock = left_on(move), tiles_left(state, move)
    if cell in state.stacks:
        yield from (There(face, stack) for face in stock for stack in stacks_of(state.stacks[cell]))
        return
    for other in left:
        if other in state.tiles and left[other] == left[cell]:
            yield There(state.tiles[other], state.stacks.get(other, "").removeprefix(BELOW)[-1:])
    shown = {move.face, *(state.tiles.get(cell) for cell in left)}
    for face in faces_of(stock).values():
        like = [each for each in stock if MINIMUM[each] == MINIMUM[face] and POINTS[each] != POINTS[face]]
        unlike = min(like, key=lambda each: each in shown, default=face)
        yield from (There(face), There(unlike))
        tops = product(range(MOST_ON_A_TILE), range(len(initials)))
        if counted(state):
            yield from (There(each, SOMEBODY * n + initials[top]) for n, top in tops for each in (face, unlike))
        else:
            yield from (There(unlike, SOMEBODY * n + initials[n % 2]) for n in range(MOST_ON_A_TILE))
