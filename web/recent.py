"""The tables that this browser opened or joined last, in a cookie of its own. Nobody else can see the list."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson
from flask import Response, request

from service.table import TABLE_ID, Table

COOKIE: Final = "recent"
MOST: Final = 6
LONGEST: Final = 40
YEAR: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Recent:
    """A table as it is remembered: its id, its game, who plays, and the day it was opened (ISO 8601)."""

    table: str
    game: str
    names: tuple[str, ...]
    day: str


def remembered() -> tuple[Recent, ...]:
    """The tables in the cookie, the last one first; what cannot be read is passed over."""
    try:
        stored = orjson.loads(base64.urlsafe_b64decode(request.cookies.get(COOKIE, "")))
    except ValueError:
        return ()
    items = stored if isinstance(stored, list) else []
    return tuple(filter(None, map(_read, items[:MOST])))


def _read(item: Any) -> Recent | None:
    match item:
        case {"t": str(table), "g": str(game), "n": [*names], "d": str(day)} if TABLE_ID.fullmatch(table):
            shown = tuple(str(name)[:LONGEST] for name in names[:6])
            return Recent(table, game[:LONGEST], shown, day[:10])
    return None


def remember(response: Response, table: Table, names: Mapping[str, str]) -> Response:
    """Put a table first on the list."""
    now = Recent(table.id, table.game.id, tuple(names.values()), table.opened_at.date().isoformat())
    kept = [now, *(other for other in remembered() if other.table != table.id)][:MOST]
    stored = [{"t": each.table, "g": each.game, "n": list(each.names), "d": each.day} for each in kept]
    return _set(response, base64.urlsafe_b64encode(orjson.dumps(stored)).decode())


def forget(response: Response, table_id: str) -> Response:
    """Take a table off the list."""
    kept = [other for other in remembered() if other.table != table_id]
    stored = [{"t": each.table, "g": each.game, "n": list(each.names), "d": each.day} for each in kept]
    return _set(response, base64.urlsafe_b64encode(orjson.dumps(stored)).decode())


def _set(response: Response, value: str) -> Response:
    response.set_cookie(COOKIE, value, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure)
    return response
