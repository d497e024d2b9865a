"""Every page for everybody: WCAG 2.2 AA by axe, targets for fingers, narrow screens, large text, the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, replace
from typing import Any
from urllib.parse import urlencode

import pytest
from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Locator, Page, expect

from rules.architekton.state import BuildingTile, LandscapeTile, Position
from service.referee import NewTable
from tests.e2e.conftest import HIGH, Phone, Server
from tests.e2e.game import MOVES
from tests.forms import FILLED
from web.games import all_pages
from web.games.architekton.entry import blank
from web.trail import Trail, step_of

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
NARROWEST, USUAL, WIDEST, DESK = 320, 390, 412, 1280
"""CSS pixels: of the phones that there are, the usual one, and of a computer."""
LOOK: Mapping[str, Any] = {
    "runOnly": WCAG,
    "resultTypes": ["violations"],
    "preload": False,
    # What is tapped must be larger here than this rule asks for, wherever it stands: see `too_small`.
    "rules": {"target-size": {"enabled": False}},
}
"""What axe is asked for. No rule of these needs a preloaded style sheet."""
AXE = """options => axe.run(options).then(({violations}) => Object.fromEntries(violations.map(
    ({id, nodes}) => [id, nodes.map(node => node.html.slice(0, 200))])))"""
"""Runs axe, and tells the elements that violate each rule."""
PRIMARY, LEAST = 44, 24
"""CSS pixels: of what is there to be tapped (WCAG 2.5.5), and of anything at all (2.5.8)."""


def count_of_tiles(landscapes: tuple[LandscapeTile, ...]) -> str:
    """The address of a count with these landscapes, and buildings between them."""
    nothing = blank()
    buildings = tuple(BuildingTile((x + 1, y), "EMWF", "dark") for (x, y), _ in map(astuple, landscapes))
    count = replace(nothing, position=Position(landscapes, buildings))
    return f"/count/architekton/{Trail((step_of(count),)).text()}"


VIEWS: Mapping[str, str] = {
    "idle": "",
    "placed": "?done=3",
    "places": "?kind=house",
    "choice": "?at=d4",
    "ways": "?at=c5&kind=nave",
    "legal": "?move=h+d4",
    "refused": "?move=h+g5",
    "not a move": "?move=x",
    "zoomed": "?zoom=e5",
    "zoomed choice": "?zoom=e5&at=f4",
    "score": "/score",
    "score lit": "/score?show=VF-60.black",
    "log": "/log",
    "entry": "/log?entry=4",
    "replay": "/replay?step=20",
    "turns": "/turns",
    "share": "/share",
    "join": "/join",
}
"""What can be looked at of a table, by its addresses."""


SEVEN = tuple(LandscapeTile((2 * (n % 2) + n // 2 % 2, n // 2), "water") for n in range(7))
COUNTS: Mapping[str, str] = {
    "count": "/count/robber_knights",
    "count choice": "/count/villefranche?at=d4",
    "count zoomed": "/count/villefranche?at=d4&zoom=d4",
    "count sides": f"{count_of_tiles(SEVEN[:2])}?at=1,0&kind=2",
    "count of a villa": "/count/villa_paletti?at=red.big.0",
    "count problem": count_of_tiles(SEVEN),
    "count painted": "/count/villefranche?brush=black-shop&at=c4",
    "no count": "/count/villefranche/x",
    "position to ask about": "/ask/robber_knights",
    "no question": "/ask/villefranche/x/move",
}
"""What can be looked at of counts, by their addresses."""


RULES: Mapping[str, str] = {
    "games with rules": "/rules",
    "rules by chapter": "/rules/fief",
    "rules that are due": "/rules/villefranche?phase=town",
    "rules found": "/rules/villefranche?q=second+church",
    "rule": "/rules/villefranche/VF-64",
    "no rule": "/rules/villefranche/VF-999",
}
"""The rules that can be looked up, by their addresses."""


@pytest.fixture(scope="module")
def tables(server: Server) -> Mapping[str, NewTable]:
    """A table in the middle of a game at which a move stood and one was undone, and one whose game has ended."""
    going = server.table(*MOVES[:24], "h c5", stood=("h c5",))
    server.referee.rewind(going.table.id, going.keys.host, 24, version=26)
    return {"going": going, "ended": server.table(*MOVES)}


def unfolded(page: Page) -> Page:
    """A form with all its fields to be seen."""
    folded = page.locator("details.folded:not([open]) > summary")
    while folded.count():
        folded.first.click()
    return page


def views(made: Phone, tables: Mapping[str, NewTable]) -> Iterator[tuple[str, Page]]:
    """Every page there is, one after the other."""
    made.expected = ("404", "401", "422")
    yield "home", made.open("/")
    for game in all_pages():
        yield f"form of {game}", unfolded(made.open(f"/?{urlencode({'game': game, **FILLED[game]})}"))
        made.page.get_by_role("textbox").first.fill("\u202e")
        made.page.locator("#opening > button").click()
        expect(made.page.locator(".note.trouble")).to_be_visible()
        yield f"refused form of {game}", unfolded(made.page)
    for name, path in VIEWS.items():
        yield name, made.sit(tables["going"], path)
    for name, path in {**COUNTS, **RULES}.items():
        yield name, made.open(path)
    yield "ended", made.sit(tables["ended"])
    yield "ended score", made.sit(tables["ended"], "/score")
    yield "again", made.sit(tables["ended"], "/again")
    yield "first tour", made.sit(tables["going"], "?tour=3")
    made.page.context.clear_cookies()
    expect(made.open(f"/t/{tables['ended'].table.id}#{tables['ended'].keys.host}").locator("#board")).to_be_visible()
    yield "recent", unfolded(made.open("/"))
    yield "watching", made.sit(tables["going"], role="watch")
    yield "no table", made.open("/t/" + "A" * 22 + "/share")
    made.page.context.clear_cookies()
    yield "no key", made.open(f"/t/{tables['ended'].table.id}")


def violations(page: Page) -> dict[str, list[str]]:
    """What axe finds: the elements that violate each rule. What it finds while a page is still laid out is none."""
    page.evaluate(AXE_SCRIPT)
    found: dict[str, list[str]] = page.evaluate(AXE, LOOK)
    if found:
        page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        found = page.evaluate(AXE, LOOK)
    return found


def test_axe_finds_what_is_amiss(phone: Callable[..., Phone]) -> None:
    """The control: a button without a name, and text that has almost the colour of the page."""
    page = phone().open("/")
    page.evaluate("""() => {
        document.querySelector("main").append(document.createElement("button"));
        document.querySelectorAll("main p").forEach(one => { one.style.color = "#dddddd"; });
    }""")
    assert violations(page).keys() >= {"button-name", "color-contrast"}


def boxes(targets: Locator) -> list[tuple[str, float, float]]:
    """What there is to tap and can be seen: its name, its width, its height."""
    found: list[tuple[str, float, float]] = targets.evaluate_all(
        """all => all.filter(one => one.checkVisibility({visibilityProperty: true})).map(one => {
            const box = (['radio', 'checkbox'].includes(one.type) ? one.closest('label') : one).getBoundingClientRect();
            return [one.id || one.textContent.trim(), box.width, box.height];
        }).filter(([, width, height]) => width > 1 && height > 1)"""
    )
    return found


def resized(page: Page, *widths: int) -> Iterator[int]:
    """The page on screens of these widths, one after the other: how wide it is, the style sheet alone decides."""
    for wide in widths:
        page.set_viewport_size({"width": wide, "height": HIGH})
        yield wide


def too_small(page: Page, name: str) -> list[tuple[str, float, float]]:
    """The controls below 44 pixels; cells and places of a whole board below 24, those of a zoomed one below 44."""
    controls = boxes(page.locator("a:not(.cell):not(.skip), button:not(.place), input, select, textarea, summary"))
    least = PRIMARY if name.startswith("zoomed") else LEAST
    cells = boxes(page.locator("a.cell, button.place"))
    return [box for box in controls if min(box[1:]) < PRIMARY - 0.01] + [box for box in cells if min(box[1:]) < least]


def narrow(page: Page, name: str) -> list[tuple[Any, ...]]:
    """Where a page is wider than its screen, or a target too small for a finger on a phone. On the narrowest one the
    page fits with text of twice the size, too, and then nothing is cut off.
    """
    fits = "document.documentElement.scrollWidth <= innerWidth"
    size = """text => {
        document.documentElement.style.fontSize = text;
        return getComputedStyle(document.documentElement).fontSize;
    }"""
    found: list[tuple[Any, ...]] = []
    for wide in resized(page, DESK, WIDEST, USUAL, NARROWEST):
        found += [] if page.evaluate(fits) else [(name, wide)]
        if wide in (WIDEST, NARROWEST):
            found += [(name, wide, *box) for box in too_small(page, name)]
    assert page.evaluate(size, "200%") == "32px"
    found += [] if page.evaluate(fits) else [(name, "large text")]
    assert page.evaluate(size, "") == "16px"
    return found


@pytest.mark.parametrize(("scheme", "language"), [("light", "fr"), ("dark", "en")])
def test_every_page_is_for_everybody(
    phone: Callable[..., Phone], tables: Mapping[str, NewTable], scheme: str, language: str
) -> None:
    """No page violates WCAG 2.2 AA (nor axe's good practices), by day or by night, in any language; and in the longer
    of the languages every page fits its screen.
    """
    amiss: list[tuple[Any, ...]] = []
    for name, page in views(phone(NARROWEST, scheme=scheme, language=language, has_touch=True), tables):
        assert page.locator("html").get_attribute("lang") == language
        amiss += [(name, *violation) for violation in violations(page).items()]
        amiss += narrow(page, name) if language == "fr" else []
    assert not amiss


def test_cells_fill_the_width(phone: Callable[..., Phone], tables: Mapping[str, NewTable]) -> None:
    """The board is as wide as the phone; after a tap, buttons of full size move the choice to the next cell."""
    made = phone()
    page = made.sit(tables["going"], "?at=d4")
    assert page.locator("#squares").bounding_box() == pytest.approx(
        {"x": 0, "y": page.locator("#squares").bounding_box()["y"], "width": 390, "height": 390}  # type: ignore[index]
    )
    for direction, cell in (("up", "d5"), ("right", "e5"), ("down", "e4"), ("left", "d4")):
        page.locator(f"#go-{direction}").click()
        expect(page.locator("a.cell[aria-current]")).to_have_id(f"c-{cell}")


def test_the_keyboard_alone(phone: Callable[..., Phone], server: Server) -> None:
    """One tab stop for the board, arrow keys among its cells, and from a cell to a placed piece without a pointer."""
    page = phone().sit(server.table())
    page.locator("#c-e5").focus()
    for key, cell in (("ArrowUp", "e6"), ("ArrowUp", "e7"), ("ArrowLeft", "d7"), ("ArrowUp", "d8"), ("ArrowUp", "d9")):
        page.keyboard.press(key)
        expect(page.locator(f"#c-{cell}")).to_be_focused()
    assert page.locator("a.cell[tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    expect(page.locator(".chosen-head h2")).to_contain_text("d9")
    expect(page.locator("#c-d9")).to_be_focused()
    page.locator("#o-d9e9").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#panel")).to_be_focused()
    page.locator("#place").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_contain_text("placed")
    expect(page.locator("#panel")).to_be_focused()


def test_every_cell_is_a_link_with_its_name(phone: Callable[..., Phone], tables: Mapping[str, NewTable]) -> None:
    """Each cell can be found by its role and by what stands on it."""
    page = phone().sit(tables["ended"])
    expect(page.get_by_role("group", name="Board").get_by_role("link")).to_have_count(81)
    for name in ("e5, market square", "d4, Anne’s shop", "b9, Bruno’s rampart", "a9, corner tower of Bruno"):
        assert page.get_by_role("link", name=name).count() == 1, name


def test_colours_that_the_system_forces(phone: Callable[..., Phone], tables: Mapping[str, NewTable]) -> None:
    """With forced colours the two players' pieces still differ, and the chosen cell still shows."""
    page = phone(forced_colors="active").sit(tables["ended"], "?at=d4")
    fills = [
        page.evaluate(
            "name => getComputedStyle(document.querySelector(name)).fill", f"symbol#{shade}-cube .{shade}-front"
        )
        for shade in ("dark", "light")
    ]
    assert len(set(fills)) == 2
    stroke = page.evaluate("getComputedStyle(document.querySelector('.mark.chosen')).stroke")
    assert stroke not in fills[1:]


def test_back_never_shows_a_part(phone: Callable[..., Phone], tables: Mapping[str, NewTable]) -> None:
    """What is chosen is one step of the history; Back and Forward show whole pages, with their style."""
    made = phone()
    page = made.open("/")
    page = made.sit(tables["going"])
    page.locator("#c-d4").click()
    expect(page.locator(".chosen-head h2")).to_contain_text("d4")
    page.locator("#to-score").click()
    expect(page.locator(".sheet")).to_be_visible()
    assert page.url.endswith("/score")
    page.locator("#to-log").click()
    expect(page.locator("ol.log").first).to_be_visible()
    chosen, back, forward = ".chosen-head", page.go_back, page.go_forward
    for step, seen in ((back, ".sheet"), (back, chosen), (back, ".kinds"), (forward, chosen), (forward, ".sheet")):
        step()
        expect(page.locator(seen)).to_be_visible()
        expect(page.locator("header.bar")).to_have_count(1)
        expect(page.locator("link[rel=stylesheet][href*='/app.css']")).to_have_count(1)
    for seen in (chosen, ".kinds"):
        page.go_back()
        expect(page.locator(seen)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Open the table")).to_be_visible()
