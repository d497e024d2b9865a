"""Made-up addresses: a caller from outside the proxies' networks counts as one, whatever its headers say.

Behind a trusted proxy, the owner of one large IPv6 network does not count as many as it has small ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tests.attack.arena import Arena, Request, Row, Target, statuses

COUNT: Final = 60
"""Tables that are requested, each from another address."""
HOME: Final = 10
"""Tables that one home opens in a minute, …"""
LARGEST: Final = 30
"""… and a network of 48 bits."""
NOBODY: Final = "192.0.2.0/24"
"""A network without a proxy; the attacker, on loopback, is not in it."""


def open_tables(target: Target, address: Callable[[int], str]) -> tuple[int, str]:
    """Request tables, each with another address in its headers; returns the number opened, and the statuses."""
    body = b'{"game": "villefranche"}'
    answers = [
        target.ask(
            Request(
                "POST",
                "/api/v1/tables",
                body,
                {"Content-Type": "application/json", "X-Forwarded-For": address(n)},
            )
        )
        for n in range(1, COUNT + 1)
    ]
    return sum(answer.status == 201 for answer in answers), statuses(answers)


def attack(arena: Arena) -> Iterator[Row]:
    """Attack as a stranger at the open port, then as a client of a trusted proxy."""
    with arena.serve(BASTIDE_PROXIES="1", BASTIDE_PROXY_NETS=NOBODY) as target:
        count, told = open_tables(target, lambda n: f"203.0.113.{n}")
        yield Row("a stranger with sixty made-up addresses is one", told, count == HOME)
        hops = target.send("POST", "/api/v1/tables", {"game": "villefranche"}, X_Forwarded_For="1.2.3.4, 192.0.2.1")
        yield Row("nor does it help to make up the proxy", f"{hops.status}", hops.status == 429)
    with arena.serve(BASTIDE_PROXIES="1") as target, target.pulse() as pulse:
        count, told = open_tables(target, lambda n: f"203.0.113.{n}")
        yield Row("a proxy is believed: sixty homes are sixty", told, count == COUNT, control=True)
        count, told = open_tables(target, lambda n: f"name-{n}")
        yield Row("sixty names that are no addresses are one", told, count == HOME)
        count, told = open_tables(target, lambda n: f"2001:db8:1:1::{n:x}")
        yield Row("sixty addresses of a network of 64 bits are one", told, count == HOME)
        count, told = open_tables(target, lambda n: f"2001:db8:2:{n:x}00::1")
        yield Row("sixty networks of one of 48 bits are three", told, count == LARGEST)
        count, told = open_tables(target, lambda n: f"2001:db8:{n + 16:x}::1")
        yield Row("sixty networks of 48 bits are sixty homes", told, count == COUNT, control=True)
    yield Row("meanwhile the service was there", str(pulse), pulse.holds)
