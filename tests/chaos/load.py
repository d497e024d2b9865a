"""Writers that record their acknowledged entries, and a read-back that reports what became of them."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from service.errors import Conflict, NoTable, StoreAway
from service.storage.ledger import Ledger

SIZE: Final = 16 * 1024
"""Bytes of an entry: large ones fill the buffers between a primary and its replica."""

Log = Mapping[int, bytes]
ReadBack = Callable[[str], Log]
"""Reads the log of a table without the ledger."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the entries that were acknowledged."""

    acknowledged_count: int
    lost_count: int
    """Entries acknowledged, but not in the log under their number."""
    doubled_count: int
    """Entries that are in the log more than once."""
    gaps: int
    """Numbers missing below the last."""
    slowest: float
    """Seconds of the longest wait for an acknowledgement, from the first request to its answer."""
    disorder: int = 0
    """Entries numbered before one that was acknowledged before they were requested."""
    p99: float = 0.0
    """Seconds within which 99 of 100 were acknowledged; 0 if not measured."""


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """Several verdicts as one."""
    found = list(verdicts)
    return Verdict(
        sum(each.acknowledged_count for each in found),
        sum(each.lost_count for each in found),
        sum(each.doubled_count for each in found),
        sum(each.gaps for each in found),
        max(each.slowest for each in found),
        sum(each.disorder for each in found),
        max(each.p99 for each in found),
    )


class Writer(threading.Thread):
    """Appends to a table of its own until the load stops; repeats each entry until it is acknowledged.

    It gives up if the table contradicts its acknowledgements: then an entry was lost.
    """

    def __init__(self, load: Load, ledger: Ledger, table: str) -> None:
        super().__init__(daemon=True)
        self.table = table
        self.acknowledged_entries: dict[int, bytes] = {}
        self.slowest = 0.0
        self.refusal: Exception | None = None
        self._load, self._ledger = load, ledger

    def run(self) -> None:
        version = 0
        while not self._load.stopping.is_set():
            payload = f"{self.table} {version} ".encode().ljust(self._load.size, b".")
            began = time.monotonic()
            try:
                appended = self._append(version, payload)
            except (Conflict, NoTable) as refusal:
                self.refusal = refusal
                self._load.count_refusal()
                return
            if appended:
                version = appended
                self.slowest = max(self.slowest, time.monotonic() - began)
                self.acknowledged_entries[version] = payload
                self._load.count_acknowledgement()

    def _append(self, version: int, payload: bytes) -> int:
        """The number of the entry once it is acknowledged; 0 if the load ends before."""
        while True:
            try:
                return self._ledger.append(self.table, version, f"on {version}", [payload], "").last
            except StoreAway:
                self._load.count_refusal()
                if self._load.stopping.is_set():
                    return 0


class Load:
    """One writer for each table, on one ledger."""

    def __init__(self, ledger: Ledger, tables: Iterable[str], *, size: int = SIZE) -> None:
        self.size = size
        self.stopping = threading.Event()
        self.acknowledged_count = 0
        self.away = 0
        self._counted = threading.Condition()
        self.writers = [Writer(self, ledger, table) for table in tables]

    def start(self) -> Load:
        for writer in self.writers:
            writer.start()
        return self

    def count_acknowledgement(self) -> None:
        with self._counted:
            self.acknowledged_count += 1
            self._counted.notify_all()

    def count_refusal(self) -> None:
        with self._counted:
            self.away += 1
            self._counted.notify_all()

    def until(self, more: int) -> None:
        """Return once `more` further entries were acknowledged, or a writer has given up."""
        with self._counted:
            aim = self.acknowledged_count + more
            self._counted.wait_for(lambda: self.acknowledged_count >= aim or self._given_up())

    def stop(self) -> None:
        self.stopping.set()
        for writer in self.writers:
            writer.join()

    def verdict(self, read: ReadBack) -> Verdict:
        """Compare the logs with the acknowledged entries."""
        lost = doubled = gaps = 0
        for writer in self.writers:
            log = read(writer.table)
            lost += sum(log.get(number) != payload for number, payload in writer.acknowledged_entries.items())
            doubled += sum(count - 1 for count in Counter(log.values()).values())
            gaps += max(log, default=0) - len(log)
        acknowledged = sum(len(writer.acknowledged_entries) for writer in self.writers)
        return Verdict(acknowledged, lost, doubled, gaps, max(writer.slowest for writer in self.writers))

    def _given_up(self) -> bool:
        return any(writer.refusal is not None for writer in self.writers)
