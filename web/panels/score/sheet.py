"""The printed sheet of a game: score lines, readings, disputes and the log.

The sheet counts the characters that fit on A4 pages, so that no script has to measure it. It says how many entries it
leaves out, which are on an earlier page. It omits forced moves.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from unicodedata import east_asian_width

from rules.kernel import Ruling, Seat
from rules.records import dataclass
from rules.steps import spend
from service.i18n.sentences import Words
from service.judgements import Sheet
from service.tables.entries import Disputed, Played, Settled
from service.tables.forced_moves import is_forced_move
from service.tables.rounds import rounds_of
from service.tables.table import Table
from web.browser.address import TableAddress
from web.browser.bidi import words_among
from web.browser.language import _, day, language, local_day
from web.games import pages_of
from web.panels.context import player_names, sheet_of, turns_of
from web.panels.dispute import about_phrase, who_phrase
from web.panels.log.entries import entry_phrase, readings_phrases, remedy_words
from web.panels.score.score import ScorePanel, score_panel
from web.panels.sentences import capitalise

MAX_MOVES: Final = 300
"""The maximum number of log entries for a page of the sheet: the last ones, …"""
MAX_LOOKED_AT: Final = 1_000
"""… of this many in play."""
LOOK: Final = 4
"""Steps to see whether an entry is a forced move, …"""
MOVE: Final = 25
"""… and to put one into words."""
MAX_DISPUTES: Final = 8
"""The maximum number of disputes on the sheet: the last ones."""
MAX_QUESTION: Final = 200
"""The maximum signs of a question on the sheet."""
PAGE: Final = 9_200
"""Signs in the type of the log that a page of A4 holds below its board, …"""
ACROSS: Final = 125
"""… those of a sentence in one line across the page, …"""
LINE: Final = 160
"""… and those that such a line takes from the log."""
TYPES: Final = (9, 8, 7, 6)
"""The sizes of type in points that the log can have; signs are counted in the smallest."""
ROUND: Final = 14
"""Signs of the number of a round before its first entry."""
TITLE: Final = 80
"""Signs of the result, in larger type, in one line across the page."""
HEAD: Final = 40
"""Signs of the players' names in one line of the head of the score, without the space between two of them."""
BROAD: Final = "MWmw@%"
"""Signs of the Latin alphabet that are about twice as wide as most."""
LONG: Final = 20
"""The signs up to which a word seldom leaves the end of a line empty."""
BESIDE: Final = 12
"""Lines of the score beside the board, which take no room from the log; each further one takes two lines."""


@dataclass(frozen=True, slots=True)
class SheetDispute:
    """A dispute with its ruling and how it was settled. `ruling` is empty where it was about no move."""

    number: int
    about: str
    who: str
    question: str
    ruling: str
    settlement: str


@dataclass(frozen=True, slots=True)
class SheetMove:
    """An entry in play, in words; `against`: the rules that forbade it where the table let it stand.

    `move`: the number of its move. `round`: its round, 0 if there is no second one; `begins`: whether it is the first
    entry of the round.
    """

    number: int
    text: str
    stands: bool
    against: tuple[str, ...] = ()
    round: int = 0
    begins: bool = False
    move: int | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """The standing or result of a game, for every format. `score` is `sheet` in words."""

    table: Table
    words: Words
    sheet: Sheet
    score: ScorePanel
    names: dict[Seat, str]
    reader_day: str | None = None
    """The day of the last entry, from the reader's phone."""

    @property
    def title(self) -> str:
        """The name of the game, and the day of the last entry."""
        return f"{self.words.text['name']}, {day(local_day(self.played_at, self.reader_day))}"

    @property
    def played_at(self) -> datetime:
        """When the last entry was made."""
        return self.table.entries[-1].at


@dataclass(frozen=True, slots=True)
class EndSheet:
    """A page of the sheet. `left_out`, `disputes_left_out`: how many earlier entries and disputes it omits.

    `onward`: whether forced moves are omitted; `type`: the size in points of the largest type in which the log fits.
    `earlier` and `later`: the numbers before which the entries of the pages beside it end; 0 for the last page, None
    if there is no such page.
    """

    result: Summary
    readings: tuple[str, ...]
    disputes: tuple[SheetDispute, ...]
    disputes_left_out: int
    moves: tuple[SheetMove, ...]
    left_out: int
    onward: bool
    type: int
    earlier: int | None
    later: int | None


def summary_of(table: Table, reader_day: str | None = None) -> Summary:
    """The current result of a table. Raises `NoPages`."""
    plain = words_among(language(), table.game.id, table.setup)
    words = pages_of(table.game.id).words_for(plain, table.state)
    names = player_names(table, words)
    sheet = sheet_of(table.state, table.game.id)
    return Summary(
        table, words, sheet, score_panel(words, sheet, names, TableAddress(table.id, "score")), names, reader_day
    )


def end_sheet(result: Summary, before: int | None = None) -> EndSheet:
    """The sheet of a game, with its last entries, or with those before a number."""
    table, words = result.table, result.words
    readings = tuple(readings_phrases(words, _unusual_readings(table)))
    disputes = tuple(_disputes(words, table, result.names))
    end = bisect_left(table.line, before) if before else len(table.line)
    begin, numbers = _last(table, end)
    moves = _by_round([_move(words, table, number) for number in numbers], rounds_of(table, numbers, turns_of(table)))
    room = PAGE - _space_above_log(result.score, readings, disputes)
    shown_moves = moves_that_fit(moves, room)
    left_out = begin + len(numbers) - len(shown_moves)
    return EndSheet(
        result,
        readings,
        disputes,
        len(table.disputes) - len(disputes),
        shown_moves,
        left_out=left_out,
        onward=len(numbers) < end - begin,
        type=largest_type(sum(map(_signs, shown_moves)), room),
        earlier=(shown_moves[0].number if shown_moves else begin and table.line[begin]) if left_out else None,
        later=_later(table, end, len(shown_moves)),
    )


def _last(table: Table, end: int) -> tuple[int, list[int]]:
    """The last unforced moves among the first `end` entries in play, and the number of unread entries before them."""
    numbers: list[int] = []
    at = end
    while at and len(numbers) < MAX_MOVES and end - at < MAX_LOOKED_AT:
        at -= 1
        spend(LOOK)
        if not is_forced_move(table, table.line[at]):
            numbers.append(table.line[at])
    return at, numbers[::-1]


def _later(table: Table, end: int, shown_count: int) -> int | None:
    """The end of the page after the first `end` entries in play: half a page further, so that it leaves out none."""
    if end == len(table.line):
        return None
    then = end + max(1, shown_count // 2)
    return table.line[then] if then < len(table.line) else 0


def _by_round(moves: Iterable[SheetMove], rounds: Iterable[int]) -> list[SheetMove]:
    """The same moves with their rounds."""
    found: list[SheetMove] = []
    for move, now in zip(moves, rounds, strict=True):
        found.append(replace(move, round=now, begins=now != (found[-1].round if found else 0)))
    return found


def moves_that_fit(moves: Sequence[SheetMove], room: int) -> tuple[SheetMove, ...]:
    """The last moves, as many as fit in a room of signs."""
    fitting_moves: list[SheetMove] = []
    for move in reversed(moves):
        room -= _signs(move)
        if room < 0:
            break
        fitting_moves.append(move)
    return tuple(reversed(fitting_moves))


def _signs(move: SheetMove) -> int:
    marked = ", ".join(move.against)
    around = (14 if move.stands else 4) + (ROUND if move.begins else 0)  # with the spaces
    return wide(move.text) + len(str(move.move or "")) + len(marked) + around


def largest_type(signs: int, room: int) -> int:
    """The largest of `TYPES` in which the signs fit: type of twice the size takes four times the room."""
    smallest = TYPES[-1]
    return next((size for size in TYPES if signs * (size / smallest) ** 2 <= room), smallest)


def wide(text: str) -> int:
    """The width of a text in signs of the Latin alphabet, with the gaps that its long words leave."""
    return _broad(text) + sum(max(0, _broad(word) - LONG) // 3 for word in text.split())


def _broad(text: str) -> int:
    if text.isascii():
        return len(text) + sum(map(text.count, BROAD))
    return sum(2 if sign in BROAD or east_asian_width(sign) in "WFA" else 1 for sign in text)


def _space_above_log(score: ScorePanel, readings: Sequence[str], disputes: Sequence[SheetDispute]) -> int:
    """The room above the log, in its signs."""
    texts = [*readings, *(f"{each.about}{each.question}{each.settlement}{each.who}{each.ruling}" for each in disputes)]
    lines = sum(wide(text) // ACROSS + 1 for text in texts)
    lines += 2 * (wide(score.result) // TITLE) + wide(f"{score.end_text or ''} {score.decided_by}") // ACROSS
    return LINE * (lines + 2 * max(0, _rows(score) - BESIDE))


def _rows(score: ScorePanel) -> int:
    """The lines of the score: long texts stand below each other, one or more lines for each player."""
    rows = head_lines([name for _, name in score.seats]) - 1
    for row in score.rows:
        texts = [cell.text for cell in row.cells]
        rows += 1 + sum(wide(text) // 60 + 1 for text in texts) if row.across else 1 + wide(row.label) // 30
    return rows


def head_lines(names: Sequence[str]) -> int:
    """The lines of the head of the score: the players' names are broken in columns of one width."""
    across = max(1, HEAD // len(names) - 1)
    return max(sum(-(-_broad(word) // across) for word in name.split()) for name in names)


def _unusual_readings(table: Table) -> dict[str, str]:
    """The readings with unusual values."""
    readings = table.state.readings
    return {each.key: readings[each.key] for each in table.game.readings if readings[each.key] != each.default}


def _move(words: Words, table: Table, number: int) -> SheetMove:
    spend(MOVE)
    entry = table.entries[number - 1]
    text, move = entry_phrase(words, table, entry), table.move_number(number)
    if not isinstance(entry, Played) or not entry.stands:
        return SheetMove(number, text, stands=False, move=move)
    against = (finding.rule for finding in entry.findings if finding.ruling is not Ruling.LEGAL)
    return SheetMove(number, text, stands=True, against=tuple(dict.fromkeys(against)), move=move)


def _disputes(words: Words, table: Table, names: dict[Seat, str]) -> Iterator[SheetDispute]:
    """The last disputes in words, with the rulings of that time."""
    for number in range(max(1, len(table.disputes) - MAX_DISPUTES + 1), len(table.disputes) + 1):
        about = table.dispute_entry(number)
        yield SheetDispute(
            number,
            capitalise(about_phrase(words, table, number)),
            who_phrase(about.by, names),
            _short(about.question),
            _ruling_text(about),
            _settlement_text(table, number),
        )


def _ruling_text(about: Disputed) -> str:
    """The ruling on the disputed move, as the log stores it; empty if the entry was no move."""
    if about.notation is None:
        return ""
    return {"legal": _("Legal"), "illegal": _("Not legal"), "unproven": _("Undecided")}[about.ruling.value]


def _settlement_text(table: Table, number: int) -> str:
    dispute = table.disputes[number - 1]
    entry = None if dispute.settlement_number is None or dispute.open else table.entries[dispute.settlement_number - 1]
    if not isinstance(entry, Settled):
        return _("Not settled")
    remedy = _("Settled: %(remedy)s", remedy=remedy_words(entry.remedy))
    return f"{remedy}. {_short(entry.text)}" if entry.text else remedy


def _short(text: str) -> str:
    return text if len(text) <= MAX_QUESTION else text[: MAX_QUESTION - 1] + "…"
