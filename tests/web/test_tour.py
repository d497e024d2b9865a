"""The first tour of a table: three steps for a phone that opens or joins its first one, closed by a tap for good."""

from __future__ import annotations

from collections.abc import Callable

import brotli  # type: ignore[import-untyped]  # it has no types

from service.storage.ledger import Ledger
from tests.web.conftest import PART, Document, Visitor

Visitors = Callable[..., Visitor]
MOST = 8_000
"""Bytes of a table's page on the wire."""


def leads(page: Document, link: str) -> str | None:
    """Where a link leads, if it is there."""
    return next((found["href"] for _, found in page.elements if found.get("id") == link), None)


def test_three_steps_at_the_first_table(visitor: Visitors) -> None:
    """The phone that opens its first table is shown it, step by step, until the last one is done; then no more."""
    guest = visitor()
    table = guest.open()
    for said in ("1/3 Tap a cell", "2/3 The verdict", "3/3 Score, log and undo"):
        page = guest.see(table)
        assert said in page.text
        on = leads(page, "tour-on") or leads(page, "tour-off")
        guest.see(on or "")
    assert leads(guest.see(table), "tour-off") is None
    assert leads(guest.see(guest.open()), "tour-off") is None


def test_one_tap_closes_it_for_good(visitor: Visitors) -> None:
    """Skipped in its first step it is gone, on this table and the next; what was chosen on the board stays chosen."""
    guest = visitor("fr")
    table = guest.open()
    page = guest.see(f"{table}?at=c4")
    assert "Touchez une case" in page.text
    off = leads(page, "tour-off") or ""
    assert off == f"{table}?at=c4&tour=0"
    assert leads(guest.see(off), "cancel")
    assert leads(guest.see(table), "tour-off") is None
    assert leads(guest.see(guest.open()), "tour-off") is None


def test_who_came_before_is_not_shown_it(visitor: Visitors, ledger: Ledger) -> None:
    """A phone that has tables, and one that only came by a key, see none; who only watches cannot place anything."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 5)
    assert leads(guest.see(table), "tour-off") is None
    old = visitor()
    old.open()
    old.client.delete_cookie("tour")
    assert leads(old.see(old.open()), "tour-off") is None


def test_it_is_called_again_from_the_first_page(visitor: Visitors) -> None:
    """The foot of the first page offers it to whoever has tables; nonsense in the cookie or address shows nothing."""
    guest = visitor()
    assert leads(guest.see("/"), "tour") is None
    table = guest.open()
    guest.see(f"{table}?tour=0")
    again = next(href for href in guest.see("/").links() if "tour=1" in href)
    assert "is shown at the next table" in guest.see(again).text
    assert "1/3" in guest.see(table).text
    for nonsense in ("9", "x", "-1"):
        guest.client.set_cookie("tour", nonsense)
        assert leads(guest.see(f"{table}?tour={nonsense}"), "tour-off") is None


def test_the_tour_is_no_part_that_moves(visitor: Visitors) -> None:
    """With it a page keeps to its size on the wire, and a tap that is answered in parts leaves it where it is."""
    guest = visitor("fr")
    table = guest.open()
    shown = guest.get(table)
    assert 'id="tour"' in shown.text
    sent = guest.get(table, **{"Accept-Encoding": "br"})
    assert len(sent.data) <= MOST
    assert brotli.decompress(sent.data).count(b'id="tour"') == 1
    assert 'id="tour"' in guest.get(table, **PART).text
