"""The first page: the tables of this browser, the games as pictures, and the names that it knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from xml.etree import ElementTree

import pytest
from flask import Flask, Response

from rules import GAMES
from service import schemas
from service.errors import StoreAway
from service.judgements import AttemptedMove
from service.referee.repository import ChangeRequest
from service.referee.use_cases import Referee
from service.storage.connections import Answer, Command, Server
from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.forms import FILLED_FIELDS
from tests.web.conftest import Visitor
from web import portraits
from web.browser import recent_tables
from web.game_pages import AnyPages
from web.games import all_pages
from web.pages.home_list import MAX_READ

Visitors = Callable[..., Visitor]
GAME = GAMES["villefranche"]
MAX_PICTURE = 4_000
"""Bytes of a game's picture on the wire."""


# --- the pictures of the games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", all_pages())
def test_every_game_has_a_small_picture(visitor: Visitors, game: str) -> None:
    """The browser caches the picture for good; its `alt` is empty."""
    guest = visitor()
    (found,) = (
        found
        for tag, found in guest.see("/").elements
        if tag == "img" and (found.get("src") or "").startswith(f"/assets/games/{game}.svg?")
    )
    assert found["alt"] == ""
    answer = guest.get(found["src"] or "", **{"Accept-Encoding": "br"})
    assert answer.mimetype == "image/svg+xml"
    assert "immutable" in answer.headers["Cache-Control"]
    assert len(answer.data) <= MAX_PICTURE
    drawn = ElementTree.fromstring(guest.get(found["src"] or "").data)  # noqa: S314 - our own
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg" and len(drawn) > 2


@pytest.mark.parametrize(("game", "pages"), all_pages().items())
def test_the_picture_is_as_the_board_is_drawn(game: str, pages: AnyPages) -> None:
    """The stored picture equals the board as drawn today; `make portraits` redraws it."""
    assert portraits.portrait(game) == portraits.portrait_svg(game, pages)


def test_what_is_no_game_has_no_picture(visitor: Visitors) -> None:
    """The picture of an unknown game answers 404."""
    assert visitor().get("/assets/games/chess.svg").status_code == 404


# --- the tables of this browser ----------------------------------------------------------------------------------


def test_a_table_is_listed_with_how_it_stands(visitor: Visitors) -> None:
    """A row says the players, who leads and how many moves. A table can be renamed, or removed from the list."""
    guest = visitor()
    table = guest.open(**{"name-black": "Anne", "name-white": "Bruno"})
    guest.place(table, "r b9c9")
    page = guest.see("/")
    assert {table, "#open"} <= set(page.links())
    assert "Anne – Bruno Villefranche · Level, 0–0 1 move, " in page.text
    page = guest.send(page.form("/tables"), title="Sunday <b>")
    assert "Sunday <b> Villefranche · Level, 0–0" in page.text
    assert guest.post("/tables", {"table": table[3:], "title": "\u202eevil"}).status_code == 422
    page = guest.send(page.form("/tables"), do="remove")
    assert table not in page.links()
    assert guest.get(table).status_code == 200


def test_the_picture_of_a_row_is_that_tables_board(visitor: Visitors) -> None:
    """The browser caches the picture; its address changes with the table's version."""
    guest = visitor()
    table = guest.open()

    def picture() -> str:
        sources = [found["src"] or "" for tag, found in guest.see("/").elements if tag == "img"]
        (found,) = (each for each in sources if each.startswith(table))
        return found

    before = picture()
    answer = guest.get(before)
    assert (answer.mimetype, answer.headers["Cache-Control"]) == (
        "image/svg+xml",
        "private, max-age=31536000, immutable",
    )
    assert answer.text == guest.get(f"{table}/board.svg").text
    assert guest.get(f"{table}/board.svg").headers["Cache-Control"] == "no-store"
    guest.place(table, "r b9c9")
    assert picture() != before and guest.get(picture()).text != answer.text


@pytest.fixture
def redis_requests(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Command, ...]]:
    """The commands sent to Redis, request by request."""
    requests: list[tuple[Command, ...]] = []
    ask = Server.ask

    def note(server: Server, *commands: Command) -> list[Answer]:
        requests.append(commands)
        return ask(server, *commands)

    monkeypatch.setattr(Server, "ask", note)
    return requests


def test_thirty_tables_cost_one_question(
    visitor: Visitors, app: Flask, ledger: Ledger, redis_requests: list[tuple[Command, ...]]
) -> None:
    """For unchanged tables one Redis request serves all; of changed ones a page reads at most `MAX_READ`."""
    noon = datetime.now(UTC)
    guest, referee = visitor(), Referee(ledger, now=lambda: noon)
    setups = [{"players": [{"colour": "black", "name": f"Anne {n}"}, {"colour": "white"}]} for n in range(32)]
    opened = [referee.open(GAME.id, schemas.load(schemas.of(GAME).setup, setup)) for setup in setups]
    level = recent_tables.TableStanding("level", ("black", "white"), {"black": 0, "white": 0})
    with app.test_request_context():
        known = [
            recent_tables.with_standing(recent_tables.new_recent_table(new.table, new.keys.host), new.table, level)
            for new in opened
        ]
        cookie = recent_tables.store(Response(), known).headers["Set-Cookie"].split(";")[0].partition("=")[2]
    assert len(cookie) <= recent_tables.MAX_COOKIE
    guest.client.set_cookie("recent", cookie)

    def counts() -> tuple[list[str], int, int, int]:
        redis_requests.clear()
        page = guest.see("/")
        tables = [link[3:] for link in page.links() if link.startswith("/t/")]
        return tables, page.text.count("0 moves"), page.text.count(" 1 move"), len(redis_requests)

    tables, *counted = counts()
    assert tables == [new.table.id for new in opened[: recent_tables.MAX_TABLES]]
    assert counted == [recent_tables.MAX_TABLES, 0, 1]
    for new in opened[5:10]:
        referee.play(ChangeRequest(new.table.id, new.keys.host, 1), [AttemptedMove(GAME.read("r b9c9"))])
    tables, *counted = counts()
    assert counted == [recent_tables.MAX_TABLES - MAX_READ, MAX_READ, 1 + MAX_READ]
    assert tables[:MAX_READ] == [new.table.id for new in opened[5 : 5 + MAX_READ]], "those played last come first"
    assert counts()[1:3] == (recent_tables.MAX_TABLES - 5, 5)


def test_a_game_that_goes_on_outlasts_those_that_are_over(visitor: Visitors, app: Flask, ledger: Ledger) -> None:
    """A full list drops its oldest finished or deleted table first, then its oldest."""
    guest, referee = visitor(), Referee(ledger)
    setup = schemas.load(schemas.of(GAME).setup, {"players": [{"colour": "black"}, {"colour": "white"}]})
    opened = [referee.open(GAME.id, setup) for _ in range(recent_tables.MAX_TABLES)]
    ends = {1: recent_tables.ENDED, 4: recent_tables.GONE_PART}
    with app.test_request_context():
        known = [recent_tables.new_recent_table(new.table, new.keys.host) for new in opened]
        full = [replace(each, end=ends.get(at, "")) for at, each in enumerate(known)]
        guest.client.set_cookie("recent", recent_tables._encode_tables(full))
    expected = [each.table for each in full]
    for goes in (4, 1, -1):
        at = expected.index(full[goes].table)
        expected = [guest.open()[3:], *expected[:at], *expected[at + 1 :]]
        assert _list(app, guest.client.get_cookie("recent").value) == expected  # type: ignore[union-attr]  # it is there


@pytest.mark.parametrize(("over", "left"), [(range(12), range(12, 30)), (range(30), range(30)), ((), range(30))])
def test_names_that_do_not_fit_push_out_what_is_over(app: Flask, over: Sequence[int], left: Sequence[int]) -> None:
    """When names exceed the cookie, finished tables drop out first; the rest is a beginning of `left`."""
    names = [tuple(sha256(bytes([n, seat])).hexdigest()[:40] for seat in range(6)) for n in range(30)]
    tables = [
        recent_tables.RecentTable(
            f"{n:022}", "", GAME.id, (), names[n], "2026-01-01", end=recent_tables.ENDED if n in over else ""
        )
        for n in range(30)
    ]
    with app.test_request_context():
        cookie = recent_tables.store(Response(), tables).headers["Set-Cookie"].split(";")[0].partition("=")[2]
    listed = [int(table) for table in _list(app, cookie)]
    assert 10 < len(listed) < 30
    assert listed == list(left[: len(listed)])


def _list(app: Flask, cookie: str) -> list[str]:
    with app.test_request_context(headers={"Cookie": f"{recent_tables.RECENT}={cookie}"}):
        return [each.table for each in recent_tables.recent_tables()]


def test_a_finished_table_is_folded_away_with_its_winner(visitor: Visitors, ledger: Ledger) -> None:
    """A table joined after its end is folded under *Finished* with its winner; one still in play is not."""
    guest = visitor()
    for number, said in ((20, "Nobody has won yet"), (None, " wins, ")):
        host = visitor()
        table = host.sit(ledger, "fief/three_alone", number)
        keys = host.client.get_cookie("keys", path=table)
        assert keys is not None
        guest.send((f"{table}/join", {}), key=keys.value.partition(".")[2])
        page = guest.see("/")
        assert said in page.text
        assert ("Finished (1)" in page.text) == (number is None)


def test_a_table_that_is_gone_is_folded_away(visitor: Visitors, ledger: Ledger) -> None:
    """A deleted table is folded under *Finished*, with a sentence; following its link removes it from the list."""
    guest = visitor()
    here, gone = guest.open(), guest.open()
    ledger.delete(gone[3:])
    for _ in range(2):
        page = guest.see("/")
        assert "Finished (1)" in page.text and "This table is gone." in page.text
        assert {here, gone} <= set(page.links())
    assert guest.get(gone).status_code == 410
    assert gone not in guest.see("/").links()


def test_the_list_is_there_without_redis(visitor: Visitors, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """While Redis is down, the list shows each table as last seen."""
    guest = visitor()
    table = guest.open(**{"name-black": "Anne"})
    guest.place(table, "r b9c9")

    def away(*_: object) -> None:
        raise StoreAway("it is silent")

    monkeypatch.setattr(Server, "ask", away)
    page = guest.see("/")
    assert "Anne – White Villefranche · Level, 0–0 0 moves, " in page.text


def test_an_id_alone_shows_nothing(visitor: Visitors) -> None:
    """A forged cookie with a table's id and no valid key shows none of the table's names."""
    host, guest = visitor(), visitor()
    table = host.open(**{"name-black": "Anne"})
    played = ("black", "white"), ("", "")
    for version in (0, 1, 2, 2**63 - 1, -1):
        made = recent_tables.RecentTable(table[3:], "x" * 16, "villefranche", *played, "2026-01-01", version=version)
        guest.client.set_cookie("recent", recent_tables._encode_tables([made]))
        page = guest.see("/")
        assert "Anne" not in page.text
        assert ("This table is gone." in page.text) == (version >= 0), version
    assert "Anne" in host.see("/").text


@pytest.mark.parametrize("code", ["leads", "nonsense", ""])
def test_a_cookie_that_was_changed_does_no_harm(visitor: Visitors, code: str) -> None:
    """The first page loads whatever the cookie holds, and escapes its texts."""
    guest = visitor()
    table = guest.open()
    odd = {"code": code, "first": ("purple",), "end": "x", "version": 3}
    for game, seats in (("villefranche", ("black", "purple")), ("chess", ()), ("fief", ("<b>",) * 6)):
        made = recent_tables.RecentTable(table[3:], "", game, seats, seats, "never", "<i>", **odd)  # type: ignore[arg-type]
        guest.client.set_cookie("recent", recent_tables._encode_tables([made]))
        assert "<i>" in guest.see("/").text
    for value in ("", "x", "AAAA", "A" * 4000, recent_tables._encode_tables([])[:-3]):
        guest.client.set_cookie("recent", value)
        assert guest.get("/").status_code == 200


# --- names -------------------------------------------------------------------------------------------------------


class Taps:
    """Taps of a finger: each follows a link or sends a button, and loads the page that answers."""

    def __init__(self, guest: Visitor) -> None:
        self.guest = guest
        self.page = guest.see("/")
        self.count = 0

    def link(self, address: str) -> None:
        """Tap a link."""
        assert address in self.page.links()
        self.count += 1
        self.page = self.guest.see(address)

    def button(self, name: str, value: str) -> None:
        """Tap a button of the form that opens a table, which shows the form again."""
        assert any(
            tag == "button" and (found.get("name"), found.get("value")) == (name, value)
            for tag, found in self.page.elements
        )
        self.count += 1
        address, fields = self.page.form("/")
        answer = self.guest.post(address, {**fields, name: value})
        assert answer.status_code == 200
        self.page = Document(answer.text)

    def names(self) -> list[str]:
        """The names in the form."""
        return [value for name, value in self.page.form("/")[1].items() if name.startswith("name-")]


def test_a_table_opens_in_four_taps(visitor: Visitors) -> None:
    """Four taps: the game, the last players by their names, a swap of two, and the button that opens the table."""
    guest = visitor()
    guest.open(**{"name-black": "Dora", "name-white": "Émile"})
    guest.open(**{"name-black": "Anne", "name-white": "Bruno"})
    taps = Taps(guest)
    taps.link("/?game=villefranche")
    assert taps.names() == ["", ""]
    taps.button("line-up", "0")
    assert taps.names() == ["Anne", "Bruno"]
    taps.button("swap", "name-white")
    assert taps.names() == ["Bruno", "Anne"]
    taps.page = guest.send(taps.page.form("/"))
    assert taps.count + 1 == 4
    assert "Bruno starts with a single piece" in taps.page.text


def test_those_who_sat_together_are_offered_where_they_can_play(visitor: Visitors) -> None:
    """The form offers line-ups of tables where all had names and the game takes as many: each once, newest first."""
    guest = visitor()
    guest.open(**{"name-black": "Bruno", "name-white": "Anne"})
    guest.open(**{"name-black": "Flore"})
    guest.open(**{"name-black": "Anne", "name-white": "Bruno"})
    guest.open(game="villa_paletti", **FILLED_FIELDS["villa_paletti"])
    four = "Anne – Bruno – Chloé – Dora"
    for game, offered in (
        ("villefranche", ["Anne – Bruno"]),
        ("robber_knights", [four, "Anne – Bruno"]),
        ("fief", [four]),
    ):
        page = guest.see(f"/?game={game}")
        assert [text for _, text in page.texts if " – " in text and "Bastide" not in text] == offered
        suggested = [found.get("value") for tag, found in page.elements if tag == "option"]
        assert suggested[:5] == ["Anne", "Bruno", "Chloé", "Dora", "Flore"]
        listed = [found["name"] for tag, found in page.elements if found.get("list") == "known-names"]
        assert listed and all((name or "").startswith("name-") for name in listed)


def test_a_line_up_brings_its_seats(visitor: Visitors) -> None:
    """A line-up sets the number of players and their names; an unknown button changes nothing."""
    guest = visitor()
    guest.open(game="villa_paletti", **FILLED_FIELDS["villa_paletti"])
    taps = Taps(guest)
    taps.link("/?game=fief")
    taps.button("line-up", "0")
    assert taps.names() == ["Anne", "Bruno", "Chloé", "Dora"]
    taps.button("swap", "name-3")
    assert taps.names() == ["Anne", "Chloé", "Bruno", "Dora"]
    fields = taps.page.form("/")[1]
    assert fields["players"] == "4"
    for odd in ({"swap": "name-1"}, {"swap": "colour-2"}, {"line-up": "1"}, {"line-up": "-1"}, {"line-up": "x"}):
        answer = guest.post("/", {**fields, **odd})
        assert (answer.status_code, Document(answer.text).form("/")[1]) == (200, fields)


def test_enter_opens_the_table(visitor: Visitors) -> None:
    """Enter presses a form's first button: here the one that opens the table, without any other effect."""
    guest = visitor()
    guest.open(**{"name-black": "Anne", "name-white": "Bruno"})
    page = guest.see("/?game=villefranche").elements
    start = next(number for number, (tag, found) in enumerate(page) if found.get("id") == "opening")
    first = next(found for tag, found in page[start:] if tag == "button")
    assert not {"name", "formaction", "hx-post"} & first.keys()


def test_to_open_a_table_is_offered_once(visitor: Visitors) -> None:
    """With or without tables, the first page says *Open a table* once."""
    guest = visitor()
    assert guest.see("/").text.count("Open a table") == 1
    guest.open()
    page = guest.see("/")
    assert page.text.count("Open a table") == 1
    assert "#open" in page.links()
