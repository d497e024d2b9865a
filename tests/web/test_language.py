"""A whole page is in the language that was requested."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from tests.support.tables import open_table
from tests.web.conftest import ORIGIN, PART, Visitor
from web.browser.language import ago, day_of

LATE = datetime(2126, 11, 23, 23, 10, tzinfo=UTC)
"""A time at which half of the world has another date; later than the store's clock, which dates a table's first use."""


def test_the_language_is_the_one_that_was_asked_for(visitor: Callable[..., Visitor]) -> None:
    """A page takes the language chosen last, else the browser's preference; unknown languages are ignored."""
    for wanted, given in (("fr-CH, fr;q=0.9, en;q=0.8", "fr"), ("de", "en"), ("", "en"), ("x" * 1000, "en")):
        answer = visitor(wanted).get("/")
        assert f'<html lang="{given}">' in answer.text
        assert answer.headers["Content-Language"] == given
    guest = visitor("en")
    for asked, given in (("fr", "fr"), ("", "fr"), ("xx", "fr"), ("../../etc", "fr"), ("en", "en")):
        assert f'<html lang="{given}">' in guest.get(f"/?lang={asked}" if asked else "/").text
    guest.client.set_cookie("lang", "klingon")
    assert '<html lang="en">' in guest.get("/").text


def test_a_page_offers_the_other_language(visitor: Callable[..., Visitor]) -> None:
    """Every page, and the answer to a form, links to itself in the other language."""
    guest = visitor("fr")
    table = guest.open()
    for path in ("/", table, f"{table}/score", f"{table}/share"):
        assert f"{path}?lang=en" in guest.see(path).links()
    assert "/?game=robber_knights&lang=en" in guest.see("/?game=robber_knights").links()
    answer = guest.post(f"{table}/play", {"move": "x"})
    assert f'href="{table}?lang=en"' in answer.text


def test_the_other_language_keeps_what_is_chosen(visitor: Callable[..., Visitor]) -> None:
    """The link keeps cell, zoom and entry, but drops `since` and `done`, also after a move."""
    guest = visitor("fr")
    table = guest.open()
    assert f"{table}?at=c4&zoom=c4&lang=en" in guest.see(f"{table}?at=c4&zoom=c4&since=0&done=1").links()
    assert f"{table}/moves?entry=1&lang=en" in guest.see(f"{table}/moves?entry=1").links()
    address, fields = guest.see(f"{table}?move=r+b9c9&zoom=c8").form("/play")
    placed = guest.post(address, fields, {"Origin": ORIGIN, **PART}).text
    assert f'href="{table}?zoom=c8&amp;lang=en"' in placed
    assert f'href="{table}?zoom=c8&amp;turned=1"' in placed


def test_pages_speak_one_language(visitor: Callable[..., Visitor]) -> None:
    """A game's words and the page's words are in the same language."""
    guest = visitor("fr")
    page = guest.place(guest.open(), "r b9c9")
    assert "Posé par Noir\u00a0: rempart en b9–c9" in page.text.replace("Noir :", "Noir\u00a0:")
    assert "Défaire" in page.text


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Not legal in 1 other way "), ("fr", "Interdit de 1 autre façon ")]
)
def test_one_other_way_is_told_in_the_singular(language: str, said: str, visitor: Callable[..., Visitor]) -> None:
    """Of the two ramparts over a cell one is refused: that is one way."""
    guest = visitor(language)
    table = guest.open()
    guest.place(table, "r b1c1")
    assert said in guest.see(f"{table}?at=d1").text


def test_days_are_told_with_their_moment(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """A page shows a moment's UTC date, and gives the script the moment and its format."""
    guest = visitor()
    new = open_table(Referee(ledger, now=lambda: LATE), "villefranche/stood_and_cut")
    guest.client.set_cookie("keys", f"host.{new.keys.host}", path=f"/t/{new.table.id}")
    guest.send(guest.see(f"/t/{new.table.id}/join").form("/join"), key=new.keys.host)
    marked = '<time datetime="2126-11-23T23:10:00+00:00" data-style="dateStyle" data-length="{}">{}</time>'
    for path, length, said in (
        (f"/t/{new.table.id}/sheet", "long", "November 23, 2126"),
        (f"/t/{new.table.id}/share", "long", "February 21, 2127"),
        ("/", "medium", "Nov 23, 2126"),
    ):
        wanted = marked.format(length, said)
        if "2127" in said:
            wanted = wanted.replace("2126-11-23", "2127-02-21")
        assert wanted in guest.get(path).text, path


@pytest.mark.parametrize(
    ("past", "said"),
    [
        (timedelta(seconds=5), {"en": "1 min ago", "fr": "il y a 1 min"}),
        (timedelta(minutes=2), {"en": "2 min ago", "fr": "il y a 2 min"}),
        (timedelta(hours=3), {"en": "3 hr ago", "fr": "il y a 3 h"}),
        (timedelta(days=2), {"en": "2 days ago", "fr": "il y a 2 j"}),
    ],
)
def test_this_week_is_told_by_how_long_ago_it_was(past: timedelta, said: dict[str, str], app: Flask) -> None:
    """A recent moment reads as *2 days ago*, with its date in the title; an older or a future one as its date."""
    at = datetime.now(UTC) - past
    for language, words in said.items():
        with app.test_request_context(f"/?lang={language}"):
            told = str(ago(f"{at:%Y-%m-%dT%H:%M:%S}")).replace("\xa0", " ")
            assert told.endswith(f">{words}</time>") and "data-style" not in told and f"{at:%H:%M} UTC" in told
    with app.test_request_context("/?lang=en"):
        for other in (at - timedelta(days=8), at + timedelta(days=5)):
            assert ago(other) == day_of(other, "medium")
        assert ago("2026-11-23") == day_of("2026-11-23", "medium")


@pytest.mark.parametrize("odd", ["2026-11-23", "", "tomorrow", "<b>", "2026-11-23T<b>"])
def test_a_day_without_an_hour_is_that_day_everywhere(odd: str, app: Flask) -> None:
    """A date without an hour is formatted as that date; any other text is escaped and shown."""
    with app.test_request_context("/?lang=fr"):
        assert day_of(odd) == {"2026-11-23": "23 novembre 2026"}.get(odd, odd.replace("<", "&lt;").replace(">", "&gt;"))


@pytest.mark.parametrize(("days", "taken"), [(-2, False), (-1, True), (0, True), (1, True), (2, False), (None, False)])
def test_a_result_is_sent_and_kept_under_the_day_of_the_phone(
    days: int | None, taken: bool, visitor: Callable[..., Visitor], ledger: Ledger
) -> None:
    """The phone's date counts if it is that day somewhere on earth; otherwise, and without one, UTC's does."""
    guest = visitor()
    new = open_table(Referee(ledger, now=lambda: LATE), "villefranche/stood_and_cut")
    address = f"/t/{new.table.id}"
    guest.client.set_cookie("keys", f"host.{new.keys.host}", path=address)
    told = "now" if days is None else (LATE + timedelta(days=days)).date().isoformat()
    shown = f"November {LATE.day + (days if days and taken else 0)}, 2126"
    for form in ("sheet.txt", "sheet.svg", "log.txt"):
        assert f"Villefranche, {shown}" in guest.get(f"{address}/{form}?day={told}").text
    form, fields = guest.see(f"{address}/result").form("/result")
    assert fields["day"] == "2126-11-23"
    assert shown in guest.see(guest.post(form, {**fields, "day": told}).headers["Location"]).text
