"""The keys of a table as JSON, for its host: everything but the secrets."""

from __future__ import annotations

from service.http.serializers.rulings import player_of_role
from service.referee.access import NewCode
from service.referee.join_codes import shown_code
from service.tables.keys import HOST, WATCH, TableKey
from service.tables.table import Table
from service.types import Json, JsonObject


def key_list(table: Table, key: str) -> JsonObject:
    """Serialize the keys of a table: those of the host, the seats, and the watchers."""
    order = [HOST, *table.game.seats_of(table.state), WATCH]
    by_role = sorted(table.keys.values(), key=lambda each: (order.index(each.role), each.number))
    lines: list[Json] = [line(each, table.known_key(key)) for each in by_role]
    return {"keys": lines, "version": table.version}


def join_code(made: NewCode, role: str) -> JsonObject:
    """Serialize a new join code."""
    return {"code": shown_code(made.code), "role": role, "player": player_of_role(role), "until": made.until}


def line(known: TableKey, own: TableKey | None) -> JsonObject:
    """Serialize a key. `own` is the key of the request."""
    return {
        "key": known.number,
        "role": known.role,
        "player": player_of_role(known.role),
        "label": known.label or None,
        "since": known.since,
        "until": known.until,
        "parent": known.parent,
        "revoked": known.is_revoked,
        "own": own is not None and own.number == known.number,
    }
