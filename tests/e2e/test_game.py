"""A whole game entered on the page, with a script and without; undo and redo, in the browser without one, too."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import GAME, Phone, Server
from tests.e2e.game import MOVES
from tests.e2e.text_browser import TextBrowser, text_of
from tests.support.browser_game import KINDS, choose, place

HALF = 24
"""The number of moves played before the page is opened."""
ENDED = "Bruno has no legal placement: the game is over."


def open_table(phone: Phone) -> Page:
    """The page of a table, opened by the form of the first page."""
    page = phone.open("/?game=villefranche")
    page.get_by_role("textbox", name="Black").fill("Anne")
    page.get_by_role("textbox", name="White").fill("Bruno")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="Villefranche")).to_be_visible()
    return page


def place_at_once(page: Page, move: str) -> None:
    """Place a piece with two taps: the cell, and the button beside the piece that is legal there."""
    letter, cells = move.split()
    page.locator(f"#c-{cells[:2]}").click()
    expect(page.locator(".chosen-head h2")).to_contain_text(cells[:2])
    row = page.locator(".row", has_text=f"{cells[:2]}–{cells[2:]}" if len(cells) == 4 else KINDS[letter])
    if row.count():
        row.get_by_role("button", name="Place").click()
    else:
        place(page, move)


def is_placed(page: Page, number: int, move: str) -> None:
    """Check that the page says that this move was placed, as the entry of this number."""
    expect(page.locator("#table")).to_have_attribute("data-version", str(number))
    cells = move.split()[1]
    expect(page.locator(".toast")).to_contain_text(f"on {cells[:2]}")


def totals_of_the_game() -> list[int]:
    """The points of both players at the end of the whole game."""
    state = GAME.setup(GAME.setup_form())
    for move in MOVES:
        state = GAME.apply(state, GAME.read(move))
    return [sum(line.points for line in GAME.score(state) if line.seat == seat) for seat in ("black", "white")]


def test_a_game_up_to_its_end(phone: Callable[..., Phone], server: Server) -> None:
    """Taps enter the second half of a game, with every kind of piece, up to its end and score."""
    page = phone().sit(server.table(*MOVES[:HALF]))
    for number, move in enumerate(MOVES[HALF:], HALF + 2):
        # Each of the two ways to enter a move is used half of the time, for every kind of piece.
        (place if number % 2 else place_at_once)(page, move)
        is_placed(page, number, move)
    expect(page.locator(".ended")).to_contain_text(ENDED)
    page.locator("#to-score").click()
    totals = totals_of_the_game()
    expect(page.locator(".points.total")).to_have_text([str(total) for total in totals])
    expect(page.locator(".result")).to_contain_text("Anne" if totals[0] > totals[1] else "Bruno")


def place_as_text(browser: TextBrowser, move: str, *, at_once: bool) -> None:
    """Place a piece without a script: by the button beside it if `at_once`, else by piece, cell and verdict."""
    letter, cells = move.split()
    browser.tap(browser.one(f"#c-{cells[:2]}"))
    assert cells[:2] in browser.says(".chosen-head h2")
    both = f"{cells[:2]}–{cells[2:]}"
    ways = [row for row in browser.all(".row") if len(cells) == 4 and both in text_of(row)]
    rows = ways or [row for row in browser.all(".row") if len(cells) == 2 and KINDS[letter] in text_of(row)]
    if at_once and rows:
        browser.tap(browser.one("button", within=rows[0]))
        return
    browser.tap(browser.one(".ask, .together a", both if ways else KINDS[letter]))
    if len(cells) == 4 and not ways:
        assert f": {KINDS[letter].lower()}" in browser.says(".chosen-head h2")
        browser.tap(browser.one(f"#c-{cells[2:]}"))
    assert browser.says(".verdict h2") == "Legal"
    browser.tap(browser.one_named("button", "Place"))


def test_a_whole_game_without_a_script(text_browser: TextBrowser) -> None:
    """Without a script, the whole game can be entered, with the same end and score."""
    browser = text_browser
    browser.open("/?game=villefranche")
    browser.fill("name-black", "Anne")
    browser.fill("name-white", "Bruno")
    browser.tap(browser.one_named("button", "Open the table"))
    for number, move in enumerate(MOVES, 2):
        place_as_text(browser, move, at_once=number % 2 == 0)
        assert browser.one("#table").attributes["data-version"] == str(number)
        assert f"on {move.split()[1][:2]}" in browser.says(".toast")
    assert ENDED in browser.says(".ended")
    browser.tap(browser.one("#to-score"))
    totals = totals_of_the_game()
    assert list(map(text_of, browser.all(".points.total"))) == list(map(str, totals))
    assert ("Anne" if totals[0] > totals[1] else "Bruno") in browser.says(".result")


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_game_with_every_step_back(phone: Callable[..., Phone], script: bool) -> None:
    """A refused move is explained and can stand; moves can be undone and redone; the log has all of them."""
    page = open_table(phone(script=script))
    choose(page, "h c4")
    expect(page.locator(".verdict h2")).to_have_text("Not legal")
    expect(page.locator(".in-short")).to_contain_text("The first turn is a single rampart")
    page.get_by_role("button", name="Let it stand").click()
    expect(page.locator(".toast")).to_contain_text("Anne’s house on c4 let stand")
    page.locator("#undo").click()
    expect(page.locator(".toast")).to_contain_text("Undone: Anne: house on c4")
    expect(page.locator("#c-c4")).to_have_accessible_name("c4, free")
    page.locator("#redo").click()
    expect(page.locator("#c-c4")).to_have_accessible_name("c4, Anne’s house")
    page.locator("#undo").click()
    place(page, "r b9c9")
    page.get_by_role("link", name="Log").click()
    expect(page.locator(".log > li")).to_have_count(6)
    expect(page.locator(".log .stands.undone")).to_contain_text("House on c4")
    expect(page.locator(".log .now")).to_contain_text("Rampart on b9–c9")
    page.locator(".log .stands a").first.click()
    expect(page.locator(".ruled")).to_contain_text("agreed by Anne and Bruno")
    page.locator("#unfold").click()  # beside the log the board is small at first
    expect(page.locator("#c-c4")).to_have_accessible_name("c4, Anne’s house")
    page.locator(".log .stands a").first.click()
    expect(page.locator(".ruled")).to_have_count(0)
    page.locator("#unfold").check()
    expect(page.locator("#c-c4")).to_have_accessible_name("c4, free")


def test_a_verdict_shows_its_reasons(phone: Callable[..., Phone], server: Server) -> None:
    """A verdict has its ruling first, then its reason, with the rule in a fold, the counted cells, and legal places."""
    page = phone().sit(server.table(*MOVES[:8]), "?move=h+g5")
    expect(page.locator("#panel > *").first).to_contain_text("Not legal")
    expect(page.locator(".in-short")).to_contain_text("Around g5 Anne has 0 and Bruno 1")
    reason = page.locator(".reason", has_text="Majority")
    expect(page.locator(".mark.lit")).to_have_count(1)
    expect(page.locator(".badge.seat-white")).to_have_text("1")
    restated = page.get_by_text("The builder needs at least as many as the opponent.")
    expect(restated).to_be_hidden()
    reason.get_by_text("Majority").click()
    expect(restated).to_be_visible()
    expect(reason).to_contain_text("g6: Bruno 1")
    page.locator(".nearest a").first.click()
    expect(page.locator(".verdict h2")).to_have_text("Legal")


def test_a_score_is_shown_on_the_board(phone: Callable[..., Phone], server: Server) -> None:
    """Each number of the score lights its cells, whose points add up to it."""
    page = phone().sit(server.table(*MOVES), "/score")
    numbers = page.locator("a.points")
    for number in range(numbers.count()):
        points = int(re.findall(r"\d+", numbers.nth(number).inner_text())[0])
        numbers.nth(number).click()
        expect(numbers.nth(number)).to_have_attribute("aria-current", "true")
        badges = page.locator(".badge text").all_text_contents()
        assert sum(int(badge) for badge in badges) == points
        assert page.locator(".mark.lit").count() >= len(badges)
    assert numbers.count() > 4


def test_where_a_piece_may_go(phone: Callable[..., Phone], server: Server) -> None:
    """A kind of piece marks all its legal cells; a tap on one leads to the verdict there."""
    page = phone().sit(server.table(*MOVES[:40]))
    page.locator(".kind", has_text="House").click()
    expect(page.locator(".kind.chosen")).to_contain_text("House")
    state = GAME.setup(GAME.setup_form())
    for move in MOVES[:40]:
        state = GAME.apply(state, GAME.read(move))
    legal = [GAME.cells_of(move)[0] for move in GAME.moves(state, ("house",))]
    assert page.locator(".mark.open").count() == len(legal)
    page.locator(f"#c-{legal[0]}").click()
    expect(page.locator(".verdict")).to_contain_text(f"House on {legal[0]}")
    expect(page.locator(".verdict h2")).to_have_text("Legal")
