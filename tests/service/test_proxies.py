"""Whom the service trusts about a caller's address, and which port its links name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from ipaddress import ip_network
from typing import Any

import pytest
from flask import Flask
from gunicorn.config import Config
from gunicorn.workers.ggevent import GeventWorker

from service.addresses import within
from service.config import Settings
from service.errors import RateLimited
from service.http.proxies import ForwardedHeaders
from service.referee.places import OF_ADDRESS, Places
from service.runtime.areas import areas_of
from service.server.worker import Worker
from tests.support.api import V1, Api, application

TABLE = {"game": "villefranche"}
NETS = tuple(ip_network(each) for each in ("10.0.0.0/8", "fd00::/8", "203.0.113.1/32"))
STRANGER, PROXY, OUTER = "198.51.100.66", "10.0.0.1", "203.0.113.1"

CHAINS: dict[str, tuple[int, str, str | None, str]] = {
    "nobody in front": (1, STRANGER, None, STRANGER),
    "a stranger makes up an address": (1, STRANGER, "192.0.2.1", STRANGER),
    "a stranger makes up a proxy": (2, STRANGER, "192.0.2.1, 10.0.0.1", STRANGER),
    "the proxy": (1, PROXY, "192.0.2.1", "192.0.2.1"),
    "the proxy, of IPv4 in the other form": (1, f"::ffff:{PROXY}", "192.0.2.1", "192.0.2.1"),
    "the proxy, of IPv6": (1, "fd00::1", "2001:db8::1", "2001:db8::1"),
    "the proxy says nothing": (1, PROXY, None, PROXY),
    "what a client made up before the proxy": (1, PROXY, "192.0.2.66, 192.0.2.1", "192.0.2.1"),
    "a client of the proxies' network": (1, PROXY, "192.0.2.66, 10.0.0.9", "10.0.0.9"),
    "two proxies": (2, PROXY, f"192.0.2.1, {OUTER}", "192.0.2.1"),
    "what a client made up before two": (2, PROXY, f"192.0.2.66, 192.0.2.1, {OUTER}", "192.0.2.1"),
    "round the outer proxy": (2, PROXY, f"192.0.2.66, {STRANGER}", STRANGER),
    "round the outer proxy, with a name": (2, PROXY, "192.0.2.66, unknown", "unknown"),
    "a quote before what the proxy adds": (1, PROXY, '"192.0.2.66, 192.0.2.1', "192.0.2.1"),
    "the inner proxy replaces": (2, PROXY, "192.0.2.1", "192.0.2.1"),
    "no proxy is a peer on a socket": (1, "", "192.0.2.1", ""),
}


def environment_behind(most: int, peer: str, **fields: str) -> dict[str, Any]:
    """The environment of a request as the application sees it behind `most` proxies."""
    found: dict[str, Any] = {}

    def inner(environ: dict[str, Any], _: Any) -> Iterable[bytes]:
        found.update(environ)
        return ()

    named = {f"HTTP_X_FORWARDED_{name.upper()}": value for name, value in fields.items()}
    around = {"REMOTE_ADDR": peer, "wsgi.url_scheme": "http", "HTTP_HOST": "localhost", "SERVER_PORT": "8000"}
    ForwardedHeaders(inner, most, NETS)({**around, **named}, lambda *_: lambda _: None)
    return found


@pytest.mark.parametrize(("most", "peer", "told", "caller"), CHAINS.values(), ids=CHAINS)
def test_only_proxies_say_who_calls(most: int, peer: str, told: str | None, caller: str) -> None:
    """The server trusts a hop only in a proxy's network, and only as many hops as its settings name."""
    assert environment_behind(most, peer, **({} if told is None else {"for": told}))["REMOTE_ADDR"] == caller


@pytest.mark.parametrize(
    ("peer", "told", "scheme"),
    [
        (PROXY, "https", "https"),
        (PROXY, "http", "http"),
        (PROXY, "ftp", "http"),
        (PROXY, "javascript", "http"),
        (PROXY, "https://evil.example/", "http"),
        (PROXY, "ftp, https", "https"),
        (PROXY, "https, ftp", "http"),
        (STRANGER, "https", "http"),
    ],
)
def test_a_scheme_is_one_of_two(peer: str, told: str, scheme: str) -> None:
    """The server ignores any other forwarded scheme, and any scheme from a stranger."""
    assert environment_behind(1, peer, proto=told)["wsgi.url_scheme"] == scheme


def test_a_stranger_names_no_host() -> None:
    """The server ignores `X-Forwarded-Host` from a stranger. The control: it accepts it from a proxy."""
    assert environment_behind(1, STRANGER, host="evil.example")["HTTP_HOST"] == "localhost"
    assert environment_behind(1, PROXY, host="play.example")["HTTP_HOST"] == "play.example"


PORTS: dict[str, tuple[str, dict[str, str], str]] = {
    "ours": ("", {"Host": "localhost:8000"}, "http://localhost:8000/"),
    "the usual one": ("", {"Host": "localhost"}, "http://localhost/"),
    "another": ("", {"Host": "localhost:4711"}, "http://localhost:8000/"),
    "another that a stranger forwards": ("", {"Host": "localhost", "X-Forwarded-Port": "4711"}, "http://localhost/"),
    "the proxy's": (
        "1",
        {"Host": "localhost:8443", "X-Forwarded-Port": "8443", "X-Forwarded-Proto": "https"},
        "https://localhost:8443/",
    ),
    "another than the proxy's": (
        "1",
        {"Host": "localhost:4711", "X-Forwarded-Port": "8443", "X-Forwarded-Proto": "https"},
        "https://localhost:8443/",
    ),
    "another than the proxy's usual one": (
        "1",
        {"Host": "localhost:4711", "X-Forwarded-Port": "443", "X-Forwarded-Proto": "https"},
        "https://localhost/",
    ),
    "another in the host that is forwarded": ("1", {"X-Forwarded-Host": "localhost:4711"}, "http://localhost/"),
    "a port that is none": (
        "1",
        {"X-Forwarded-Host": "localhost:4711", "X-Forwarded-Port": "4711@evil"},
        "http://localhost/",
    ),
}


@pytest.mark.parametrize(("proxies", "headers", "base"), PORTS.values(), ids=PORTS)
def test_a_foreign_port_gets_into_no_link(proxies: str, headers: dict[str, str], base: str, redis_url: str) -> None:
    """Links of a table, of a group and of the sharing page never have a port that a client made up."""
    client = application(redis_url, BASTIDE_PROXIES=proxies).test_client()
    around: dict[str, Any] = {"SERVER_NAME": "localhost", "SERVER_PORT": "8000", "REMOTE_ADDR": "127.0.0.1"}
    table = client.post(f"{V1}/tables", json=TABLE, headers=headers, environ_overrides=around).get_json()
    assert {link[: len(base) + 2] for link in links_of(table)} == {f"{base}t/"}
    made = client.post(f"{V1}/groups", json={"name": "Ours"}, headers=headers, environ_overrides=around).get_json()
    assert made["link"].startswith(f"{base}g/")
    held = ":".join(f"{role}.{table['keys'][role]}" for role in ("host", "watch"))
    client.set_cookie("keys", held, path=f"/t/{table['id']}")
    shared = client.get(f"/t/{table['id']}/share", headers=headers, environ_overrides=around)
    assert shared.status_code == 200
    handed_on = re.findall(r'value="(https?://[^"]*)"', shared.text)
    assert {link.startswith(base) for link in handed_on} == {True}
    assert "4711" not in "".join(links_of(table)) + made["link"]


def links_of(table: Any) -> list[str]:
    """All links of a new table."""
    links = table["links"]
    return [links["host"], links["watch"], *links["seats"].values()]


def test_made_up_addresses_open_no_more_tables(limited_app: Callable[..., Flask]) -> None:
    """A stranger with sixty made-up addresses opens ten tables, as with one. The control: a trusted proxy opens 60."""

    def open_at(nets: str) -> int:
        api = Api(limited_app(BASTIDE_PROXIES="1", BASTIDE_PROXY_NETS=nets))
        sent = ({"X-Forwarded-For": f"203.0.113.{n}"} for n in range(60))
        return sum(api.post(f"{V1}/tables", TABLE, headers=each).status_code == 201 for each in sent)

    assert open_at("10.0.0.0/8") == 10
    assert open_at("127.0.0.0/8") == 60


def test_names_that_are_no_addresses_are_one(limited_app: Callable[..., Flask]) -> None:
    """Forwarded names that are no addresses all count as one."""
    api = Api(limited_app(BASTIDE_PROXIES="1"))
    sent = ({"X-Forwarded-For": name} for name in ("a", "b", "198.51.100.1:http", "[::1", "'", '"x', *"cdefg"))
    assert sum(api.post(f"{V1}/tables", TABLE, headers=each).status_code == 201 for each in sent) == 10


def test_without_a_word_loopback_and_private_networks_are_trusted() -> None:
    """By default, loopback and private networks are trusted as proxies, and no public ones."""
    nets = Settings.of({}).proxy_nets
    assert {str(net) for net in nets} == {
        "127.0.0.0/8",
        "::1/128",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "fc00::/7",
    }


class GoneConnection:
    """A connection that closes at once."""

    def close(self) -> None:
        """Do nothing: no connection is open."""


CROWDS: dict[str, tuple[Callable[[int], str], int]] = {
    "an address": (lambda _: "198.51.100.1", 2),
    "a network of 64 bits": (lambda n: f"2001:db8:1:1::{n:x}", 2),
    "a network of 56 bits": (lambda n: f"2001:db8:1:{n:x}::1", 4),
    "a network of 48 bits": (lambda n: f"2001:db8:1:{n:x}00::1", 6),
    "a proxy": (lambda _: PROXY, 20),
    "many addresses": (lambda n: f"198.51.100.{n}", 20),
}


@pytest.mark.parametrize(("address", "most"), CROWDS.values(), ids=CROWDS)
def test_nobody_but_a_proxy_has_all_connections(
    address: Callable[[int], str], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of twenty open connections, a home or a larger network gets its share; only a proxy gets all."""
    made: Any = object.__new__(Worker)
    made.cfg, made._open, made._most_of_one, made._is_proxy = Config(), Counter(), 2, within(NETS)
    coming = iter([address(n) for n in range(1, 21)])
    served = []

    def serve(_worker: Any, _listener: Any, _client: Any, addr: tuple[str, int]) -> None:
        served.append(addr[0])
        for other in coming:
            made.handle(None, GoneConnection(), (other, 4711))

    monkeypatch.setattr(GeventWorker, "handle", serve)
    made.handle(None, GoneConnection(), (next(coming), 4711))
    assert len(served) == most
    assert not made._open, "whoever has gone is not counted"


def test_small_networks_do_not_wait_for_many() -> None:
    """Waiting polls from many small networks count for the largest network, which has its share."""
    places = Places()
    with ExitStack() as stack:
        for n in range(1, 3 * OF_ADDRESS + 1):
            stack.enter_context(places.place(f"key {n}", areas_of(f"2001:db8:1:{n:x}00::1")))
        with pytest.raises(RateLimited):
            stack.enter_context(places.place("one more", areas_of("2001:db8:1::1")))
        stack.enter_context(places.place("another", areas_of("2001:db8:2::1")))
