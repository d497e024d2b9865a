"""The sheet at the end of an evening: its printed page and its picture."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

from playwright.sync_api import Page, expect

from service.referee.use_cases import NewTable
from service.tables.keys import proof_of
from tests.e2e.conftest import Phone, Server
from tests.e2e.game import MOVES
from tests.support.records import record_of
from tests.support.tables import open_record
from tests.support.tables import open_table as recorded
from web.browser import recent_tables
from web.panels.score.card import WIDE

LONGEST = "fief/five_and_much_stood"
"""The recorded game with the longest log."""
NARROW = 268
"""The width in pixels at which five players' numbers are as close as six players' on the narrowest phone."""
BROKEN_LINES = """() => [...document.querySelectorAll(".points-of :is(td, .name)")].flatMap((one) =>
    [...one.firstChild.data.matchAll(/\\S+/g)].filter((word) => {
        const range = document.createRange();
        range.setStart(one.firstChild, word.index);
        range.setEnd(one.firstChild, word.index + word[0].length);
        return word[0].length <= 6 && range.getClientRects().length > 1;
    }).map(String))"""
"""The short words in the table of points that break over two lines."""
OVER = """() => {
    const lines = [...document.querySelectorAll(":root > text")].map((it) => [it.textContent, it.getBBox()]);
    const crossed = (it) => lines.some(([, other]) => other.x > it.x && it.x + it.width > other.x
        && other.y < it.y + it.height && it.y < other.y + other.height);
    return lines.filter(([, it]) => it.x < 0 || it.x + it.width > 1000 || crossed(it)).map(([said]) => said);
}"""
"""The texts that leave the picture, or run into a text to their right."""
CYRILLIC = "Маргарита Александровна Щукина-Ждан {}"
WIDEST = "WWWWWWWWWW WWWWWWWWWW WWWWWWW {}"
"""The widest possible name; a number makes each player's different."""


def open_longest(server: Server, called: str = "") -> NewTable:
    """A table with the longest game, with the players' recorded names or these."""
    record = record_of(LONGEST)
    if called:
        for number, player in enumerate(record["setup"]["players"]):
            player["name"] = called.format(number)
    return open_record(server.referee, record)


def pages(page: Page, scale: float = 1) -> int:
    """The number of printed A4 pages."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", scale=scale)))


def test_the_sheet_on_one_page_and_as_a_picture(phone: Callable[..., Phone], server: Server) -> None:
    """The longest log prints on one page with the board; the control, at 150%, on two. The browser makes the PNG."""
    page = phone(language="fr").sit(open_longest(server), "/sheet")
    assert page.evaluate("document.querySelector('.picture').naturalWidth") > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": NARROW, "height": 568})
    assert (page.evaluate(BROKEN_LINES), page.evaluate("document.documentElement.scrollWidth")) == ([], NARROW)
    assert (pages(page), pages(page, 1.5)) == (1, 2)
    with page.expect_download() as download:
        page.click("#as-png")
    signature, _, kind, wide, _ = struct.unpack(">8sI4sII", download.value.path().read_bytes()[:24])
    assert (signature, kind, wide) == (b"\x89PNG\r\n\x1a\n", b"IHDR", 2 * WIDE)


def test_the_result_is_shared_from_the_table(phone: Callable[..., Phone], server: Server) -> None:
    """After the end, *Share* downloads the PNG; without a script, it leads to the SVG."""
    table = server.table(*MOVES)
    page = phone().sit(table)
    with page.expect_download() as download:
        page.get_by_role("link", name="Share", exact=True).click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    page = phone(script=False).sit(table)
    page.get_by_role("link", name="Share", exact=True).click()
    assert page.url.endswith("/sheet.svg")


def test_the_widest_names_are_on_one_page(phone: Callable[..., Phone], server: Server) -> None:
    """With the widest names the sheet prints on one page, and no text of the picture overlaps another."""
    window = phone()
    page = window.sit(open_longest(server, WIDEST), "/sheet")
    assert pages(page) == 1
    for called in ("W" * 39 + "{}", CYRILLIC):
        page = window.sit(open_longest(server, called), "/sheet.svg")
        assert page.evaluate(OVER) == []


def test_a_history_is_exported_cleared_and_imported(phone: Callable[..., Phone], server: Server) -> None:
    """One button saves the results of the phone's tables in a group; its export brings them back after removal."""
    guest = phone()
    made = [recorded(server.referee, name) for name in ("fief/four_as_a_pair", "villefranche/gate_decides")]
    tables = []
    for each in made:
        players: Any = getattr(each.table.setup, "players", ())
        seats, names = (tuple(getattr(player, name) or "" for player in players) for name in ("colour", "name"))
        proof, game = proof_of(each.keys.host), each.table.game.id
        tables.append(recent_tables.RecentTable(each.table.id, proof, game, seats, names, "2026-11-22"))
    guest.context.add_cookies(
        [{"name": recent_tables.RECENT, "value": recent_tables._encode_tables(tables), "url": guest.url}]
    )
    page = guest.open("/g")
    page.get_by_role("button", name="Save all 2 results").click()
    history = page.get_by_role("region", name="History").get_by_role("listitem")
    expect(history).to_have_count(2)
    page.get_by_text("Remove all", exact=True).click()
    page.get_by_role("link", name="Remove all results").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export (JSON)").click()
    page.get_by_role("button", name="Remove all 2 results").click()
    expect(page.get_by_text("Removed results (2)")).to_be_visible()
    expect(history).to_have_count(0)
    page.get_by_text("Files", exact=True).click()
    page.locator("#file").set_input_files(download.value.path())
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("status").first).to_contain_text(
        "2 results have come. 2 of them had been removed here before."
    )
    expect(history).to_have_count(2)


def test_days_are_those_of_the_reader(phone: Callable[..., Phone], server: Server) -> None:
    """Where the reader's date is not UTC's, the sheet, its texts and files, and a new result have the reader's."""
    new = server.table()
    at = new.table.opened_at
    zone = ZoneInfo("Pacific/Kiritimati" if at.hour >= 11 else "Etc/GMT+12")
    there = at.astimezone(zone)
    assert there.date() != at.date()
    page = phone(timezone_id=zone.key).sit(new, "/sheet")
    day = f"{there:%B} {there.day}, {there.year}"
    assert page.locator("h1").inner_text().endswith(day)
    assert (page.title(), page.locator("#chat").input_value().splitlines()[0]) == (
        f"Villefranche, {day} – Bastide",
        f"Villefranche, {day}",
    )
    for name in ("txt", "svg"):
        assert str(page.locator(f"#as-{name}").get_attribute("href")).endswith(f"?day={there.date()}")
    page.goto(page.url.replace("/sheet", "/join"))
    page.fill("[name=key]", new.keys.host)
    page.locator("#join button").click()
    page.goto(page.url.partition("/t/")[0])
    expect(page.locator(".recent")).to_contain_text("ago")
    group, key = server.groups.create("Tuesday")
    page.goto(f"{page.url}g/{group.id}/join#{key}")
    page.wait_for_url(re.compile("/g/[^/]+$"))
    page.locator("a[href$=add]").click()
    expect(page.locator("#day")).to_have_value(str(there.date()))


def test_the_points_of_six_fit_the_narrowest_first_page(phone: Callable[..., Phone], server: Server) -> None:
    """The points of six players break over two lines with text of twice the size; the control: usual text, one line."""
    six, window = recorded(server.referee, "fief/six_together", 90), phone(wide=320, language="fr")
    origin = {"Origin": server.url, "Sec-Fetch-Site": "same-origin"}
    address = f"{server.url}/t/{six.table.id}/join"
    window.context.request.post(address, form={"key": six.keys.host}, headers=origin)
    page = window.open("/")
    points = page.locator(".recent .whole")
    lines = "(it) => Math.round(it.getBoundingClientRect().height / parseFloat(getComputedStyle(it).lineHeight))"
    assert points.evaluate(lines) == 1
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert points.evaluate(lines) == 2
    assert page.evaluate("document.documentElement.scrollWidth") == 320
