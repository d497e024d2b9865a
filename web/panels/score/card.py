"""The result of a game as one picture: the winner, all points, and the board below, on white paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from rules.kernel import Seat
from web.board.inks import SEATS, SeatColours, merge_inks
from web.board.lettering import fit_text, wrap_text
from web.board.scene import BADGE_HIGH, badges_of
from web.board.shapes import Board
from web.board.svg import document
from web.browser.language import language
from web.games import pages_of
from web.panels.score.score import points_light
from web.panels.score.sheet import Summary

WIDE: Final = 1000
"""The width of the picture, in units."""
EDGE: Final = 40
ROOM: Final = WIDE - 2 * EDGE
ROW: Final = 52
"""Units from one player to the next."""
LEAST: Final = 17
"""The smallest type: a name of forty letters W fits in it."""
LINES: Final = 26
"""The type size of the winner's line below which it is broken into several, …"""
PLAIN: Final = ("#ffe15a", "#231a00")
"""The colours of a number that belongs to no player."""
LINE: Final = 36
"""… at this distance."""


def card(result: Summary) -> str:
    """The picture, as an SVG document that stands alone. Raises `NoPages`."""
    pages = pages_of(result.table.game.id)
    colours = {**SEATS, **pages.seats}
    winner_lines = _winner_lines(result.score.result)
    head = [_text(result.title, EDGE, 70, 36), *_below(winner_lines, 130)]
    figures = list(_figures(result))
    under = 130 + LINE * len(winner_lines)
    head += [_text(line, EDGE, under + LINE * number, LINES) for number, line in enumerate(figures)]
    top = under + 60 - LINE + LINE * len(figures)
    for at, seat in enumerate(_seats_in_order(result)):
        head += _player(result, seat, colours, top + ROW * at)
    board = pages.draw(result.table.state, language(), None, result.words.people)
    scale = ROOM / board.box[2]
    top += ROW * (len(result.names) - 1) + EDGE
    board_svg = document(board, pages.symbols, merge_inks((pages.inks,))) + "".join(_points(result, board, colours))
    high = top + board.box[3] * scale + EDGE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high:g}" width="{WIDE}" height="{high:g}"'
        f' font-family="system-ui, sans-serif"><rect width="{WIDE}" height="{high:g}" fill="#fff"/>{"".join(head)}'
        f'<g transform="translate({EDGE} {top}) scale({scale:g})">{board_svg}</g></svg>'
    )


def _points(result: Summary, board: Board, colours: Mapping[Seat, SeatColours]) -> Iterator[str]:
    """After the end, each player's points on their cells."""
    if result.table.due.ended is None:
        return
    light = points_light(pages_of(result.table.game.id), result.table.state, result.sheet)
    yield f'<g transform="translate({-board.box[0]:g} {-board.box[1]:g})" font-size="31" text-anchor="middle">'
    for badge in badges_of(board, light):
        fill, letter = (colours[badge.seat].fill, colours[badge.seat].letter) if badge.seat else PLAIN
        place = f'x="{badge.x:g}" y="{badge.y:g}" width="{badge.width:g}" height="{BADGE_HIGH}" rx="12"'
        yield f'<rect {place} fill={quoteattr(fill)} stroke={quoteattr(letter)} stroke-width="3"/>'
        middle = f'x="{badge.x + badge.width / 2:g}" y="{badge.y + 31:g}"'
        yield f'<text {middle} font-weight="700" fill={quoteattr(letter)}>{escape(badge.text)}</text>'
    yield "</g>"


def _winner_lines(text: str) -> list[str]:
    """Who won, in as many lines as needed to be readable."""
    return [text] if fit_text(text, ROOM, 48, LINES)[0] == text else wrap_text(text, ROOM, LINES)


def _figures(result: Summary) -> Iterator[str]:
    """The figures of the tie-breaks, in as many lines as needed."""
    for tied in result.sheet.ranking[0].tiebreak_figures:
        yield from wrap_text(result.words.tie_text(tied), ROOM, LINES)


def _below(lines: Sequence[str], y: int) -> Iterator[str]:
    """Lines of one size below each other."""
    size = 48 if len(lines) == 1 else LINES
    for number, line in enumerate(lines):
        yield _text(line, EDGE, y + LINE * number, size, weight=700)


def _seats_in_order(result: Summary) -> list[Seat]:
    """The players by rank, then in the order of the table."""
    return list(chain.from_iterable(place.seats for place in result.sheet.ranking))


def _player(result: Summary, seat: Seat, colours: Any, y: int) -> Iterator[str]:
    """A player's piece, name and points."""
    colour = colours[seat]
    yield f'<circle cx="{EDGE + 16}" cy="{y - 12}" r="15" fill={quoteattr(colour.fill)} stroke={quoteattr(colour.edge)}'
    yield ' stroke-width="2"/>'
    yield _text(result.names[seat], EDGE + 50, y, 36, room=ROOM - 170)
    total = result.sheet.totals[seat]
    yield _text(str(total), WIDE - EDGE, y, 36, weight=700, anchor="end")


def _text(text: str, x: int, y: int, size: int, *, weight: int = 400, anchor: str = "start", room: int = ROOM) -> str:
    """A line of text, reduced in size to fit the room."""
    line, fits = fit_text(text, room, size, LEAST, bold=weight > 400)
    return (
        f'<text x="{x}" y="{y}" font-size="{fits:.4g}" font-weight="{weight}" text-anchor="{anchor}" fill="#1c1a17">'
        f"{escape(line)}</text>"
    )
