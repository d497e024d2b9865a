"""The sheet at the end of an evening: printed on one page, and its picture."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable

from playwright.sync_api import Page

from rules import GAMES
from service import wire
from service.judgements import Try
from service.referee import NewTable
from tests.e2e.conftest import Phone, Server
from tests.rules.play import FOLDER
from web.panels.card import WIDE

LONGEST = "fief/five_and_much_stood"
"""The recorded game with the longest log."""
NARROW = 268
"""Pixels where the numbers of five players are as close together as those of six on the narrowest phone."""
BROKEN = """() => [...document.querySelectorAll(".points-of :is(td, .name)")].flatMap((one) =>
    [...one.firstChild.data.matchAll(/\\S+/g)].filter((word) => {
        const range = document.createRange();
        range.setStart(one.firstChild, word.index);
        range.setEnd(one.firstChild, word.index + word[0].length);
        return word[0].length <= 6 && range.getClientRects().length > 1;
    }).map(String))"""
"""The short words of the table of points that are broken, so that they stand on two lines, or cut."""
WIDEST = "WWWWWWWWWW WWWWWWWWWW WWWWWWW {}"
"""A name that is as wide as a name can be; its players are told apart by a number."""


def opened(server: Server, called: str = "") -> NewTable:
    """A table with the longest game, its players called so, or as they are recorded."""
    record = json.loads((FOLDER / f"{LONGEST}.json").read_text())
    game = GAMES[record["game"]]
    if called:
        for number, player in enumerate(record["setup"]["players"]):
            player["name"] = called.format(number)
    moves = [move if isinstance(move, dict) else {"move": move} for move in record["moves"]]
    tries = [Try(game.read(move["move"]), move.get("stands", False)) for move in moves]
    return server.referee.open(game.id, wire.load(wire.of(game).setup, record["setup"]), tries)


def pages(page: Page, scale: float = 1) -> int:
    """The pages of A4 that are printed."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", scale=scale)))


def test_the_sheet_on_one_page_and_as_a_picture(phone: Callable[..., Phone], server: Server) -> None:
    """However long the log is, and with the board. The control: larger, it is two pages. The browser makes the PNG."""
    page = phone(language="fr").sit(opened(server), "/sheet")
    assert page.evaluate("document.querySelector('.picture').naturalWidth") > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": NARROW, "height": 568})
    assert (page.evaluate(BROKEN), page.evaluate("document.documentElement.scrollWidth")) == ([], NARROW)
    assert (pages(page), pages(page, 1.5)) == (1, 2)
    with page.expect_download() as download:
        page.click("#as-png")
    signature, _, kind, wide, _ = struct.unpack(">8sI4sII", download.value.path().read_bytes()[:24])
    assert (signature, kind, wide) == (b"\x89PNG\r\n\x1a\n", b"IHDR", 2 * WIDE)


def test_the_widest_names_are_on_one_page(phone: Callable[..., Phone], server: Server) -> None:
    """In the head of the score and in each line of the log."""
    assert pages(phone().sit(opened(server, WIDEST), "/sheet")) == 1
