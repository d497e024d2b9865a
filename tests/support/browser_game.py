"""A move in a browser, as a player makes it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

KINDS = {"r": "Rampart", "t": "Corner storey", "h": "House", "s": "Roof", "n": "Noble storey", "e": "Nave"}


def choose(page: Page, move: str) -> None:
    """Tap the cell, then the piece; of a brick that can lie in many ways, the page asks for the second cell."""
    letter, cells = move.split()
    page.locator(f"#c-{cells[:2]}").click()
    expect(page.locator(".chosen-head h2")).to_contain_text(cells[:2])
    way = page.locator(".ask", has_text=f"{cells[:2]}–{cells[2:]}")
    if len(cells) == 4 and way.count():
        way.click()
        return
    page.locator(".ask, .together a", has_text=KINDS[letter]).first.click()
    if len(cells) == 4:
        expect(page.locator(".chosen-head h2")).to_contain_text(f": {KINDS[letter].lower()}")
        page.locator(f"#c-{cells[2:]}").click()


def place(page: Page, move: str) -> None:
    """Place a piece as a player does: tap the cell, choose the piece, read the verdict, place it."""
    choose(page, move)
    expect(page.locator(".verdict h2")).to_have_text("Legal")
    page.get_by_role("button", name="Place", exact=True).click()


def ready(page: Page) -> None:
    """Touch a page, and wait until it has loaded the moves to choose from without a connection."""
    page.dispatch_event("body", "pointerdown")
    expect(page.locator("#outbox-known option")).not_to_have_count(0)
