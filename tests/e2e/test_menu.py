"""The menu: seldom used links stand behind one button, and nowhere else; without a script, too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Phone, Server
from tests.e2e.game import MOVES
from tests.support.every_page import count_of_tiles

Phones = Callable[..., Phone]
ITEMS = ["to-share", "what-if", "to-here", "to-readings", "to-dice", "to-turns", "turn-board", "zoom", ""]
"""The menu's links for a host on the board; the last one is the other language."""
PAGES = ("", "?at=d4", "?move=h+d4", "/score", "/moves", "/moves?entry=4", "/readings", "/turns")
BELOW = """() => [...document.querySelectorAll(".below a, .below button")]
    .filter(one => one.checkVisibility() && !one.closest("#menu"))
    .map(one => one.id).filter(id => names.includes(id))""".replace("names", str(ITEMS[:-1]))
"""The menu's links that also stand below the board."""


@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without"])
def test_one_button_holds_what_is_wanted_seldom(script: bool, server: Server, phone: Phones) -> None:
    """A tap opens the menu, one beside it closes it, and its links work."""
    page = phone(script=script).sit(server.table(*MOVES[:20]))
    menu = page.locator("#menu")
    expect(menu).to_be_hidden()
    page.locator("#more").click()
    assert [item.get_attribute("id") or "" for item in menu.locator("a").all()] == ITEMS
    expect(menu.locator("a").first).to_be_visible()
    page.mouse.click(100, 100)
    expect(menu).to_be_hidden()
    for item, there in (("zoom", "Whole board"), ("zoom", "Larger cells"), ("turn-board", "turned by 90°")):
        page.locator("#more").click()
        page.locator(f"#{item}").click()
        expect(menu).to_be_hidden()
        expect(page.locator(f"#{item}")).to_contain_text(there)
    page.locator("#more").click()
    menu.get_by_role("link", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_the_keyboard_comes_back_to_the_button(server: Server, phone: Phones) -> None:
    """After a choice by keys the focus returns to the menu's button; Escape closes the menu."""
    page = phone().sit(server.table(*MOVES[:20]))
    page.locator("#more").focus()
    page.keyboard.press("Enter")
    page.locator("#zoom").press("Enter")
    expect(page.locator("#zoom")).to_contain_text("Whole board")
    expect(page.locator("#more")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()


def test_no_way_to_it_stands_below_the_board(server: Server, phone: Phones) -> None:
    """No page of a table, count or question has a menu's link below the board; the control: one is found."""
    window = phone()
    table = server.table(*MOVES[:20])
    window.sit(table)
    paths = [f"/t/{table.table.id}{path}" for path in PAGES]
    for path in (*paths, count_of_tiles(()), "/ask/villefranche"):
        page = window.open(path)
        assert page.evaluate(BELOW) == [], path
    page.evaluate("document.querySelector('.below').append(document.querySelector('#zoom'))")
    assert page.evaluate(BELOW) == ["zoom"]


@pytest.mark.parametrize(("move", "ruling"), [("h d4", "legal"), ("h g5", "illegal")])
def test_a_ruling_is_disputed_in_two_taps(move: str, ruling: str, server: Server, phone: Phones) -> None:
    """From a piece at its cell, one tap leads to the ruling, another to the dispute; only a refusal shows reasons."""
    page = phone().sit(server.table(*MOVES[:20]), f"?at={move[2:]}")
    for fold in page.locator(".more:has(.together) > summary").all():
        fold.click()
    page.locator(".ask, .together a", has_text="House").first.click()
    expect(page.locator(f".verdict.{ruling}")).to_be_visible()
    expect(page.locator(".why-so")).to_be_visible(visible=ruling == "illegal")
    page.locator("#dispute").click()
    expect(page.locator("#question")).to_be_visible()
