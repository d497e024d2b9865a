"""Wakes polls and event streams that wait for the next entry of a table.

Entries of this worker wake them at once. For entries of other workers, one loop asks Redis for the versions of all
tables with waiters, as long as there are any. So a waiter holds no connection to Redis.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from threading import Event, Lock, Thread
from typing import Final, TypeAlias

from service.errors import StoreAway
from service.runtime import shutdown
from service.tables import fault_log

EVERY: Final = 0.25
"""Seconds between two looks."""
END: Final = 0
"""The version of a table whose log has ended: news for every waiter."""
Look: TypeAlias = Callable[[Collection[str]], Mapping[str, int]]
"""(ids of tables) -> their versions, without those that the store cannot report now. Raises `StoreAway`."""


class Waiter:
    """A client that waits for an entry after a number."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.wake = Event()
        self.has_news = False
        self.is_store_away = False


class Watcher:
    """The waiters in this worker, by table. Thread-safe.

    `pause` waits for the given seconds between two looks.
    """

    def __init__(self, look: Look, pause: Callable[[float], object] | None = None) -> None:
        self._look, self._pause = look, pause or time.sleep
        self._lock = Lock()
        self._waiters: dict[str, set[Waiter]] = {}
        self._is_looking = False

    def wait(self, table_id: str, after: int, seconds: float) -> bool:
        """Whether an entry follows `after`, or the table ends, within `seconds` and before the worker ends.

        Raises `StoreAway`.
        """
        if shutdown.has_begun():
            return False
        waiter = Waiter(after)
        with self._lock:
            self._waiters.setdefault(table_id, set()).add(waiter)
            is_first, self._is_looking = not self._is_looking, True
        try:
            if is_first:
                Thread(target=self._look_on, daemon=True).start()
            waiter.wake.wait(seconds)
        finally:
            self._remove(table_id, waiter)
        if waiter.is_store_away and not waiter.has_news:
            raise StoreAway("the versions of the tables are not known")
        return waiter.has_news

    def announce(self, table_id: str, version: int) -> None:
        """Wake the waiters for whom a version of a table is new."""
        self._announce_all({table_id: version})

    # --- inside ---

    def _announce_all(self, versions: Mapping[str, int]) -> None:
        with self._lock:
            for table_id, version in versions.items():
                for waiter in self._waiters.get(table_id, ()):
                    if version == END or version > waiter.after:
                        waiter.has_news = True
                        waiter.wake.set()

    def _remove(self, table_id: str, waiter: Waiter) -> None:
        with self._lock:
            waiters = self._waiters[table_id]
            waiters.remove(waiter)
            if not waiters:
                del self._waiters[table_id]

    def _look_on(self) -> None:
        """Look repeatedly, as long as there are waiters."""
        while True:
            self._pause(EVERY)
            with self._lock:
                tables = tuple(self._waiters)
                self._is_looking = bool(tables)
            if not tables:
                return
            if shutdown.has_begun():
                self._release(tables)
            else:
                self._tell(tables)

    def _tell(self, tables: Collection[str]) -> None:
        """Look once, and wake the waiters for whom there is news, or whose table's version is unknown."""
        versions: Mapping[str, int] = {}
        try:
            versions = self._look(tables)
        except StoreAway:
            pass  # `_release` reports it
        except Exception as error:  # the next look may succeed; `_release` reports this one
            fault_log.report(error, "looking for new entries", None, b"")
        self._announce_all(versions)
        self._release([table_id for table_id in tables if table_id not in versions], is_store_away=True)

    def _release(self, tables: Collection[str], *, is_store_away: bool = False) -> None:
        """Wake all waiters for these tables without news."""
        with self._lock:
            for table_id in tables:
                for waiter in self._waiters.get(table_id, ()):
                    waiter.is_store_away = is_store_away
                    waiter.wake.set()
