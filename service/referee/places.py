"""The places of a worker for waiting polls and event streams, with limits per key and address.

Each of them holds a greenlet and a connection. Many phones may watch with one key, and many share one address, but
nobody needs hundreds. The fewer places remain, the fewer of them one address gets, so that a newcomer still finds one.
Streams get half of the places, so that a poll finds one, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Final

from service.errors import RateLimited
from service.runtime.areas import Area

PLACES: Final = 1000
"""Half of a worker's usual connections."""
STREAM_SHARE: Final = 2
"""Streams get at most the places divided by this."""
OF_KEY: Final = 32
OF_ADDRESS: Final = 64
SHARE: Final = 8
"""One address gets at most the free places divided by this, and one while any is free."""
WAITS_OF_KEY: Final = "waits-key"
WAITS_OF_ADDRESS: Final = "waits-address"
STREAMS: Final = "streams"
"""The names of the limits."""
AGAIN: Final = 2
"""Seconds after which a client without a place should retry: the interval of a page's polls."""


class Places:
    """The taken places, at most `count`. Thread-safe."""

    def __init__(self, count: int = PLACES) -> None:
        self._lock = Lock()
        self._count = self._free_places = count
        self._free_streams = self.streams = count // STREAM_SHARE
        """The places that streams may take."""
        self._waiters: Counter[tuple[str, str]] = Counter()

    def counts(self) -> tuple[int, int]:
        """The number of waiting polls, and of streams."""
        with self._lock:
            streams = self.streams - self._free_streams
            return self._count - self._free_places - streams, streams

    @contextmanager
    def place(self, key: str, areas: Sequence[Area], *, stream: bool = False) -> Iterator[None]:
        """A place to wait in, for a client in these areas. Raises `RateLimited` if the key, an area, or all streams
        together have their maximum.
        """
        taken = [("key", key), *(("address", area.name) for area in areas)]
        with self._lock:
            if stream and not self._free_streams:
                raise RateLimited(AGAIN, STREAMS)
            share = min(OF_ADDRESS, max(1, (self._free_streams if stream else self._free_places) // SHARE))
            many = any(self._waiters["address", area.name] >= share * area.homes for area in areas)
            if self._waiters["key", key] >= OF_KEY:
                raise RateLimited(AGAIN, WAITS_OF_KEY)
            if not self._free_places or many:
                raise RateLimited(AGAIN, WAITS_OF_ADDRESS)
            self._free_places -= 1
            self._free_streams -= stream
            self._waiters.update(taken)
        try:
            yield
        finally:
            with self._lock:
                self._free_places += 1
                self._free_streams += stream
                self._waiters.subtract(taken)
                self._waiters += Counter()  # drops zero counts
