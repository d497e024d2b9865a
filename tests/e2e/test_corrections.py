"""Corrections at a table, on a phone: of the log, a reading and the board, and the report of a wrong ruling.

One table goes through all of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Phone, Server

GAME = ("r b9c9", "r g1h1", "h e3")
"""The last move is White's house, entry 4 of the log."""
WHY = "Black begins with a rampart, but this is no first turn."


def amend(page: Page) -> None:
    """Move Bruno’s house to d4: choose the move on the earlier board, see the preview, and save."""
    page.locator("#to-log").click()
    page.locator("#e-4").click()
    page.locator("#amends").click()
    page.locator("#replace").click()
    expect(page.get_by_role("heading", name="Instead of: no. 3, Bruno: house on e3")).to_be_visible()
    page.locator("#c-d4").click()
    page.locator("#o-house").click()
    expect(page.locator(".verdict.legal")).to_be_visible()
    page.locator("#take").click()
    expect(page.locator(".before-after")).to_be_visible()
    expect(page.locator("#save")).to_be_in_viewport(ratio=1)
    page.locator("#save").click()
    expect(page.locator(".toast")).to_contain_text("e3")
    expect(page.locator("li.undone .tag.undone")).to_have_text(["amended"])
    page.locator("#to-board").click()
    expect(page.locator("#c-d4")).to_have_accessible_name("d4, Bruno’s house")
    expect(page.locator("#c-e3")).not_to_have_accessible_name("e3, Bruno’s house")


def read_otherwise(page: Page) -> None:
    """Change a reading: a corner tower gives two points; the table then shows one change."""
    page.locator("#more").click()
    page.locator("#to-readings").click()
    expect(page.get_by_role("heading", name="How the rules are read")).to_be_visible()
    page.locator("#reading-corner_tower_points-2").check()
    page.locator("#set-readings").click()
    expect(page.locator("#reading-corner_tower_points .tag")).to_have_text("changed")
    page.locator("#to-board").click()
    expect(page.locator("#to-readings")).to_contain_text("changed: 1")


IN_SIGHT = """(one) => {
    const { left, top, bottom } = one.getBoundingClientRect();
    return [top + 3, bottom - 3].every((y) => one.contains(document.elementFromPoint(left + 8, y)));
}"""
"""Whether an element is on the screen, with its upper and lower edge uncovered."""


def entered_here(page: Page) -> None:
    """Enter a house that the log lacks: the page lists the change, play goes on from it, and undo removes it."""
    page.locator("#more").click()
    page.locator("#to-here").click()
    expect(page.locator("#led")).to_have_text("This is what the log gives.")
    expect(page.locator("#enter-here")).to_be_disabled()
    page.locator("#c-f4").click()
    expect(page.locator("a.cell[aria-current]")).to_have_id("c-f4")
    page.get_by_role("list", name="Anne", exact=True).get_by_role("link", name="house", exact=True).click()
    expect(page.locator(".told .changes li")).to_have_text(["New on f4: Anne’s cube."])
    for width, height in ((320, 568), (844, 390), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for said in ("#led", ".told .changes li", "#enter-here"):
            assert page.locator(said).evaluate(IN_SIGHT), (said, width)
    page.locator("#enter-here").click()
    expect(page.locator("#c-f4")).to_have_accessible_name("f4, Anne’s house")
    page.locator("#undo").click()
    expect(page.locator("#c-f4")).not_to_have_accessible_name("f4, Anne’s house")


def report(page: Page, url: str, folder: Path) -> None:
    """Report a wrong ruling: the file has position, move, ruling, expected ruling and reason."""
    page.goto(f"{url}?move=h+d5")
    expect(page.locator(".verdict.illegal")).to_be_visible()
    page.get_by_text("Report a wrong ruling").click()
    page.get_by_label("Why?").fill(WHY)
    with page.expect_download() as download:
        page.locator("#report").click()
    download.value.save_as(folder / "case.json")
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    assert (case["game"], case["move"], case["note"]) == ("villefranche", "h d5", WHY)
    assert (case["said"]["ruling"], case["expected"]["ruling"]) == ("illegal", "legal")
    assert case["position"]["cells"]["d4"] == [{"piece": "cube", "colour": "white"}]
    assert case["readings"]["corner_tower_points"] == "2"


def test_a_table_is_put_right_on_a_phone(phone: Callable[..., Phone], server: Server, tmp_path: Path) -> None:
    """The host makes all corrections by taps, and the phone sends requests to this server only."""
    made, table = phone(390), server.table(*GAME)
    asked: list[str] = []
    made.page.on("request", lambda request: asked.append(request.url))
    page = made.sit(table)
    amend(page)
    read_otherwise(page)
    entered_here(page)
    report(page, f"{server.url}/t/{table.table.id}", tmp_path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert asked and not [url for url in asked if not url.startswith(f"{server.url}/")]
