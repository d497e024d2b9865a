"""The use cases. The JSON views and the pages call these same methods, in the same process.

Domain objects in and out: no JSON, no words, no HTTP. What the rules alone can answer is in `service.rulings`; here
are the tables. Every method that names a table takes the caller's key and raises the exceptions below.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import rules
from rules.kernel import Cell, Due, Ruling, Seat, Verdict
from service import rulings, table
from service.ledger import Appended, Conflict, Gone, KeyReused, Ledger, Missing, StoreAway
from service.rulings import AnyGame, Choices, Judgement, Refused, Sheet, Try
from service.table import HOST, WATCH, AnyEntry, Opened, Played, Rewound, Role, Table

TABLE_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
MOST_ENTRIES: Final = 5_000


class NoGame(LookupError):
    """No game of this id."""


class NoTable(LookupError):
    """No table of this id."""


class Expired(LookupError):
    """The table is gone: nobody played for its lifetime, or the host deleted it."""


class Unauthorised(PermissionError):
    """No key was given."""


class Forbidden(PermissionError):
    """The key is not this table's (`reason` ``key``), only watches (``watch``), is another seat's (``seat``, and
    `seat` is whose move it is), or the host's key is needed (``host``)."""

    def __init__(self, reason: str, seat: Seat | None = None) -> None:
        super().__init__(reason, seat)
        self.reason = reason
        self.seat = seat


class Stale(Exception):
    """The table has moved on from the version that was named. `missing` are the entries since then."""

    def __init__(self, now: Table, version: int) -> None:
        super().__init__(now.id, version, now.version)
        self.table = now
        self.missing: tuple[AnyEntry, ...] = now.entries[max(version, 0) :]


class Unreachable(Exception):
    """One cannot rewind there: other moves have been played since, or there is no such version."""

    def __init__(self, now: Table, to: int) -> None:
        super().__init__(now.id, to)
        self.table = now
        self.to = to


class Full(Exception):
    """The log has as many entries as a table may have."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a new table, shown once: the log keeps only their hashes."""

    host: str
    seats: Mapping[Seat, str]
    watch: str


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table that was just opened, and its keys."""

    table: Table
    keys: Keys


@dataclass(frozen=True, slots=True)
class Done:
    """What was written: the entries, and the state and what is due after them.

    `replayed`: the same key had written them before, and nothing was written now. `refused`: the first of several
    moves that was refused, after others that were kept.
    """

    table: Table
    entries: tuple[AnyEntry, ...]
    state: Any
    due: Due
    replayed: bool = False
    refused: Refused | None = None

    @property
    def version(self) -> int:
        """The table's version after these entries."""
        return self.entries[-1].number


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log, oldest first; `next` is the number to go on after, or None at the end."""

    table: Table
    entries: tuple[AnyEntry, ...]
    next: int | None


class Referee:
    """The use cases, on one ledger. Safe to share between threads."""

    def __init__(self, ledger: Ledger, *, now: Callable[[], datetime] = lambda: datetime.now(UTC), keep: int = 1000) -> None: ...

    # --- tables: looking ---

    def known(self, table_id: str, key: str | None) -> tuple[Table, Role]:
        """The table as this worker knows it, perhaps not the newest, and what the key allows. For reading a request:
        the game of a table never changes."""
        raise NotImplementedError

    def table(self, table_id: str, key: str | None) -> tuple[Table, Role]:
        """The table now, and what the key allows.

        Raises `NoTable`, `Expired`, `Unauthorised`, `Forbidden`, `StoreAway`.
        """
        raise NotImplementedError

    def wait(self, table_id: str, key: str | None, after: int, seconds: float) -> tuple[Table, Role]:
        """The table as soon as it has an entry after `after`, or as it is when the time is over."""
        raise NotImplementedError

    def log(self, table_id: str, key: str | None, after: int = 0, limit: int = 100) -> LogPage:
        """A page of the log, undone moves too."""
        raise NotImplementedError

    def judge(self, table_id: str, key: str | None, move: Any) -> Judgement:
        """Rule on a move at the table without playing it."""
        raise NotImplementedError

    def legal_moves(self, table_id: str, key: str | None, kind: str | None = None, at: Cell | None = None) -> Choices:
        """The legal moves at the table."""
        raise NotImplementedError

    def score(self, table_id: str, key: str | None) -> Sheet:
        """The score sheet of the table."""
        raise NotImplementedError

    # --- tables: doing ---

    def open(self, game_id: str, setup: Any, moves: Sequence[Try] = ()) -> NewTable:
        """Open a table (`setup` is of the game's `setup_form`), with moves played already where given.

        Raises `NoGame`, `Refused` (nothing is opened then), `rules.kernel.Malformed`, `StoreAway`.
        """
        raise NotImplementedError

    def play(
        self,
        table_id: str,
        key: str | None,
        moves: Sequence[Try],
        *,
        version: int,
        idempotency_key: str | None = None,
    ) -> Done:
        """Play moves on top of `version`, up to the first that is refused.

        Raises `Refused` where nothing was played, `Stale`, `Forbidden`, `KeyReused`, `Full`, and what `table` raises.
        """
        raise NotImplementedError

    def rewind(
        self, table_id: str, key: str | None, to: int, *, version: int, idempotency_key: str | None = None
    ) -> Done:
        """Undo back to version `to`, or redo forward to it while nothing new was played.

        A seat may take back, and put back, only moves of its own.
        Raises `Unreachable`, `Stale`, `Forbidden`, `KeyReused`, `Full`, and what `table` raises.
        """
        raise NotImplementedError

    def delete(self, table_id: str, key: str | None) -> None:
        """Delete the table. Host only."""
        raise NotImplementedError

    def ready(self) -> bool:
        """Whether the store answers."""
        raise NotImplementedError
