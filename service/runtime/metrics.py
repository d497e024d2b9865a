"""The metrics of a worker for Prometheus, if `BASTIDE_METRICS` is set; else prometheus-client is not even loaded.

Every process counts into files of its own, in a folder; `service.server.metrics_server` adds them up. No label has an
id, a name or an address.
"""

from __future__ import annotations

import os
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Final

from service.startup import METRICS_VARIABLE

if TYPE_CHECKING:
    from prometheus_client import Counter

    from service.types import JsonObject

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0, 60.0)
"""The bounds of the histograms."""
UNKNOWN: Final = "none"
"""The label of a request without a route."""
WRITE, REPEAT, CONFLICT, REFUSAL = "written", "repeated", "conflict", "refused"
"""The outcomes of a request to write, if the store answers."""


class Meters:
    """The metrics of a process."""

    def __init__(self) -> None:
        from prometheus_client import Counter, Gauge, Histogram  # noqa: PLC0415  # it chooses its files when imported

        self.requests = Counter("bastide_requests", "Requests by route and status.", ("route", "status"))
        self.seconds = Histogram(
            "bastide_request_seconds", "From a request to the end of its answer.", ("route",), buckets=SECONDS
        )
        self.rulings = Counter("bastide_rulings", "Rulings by game and outcome.", ("game", "outcome"))
        self.writes = Counter("bastide_writes", "Requests to write, by how they end.", ("outcome",))
        self.limits = Counter("bastide_limited", "Requests that hit a limit.", ("limit",))
        self.failures = Counter("bastide_failures", "Requests that were not answered, by cause.", ("cause",))
        self.redis = Histogram("bastide_redis_seconds", "Round trips to Redis.", buckets=SECONDS)
        gauge = partial(Gauge, multiprocess_mode="livesum")
        self.waits = gauge("bastide_waits", "Polls that wait.")
        self.streams = gauge("bastide_streams", "Streams of events.")
        self.table_bytes = gauge("bastide_table_cache_bytes", "Bytes of the cached tables, by weight.")
        self.hits = Counter("bastide_cache_hits", "Values found in a cache.", ("cache",))
        self.misses = Counter("bastide_cache_misses", "Values not found in a cache.", ("cache",))
        self._cache_counts: dict[tuple[Counter, str], int] = {}

    def update(self, waits: int, streams: int, table_bytes: int) -> None:
        """Set the metrics that change too often to count each change: places and caches."""
        from rules.caches import CACHES  # noqa: PLC0415  # not before strangers named ``rules`` are refused

        for gauge, value in ((self.waits, waits), (self.streams, streams), (self.table_bytes, table_bytes)):
            gauge.set(value)
        for name, cache in list(CACHES.items()):
            hits, misses, _, _ = cache.cache_info()
            self._count_to(self.hits, name, hits)
            self._count_to(self.misses, name, misses)

    def _count_to(self, counter: Counter, name: str, count: int) -> None:
        """Raise a counter to the count of a cache. A lower count is that of a new cache."""
        before = self._cache_counts.get((counter, name), 0)
        self._cache_counts[counter, name] = count
        if count != before:
            counter.labels(name).inc(count - before if count > before else count)


_meters: Meters | None = None


def start() -> None:
    """Begin to count in this process, if there is a folder for metrics."""
    global _meters  # noqa: PLW0603  # one for the process
    if os.environ.get(METRICS_VARIABLE):
        _meters = Meters()


def meters() -> Meters | None:
    """The metrics of this process, if it has any."""
    return _meters


def count_ruling(game: str, outcome: str) -> None:
    """Count a ruling on a question or on a played move."""
    if _meters is not None:
        _meters.rulings.labels(game, outcome).inc()


def count_write(outcome: str) -> None:
    """Count a request to write."""
    if _meters is not None:
        _meters.writes.labels(outcome).inc()


def time_redis(begun: float) -> None:
    """Count a round trip to Redis that began at `begun` (`perf_counter`)."""
    if _meters is not None:
        _meters.redis.observe(perf_counter() - begun)


def count_request(facts: JsonObject, status: int, seconds: float) -> None:
    """Count an answered request; `facts` are those of `service.server.request_facts`."""
    if _meters is None:
        return
    route = facts.get("route", UNKNOWN)
    _meters.requests.labels(route, status).inc()
    _meters.seconds.labels(route).observe(seconds)
    for counter, name in ((_meters.limits, "limit"), (_meters.failures, "cause")):
        if name in facts:
            counter.labels(facts[name]).inc()
