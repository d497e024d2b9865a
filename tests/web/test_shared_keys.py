"""The links of a table on the page that shares it: the host renews and ends them, its own included."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.support.api import application
from tests.support.loops import over
from tests.web.conftest import Visitor

PART = {"HX-Request": "true", "HX-Target": "table"}


@pytest.fixture
def host(app: Flask) -> Visitor:
    """A browser that opens tables."""
    return Visitor(app.test_client())


def links(visitor: Visitor, table: str) -> dict[str, str]:
    """Role -> the key in its link, on the page that shares a table."""
    text = visitor.get(f"{table}/share").text
    return dict(re.findall(r'id="link-(\w+)" readonly value="[^"#]+#([^"]+)"', text))


def sit(app: Flask, table: str, key: str) -> Visitor:
    """Another phone that has joined by this key."""
    guest = Visitor(app.test_client())
    assert guest.post(f"{table}/join", {"key": key}).status_code == 303
    assert guest.get(table).status_code == 200
    return guest


def send(visitor: Visitor, table: str, end: str) -> int:
    """Send a form of the page that shares a table; the status of the answer."""
    return visitor.post(*visitor.see(f"{table}/share").form(end)).status_code


def test_a_new_link_ends_the_old_one_with_its_cookie(host: Visitor, app: Flask) -> None:
    """The old link's phone gets 410 to its next request, with advice, and loses its cookie. The new link works. The
    control: the other links stay.
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
    """The host ends a link, whose fold then says that this phone does not have it, and makes a new one."""
    table = host.open()
    guest = sit(app, table, links(host, table)["watch"])
    assert send(host, table, "/watch/end") == 303
    assert guest.get(table).status_code == 410
    assert "watch" not in links(host, table)
    assert "This phone does not have the link." in host.get(f"{table}/share").text
    assert send(host, table, "/watch/renew") == 303
    sit(app, table, links(host, table)["watch"])


def test_the_host_is_never_locked_out(host: Visitor, app: Flask) -> None:
    """This phone takes the host's new link; the old one works until this phone ends it. So a phone that misses the
    answer can still open the table.
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
    """Pages of other roles have no such forms, and the server refuses theirs with 403."""
    table = host.open()
    address, values = host.see(f"{table}/share").form("/watch/renew")
    before = links(host, table)
    for role in ("black", "watch"):
        guest = sit(app, table, before[role])
        assert "/renew" not in guest.get(f"{table}/share").text
        assert guest.post(address, values).status_code == 403
        assert guest.post(f"{table}/keys/white/end", {"key": "x" * 22}).status_code == 403
    assert links(host, table) == before


def test_no_page_of_a_table_knows_an_ended_key(host: Visitor, app: Flask, redis_url: str) -> None:
    """A worker that had the table cached refuses an ended key; pages of questions and counts then show no names."""
    table = host.open(**{"name-black": "Ada"})
    key = links(host, table)["white"]
    guest = sit(application(redis_url), table, key)
    there = guest.get(f"{table}/what-if").headers.get("Location") or ""
    count = re.sub(r"/(ask|what-if)/", "/count/", there)
    assert "Ada" in guest.get(there).text
    assert send(host, table, "/white/renew") == 303
    for path in over([count, there]):
        guest.client.set_cookie("keys", f"white.{key}", path=table)
        assert "Ada" not in guest.get(path).text
    for path in over(["", "/score", "/moves", "/sheet", "/share", "/readings", "/what-if", "/here", "/board.svg"]):
        guest.client.set_cookie("keys", f"white.{key}", path=table)
        answer = guest.get(table + path)
        assert (answer.status_code, "Ada" in answer.text) == (410, False), path


def test_where_a_form_would_be_sent_is_the_page(host: Visitor) -> None:
    """A GET of such a form's address redirects to the page that shares the table."""
    table = host.open()
    for end in ("renew", "end"):
        answer = host.get(f"{table}/keys/watch/{end}")
        assert (answer.status_code, answer.headers["Location"]) == (303, f"{table}/share")


# --- codes -------------------------------------------------------------------------------------------------------


def code_for(host: Visitor, table: str, role: str) -> str:
    """A new join code, from the page."""
    page = host.post(*host.see(f"{table}/share").form(f"/codes/{role}"))
    assert page.status_code == 200
    found = re.search(r'class="join-code">([^<]+)<', page.text)
    assert found is not None
    return found[1]


def type_code(guest: Visitor, code: str, page: str = "/") -> TestResponse:
    """The answer, after redirects, to a code typed on the first page or on `/join`."""
    address, _ = guest.see(page).form("/join")
    answer = guest.post(address, {"code": code})
    if answer.status_code == 307:  # a browser sends the form again to the new address
        answer = guest.post(answer.headers["Location"], {"code": code})
    return guest.client.get(answer.headers["Location"]) if answer.status_code == 303 else answer


@pytest.mark.parametrize("page", ["/", "/join"])
def test_a_phone_joins_by_a_code(host: Visitor, app: Flask, page: str) -> None:
    """A code typed without a script opens the table in its role, once; a second phone gets 410."""
    table = host.open()
    code = code_for(host, table, "black")
    assert host.get("/join").status_code == 200
    guest, late = Visitor(app.test_client()), Visitor(app.test_client())
    there = type_code(guest, code.lower(), page)
    assert (there.status_code, there.request.path) == (200, table)
    assert guest.client.get_cookie("keys", path=table).value.startswith("black.")  # type: ignore[union-attr]
    assert type_code(late, code, page).status_code == 410
    wrong = type_code(late, "AAAA-AAAA", page)
    assert (wrong.status_code, 'role="alert"' in wrong.text, 'value="AAAA-AAAA"' in wrong.text) == (404, True, True)


def test_a_code_takes_no_key_from_who_is_at_the_table(host: Visitor) -> None:
    """A host who types a seat's code plays that seat and keeps all links; the form works twice."""
    table = host.open()
    code = code_for(host, table, "white")
    assert type_code(host, code).request.path == table
    assert host.client.get_cookie("keys", path=table).value.startswith("white.")  # type: ignore[union-attr]
    assert {"host", "black", "white", "watch"} == set(links(host, table))
    again = host.post(f"{table}/join", {"code": code})
    assert (again.status_code, again.headers["Location"]) == (303, table)


def test_a_code_of_another_table_leads_there(host: Visitor) -> None:
    """A code sent to another table's address is not used up: a redirect leads to its own table, which gets the key."""
    here, there = host.open(), host.open()
    code, own = code_for(host, there, "black"), host.client.get_cookie("keys", path=there)
    led = host.post(f"{here}/join", {"code": code})
    assert (led.status_code, led.headers["Location"]) == (307, f"{there}/join")
    assert type_code(host, code).request.path == there
    held = host.client.get_cookie("keys", path=there)
    assert own is not None
    assert held is not None
    assert {*held.value.split(":")} >= {*own.value.split(":")} - {own.value.split(":")[1]}
    assert host.client.get_cookie("keys", path=here).value.startswith("host.")  # type: ignore[union-attr]


def test_only_the_host_makes_codes_and_none_for_itself(host: Visitor, app: Flask) -> None:
    """There is no code for the host's role, nor a form for it; other roles can make no codes."""
    table = host.open()
    assert "/codes/host" not in host.get(f"{table}/share").text
    refused = host.post(f"{table}/codes/host", {"key": "x" * 22})
    assert (refused.status_code, 'role="alert"' in refused.text) == (422, True)
    guest = sit(app, table, links(host, table)["black"])
    assert "/codes/" not in guest.get(f"{table}/share").text
    assert guest.post(f"{table}/codes/watch", {"key": "x" * 22}).status_code == 403


def test_pages_and_api_count_wrong_codes_together(limited_app: Callable[..., Flask]) -> None:
    """After five wrong codes by page and API, the page answers 429 and keeps the typed code."""
    app = limited_app()
    guest = Visitor(app.test_client())
    for _ in range(3):
        assert type_code(guest, "AAAA-AAAA", "/join").status_code == 404
    for _ in range(2):
        assert app.test_client().post("/api/v1/join", json={"code": "BBBB-BBBB"}).status_code == 404
    late = type_code(guest, "CCCC-CCCC", "/join")
    assert late.status_code == 429
    assert int(late.headers["Retry-After"]) > 0
    assert 'value="CCCC-CCCC"' in late.text
