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
from service.disputes import REMEDIES, Dispute
from service.entries import (
    AnyEntry,
    Confirmed,
    Disputed,
    InLine,
    Opened,
    Played,
    ReadingsSet,
    Rewound,
    Settled,
    Unreadable,
)
from service.history import History
from service.line import NOT_MADE
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
    match entry:
        case Played() | ReadingsSet():
            return _played(table, entry, payload, state)
        case Rewound():
            return _rewound(table, entry, payload)
        case Disputed() | Confirmed() | Settled():
            return replace(table, history=table.history.noted(entry, payload), disputes=_argued(table, entry))
    raise Unreadable(f"entry {entry.number} opens an open table")


def _played(table: Table, entry: InLine, payload: bytes, state: State | None) -> Table:
    """The table after one more entry in the line of play; what was undone is none of it any more."""
    _not_newer(table.game, entry)
    path = table.path[: table.cut] + array("I", [entry.number])
    others = table.others if isinstance(entry, Played) else table.others + array("I", [entry.number])
    history = table.history.played(entry, payload, state)
    return _done(replace(table, history=history, path=path, cut=len(path), others=others), entry, entry.dispute)


# --- disputes ------------------------------------------------------------------------------------------------------


def _rewound(table: Table, entry: Rewound, payload: bytes) -> Table:
    """The table after it went to another version: by undoing or redoing, or by what a settlement does."""
    crossed = table.crossed(entry.to)
    history = table.history.rewound(entry, payload) if table.reaches(entry.to) else None
    if history is None:
        raise Unreadable(f"entry {entry.number} goes to {entry.to}")
    if crossed is not None:
        path = history.line_to(history.tips[-1])
        disputes = _changed(table, crossed, table.disputes[crossed - 1].after_crossing())
        return replace(table, history=history, path=path, cut=len(path), disputes=disputes)
    cut = table.cut_at(entry.to) or 0
    if entry.dispute is None:
        return replace(table, history=history, cut=cut)
    # what a settlement has decided away is not put back move by move
    return _done(replace(table, history=history, path=table.path[:cut], cut=cut), entry, entry.dispute)


def _done(table: Table, entry: InLine | Rewound, dispute: int | None) -> Table:
    """The table after an entry by which a dispute's settlement is done, if it is one."""
    if dispute is None:
        return table
    known = _known(table, entry, dispute)
    return replace(table, disputes=_changed(table, dispute, known.after_effect(entry.number)))


def _argued(table: Table, entry: Disputed | Confirmed | Settled) -> tuple[Dispute, ...]:
    """The disputes of a table after one more entry about them. Raises `Unreadable`."""
    if isinstance(entry, Disputed):
        _not_newer(table.game, entry)
        _readable(table, entry)
        return (*table.disputes, Dispute(entry.number))
    known = _known(table, entry, entry.dispute)
    if entry.remedy not in REMEDIES:
        raise Unreadable(f"entry {entry.number} is the remedy {entry.remedy!r}")
    if isinstance(entry, Settled):
        return _changed(table, entry.dispute, known.after_settling(entry.number))
    return _changed(table, entry.dispute, replace(known, confirmed={**known.confirmed, entry.by: entry.number}))


def _known(table: Table, entry: AnyEntry, dispute: int) -> Dispute:
    """The dispute that an entry names. Raises `Unreadable`."""
    if not 1 <= dispute <= len(table.disputes):
        raise Unreadable(f"entry {entry.number} names a dispute {dispute}")
    return table.disputes[dispute - 1]


def _changed(table: Table, dispute: int, now: Dispute) -> tuple[Dispute, ...]:
    """The disputes of a table, one of them as it is now."""
    return (*table.disputes[: dispute - 1], now, *table.disputes[dispute:])


def _readable(table: Table, entry: Disputed) -> None:
    """A dispute is about a move that can be read, of an entry before it if of one. Raises `Unreadable`."""
    try:
        if entry.entry is not None:
            table.played(entry.entry)
        table.game.read(entry.notation)
    except NOT_MADE as error:
        raise Unreadable(f"entry {entry.number} is about a move of another release") from error


def _not_newer(game: AnyGame, entry: Opened | InLine | Disputed) -> None:
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
