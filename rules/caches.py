"""One registry of the caches that outlive a request, each with its name.

`cache` registers a cached function, and `service.runtime.memory` registers caches with a weight. No Python runs
between a caller and `functools.lru_cache`. Cached values are frozen, since all callers get the same value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

R = TypeVar("R")


class Cache(Protocol):
    """A cache in the registry."""

    def cache_info(self) -> tuple[int, int, int | None, int]:
        """Hits, misses, the maximum, and the number of entries."""


CACHES: Final[MutableMapping[str, Cache]] = WeakValueDictionary()
"""Module and name of a function -> its cache. A cache that is made again replaces the former."""


def cache(most: int | None = None) -> Callable[[Callable[..., R]], _lru_cache_wrapper[R]]:
    """Cache and register a function's results, for all arguments or for the `most` last used ones."""

    def register(make: Callable[..., R]) -> _lru_cache_wrapper[R]:
        made = lru_cache(maxsize=most)(make)
        CACHES[f"{make.__module__}.{make.__qualname__}"] = made
        return made

    return register


def freeze(value: Mapping[str, object]) -> Mapping[str, Any]:
    """Immutable data of TOML or JSON, at any depth: its objects are mappings, its lists tuples."""
    return MappingProxyType({name: _freeze(part) for name, part in value.items()})


def _freeze(value: object) -> object:
    if isinstance(value, Mapping):
        return freeze(value)
    return tuple(map(_freeze, value)) if isinstance(value, list) else value


def thaw(value: object) -> Any:
    """A copy of frozen data that its caller may change: dictionaries and lists again."""
    if isinstance(value, Mapping):
        return {name: thaw(part) for name, part in value.items()}
    return list(map(thaw, value)) if isinstance(value, tuple) else value
