"""Games of tiles entered on the page: each tile's place and turn, marches, and houses that stay."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import cycle
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page, expect
from selectolax.lexbor import LexborNode

from rules.architekton.tiles import LANDSCAPE
from service.i18n.sentences import words
from service.referee.use_cases import NewTable, Referee
from tests.e2e.conftest import Phone, Server
from tests.e2e.text_browser import TextBrowser, is_named, text_of
from tests.support.accessibility import examine, measure, violations
from tests.support.records import entries_of, record_of, said_of
from tests.support.tables import open_table

WIDE = 360


def at(page: Page, cell: str) -> None:
    """Tap a cell of the board."""
    page.locator(f'[id="c-{cell}"]').click()
    expect(page.locator(f'[id="c-{cell}"]')).to_have_attribute("aria-current", "true")


def answer(question: Locator, name: str) -> None:
    """Give an answer, unless it is the only one, which the page gives by itself."""
    if not question.count():
        return
    link = question.get_by_role("link", name=name, exact=True)
    if link.get_attribute("aria-current") is None:
        link.click()
        expect(link).to_have_attribute("aria-current", "true")


def place(page: Page, number: int, *, stands: bool = False) -> None:
    """Place the move, as the entry of this number."""
    page.get_by_role("button", name="Let it stand" if stands else "Place", exact=True).click()
    expect(page.locator("#table")).to_have_attribute("data-version", str(number))


def moves_of(name: str) -> list[dict[str, Any]]:
    """The moves of a recorded game."""
    record = record_of(name)
    return entries_of(record)


def notations(referee: Referee, table: NewTable) -> list[str]:
    """The moves of a table in notation."""
    played, _ = referee.table(table.table.id, table.keys.host)
    return [entry.notation for entry in played.last_moves(1_000)]


def end_of(name: str) -> tuple[dict[str, int], str]:
    """The recorded end of a game: each colour's total, and the sentence of the deciding rule.

    The sentence is empty if the same rule also ended the game.
    """
    end = said_of(name)["end"]
    (first, *_) = end["ranking"]
    said = words("en", name.split("/", maxsplit=1)[0])
    return end["totals"], "" if end["ended"] == first[2] else said.say("ranking", first[2])


def has_ended_as(page: Page, name: str) -> None:
    """Check that the page shows the recorded totals and the deciding rule."""
    totals, decided = end_of(name)
    for colour, total in totals.items():
        points = page.locator(".player", has=page.locator(f".seat-{colour}")).locator(".points").inner_text()
        assert int(re.findall(r"\d+", points)[-1]) == total, colour
    expect(page.locator(".ended")).to_contain_text(decided)


def says_the_end(browser: TextBrowser, name: str) -> None:
    """The same check for a text browser."""
    totals, decided = end_of(name)
    for colour, total in totals.items():
        (player,) = [one for one in browser.all(".player") if one.css(f".seat-{colour}")]
        assert int(re.findall(r"\d+", text_of(browser.one(".points", within=player)))[-1]) == total, colour
    assert decided in browser.says(".ended")


# --- Robber Knights ----------------------------------------------------------------------------------------------

ARROWS = {"n": "up", "e": "to the right", "s": "down", "w": "to the left", ".": "all stay"}
TILE = re.compile(r"\((?P<cell>[-0-9,]+)\) (?P<face>[a-z ]+?)(?: >(?P<march>[nesw.]) (?P<left>[0-9 ]+))?")


QUESTION, WAY = "#panel > .question", "Which way do the knights go?"
"""The open questions, without folded answers; and the first question about a castle."""


def stays(step: int) -> re.Pattern[str]:
    """The question of a march's step: how many stay on the castle, on a tile, or on a place without one."""
    return re.compile("stay on the castle" if step == 1 else rf"stay on (tile|place) {step} ")


def lay(page: Page, notation: str, number: int) -> None:
    """Lay a tile: its place and face; for a castle, the knights' way and how many stay on each tile."""
    if notation == "stop":
        page.get_by_role("button", name="is done").click()
        expect(page.locator("#table")).to_have_attribute("data-version", str(number))
        return
    move = TILE.fullmatch(notation)
    assert move
    name = words("en", "robber_knights").name(move["face"]).capitalize()
    at(page, move["cell"])
    row = page.locator(".row", has=page.get_by_text(name, exact=True))
    asked = page.locator(".draft-head", has_text=name)
    expect(row.or_(asked)).to_be_visible()
    if asked.count():  # the player's only possible tile: its draft opens at once
        place(page, number)
        return
    if row.get_by_role("button", name="Place").count():
        row.get_by_role("button", name="Place").click()
        expect(page.locator("#table")).to_have_attribute("data-version", str(number))
        return
    row.get_by_role("link").click()
    expect(page.locator(".draft-head h2")).to_contain_text(name)
    asked = page.locator(QUESTION)
    answer(asked.filter(has_text=WAY), ARROWS[move["march"]] if move["march"] else "none come")
    for step, left in enumerate((move["left"] or "").split(), 1):
        answer(asked.filter(has_text=stays(step)), left)
    place(page, number)


def test_robber_knights(phone: Callable[..., Phone], server: Server) -> None:
    """Taps on a narrow phone enter the rest of a game, with its recorded end."""
    name, before = "robber_knights/knights_decide", 30
    table = open_table(server.referee, name, before)
    page = phone(wide=WIDE, has_touch=True).sit(table)
    for number, move in enumerate(moves_of(name)[before:], before + 2):
        lay(page, move["move"], number)
    assert notations(server.referee, table) == [move["move"] for move in moves_of(name)]
    has_ended_as(page, name)
    assert page.locator(".badge").count() == 18


def lay_as_text(browser: TextBrowser, notation: str) -> None:
    """Lay a tile without a script: its place and face, the knights' way, and how many stay on each tile."""
    if notation == "stop":
        browser.tap(browser.one("button", "is done"))
        return
    move = TILE.fullmatch(notation)
    assert move
    name = words("en", "robber_knights").name(move["face"]).capitalize()
    browser.tap(browser.one(f"[id='c-{move['cell']}']"))
    if name in browser.says("#panel h2"):  # the player's only possible tile: its draft opens at once
        browser.tap(browser.one_named("button", "Place"))
        return
    (row,) = [row for row in browser.all(".row") if is_named(row, name)]
    if row.css("button"):
        browser.tap(browser.one("button", "Place", within=row))
        return
    browser.tap(row.css("a")[0])
    way = ARROWS[move["march"]] if move["march"] else "none come"
    lefts = enumerate((move["left"] or "").split(), 1)
    for asked, label in [(re.compile(re.escape(WAY)), way), *((stays(step), left) for step, left in lefts)]:
        for question in [node for node in browser.all(QUESTION) if asked.search(text_of(node))]:
            link = browser.one_named("a", label, within=question)
            if "aria-current" not in link.attributes:
                browser.tap(link)
    assert browser.says(".verdict h2") == "Legal"
    browser.tap(browser.one_named("button", "Place"))


def test_robber_knights_without_a_script(text_browser: TextBrowser) -> None:
    """Without a script, the whole game can be entered, with its recorded end."""
    name, browser = "robber_knights/knights_decide", text_browser
    table = open_table(browser.referee, name, 0)
    browser.sit(table)
    for number, move in enumerate(moves_of(name), 2):
        lay_as_text(browser, move["move"])
        assert browser.one("#table").attributes["data-version"] == str(number)
    assert notations(browser.referee, table) == [move["move"] for move in moves_of(name)]
    says_the_end(browser, name)


# --- Architekton -------------------------------------------------------------------------------------------------

SIDES = ("Top", "Right", "Bottom", "Left")
LAY = re.compile(r"\((?P<cell>[-0-9,]+)\) (?P<kind>building|landscape) (?P<tile>[EFMW ]+?)(?: order .*)?")


def tell_building(browser: TextBrowser, sides: list[str], *, to_the_end: bool) -> None:
    """Choose a building by three sides and its picture, or by all four."""
    names = [LANDSCAPE[side] for side in sides]
    for side, name in zip(SIDES, names[: 4 if to_the_end else 3], strict=False):
        link = starting(browser, browser.one(".question.line", side), name)
        browser.tap(link)
        if not (to_the_end and side == SIDES[-1]):
            chosen = starting(browser, browser.one(".question.line", side), name)
            assert chosen.attributes["aria-current"] == "true"
    if not to_the_end:
        browser.tap(starting(browser, browser.one(".question.tiles"), ", ".join(names)))


def starting(browser: TextBrowser, question: LexborNode, name: str) -> LexborNode:
    """The first answer that begins with `name`."""
    found = [link for link in question.css("a:has(.name)") if text_of(link.css(".name")[0]).startswith(name)]
    assert found, (browser.address, name, text_of(question))
    return found[0]


def enter(browser: TextBrowser, notation: str, number: int, *, stands: bool) -> None:
    """Lay a tile, or say whether a house stays."""
    move = LAY.fullmatch(notation)
    if move is None:
        browser.tap(browser.one("a", "Keeping" if notation.startswith("keep") else "Taking"))
    else:
        cell = f"[id='c-{move['cell']}']"
        browser.tap(browser.one(cell))
        assert browser.one(cell).attributes["aria-current"] == "true"
        sides = move["tile"].split()
        if move["kind"] == "building":
            tell_building(browser, sides, to_the_end=number % 2 == 0)
        else:
            link = starting(browser, browser.one(".question.tiles"), LANDSCAPE[sides[0]])
            if "aria-current" not in link.attributes:
                browser.tap(link)
    assert browser.says(".verdict h2") == ("Not legal" if stands else "Legal")
    browser.tap(browser.one_named("button", "Let it stand" if stands else "Place"))
    assert browser.one("#table").attributes["data-version"] == str(number)


def test_architekton(text_browser: TextBrowser) -> None:
    """Without a script, a whole game can be entered, with tiles that stood and a payment that failed."""
    name, browser = "architekton/early_end", text_browser
    browser.sit(open_table(browser.referee, name, 0))
    for number, move in enumerate(moves_of(name), 2):
        enter(browser, move["move"], number, stands=move.get("stands", False))
    says_the_end(browser, name)


# --- for everybody -----------------------------------------------------------------------------------------------

VIEWS = {
    ("robber_knights/knights_decide", 13): (
        "",
        "?zoom=0,0",
        "?at=-2,-2",
        "?at=-2,-2&kind=plain+castle",
        "?at=-2,-2&kind=plain+castle&so=e;1",
        "?at=-2,-2&kind=plain+castle&so=e;1;4",
        "?at=-2,-2&kind=plain+castle&so=e;1;5",
        "?zoom=0,0&at=-2,-2&kind=plain+castle",
    ),
    ("robber_knights/knights_decide", 46): ("", "/score", "/moves?entry=9", "/again"),
    ("architekton/no_display", 20): (
        "?at=-5,-2",
        "?zoom=0,0&at=-5,-2&so=nF",
        "?at=-5,-2&so=nF;eW;wE",
        "?at=-5,-2&so=nF;eM;sE;wM",
        "?at=-5,-1",
    ),
    ("architekton/houses_moved", 24): ("?at=0,1&so=nW;eE;sM;wF", "?at=0,1&so=nW;eE;sM;wF;f5,0"),
    ("architekton/box_and_series", 2): ("", "?kind=up_building&so=nE", "?kind=up_building&so=nW;eW;sM"),
    ("architekton/box_and_series", 4): ("?at=0,-1",),
    ("architekton/early_end", 17): ("", "/score", "/moves?entry=9", "/again"),
    ("villa_paletti/a_challenger_brings_it_down", 7): (
        "",
        "?zoom=red.big.0",
        "?kind=column",
        "?at=red.big.0",
        "?at=red.big.1",
        "?move=red+big+0",
        "?move=blue+big+0",
        "?kind=floor",
        "?kind=floor&so=green",
        "?kind=crash",
        "/score",
        "/score?show=VP-31.blue",
        "/share",
    ),
    ("villa_paletti/a_challenger_brings_it_down", 10): ("?at=n.small.1&kind=neutral_abort",),
    ("villa_paletti/a_challenger_brings_it_down", 14): ("", "/score", "/moves", "/moves?entry=13", "/again"),
    ("villa_paletti/two_and_no_floor_after_a_failure", 12): ("", "/score"),
    ("villa_paletti/holder_brings_it_down", 28): ("", "/score"),
}
"""A record and the number of moves played -> the views to check."""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.mark.parametrize(("name", "number"), VIEWS)
def test_the_choosers_are_for_everybody(
    phone: Callable[..., Phone], server: Server, looks: set[int], name: str, number: int
) -> None:
    """On the narrowest phone, views have no fault by axe, no target too small, and fit the screen.

    Light and dark alternate from view to view.
    """
    amiss = []
    made = examine(phone(wide=320, language="fr", has_touch=True))
    table = open_table(server.referee, name, number)
    for path, scheme in zip(VIEWS[name, number], cycle(SCHEMES), strict=False):
        made.page.emulate_media(color_scheme=scheme)
        page = made.sit(table, path)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        found = violations(page, looks)
        fits, small = measure(page, zoomed="zoom" in path)
        if found or small or not fits:
            amiss.append((path, scheme, found, small, fits))
    assert not amiss


def test_what_is_asked_next_is_in_sight(phone: Callable[..., Phone], server: Server) -> None:
    """After each answer the next question is wholly visible above the tabs, with the board in sight."""
    page = phone(wide=WIDE, high=740, has_touch=True).sit(
        open_table(server.referee, "robber_knights/knights_decide", 13)
    )
    at(page, "-2,-2")
    page.locator(".ask", has_text="Castle in the plain").click()
    asked = page.locator("#panel > .question")
    for number, label in enumerate(("to the right", "1"), 1):
        asked.last.get_by_role("link", name=label, exact=True).click()
        expect(asked).to_have_count(number + 1)
        expect(asked.last).to_be_in_viewport(ratio=1)
        box, bar = asked.last.bounding_box(), page.locator(".tabs").bounding_box()
        assert box and bar and box["y"] + box["height"] <= bar["y"]
    expect(page.locator("#squares")).to_be_in_viewport(ratio=0.9)
