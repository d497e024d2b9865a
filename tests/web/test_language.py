"""The language of a page is the one that was asked for, all over it."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.conftest import ORIGIN, PART, Visitor


def test_the_language_is_the_one_that_was_asked_for(visitor: Callable[..., Visitor]) -> None:
    """The browser's preference; over it what was chosen, which is remembered; never one that there is not."""
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
    """Every page links to itself in the other language, also the answer to a form."""
    guest = visitor("fr")
    table = guest.open()
    for path in ("/", table, f"{table}/score", f"{table}/share"):
        assert f"{path}?lang=en" in guest.see(path).links()
    assert "/?game=robber_knights&lang=en" in guest.see("/?game=robber_knights").links()
    answer = guest.post(f"{table}/play", {"move": "x"})
    assert f'href="{table}?lang=en"' in answer.text


def test_the_other_language_keeps_what_is_chosen(visitor: Callable[..., Visitor]) -> None:
    """The cell, the zoom, the step: all of the address but what is of the moment, also after a move."""
    guest = visitor("fr")
    table = guest.open()
    assert f"{table}?at=c4&zoom=c4&lang=en" in guest.see(f"{table}?at=c4&zoom=c4&since=0&done=1").links()
    assert f"{table}/replay?step=0&lang=en" in guest.see(f"{table}/replay?step=0").links()
    address, fields = guest.see(f"{table}?move=r+b9c9&zoom=c8").form("/play")
    placed = guest.post(address, fields, {"Origin": ORIGIN, **PART}).text
    assert f'href="{table}?zoom=c8&amp;lang=en"' in placed
    assert f'href="{table}?zoom=c8&amp;turned=1"' in placed


def test_pages_speak_one_language(visitor: Callable[..., Visitor]) -> None:
    """The words of the game and those of the pages come in the same language."""
    guest = visitor("fr")
    page = guest.place(guest.open(), "r b9c9")
    assert "Posé par Noir\u00a0: rempart en b9–c9" in page.text.replace("Noir :", "Noir\u00a0:")
    assert "Défaire" in page.text
