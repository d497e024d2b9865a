"""Bounded caches, and the weight of a value."""

from __future__ import annotations

import gc
import tracemalloc
from types import MappingProxyType
from typing import Any

from service.runtime.memory import WeightedCache, size_of


def test_what_was_used_longest_ago_goes_first() -> None:
    """The cache drops the value used longest ago; reading counts as use."""
    recent: WeightedCache[str, int] = WeightedCache(2)
    recent.put("a", 1)
    recent.put("b", 2)
    assert recent.get("a") == 1
    recent.put("c", 3)
    assert [recent.get(key) for key in "abc"] == [1, None, 3]


def test_the_weight_is_never_more_than_it_may_be() -> None:
    """A heavy value displaces several; a renewed one counts once; a key whose value is too heavy is dropped."""
    recent: WeightedCache[str, str] = WeightedCache(10)
    for key, weight in zip("abc", (2, 3, 4), strict=True):
        recent.put(key, key, weight)
    recent.put("c", "C", 5)
    assert (recent.weight, len(recent), recent.get("c")) == (10, 3, "C")
    recent.put("d", "d", 4)
    assert (recent.weight, recent.get("a"), recent.get("b"), recent.get("c")) == (9, None, None, "C")
    recent.put("c", "too heavy", 11)
    assert (recent.weight, recent.get("c"), recent.get("d")) == (4, None, "d")
    recent.forget("d")
    recent.forget("never there")
    assert (recent.weight, len(recent)) == (0, 0)


def test_a_value_weighs_what_it_takes_beside_another() -> None:
    """A value's weight counts each of its parts once, and not those that it shares with another value."""
    shared = {f"cell {number}": (number, f"tile {number}") for number in range(1000, 1100)}
    before: Any = (shared, "readings", None)
    gc.collect()
    tracemalloc.start()
    after: Any = (MappingProxyType(dict(shared)), "readings", frozenset(f"new {number}" for number in range(50)))
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert taken * 0.8 <= size_of(after, before) <= taken * 1.2
    assert size_of(after) > 2 * taken
    assert size_of((after, after)) < 1.1 * size_of(after)
    assert size_of(before, before) < 100
