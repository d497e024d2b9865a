"""The parts of the pages that a phone installs, and the moves that it can choose from without a connection."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

import pytest

from rules import GAMES
from service.i18n.languages import LANGUAGES
from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.records import record_of, records_of
from tests.support.tables import recorded_table
from tests.web.conftest import Visitor
from web.pages.offline_moves import MOST

Visitors = Callable[..., Visitor]


def link_of(page: Document, rel: str) -> str:
    """The address of the `link` element with this `rel`."""
    (found,) = (attributes["href"] for tag, attributes in page.elements if tag == "link" and attributes["rel"] == rel)
    return found or ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_can_be_installed(language: str, visitor: Visitors) -> None:
    """The manifest is in the page's language and cached for good; each icon loads in its stated size."""
    guest = visitor(language)
    answer = guest.get(link_of(guest.see("/"), "manifest"))
    assert answer.mimetype == "application/manifest+json"
    assert answer.headers["Cache-Control"].endswith("immutable")
    told = answer.get_json(force=True)
    assert (told["lang"], told["start_url"], told["display"]) == (language, "/", "standalone")
    assert ("judges" in told["description"]) == (language == "en")
    sizes = {(icon["purpose"], icon["sizes"]) for icon in told["icons"]}
    assert {("any", "192x192"), ("any", "512x512"), ("maskable", "512x512")} <= sizes
    for icon in told["icons"]:
        with guest.get(icon["src"]) as picture:
            assert picture.mimetype == icon["type"]
            if icon["type"] == "image/png":
                assert "{}x{}".format(*struct.unpack(">II", picture.data[16:24])) == icon["sizes"]


def test_a_phone_finds_an_icon_without_a_manifest(visitor: Visitors) -> None:
    """The icon for phones that read no manifest loads."""
    guest = visitor()
    with guest.get(link_of(guest.see("/"), "apple-touch-icon")) as picture:
        assert picture.status_code == 200
        assert picture.data.startswith(b"\x89PNG")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_without_a_connection_stands_alone(language: str, visitor: Visitors) -> None:
    """The page has no cookie, is cached for good, in its address's language, and each of its files loads."""
    guest = visitor(language)
    address = guest.see(guest.open()).data["site"]["offline"]
    answer = visitor("fr" if language == "en" else "en").get(address)
    assert answer.headers["Cache-Control"].endswith("immutable")
    assert not answer.headers.getlist("Set-Cookie")
    assert ("No connection" in answer.text) == (language == "en")
    files = set(re.findall(r'"(/assets/[^"]+)"', answer.text))
    needed = {"app.js", "app.css", "offline.js", "offline.css", "outbox_list.js", "sending.js", "waits.js"}
    needed |= {"board.js", "touch.js", "inks.css"}  # it shows the last board
    assert {re.sub(r".*/|\?.*", "", name) for name in files} >= needed
    for name in files:
        with guest.get(name) as file:
            assert (file.status_code, "immutable" in file.headers["Cache-Control"]) == (200, True)


def test_the_service_worker_is_always_the_newest(visitor: Visitors) -> None:
    """The service worker is at the root, for all pages, and is never cached."""
    guest = visitor()
    address = guest.see("/app/en/offline").data["site"]["worker"]
    with guest.get(address) as worker:
        assert (address.count("/"), worker.mimetype) == (1, "text/javascript")
        assert worker.headers["Cache-Control"] == "no-store"
        assert "worker-src 'self'" in worker.headers["Content-Security-Policy"]


@pytest.mark.parametrize("record", ["villefranche/five_buildings", "fief/three_alone"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_legal_moves_are_handed_out_ahead(record: str, language: str, visitor: Visitors, ledger: Ledger) -> None:
    """Each legal move has words, cells and the player due after it; once placed, that player is due."""
    guest = visitor(language)
    table = guest.sit(ledger, record, 20)
    told = guest.get(f"{table}/ahead").get_json()
    assert told["version"] == 21
    page = guest.see(f"{table}?move={told['moves'][-1][0]}")
    cells = {found.get("id") for _, found in page.elements}
    seats = dict(told["seats"])
    assert seats[told["due"]] in page.text
    for notation, words, kind, touched, then, apart in told["moves"]:
        assert notation
        assert words[0] == words[0].upper()
        assert told["kinds"][kind] == told["kinds"][kind][:1].upper() + told["kinds"][kind][1:]
        assert {f"c-{key}" for key in touched} <= cells
        assert then in seats
        assert told["passes"][then][told["due"]] == then
        assert sorted(told["passes"][then]) == sorted(told["passes"][then].values()) == sorted(seats)
        assert not apart
    last, *_, then, _ = told["moves"][-1]
    guest.send(page.form("/play", move=last))
    assert guest.get(f"{table}/ahead").get_json()["due"] == then


@pytest.mark.parametrize("game", GAMES)
def test_each_move_has_a_picture_and_cells_where_it_lies(game: str, visitor: Visitors, ledger: Ledger) -> None:
    """Each picture is sent once per player; its symbols are on the page, and its cells on the board."""
    guest = visitor()
    name = max((f"{game}/{path.stem}" for path in records_of(game)), key=lambda name: len(record_of(name)["moves"]))
    table = guest.sit(ledger, name, len(record_of(name)["moves"]) // 2)
    page, told = guest.see(table), guest.get(f"{table}/ahead").get_json()
    there = {found.get("id") for _, found in page.elements}
    assert len(told["ghosts"]) == len(told["moves"]) > 0
    assert list(told["pictures"]) == [seat for seat, _ in told["seats"]]
    for pictures in told["pictures"].values():
        assert {number for number, _ in told["ghosts"]} == set(range(len(pictures)))
        assert {used for picture in pictures for used in re.findall(r'href="#([^"]+)"', picture)} <= there
    pictures = told["pictures"][told["due"] or told["seats"][0][0]]
    assert len(set(pictures)) == len(pictures)
    for (_, _, _, touched, *_), (_, cells) in zip(told["moves"], told["ghosts"], strict=True):
        assert {f"c-{key}" for key in cells} <= there
        assert len(cells) <= max(len(touched), 1)


def test_a_brick_covers_both_of_its_cells(visitor: Visitors) -> None:
    """A rampart has a ghost on two cells; the control: a house, in its player’s colour, on one."""
    guest = visitor()
    table = guest.open()
    told = guest.get(f"{table}/ahead").get_json()
    written = [move[0] for move in told["moves"]]
    assert told["ghosts"][written.index("r b9c9")][1] == ["b9", "c9"]
    guest.place(table, "r b9c9")
    guest.place(table, "r i2i3")
    told = guest.get(f"{table}/ahead").get_json()
    number, cells = told["ghosts"][[move[0] for move in told["moves"]].index("h g6")]
    assert cells == ["g6"]
    assert "light-cube" in told["pictures"]["white"][number] and "dark-cube" in told["pictures"]["black"][number]


def test_moves_of_which_the_same_is_said_are_told_apart(visitor: Visitors, ledger: Ledger) -> None:
    """Moves with the same words also have words for the column in which they differ."""
    guest = visitor()
    told = guest.get(f"{guest.sit(ledger, 'villa_paletti/nobody_can_build', 12)}/ahead").get_json()["moves"]
    alike = [move for move in told if [other[1] for other in told].count(move[1]) > 1 and move[3]]
    assert len(alike) > 10
    assert len({(words, apart) for _, words, *_, apart in alike}) == len(alike)
    assert all("column" in apart for *_, apart in alike)


def test_a_long_list_leaves_out_no_cell(visitor: Visitors, ledger: Ledger) -> None:
    """A list cut to `MOST` moves says so, and still has a move of each kind at every cell."""
    guest, name = visitor(), "robber_knights/four_and_much_stood"
    told = guest.get(f"{guest.sit(ledger, name, 48)}/ahead").get_json()
    game = GAMES["robber_knights"]
    legal = list(game.moves(recorded_table(ledger, name, 48).table.state))
    assert (len(legal) > MOST, len(told["moves"]), told["some"]) == (True, MOST, True)
    places = {(move.kind, game.cells_of(move)[:1]) for move in legal}
    assert {(move.kind, game.cells_of(move)[:1]) for move in legal[:MOST]} < places
    assert {(kind, game.cells_of(game.read(notation))[:1]) for notation, _, kind, *_ in told["moves"]} == places


def test_a_seat_out_of_turn_has_nothing_to_choose(visitor: Visitors) -> None:
    """Only phones that may enter the moves get them: the host's and the due player's."""
    guest = visitor()
    table = guest.open()
    keys = guest.client.get_cookie("keys", path=table)
    given: dict[str, int] = {}
    for key in keys.value.split(":") if keys else ():
        guest.client.set_cookie("keys", key, path=table)
        given[key.partition(".")[0]] = len(guest.get(f"{table}/ahead").get_json()["moves"])
    assert given["host"] == given["black"] > given["white"] == given["watch"] == 0


def test_who_watches_has_nothing_to_choose(visitor: Visitors) -> None:
    """A watcher's phone gets no moves; a phone without a key gets 401."""
    guest = visitor()
    table = guest.open()
    keys = guest.client.get_cookie("keys", path=table)
    watch = keys.value.rpartition(":")[2] if keys else ""
    guest.client.set_cookie("keys", watch, path=table)
    assert guest.get(f"{table}/ahead").get_json()["moves"] == []
    assert visitor().get(f"{table}/ahead").status_code == 401


def test_an_earlier_board_is_not_the_last_one(visitor: Visitors, ledger: Ledger) -> None:
    """The page data marks an earlier board as past, since a phone keeps only the present one."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/five_buildings", 20)
    assert "past" not in guest.see(table).data
    assert guest.see(f"{table}/moves?entry=6").data["past"] is True
