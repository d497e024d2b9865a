"""A worker's memory of tables: the folds it made last, brought up to date from the log.

A table is read from its last known entry inclusive. If that entry is not in the log any more (a store that failed
over lost its tail), what is remembered is wrong, and the table is folded anew.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from datetime import timedelta
from typing import Final

from service.ledger import Gone, Ledger, Missing
from service.table import Table, extend, fold

TABLE_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
"""What an id may look like; nothing else ever becomes a key of the store."""


class NoTable(LookupError):
    """No table of this id."""


class Expired(LookupError):
    """The table is gone: nobody played for its lifetime, or the host deleted it."""


class Shelf:
    """The tables that were used last, at most `keep`. Safe to share between threads.

    Tables are immutable, so two threads may fold the same one; the later one is kept, which is harmless: whoever is
    behind catches up.
    """

    def __init__(self, ledger: Ledger, lifetime: timedelta, keep: int) -> None:
        self._ledger = ledger
        self._lifetime = lifetime
        self._keep = keep
        self._lock = threading.Lock()
        self._tables: OrderedDict[str, Table] = OrderedDict()

    def known(self, table_id: str) -> Table:
        """The table as it is remembered, or else as it is. Raises `NoTable`, `Expired`, `StoreAway`, `Unreadable`."""
        return self._remembered(table_id) or self.fresh(table_id)

    def fresh(self, table_id: str) -> Table:
        """The table as it is. Raises `NoTable`, `Expired`, `StoreAway`, `Unreadable`."""
        if not TABLE_ID.fullmatch(table_id):
            raise NoTable(table_id)
        try:
            table = self._read(table_id, self._remembered(table_id))
        except (Missing, Gone) as error:
            self.drop(table_id)
            raise NoTable(table_id) if isinstance(error, Missing) else Expired(table_id) from None
        self.put(table)
        return table

    def put(self, table: Table) -> None:
        """Remember a table."""
        with self._lock:
            self._tables[table.id] = table
            self._tables.move_to_end(table.id)
            if len(self._tables) > self._keep:
                self._tables.popitem(last=False)

    def drop(self, table_id: str) -> None:
        """Forget a table."""
        with self._lock:
            self._tables.pop(table_id, None)

    def _remembered(self, table_id: str) -> Table | None:
        with self._lock:
            table = self._tables.get(table_id)
            if table is not None:
                self._tables.move_to_end(table_id)
            return table

    def _read(self, table_id: str, known: Table | None) -> Table:
        if known is not None:
            log = self._ledger.read(table_id, known.version)
            if log and log[0] == (known.version, known.tail):
                return extend(known, log[1:])
        return fold(table_id, self._ledger.read(table_id), self._lifetime)
