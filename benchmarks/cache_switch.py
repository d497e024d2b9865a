"""Caches that can be switched off one by one. Import this before whatever caches: it must decorate first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
from typing import Final, TypeVar

import rules.caches
from rules.caches import CACHES, Cache
from service.runtime.memory import CacheStatistics, WeightedCache, cache_statistics

R = TypeVar("R")
K = TypeVar("K")
V = TypeVar("V")
_off: Final[list[object]] = [None]
"""The name of the cache that is switched off, or the cache where it has no function; or None."""
_get: Final = WeightedCache.get
_made: Final[dict[str, Cache]] = {}


@contextmanager
def switch_off(name: str) -> Iterator[None]:
    """Let a cache forget everything, for as long as this lasts."""
    found = CACHES[name]
    _off[0] = found if isinstance(found, WeightedCache) else name
    try:
        yield
    finally:
        _off[0] = None


def can_switch(name: str) -> bool:
    """Whether a cache was made after this module, and is not one of those that make something once for a process."""
    return name in _made or isinstance(CACHES[name], WeightedCache)


def statistics() -> list[CacheStatistics]:
    """Those of all caches."""
    CACHES.update(_made)  # instead of their switches, which hold nothing
    return cache_statistics()


def _switchable(maxsize: int | None) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """As `functools.lru_cache`, with a switch, which takes as long whether the cache is on or off."""

    def register(make: Callable[..., R]) -> Callable[..., R]:
        made = lru_cache(maxsize)(make)
        name = f"{make.__module__}.{make.__qualname__}"

        @wraps(made)
        def call(*given: Hashable, **named: Hashable) -> R:
            return make(*given, **named) if _off[0] == name else made(*given, **named)

        call.cache_info = made.cache_info  # type: ignore[attr-defined]  # as the registry asks for it
        call.cache_clear = made.cache_clear  # type: ignore[attr-defined]
        _made[name] = made
        return call

    return register


def _get_unless_off(cache: WeightedCache[K, V], key: K) -> V | None:
    return None if cache is _off[0] else _get(cache, key)


vars(rules.caches)["lru_cache"] = _switchable
WeightedCache.get = _get_unless_off  # type: ignore[assignment,method-assign]
