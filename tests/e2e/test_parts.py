"""A tap swaps only the changed parts; Back and Forward show whole pages."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Phone, Server

Phones = Callable[..., Phone]
PARTS = ("bar", "players", "squares", "ground", "under", "pieces", "over", "cells", "notes", "panel", "tabs")
MARK = "for (const node of document.querySelectorAll('#table, #squares, #cells, #players, #panel')) node.was = true"
SAME_ELEMENTS = (
    "[...document.querySelectorAll('#table, #squares, #cells, #players, #panel')].filter(n => n.was).map(n => n.id)"
)


def same_elements(page: Page) -> list[str]:
    """The ids of the elements that were marked and are still there."""
    found: list[str] = page.evaluate(SAME_ELEMENTS)
    return found


def test_a_tap_leaves_the_rest_alone(server: Server, phone: Phones) -> None:
    """A choice leaves the board's elements in place; a placed piece is added, and its cell gets a new label."""
    page = phone().sit(server.table("r b9c9", "r g1h1"))
    page.evaluate(MARK)
    page.locator("#c-c4").click()
    expect(page.locator(".chosen-head h2")).to_have_text("c4, free")
    assert same_elements(page) == ["table", "players", "squares", "cells"]
    expect(page.locator("a.cell[aria-current]")).to_have_id("c-c4")
    expect(page.locator("#over .frame.chosen")).to_have_count(1)
    expect(page.locator("#table")).to_have_class("table on-board at-cell")
    page.locator("#c-d4").click()
    expect(page.locator("a.cell[aria-current]")).to_have_id("c-d4")
    expect(page.locator("#c-d4")).to_be_focused()
    expect(page.locator("a.cell[tabindex='0']")).to_have_count(1)
    page.locator("#table").evaluate("node => node.sent = document.querySelectorAll('#pieces > g').length")
    groups = page.locator("#pieces > g").evaluate_all("nodes => nodes.map(node => { node.was = true; return node.id })")
    page.locator("#panel .rows a").first.click()
    expect(page.locator("#place, #stand")).to_be_visible()
    page.locator("#place, #stand").click()
    expect(page.locator(".toast")).to_be_visible()
    assert same_elements(page) == ["table", "squares", "cells"]
    after = page.locator("#pieces > g").evaluate_all("nodes => nodes.filter(node => node.was).map(node => node.id)")
    assert set(after) < set(groups)
    assert page.locator("#c-d4").get_attribute("aria-label") != "d4, free"
    assert page.locator("#said").text_content() != ""


def test_back_and_forward_show_whole_pages(server: Server, phone: Phones) -> None:
    """Back and Forward load the whole page of an address, not swapped parts."""
    page = phone().sit(server.table("r b9c9", "r g1h1"))
    page.locator("#c-c4").click()
    expect(page.locator(".chosen-head h2")).to_have_text("c4, free")
    page.locator("#to-score").click()
    expect(page.locator("#panel table")).to_be_visible()
    expect(page.locator("#table")).to_have_class("table on-score")
    page.locator("#to-log").click()
    expect(page.locator("#panel .log").first).to_be_visible()
    for way, section in (("back", "score"), ("back", "board"), ("forward", "score"), ("forward", "log")):
        (page.go_back if way == "back" else page.go_forward)()
        expect(page.locator(f"#to-{section}[aria-current]")).to_be_visible()
        page.wait_for_load_state()  # the page loads again, with its script
        assert page.locator("a.cell").count() > 40
        for part in PARTS:
            assert page.locator(f"#{part}").count() == 1, part
    page.evaluate(MARK)
    page.locator("#unfold").click()  # beside the log the board is small at first
    page.locator("#c-c4").click()
    expect(page.locator(".chosen-head h2")).to_have_text("c4, free")
    assert "cells" in same_elements(page), "and it goes on in parts from there"
