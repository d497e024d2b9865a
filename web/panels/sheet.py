"""The sheet at the end of an evening: the score line by line, what was read otherwise, disputes and the log, for paper.

Paper has an end. What a page of A4 holds is counted in signs, so that no script has to measure it, and what is left
out is said. Moves by which play only went on are not written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from unicodedata import east_asian_width

from rules.kernel import Ruling, Seat
from service import texts
from service.entries import Disputed, Played, Settled
from service.onward import only_goes_on
from service.table import Table
from service.texts import Words
from web.address import Address
from web.games import pages_of
from web.language import _, language
from web.panels.context import player_names, sheet_of
from web.panels.dispute import about_phrase, who_phrase
from web.panels.log import entry_phrase, readings_phrases, remedy_words
from web.panels.score import ScorePanel, score_panel

MOST_MOVES: Final = 300
"""Entries of the log of which any can be on the sheet: the last ones."""
MOST_DISPUTES: Final = 8
"""Disputes on the sheet: the last ones."""
MOST_QUESTION: Final = 200
"""Signs of a question on the sheet."""
PAGE: Final = 10_000
"""Signs in the type of the log that a page of A4 holds below its board, …"""
ACROSS: Final = 175
"""… and one line of them, over the width of the page."""
LARGER: Final = (8 / 6) ** 2
"""So many times the room does a log take in type of 8 points, which is written where it fits, instead of 6."""
BESIDE: Final = 12
"""Lines of the score that stand beside the board, and take nothing from the log; each further one takes two lines."""


@dataclass(frozen=True, slots=True)
class SheetDispute:
    """A dispute with its ruling and how it was settled. `ruling` is empty where it was about no move."""

    number: int
    about: str
    who: str
    question: str
    ruling: str
    settled: str


@dataclass(frozen=True, slots=True)
class SheetMove:
    """An entry in play, in words; `against`: the rules that forbade it where the table let it stand."""

    number: int
    text: str
    stands: bool
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EndSheet:
    """All that the sheet says. `left_out` and `disputes_left_out` are those before the first that are shown.

    `onward`: moves by which play only went on are not among them; `roomy`: the log can be written in larger type.
    """

    table: Table
    words: Words
    score: ScorePanel
    names: dict[Seat, str]
    readings: tuple[str, ...]
    disputes: tuple[SheetDispute, ...]
    disputes_left_out: int
    moves: tuple[SheetMove, ...]
    left_out: int
    onward: bool
    roomy: bool

    @property
    def title(self) -> str:
        """The name of the game."""
        return str(self.words.text["name"])

    @property
    def played_at(self) -> datetime:
        """When the last entry was made."""
        return self.table.entries[-1].at


def end_sheet(table: Table) -> EndSheet:
    """The sheet of a table as it stands. Raises `NoPages`."""
    plain = texts.words_among(language(), table.game.id, table.setup)
    words = pages_of(table.game.id).speaking(plain, table.state)
    names = player_names(table, words)
    scored = score_panel(words, sheet_of(table.state, table.game.id), names, Address(table.id, "score"))
    readings = tuple(readings_phrases(words, _unusual(table)))
    disputes = tuple(_disputes(words, table, names))
    told = [number for number in table.line if not only_goes_on(table, number)]
    moves = [_move(words, table, number) for number in told[-MOST_MOVES:]]
    room = PAGE - _taken(scored, readings, disputes)
    shown, roomy = fitting(moves, room), sum(map(_signs, moves)) * LARGER <= room
    gone, disputes_gone = len(told) - len(shown), len(table.disputes) - len(disputes)
    onward = len(told) < len(table.line)
    return EndSheet(table, words, scored, names, readings, disputes, disputes_gone, shown, gone, onward, roomy)


def fitting(moves: Sequence[SheetMove], room: int) -> tuple[SheetMove, ...]:
    """The last moves, as many as there is room for, in signs."""
    shown: list[SheetMove] = []
    for move in reversed(moves):
        room -= _signs(move)
        if room < 0:
            break
        shown.append(move)
    return tuple(reversed(shown))


def _signs(move: SheetMove) -> int:
    marked = ", ".join(move.against)
    return wide(move.text) + len(str(move.number)) + len(marked) + (14 if move.stands else 4)  # the spaces around, too


def wide(text: str) -> int:
    """How many signs of the Latin alphabet are about as wide as a text."""
    return sum(2 if east_asian_width(sign) in "WFA" else 1 for sign in text)


def _taken(scored: ScorePanel, readings: Sequence[str], disputes: Sequence[SheetDispute]) -> int:
    """The signs that the log has to leave to what stands above it."""
    said = [*readings, *(f"{each.about}{each.question}{each.settled}{each.who}" for each in disputes)]
    lines = sum(1 + 2 * (wide(text) // ACROSS + 1) for text in said)
    return ACROSS * (lines + 2 * max(0, _rows(scored) - BESIDE))


def _rows(scored: ScorePanel) -> int:
    """The lines that the score takes: long words stand below each other, one player's a line or more."""
    rows = 0
    for row in scored.rows:
        said = [cell.said for cell in row.cells]
        rows += 1 + sum(wide(text) // 60 + 1 for text in said) if row.across else 1 + wide(row.label) // 30
    return rows


def _unusual(table: Table) -> dict[str, str]:
    """The readings that are other than usual."""
    read = table.state.readings
    return {each.key: read[each.key] for each in table.game.readings if read[each.key] != each.default}


def _move(words: Words, table: Table, number: int) -> SheetMove:
    entry = table.entries[number - 1]
    said = entry_phrase(words, table, entry)
    if not isinstance(entry, Played) or not entry.stands:
        return SheetMove(number, said, stands=False)
    against = (finding.rule for finding in entry.findings if finding.ruling is not Ruling.LEGAL)
    return SheetMove(number, said, stands=True, against=tuple(dict.fromkeys(against)))


def _disputes(words: Words, table: Table, names: dict[Seat, str]) -> Iterator[SheetDispute]:
    """The last disputes in words, with what was ruled then."""
    for number in range(max(1, len(table.disputes) - MOST_DISPUTES + 1), len(table.disputes) + 1):
        about = table.disputed(number)
        yield SheetDispute(
            number,
            about_phrase(words, table, number),
            who_phrase(about.by, names),
            _short(about.question),
            _ruled(about),
            _settled(table, number),
        )


def _ruled(about: Disputed) -> str:
    """What was ruled on the disputed move, as the log keeps it; nothing where it was no move."""
    if about.notation is None:
        return ""
    return {"legal": _("Legal"), "illegal": _("Not legal"), "unproven": _("Cannot be told")}[about.ruling.value]


def _settled(table: Table, number: int) -> str:
    dispute = table.disputes[number - 1]
    entry = None if dispute.settled is None or dispute.open else table.entries[dispute.settled - 1]
    if not isinstance(entry, Settled):
        return _("Not settled")
    remedy = _("Settled: %(remedy)s", remedy=remedy_words(entry.remedy))
    return f"{remedy}. {_short(entry.text)}" if entry.text else remedy


def _short(text: str) -> str:
    return text if len(text) <= MOST_QUESTION else text[: MOST_QUESTION - 1] + "…"
