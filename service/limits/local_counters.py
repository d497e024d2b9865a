"""Counters in a worker's own memory: while Redis is down, and for requests too cheap to ask Redis about.

A count is a leaky bucket: it has a capacity, and empties evenly over its span. So each count is one number, and the
number of counts limits the memory of a worker.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

from service.runtime.memory import WeightedCache

MOST: Final = 20_000
"""The maximum number of cached counts: some megabytes, however many addresses send requests."""


class Count(NamedTuple):
    """The bucket of one subject: it holds `most`, and a full one empties in `span` milliseconds.

    `amount` is the use to count. With `is_hard_limit`, a request that exceeds `most` is refused. `limit` is its name in
    a refusal.
    """

    key: str
    most: int
    span: int
    amount: int = 1
    is_hard_limit: bool = True
    limit: str = ""


class Counts:
    """Counters that are buckets. Thread-safe. `now` returns the time in milliseconds."""

    def __init__(self, most: int = MOST, now: Callable[[], float] | None = None) -> None:
        self._empty_at: WeightedCache[str, float] = WeightedCache(most)
        """Count -> the time when its bucket is empty."""
        self._lock = Lock()
        self._now = now or (lambda: monotonic() * 1000)

    def count(self, counts: Iterable[Count], charges: Iterable[Count] = ()) -> tuple[int, str]:
        """Count a request in several buckets, if all of them admit it.

        Returns the milliseconds to wait (0: it is counted), and the limit that requires this. `charges` were used
        already, so they count in any case.
        """
        with self._lock:
            now, filled, waits = self._now(), [], [(0.0, "")]
            for each in charges:
                off = min(self._empty_time(each, now), now + 2 * each.span)  # as in Redis, nobody waits longer
                self._empty_at.put(each.key, off)
                waits.append((off - now - each.span if each.is_hard_limit else 0, each.limit))
            for each in counts:
                off = self._empty_time(each, now)
                filled.append((each.key, off))
                waits.append((off - now - each.span, each.limit))
            longest, limit = max(waits)
            wait = math.ceil(round(longest, 3))
            if not wait:
                for key, off in filled:
                    self._empty_at.put(key, off)
            return wait, limit if wait else ""

    def _empty_time(self, each: Count, now: float) -> float:
        return max(now, self._empty_at.get(each.key) or 0) + each.amount * each.span / each.most
