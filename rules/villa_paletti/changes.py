"""Villa Paletti: compares a table with an earlier one. Columns move up, or leave the game for good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from typing import Final

from rules.kernel import Changes, Fact, Facts, Finding, Piece, Value
from rules.villa_paletti.columns import COLOURS, RED_FLOOR, SUPPLY, Colour, Count, Group, Shape
from rules.villa_paletti.legal_moves import CANDIDATES, collapses
from rules.villa_paletti.moves import Crash, End, Move
from rules.villa_paletti.state import State, name_of
from rules.villa_paletti.villa import cell_of, level_cell

NONE: Final = Count(0, 0)


def pieces(state: State) -> Mapping[Piece, int]:
    """The columns in the villa, the locked ones, those out of the game, the floors, and the seal."""
    found: Counter[Piece] = Counter()
    for group, (n, locked) in state.columns.items():
        column = (("colour", group.colour), ("shape", group.shape))
        cells, floor = (cell_of(state, group),), f"floor {group.level}"
        found[Piece("column", column, cells, floor)] += n
        found[Piece("lock", column, cells, floor)] += locked
    for (colour, shape), n in state.out.items():
        found[Piece("out", (("colour", colour), ("shape", shape)))] += n
    for level in range(1, state.top + 1):
        found[Piece("floor", (("floor", f"floor {level}"),), (level_cell(level),))] += 1
    if state.holder is not None:
        found[Piece("seal", (("colour", name_of(state, state.holder)),))] += 1
    return +found


# --- objections --------------------------------------------------------------------------------------------------


def objections(before: State, after: State) -> Iterator[Finding]:
    """A missing floor (`VP-15`), a column that came back (`VP-34`), moved down (`VP-10`), or was locked (`VP-11`)."""
    if after.top < before.top:
        yield Finding("VP-15", Facts("gone", {"n": before.top, "now": after.top}, (Fact((level_cell(before.top),)),)))
    for colour in COLOURS:
        for shape in SUPPLY:
            yield from _columns(before, after, colour, shape)
    if before.holder is not None and after.holder is None:
        yield Finding("VP-32", Facts("gone", {"colour": name_of(before, before.holder)}))


def _columns(before: State, after: State, colour: Colour, shape: Shape) -> Iterator[Finding]:
    """The columns of a kind: no column comes back, moves down, or stops below the earlier top level."""
    kind: tuple[Colour, Shape] = (colour, shape)
    left = after.out.get(kind, 0) - before.out.get(kind, 0)
    names: dict[str, Value] = {"colour": colour, "shape": shape}
    if left < 0:
        yield Finding("VP-34", Facts("back", {**names, "n": -left}))
        return
    higher = left
    for level in range(RED_FLOOR, -1, -1):
        group = Group(colour, shape, level)
        was, now = before.columns.get(group, NONE), after.columns.get(group, NONE)
        cells = (Fact((cell_of(before, group),)),)
        higher += now.n - was.n
        if higher < 0 or (level < before.top and now.n > was.n):
            yield Finding("VP-10", Facts("down", {**names, "floor": f"floor {level}"}, cells))
            return
        if now.locked + left < was.locked:
            yield Finding("VP-11", Facts("unlocked", {**names, "floor": f"floor {level}"}, cells))
            return


# --- a way -------------------------------------------------------------------------------------------------------


def towards(state: State, target: State) -> Iterator[Move]:
    """All candidate moves; those that end the game only if the target has ended.

    An end only records whose attempt it was, so one collapse by each player's hand represents those at objections and
    challenges; the list itself has the others (`VP-16`).
    """
    for form, listed in CANDIDATES.items():
        if target.ended is not None or form not in (Crash, End):
            yield from listed(state)
    if target.ended is not None and target.ended.asker is not None:
        yield from collapses(state)


def least(state: State, target: State) -> int:
    """A move for each column that moves up, and for each floor or column that leaves the game."""
    columns_out = sum(target.out.values()) - sum(state.out.values())
    up = -columns_out
    for group, count in state.columns.items():
        up += max(count.n - target.columns.get(group, NONE).n, 0)
    return max(max(up, 0) + max(columns_out, target.top - state.top), 1)


def key(state: State) -> Hashable:
    """All columns, and the turn."""
    standing = frozenset(state.columns.items()), frozenset(state.out.items())
    return *standing, state.top, state.player, state.own, state.asked, state.holder, state.previous, state.ended


CHANGES: Changes[State, Move] = Changes(
    pieces=pieces, objections=objections, towards=towards, every_way=True, least=least, key=key
)
