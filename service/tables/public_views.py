"""The public views of a table: ids that only read, and what each of them shows.

A view's id is the table's id, a dot and a secret. The log stores the hash of the secret, which is derived from the key
of the host who made the view. So the same host can always pass the id on.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from service.tables.entries import (
    INSERT,
    Amended,
    AnyEntry,
    Confirmed,
    Disputed,
    InLine,
    LogChange,
    Renamed,
    Rewound,
    Settled,
    Unlisted,
    ViewMade,
)
from service.tables.keys import ID_LENGTH, derive_id, hash_of
from service.tables.players import names_of, setup_at, with_names

if TYPE_CHECKING:
    from service.tables.table import Table
    from service.types import Setup

VIEW_ID: Final = re.compile(rf"([A-Za-z0-9_-]{{{ID_LENGTH}}})\.([A-Za-z0-9_-]{{{ID_LENGTH}}})")
"""The form of a view's id: the table's id, and the secret."""
MAX_VIEWS: Final = 20
"""The most valid views of a table."""


class PublicView(NamedTuple):
    """A view of a table: its number there, from 1, and the entry that made it."""

    number: int
    entry: ViewMade
    is_revoked: bool = False

    def secret(self, table_id: str, key: str) -> str | None:
        """The secret of the view's id, for the host's key that made it; None for any other key."""
        secret = secret_of(table_id, self.number, key)
        return secret if self.has(secret) else None

    def has(self, secret: str) -> bool:
        """Whether a secret is that of the view's id."""
        return hmac.compare_digest(self.entry.hash, hash_of(secret))


def secret_of(table_id: str, number: int, key: str) -> str:
    """The secret of a view, derived from the host's key, which it does not reveal: 128 bits."""
    return derive_id("view", table_id, str(number), key)


def id_of(table_id: str, secret: str) -> str:
    """The id of a view."""
    return f"{table_id}.{secret}"


# --- what a view shows -------------------------------------------------------------------------------------------


def shown_table(table: Table, view: PublicView) -> Table:
    """The table, without the names of the players unless the view names them."""
    if view.entry.names:
        return table
    return replace(table, setup=with_names(table.setup, dict.fromkeys(names_of(table.setup), "")))


def shown_setup(table: Table, view: PublicView, version: int) -> Setup:
    """The setup with the names at a version, or none, so that the drawing of a version never changes."""
    return setup_at(table, version) if view.entry.names else table.setup


def shown_entry(table: Table, view: PublicView | None, entry: AnyEntry) -> AnyEntry | None:
    """An entry as a view shows it, or (None) as a key's owner may read it; None if it is omitted there."""
    if view is None:
        return None if isinstance(entry, Unlisted) else entry
    return _shown_words(view, entry) if shows(table, view, entry) else None


def shows(table: Table, view: PublicView, entry: AnyEntry) -> bool:
    """Whether a view shows an entry: it and the entries that it refers to are after the view's start."""
    if isinstance(entry, Unlisted) or (isinstance(entry, Renamed) and not view.entry.names):
        return False
    return _earliest(table, entry) > view.entry.since


def shows_version(table: Table, view: PublicView, version: int) -> bool:
    """Whether a view shows the board of a version: not inside a decision that reaches back before the view's start."""
    since = view.entry.since
    if not max(since, 1) <= version <= table.version:
        return False
    entry = table.entries[version - 1]
    if version == since or shows(table, view, entry) or not isinstance(entry, InLine | Rewound | Amended):
        return True
    return any(version == each.last_number for each in table.decisions)


def _earliest(table: Table, entry: AnyEntry) -> int:
    """The number of the first entry that an entry refers to, or else its own."""
    amended = table.amendment_of(entry.number)
    if amended is not None:
        return _changed_number(table.amendment_entry(amended).change)
    match entry:
        case Disputed(entry=int(number)):
            return number
        case Confirmed(change=LogChange() as change):
            return _changed_number(change)
        case Confirmed() | Settled():
            return _disputed_number(table, entry.dispute or 0)
    dispute = getattr(entry, "dispute", None)
    return entry.number if dispute is None else _disputed_number(table, dispute)


def _disputed_number(table: Table, dispute: int) -> int:
    about = table.dispute_entry(dispute)
    return about.number if about.entry is None else about.entry


def _changed_number(change: LogChange) -> int:
    """The first entry that a change replaces, removes or adds."""
    return change.entry + (change.do == INSERT)


def _shown_words(view: PublicView, entry: AnyEntry) -> AnyEntry:
    """An entry without the players' own texts, unless the view names the players."""
    if isinstance(entry, Disputed) and not view.entry.names:
        return entry._replace(question="")
    return entry._replace(text="") if isinstance(entry, Settled) and not view.entry.names else entry
