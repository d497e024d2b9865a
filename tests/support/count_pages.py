"""Positions that are entered on the pages, link by link."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from functools import cache
from html import unescape
from random import Random
from typing import Any
from urllib.parse import urljoin

import orjson
import pytest

from rules import GAMES
from service.i18n.sentences import Words, words
from tests.rules.play import shared_game
from tests.support.document import Document
from tests.web.conftest import Visitor
from web.game_pages import AnyPages, Choice, Snapshot
from web.games import pages_of
from web.panels.editor.position import count_position, counted_games
from web.position_url import MAX_BYTES

COUNT_GAMES = [pytest.param(game, pages_of(game.id), id=game.id) for game in counted_games()]
every_game = pytest.mark.parametrize(("game", "pages"), COUNT_GAMES)
TAPS = 60


def entry_of(pages: AnyPages) -> Any:
    """How a game's pages enter positions."""
    assert pages.entry is not None
    return pages.entry


def said_by(pages: AnyPages, language: str) -> Words:
    """The words of the game whose pages these are."""
    return words(language, next(game.id for game in counted_games() if pages_of(game.id) is pages))


def choices_at(pages: AnyPages, entered: Snapshot, cell: Any, language: str = "en") -> list[Choice]:
    """All choices for a place."""
    return [
        choice for group in entry_of(pages).choices(entered, cell, said_by(pages, language)) for choice in group.choices
    ]


@cache
def snapshots(game_id: str, seed: int) -> tuple[Snapshot, ...]:
    """The positions that random taps enter, one after another."""
    return tuple(_snapshots(GAMES[game_id], pages_of(game_id), Random(seed)))


def _snapshots(game: Any, pages: AnyPages, chance: Random) -> Iterator[Snapshot]:
    entered = entry_of(pages).blank()
    yield entered
    for _ in range(TAPS):
        places = [
            spot.cell for spot in count_position(game, entry_of(pages), entered, words("en", game.id)).board.spots
        ]
        found = choices_at(pages, entered, chance.choice([*places, None]))
        if found:
            entered = chance.choice(found).snapshot
            yield entered


def positions_to_count(game: Any, number: int) -> Iterator[tuple[Snapshot, Any]]:
    """Every seventh position of a random game, as it would be counted, with its state."""
    shared = shared_game(game.id, number)
    return ((Snapshot(shared.form, game.position(state)), state) for state, _ in shared.steps[::7])


def text_of(*steps: Any) -> str:
    """The text of an address that holds any steps, valid or not."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(orjson.dumps(list(steps))) + packer.flush()
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


NOT_TEXTS = {
    "no letters of it": "%C3%A9%00",
    "cut": text_of({"setup": {}, "position": {}})[:-3],
    "no JSON": base64.urlsafe_b64encode(zlib.compress(b"nothing", wbits=-zlib.MAX_WBITS)).rstrip(b"=").decode(),
    "no list": base64.urlsafe_b64encode(zlib.compress(b"{}", wbits=-zlib.MAX_WBITS)).rstrip(b"=").decode(),
    "no step": text_of(),
    "a step that is none": text_of([]),
    "other members": text_of({"setup": {}, "position": {}, "moves": []}),
    "a position too large": text_of({"setup": {}, "position": {"cells": {"c4": ["x"] * 5000}}}),
    "too much": text_of({"setup": "x" * MAX_BYTES, "position": {}}),
}


class Hand:
    """A visitor who enters a position by following links, without a script."""

    def __init__(self, visitor: Visitor, game: str) -> None:
        self.visitor = visitor
        self.url = f"/count/{game}"
        self.html = visitor.get(self.url).text

    @property
    def page(self) -> Document:
        """The page."""
        return Document(self.html)

    @property
    def totals(self) -> list[int]:
        """The points of all players at the foot of the page."""
        return [int(points) for points in re.findall(r'<span class="points">(\d+)</span></li>', self.html)]

    def go(self, href: str) -> None:
        """Follow a link, relative to the page it is on."""
        # urljoin ignores an empty query, where a browser removes the query.
        self.url = self.url.partition("?")[0] if href == "?" else urljoin(self.url, href)
        answer = self.visitor.get(self.url)
        assert answer.status_code == 200, self.url
        self.html = answer.text

    def click(self, id_: str) -> None:
        """Follow the link with an id."""
        self.go(next(found["href"] or "" for tag, found in self.page.elements if tag == "a" and found.get("id") == id_))

    def cell(self, key: str) -> None:
        """Tap a cell."""
        self.click(f"c-{key}")

    def choose(self, label: str, number: int = 0) -> None:
        """Take a choice by its label; of several with the same label, the one with this number."""
        found = re.findall(r'<a class="take"[^>]* href="([^"]*)".*?<span>([^<]*)</span></a>', self.html)
        self.go([unescape(href) for href, name in found if name == label][number])

    def takes(self, number: int) -> list[tuple[str, str]]:
        """The first choices: the element and the label of each."""
        return re.findall(r'<(a|span) class="take(?: off)?".*?<span>([^<]*)</span></', self.html)[:number]


PLACE = re.compile(r"\(-?\d+, ?-?\d+\)")
"""A cell as notation writes it; no board has such a label."""
