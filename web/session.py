"""What a browser keeps in its cookies: the keys of a table, and the tables it opened or joined last.

A table's cookie goes to that table's addresses only and no script can read it. It holds the key that this browser acts
with, first, and for the browser that opened the table the keys that it can hand on. Nothing of it is trusted: the
referee knows a key by its hash. Nobody else can see the list of tables. The chosen language has a cookie of its own,
in `web.language`.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson
from flask import Response, request

from service.table import TABLE_ID, Table

KEYS: Final = "keys"
KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
ROLE: Final = re.compile(r"[a-z_]{1,20}")
MOST_KEYS: Final = 10
RECENT: Final = "recent"
MOST_TABLES: Final = 6
LONGEST: Final = 40
YEAR: Final = 365 * 24 * 3600
QUARTER: Final = 90 * 24 * 3600


def set_cookie(response: Response, name: str, value: str, *, path: str = "/", max_age: int = YEAR) -> Response:
    """Keep a value that no script can read, for this site only. `max_age` is in seconds."""
    response.set_cookie(
        name, value, max_age=max_age, path=path, httponly=True, samesite="Lax", secure=request.is_secure
    )
    return response


# --- the keys of a table -----------------------------------------------------------------------------------------


def keys() -> dict[str, str]:
    """The keys that this browser holds for the table, by role; the one that it acts with comes first."""
    held = {}
    for item in request.cookies.get(KEYS, "").split(":")[:MOST_KEYS]:
        role, _, key = item.partition(".")
        if ROLE.fullmatch(role) and KEY.fullmatch(key):
            held[role] = key
    return held


def key() -> str | None:
    """The key that this browser acts with, if it holds one."""
    return next(iter(keys().values()), None)


def key_of(text: str) -> str | None:
    """The key in what somebody pasted: the key itself, or a link that ends with one."""
    last = text.strip().rpartition("#")[2]
    return last if KEY.fullmatch(last) else None


def keep(response: Response, path: str, held: Mapping[str, str]) -> Response:
    """Give a browser keys of a table; `path` is the table's address."""
    value = ":".join(f"{role}.{key}" for role, key in held.items())
    return set_cookie(response, KEYS, value, path=path, max_age=QUARTER)


# --- the tables of this browser ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RecentTable:
    """A table as it is remembered: its id, its game, who plays, and the day it was opened (ISO 8601)."""

    table: str
    game: str
    names: tuple[str, ...]
    day: str


def recent_tables() -> tuple[RecentTable, ...]:
    """The tables in the cookie, the last one first; what cannot be read is passed over."""
    try:
        stored = orjson.loads(base64.urlsafe_b64decode(request.cookies.get(RECENT, "")))
    except ValueError:
        return ()
    items = stored if isinstance(stored, list) else []
    return tuple(filter(None, map(_read, items[:MOST_TABLES])))


def _read(item: Any) -> RecentTable | None:
    match item:
        case {"t": str(table), "g": str(game), "n": [*names], "d": str(day)} if TABLE_ID.fullmatch(table):
            shown = tuple(str(name)[:LONGEST] for name in names[:6])
            return RecentTable(table, game[:LONGEST], shown, day[:10])
    return None


def remember(response: Response, table: Table, names: Mapping[str, str]) -> Response:
    """Put a table first on the list."""
    now = RecentTable(table.id, table.game.id, tuple(names.values()), table.opened_at.date().isoformat())
    return _store(response, [now, *_others(table.id)][:MOST_TABLES])


def forget(response: Response, table_id: str) -> Response:
    """Take a table off the list."""
    return _store(response, _others(table_id))


def _others(table_id: str) -> list[RecentTable]:
    return [other for other in recent_tables() if other.table != table_id]


def _store(response: Response, tables: Iterable[RecentTable]) -> Response:
    stored = [{"t": each.table, "g": each.game, "n": list(each.names), "d": each.day} for each in tables]
    return set_cookie(response, RECENT, base64.urlsafe_b64encode(orjson.dumps(stored)).decode())
