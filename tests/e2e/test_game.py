"""A whole game entered on the page, with a script and without."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import GAME, Phone
from tests.e2e.game import MOVES

ENDED = "White has no legal placement: the game is over."
KINDS = {"r": "Rampart", "t": "Corner storey", "h": "House", "s": "Roof", "n": "Noble storey", "e": "Nave"}


def opened(phone: Phone) -> Page:
    """The page of a table that was opened on the first page."""
    page = phone.open()
    page.get_by_label("Black").fill("Anne")
    page.get_by_label("White").fill("Bruno")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="Villefranche")).to_be_visible()
    return page


def choose(page: Page, move: str) -> None:
    """Tap the cell, then the piece; of a brick that can lie several ways, the page asks for the second cell."""
    letter, cells = move.split()
    page.locator(f"#c-{cells[:2]}").click()
    expect(page.locator(".chosen-head h2")).to_contain_text(cells[:2])
    page.locator(".ask", has_text=KINDS[letter]).first.click()
    ways = page.locator(".chosen-head h2", has_text=f": {KINDS[letter].lower()}")
    expect(ways.or_(page.locator(".verdict"))).to_be_visible()
    if len(cells) == 4 and ways.is_visible():
        page.locator(f"#c-{cells[2:]}").click()


def place(page: Page, move: str) -> None:
    """Place a piece as a player does: tap the cell, choose the piece, read the verdict, place it."""
    choose(page, move)
    expect(page.locator(".verdict h2")).to_have_text("Legal")
    page.get_by_role("button", name="Place", exact=True).click()


def place_at_once(page: Page, move: str) -> None:
    """Place a piece with two taps: the cell, and the button beside the piece that is legal there."""
    letter, cells = move.split()
    page.locator(f"#c-{cells[:2]}").click()
    expect(page.locator(".chosen-head h2")).to_contain_text(cells[:2])
    at_once = page.locator(".row", has_text=f"Legal: {cells[:2]}–{cells[2:]}" if len(cells) == 4 else KINDS[letter])
    if at_once.count():
        at_once.get_by_role("button", name="Place").click()
    else:
        place(page, move)


def is_placed(page: Page, number: int, move: str) -> None:
    """The page says that this was placed, as the entry of this number."""
    expect(page.locator("#table")).to_have_attribute("data-version", str(number))
    cells = move.split()[1]
    expect(page.locator(".toast")).to_contain_text(f"on {cells[:2]}")


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_whole_game(phone: Callable[..., Phone], script: bool) -> None:
    """A game is entered tap by tap, up to its end and its score, with a script and just as well without."""
    page = opened(phone(script=script))
    for number, move in enumerate(MOVES, 2):
        # Two ways to enter a move; each is taken half of the time, and for every kind of piece.
        (place if number % 2 else place_at_once)(page, move)
        is_placed(page, number, move)
    expect(page.locator(".ended")).to_contain_text(ENDED)
    page.get_by_role("link", name="Score").click()
    state = GAME.setup(GAME.setup_form())
    for move in MOVES:
        state = GAME.apply(state, GAME.read(move))
    totals = [sum(line.points for line in GAME.score(state) if line.seat == seat) for seat in ("black", "white")]
    expect(page.locator(".points.total")).to_have_text([str(total) for total in totals])
    expect(page.locator(".result")).to_contain_text("Anne" if totals[0] > totals[1] else "Bruno")


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_game_with_every_step_back(phone: Callable[..., Phone], script: bool) -> None:
    """A refused move is explained and can stand; what was placed can be undone and put back; the log keeps it all."""
    page = opened(phone(script=script))
    choose(page, "h c4")
    expect(page.locator(".verdict h2")).to_have_text("Not legal")
    expect(page.locator(".reason").first).to_contain_text("The first turn is a single rampart")
    page.get_by_role("button", name="Let it stand").click()
    expect(page.locator(".toast")).to_contain_text("Black’s house on c4 let stand")
    page.locator("#toast-undo").click()
    expect(page.locator(".toast")).to_contain_text("Undone: Black: house on c4")
    expect(page.locator("#c-c4")).to_have_accessible_name("c4, free")
    page.locator("#toast-redo").click()
    expect(page.locator("#c-c4")).to_have_accessible_name("c4, Black house")
    page.locator("#undo").click()
    place(page, "r b9c9")
    page.get_by_role("link", name="Log").click()
    expect(page.locator(".log li")).to_have_count(6)
    expect(page.locator(".log .stands.undone")).to_contain_text("House on c4")
    expect(page.locator(".log .now")).to_contain_text("Rampart on b9–c9")
    page.locator(".log .stands a").click()
    expect(page.locator(".ruled")).to_contain_text("the table let it stand")
    expect(page.locator("#c-c4")).to_have_accessible_name("c4, Black house")
    page.get_by_role("link", name="Back to now").click()
    expect(page.locator("#c-c4")).to_have_accessible_name("c4, free")


def test_a_verdict_shows_its_reasons(phone: Callable[..., Phone], server: object) -> None:
    """The ruling comes first; the reason, the rule on demand, the counted cells and legal places nearby follow."""
    page = opened(phone())
    for number, move in enumerate(MOVES[:5], 2):
        place_at_once(page, move)
        is_placed(page, number, move)
    choose(page, "h g5")
    expect(page.locator(".verdict h2")).to_have_text("Not legal")
