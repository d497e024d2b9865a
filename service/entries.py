"""The entries of a table's log.

Every entry has a number (the table's version after it), a time (UTC), and the name of the role whose key made it.
Entries to come keep to the same pattern: amended, checkpoint, disputed, settled, renamed, closed.
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
    """A move, as it was judged then. `stands`: the rules forbade it and the table let it stand."""

    number: int
    at: datetime
    by: str
    notation: str
    seat: Seat | None
    ruling: Ruling = Ruling.LEGAL
    stands: bool = False
    findings: tuple[Finding, ...] = ()
    rules_version: str = ""


class Rewound(NamedTuple):
    """Back to how the table was at version `to`, or forward again to it."""

    number: int
    at: datetime
    by: str
    to: int


AnyEntry: TypeAlias = Opened | Played | Rewound
