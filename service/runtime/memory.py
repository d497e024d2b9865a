"""Caches with a maximum: of a number of values, or of bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from gc import get_referents
from sys import getsizeof
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class WeightedCache(Generic[K, V]):
    """The things used last, of which it remembers so much weight. Safe to share between threads.

    A thing weighs 1 unless it is said. One that is heavier than all that may be remembered is not.
    """

    def __init__(self, most: int, things: Mapping[K, V] | None = None) -> None:
        self.most = most
        self.weight = 0
        self._lock = threading.Lock()
        self._things: OrderedDict[K, tuple[V, int]] = OrderedDict()
        for key, thing in (things or {}).items():
            self.put(key, thing)

    def get(self, key: K) -> V | None:
        """A thing, if it is remembered."""
        with self._lock:
            if key not in self._things:
                return None
            self._things.move_to_end(key)
            return self._things[key][0]

    def put(self, key: K, thing: V, weight: int = 1) -> None:
        """Remember a thing instead of what was there under its key; what was used longest ago goes first."""
        with self._lock:
            self._drop(key)
            if weight > self.most:
                return
            self._things[key] = thing, weight
            self.weight += weight
            while self.weight > self.most:
                self._drop(next(iter(self._things)))

    def forget(self, key: K) -> None:
        """Forget a thing, if it is remembered."""
        with self._lock:
            self._drop(key)

    def copied(self) -> WeightedCache[K, V]:
        """The same things, remembered apart from these."""
        copy: WeightedCache[K, V] = WeightedCache(self.most)
        with self._lock:
            copy._things, copy.weight = self._things.copy(), self.weight
        return copy

    def __len__(self) -> int:
        return len(self._things)

    def _drop(self, key: K) -> None:
        if key in self._things:
            self.weight -= self._things.pop(key)[1]


def size_of(thing: object, beside: object = ()) -> int:
    """Bytes of a value and all values in it, without what it shares with another one."""
    same = {id(part) for part in get_referents(beside)} & {id(part) for part in get_referents(thing)}
    _weigh(beside, same)
    return _weigh(thing, same)


def _weigh(thing: object, seen: set[int]) -> int:
    """Bytes of a value and all values in it, each once, without those that were seen; now they all were."""
    size, ahead = 0, [thing]
    while ahead:
        each = ahead.pop()
        if id(each) not in seen and not isinstance(each, type):  # a type is everybody's
            seen.add(id(each))
            size += getsizeof(each)
            ahead += get_referents(each)
    return size
