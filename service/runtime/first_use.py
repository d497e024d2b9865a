"""Values that a worker makes at first use and stores until it stops, such as pages that are the same for everybody."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import update_wrapper
from threading import Lock
from typing import Generic, ParamSpec, TypeVar

from rules.caches import CACHES
from rules.steps import at_most
from service.runtime.budget import rest

R = TypeVar("R")
P = ParamSpec("P")


class Once(Generic[P, R]):
    """Caches a value at its first use, as `functools.cache` does, but computes it only once for concurrent callers.

    They wait for the first caller, which yields to other requests after some steps (`rules.steps`). No request is
    charged for the steps, since the value is for all. After an error the next caller tries again.
    """

    def __init__(self, make: Callable[P, R]) -> None:
        update_wrapper(self, make)
        self._make = make
        self._results: dict[Hashable, R] = {}
        self._lock = Lock()
        CACHES[f"{make.__module__}.{make.__qualname__}"] = self
        self.hits = 0

    def __call__(self, *key: P.args, **kwargs: P.kwargs) -> R:
        """The value for these arguments."""
        cache_key = key, *kwargs.items()
        if cache_key not in self._results:
            with self._lock, at_most(None, rest):
                if cache_key not in self._results:
                    self._results[cache_key] = self._make(*key, **kwargs)
        self.hits += 1
        return self._results[cache_key]

    def cache_info(self) -> tuple[int, int, None, int]:
        """The statistics in the form of `functools.cache`; each value was missed once."""
        return self.hits - len(self._results), len(self._results), None, len(self._results)

    def values(self) -> list[R]:
        """The cached values."""
        return list(self._results.values())

    def cache_clear(self) -> None:
        """Drop all values, like the method of `functools.cache`."""
        self._results.clear()
