"""Villefranche: the possible contents of unknown cells, and of several together.

An unknown cell may have any building that the rules allow there, of either colour, at any stage: a building that stood
against the rules has to be entered. A content is the cell's stack, a letter for each piece
(`rules.villefranche.state.State`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import add
from typing import Final, TypeAlias, cast

from rules.caches import cache
from rules.fillings import Filling
from rules.kernel import Cell
from rules.villefranche.board import BIT, CORNER_NUMBER, ENCLOSURE, INDEX, LAND, NAMES, pair_of
from rules.villefranche.enclosure import SIDE_OF_RAMPART, SIDES
from rules.villefranche.grid import cell_set
from rules.villefranche.moves import BellTower
from rules.villefranche.pieces import DIRECTION, STEP, put, read_table
from rules.villefranche.play import FINISHED_BUILDINGS, finished_count
from rules.villefranche.position import with_pieces_left
from rules.villefranche.state import COLOURS, SUPPLY, PieceName, State, Town
from rules.villefranche.unknowns.gaps import ENCLOSURE_FACT

LONE: Final = ("C", "CP", "Y", "YY", "YYY")
"""The buildings of one cell, in Black's letters: house, shop, noble tower."""
CHURCHES: Final = ("{0}", "{0}{0}", "{0}{0}P")
"""The stages of a church on one of its cells; the bell tower is on one of the two."""
CORNER: Final = ("", "Y", "y", "Yy", "YY", "yy", "YYy", "yyY")
"""The storeys of a corner tower, distinguished by their numbers and their owner."""


def contents(state: State, unknown: int, cell: Cell) -> tuple[object, ...]:
    """The possible contents of a cell, or values of a fact; a brick lies towards another unknown cell only."""
    return tuple(_stacks(state, unknown, INDEX[str(cell)])) if cell in INDEX else (True, False)


def _stacks(state: State, unknown: int, index: int) -> Iterator[str]:
    standing = state.stacks.get(index, "")
    if standing:
        yield from (standing, standing + ("P" if standing.isupper() else "p"))
    elif index in CORNER_NUMBER:
        yield from CORNER
    else:
        yield ""
        built = tuple(_buildings_on(state, unknown, index))
        yield from built
        yield from map(str.lower, built)


def _buildings_on(state: State, unknown: int, index: int) -> Iterator[str]:
    """The possible buildings on a cell of the town or of a side, in Black's letters."""
    wall = bool(BIT[index] & ENCLOSURE)
    if not wall:
        yield from LONE
    for letter, step in STEP.items():
        other = index + step
        if not unknown & (BIT[other] if 0 <= other < len(BIT) else 0) or other in state.stacks:
            continue
        if wall and pair_of(index, other) in SIDE_OF_RAMPART:
            yield letter
        elif not wall and BIT[other] & LAND:
            yield from (form.format(letter) for form in CHURCHES)


Stacks: TypeAlias = "dict[int, str]"
NOBODY: Final = (None, None, None, None)
BRICKS: Final = frozenset("NESWnesw")
KIND: Final[Mapping[str, PieceName]] = {"C": "cube", "P": "pyramid", "Y": "cylinder"}
"""A letter of a stack -> the kind of piece; all others are bricks."""


def fill(state: State, filling: Filling) -> State | None:
    """The state with these stacks and facts; None beyond the supply, with half a brick, or if the game is over."""
    standing = state.stacks.get
    stacks: Stacks = {}
    facts: dict[str, bool] = {}
    for name, there in filling.items():
        index = INDEX.get(str(name))
        if index is None:
            facts[str(name)] = there
        elif there and standing(index) != there:
            stacks[index] = there
    filled = _with_stacks(state, stacks)
    if filled is None:
        return None
    filled = _with_facts(filled, facts)
    return None if _over(filled) and not _over(state) else filled


def _with_facts(state: State, facts: Mapping[str, bool]) -> State:
    """The state with these facts, and with the entered supplies, whatever stands."""
    if not facts and not state.in_hand:
        return state
    towns = state.towns
    for name, some in facts.items():
        if name != ENCLOSURE_FACT:
            _, whose, kind = name.split()
            towns = _with_pieces(towns, whose, cast("PieceName", kind), some=some)
    for colour, piece, some in state.in_hand:
        towns = _with_pieces(towns, colour, piece, some=some)
    return state._replace(enclosed=facts.get(ENCLOSURE_FACT, state.enclosed), towns=towns)


def _with_pieces(towns: tuple[Town, Town], colour: str, piece: PieceName, *, some: bool) -> tuple[Town, Town]:
    black, white = towns
    has_pieces = {piece: some}
    return (
        (with_pieces_left(black, has_pieces), white)
        if colour == COLOURS[0]
        else (black, with_pieces_left(white, has_pieces))
    )


def _over(state: State) -> bool:
    """Whether the game is over: then no placement would be due, contrary to the position."""
    return finished_count(state) >= FINISHED_BUILDINGS or not state.towns[state.player].supply


def _with_stacks(state: State, stacks: Stacks) -> State | None:
    """The state with these stacks on cells that are empty, or that contain halves of bricks."""
    if not _bricks_fit(state, stacks):
        return None
    if not stacks.keys().isdisjoint(state.stacks):
        belled, stacks = _with_bells(state, stacks)
        if _too_many(state, belled.towns):
            return None
        state = belled
    return _with_parts(state, stacks) if stacks else state


def _with_parts(state: State, stacks: Stacks) -> State | None:
    """The state with these stacks on cells that are empty: each is a part, and all bricks together are one."""
    lone = [((index, stack),) for index, stack in stacks.items() if stack[0] not in BRICKS]
    joined = tuple((index, stack) for index, stack in stacks.items() if stack[0] in BRICKS)
    towns, walls, rampart_count, corners = list(state.towns), state.walls, state.rampart_count, state.corners
    for part in [*lone, joined] if joined else lone:
        changed, more_walls, more_laid, more_corners = _added_by(part)
        for number, more in changed:
            towns[number] = Town._make(map(add, towns[number], more))
        if more_corners != NOBODY:
            a1, i1, a9, i9 = (now if new is None else new for now, new in zip(corners, more_corners, strict=True))
            corners = a1, i1, a9, i9
        walls, rampart_count = walls | more_walls, rampart_count + more_laid
    if _too_many(state, towns) or not _sides_fit(state.walls, walls):
        return None
    return state._replace(
        stacks={**state.stacks, **stacks},
        towns=(towns[0], towns[1]),
        taken_cells=state.taken_cells | cell_set(stacks),
        walls=walls,
        rampart_count=rampart_count,
        corners=corners,
    )


def _too_many(state: State, towns: Sequence[Town]) -> bool:
    """Whether more pieces stand than exist, whatever was entered of hands."""
    if not state.in_hand:
        return min(*towns[0][:4], *towns[1][:4]) < 0
    left = left_over(state)
    return any(
        left[colour, kind] + getattr(now, f"{kind}s") - getattr(was, f"{kind}s") < 0
        for colour, was, now in zip(COLOURS, state.towns, towns, strict=True)
        for kind in SUPPLY
    )


def left_over(state: State) -> dict[tuple[str, PieceName], int]:
    """The pieces of each kind that stand nowhere, whatever was entered of hands."""
    found: dict[tuple[str, PieceName], int] = {(colour, kind): n for colour in COLOURS for kind, n in SUPPLY.items()}
    for stack in state.stacks.values():
        for letter in stack:
            if STEP.get(letter.upper(), 1) > 0:
                found[COLOURS[letter.islower()], KIND.get(letter.upper(), "brick")] -= 1
    return found


def _with_bells(state: State, stacks: Stacks) -> tuple[State, Stacks]:
    """The state with bell towers on churches with a known half, and the stacks of the other cells."""
    rest = dict(stacks)
    for index in stacks.keys() & state.stacks.keys():
        white = rest.pop(index)[-1] == "p"
        put_on = put(state._replace(player=int(white)), BellTower(NAMES[index]))
        state = state._replace(stacks=put_on.stacks, towns=put_on.towns)
    return state, rest


@cache(4096)  # a ruling with unknown cells calls it hundreds of times
def _added_by(
    part: tuple[tuple[int, str], ...],
) -> tuple[tuple[tuple[int, Town], ...], int, int, tuple[int | None, ...]]:
    """The changes by some stacks to a table: the changed towns, by number, with the differences."""
    towns, walls, rampart_count, corners = read_table(dict(part))
    more = [(number, _more(town)) for number, town in enumerate(towns)]
    return tuple((number, town) for number, town in more if any(town)), walls, rampart_count, corners


def _more(town: Town) -> Town:
    return Town._make((*(n - m for n, m in zip(town[:4], Town()[:4], strict=True)), *town[4:]))


def _bricks_fit(state: State, stacks: Stacks) -> bool:
    """Whether each church and rampart has both its halves, of the same stage and with at most one bell tower."""
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
