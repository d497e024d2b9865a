"""The export of a table: its log as JSON, with no key in it and no hash of one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rules.forms import plain
from service.tables import codec
from service.tables.entries import AnyEntry, Opened
from service.tables.table import Table
from service.types import JsonObject

FORMAT: Final = 1
"""The number of this form: a later one, which cannot be read as this, has another."""
MARK: Final = "imported"
"""The member of an exported entry that says that it came with another export."""


def export(table: Table, version: int | None = None) -> JsonObject:
    """A table as JSON: its whole log, or only the opening and the entries that were in play at a version.

    Those are numbered anew, and name no dispute: play can go on from there at another table.
    """
    entries: Iterable[AnyEntry] = table.entries
    if version is not None:
        line = map(table.line_entry, table.history.line_to(table.tips[version - 1]))
        entries = (_opening_with_names(table), *(each._replace(dispute=None) for each in line))
    return {"format": FORMAT, "game": table.game.id, "entries": [_entry_json(table, each) for each in entries]}


def _opening_with_names(table: Table) -> AnyEntry:
    """The opening, as if the players had had their names of today: what gave them these does not come along."""
    opening = table.entries[0]
    return opening._replace(setup=plain(table.setup)) if isinstance(opening, Opened) else opening


def _entry_json(table: Table, entry: AnyEntry) -> JsonObject:
    """An entry as the log stores it, without keys; its number is its place."""
    mark: JsonObject = {MARK: True} if table.is_imported(entry.number) else {}
    if isinstance(entry, Opened):
        entry = entry._replace(imported=None, imported_at=None)
    stored = {name: value for name, value in codec.stored_json(entry).items() if name != "keys"}
    return stored | mark
