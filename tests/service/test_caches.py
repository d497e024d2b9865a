"""The registry of caches: its counts, and that no caller can change a cached value."""

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
"""Caches of JSON and TOML, checked at every depth; in other caches, only a value and its direct parts are."""


class Unfrozen(Exception):
    """A cached value that can be changed."""


@dataclass
class Open:
    """A dataclass that can be changed."""

    number: int = 1


@dataclass(frozen=True)
class FrozenData:
    """A frozen dataclass, whose part may be mutable."""

    part: Any
    beside: Any = field(default=None, compare=False)


class Pair(NamedTuple):
    """A named tuple."""

    one: Any
    other: Any = ()


def require_frozen(value: object, depth: int = 1) -> None:
    """Raise `Unfrozen` if a value or one of its direct parts is mutable."""
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
    """The parts of a tuple, frozen mapping or dataclass, without the fields that a dataclass does not compare."""
    if isinstance(value, tuple | frozenset):
        yield from value
    elif isinstance(value, MappingProxyType):
        yield from value.values()
    elif is_dataclass(value):
        yield from (getattr(value, each.name) for each in fields(value) if each.compare)


@pytest.mark.parametrize("value", [[], {}, set(), bytearray(), Open(), ([],), Pair({}), FrozenData([])])
def test_what_can_be_changed_is_refused(value: object) -> None:
    """The control: a mutable value, and a frozen one with a mutable part, are refused."""
    with pytest.raises(Unfrozen):
        require_frozen(value)


FROZEN = ["", 1, (1, ""), Pair(1), FrozenData(()), FrozenData(1, []), freeze({"a": [{"b": [1]}]}), Open]


@pytest.mark.parametrize("value", FROZEN)
def test_what_cannot_be_changed_is_not(value: object) -> None:
    """Frozen values pass, also with a mutable field that is not compared."""
    require_frozen(value)


def test_values_in_caches_are_frozen(app: Flask) -> None:
    """After a request to every route, every value in every registered cache is immutable."""
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
    """The statistics of a cache."""
    return next(each for each in cache_statistics() if each.name.endswith(name))


@pytest.mark.parametrize("most", [2, None])
def test_a_cache_is_counted(most: int | None) -> None:
    """Hits, misses and entries are those of `functools`; a cache's values are listed, not its keys."""

    @cache(most)
    def double(text: str) -> str:
        return text + text

    for text in ("a", "b", "a", "bc"):
        double(text)
    held = ["aa", "bcbc"] if most else ["aa", "bb", "bcbc"]
    assert sorted(map(str, values_of(double))) == held
    assert statistics_of("double")[1:4] == (1, 3, len(held))
    double.cache_clear()
    assert values_of(double) == []
    assert statistics_of("double").entries == 0


def test_bytes_are_those_of_the_values() -> None:
    """The size of a cache is that of its values; a value shared by two entries counts once."""
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
    """A cache by identity keeps its state alive, so no other object gets its id; an equal state is another entry."""
    made: list[object] = []

    @memoize_by_identity(1)
    def length(state: Mapping[str, int]) -> int:
        made.append(state)
        return len(state)

    for _ in range(100):
        assert length({}) == 0  # a new state each time, which could reuse the address of the last one
    assert len({id(each) for each in made}) == len(made) == 100
    state = {"a": 1}
    assert (length(state), length(state), length({"a": 1})) == (1, 1, 1)
    assert len(made) == 102


def test_a_cache_that_is_gone_is_not_registered() -> None:
    """The registry keeps no cache alive, such as that of an application made for a test."""
    there: Cache | None = WeightedCache(1, name="tests.gone")
    assert CACHES["tests.gone"] is there
    there = None
    assert "tests.gone" not in CACHES
