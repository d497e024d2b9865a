"""The links of a table on the page that shares it: its host makes new ones and ends old ones, its own too."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from tests.web.conftest import Visitor

PART = {"HX-Request": "true", "HX-Target": "table"}


@pytest.fixture
def host(app: Flask) -> Visitor:
    """Somebody who opens tables."""
    return Visitor(app.test_client())


def links(visitor: Visitor, table: str) -> dict[str, str]:
    """The links on the page that shares a table, by their roles."""
    text = visitor.get(f"{table}/share").text
    return dict(re.findall(r'id="link-(\w+)" readonly value="[^"#]+#([^"]+)"', text))


def sit(app: Flask, table: str, key: str) -> Visitor:
    """Another phone that has followed a link."""
    guest = Visitor(app.test_client())
    assert guest.post(f"{table}/join", {"key": key}).status_code == 303
    assert guest.get(table).status_code == 200
    return guest


def send(visitor: Visitor, table: str, end: str) -> int:
    """Send a form of the page that shares a table; the status of the answer."""
    return visitor.post(*visitor.see(f"{table}/share").form(end)).status_code


def test_a_new_link_ends_the_old_one_with_its_cookie(host: Visitor, app: Flask) -> None:
    """The phone with the old link hears at once what to do, also where it asks for news, and its cookie is deleted. The
    host passes the new link on, and the other links, the control, stay.
    """
    table = host.open()
    before = links(host, table)
    one, other = sit(app, table, before["black"]), sit(app, table, before["white"])
    assert send(host, table, "/black/renew") == 303
    after = links(host, table)
    assert {role for role in before if before[role] != after[role]} == {"black"}
    part = one.get(f"{table}?since=1", **PART)
    assert part.status_code == 410
    assert "Ask the host for a new one" in part.text
    assert f'href="{table}/join"' in part.text
    assert "keys=;" in part.headers["Set-Cookie"]
    again = one.get(table)
    assert again.status_code == 401
    assert other.get(table).status_code == 200
    sit(app, table, after["black"])
    assert one.post(f"{table}/join", {"key": before["black"]}).status_code == 410
    assert "New key: Black" in host.get(f"{table}/moves").text


def test_a_link_is_ended_and_made_again(host: Visitor, app: Flask) -> None:
    """Its fold says that this phone does not have it, until there is a new one."""
    table = host.open()
    guest = sit(app, table, links(host, table)["watch"])
    assert send(host, table, "/watch/end") == 303
    assert guest.get(table).status_code == 410
    assert "watch" not in links(host, table)
    assert "This phone does not have the link." in host.get(f"{table}/share").text
    assert send(host, table, "/watch/renew") == 303
    sit(app, table, links(host, table)["watch"])


def test_the_host_is_never_locked_out(host: Visitor, app: Flask) -> None:
    """A new link of the host becomes that of this phone; the old one holds until this phone ends the others. Had the
    answer been lost, the old one would still open the table.
    """
    table = host.open()
    old = links(host, table)["host"]
    lost = sit(app, table, old)
    address, values = lost.see(f"{table}/share").form("/host/renew")
    client = app.test_client()
    client.set_cookie("keys", f"host.{old}", path=table)
    assert client.post(address, data=values, headers={"Origin": "http://localhost"}).status_code == 303
    assert lost.get(table).status_code == 200
    assert send(host, table, "/host/renew") == 303
    new = links(host, table)["host"]
    assert new != old
    assert sit(app, table, old).get(table).status_code == 200
    assert send(host, table, "/host/end") == 303
    assert lost.get(table).status_code == 410
    assert host.get(table).status_code == 200
    assert links(host, table)["host"] == new
    assert 'class="to-table"' in host.get("/").text


def test_nobody_but_the_host_makes_or_ends_links(host: Visitor, app: Flask) -> None:
    """The forms are on no other phone's page, and are refused from there."""
    table = host.open()
    address, values = host.see(f"{table}/share").form("/watch/renew")
    before = links(host, table)
    for role in ("black", "watch"):
        guest = sit(app, table, before[role])
        assert "/renew" not in guest.get(f"{table}/share").text
        assert guest.post(address, values).status_code == 403
        assert guest.post(f"{table}/keys/white/end", {"key": "x" * 22}).status_code == 403
    assert links(host, table) == before


def test_where_a_form_would_be_sent_is_the_page(host: Visitor) -> None:
    """Whoever loads such an address again is led there."""
    table = host.open()
    for end in ("renew", "end"):
        answer = host.get(f"{table}/keys/watch/{end}")
        assert (answer.status_code, answer.headers["Location"]) == (303, f"{table}/share")
