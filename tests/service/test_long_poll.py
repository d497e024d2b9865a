"""Polls that wait, counted by key and by home; whatever one home does, the next finds a place."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from service.errors import RateLimited
from service.referee.long_poll import OF_ADDRESS, OF_KEY, PendingPolls
from service.runtime.areas import Area


def places_held(stack: ExitStack, waits: PendingPolls, address: str, wanted: int) -> int:
    """How many of so many places an address gets and keeps, each with a key of its own."""
    for count in range(wanted):
        try:
            stack.enter_context(waits.place(f"{address} {count}", [Area(address, 1)]))
        except RateLimited:
            return count
    return wanted


def test_one_address_and_one_key_have_so_many_places() -> None:
    """A place that was left is free again, and another address has its own."""
    waits = PendingPolls()
    with ExitStack() as first:
        assert places_held(first, waits, "one", 100) == OF_ADDRESS
        with ExitStack() as second:
            assert places_held(second, waits, "another", 100) == OF_ADDRESS
            for count in range(OF_KEY):
                second.enter_context(waits.place("shared", [Area(f"phone {count}", 1)]))
            with pytest.raises(RateLimited):
                second.enter_context(waits.place("shared", [Area("one more", 1)]))
    with ExitStack() as again:
        assert places_held(again, waits, "one", 100) == OF_ADDRESS


def test_the_fewer_places_are_left_the_fewer_an_address_gets() -> None:
    """Homes that take all they can do not keep the next one from waiting, until there are as many homes as places."""
    waits = PendingPolls(places=100)
    with ExitStack() as stack:
        got = [places_held(stack, waits, f"home {number}", 100) for number in range(20)]
        assert got[0] == 11
        assert min(got) == 1
        assert got == sorted(got, reverse=True)
        assert sum(places_held(stack, waits, f"late {number}", 1) for number in range(100)) == 100 - sum(got)
        with pytest.raises(RateLimited):
            stack.enter_context(waits.place("key", [Area("after all", 1)]))
