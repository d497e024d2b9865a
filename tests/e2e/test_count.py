"""Positions entered by taps on a narrow phone, and counted, with a script and without."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Phone
from tests.e2e.text_browser import TextBrowser, text_of
from tests.support.browser_count import choose, counts
from tests.support.browser_gestures import await_scripts
from tests.support.count_pages import text_of as link_text

Taps = Sequence[tuple[str, tuple[str, ...], tuple[int, ...]]]

GAMES: dict[str, Taps] = {
    # cell, the choices there in order (group/name), the points after them
    "villefranche": (
        ("c4", ("Black/church, with d4", "Church of Black/with bell tower"), (2, 0)),
        ("e4", ("Black/shop",), (3, 0)),
        ("e3", ("Black/shop",), (6, 0)),
        ("f7", ("White/tower, 3/3",), (6, 2)),
        ("a9", ("A storey on top/White", "A storey on top/White"), (6, 3)),
    ),
    "robber_knights": (
        ("0,0", ("Tile/town in the plain", "Knights/Blue on top", "Knights/Yellow on top"), (0, 3)),
        ("1,0", ("Tile/castle in the forest", "Knights/Blue on top"), (1, 3)),
        ("1,1", ("Tile/village in the plain", "Knights/Blue on top"), (3, 3)),
        ("0,0", ("Knights/top one off",), (6, 0)),
    ),
    "architekton": (
        ("0,0", ("Building/house of Light",), (1, 1)),
        ("1,0", ("Landscape/water",), (1, 1)),
        ("0,1", ("Landscape/forest",), (1, 1)),
        ("-1,0", ("Landscape/earth",), (2, 1)),
    ),
}
"""Game -> a few taps, with points counted by hand."""


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_entered_and_counted(phone: Callable[..., Phone], game: str) -> None:
    """Each tap updates the points, a reload keeps the position, and a number of the sheet can be lit."""
    page = phone(360, high=740).open(f"/count/{game}")
    for cell, picks, points in GAMES[game]:
        page.locator(f"[id='c-{cell}']").click()
        expect(page.locator("a.cell[aria-current]")).to_have_id(f"c-{cell}")
        for pick in picks:
            choose(page, pick)
            expect(page.locator("a.cell[aria-current]")).to_have_id(f"c-{cell}")
        counts(page, points)
    page.reload()
    counts(page, GAMES[game][-1][2])
    page.locator("#lines > summary").click()
    page.locator("a.points").first.click()
    expect(page.locator("a.points.lit")).to_have_attribute("aria-current", "true")
    counts(page, GAMES[game][-1][2])


def test_the_open_lines_of_a_count_stay_open(phone: Callable[..., Phone]) -> None:
    """The sheet, once opened or folded, stays so through taps and reloads."""
    page = phone(390, high=844).open("/count/villefranche?brush=black-shop")
    await_scripts(page)
    page.locator("#lines > summary").click()
    for cell in ("c4", "e4"):
        page.locator(f"[id='c-{cell}']").click()
        expect(page.locator("#brush")).to_contain_text(cell)
        expect(page.locator("#lines")).to_have_attribute("open", "")
    page.reload()
    expect(page.locator("#lines")).to_have_attribute("open", "")
    page.locator("#lines > summary").click()
    expect(page.locator("#lines")).not_to_have_attribute("open", "")
    page.reload()
    await_scripts(page)
    expect(page.locator("#lines")).not_to_have_attribute("open", "")


@pytest.mark.parametrize("game", ["villefranche", "robber_knights", "villa_paletti", "architekton"])
def test_a_piece_that_is_chosen_covers_no_other(phone: Callable[..., Phone], game: str) -> None:
    """The line about the brush takes the place of the hint before it: no piece moves or is covered."""
    page = phone(390, high=844).open(f"/count/{game}")
    await_scripts(page)
    before = page.locator("#b-1-1").bounding_box()
    page.locator("#b-1-1").click()
    expect(page.locator("#b-1-1")).to_have_attribute("aria-current", "true")
    hand, piece = page.locator("#brush").bounding_box(), page.locator("#b-1-1").bounding_box()
    assert hand is not None and piece == before and piece is not None
    assert hand["y"] + hand["height"] <= piece["y"]


def test_no_editor_scrolls_sideways_on_a_small_phone(phone: Callable[..., Phone]) -> None:
    """With four players, the page is no wider than the screen: long labels for screen readers take no room."""
    players = [{"colour": colour} for colour in ("blue", "yellow", "red", "green")]
    text = link_text({"setup": {"players": players}, "position": {"tiles": []}})
    page = phone(320, high=568).open(f"/count/robber_knights/{text}")
    expect(page.locator(".take", has_text="Green").first).to_be_attached()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 320


def points_said(browser: TextBrowser) -> list[tuple[int, ...]]:
    """The totals at the foot of the page, and in the sheet."""
    found = (browser.all(".totals .points"), browser.all(".sheet .total"))
    return [tuple(int(text_of(node)) for node in nodes) for nodes in found]


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_entered_and_counted_without_a_script(text_browser: TextBrowser, game: str) -> None:
    """The same taps and points without a script."""
    browser = text_browser
    browser.open(f"/count/{game}")
    for cell, picks, points in GAMES[game]:
        browser.tap(browser.one(f"[id='c-{cell}']"))
        assert browser.one("a.cell[aria-current]").id == f"c-{cell}"
        for pick in picks:
            browser.pick(*pick.split("/", 1))
            assert browser.one("a.cell[aria-current]").id == f"c-{cell}"
        assert points_said(browser) == [points, points]
    last = GAMES[game][-1][2]
    browser.open(browser.address)
    assert points_said(browser) == [last, last]
    browser.tap(browser.one("a.points"))
    assert browser.one("a.points.lit").attributes["aria-current"] == "true"
    assert points_said(browser) == [last, last]


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_back_goes_a_tap_back(phone: Callable[..., Phone], script: bool) -> None:
    """Both the page's Undo and the browser's Back undo one tap; Forward restores it."""
    page = phone(360, script=script, high=740).open("/")
    page.get_by_role("navigation", name="Game").get_by_role("link", name="Count Villefranche").click()
    shop = page.get_by_role("link", name="c4, Black’s shop")
    page.locator("#c-c4").click()
    expect(page.locator("a.cell[aria-current]")).to_have_id("c-c4")
    choose(page, "Black/house")
    expect(page.get_by_role("link", name="c4, Black’s house")).to_be_visible()
    choose(page, "Black/shop")
    expect(shop).to_be_visible()
    page.go_back()
    expect(page.get_by_role("link", name="c4, Black’s house")).to_be_visible()
    expect(page.locator("link[rel=stylesheet]")).to_have_count(6)
    page.wait_for_load_state()  # the page loads again, and handles the history once its script runs
    page.go_forward()
    expect(shop).to_be_visible()
    page.locator("#more").click()
    page.get_by_role("link", name="Clear the board").click()
    expect(page.get_by_role("link", name="c4, free")).to_be_visible()
    page.get_by_role("link", name="Undo").click()
    expect(shop).to_be_visible()


def test_the_link_is_the_count(phone: Callable[..., Phone]) -> None:
    """Another phone sees the same position and points by the link."""
    page = phone(360).open("/count/robber_knights")
    page.locator("[id='c-0,0']").click()
    expect(page.locator("a.cell[aria-current]")).to_have_id("c-0,0")
    choose(page, "Tile/town in the forest")
    choose(page, "Knights/Yellow on top")
    counts(page, (0, 3))
    link = page.locator("#link").input_value()
    other = phone(390, language="fr").page
    other.goto(link)
    counts(other, (0, 3))
    expect(other.get_by_role("link", name="Jaune", exact=False).first).to_be_visible()


def test_a_count_by_the_keyboard_alone(phone: Callable[..., Phone]) -> None:
    """Keys alone choose a cell and a piece; the focus stays on the pressed element."""
    page = phone(360).open("/count/villefranche")
    page.locator("#c-c4").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".chosen-head h2")).to_contain_text("c4")
    expect(page.locator("#c-c4")).to_be_focused()
    page.locator("#p-1-2").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="c4, Black’s shop")).to_be_visible()
    expect(page.locator("#p-1-2")).to_be_focused()
    expect(page.locator("#said")).to_have_text("Black 0, White 0")


def test_taps_that_come_faster_than_answers_all_count(phone: Callable[..., Phone]) -> None:
    """Four cells tapped at once are all painted; each Back undoes one, and the brush stays."""
    page = phone(360).open("/count/villefranche")
    page.locator(".brush", has_text="shop").first.click()
    expect(page.locator("#brush")).to_contain_text("Black’s shop")
    expect(page.locator("#said")).to_contain_text("In hand: Black’s shop.")
    page.evaluate("""() => ["c-b3", "c-c3", "c-d3", "c-f3"].forEach((id) =>
        document.getElementById(id).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })))""")
    for cell in ("b3", "c3", "d3", "f3"):
        expect(page.get_by_role("link", name=f"{cell}, Black’s shop. A tap here: take it away")).to_be_visible()
    expect(page.locator("#said")).to_have_text("f3, Black’s shop; Black 3, White 0")
    page.locator("#c-f4").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("f4, Black’s shop;")
    expect(page.locator("#c-f4")).to_be_focused()
    page.go_back()
    expect(page.get_by_role("link", name="f4, free. A tap here: Black’s shop")).to_be_visible()
    expect(page.get_by_role("link", name="f3, Black’s shop. A tap here: take it away")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("link", name="f3, free. A tap here: Black’s shop")).to_be_visible()
    expect(page.get_by_role("link", name="d3, Black’s shop. A tap here: take it away")).to_be_visible()
    page.get_by_role("link", name="Put down").click()
    expect(page.get_by_role("link", name="d3, Black’s shop", exact=True)).to_be_visible()


def test_a_count_says_that_the_connection_is_away(phone: Callable[..., Phone]) -> None:
    """After an unanswered tap the page says that there is no connection, until a tap is answered."""
    made = phone(360)
    made.expected_complaints = ("ERR_INTERNET_DISCONNECTED", "htmx:sendError")
    page = made.open("/count/villefranche")
    expect(page.locator("#trouble")).to_be_hidden()
    made.context.set_offline(True)
    page.locator("#c-c4").click()
    expect(page.locator("#trouble")).to_contain_text("No connection")
    made.context.set_offline(False)
    page.locator("#c-c4").click()
    expect(page.locator(".chosen-head")).to_be_visible()
    expect(page.locator("#trouble")).to_be_hidden()
