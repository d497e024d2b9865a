"""The registry of caches: what it counts, and that nobody can change what a cache holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import pytest
from flask import Flask

from rules.caches import CACHES, Cache, cache, freeze
from service.runtime.memoize import memoize_by_identity
from service.runtime.memory import CacheStatistics, WeightedCache, cache_statistics, values_of
from tests.support.every_route import rows
from tests.support.loops import over
from tests.support.route_work import prepare, send

DEEP: Final = {
    "rules.load",
    "service.cases.worked_cases._case_json",
    "service.http.openapi.description",
    "service.i18n.grammar._load",
    "service.schemas.json_schema.json_schemas",
}
"""Caches of JSON and TOML: all of a value is looked at, and of other caches' only what it is directly made of."""


class Unfrozen(Exception):
    """Something in a cache that can be changed."""


@dataclass
class Open:
    """A dataclass that can be changed."""

    number: int = 1


@dataclass(frozen=True)
class Closed:
    """One that cannot, with a part that may be."""

    part: Any
    beside: Any = field(default=None, compare=False)


class Pair(NamedTuple):
    """A tuple with names."""

    one: Any
    other: Any = ()


def require_frozen(value: object, depth: int = 1) -> None:
    """Raise `Unfrozen` where a value, or what it is directly made of, can be changed."""
    if isinstance(value, list | dict | set | bytearray):
        raise Unfrozen(type(value))
    if is_dataclass(value) and not isinstance(value, type):
        try:
            setattr(value, fields(value)[0].name, getattr(value, fields(value)[0].name))
        except FrozenInstanceError:
            pass
        else:
            raise Unfrozen(type(value))
    for part in parts_of(value) if depth else ():
        require_frozen(part, depth - 1)


def parts_of(value: object) -> Iterator[object]:
    """What a tuple, a frozen mapping or dataclass is made of; not what a dataclass remembers beside its value."""
    if isinstance(value, tuple | frozenset):
        yield from value
    elif isinstance(value, MappingProxyType):
        yield from value.values()
    elif is_dataclass(value):
        yield from (getattr(value, each.name) for each in fields(value) if each.compare)


@pytest.mark.parametrize("value", [[], {}, set(), bytearray(), Open(), ([],), Pair({}), Closed([])])
def test_what_can_be_changed_is_refused(value: object) -> None:
    """The control: a value that can be changed, and a frozen one with such a part."""
    with pytest.raises(Unfrozen):
        require_frozen(value)


FROZEN = ["", 1, (1, ""), Pair(1), Closed(()), Closed(1, []), freeze({"a": [{"b": [1]}]}), Open]


@pytest.mark.parametrize("value", FROZEN)
def test_what_cannot_be_changed_is_not(value: object) -> None:
    """Nor is what a dataclass has beside its value."""
    require_frozen(value)


def test_values_in_caches_are_frozen(app: Flask) -> None:
    """After every route was asked, each registered cache holds values that nobody can change for the next one."""
    requests, cookies = prepare(app, list(rows()))
    client = app.test_client()
    for name, secret, path in cookies:
        client.set_cookie(name, secret, path=path)
    for request in requests:
        send(client, request)
    filled = {name: values_of(cached) for name, cached in CACHES.items() if not name.startswith("tests.")}
    assert sum(map(bool, filled.values())) > 50
    for name, values in over(filled.items()):
        for value in values:
            try:
                require_frozen(value, 99 if name in DEEP else 1)
            except Unfrozen as found:
                raise AssertionError(name, found) from None


def statistics_of(name: str) -> CacheStatistics:
    """Those of a cache."""
    return next(each for each in cache_statistics() if each.name.endswith(name))


@pytest.mark.parametrize("most", [2, None])
def test_a_cache_is_counted(most: int | None) -> None:
    """Hits, misses and entries as `functools` counts them, and the values that are there, not the keys."""

    @cache(most)
    def doubled(text: str) -> str:
        return text + text

    for text in ("a", "b", "a", "bc"):
        doubled(text)
    held = ["aa", "bcbc"] if most else ["aa", "bb", "bcbc"]
    assert sorted(map(str, values_of(doubled))) == held
    assert statistics_of("doubled")[1:4] == (1, 3, len(held))
    doubled.cache_clear()
    assert values_of(doubled) == []
    assert statistics_of("doubled").entries == 0


def test_bytes_are_those_of_the_values() -> None:
    """A long value takes more; a value that two entries share counts once."""
    held: WeightedCache[int, str] = WeightedCache(10, name="tests.held")
    held.put(1, "a" * 1000)
    first = statistics_of("tests.held").size
    held.put(2, "b" * 5000)
    second = statistics_of("tests.held").size
    assert 1000 < first < 1500 and 5000 < second - first < 5500
    held.put(3, held.get(2) or "")
    assert held.get(4) is None
    last = statistics_of("tests.held")
    assert last[1:4] == (1, 1, 3)
    assert second <= last.size < second + 50


def test_what_is_remembered_by_identity_holds_its_state() -> None:
    """While it is there, no other object gets its identity; an equal state has a value of its own."""
    made: list[object] = []

    @memoize_by_identity(1)
    def length(state: Mapping[str, int]) -> int:
        made.append(state)
        return len(state)

    for _ in range(100):
        assert length({}) == 0  # a new state each time, which would be where the one before was
    assert len({id(each) for each in made}) == len(made) == 100
    state = {"a": 1}
    assert (length(state), length(state), length({"a": 1})) == (1, 1, 1)
    assert len(made) == 102


def test_a_cache_that_is_gone_is_not_registered() -> None:
    """The registry keeps none alive, as of an application that was made for a test."""
    there: Cache | None = WeightedCache(1, name="tests.gone")
    assert CACHES["tests.gone"] is there
    there = None
    assert "tests.gone" not in CACHES
