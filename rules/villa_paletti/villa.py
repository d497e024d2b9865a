"""Villa Paletti: the columns in the villa, those that may be moved, and the results of moving them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from rules.styled_name import StyledName
from rules.villa_paletti.columns import NEUTRAL, RED_FLOOR, Colour, Count, Group, Shape
from rules.villa_paletti.state import State

ORANGE_FLOOR = 4
"""The reading `two_from_orange` counts from this floor on."""


# --- the columns -------------------------------------------------------------------------------------------------


def cell_of(state: State, group: Group) -> str:
    """A group as a cell: by its colour, or as neutral."""
    colour = NEUTRAL if group.colour == state.neutral else group.colour
    return f"{colour} {group.shape} {group.level}"


def colour_words(state: State, colour: Colour) -> Colour:
    """The colour of a column in sentences: the neutral one is nobody's."""
    return cast("Colour", StyledName(colour, "neutral", {})) if colour == state.neutral else colour


def level_cell(level: int) -> str:
    """A level as a cell."""
    return f"level {level}"


def out_cell(colour: Colour, shape: Shape) -> str:
    """The columns of a kind that are out of the game, as the name of an unknown fact."""
    return f"out {colour} {shape}"


def on_level(columns: Mapping[Group, Count], level: int, colour: Colour | None = None) -> int:
    """The number of columns on a level, or only those of a given colour."""
    return sum(
        count.n
        for group, count in columns.items()
        if group.level == level and (colour is None or group.colour == colour)
    )


def is_locked(state: State, group: Group, starred: bool) -> bool | None:
    """Whether the column that a move names is locked; None where there is no such column.

    Without the star it is one that is not locked, if there is one.
    """
    count = state.columns.get(group)
    if count is None or (starred and not count.locked):
        return None
    return starred or count.locked == count.n


# --- the movable columns -----------------------------------------------------------------------------------------


def obstacle(state: State, group: Group, starred: bool) -> str:
    """Why a column may not be moved up, as a code: ``none``, ``free``, ``top``, ``locked``; or empty."""
    locked = is_locked(state, group, starred)
    if locked is None:
        return "free" if group in state.columns else "none"
    if group.level >= state.top:
        return "top"
    return "locked" if locked else ""


def movable(state: State, colours: tuple[Colour, ...]) -> list[Group]:
    """The groups of these colours with a column to move up, from the bottom up."""
    found = [
        group
        for group, count in state.columns.items()
        if group.colour in colours and group.level < state.top and count.locked < count.n
    ]
    return sorted(found, key=lambda group: (group.level, group))


def own_columns(state: State, player: int) -> list[Group]:
    """The groups with a column that the player may move (`VP-10`)."""
    return movable(state, state.players[player])


def objection_groups(state: State) -> list[Group]:
    """The groups with a column to object with (`VP-13`, reading `objection_column`)."""
    if state.readings["objection_column"] == "askers":
        return own_columns(state, state.player)
    return [
        *movable(state, tuple(colour for colours in state.players for colour in colours)),
        *spare_neutral_groups(state),
    ]


def spare_neutral_groups(state: State) -> list[Group]:
    """The neutral groups with a column to give: at least one stays on each level (`VP-20`)."""
    if state.neutral is None:
        return []
    groups = movable(state, (state.neutral,))
    return [group for group in groups if on_level(state.columns, group.level, state.neutral) > 1]


def supports(state: State) -> int:
    """The minimum number of columns that carry the next floor (reading `supports`)."""
    relaxed = state.readings["supports"] == "two_from_orange" and state.top + 1 >= ORANGE_FLOOR
    return 2 if relaxed else 3


def has_floor_left(state: State) -> bool:
    """Whether there is a floor to request (`VP-12`)."""
    return state.top < RED_FLOOR


def nobody_can_build(state: State) -> bool:
    """`VP-17`: no column may be moved by anybody, and no floor can be laid."""
    if has_floor_left(state) and on_level(state.columns, state.top) >= supports(state):
        return False
    return not any(own_columns(state, player) for player in range(len(state.players))) and not spare_neutral_groups(
        state
    )


# --- the results of a move ---------------------------------------------------------------------------------------


def _change_count(columns: dict[Group, Count], group: Group, n: int, locked: int) -> None:
    """Add numbers of columns and locked ones to a group."""
    count = columns.pop(group, Count(0, 0))
    if count.n + n:
        columns[group] = Count(count.n + n, count.locked + locked)


def without_column(columns: Mapping[Group, Count], group: Group, *, locked: bool) -> dict[Group, Count]:
    """The groups without one column."""
    changed = dict(columns)
    _change_count(changed, group, -1, -locked)
    return changed


def move_to_top(state: State, group: Group, *, locked: bool) -> State:
    """A column moves to the top level, and its lock moves with it."""
    columns = without_column(state.columns, group, locked=locked)
    _change_count(columns, Group(group.colour, group.shape, state.top), 1, locked)
    return state._replace(columns=columns)


def remove_column(state: State, group: Group, *, locked: bool) -> State:
    """A column leaves the game."""
    kind: tuple[Colour, Shape] = (group.colour, group.shape)
    out = {**state.out, kind: state.out.get(kind, 0) + 1}
    return state._replace(columns=without_column(state.columns, group, locked=locked), out=out)


def lock_column(state: State, group: Group, *, locked: bool) -> State:
    """A column is locked for the rest of the game (`VP-11`); nothing changes where it is already."""
    if locked:
        return state
    columns = dict(state.columns)
    _change_count(columns, group, 0, 1)
    return state._replace(columns=columns)
