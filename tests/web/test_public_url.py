"""Shared links name an address that other phones reach, or the page says that there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from flask import Flask

from service import config
from service.http import current
from tests.web.conftest import Visitor
from web.browser.public_url import PublicUrl

HERE_ONLY = "Other phones cannot open"
EVERYWHERE = {"SERVER_NAME": "0.0.0.0", "SERVER_PORT": "8000", "REMOTE_ADDR": "127.0.0.1"}  # noqa: S104  # as gunicorn says it
PUBLISHED_PORT = {**EVERYWHERE, "REMOTE_ADDR": "172.17.0.1"}
"""A container with a published port: requests come from its host machine."""
LAN = "192.0.2.7"

HOSTS: Mapping[str, tuple[str, Mapping[str, str], str | None, tuple[str, bool]]] = {
    "localhost, in a network": ("localhost:8000", EVERYWHERE, LAN, (f"http://{LAN}:8000", False)),
    "its number": ("127.0.0.1:8000", EVERYWHERE, LAN, (f"http://{LAN}:8000", False)),
    "its number of IPv6": ("[::1]:8000", EVERYWHERE, LAN, (f"http://{LAN}:8000", False)),
    "a name of its own": ("bastide.localhost:8000", EVERYWHERE, LAN, (f"http://{LAN}:8000", False)),
    **{
        f"opened as {own}": (f"{own}:8000", EVERYWHERE, LAN, (f"http://{LAN}:8000", False))
        for own in ("localhost.", "a.localhost.", "0", "127.1", "127.9.9.9", "0x7f000001", "2130706433")
    },
    **{
        f"opened as {own}": (f"[{own}]:8000", EVERYWHERE, LAN, (f"http://{LAN}:8000", False))
        for own in ("::", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:0.0.0.0")
    },
    "opened as listened": ("0.0.0.0:8000", EVERYWHERE, LAN, (f"http://{LAN}:8000", False)),
    "everywhere, in no network": ("0.0.0.0:8000", EVERYWHERE, None, ("http://0.0.0.0:8000", True)),
    "by a port that is not ours": ("localhost:8080", EVERYWHERE, LAN, (f"http://{LAN}:8000", False)),
    "a phone's address and another port": (f"{LAN}:8080", EVERYWHERE, LAN, (f"http://{LAN}:8000", False)),
    "everywhere of IPv6": ("localhost:8000", {**EVERYWHERE, "SERVER_NAME": "::"}, LAN, (f"http://{LAN}:8000", False)),
    "by the usual port": ("localhost", EVERYWHERE, LAN, (f"http://{LAN}", False)),
    "by a published port": ("localhost:8080", PUBLISHED_PORT, LAN, ("http://localhost:8000", True)),
    "by the same port, published": ("localhost:8000", PUBLISHED_PORT, LAN, ("http://localhost:8000", True)),
    "by IPv6": ("localhost:8000", {**EVERYWHERE, "REMOTE_ADDR": "::1"}, LAN, (f"http://{LAN}:8000", False)),
    "no name at all": ("localhost:99999", EVERYWHERE, LAN, ("http:", True)),
    "in no network": ("localhost:8000", EVERYWHERE, None, ("http://localhost:8000", True)),
    "heard here only": (
        "localhost:8000",
        {**EVERYWHERE, "SERVER_NAME": "127.0.0.1"},
        LAN,
        ("http://localhost:8000", True),
    ),
    "behind a proxy": ("localhost", {"SERVER_NAME": "localhost"}, LAN, ("http://localhost", True)),
    "a phone's address": (f"{LAN}:8000", EVERYWHERE, "192.0.2.9", (f"http://{LAN}:8000", False)),
    "a public name": ("bastide.example", EVERYWHERE, LAN, ("http://bastide.example", False)),
    "a public number": ("198.51.100.7", PUBLISHED_PORT, LAN, ("http://198.51.100.7", False)),
    "a name that begins alike": ("localhost.example", EVERYWHERE, LAN, ("http://localhost.example", False)),
}


@pytest.mark.parametrize(("host", "environ", "lan", "expected"), HOSTS.values(), ids=HOSTS)
def test_a_link_names_an_address_that_phones_reach(
    app: Flask,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    environ: Mapping[str, str],
    lan: str | None,
    expected: tuple[str, bool],
) -> None:
    """A link replaces a local host name by the machine's address in its network, with the port on which Bastide
    listens. Where that address is unknown, the link is marked as local.
    """
    monkeypatch.setattr(config, "lan_address", lambda _: lan)
    monkeypatch.setitem(app.extensions, current.HOSTS, ())
    with app.test_request_context(headers={"Host": host}, environ_overrides=dict(environ)):
        public = PublicUrl.of_request()
    assert (public.base, public.only_here) == expected


def test_an_address_that_is_refused_is_not_handed_on(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the settings do not allow the network's address, the link is marked as local."""
    monkeypatch.setattr(config, "lan_address", lambda _: LAN)
    for hosts, only_here in (("localhost",), True), (("localhost", LAN), False):
        monkeypatch.setitem(app.extensions, current.HOSTS, hosts)
        with app.test_request_context(headers={"Host": "localhost:8000"}, environ_overrides=EVERYWHERE):
            assert PublicUrl.of_request().only_here is only_here


def test_the_page_says_that_a_link_works_here_only(
    visitor: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages with a link to share say so if other phones cannot open it, and only then."""
    guest = visitor()
    pages = (f"{guest.open()}/share", "/count/villefranche", "/ask/villefranche")
    assert all(HERE_ONLY in guest.see(page).text for page in pages)
    assert "Other phones cannot open “localhost”" in guest.see(pages[0]).text
    assert "Other phones cannot open “localhost:8080”" in guest.get(pages[1], Host="localhost:8080").text
    assert "Les autres téléphones n’atteignent pas" in visitor("fr").see(pages[1]).text
    monkeypatch.setattr(PublicUrl, "of_request", lambda: PublicUrl(f"http://{LAN}:8000", only_here=False))
    for page in pages:
        text = guest.get(page).text
        assert HERE_ONLY not in text
        assert f'value="http://{LAN}:8000/' in text
