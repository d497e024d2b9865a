"""Caches with a switch for each. Import this before any module with a cache: it replaces the decorators."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, partial, wraps
from time import process_time
from typing import Final, TypeVar

import rules
import rules.caches
from rules.caches import CACHES, Cache
from service.runtime.memory import CacheStatistics, WeightedCache, cache_statistics

R = TypeVar("R")
K = TypeVar("K")
V = TypeVar("V")
NOT_CACHES: Final = "service.limits."
"""The modules whose stores contain counts, which cannot be computed again."""
REPEAT: Final = "repeat"
"""In place of the name of a cache: compute cached values again, too."""
SAMPLE: Final = 0.03
"""The CPU seconds for one cache after which its other hits are only counted."""
_mode: Final = [""]
"""The name of the cache that is switched off, `REPEAT`, or empty."""
_seconds: Final[defaultdict[str, float]] = defaultdict(float)
"""Cache -> the CPU seconds that its hits saved while values were computed again."""
_hits: Final[Counter[str]] = Counter()
_repeats: Final[Counter[str]] = Counter()
"""Cache -> the number of its hits that were computed again."""
_places: Final[set[str]] = set()
"""The names or places of caches with a weight."""
_get: Final = WeightedCache.get
_init: Final = WeightedCache.__init__
_functions: Final[dict[str, Cache]] = {}
"""The caches of functions. The registry has their switches, which store nothing."""


@contextmanager
def switch_off(name: str) -> Iterator[None]:
    """Bypass a cache within this context."""
    _mode[0] = name
    try:
        yield
    finally:
        _mode[0] = ""


def repeat(run: Callable[[], object]) -> tuple[Mapping[str, int], Mapping[str, float]]:
    """The hits of each cache in some work, and the CPU seconds that each of them saved there.

    A cache with a weight has no function to time.
    """
    for counts in (_hits, _repeats, _seconds):
        counts.clear()
    with switch_off(REPEAT):
        run()
    return dict(_hits), {name: _seconds[name] / many * _hits[name] for name, many in _repeats.items()}


def names() -> set[str]:
    """The names of all caches: the registered ones, and those in the values of others."""
    return {*_functions, *_places}


def statistics() -> Mapping[str, CacheStatistics]:
    """The statistics of all registered caches."""
    CACHES.update(_functions)
    return {each.name: each for each in cache_statistics()}


def _call_twice(name: str, ask: Callable[[], R], make: Callable[[], R], cached: Cache) -> R:
    """The value of a cache; if it was cached, compute it again to time that."""
    before, start = cached.cache_info()[1], process_time()
    value = ask()
    middle = process_time()
    if cached.cache_info()[1] == before:
        _hits[name] += 1
        if _seconds[name] < SAMPLE:
            _mode[0] = ""
            make()
            _seconds[name] += process_time() - middle - (middle - start)
            _repeats[name] += 1
            _mode[0] = REPEAT
    return value


def _switchable(maxsize: int | None) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Like `functools.lru_cache`, with a switch, which takes the same time whether the cache is on or off."""

    def register(make: Callable[..., R]) -> Callable[..., R]:
        made = lru_cache(maxsize)(make)
        name = f"{make.__module__}.{make.__qualname__}"

        @wraps(made)
        def call(*given: Hashable, **named: Hashable) -> R:
            mode = _mode[0]
            if mode is REPEAT:
                return _call_twice(name, partial(made, *given, **named), partial(make, *given, **named), made)
            return make(*given, **named) if mode == name else made(*given, **named)

        call.cache_info = made.cache_info  # type: ignore[attr-defined]  # as the registry asks for it
        call.cache_clear = made.cache_clear  # type: ignore[attr-defined]
        _functions[name] = made
        return call

    return register


def _make_with_name(
    self: WeightedCache[K, V], most: int, things: Mapping[K, V] | None = None, *, name: str | None = None
) -> None:
    """Name an unregistered cache after the place that makes it."""
    _init(self, most, things, name=name)
    caller = sys._getframe(1)  # noqa: SLF001  # the one way to learn who calls
    place = name or f"{caller.f_globals['__name__']}:{caller.f_lineno}"
    if isinstance(copied := caller.f_locals.get("self"), WeightedCache):
        place = vars(copied)["place"]
    vars(self)["place"] = place
    if not place.startswith((NOT_CACHES, WeightedCache.__module__)):
        _places.add(place)


def _get_unless_off(self: WeightedCache[K, V], key: K) -> V | None:
    place, mode = vars(self)["place"], _mode[0]
    if mode == place:
        return None
    value = _get(self, key)
    if mode is REPEAT and value is not None:
        _hits[place] += 1
    return value


vars(rules.caches)["lru_cache"] = _switchable
vars(rules)["load"] = rules.caches.cache()(rules.load.__wrapped__)
WeightedCache.__init__ = _make_with_name  # type: ignore[method-assign]
WeightedCache.get = _get_unless_off  # type: ignore[method-assign]
