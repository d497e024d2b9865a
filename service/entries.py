"""The entries of a table's log.

Every entry has a number (the table's version after it), a time (UTC), and the name of the role whose key made it.
A move stands in the line of play, and so may an entry of another type: `InLine`. Entries to come keep to the same
pattern: amended, checkpoint, renamed, closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple, TypeAlias

from rules.kernel import Finding, Ruling, Seat
from service.datatypes import Json


class Unreadable(Exception):
    """An entry that this version cannot read: a newer worker wrote it, or a game is not installed here."""


class Opened(NamedTuple):
    """The first entry. `keys`: SHA-256 of a key, in hex -> name of its role; never shown."""

    number: int
    at: datetime
    by: str
    game: str
    setup: Mapping[str, Json]
    rules_version: str
    keys: Mapping[str, str]


class Played(NamedTuple):
    """A move, as it was judged then. `stands`: the rules forbade it and the table let it stand.

    `dispute`: the settlement of this dispute played it again.
    """

    number: int
    at: datetime
    by: str
    notation: str
    seat: Seat | None
    ruling: Ruling = Ruling.LEGAL
    stands: bool = False
    findings: tuple[Finding, ...] = ()
    rules_version: str = ""
    dispute: int | None = None


class Rewound(NamedTuple):
    """Back to how the table was at version `to`, or forward again to it.

    `dispute`: the settlement of this dispute went back, or was taken back or put back.
    """

    number: int
    at: datetime
    by: str
    to: int
    dispute: int | None = None


class ReadingsSet(NamedTuple):
    """Other values of some readings from here on, by the host. What was played before is not judged again.

    It stands in the line of play: it is undone and redone as a move is. `dispute`: the settlement of this dispute did
    it again.
    """

    number: int
    at: datetime
    by: str
    readings: Mapping[str, str]
    rules_version: str = ""
    dispute: int | None = None

    @property
    def seat(self) -> None:
        """It is no player's own, so that only the host takes it back."""


class Disputed(NamedTuple):
    """A dispute about a move: that of the entry `entry`, or one that was not played (None); as it was judged then."""

    number: int
    at: datetime
    by: str
    entry: int | None
    notation: str
    question: str
    ruling: Ruling = Ruling.LEGAL
    findings: tuple[Finding, ...] = ()
    rules_version: str = ""

    @property
    def version(self) -> int:
        """The version with the position that the move is judged on."""
        return (self.entry or self.number) - 1


class Confirmed(NamedTuple):
    """A seat agrees to a remedy for a dispute."""

    number: int
    at: datetime
    by: str
    dispute: int
    remedy: str


class Settled(NamedTuple):
    """The host, or all seats (`by`: the last of them), settled a dispute. What that does are entries that follow it."""

    number: int
    at: datetime
    by: str
    dispute: int
    remedy: str
    text: str = ""


InLine: TypeAlias = Played | ReadingsSet
"""An entry in the line of play: it makes a state of the one before it, and is undone and redone."""
AnyEntry: TypeAlias = Opened | InLine | Rewound | Disputed | Confirmed | Settled
