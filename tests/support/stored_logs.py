"""Logs as earlier releases stored them, answers about their tables, and any value in any place of an entry."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
from hypothesis import strategies as st

from service import schemas
from service.http.serializers import amendments as amendment_serializers
from service.http.serializers import disputes as dispute_serializers
from service.http.serializers import entries, rulings
from service.i18n import sentences
from service.i18n.sentences import words
from service.referee import amendment_report, fold, remedies
from service.tables.table import Table

FOLDER = Path(__file__).parents[1] / "service" / "logs"


def table_of_log(log: list[Any]) -> Any:
    """The table of a log."""
    return fold.fold("A" * 22, list(enumerate(map(orjson.dumps, log), start=1)), timedelta(days=1))


def ways(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every member and item within a value."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in members:
        yield (*way, step)
        yield from ways(inner, (*way, step))


def put(value: Any, way: tuple[Any, ...], other: Any) -> Any:
    """A copy of the value with another one at a path."""
    if not way:
        return other
    changed = value.copy()
    changed[way[0]] = put(value[way[0]], way[1:], other)
    return changed


def answers_of(table: Table, since: int) -> list[Any]:
    """The answers about a table: its last entries, its state, and the decisions on disputes."""
    said, game, state = words("fr", table.game.id), table.game, table.state
    due, lines = rulings.due(table.due, said), [said.line_text(line) for line in game.score(state)]
    disputes = [remedies.view_dispute(table, number) for number, _ in enumerate(table.disputes, start=1)]
    made = [
        each.settlement_number
        for each in table.amendments
        if each.settlement_number is not None and each.last_number <= table.version
    ]
    return [entries.entry(table, entry, said) for entry in table.entries[since - 1 :]] + [
        due,
        lines,
        [dispute_serializers.dispute(each, said) for each in disputes],
        [amendment_serializers.amendment(amendment_report.amendment(table, number), table, said) for number in made],
        (table.undo_to, table.redo_to),
        schemas.plain(game.position(state)),
        sentences.words_with_people("fr", game.id, table.setup).people,
    ]


SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5)
