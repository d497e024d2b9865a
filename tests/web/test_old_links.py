"""Links shared earlier: each still leads to its position, its move and its view."""

from __future__ import annotations

import base64
import tomllib
import zlib
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from rules import GAMES
from tests.e2e.game import MOVES
from tests.support.count_pages import text_of
from tests.support.document import Document
from tests.web.conftest import Visitor
from web.panels.editor.position import entry_of
from web.position_url import Trail, readable_part

Visitors = Callable[..., Visitor]
LINKS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("old_links.toml").read_text("utf-8"))["link"]


@pytest.mark.parametrize("link", LINKS, ids=lambda link: link["name"])
def test_a_link_of_before_leads_where_it_led(visitor: Visitors, link: dict[str, Any]) -> None:
    """A link of each kind, at a table like its own, shows the same sentences, and a cell of its board leads on."""
    guest = visitor()
    table = guest.open(**{"name-black": "Ada", "name-white": "Grace"})
    for move in MOVES[:24]:
        guest.place(table, move)
    address = link["address"].format(table=table.removeprefix("/t/"))
    page = guest.client.get(address, follow_redirects=True)
    assert page.status_code == 200
    assert [text for text in link["said"] if text not in unescape(page.text)] == []
    cell = next(href for href in Document(page.text).links() if "at=b5" in href or "paint=b5" in href)
    assert guest.client.get(urljoin(page.request.path, cell), follow_redirects=True).status_code == 200


def test_every_kind_of_link_is_there() -> None:
    """The recorded links are of seven kinds: to counts, questions and pages of tables."""
    assert {link["address"].partition("?")[0].split("/")[1] for link in LINKS} == {"ask", "count", "t"}
    assert len({link["name"] for link in LINKS}) == 7


def test_of_a_link_that_was_cut_the_rest_is_kept(visitor: Visitors) -> None:
    """A cut text gives the cells before the cut; a cut tap gives the whole tap before; damaged JSON gives nothing."""
    shop = [{"piece": "cube", "colour": "black"}, {"piece": "pyramid", "colour": "black"}]
    text = text_of({"setup": {}, "position": {"cells": {f"{column}4": shop for column in "bcdefgh"}, "due": "white"}})
    game = GAMES["villefranche"]
    counts: list[int] = []
    for n in range(len(text)):
        known = readable_part(game, entry_of(game), text[:n], asks=True)
        position: Any = Trail.of(known).steps[-1]["position"] if known else {}
        counts.append(len(position.get("cells", {})))
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 7)
    assert "b4, Black’s shop" in visitor().get(f"/ask/villefranche/{known}").text
    tap = Trail.of(text).steps[0]
    taps = Trail((tap, {**tap, "position": {"cells": {"b4": shop}, "due": "black"}})).text()
    before: Any = Trail.of(readable_part(game, entry_of(game), taps[:-2], asks=True) or "").steps[-1]["position"]
    assert len(before["cells"]) == 7, "the whole tap before, and not a part of the last"
    for deep in (b"[" * 99_999, b"[," * 50_000, b'[{"a":' * 9_999):
        squeezer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        bad = base64.urlsafe_b64encode(squeezer.compress(deep) + squeezer.flush()).decode().rstrip("=")
        assert readable_part(game, entry_of(game), bad, asks=True) is None


@pytest.mark.parametrize("page", ["ask", "count"])
def test_a_link_of_which_nothing_is_left_leads_to_the_board_of_its_table(visitor: Visitors, page: str) -> None:
    """Without a readable text the page leads to the table's board; a phone without a key gets a blank one."""
    guest = visitor()
    table = guest.open()
    guest.place(table, MOVES[0])
    now = guest.client.get(f"{table}/{page}/villefranche?at=b5")
    assert (now.status_code, now.headers["Location"].endswith("?at=b5")) == (303, True)
    assert f'id="close" href="{table}"' in guest.get(now.headers["Location"]).text
    bad = guest.get(f"{table}/{page}/villefranche/AAAA")
    assert "This link holds no board of Villefranche" in bad.text
    assert "It was cut off, or its letters were changed." in bad.text
    [onward] = [found["href"] for _, found in Document(bad.text).elements if found.get("id") == "onward"]
    assert onward == now.headers["Location"].removesuffix("?at=b5")
    assert "Begin with the board of the table" in bad.text
    assert visitor().get(f"{table}/{page}/villefranche").status_code == 200


def test_a_bad_link_at_a_table_leads_to_its_board(visitor: Visitors) -> None:
    """For an unreadable position the page answers 422 and links to the board of the log."""
    guest = visitor()
    table = guest.open()
    answer = guest.get(f"{table}/here/AAAA")
    assert answer.status_code == 422
    assert "It was cut off, or its letters were changed." in answer.text
    assert f'href="{table}/here"' in answer.text
    assert guest.get(f"{table}/here").status_code == 303
