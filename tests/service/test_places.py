"""Waiting requests, counted per key and per home: neither one home nor streams can take all places."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from service.errors import RateLimited
from service.referee.places import OF_ADDRESS, OF_KEY, STREAMS, WAITS_OF_ADDRESS, Places
from service.runtime.areas import Area


def places_held(stack: ExitStack, places: Places, address: str, wanted: int, *, stream: bool = False) -> int:
    """How many of the wanted places an address gets, each with its own key."""
    for count in range(wanted):
        try:
            stack.enter_context(places.place(f"{address} {count}", [Area(address, 1)], stream=stream))
        except RateLimited:
            return count
    return wanted


def test_one_address_and_one_key_have_so_many_places() -> None:
    """An address and a key have a maximum of places; a freed place can be used again."""
    places = Places()
    with ExitStack() as first:
        assert places_held(first, places, "one", 100) == OF_ADDRESS
        with ExitStack() as second:
            assert places_held(second, places, "another", 100) == OF_ADDRESS
            for count in range(OF_KEY):
                second.enter_context(places.place("shared", [Area(f"phone {count}", 1)]))
            with pytest.raises(RateLimited):
                second.enter_context(places.place("shared", [Area("one more", 1)]))
    with ExitStack() as again:
        assert places_held(again, places, "one", 100) == OF_ADDRESS


def test_the_fewer_places_are_left_the_fewer_an_address_gets() -> None:
    """The fewer places are left, the fewer an address gets, so that late homes still find one while any is left."""
    places = Places(100)
    with ExitStack() as stack:
        got = [places_held(stack, places, f"home {number}", 100) for number in range(20)]
        assert got[0] == 11
        assert min(got) == 1
        assert got == sorted(got, reverse=True)
        assert sum(places_held(stack, places, f"late {number}", 1) for number in range(100)) == 100 - sum(got)
        with pytest.raises(RateLimited):
            stack.enter_context(places.place("key", [Area("after all", 1)]))


def test_streams_get_half_of_the_places() -> None:
    """Streams get half of the places; the next stream is refused with their limit, and polls fill the rest."""
    places = Places(100)
    assert places.streams == 50
    with ExitStack() as stack:
        assert sum(places_held(stack, places, f"home {number}", 9, stream=True) for number in range(99)) == 50
        with pytest.raises(RateLimited) as refused, places.place("key", [Area("one more", 1)], stream=True):
            pass
        assert refused.value.limit == STREAMS
        assert sum(places_held(stack, places, f"late {number}", 1) for number in range(100)) == 50
    with ExitStack() as again:
        assert places_held(again, places, "one", 100, stream=True) == 5


def test_an_address_has_so_many_polls_and_streams_together() -> None:
    """Streams and polls of an address share one limit: its streams leave fewer places to its polls."""
    places = Places()
    with ExitStack() as stack:
        assert places_held(stack, places, "one", 100, stream=True) < OF_ADDRESS
        assert places_held(stack, places, "one", 100) < OF_ADDRESS
        with pytest.raises(RateLimited) as refused, places.place("key", [Area("one", 1)]):
            pass
        assert refused.value.limit == WAITS_OF_ADDRESS
