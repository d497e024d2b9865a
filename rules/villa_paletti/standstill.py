"""Villa Paletti: whether nobody may be able to build after this turn and the next one (`VP-17`).

The search tries the moves that leave the fewest columns. Of moves that leave equally many it tries one: a locked column
leaves no more than one that moves up, and it does not matter which of a player's columns it is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from rules.defaults import passes
from rules.villa_paletti.book import BOOK
from rules.villa_paletti.columns import Colour, Group
from rules.villa_paletti.legal_moves import others
from rules.villa_paletti.moves import Abort, Challenge, Done, Floor, Move, Neutral, NeutralAbort, Objection, Taken
from rules.villa_paletti.play import apply, phase
from rules.villa_paletti.state import State, player_of
from rules.villa_paletti.villa import (
    has_floor_left,
    nobody_can_build,
    objection_groups,
    on_level,
    own_columns,
    spare_neutral_groups,
    supports,
)

TURNS = 2
"""This turn and the next one."""
NEUTRAL_PART = 3
"""The maximum loss of movable columns by a neutral part and the own column after it."""


def buildable(state: State) -> int:
    """The maximum number of columns that can still be moved up or locked before the next floor.

    All except neutral ones that stand alone on their level, since these stay (`VP-20`).
    """
    return sum(
        count.n - count.locked
        for group, count in state.columns.items()
        if group.level < state.top
        and (group.colour != state.neutral or on_level(state.columns, group.level, state.neutral) > 1)
    )


def may_come_soon(state: State) -> bool:
    """Whether nobody may be able to build after this turn and the next one, or earlier."""
    return _may_come(state, TURNS, set())


def _may_come(state: State, turns: int, dead_ends: set[Hashable]) -> bool:
    """The same for a number of turns; `dead_ends`: the tables from which it is impossible."""
    table_key = (frozenset(state.columns.items()), state.top, state.player, state.own, state.asked, turns)
    if table_key in dead_ends or not _within_reach(state, turns):
        return False
    for move in _legal_moves_to_try(state):
        after = apply(state, move)
        if nobody_can_build(after):
            return True
        left = turns - (not after.own and not after.asked)
        if left and _may_come(after, left, dead_ends):
            return True
    dead_ends.add(table_key)
    return False


def _within_reach(state: State, turns: int) -> bool:
    """Whether few enough columns are left for it; else nothing has to be tried."""
    n, whole = buildable(state), _of_a_turn(state)
    if not has_floor_left(state):
        return n <= (1 if state.own else whole) + (turns - 1) * whole
    here, least = on_level(state.columns, state.top), supports(state)
    most = (1 if state.own else whole) + (turns - 1) * whole
    may_lay_floor = turns > 1 and here >= least and n + here <= most
    return may_lay_floor or n + max(here - least + 1, 0) <= most


def _of_a_turn(state: State) -> int:
    """The maximum loss of columns to build with by one turn.

    An own column is one. In a neutral part one is locked, another one moves up, and the last one of its level stays
    (`VP-20`, `VP-21`). An objection is one, beside the move after it; or one that is locked, and one that is taken
    (`VP-13`, `VP-14`).
    """
    moved = NEUTRAL_PART if spare_neutral_groups(state) else 1
    if not has_floor_left(state):
        return moved
    readings = state.readings
    worked = 1 + moved if readings["after_objection"] == "asker_moves" else 1
    failed = 2 if readings["failed_column"] == "locked" else 1
    return max(moved, worked, failed)


# --- the moves to try -------------------------------------------------------------------------------------------


def _legal_moves_to_try(state: State) -> Iterator[Move]:
    """The legal ones of these moves."""
    row = phase(state)
    return (move for move in _moves_to_try(state) if passes(BOOK[row, type(move)], state, move))


def _moves_to_try(state: State) -> Iterator[Move]:
    for group in own_columns(state, state.player)[:1]:
        yield Abort(*group)
    if state.own:
        yield Done()
        return
    if state.neutral is not None:
        yield from _neutral_part(state)
    if has_floor_left(state) and not state.asked:
        yield from _floors(state)


def _neutral_part(state: State) -> Iterator[Move]:
    """Neutral columns that go up or are locked, and both at once."""
    groups, by = spare_neutral_groups(state), others(state)[0]
    on_levels = {group.level: group for group in groups}
    for group in on_levels.values():
        column = group.shape, group.level
        yield Neutral(*column)
        yield NeutralAbort(*column)
        beside = next((other for other in groups if other.level == group.level and other != group), group)
        for challenged_by in {**on_levels, group.level: beside}.values():
            for result in ("ok", "fail"):
                yield NeutralAbort(*column, challenge=Challenge(by, challenged_by.shape, challenged_by.level, result))


def _floors(state: State) -> Iterator[Move]:
    """A floor given up or laid, at once or after an objection that failed; and objections that worked."""
    yield Floor(laid=False)
    yield Floor()
    for group in _one_of_each(state, objection_groups(state)):
        yield Floor(objection=Objection(others(state)[0], *group, "ok"))
        for by in others(state):
            for taken in _losses(state, by):
                failed = Objection(by, *group, "fail", taken=taken)
                yield Floor(laid=False, objection=failed)
                yield Floor(objection=failed)


def _one_of_each(state: State, groups: Iterable[Group]) -> list[Group]:
    """One of each player's columns, and a neutral one of each level."""
    return list({_group_key(state, group): group for group in groups}.values())


def _group_key(state: State, group: Group) -> tuple[int | None, int]:
    player = player_of(state, group.colour)
    return player, group.level if player is None else 0


def _losses(state: State, by: Colour) -> Iterator[Taken | None]:
    """Nothing, a movable column of an objector, and one that carries the next floor."""
    yield None
    player = player_of(state, by) or 0
    top = [group for group in state.columns if group.colour in state.players[player] and group.level == state.top]
    for group in (*own_columns(state, player)[:1], *top[:1]):
        yield Taken(*group)
