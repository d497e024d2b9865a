"""Public views on the page that shares a table: its host makes, shares and revokes them."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.web.conftest import Visitor


@pytest.fixture
def host(app: Flask) -> Visitor:
    """A browser that opens tables."""
    return Visitor(app.test_client())


def view_links(host: Visitor, table: str) -> list[str]:
    """The links of the public views on the page that shares a table."""
    return re.findall(r'value="http://localhost(/p/[^"]+)"', host.get(f"{table}/share").text)


def make(host: Visitor, table: str, **fields: str) -> TestResponse:
    """Send the form that makes a view; a given field ticks its box."""
    address, values = host.see(f"{table}/share").form("/views")
    return host.post(address, {"key": values["key"], **fields})


def test_the_host_makes_passes_on_and_revokes_a_view(host: Visitor, app: Flask) -> None:
    """The page has the view's link until the host revokes it; a browser without a cookie can open it."""
    table = host.open(**{"name-black": "Ada"})
    address, values = host.see(f"{table}/share").form("/views")
    for _ in range(2):  # sent again, it makes no second view
        answer = host.post(address, {"key": values["key"], "label": "Club", "names": "yes"})
        assert answer.status_code == 303
    (link,) = view_links(host, table)
    guest = Visitor(app.test_client())
    assert "Ada" in guest.get(link).text
    assert "Public view made" in host.get(f"{table}/moves").text
    host.send(host.see(f"{table}/share").form("/revoke"))
    assert view_links(host, table) == []
    assert guest.get(link).status_code == 410


def test_what_was_typed_stays_where_no_view_is_made(host: Visitor) -> None:
    """An invalid label is refused on the same page, whose ticks stay."""
    table = host.open()
    answer = make(host, table, label="\u200b", from_now="yes")
    assert answer.status_code == 422
    assert re.search(r'name="from_now" value="yes" checked', answer.text)
    assert 'role="alert"' in answer.text
    assert view_links(host, table) == []


def test_nobody_but_the_host_sees_them(host: Visitor, app: Flask) -> None:
    """Pages of other roles have neither links nor forms, and the server refuses these forms."""
    table = host.open()
    assert make(host, table, label="Club").status_code == 303
    key = re.search(rf"{table}#([A-Za-z0-9_-]+)", host.get(f"{table}/share").text)
    assert key is not None
    guest = Visitor(app.test_client())
    guest.send(guest.see(f"{table}/join").form("/join"), key=key[1])
    page = guest.get(f"{table}/share").text
    assert "/p/" not in page
    assert "/views" not in page
    assert guest.post(f"{table}/views", {"label": "Mine"}).status_code == 403
    assert guest.post(f"{table}/views/1/revoke", {"key": "x" * 16}).status_code == 403
    assert len(view_links(host, table)) == 1
