"""The first tour of a table: lines on the phone that opened it, one after each of the player's steps."""

from __future__ import annotations

from collections.abc import Callable

import brotli  # type: ignore[import-untyped]  # it has no types
import pytest

from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.tables import recorded_table
from tests.web.conftest import ORIGIN, PART, Visitor

Visitors = Callable[..., Visitor]
MOST = 8_000
"""Bytes of a table's page on the wire."""
LINES = {
    "en": (
        "Tap a cell, or see where a piece may go.",
        "Choose, then read the verdict.",
        "Place, or cancel. Undo takes it back.",
    ),
    "fr": (
        "Touchez une case, ou voyez où va une pièce.",
        "Choisissez, puis lisez le verdict.",
        "Poser, ou annuler. « Défaire » l’annule.",
    ),
}
"""The lines of the tour."""


def leads(page: Document, link: str) -> str | None:
    """The address of the link with this id, or None."""
    return next((found["href"] for _, found in page.elements if found.get("id") == link), None)


def tour_lines(page: Document) -> list[str]:
    """The lines of the tour on a page; a panel's prompt repeats one for screen readers."""
    ids = [found.get("id") for _, found in page.elements]
    spoken = [line for lines in LINES.values() for line in lines if page.text.count(line) > ids.count("where")]
    return spoken if "tour" in ids else []


def hold(guest: Visitor, ledger: Ledger, name: str, number: int | None = None) -> str:
    """Hold all keys of a recorded game's table, as if it had been opened here; returns its address."""
    table = recorded_table(ledger, name, number)
    keys = {"host": table.keys.host, **table.keys.seats, "watch": table.keys.watch}
    address = f"/t/{table.table.id}"
    guest.client.set_cookie("keys", ":".join(f"{role}.{key}" for role, key in keys.items()), path=address)
    return address


@pytest.mark.parametrize("language", LINES)
def test_it_goes_on_by_what_is_done(visitor: Visitors, language: str) -> None:
    """The tour has a line before a cell is tapped, before a piece is chosen, and before it is placed; then it ends."""
    guest = visitor(language)
    table = guest.open()
    for asked, line in zip(("", "?at=e3", "?move=r+a2a3"), LINES[language], strict=True):
        assert tour_lines(guest.see(f"{table}{asked}")) == [line]
    assert tour_lines(guest.see(table)) == [LINES[language][0]]
    assert tour_lines(guest.place(table, "r a2a3")) == []
    assert tour_lines(guest.see(table)) == []
    assert tour_lines(guest.see(guest.open())) == []


def test_an_answer_in_parts_goes_on_too(visitor: Visitors) -> None:
    """The answer to a tap has the next line; the answer to a placed move has none."""
    guest = visitor()
    table = guest.open()
    assert LINES["en"][1] in guest.get(f"{table}?at=e3", **PART).text
    action, fields = guest.see(f"{table}?move=r+a2a3").form("/play")
    answer = guest.post(action, fields, {"Origin": ORIGIN, **PART})
    assert answer.status_code == 200
    assert 'id="tour"' not in answer.text


def test_one_tap_closes_it_for_good(visitor: Visitors) -> None:
    """One tap closes the tour at this table and the next, and keeps the chosen cell."""
    guest = visitor("fr")
    table = guest.open()
    off = leads(guest.see(f"{table}?at=c4"), "tour-off") or ""
    assert off == f"{table}?at=c4&tour=0"
    assert leads(guest.see(off), "cancel")
    assert tour_lines(guest.see(table)) == []
    assert tour_lines(guest.see(guest.open())) == []


def test_who_came_before_is_not_shown_it(visitor: Visitors) -> None:
    """A phone that has opened a table before sees no tour."""
    old = visitor()
    old.open()
    old.client.delete_cookie("tour")
    assert tour_lines(old.see(old.open())) == []


@pytest.mark.parametrize("role", ["host", "white", "watch"])
def test_a_second_phone_is_not_shown_it(visitor: Visitors, role: str) -> None:
    """A phone that joins by a link sees no tour, even if it asked for one."""
    opener, guest = visitor(), visitor()
    table = opener.open()
    cookie = opener.client.get_cookie("keys", path=table)
    assert cookie
    keys = dict(item.split(".", 1) for item in cookie.value.split(":"))
    guest.see("/?tour=1")
    assert guest.post(f"{table}/join", {"key": keys[role]}).status_code == 303
    assert tour_lines(guest.see(table)) == []
    assert tour_lines(opener.see(table)) == [LINES["en"][0]]


def test_an_ended_game_is_not_toured(visitor: Visitors, ledger: Ledger) -> None:
    """A finished game shows no tour."""
    guest = visitor()
    guest.see("/?tour=1")
    table = hold(guest, ledger, "villefranche/tower_decides")
    assert tour_lines(guest.see(table)) == []
    assert tour_lines(guest.see(hold(guest, ledger, "villefranche/tower_decides", 5))) == [LINES["en"][0]]


def test_it_is_called_again_from_the_first_page(visitor: Visitors) -> None:
    """The first page offers the tour again to a phone with tables; an invalid cookie or address shows none."""
    guest = visitor()
    assert leads(guest.see("/"), "tour") is None
    table = guest.open()
    guest.see(f"{table}?tour=0")
    again = next(href for href in guest.see("/").links() if "tour=1" in href)
    assert "is shown at the next table" in guest.see(again).text
    assert tour_lines(guest.see(table))
    for nonsense in ("9", "x", "-1"):
        guest.client.set_cookie("tour", nonsense)
        assert tour_lines(guest.see(f"{table}?tour={nonsense}")) == []


def test_the_tour_costs_little(visitor: Visitors) -> None:
    """A page with the tour keeps to its limit on the wire."""
    guest = visitor("fr")
    table = guest.open()
    sent = guest.get(table, **{"Accept-Encoding": "br"})
    assert len(sent.data) <= MOST
    assert brotli.decompress(sent.data).count(b'id="tour"') == 1


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("architekton/no_display", "Tap a free place, or see where a tile may go."),
        ("robber_knights/two_at_seven", "Tap a free place, or see where a tile may go."),
        ("villa_paletti/nobody_can_build", "Tap a column, or choose what happens."),
    ],
)
def test_a_game_asks_in_its_own_words(visitor: Visitors, ledger: Ledger, name: str, line: str) -> None:
    """The first line names the game's own places or pieces."""
    guest = visitor()
    assert line in guest.see(guest.sit(ledger, name, 2)).text
