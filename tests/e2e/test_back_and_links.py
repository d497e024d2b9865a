"""Back cancels a choice, and a reload keeps it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.conftest import Phone, Server

Phones = Callable[..., Phone]


def test_back_and_reload_in_the_middle_of_a_move(server: Server, phone: Phones) -> None:
    """Back cancels all choices of a move at once, and a reload keeps them; Back does not cross a placed move."""
    page = phone().sit(server.table("r b9c9", "r g1h1"))
    for tapped, said in (("#c-c4", "c4, free"), ("#go-down", "c3, free"), ("#go-right", "d3, free")):
        page.locator(tapped).click()
        expect(page.locator("#panel h2")).to_have_text(said)
    page.locator("#panel .rows a").first.click()
    expect(page.locator(".verdict")).to_be_visible()
    asked = page.url
    page.reload()
    expect(page.locator(".verdict")).to_be_visible()
    assert page.url == asked
    page.go_back()
    expect(page.locator(".verdict, .chosen-head")).to_have_count(0)
    expect(page.locator("#where")).to_be_visible()
    page.wait_for_load_state()  # the page loads again, with its script
    length = page.evaluate("history.length")
    for cell in ("c4", "d4"):
        page.locator(f"#c-{cell}").click()
        expect(page.locator("#panel h2")).to_have_text(f"{cell}, free")
        page.locator("#cancel").click()
        expect(page.locator("#where")).to_be_visible()
        assert "?" not in page.url
    page.locator("#c-d4").click()
    page.locator("#panel .rows button").first.click()
    expect(page.locator(".toast")).to_be_visible()
    assert "?" not in page.url
    assert page.evaluate("history.length") == length, "one entry over the board, whatever is chosen"


def test_a_link_pasted_into_the_open_page_is_followed(server: Server, phone: Phones) -> None:
    """A pasted link with the same key leads to the table; one with another key asks first."""
    table = server.table("r b9c9")
    made = phone()
    page = made.sit(table, role="white")
    page.evaluate("key => { location.hash = key; window.old = true }", table.keys.seats["white"])
    page.wait_for_function("() => !window.old && !location.hash")
    expect(page.locator("#table[data-version='2']")).to_be_visible()
    page.evaluate("key => { location.hash = key }", table.keys.watch)
    expect(page.get_by_label("Link or key")).to_have_value(table.keys.watch)
    assert "#" not in page.url
