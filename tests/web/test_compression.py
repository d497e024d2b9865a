"""Answers are compressed for clients that accept it, except pages with keys."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import brotli  # type: ignore[import-untyped]  # it has no types
import pytest
from flask_compress.compat import compression

from rules import GAMES
from service.storage.ledger import Ledger
from tests.support.api import Api
from tests.support.document import Document
from tests.support.loops import over
from tests.web.conftest import Visitor
from web import assets

Visitors = Callable[..., Visitor]
DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "br": brotli.decompress,
    "gzip": gzip.decompress,
    "zstd": compression.zstd.decompress,
}
BROWSER = "gzip, deflate, br, zstd"
PLAIN = "gzip, deflate"
"""What browsers accept over HTTPS (`BROWSER`), and over plain HTTP."""
FILES = 30_000
"""The most bytes of a table's scripts and styles."""

VIEW = 8_000
"""The most bytes of a table's page."""


@pytest.mark.parametrize("coding", DECODERS)
def test_a_page_is_the_same_in_every_coding(coding: str, visitor: Visitors) -> None:
    """Every coding decodes to the plain page; `Vary` keeps them apart in caches."""
    guest = visitor("en")
    plain = guest.get("/rules/fief")
    sent = guest.get("/rules/fief", **{"Accept-Encoding": coding})
    assert (plain.headers.get("Content-Encoding"), sent.headers["Content-Encoding"]) == (None, coding)
    assert DECODERS[coding](sent.data) == plain.data
    assert len(sent.data) < len(plain.data) / 3
    for answer in (plain, sent):
        assert {"Accept-Encoding", "Cookie"} <= set(answer.vary)


@pytest.mark.parametrize("coding", assets.PACKERS)
def test_files_are_packed(coding: str, visitor: Visitors) -> None:
    """A table's scripts and styles are small, decode to the plain files, and may be cached for good."""
    guest = visitor("en")
    own = {f"/assets/inks/{game}.css?v=1" for game in GAMES}
    paths = own | set(guest.see(guest.open()).files())
    assert len(paths) >= len(own) + 4
    sizes = {}
    for path in paths:
        with guest.get(path) as plain, guest.get(path, **{"Accept-Encoding": coding}) as sent:
            assert sent.headers["Content-Encoding"] == coding
            assert DECODERS[coding](sent.data) == plain.data
        assert sent.headers["Cache-Control"].endswith("immutable")
        assert "Accept-Encoding" in sent.vary
        with guest.get(path, **{"Accept-Encoding": coding, "If-None-Match": sent.headers.get("ETag", "")}) as again:
            assert again.status_code == (304 if "ETag" in sent.headers else 200)
        sizes[urlsplit(path).path] = len(sent.data)
    assert guest.get("/assets/inks/nothing.css").status_code == 404
    inks = [sizes.pop(urlsplit(path).path) for path in own]  # a table's page loads one game's
    assert sum(size for path, size in sizes.items() if path.endswith((".js", ".css"))) + max(inks) <= FILES


@pytest.mark.parametrize("name", ["architekton/box_and_series", "robber_knights/four_and_much_stood"])
def test_a_first_view_is_small(name: str, visitor: Visitors, ledger: Ledger) -> None:
    """A finished game's page with a large board, in French, is small by gzip."""
    guest = visitor("fr")
    table = guest.sit(ledger, name)
    view = guest.get(table, **{"Accept-Encoding": PLAIN})
    assert view.headers["Content-Encoding"] == "gzip"
    assert len(view.data) <= VIEW


def test_files_say_nothing_to_people(visitor: Visitors) -> None:
    """Our scripts and styles are sent without comments; other files are sent unchanged."""
    guest = visitor("en")
    folder = Path(assets.__file__).with_name("static")
    files = (*Document(guest.get("/").text).files(), "/assets/icon.svg")
    for path in over(path for path in files if "/games/" not in path):  # those are made from the game's own file
        name = urlsplit(path).path.rpartition("/")[2]
        with guest.get(path) as sent:
            if name == assets.INKS:
                assert sent.status_code == 200
            elif name.endswith((".css", ".js")) and ".min." not in name:
                assert len(sent.data) < len(folder.joinpath(name).read_bytes()) * 0.9
                assert not re.search(rb"/[*] |^ *// |\n\n", sent.data, re.MULTILINE), name
            else:
                assert sent.data == folder.joinpath(name).read_bytes()


def test_what_shows_a_key_is_sent_as_it_is(visitor: Visitors) -> None:
    """A page with keys is never compressed; the control: other pages are, and contain no key."""
    guest = visitor("en")
    table = guest.open()
    keys = [item.partition(".")[2] for item in guest.client.get_cookie("keys", path=table).value.split(":")]  # type: ignore[union-attr]  # it is there
    share = guest.get(f"{table}/share", **{"Accept-Encoding": BROWSER})
    assert any(key in share.text for key in keys)
    assert "Content-Encoding" not in share.headers
    for path in ("/", table, f"{table}/moves", f"{table}/score", f"{table}/join"):
        plain, sent = guest.get(path), guest.get(path, **{"Accept-Encoding": BROWSER})
        assert sent.headers["Content-Encoding"] in DECODERS
        assert not any(key in plain.text for key in keys), path


def test_a_program_gets_the_version_it_can_send_back(api: Api) -> None:
    """A table's `ETag` is its version in every coding, and `If-None-Match` accepts it."""
    table = api.open(["r b9c9"])
    headers = {"Accept-Encoding": PLAIN, "Authorization": f"Bearer {table.host}"}
    there = api.http.get(table.path, headers=headers)
    assert (there.headers["Content-Encoding"], there.headers["ETag"]) == ("gzip", '"2"')
    assert gzip.decompress(there.data) == api.get(table.path, key=table.host).data
    same = api.http.get(table.path, headers=headers | {"If-None-Match": there.headers["ETag"]})
    assert same.status_code == 304


@pytest.mark.parametrize("accepted", ["", "identity", "compress", "gzip;q=0", "x" * 1000, ";;,,"])
def test_an_odd_wish_is_answered_plainly(accepted: str, visitor: Visitors) -> None:
    """For an empty, unknown or invalid `Accept-Encoding`, the answer is not compressed."""
    guest = visitor("en")
    for path in ("/", Document(guest.get("/").text).files()[0]):
        with guest.get(path, **{"Accept-Encoding": accepted}) as answer:
            assert (answer.status_code, answer.headers.get("Content-Encoding")) == (200, None)
