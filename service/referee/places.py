"""The places of a worker for those who wait: polls, and streams of events. Limits on each key and address.

Whoever waits holds a greenlet and a connection. Many phones may watch with one key, and many share one address, but
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
"""Half of the connections that a worker usually has."""
STREAM_SHARE: Final = 2
"""Streams have at most the places over this."""
OF_KEY: Final = 32
OF_ADDRESS: Final = 64
SHARE: Final = 8
"""One address has at most the places that are left over this, and one while any is left."""
WAITS_OF_KEY: Final = "waits-key"
WAITS_OF_ADDRESS: Final = "waits-address"
STREAMS: Final = "streams"
"""The names of the limits."""
AGAIN: Final = 2
"""The seconds after which a client that may not wait should retry: the interval of a page."""


class Places:
    """The places that are taken now, at most `count`. Thread-safe."""

    def __init__(self, count: int = PLACES) -> None:
        self._lock = Lock()
        self._count = self._free_places = count
        self._free_streams = self.streams = count // STREAM_SHARE
        """How many of the places streams may take."""
        self._waiters: Counter[tuple[str, str]] = Counter()

    def counts(self) -> tuple[int, int]:
        """How many polls wait, and how many streams there are."""
        with self._lock:
            streams = self.streams - self._free_streams
            return self._count - self._free_places - streams, streams

    @contextmanager
    def place(self, key: str, areas: Sequence[Area], *, stream: bool = False) -> Iterator[None]:
        """A place to wait in, for somebody in these areas. Raises `RateLimited` where the key or one of the areas has
        as many as it may, or where streams have.
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
                self._waiters += Counter()  # keeps nobody who has gone
