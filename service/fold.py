"""The fold that makes a `Table` of its log.

The log is the truth and entries never change. The fold never judges: `apply` trusts what was written down, so a
corrected rule never rewrites a game that was played.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import rules
from rules.forms import Malformed
from service import wire
from service.codec import decode
from service.datatypes import AnyGame, Move, State
from service.entries import AnyEntry, Opened, Played, Rewound
from service.errors import Unreadable
from service.table import Table


def fold(table_id: str, log: Sequence[tuple[int, bytes]], lifetime: timedelta) -> Table:
    """Make a table of its whole log, from entry 1 on. Raises `Unreadable`."""
    first = decode(*log[0])
    if not isinstance(first, Opened):
        raise Unreadable(f"entry 1 is {type(first).__name__}")
    game = rules.GAMES.get(first.game)
    if game is None:
        raise Unreadable(f"no game {first.game!r} here")
    setup = wire.stored_setup(game, first.setup)
    state = game.as_of(game.setup(setup), first.rules_version)
    table = Table(table_id, game, setup, lifetime, first.keys, (first,), (state,), (1,), tail=log[0][1])
    return extend(table, log[1:])


def extend(table: Table, log: Sequence[tuple[int, bytes]]) -> Table:
    """The table after more entries of its log. Raises `Unreadable`."""
    for number, payload in log:
        table = after(table, decode(number, payload), payload)
    return table


def after(table: Table, entry: AnyEntry, payload: bytes, state: State | None = None) -> Table:
    """The table after one more entry. `state` is the state after it, where it is known already."""
    if isinstance(entry, Played):
        if state is None:
            state = table.game.apply(table.state, _move(table.game, entry))
        return _grown(table, entry, payload, state, entry.number, (*table.line, entry.number), ())
    if isinstance(entry, Rewound):
        line = table.line_at(entry.to)
        if line is None:
            raise Unreadable(f"entry {entry.number} goes to {entry.to}")
        tip = line[-1] if line else 1
        ahead = (table.line + table.ahead)[len(line) :]
        return _grown(table, entry, payload, table.states[entry.to - 1], tip, line, ahead)
    raise Unreadable(f"entry {entry.number} opens an open table")


def _move(game: AnyGame, entry: Played) -> Move:
    """The move that was written down. Raises `Unreadable`."""
    try:
        return game.read(entry.notation)
    except Malformed as error:
        raise Unreadable(f"entry {entry.number} is a move of another release") from error


def _grown(
    table: Table, entry: AnyEntry, payload: bytes, state: State, tip: int, line: tuple[int, ...], ahead: tuple[int, ...]
) -> Table:
    return Table(
        table.id,
        table.game,
        table.setup,
        table.lifetime,
        table.keys,
        (*table.entries, entry),
        (*table.states, state),
        (*table.tips, tip),
        line,
        ahead,
        payload,
        table.told,
        table.points,
    )
