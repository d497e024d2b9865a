"""Caches that can be switched off one by one. Import this before whatever caches: it must decorate first."""

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
"""The modules whose stores hold counts that nobody can compute again."""
REPEAT: Final = "repeat"
"""Instead of the name of a cache: values that a cache has are computed again, too."""
SAMPLE: Final = 0.03
"""After so many CPU seconds for one cache its other hits are only counted."""
_mode: Final = [""]
"""The name of the cache that is switched off, `REPEAT`, or nothing."""
_seconds: Final[defaultdict[str, float]] = defaultdict(float)
"""Cache -> the CPU seconds that its hits saved while values were computed again."""
_hits: Final[Counter[str]] = Counter()
_repeats: Final[Counter[str]] = Counter()
"""Cache -> how many of its hits were computed again."""
_places: Final[set[str]] = set()
"""Where caches with a weight are made."""
_get: Final = WeightedCache.get
_init: Final = WeightedCache.__init__
_functions: Final[dict[str, Cache]] = {}
"""Those of functions. The registry has their switches, which hold nothing."""


@contextmanager
def switch_off(name: str) -> Iterator[None]:
    """Let a cache forget everything, for as long as this lasts."""
    _mode[0] = name
    try:
        yield
    finally:
        _mode[0] = ""


def repeat(run: Callable[[], object]) -> tuple[Mapping[str, int], Mapping[str, float]]:
    """The hits of each cache in some work, and the CPU seconds that each of them saved there.

    A cache with a weight has no function whose time could be taken.
    """
    for counts in (_hits, _repeats, _seconds):
        counts.clear()
    with switch_off(REPEAT):
        run()
    return dict(_hits), {name: _seconds[name] / many * _hits[name] for name, many in _repeats.items()}


def names() -> set[str]:
    """All caches: the registered ones, and those in the values of others."""
    return {*_functions, *_places}


def statistics() -> Mapping[str, CacheStatistics]:
    """Those of all registered caches."""
    CACHES.update(_functions)
    return {each.name: each for each in cache_statistics()}


def _call_twice(name: str, ask: Callable[[], R], make: Callable[[], R], cached: Cache) -> R:
    """What a cache has, which is computed again to time that; or else what it gets now."""
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
    """As `functools.lru_cache`, with a switch, which takes as long whether the cache is on or off."""

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
    """Name a cache that is not registered after the place that makes it."""
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
