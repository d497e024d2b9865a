"""Long polls in one worker: limits on each key and address, and their end when the worker stops.

A waiting poll costs a greenlet and a connection to Redis. Many phones may watch with one key, and many share one
address, but nobody needs hundreds. The fewer places remain, the fewer of them one address gets, so that a newcomer
still finds one.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Final

from service.errors import RateLimited
from service.runtime import shutdown
from service.runtime.areas import Area
from service.storage.connections import WAITERS

OF_KEY: Final = 32
OF_ADDRESS: Final = 64
SHARE: Final = 8
"""One address has at most the places that are left over this, and one while any is left."""
SLICE: Final = 1.0
"""Seconds after which a wait looks whether its worker is ending."""
WAITS_OF_KEY: Final = "waits-key"
WAITS_OF_ADDRESS: Final = "waits-address"
"""The names of the limits."""
AGAIN: Final = 2
"""The seconds after which a client that may not wait should retry: the interval of a page."""


class PendingPolls:
    """The polls that wait now, at most `places`. Thread-safe."""

    def __init__(self, places: int = WAITERS) -> None:
        self._lock = Lock()
        self._free_places = places
        self._waiters: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def place(self, key: str, areas: Sequence[Area]) -> Iterator[None]:
        """A place to wait in, for somebody in these areas. Raises `RateLimited` where the key or one of the areas has
        as many as it may.
        """
        taken = [("key", key), *(("address", area.name) for area in areas)]
        with self._lock:
            share = min(OF_ADDRESS, max(1, self._free_places // SHARE))
            many = any(self._waiters["address", area.name] >= share * area.homes for area in areas)
            if self._waiters["key", key] >= OF_KEY:
                raise RateLimited(AGAIN, WAITS_OF_KEY)
            if not self._free_places or many:
                raise RateLimited(AGAIN, WAITS_OF_ADDRESS)
            self._free_places -= 1
            self._waiters.update(taken)
        try:
            yield
        finally:
            with self._lock:
                self._free_places += 1
                self._waiters.subtract(taken)
                self._waiters += Counter()  # keeps nobody who has gone


def wait_in_slices(wait: Callable[[float], bool], seconds: float) -> bool:
    """Whether what is waited for comes within so many seconds, or before the worker ends. Waits in short slices."""
    end = time.monotonic() + seconds
    while not shutdown.has_begun() and (left := end - time.monotonic()) > 0:
        if wait(min(left, SLICE)):
            return True
    return False
