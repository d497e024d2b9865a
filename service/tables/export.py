"""The export of a table: its log as JSON, with no key in it and no hash of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from rules.forms import plain
from service.tables import codec
from service.tables.entries import Amended, AnyEntry, Confirmed, Disputed, LogChange, Opened, Rewound, Unlisted
from service.tables.table import Table
from service.types import JsonObject

FORMAT: Final = 1
"""The number of this format; a later, incompatible format has another."""
MARK: Final = "imported"
"""The member that marks an exported entry as imported from another export."""


def export(table: Table, version: int | None = None) -> JsonObject:
    """A table as JSON: its whole log, or only the opening and the entries that were in play at a version.

    The latter are renumbered, and name no dispute, so that play can continue at another table. Entries about access
    are omitted.
    """
    entries: Iterable[AnyEntry] = _listed_entries(table) if table.has_unlisted else table.entries
    if version is not None:
        line = map(table.line_entry, table.history.line_to(table.tips[version - 1]))
        entries = (_opening_with_names(table), *(each._replace(dispute=None) for each in line))
    return {"format": FORMAT, "game": table.game.id, "entries": [_entry_json(table, each) for each in entries]}


def _listed_entries(table: Table) -> Iterator[AnyEntry]:
    """All entries except those about access, so that the later ones are renumbered."""
    counts = list(accumulate((not isinstance(entry, Unlisted) for entry in table.entries), initial=0))
    for entry in table.entries:
        if not isinstance(entry, Unlisted):
            yield _renumber(entry, counts)


def _renumber(entry: AnyEntry, new: Sequence[int]) -> AnyEntry:
    """An entry with new numbers for the entries and versions that it names; it keeps its own number."""
    match entry:
        case Rewound(to=to):
            return entry._replace(to=new[to])
        case Disputed(entry=int(number)):
            return entry._replace(entry=new[number])
        case Confirmed(change=LogChange() as change):
            return entry._replace(change=change._replace(entry=new[change.entry]))
        case Amended(to=to, change=change, line=line, changed=changed):
            renewed = entry._replace(to=new[to], change=change._replace(entry=new[change.entry]))
            return renewed._replace(
                line=tuple(new[each] for each in line), changed=tuple(new[each] for each in changed)
            )
    return entry


def _opening_with_names(table: Table) -> AnyEntry:
    """The opening with the players' names of today, since the entries that changed them are not exported."""
    opening = table.entries[0]
    return opening._replace(setup=plain(table.setup)) if isinstance(opening, Opened) else opening


def _entry_json(table: Table, entry: AnyEntry) -> JsonObject:
    """An entry as the log stores it, without keys; its number is its place."""
    mark: JsonObject = {MARK: True} if table.is_imported(entry.number) else {}
    if isinstance(entry, Opened):
        entry = entry._replace(imported=None, imported_at=None)
    stored = {name: value for name, value in codec.stored_json(entry).items() if name != "keys"}
    return stored | mark
