"""Lists the possible moves with a column of Villa Paletti: moved, tried in vain, or the villa fell with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.kernel import Cell
from rules.villa_paletti import GAME
from rules.villa_paletti.columns import Count, Group
from rules.villa_paletti.moves import Abort, Column, Move, Neutral, NeutralAbort
from rules.villa_paletti.play import phase
from rules.villa_paletti.state import State
from web.game_pages import Option
from web.games.villa_paletti.scenery import PLACE


def group_of(state: State, cell: Cell | None) -> Group | None:
    """The group that a cell names, whether a column stands there or not."""
    parts = str(cell).split()
    if len(parts) != 3 or not parts[2].isdecimal():
        return None
    column_colour = state.neutral if parts[0] == "n" else parts[0]
    place = (column_colour, parts[1])
    return next(
        (Group(colour, shape, int(parts[2])) for colour, shape in PLACE if (colour, shape) == place),
        None,
    )


def options(state: State, cell: Cell) -> Sequence[Option[Move]]:
    """The moves with a column: it was moved, tried in vain, or the villa fell with it."""
    group = group_of(state, cell)
    count = state.columns.get(group) if group else None
    if group is None or count is None or GAME.due(state).ended:
        return ()
    neutral = group.colour == state.neutral
    found = [*_group_options(group, neutral=neutral, locked=False)]
    if 0 < count.locked < count.n:
        found += [
            Option(f"{o.kind}_locked", o.moves, usual=False)
            for o in _group_options(group, neutral=neutral, locked=True)
        ]
    due = {"neutral": True, "own": False}.get(phase(state))
    mine = neutral if due else group.colour in state.players[state.player]
    return [Option(option.kind, option.moves, usual=option.usual and mine) for option in found]


def attempts(state: State, cell: Cell) -> Sequence[Option[Move]]:
    """Moves with a missing column, or with any after the end. For a level, its columns that are due: those that may go
    up, or else all, to show why none may.
    """
    group, level = group_of(state, cell), str(cell).rpartition(" ")[2]
    if group is not None:
        return (Option(Column.kind, (Column(*group),), usual=False),)
    neutral = phase(state) == "neutral"
    colours = (state.neutral,) if neutral else state.players[state.player]
    there = [Group(*place, int(level)) for place in PLACE if level.isdecimal()]
    due = [group for group in there if group in state.columns and group.colour in colours]
    moves = tuple(Neutral(group.shape, group.level) if neutral else Column(*group) for group in due)
    legal = tuple(move for move in moves if GAME.check(state, move).legal)
    return (Option(moves[0].kind, legal or moves, usual=False),) if moves else ()


def guesses(state: State, cell: Cell) -> Sequence[Option[Move]]:
    """The moves with a column at a place where any column is unknown."""
    group = group_of(state, cell)
    there = {} if group is None or group in state.columns else {group: Count(1, 0)}
    return options(state._replace(columns={**state.columns, **there}), cell)


def _group_options(group: Group, *, neutral: bool, locked: bool) -> Iterator[Option[Move]]:
    up: Move
    attempt: Move
    if neutral:
        up = Neutral(group.shape, group.level, locked)
        attempt = NeutralAbort(group.shape, group.level, locked)
        fell: tuple[Move, ...] = (Neutral(group.shape, group.level, locked, crash=True),)
    else:
        up = Column(*group, locked)
        attempt = Abort(*group, locked)
        fell = (Column(*group, locked, crash=True),)
    yield Option(up.kind, (up,))
    yield Option(attempt.kind, (attempt,))
    yield Option("fell", fell, usual=False)  # seldom, and the end of the game
