"""Villefranche: unknown cells filled with what can stand there together.

A content is the cell's stack, a letter a piece (`rules.villefranche.state.State`); `BLOCK` is any building, where only
that matters.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeAlias, cast

from rules.unknowns import Filling
from rules.villefranche.board import INDEX
from rules.villefranche.enclosure import SIDES
from rules.villefranche.grid import cell_set
from rules.villefranche.pieces import DIRECTION, STEP, read_table
from rules.villefranche.play import FINISHED_BUILDINGS, finished
from rules.villefranche.position import having
from rules.villefranche.state import COLOURS, PieceName, State, Town

Stacks: TypeAlias = "dict[int, str]"
BLOCK: Final = "#"
ENCLOSED: Final = "enclosed"
IN_HAND: Final = "in_hand"
NOBODY: Final = (None, None, None, None)
BRICKS: Final = frozenset("NESWnesw")


def fill(state: State, filling: Filling) -> State | None:
    """The state with these stacks and facts; None beyond the supply, with half a brick, or where the game is over."""
    standing = state.stacks.get
    stacks = {
        index: stack
        for name, stack in filling.items()
        if name in INDEX and stack not in ("", BLOCK) and standing(index := INDEX[str(name)]) != stack
    }
    blocks = cell_set(INDEX[str(name)] for name, stack in filling.items() if stack == BLOCK)
    filled = _stacked(state, stacks)
    if filled is None:
        return None
    enclosed = filling.get(ENCLOSED, filled.enclosed)
    towns = filled.towns
    for name, some in filling.items():
        if str(name).startswith(IN_HAND):
            _, whose, kind = str(name).split()
            towns = _having(towns, whose, cast("PieceName", kind), some=some)
    for colour, piece, some in filled.in_hand:
        towns = _having(towns, colour, piece, some=some)
    if blocks or enclosed != filled.enclosed or towns is not filled.towns:
        filled = filled._replace(taken=filled.taken | blocks, enclosed=enclosed, towns=towns)
    return None if _over(filled) and not _over(state) else filled


def _having(towns: tuple[Town, Town], colour: str, piece: PieceName, *, some: bool) -> tuple[Town, Town]:
    black, white = towns
    told = {piece: some}
    return (having(black, told), white) if colour == COLOURS[0] else (black, having(white, told))


def _over(state: State) -> bool:
    """Whether the game is over: then no placement would be due, as the position says."""
    return finished(state) >= FINISHED_BUILDINGS or not state.towns[state.player].supply


def _stacked(state: State, stacks: Stacks) -> State | None:
    """The state with these stacks on cells that are empty, or have the halves of bricks."""
    if not _bricks_fit(state, stacks):
        return None
    if not stacks.keys().isdisjoint(state.stacks):
        return _read(state, {**state.stacks, **stacks})
    if not stacks:
        return state
    lone = [((index, stack),) for index, stack in stacks.items() if stack[0] not in BRICKS]
    joined = tuple((index, stack) for index, stack in stacks.items() if stack[0] in BRICKS)
    more = [_of(part) for part in ([*lone, joined] if joined else lone)]
    black, white = state.towns
    # The sums of all differences at once: a third of a ruling on six unknown cells quicker than one by one.
    towns = (
        Town._make(map(sum, zip(black, *(each[0][0] for each in more), strict=True))),
        Town._make(map(sum, zip(white, *(each[0][1] for each in more), strict=True))),
    )
    walls, laid, corners = state.walls, state.laid, state.corners
    for _, more_walls, more_laid, more_corners in more:
        walls |= more_walls
        laid += more_laid
        if more_corners != NOBODY:
            a1, i1, a9, i9 = (now if new is None else new for now, new in zip(corners, more_corners, strict=True))
            corners = a1, i1, a9, i9
    if _too_many(state, towns) or not _sides_fit(state.walls, walls):
        return None
    return state._replace(
        stacks={**state.stacks, **stacks},
        towns=towns,
        taken=state.taken | cell_set(stacks),
        walls=walls,
        laid=laid,
        corners=corners,
    )


def _too_many(state: State, towns: tuple[Town, Town]) -> bool:
    """Whether more pieces stand than there are. Where it was entered that none is left, nobody has counted them."""
    if min(*towns[0][:4], *towns[1][:4]) >= 0:
        return False
    told = {(colour, f"{piece}s") for colour, piece, some in state.in_hand if not some}
    return any(
        getattr(town, kind) < 0 and (colour, kind) not in told
        for colour, town in zip(COLOURS, towns, strict=True)
        for kind in ("bricks", "cubes", "pyramids", "cylinders")
    )


def _read(state: State, stacks: Mapping[int, str]) -> State | None:
    """The state of other stacks, read anew."""
    towns, walls, laid, corners = read_table(stacks)
    if _too_many(state, towns) or not _sides_fit(state.walls, walls):
        return None
    return state._replace(stacks=stacks, towns=towns, taken=cell_set(stacks), walls=walls, laid=laid, corners=corners)


@lru_cache(maxsize=4096)
def _of(part: tuple[tuple[int, str], ...]) -> tuple[tuple[Town, Town], int, int, tuple[int | None, ...]]:
    """What some stacks add to a table: of each town the differences."""
    (black, white), walls, laid, corners = read_table(dict(part))
    return (_more(black), _more(white)), walls, laid, corners


def _more(town: Town) -> Town:
    return Town._make((*(n - m for n, m in zip(town[:4], Town()[:4], strict=True)), *town[4:]))


def _bricks_fit(state: State, stacks: Stacks) -> bool:
    """Whether each church and rampart has both its halves, of one stage and with one bell tower at most."""
    for index, stack in stacks.items():
        step = STEP.get(stack[0].upper())
        if step is None:
            continue
        other = stacks.get(index + step) or state.stacks.get(index + step, "")
        bricks, there = stack.rstrip("Pp"), other.rstrip("Pp")
        back = DIRECTION[-step]
        if there != (back if stack[0].isupper() else back.lower()) * len(bricks):
            return False
        if stack != bricks and other != there:
            return False
    return True


def _sides_fit(before: int, walls: int) -> bool:
    """Whether each side that has new ramparts can still be finished (`VF-11`), unless it could not before."""
    if before == walls:
        return True
    return all(walls & side.mask in side.gates or before & side.mask not in side.gates for side in SIDES)
