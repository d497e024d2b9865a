"""A dispute, raised on one phone, settled on the other, and printed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import ON_ITS_SIDE, SHORT, USUAL, Phone, Server

QUESTION = "Is White not out of turn here?"
GAME = ("r b9c9", "r g1h1")


@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without"])
def test_a_dispute_is_raised_here_and_settled_there(script: bool, phone: Callable[..., Phone], server: Server) -> None:
    """The other phone opens the dispute and settles it without scrolling; the first sees that, and prints one page."""
    table = server.table(*GAME)
    first, second = phone(script=script).sit(table, "/moves", "white"), phone(script=script).sit(table)
    first.locator("#e-3").click()
    first.locator("#dispute").click()
    first.locator("#question").fill(QUESTION)
    first.locator("#raise").click()
    expect(first.get_by_text(QUESTION)).to_be_visible()
    first.get_by_label("Go back to before it").check()
    expect(first.locator("#settle")).to_have_text("Agree")
    wide = first.evaluate("document.documentElement.scrollWidth") if script else 390
    assert wide <= 390
    if not script:
        second.reload()
    second.locator("#to-dispute-1").click()
    expect(second.get_by_text(QUESTION)).to_be_visible()
    for size in (SHORT, ON_ITS_SIDE, USUAL):
        second.set_viewport_size(size)
        expect(second.locator("#settle")).to_be_in_viewport(ratio=1)
    second.get_by_label("Go back to before it").check()
    second.locator("#settle").click()
    expect(second.locator("div.note.settled")).to_contain_text("Settled: Go back to before it")
    if not script:
        first.goto(f"{server.url}/t/{table.table.id}/disputes/1")
    expect(first.locator("div.note.settled")).to_contain_text("Settled: Go back to before it")
    pages = re.findall(rb"/Type\s*/Page\b", first.pdf(format="A4"))
    assert len(pages) == 1
