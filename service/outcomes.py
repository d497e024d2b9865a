"""What comes of a use case: what it answers, and why it may refuse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rules.kernel import Due, Seat
from service.rulings import Refused
from service.table import AnyEntry, Table


class NoGame(LookupError):
    """No game of this id."""


class Unauthorised(Exception):
    """No key was given."""


class Forbidden(Exception):
    """The key does not allow this.

    `reason`: ``watch`` it only watches; ``seat`` it is `seat`'s move; ``moves`` some of the moves to take or put back
    are another seat's; ``over`` the game is over and no seat has a move; ``nobody`` it is nobody's turn, and only
    the host lets a move stand then; ``host`` it needs the host's key.
    """

    def __init__(self, table: Table, reason: str, seat: Seat | None = None) -> None:
        super().__init__(table.id, reason, seat)
        self.table = table
        self.reason = reason
        self.seat = seat


class Stale(Exception):
    """The table is not at the version that was named. `missing` are the entries since then."""

    def __init__(self, table: Table, version: int) -> None:
        super().__init__(table.id, version, table.version)
        self.table = table
        self.version = version
        self.missing: tuple[AnyEntry, ...] = table.entries[version:] if version > 0 else ()


class Unreachable(Exception):
    """One cannot rewind there: other moves have been played since, or there is no such version."""

    def __init__(self, table: Table, to: int) -> None:
        super().__init__(table.id, to)
        self.table = table
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


class Done(NamedTuple):
    """What was written: the entries, and the state and what is due after them.

    `replayed`: the same key had written them before, and nothing was written now. `refused`: the first of several
    moves that was refused, after others that were kept.
    """

    table: Table
    entries: tuple[AnyEntry, ...]
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
