"""The tables of a worker: reads them from their logs, caches them, and writes once for each request.

A table is read from its last cached entry on, including that entry. If the log no longer has the entry, a failover of
Redis has lost it. The cached table is then wrong, and the table is folded again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from threading import Event, Lock
from typing import Final, NamedTuple

from rules.kernel import Due
from rules.steps import allow_all, beside
from service.errors import Conflict, Expired, NoTable, Refused, Stale, StoreAway
from service.limits.lanes import leave as leave_lane
from service.referee.fold import extend, fold
from service.referee.plans import Plan
from service.referee.watcher import END, Watcher
from service.runtime.memory import WeightedCache
from service.runtime.metrics import CONFLICT, REPEAT, WRITE, count_write
from service.storage.ledger import Ledger
from service.tables.entries import AnyEntry, Unlisted
from service.tables.keys import LastVisit, mark_of, secret
from service.tables.table import TABLE_ID, Table

NEVER: Final = -1
"""A version that no log has: an append on top of it only checks whether a key was used."""
_log: Final = logging.getLogger(__name__)


class ChangeRequest(NamedTuple):
    """A request to change a table: the table's key, the version to change, and the idempotency key to repeat it.

    The use cases set `fingerprint` to its content: two requests with one idempotency key must have the same.
    """

    table_id: str
    key: str | None
    version: int
    idempotency_key: str | None = None
    fingerprint: str = ""


class WriteOutcome(NamedTuple):
    """The outcome of a write: the entries, a table that has them, and what is due after them.

    `is_replay`: an earlier request with the same key wrote them, and this one wrote nothing. `refusal`: the first
    refused move of several; the moves before it are stored.
    """

    table: Table
    entries: tuple[AnyEntry, ...]
    due: Due
    is_replay: bool = False
    refusal: Refused | None = None

    @property
    def version(self) -> int:
        """The table's version after these entries; without any, its version now."""
        return self.entries[-1].number if self.entries else self.table.version


class TableStore:
    """The tables on a ledger. It caches the latest ones, in `cache` bytes. Safe to share between threads.

    `lifetime` is how long the ledger stores a log after its last entry, once it is used. Tables are immutable, so two
    threads may continue from the same one. The cache then stores the later one, which is harmless: the other thread
    reads the missing entries again. One thread folds a whole log, and the others wait for it. `watcher` wakes clients
    that wait for new entries. Every method may raise `StoreAway`, and those that return a table also `NoTable`,
    `Expired` and `Unreadable`.
    """

    def __init__(self, ledger: Ledger, lifetime: timedelta, cache: int, watcher: Watcher | None = None) -> None:
        self._ledger = ledger
        self._lifetime = lifetime
        self._tables: WeightedCache[str, Table] = WeightedCache(cache, name=f"{__name__}.TableStore")
        self._lock = Lock()
        self._folds: dict[str, Event] = {}
        self._watcher = watcher or Watcher(ledger.versions)

    @property
    def cached_bytes(self) -> int:
        """The weight of the cached tables."""
        return self._tables.weight

    # --- reading ---

    def cached_table(self, table_id: str) -> Table | None:
        """The table in the cache, if it is there."""
        return self._tables.get(table_id)

    def cached_or_current_table(self, table_id: str) -> Table:
        """The table in the cache, or else the current one."""
        return self.cached_table(table_id) or self.current_table(table_id)

    def current_table(self, table_id: str) -> Table:
        """The current table; reads the entries that the cache lacks from its log."""
        if not TABLE_ID.fullmatch(table_id):
            raise NoTable(table_id)
        try:
            return self._read(table_id, self.cached_table(table_id))
        except (NoTable, Expired):
            self._tables.forget(table_id)
            raise

    def changed_tables(self, visits: Mapping[str, LastVisit]) -> frozenset[str]:
        """The tables that have changed since these visits, without folding their logs. Raises only `StoreAway`."""
        now = self._ledger.entries_since({table_id: each.version for table_id, each in visits.items()})
        marks = {table_id: [mark_of(entry) for entry in entries] for table_id, entries in now.items()}
        return frozenset(table_id for table_id in marks if marks[table_id] != [visits[table_id].mark])

    def require_version(self, table: Table, version: int) -> Table:
        """The table, if it is at a version, or if only entries about access follow that version. Raises `Stale`."""
        if table.version != version:
            table = self.current_table(table.id)
        since = table.entries[version:] if 0 < version <= table.version else None
        if since is None or not all(isinstance(entry, Unlisted) for entry in since):
            raise Stale(table, version)
        return table

    def wait(self, table_id: str, after: int, seconds: float) -> bool:
        """Whether an entry follows `after`, or the table ends, within `seconds` and before the worker ends."""
        return self._watcher.wait(table_id, after, seconds)

    def note_use(self, table: Table) -> Table:
        """Record the first use of a table, so that Redis stores it longer. Returns the table.

        If Redis cannot record it now, this returns the table unchanged.
        """
        if not table.is_unused:
            return table
        try:
            since = self._ledger.note_use(table.id)
        except StoreAway as away:
            _log.warning("It could not be noted that a table is in use: %s", away)
            return table
        if since is None:
            return table
        table = replace(table, used_at=since)
        self._put_in_cache(table)
        return table

    def require_ready(self) -> None:
        """Raise `StoreAway` if Redis is known to accept no moves."""
        if found := self._ledger.hindrance():
            raise StoreAway(found.name)

    # --- writing ---

    def write(self, request: ChangeRequest, plan: Plan) -> WriteOutcome:
        """Write a plan on top of the request's version, once.

        A used idempotency key writes nothing, and gets its original outcome. An empty plan writes nothing, either, and
        does not use up the key. Raises `Stale`, `KeyReused`.
        """
        if not plan.entries:
            return WriteOutcome(plan.table, (), plan.table.due)
        key = request.idempotency_key or secret()
        allow_all()  # no limit of steps from here on: what may be written must get its response
        try:
            base = plan.entries[0].number - 1
            append_result = self._ledger.append(request.table_id, base, key, plan.payloads, request.fingerprint)
        except Conflict:
            count_write(CONFLICT)
            raise Stale(self.current_table(request.table_id), request.version) from None
        except (NoTable, Expired):
            self._tables.forget(request.table_id)
            raise
        count_write(REPEAT if append_result.is_replay else WRITE)
        if append_result.is_replay:
            return self._replay(request.table_id, append_result.first, append_result.last)
        self._put_in_cache(plan.table)
        self._watcher.announce(request.table_id, plan.table.version)
        return WriteOutcome(plan.table, plan.entries, plan.table.due, refusal=plan.refusal)

    def previous_outcome(self, request: ChangeRequest) -> WriteOutcome | None:
        """The original outcome of a request that was carried out before; else None. Raises `KeyReused`."""
        if request.idempotency_key is None:
            return None
        try:
            append_result = self._ledger.append(
                request.table_id, NEVER, request.idempotency_key, (b"{}",), request.fingerprint
            )
        except (Conflict, NoTable, Expired):
            return None
        allow_all()
        return self._replay(request.table_id, append_result.first, append_result.last)

    def delete(self, table_id: str) -> None:
        """Delete the table's log. Raises `NoTable`."""
        self._tables.forget(table_id)
        allow_all()
        self._ledger.delete(table_id)
        self._watcher.announce(table_id, END)

    # --- inside ---

    def _replay(self, table_id: str, first: int, last: int) -> WriteOutcome:
        table = self.cached_or_current_table(table_id)
        if table.version < last:
            table = self.current_table(table_id)
        return WriteOutcome(
            table, table.entries[first - 1 : last], table.game.due(table.states[last - 1]), is_replay=True
        )

    def _read(self, table_id: str, cached_table: Table | None) -> Table:
        """Read a table and cache it: extend the cached table by new entries, or fold the whole log."""
        if cached_table is None:
            with self._lock:
                other = self._folds.get(table_id)
                mine = self._folds.setdefault(table_id, Event())
            if other is None:
                return self._fold_for_all(table_id, mine)
            leave_lane()  # the thread that folds it may need it
            other.wait()
            cached_table = self.cached_table(table_id)
        if cached_table is not None:
            log = self._ledger.read(table_id, cached_table.version)
            if log and log[0] == (cached_table.version, cached_table.tail):
                if len(log) == 1:
                    return cached_table
                return self._put_in_cache(_read_uncharged(lambda: extend(cached_table, log[1:])))
        return self._fold_log(table_id)

    def _fold_for_all(self, table_id: str, fold_of: Event) -> Table:
        """Fold the whole log while others wait; if this fails, they fold it themselves."""
        try:
            return self._fold_log(table_id)
        finally:
            with self._lock:
                del self._folds[table_id]
            fold_of.set()

    def _fold_log(self, table_id: str) -> Table:
        log = self._ledger.read(table_id)
        return self._put_in_cache(_read_uncharged(lambda: fold(table_id, log, self._lifetime)))

    def _put_in_cache(self, table: Table) -> Table:
        self._tables.put(table.id, table, table.weight)
        return table


def _read_uncharged(read: Callable[[], Table]) -> Table:
    """Read a table from its log: the steps count, but a long log refuses no request."""
    with beside():
        return read()
