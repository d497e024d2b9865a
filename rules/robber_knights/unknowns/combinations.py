"""The fillings of a table of Robber Knights that represent all.

A rule that a move breaks at one cell of its march is broken whatever lies at the others. So these are varied one at a
time, unless the supplies link them; the cells beside the tile and far away are combined where rules need them together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import comb

from rules.fillings import MAX_TRIED, Filling, TooMany
from rules.kernel import Cell
from rules.robber_knights.moves import Move, Tile
from rules.robber_knights.position import rectangle
from rules.robber_knights.state import BELOW, State
from rules.robber_knights.tiles import MINIMUM, Face
from rules.robber_knights.unknowns.contents import Contents, There, contents, faces_of, has_known_total, tiles_left
from rules.robber_knights.unknowns.gaps import Place
from rules.robber_knights.unknowns.scope import (
    cells_beside,
    cells_far_away,
    cells_outside,
    cells_too_far,
    is_outside,
    is_unclear,
    knights_left_on,
)


def fillings(state: State, move: Move, cells: Sequence[Cell]) -> Iterator[Filling]:
    """Every combination beside the tile and at its cell; the march varied cell by cell; and what is far away."""
    every = {cell: contents(state, move, cell) for cell in cells}
    if isinstance(move, Tile):
        if is_unclear(state, move):
            raise TooMany
        yield from unique_fillings(_march_ways(state, move, every))
    else:
        yield from (dict(zip(every, each, strict=True)) for each in product(*every.values()))


def _march_ways(state: State, move: Tile, every: Contents) -> Iterator[Filling]:
    """Every combination of the cells that rules need together; on the march, one cell at a time."""
    stock, best = tiles_left(state, move), {cell: first_tile(there) for cell, there in every.items()}
    for fact_values in fact_combinations(every):
        for filling in _around_march(state, move, {**best, **fact_values}, every):
            yield replace_scarce_faces(state, filling, stock)


def unique_fillings(ways: Iterable[Filling]) -> Iterator[Filling]:
    """Each filling once."""
    keys: set[frozenset[tuple[Cell, object]]] = set()
    for filling in ways:
        key = frozenset(filling.items())
        if key not in keys:
            keys.add(key)
            yield filling


def first_tile(there: tuple[There | int | None, ...]) -> There | int | None:
    """The content that lets most moves pass: the first tile, which needs the fewest knights and has the fewest."""
    return next((each for each in there if each is not None), None)


def fact_combinations(every: Contents) -> Iterator[Filling]:
    """Every combination of the facts."""
    names: list[Cell] = [cell for cell in every if isinstance(cell, str)]
    yield from (dict(zip(names, each, strict=True)) for each in product(*[every[cell] for cell in names]))


def _around_march(state: State, move: Tile, best: Filling, every: Contents) -> Iterator[Filling]:
    """The fillings beside the tile, at its cell and far away; for some of these, those of the march.

    Raises `TooMany` at its end if there are too many cells far away to try two of them at a time.
    """
    beside = [cell for cell in cells_beside(state, move) if cell in best]
    usual = usual_filling(state, move, best)
    away = cells_far_away(state, move)
    too_many = 2 ** len(beside) * comb(len(away) + 1, 2) > MAX_TRIED
    far: list[Filling] = [] if too_many else [{cell: best[cell] for cell in some} for some in _one_or_two(away)]
    far += [{move.cell: best[move.cell]}] if move.cell in best else []
    for number in range(len(beside) + 1):
        for none in combinations(beside, number):
            base: dict[Cell, object] = {**usual, **dict.fromkeys(none)}
            yield base
            yield from ({**base, **more} for more in far)
            yield from _ways_too_far(state, move, base)
            if number in (0, len(beside) - 1):
                yield from _on_march(state, move, base, every)
    yield from ({**usual, move.cell: there} for there in every.get(move.cell, ()))
    yield from largest_rectangle(state, move, usual)
    if too_many:
        raise TooMany


def usual_filling(state: State, move: Tile, best: Filling) -> dict[Cell, object]:
    """Nothing at the tile's cell and far away, and the best elsewhere."""
    own = [move.cell] if move.cell in best else []
    return {**best, **dict.fromkeys([*own, *cells_far_away(state, move), *cells_too_far(state, move)])}


def largest_rectangle(state: State, move: Tile, usual: Filling) -> Iterator[Filling]:
    """The filling with the largest possible rectangle, even if that is too large."""
    outside, faces = cells_outside(state, move), list(faces_of(tiles_left(state, move)).values())
    if outside and faces:
        yield {**usual, **dict.fromkeys(_outermost(outside), There(faces[0], BELOW))}


def _one_or_two(far: Sequence[Place]) -> Iterator[tuple[Place, ...]]:
    """One or two of the cells far away: two are enough to make a rectangle too wide or too high."""
    yield from ((cell,) for cell in far)
    yield from combinations(far, 2)


def _outermost(cells: Sequence[Place]) -> set[Place]:
    """The cells farthest to each side."""
    return {end(cells, key=lambda cell: cell[axis]) for end in (min, max) for axis in (0, 1)}


def _on_march(state: State, move: Tile, base: Filling, every: Contents) -> Iterator[Filling]:
    """One cell of the march at a time, or all if supplies link them; and all without a tile if possible."""
    march = [cell for cell in knights_left_on(move) if base.get(cell) is not None]
    if has_known_total(state):
        yield from _ways_by_numbers(march, base, every)
        return
    for cell in march:
        yield from ({**base, cell: there} for there in every[cell] if there != base[cell])
    bare = [cell for cell in march if cell not in state.tiles]
    if len(bare) > 1:
        yield {**base, **dict.fromkeys(bare)}


def _ways_too_far(state: State, move: Tile, base: Filling) -> Iterator[Filling]:
    """One cell that is too far from the tile, and one in each corner, which makes the rectangle largest (`RK-11`).

    With a tile that far away, others may be impossible on the march, so each is tried without these, too.
    """
    if not state.rest or not is_outside(state, move):
        return
    left, bottom, right, top = rectangle(state.rest)
    corners = [cell for cell in product((left, right), (bottom, top)) if cell in state.rest]
    bare = [cell for cell in knights_left_on(move) if cell in state.unknown_cells - state.stacks.keys()]
    faces = list(faces_of(tiles_left(state, move)).values())[:1]
    ways: tuple[dict[Cell, object], ...] = ({**base}, {**base, **dict.fromkeys(bare)})
    for way in ways:
        yield way
        for cell in dict.fromkeys([*cells_too_far(state, move), *corners]):
            yield from ({**way, cell: There(face, BELOW)} for face in faces)


def _ways_by_numbers(march: Sequence[Place], base: Filling, every: Contents) -> Iterator[Filling]:
    """One cell of the march at a time, with every number of knights on the others: together they have those missing."""
    usual: dict[Place, list[There | int | None]] = {}
    for cell in march:
        face = next((there.face for there in every[cell] if isinstance(there, There)), None)
        usual[cell] = [there for there in every[cell] if isinstance(there, There) and there.face == face]
    for cell in march:
        rest = {other: numbers for other, numbers in usual.items() if other != cell}
        for some in product(*rest.values()):
            others = dict(zip(rest, some, strict=True))
            yield from ({**base, **others, cell: there} for there in every[cell])


def replace_scarce_faces(state: State, filling: Mapping[Cell, object], stock: Counter[Face]) -> Filling:
    """The filling with other faces, of the same landscape if possible, for tiles with too few copies.

    A tile of the starting layout keeps its face, even if its knights are unknown.
    """
    tiles = {cell: there for cell, there in filling.items() if isinstance(there, There) and cell not in state.tiles}
    if all(number <= stock[face] for face, number in Counter(there.face for there in tiles.values()).items()):
        return filling
    left, found = stock.copy(), dict(filling)
    for cell, there in tiles.items():
        like = sorted(+left, key=lambda face: (face != there.face, MINIMUM[face] != MINIMUM[there.face]))
        if like:
            found[cell] = There(like[0], there.stack)
            left[like[0]] -= 1
    return found
