"""Many tables with phones that poll and sometimes play, for a long time."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from tests.chaos.storm import Caller
from tests.chaos.victim import Victim

POLL: Final = 2.0
"""Seconds between two polls of a phone."""
PHONES: Final = 4
PLAYED: Final = 5.0
"""Seconds between two changes at a table."""


@dataclass
class SoakResult:
    """The answers of a soak. `waits` are the seconds of each."""

    waits: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    acknowledged_count: int = 0

    @property
    def p99(self) -> float:
        """Seconds within which 99 of 100 answers came."""
        return sorted(self.waits)[len(self.waits) * 99 // 100]

    @property
    def failures(self) -> int:
        """Requests without an answer, or with a 5xx."""
        return sum(count for status, count in self.statuses.items() if status == 0 or status >= 500)


class Table(threading.Thread):
    """A table with its phones, which take turns: each polls every two seconds, and one of them plays."""

    def __init__(self, victim: Victim, soaked: SoakResult, end: float, number: int, tables: int) -> None:
        super().__init__(daemon=True)
        self._path, keys = victim.table()
        self._key = {"Authorization": f"Bearer {keys['host']}"}
        self._soaked, self._end, self._late = soaked, end, number / tables
        self._phones = [Caller(victim.port, 30) for _ in range(PHONES)]
        self._pause = threading.Event()
        self._version = 1

    def run(self) -> None:
        began = time.monotonic() + self._late * POLL / PHONES
        changes = turns = 0
        while (due := began + turns * POLL / PHONES) < self._end:
            self._pause.wait(max(0.0, due - time.monotonic()))
            phone = self._phones[turns % PHONES]
            self._ask(phone, "GET", "", {"If-None-Match": f'"{self._version}"'})
            turns += 1
            if due - began >= changes * PLAYED:
                changes += 1
                self._play(phone, f"{changes}")
        for phone in self._phones:
            phone.close()

    def _play(self, phone: Caller, name: str) -> None:
        place = self._version % 2 == 1
        operation, body = ("/moves", {"move": "r b1c1"}) if place else ("/rewind", {"to": 1})
        change = {"If-Match": f'"{self._version}"', "Idempotency-Key": name}
        if self._ask(phone, "POST", operation, change, body) == 201:
            self._version += 1
            self._soaked.acknowledged_count += 1

    def _ask(self, phone: Caller, method: str, operation: str, headers: dict[str, str], body: object = None) -> int:
        began = time.monotonic()
        answer = phone.ask(method, self._path + operation, body, **self._key | headers)
        if not answer.status:  # a kept connection may have ended meanwhile: clients then ask once more
            answer = phone.ask(method, self._path + operation, body, **self._key | headers)
        self._soaked.waits.append(time.monotonic() - began)
        self._soaked.statuses[answer.status] += 1
        return answer.status

    def gaps(self, victim: Victim) -> int:
        """The number of acknowledged changes that are missing in the log."""
        numbers = sorted(victim.read(self._path.rpartition("/")[2]))
        return self._version - len(numbers) + sum(other - one - 1 for one, other in pairwise(numbers))


class Opener(threading.Thread):
    """Opens new tables all the time, at which nobody plays."""

    def __init__(self, victim: Victim, end: float) -> None:
        super().__init__(daemon=True)
        self._victim, self._end = victim, end

    def run(self) -> None:
        while time.monotonic() < self._end:
            self._victim.table()


def soak(victim: Victim, tables: int, minutes: float, *, opening: bool = False) -> tuple[SoakResult, int, float]:
    """Soak for so many minutes; returns the answers, the number of missing changes, and the share of memory growth.

    Growth of the workers counts after a tenth of the time, when late imports are done. With `opening`, new tables are
    opened all the time.
    """
    soaked, end = SoakResult(), time.monotonic() + 60 * minutes
    threads = [Table(victim, soaked, end, number, tables) for number in range(tables)]
    for thread in (*threads, *([Opener(victim, end)] if opening else [])):
        thread.start()
    threading.Event().wait(6 * minutes)
    before = victim.memory()
    for thread in threads:
        thread.join()
    return soaked, sum(thread.gaps(victim) for thread in threads), victim.memory() / before - 1
