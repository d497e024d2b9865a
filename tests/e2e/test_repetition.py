"""No screen repeats a sentence, in any game and language, whatever the player asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from service.i18n.languages import LANGUAGES
from service.referee.dispute import DisputeSubject
from service.referee.repository import ChangeRequest
from service.referee.use_cases import NewTable
from tests.e2e.conftest import Phone, Server
from tests.support.tables import open_table

Phones = Callable[..., Phone]


@dataclass(frozen=True)
class MoveQuestion:
    """A record, the number of moves played, and what the player then asks about: cells, a legal and a refused move."""

    record: str
    played: int
    cells: tuple[str, ...]
    moves: tuple[str, str]


GAMES = {
    asked.record.partition("/")[0]: asked
    for asked in (
        MoveQuestion("villefranche/gate_decides", 40, ("b8", "a9"), ("h d4", "h d3")),
        MoveQuestion("architekton/box_and_series", 30, ("-5,6",), ("up building E E E F", "(0,1) building E F E F")),
        MoveQuestion(
            "robber_knights/knights_decide", 30, ("-4,3", "2,3"), ("(-4,-3) forest village", "(-1,1) plain town")
        ),
        MoveQuestion(
            "villa_paletti/nobody_can_build", 20, ("green.hex.1", "blue.small.3"), ("green small 0", "green big 0")
        ),
        MoveQuestion(
            "fief/three_alone", 40, ("la-salle",), ("move Othon Sennecy>La Salle", "assassin Arthur by Jeanne")
        ),
    )
}
"""One table of each game."""
WORDS = 4
"""The least words of a sentence; shorter texts are labels or names, which may repeat."""
SCREENS_TO_UNFOLD = {"score", "entry", "dispute"}
"""The screens that repeat nothing even with all folds open."""
LEFT_OUT = ".unseen, .skip, svg, code, .remedy, .printed .hint"
"""Invisible texts, notation, the effects of each remedy, and the printed chapters of rules."""
VISIBLE_TEXTS = """(leftOut) => {
    const blocks = new Map();
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
        let block = nodes.currentNode.parentElement;
        if (!block.checkVisibility() || block.closest(leftOut)) continue;
        while (getComputedStyle(block).display === "inline") block = block.parentElement;
        blocks.set(block, (blocks.get(block) ?? "") + nodes.currentNode.data);
    }
    const entries = new Set(), others = [];
    for (const [block, text] of blocks)
        if (block.closest(".log li, .turn")) entries.add(text);
        else others.push(text);
    return [[...entries], others];
}"""
"""The visible text of each block of a page, without closed folds and texts for screen readers.

Entries of a log come first, each once, since moves and phases may repeat.
"""


def sentences(page: Page) -> Iterator[str]:
    """The sentences of a page with at least `WORDS` words; an entry of a log is one."""
    entries, others = page.evaluate(VISIBLE_TEXTS, LEFT_OUT)
    parts = [part for block in others for part in re.split(r"[.?!…:;]\s", f"{block} ")]
    for part in map(" ".join, map(str.split, [*entries, *parts])):
        if len(re.findall(r"[^\W\d_][\w’'-]*", part)) >= WORDS:
            yield part


def said_twice(page: Page) -> list[str]:
    """The sentences that a page repeats."""
    return [text for text, number in Counter(sentences(page)).items() if number > 1]


def screens(server: Server, table: NewTable, asked: MoveQuestion) -> Iterator[tuple[str, str]]:
    """The screens of a table and their paths below its address; the last move of its log is disputed."""
    entry = table.table.version
    yield "idle", ""
    yield from ((f"choice at {cell}", f"?at={cell}") for cell in asked.cells)
    yield from ((f"verdict on {move}", f"?move={quote(move)}") for move in asked.moves)
    yield "log", "/moves"
    yield "entry", f"/moves?entry={entry}"
    yield "score", "/score"
    yield "readings", "/readings"
    yield "dispute asked for", f"/disputes/new?entry={entry}"
    request = ChangeRequest(table.table.id, table.keys.host, entry)
    server.referee.raise_dispute(request, DisputeSubject(entry), "May it lie there?")
    yield "dispute", "/disputes/1"
    yield "idle, disputed", ""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("asked", GAMES.values(), ids=GAMES)
def test_no_sentence_stands_twice(asked: MoveQuestion, language: str, server: Server, phone: Phones) -> None:
    """No screen of a table repeats a sentence, whatever the player asked: a shared fact stands once."""
    table = open_table(server.referee, asked.record, asked.played)
    window = phone(language=language)
    window.sit(table)
    twice = {}
    for screen, path in screens(server, table, asked):
        page = window.open(f"/t/{table.table.id}{path}")
        expect(page.locator("#panel")).to_be_visible()
        twice[screen] = said_twice(page)
        if screen in SCREENS_TO_UNFOLD:
            page.locator("#panel details").evaluate_all("all => all.forEach((each) => { each.open = true; })")
            twice[f"{screen}, unfolded"] = said_twice(page)
    assert not {screen: found for screen, found in twice.items() if found}


def test_what_stands_twice_is_found(phone: Phones) -> None:
    """The control: the test finds a repeated sentence across elements, but ignores closed folds and short texts."""
    page = phone().open()
    page.set_content(
        "<p>Each of the <b>three towers</b> counts. One.</p><p>Each of the three towers counts.</p><p>One.</p>"
        "<details><summary>Why?</summary><p>Nobody may build here now.</p></details><p>Nobody may build here now.</p>"
    )
    assert said_twice(page) == ["Each of the three towers counts"]
