"""The result of a game as one picture: who won, everybody's points, and the board below, on white paper."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from rules.kernel import Seat
from web.board.inks import SEATS, joined
from web.board.svg import document
from web.games import pages_of
from web.language import language
from web.panels.sheet import Summary

WIDE: Final = 1000
"""Units of the picture from left to right."""
EDGE: Final = 40
ROW: Final = 52
"""Units from one player to the next."""
SIGN: Final = 0.62
"""How wide a sign of a common font is at most, as a part of its size: a sentence is made smaller until it fits."""


def card(result: Summary) -> str:
    """The picture, as an SVG document that stands alone. Raises `NoPages`."""
    pages = pages_of(result.table.game.id)
    head, top = list(_head(result)), 190
    for at, seat in enumerate(_ranked(result)):
        head += _player(result, seat, {**SEATS, **pages.seats}, top + ROW * at)
    board = pages.draw(result.table.state, language(), None, result.words.people)
    scale = (WIDE - 2 * EDGE) / board.box[2]
    top += ROW * (len(result.names) - 1) + EDGE
    drawn = document(board, pages.symbols, joined((pages.inks,)))
    high = top + board.box[3] * scale + EDGE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high:g}" width="{WIDE}" height="{high:g}"'
        f' font-family="system-ui, sans-serif"><rect width="{WIDE}" height="{high:g}" fill="#fff"/>{"".join(head)}'
        f'<g transform="translate({EDGE} {top}) scale({scale:g})">{drawn}</g></svg>'
    )


def _head(result: Summary) -> Iterator[str]:
    """What game it was and when, and who won."""
    yield _text(result.title, EDGE, 70, 36)
    yield _text(result.score.result, EDGE, 130, 48, weight=700)


def _ranked(result: Summary) -> list[Seat]:
    """The players, the first one first; in the order of the table where none is before another."""
    return list(chain.from_iterable(place.seats for place in result.sheet.ranking))


def _player(result: Summary, seat: Seat, colours: Any, y: int) -> Iterator[str]:
    """A player's piece, name and points."""
    colour = colours[seat]
    yield f'<circle cx="{EDGE + 16}" cy="{y - 12}" r="15" fill={quoteattr(colour.fill)} stroke={quoteattr(colour.edge)}'
    yield ' stroke-width="2"/>'
    yield _text(result.names[seat], EDGE + 50, y, 36, room=WIDE - 2 * EDGE - 170)
    total = result.sheet.totals[seat]
    yield _text(str(total), WIDE - EDGE, y, 36, weight=700, anchor="end")


def _text(text: str, x: int, y: int, size: int, *, weight: int = 400, anchor: str = "start", room: int = 920) -> str:
    """A line of text, as large as there is room for."""
    fits = min(size, room / (SIGN * max(1, len(text))))
    return (
        f'<text x="{x}" y="{y}" font-size="{fits:.4g}" font-weight="{weight}" text-anchor="{anchor}" fill="#1c1a17">'
        f"{escape(text)}</text>"
    )
