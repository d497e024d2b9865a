"""The fold that makes a `Table` of its log.

The log is the truth and entries never change. The fold never judges: `apply` trusts what was written down, so a
corrected rule never rewrites a game that was played.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache

import rules
from rules.steps import spend
from service import wire
from service.budget import APPLIED
from service.codec import decode
from service.datatypes import AnyGame, State
from service.entries import AnyEntry, Opened, Played, Rewound, Unreadable
from service.history import History
from service.table import Table


def fold(table_id: str, log: Sequence[tuple[int, bytes]], lifetime: timedelta) -> Table:
    """Make a table of its whole log, from entry 1 on. Raises `Unreadable`."""
    first = decode(*log[0])
    if not isinstance(first, Opened):
        raise Unreadable(f"entry 1 is {type(first).__name__}")
    game = rules.GAMES.get(first.game)
    if game is None:
        raise Unreadable(f"no game {first.game!r} here")
    _not_newer(game, first)
    setup = wire.stored_setup(game, first.setup)
    state = game.as_of(game.setup(setup), first.rules_version)
    history = History.begun(game, first, log[0][1], state)
    return extend(Table(table_id, setup, lifetime, first.keys, history), log[1:])


def extend(table: Table, log: Sequence[tuple[int, bytes]]) -> Table:
    """The table after more entries of its log. Raises `Unreadable`."""
    for number, payload in log:
        spend(APPLIED)
        table = after(table, decode(number, payload), payload)
    return table


def after(table: Table, entry: AnyEntry, payload: bytes, state: State | None = None) -> Table:
    """The table after one more entry. `state` is the state after it, where it is known already. Raises `Unreadable`."""
    if isinstance(entry, Played):
        _not_newer(table.game, entry)
        path = table.path[: table.cut] + array("I", [entry.number])
        return replace(table, history=table.history.played(entry, payload, state), path=path, cut=len(path))
    if isinstance(entry, Rewound):
        cut = table.cut_at(entry.to)
        if cut is None:
            raise Unreadable(f"entry {entry.number} goes to {entry.to}")
        return replace(table, history=table.history.rewound(entry, payload), cut=cut)
    raise Unreadable(f"entry {entry.number} opens an open table")


def _not_newer(game: AnyGame, entry: Opened | Played) -> None:
    """An entry by newer rules may mean what these do not know. Raises `Unreadable`."""
    if entry.rules_version == game.rules_version or not entry.rules_version:
        return
    try:
        known = _numbers(entry.rules_version) < _numbers(game.rules_version)
    except ValueError:
        known = False
    if not known:
        raise Unreadable(f"entry {entry.number} is by the rules {entry.rules_version!r}")


@lru_cache(maxsize=100)
def _numbers(version: str) -> tuple[int, ...]:
    """A version of rules, to be compared. Raises `ValueError`."""
    return tuple(map(int, version.split(".")))
