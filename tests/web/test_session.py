"""The permissions of a browser: forms from our pages only, and keys for their own table only."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tests.support.document import Document
from tests.web.conftest import ORIGIN, Visitor

Visitors = Callable[..., Visitor]

FOREIGN: Mapping[str, Mapping[str, str]] = {
    "another origin": {"Origin": "https://evil.example"},
    "another port": {"Origin": "http://localhost:81"},
    "another scheme": {"Origin": "file://localhost"},
    "no origin at all": {"Origin": "null"},
    "an origin that cannot be read": {"Origin": "http://["},
    "an origin of no address": {"Origin": "http://[::1"},
    "an origin with a host that is none": {"Origin": "http://[v1.x]"},
    "an origin of other letters": {"Origin": "http://localhost\u2100"},
    "a name that begins alike": {"Origin": "http://localhost.evil.example"},
    "another site, it says": {"Origin": ORIGIN, "Sec-Fetch-Site": "cross-site"},
    "a neighbour's site": {"Origin": ORIGIN, "Sec-Fetch-Site": "same-site"},
    "a bookmark": {"Sec-Fetch-Site": "none"},
    "no browser": {},
}
OWN: Mapping[str, Mapping[str, str]] = {
    "an origin": {"Origin": ORIGIN},
    "both": {"Origin": ORIGIN, "Sec-Fetch-Site": "same-origin"},
    "no origin, but one's own site": {"Sec-Fetch-Site": "same-origin"},
}
FORMS = ("", "/play", "/rewind", "/join")


def keys_of(browser: Visitor, table: str) -> dict[str, str]:
    """Role -> key, for a browser's keys of a table."""
    cookie = browser.client.get_cookie("keys", path=table)
    assert cookie is not None
    return dict(item.split(".") for item in cookie.value.split(":"))


@pytest.mark.parametrize("headers", FOREIGN.values(), ids=FOREIGN)
def test_forms_of_other_sites_do_nothing(visitor: Visitors, headers: Mapping[str, str]) -> None:
    """The server rejects every form that another site sends, or a client that is no browser."""
    guest = visitor()
    table = guest.open()
    for action in FORMS:
        fields = {"move": "r b9c9", "version": "1", "to": "1", "key": "k" * 22, "game": "villefranche"}
        answer = guest.post(table + action if action else "/", fields, headers)
        assert answer.status_code == 403, action
        assert not answer.headers.getlist("Set-Cookie")
    assert guest.get(f"{table}?since=1").status_code == 204


@pytest.mark.parametrize("headers", OWN.values(), ids=OWN)
def test_forms_of_our_pages_work(visitor: Visitors, headers: Mapping[str, str]) -> None:
    """The server accepts the forms of its own pages."""
    guest = visitor()
    table = guest.open()
    address, fields = guest.see(f"{table}?move=r+b9c9").form("/play")
    assert guest.post(address, fields, headers).status_code == 303


def test_the_cookie_goes_to_its_table_only(visitor: Visitors) -> None:
    """The keys are in a cookie that no script can read and no other site can send. Browsers send it to its table's
    pages only.
    """
    guest = visitor()
    answer = guest.post("/", {"game": "villefranche"})
    table = answer.headers["Location"]
    (keys,) = (line for line in answer.headers.getlist("Set-Cookie") if line.startswith("keys="))
    parts = [part.strip() for part in keys.split(";")]
    assert {"HttpOnly", "SameSite=Lax", f"Path={table}"} <= set(parts)
    assert "Secure" not in parts
    secure = guest.client.post(
        "/", data={"game": "villefranche"}, headers={"Origin": "https://localhost"}, base_url="https://localhost"
    )
    assert all("Secure" in line for line in secure.headers.getlist("Set-Cookie"))
    other = guest.open()
    assert guest.get(table).status_code == guest.get(other).status_code == 200


def test_no_page_shows_a_key_but_the_one_that_shares_them(visitor: Visitors) -> None:
    """Only the page for sharing shows keys, in links behind a ``#``. No path and no query contains a key."""
    guest = visitor()
    table = guest.open()
    keys = keys_of(guest, table).values()
    assert len(set(keys)) == 4
    for page in ("", "/score", "/moves", "/join", "?at=c4"):
        assert not any(key in guest.get(table + page).text for key in keys)
    shared = guest.get(f"{table}/share").text
    for key in keys:
        assert f"http://localhost{table}#{key}" in shared


def test_a_key_is_taken_from_a_form_only(visitor: Visitors) -> None:
    """A browser joins a table only by posting a key in a form, and may then do only what the key allows."""
    host, guest = visitor(), visitor()
    table = host.open()
    keys = keys_of(host, table)
    assert guest.get(f"{table}?key={keys['white']}").status_code == 401
    for wrong, status in (("", 401), ("x", 401), ("k" * 22, 404), ("<b>", 401), (keys["white"] + "x", 404)):
        assert guest.post(f"{table}/join", {"key": wrong}).status_code == status, wrong
    page = guest.send((f"{table}/join", {}), key=f"http://localhost{table}#{keys['white']}")
    assert "White" in page.text
    first = host.see(f"{table}?move=r+b9c9").form("/play")
    assert guest.post(*first).status_code == 403
    host.send(first)
    guest.place(table, "r g1h1")
    assert "Ask the phone that opened the table" in guest.see(f"{table}/share").text


def test_a_link_that_is_followed_again_leads_to_the_table(visitor: Visitors) -> None:
    """A link with the browser's present key leads to the table; one with another key first asks."""
    host, guest = visitor(), visitor()
    table = host.open()
    keys, cookie = keys_of(host, table), host.client.get_cookie("keys", path=table)
    for browser, role in ((host, "host"), (guest, "white"), (guest, "white")):
        answer = browser.post(f"{table}/join", {"key": keys[role], "by": "link"})
        assert (answer.status_code, answer.headers["Location"]) == (303, table)
    assert host.client.get_cookie("keys", path=table) == cookie
    for browser, role in ((host, "watch"), (guest, "black")):
        asked = browser.post(f"{table}/join", {"key": keys[role], "by": "link"})
        assert asked.status_code == 200
        assert "already at the table" in asked.text
        form = Document(asked.text).form("/join", key=keys[role], by="")
        browser.send(form)
    assert "Watching" in host.get(table).text
    assert "no-transform" in asked.headers["Cache-Control"], "it shows a key"
    wrong = visitor().post(f"{table}/join", {"key": "k" * 22, "by": "link"})
    assert wrong.status_code == 404


def test_a_watcher_only_looks(visitor: Visitors) -> None:
    """A watcher's page has no forms, and the server refuses a watcher's form."""
    host, guest = visitor(), visitor()
    table = host.open()
    cookie = host.client.get_cookie("keys", path=table)
    assert cookie is not None
    page = guest.send((f"{table}/join", {}), key=cookie.value.rpartition(".")[2])
    assert "Watching" in page.text
    assert not page.forms
    answer = guest.post(*host.see(f"{table}?move=r+b9c9").form("/play"))
    assert answer.status_code == 403
    assert any(found.get("role") == "alert" for _, found in Document(answer.text).elements)


def test_personal_pages_are_not_kept(visitor: Visitors) -> None:
    """No cache may store a page. It may store a static file for good: the address changes with the content."""
    guest = visitor()
    table = guest.open()
    for path in ("/", table, f"{table}/share", f"{table}/join", f"{table}?since=1", "/t/" + "A" * 22):
        assert guest.get(path).cache_control.no_store
    page = guest.see("/")
    files = [
        attributes.get("src") or attributes.get("href") or ""
        for tag, attributes in page.elements
        if tag in ("script", "link") and attributes.get("rel") != "expect" and attributes.get("id") != "page-data"
    ]
    assert len(files) == 11
    for file in files:
        with guest.get(file) as answer:
            assert answer.status_code == 200
            assert "immutable" in answer.headers["Cache-Control"]


def test_every_answer_is_held_to_the_policy(visitor: Visitors) -> None:
    """Pages, errors and files have the headers that protect a browser."""
    guest = visitor()
    table = guest.open()
    for path in ("/", table, f"{table}?since=1", "/t/" + "A" * 22, "/nowhere", "/assets/app.js", "/assets/none"):
        with guest.get(path) as answer:
            headers = answer.headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
