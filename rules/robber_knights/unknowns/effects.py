"""The fillings of a table of Robber Knights for the effects of a tile.

An effect of the march covers all equal tiles, so each unknown cell of it becomes like each known one, and like none.
Some fillings may have more knights than the supply: an effect that all fillings share is valid without those, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules import effects
from rules.fillings import Filling
from rules.kernel import Cell, Effect
from rules.robber_knights.legality import INITIAL, visible_knights
from rules.robber_knights.moves import KNIGHTS, MAX_ON_A_TILE, Move, Tile
from rules.robber_knights.state import BELOW, SOMEBODY, State
from rules.robber_knights.tiles import LAKES, MINIMUM, POINTS, Face
from rules.robber_knights.unknowns.combinations import (
    fact_combinations,
    fillings,
    first_tile,
    largest_rectangle,
    replace_scarce_faces,
    unique_fillings,
    usual_filling,
)
from rules.robber_knights.unknowns.contents import NO_COUNT, There, contents, faces_of, stacks_of, tiles_left
from rules.robber_knights.unknowns.gaps import TILES_PLACED, Place
from rules.robber_knights.unknowns.scope import knights_left_on, relevant_cells


def effect_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Filling]:
    """The fillings that allow the march, varied cell by cell: the top knight, the number, and the likeness to a tile.

    It starts with two fillings without anything in common, for effects that cover several tiles at once.
    """
    cells = relevant_cells(state, move, unknown)
    return (
        unique_fillings(_of_tile(state, move, cells)) if isinstance(move, Tile) else iter(fillings(state, move, cells))
    )


def is_end_certain(state: State, move: Move, unknown: Sequence[Cell]) -> bool:
    """Whether the move depends on no unknown cell: then the known tiles are all (`RK-30`)."""
    return all(isinstance(cell, str) for cell in relevant_cells(state, move, unknown))


def is_certain(state: State, move: Move, unknown: Sequence[Cell], effect: Effect) -> bool:
    """False for a tie, and for the size of the rectangle if tiles may lie beyond the entered cells.

    Points need known cells only, or no tile left to lie on an unknown one; the end with its winner also needs the
    knights left.
    """
    if effect.facts.code in effects.OF_EVERY_GAME:
        open_facts = [cell for cell in unknown if isinstance(cell, str)]
        if len(open_facts) < len(unknown) and (not isinstance(move, Tile) or tiles_left(state, move).total()):
            return False
        return effect.facts.code == effects.POINTS or all(fact == TILES_PLACED for fact in open_facts)
    return effect.rule != "RK-32" and not (effect.rule == "RK-11" and state.rest)


def _of_tile(state: State, move: Tile, cells: Sequence[Cell]) -> Iterator[Filling]:
    every = {cell: contents(state, move, cell) for cell in cells}
    stock, march = tiles_left(state, move), [cell for cell in knights_left_on(move) if cell in every]
    march_contents = {cell: tuple(dict.fromkeys(_possible_contents(state, move, cell))) for cell in march}
    best: dict[Cell, object] = usual_filling(state, move, {cell: first_tile(there) for cell, there in every.items()})
    others = best | {cell: there[-1] for cell, there in march_contents.items() if there}
    for fact_values in fact_combinations(every):
        more: dict[Cell, object] = {**fact_values, NO_COUNT: True}
        for base in (best, others):
            for filling in ({**base, **more}, *largest_rectangle(state, move, {**base, **more})):
                yield replace_scarce_faces(state, filling, stock)
        ones: Iterator[dict[Cell, object]] = ({cell: there} for cell in march for there in march_contents[cell])
        like = [There(face, top) for face, top, _ in _known_march_tiles(state, move)]
        together: Iterator[dict[Cell, object]] = (
            {c: there for c in march if there in march_contents[c]} for there in like
        )
        yield from (replace_scarce_faces(state, {**best, **more, **some}, stock) for some in (*ones, *together))


def _possible_contents(state: State, move: Tile, cell: Place) -> Iterator[There]:
    """The contents of a cell of the march that effects can distinguish, and on which the march may leave knights."""
    left = knights_left_on(move)
    for there in _contents_to_try(state, move, cell):
        standing = len(there.stack) + max(left[cell], MINIMUM[there.face])
        room = there.face not in LAKES and left[cell] >= MINIMUM[there.face] and standing <= MAX_ON_A_TILE
        if room and (cell in state.stacks or _are_missing(state, there.stack)):
            yield there


def _are_missing(state: State, stack: str) -> bool:
    """Whether the knights that are missing on the table, by the known supplies, can be these."""
    missing = {
        INITIAL[colour]: KNIGHTS - left - visible_knights(state, colour)
        for colour, left in zip(state.colours, state.supply, strict=True)
        if left is not None
    }
    if any(stack.count(initial) > number for initial, number in missing.items()):
        return False
    return len(missing) < len(state.colours) or len(stack) <= sum(missing.values())


def _contents_to_try(state: State, move: Tile, cell: Place) -> Iterator[There]:
    """Contents like a known tile of the march, or like the laid one; then contents like none, of either kind."""
    stacks = stacks_of(state.stacks[cell]) if cell in state.stacks else None
    initials = [INITIAL[colour] for colour in state.colours]
    if cell in state.tiles:
        face, stack = state.tiles[cell], state.stacks[cell]
        yield from (There(face, whole) for whole in stacks or ())
        yield from (There(face, initial) for initial in initials if stack == BELOW)
        return
    faces, stock = _faces(state, move), tiles_left(state, move)
    if stacks is not None:
        yield from (There(face, stack) for face in dict.fromkeys((*faces, *stock)) for stack in stacks)
        return
    left = knights_left_on(move)[cell]
    for face, top, total in _known_march_tiles(state, move):
        yield There(face, top)
        below = total - left - 1
        if 0 <= below < MAX_ON_A_TILE:
            yield from (
                There(like, SOMEBODY * below + who) for like in _faces_as_dear(state, move, face) for who in initials
            )
        elif below == -1:
            yield from (There(like) for like in _faces_as_dear(state, move, face))
    # If several knights may stand there, their colours are unknown: then no effect tells the number left.
    hidden = SOMEBODY * max(MAX_ON_A_TILE - left - 1, 0)
    yield from (There(face, stack) for face in faces for stack in ("", hidden + initials[0], *initials))


def _known_march_tiles(state: State, move: Tile) -> Iterator[tuple[Face, str, int]]:
    """The laid tile and the known ones of its march: the face, the top knight, and the number of knights then."""
    if move.knights is not None:
        yield move.face, "", move.knights.left[0]
    for cell, number in knights_left_on(move).items():
        if cell in state.tiles:
            stack = state.stacks.get(cell, "").removeprefix(BELOW)
            yield state.tiles[cell], stack[-1:], len(stack) + number


def _faces_as_dear(state: State, move: Tile, face: Face) -> list[Face]:
    """The face, or one that needs as many knights, and one of another kind."""
    stock = faces_of(tiles_left(state, move)).values()
    return list(dict.fromkeys(like for like in (face, *stock) if MINIMUM[like] == MINIMUM[face]))[:2]


def _faces(state: State, move: Tile) -> list[Face]:
    """A face of each landscape with other points than the known ones, if there is one."""
    stock, known_faces = tiles_left(state, move), {face for face, _, _ in _known_march_tiles(state, move)}
    found = []
    for face in faces_of(stock).values():
        like = [each for each in stock if MINIMUM[each] == MINIMUM[face] and POINTS[each] != POINTS[face]]
        found += [face, min(like, key=lambda each: each in known_faces, default=face)]
    return found
