"""Caches with a maximum number of values, or of bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping
from gc import get_referents
from sys import getsizeof
from types import FunctionType, ModuleType
from typing import Final, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from rules.caches import CACHES, Cache

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@runtime_checkable
class HasValues(Protocol):
    """A cache that returns its values."""

    def values(self) -> Iterable[object]:
        """The values."""


class WeightedCache(Generic[K, V]):
    """A cache with a maximum weight, which drops the least recently used values. Thread-safe.

    A value weighs 1 by default. A value above the maximum is not cached. With a `name`, this is one of the registered
    caches (`rules.caches`): a dropped value is only computed again.
    """

    def __init__(self, most: int, things: Mapping[K, V] | None = None, *, name: str | None = None) -> None:
        self.most = most
        self.weight = self.hits = self.misses = 0
        self._lock = threading.Lock()
        self._things: OrderedDict[K, tuple[V, int]] = OrderedDict()
        for key, thing in (things or {}).items():
            self.put(key, thing)
        if name is not None:
            CACHES[name] = self

    def get(self, key: K) -> V | None:
        """A cached value, or None."""
        with self._lock:
            if key not in self._things:
                self.misses += 1
                return None
            self.hits += 1
            self._things.move_to_end(key)
            return self._things[key][0]

    def put(self, key: K, thing: V, weight: int = 1) -> None:
        """Cache a value under a key, in place of the old one; this drops the least recently used values if needed."""
        with self._lock:
            self._drop(key)
            if weight > self.most:
                return
            self._things[key] = thing, weight
            self.weight += weight
            while self.weight > self.most:
                self._drop(next(iter(self._things)))

    def forget(self, key: K) -> None:
        """Drop a value, if it is cached."""
        with self._lock:
            self._drop(key)

    def copy(self) -> WeightedCache[K, V]:
        """A separate cache with the same values."""
        copy: WeightedCache[K, V] = WeightedCache(self.most)
        with self._lock:
            copy._things, copy.weight = self._things.copy(), self.weight
        return copy

    def cache_info(self) -> tuple[int, int, int, int]:
        """Hits, misses, the maximum and the current number of values, like `functools.lru_cache`."""
        return self.hits, self.misses, self.most, len(self)

    def values(self) -> list[V]:
        """The cached values."""
        with self._lock:
            return [thing for thing, _ in self._things.values()]

    def __len__(self) -> int:
        return len(self._things)

    def _drop(self, key: K) -> None:
        if key in self._things:
            self.weight -= self._things.pop(key)[1]


EVERYBODYS: Final = (type, ModuleType, FunctionType)
"""Types of objects that no value owns."""


class CacheStatistics(NamedTuple):
    """The statistics of a cache in this process, with an estimate of the bytes of its values."""

    name: str
    hits: int
    misses: int
    entries: int
    size: int


def cache_statistics() -> list[CacheStatistics]:
    """The statistics of all registered caches."""
    every = []
    for name, cache in sorted(CACHES.items()):
        hits, misses, _, entries = cache.cache_info()
        every.append(CacheStatistics(name, hits, misses, entries, size_of(tuple(values_of(cache)))))
    return every


def values_of(cache: Cache) -> list[object]:
    """The values in a cache."""
    if isinstance(cache, HasValues):
        return list(cache.values())
    # `functools.lru_cache` shows its content only to the garbage collector: each key and its value, then a table of
    # all of them.
    held, own = get_referents(cache), vars(cache)
    at = max(number for number, each in enumerate(held) if type(each) is dict and each is not own)
    table = list(held[at].values())
    types = {type(cache), *map(type, table)}
    pairs = [each for each in held[:at] if not (isinstance(each, type) and each in types)]
    return pairs[1::2] or table  # without a maximum there is only the table


def size_of(thing: object, beside: object = ()) -> int:
    """Bytes of a value and all values in it, without those that it shares with `beside`."""
    same = {id(part) for part in get_referents(beside)} & {id(part) for part in get_referents(thing)}
    _weigh(beside, same)
    return _weigh(thing, same)


def _weigh(thing: object, seen_ids: set[int]) -> int:
    """Bytes of a value and all values in it, without those in `seen_ids`; adds them to it."""
    size, ahead = 0, [thing]
    while ahead:
        each = ahead.pop()
        if id(each) not in seen_ids and not isinstance(each, EVERYBODYS):
            seen_ids.add(id(each))
            size += getsizeof(each)
            ahead += get_referents(each)
    return size
