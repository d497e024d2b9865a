"""Links that were shared before: each still leads to the position, the move and the way of looking that it holds."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from tests.e2e.game import MOVES
from tests.web.conftest import Visitor

Visitors = Callable[..., Visitor]
LINKS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("old_links.toml").read_text("utf-8"))["link"]


@pytest.mark.parametrize("link", LINKS, ids=lambda link: link["name"])
def test_a_link_of_before_leads_where_it_led(visitor: Visitors, link: dict[str, Any]) -> None:
    """One of each kind, at a table like the one that it was made at; and each cell of its board leads on."""
    guest = visitor()
    table = guest.open(**{"name-black": "Ada", "name-white": "Grace"})
    for move in MOVES[:24]:
        guest.place(table, move)
    address = link["address"].format(table=table.removeprefix("/t/"))
    page = guest.get(address)
    assert page.status_code == 200
    assert [text for text in link["said"] if text not in unescape(page.text)] == []
    cell = next(href for href in guest.see(address).links() if "at=b5" in href or "paint=b5" in href)
    assert guest.client.get(urljoin(address, cell), follow_redirects=True).status_code == 200


def test_every_kind_of_link_is_there() -> None:
    """The pages that were: to count, to paint, to ask about a position and a move, at a table and before an entry."""
    assert {link["address"].partition("?")[0].split("/")[1] for link in LINKS} == {"ask", "count", "t"}
    assert len({link["name"] for link in LINKS}) == 7
