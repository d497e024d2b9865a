"""The panel of the log: all its entries in pages, also undone ones and moves let stand, with one of them open.

A slider leads through the entries in play, each with the board after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import ClassVar, Final

from rules.kernel import Seat
from rules.records import dataclass
from rules.steps import each
from service.tables.entries import AnyEntry, Confirmed, Disputable, Disputed, InLine, Played, Rolled, Settled
from service.tables.keys import HOST
from service.tables.rounds import rounds_of
from service.tables.table import Table
from web.board.scene import Light
from web.browser.address import TableAddress
from web.browser.language import _
from web.panels.context import Focus, TableContext, turns_of
from web.panels.log.entries import dispute_number, entry_phrase, move_phrase, unsigned_dispute_phrase
from web.panels.log.open_entry import OpenEntry, move_light, open_entry
from web.panels.log.reel import Reel, curve_of, reel_of
from web.panels.sentences import capitalise

ROWS: Final = 100
"""Entries on a page of the log."""
ROW: Final = 30
"""Steps to write one of them."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """An entry of the log. `marks`: ``stands``, ``undone``, ``amended``, ``now``, ``imported``.

    `move`: the number of its move; `again`: the number of the move that it repeats, if that is another. `href` opens or
    closes it, or leads to the dispute that it is about.
    """

    number: int
    move: int | None
    seat: Seat | None
    text: str
    notation: str
    marks: tuple[str, ...]
    href: str
    leaves: bool
    again: int | None
    phase: str
    round: int


@dataclass(frozen=True, slots=True)
class LogGroup:
    """Entries of one turn, or of one phase without a turn, the newest first."""

    phase: str
    seat: Seat | None
    rows: tuple[LogRow, ...]


@dataclass(frozen=True, slots=True)
class LogRound:
    """Entries of one round, the newest first; `number` is 0 if there is no second round, or if it is unknown."""

    number: int
    groups: tuple[LogGroup, ...]


@dataclass(frozen=True, slots=True)
class LogPanel:
    """A page of the log, the newest entry first, with links to the pages beside it."""

    template: ClassVar[str] = "panel/log.html"
    reel: Reel
    rounds: tuple[LogRound, ...]
    entry: OpenEntry | None
    newer: str | None
    older: str | None


def log(context: TableContext, address: TableAddress) -> Focus[LogPanel]:
    """The log; with an entry, the board after it."""
    table = context.table
    panel = _panel(context, address)
    if panel.entry is None:
        return Focus(panel, table.state, light=Light(last_cells=context.last_move_cells()))
    entry, state = table.entries[panel.entry.number - 1], table.states[panel.entry.number - 1]
    past = None if state is table.state else _("The board at that time")
    if not isinstance(entry, Played):
        return Focus(panel, state, past=past)
    light = move_light(table, table.hear(entry), address.show)
    return Focus(panel, state, table.states[entry.number - 2], light, past)


def _panel(context: TableContext, address: TableAddress) -> LogPanel:
    """A page of the log, with an open entry if the address names one."""
    table, entry_number = context.table, address.entry
    last = _last_row(context.table.version, address)
    first = max(1, last - ROWS + 1)
    newer = None if last == table.version else last + ROWS + 1
    entry = table.entries[entry_number - 1] if entry_number and entry_number <= table.version else None
    address = replace(address, before=None if newer is None else last + 1, entry=entry and entry.number)
    context = replace(context, address=address)
    curve, turns = curve_of(context, address), turns_of(table)  # the most important first
    rounds = rounds_of(table, range(first, last + 1), turns)
    entries = each(table.entries[first - 1 : last], ROW)
    rows = [_log_row(context, entry, in_round) for entry, in_round in zip(entries, rounds, strict=True)]
    plain = replace(address, entry=None, show=None)
    return LogPanel(
        reel_of(table, address, turns, curve),
        tuple(_rounds(rows)),
        None if entry is None else open_entry(context, entry),
        None if newer is None else plain.url(before=newer if newer <= table.version else None),
        plain.url(before=first) if first > 1 else None,
    )


def _rounds(rows: Sequence[LogRow]) -> Iterator[LogRound]:
    """Entries by round, phase and turn, the newest first."""
    for number, groups in groupby(reversed(tuple(_groups(rows))), key=lambda group: group.rows[0].round):
        yield LogRound(number, tuple(groups))


def _groups(rows: Sequence[LogRow]) -> Iterator[LogGroup]:
    """Entries by round, phase and turn, in order.

    An entry that is no move and names no turn belongs to the turn of the move before it; the referee's disputes belong
    to no turn.
    """
    turn: tuple[int, str, Seat | None] = (rows[0].round if rows else 0, "", None)
    found: list[LogRow] = []
    for row in rows:
        now = (row.round, row.phase, row.seat) if row.notation or row.seat or row.phase else turn
        if found and now != turn:
            yield LogGroup(*turn[1:], tuple(found[::-1]))
            found = []
        turn = now
        found.append(row)
    if found:
        yield LogGroup(*turn[1:], tuple(found[::-1]))


def _last_row(version: int, address: TableAddress) -> int:
    """The number of the last entry on the page: from the address, but changed to include the open entry."""
    last = min(version, address.before - 1) if address.before and address.before > 1 else version
    entry_number = address.entry
    if entry_number and entry_number <= version and not last - ROWS < entry_number <= last:
        return min(version, entry_number + ROWS // 2)
    return last


def _log_row(context: TableContext, entry: AnyEntry, in_round: int) -> LogRow:
    words, table, address = context.words, context.table, context.address
    number, dispute = entry.number, dispute_number(table, entry)
    opens = address.url(entry=None if number == address.entry else number, show=None)
    seat, phase, notation = None, "", ""
    if isinstance(entry, Played):
        text, notation, seat = capitalise(move_phrase(words, table, entry)), entry.notation, entry.seat
        phase = context.pages.phase(table.states[number - 2], words)
    else:
        text = entry_phrase(words, table, entry)
        seat, phase = _turn_of(context, entry)
        if isinstance(entry, Disputed | Confirmed | Settled) and entry.by == HOST:
            phase, text = _("The host"), capitalise(unsigned_dispute_phrase(words, table, entry))
    about = address.plain("dispute").url(dispute=dispute) if dispute and not isinstance(entry, Disputable) else None
    move, again = table.move_number(number), table.move_number(again_of(table, number))
    return LogRow(
        number,
        move,
        seat,
        text,
        notation,
        _marks(table, entry),
        about or opens,
        about is not None,
        None if again == move else again,
        phase,
        in_round,
    )


def _turn_of(context: TableContext, entry: AnyEntry) -> tuple[Seat | None, str]:
    """The turn and the phase of a roll, which comes before its move; nothing for another entry."""
    if not isinstance(entry, Rolled):
        return None, ""
    state = context.table.states[entry.number - 1]
    return context.game.due(state).seat, context.pages.phase(state, context.words)


def again_of(table: Table, number: int) -> int:
    """The entry that an entry of an amendment repeats; 0 for a new one."""
    amended = table.amendment_of(number)
    return 0 if amended in (None, number) else table.amendment_entry(amended or 0).line[number - (amended or 0) - 1]


def _marks(table: Table, entry: AnyEntry) -> tuple[str, ...]:
    """The marks of an entry. All but ``imported`` need an entry that can be in play."""
    imported = ("imported",) if table.is_imported(entry.number) else ()
    if not isinstance(entry, InLine):
        return imported
    marks = {
        "stands": isinstance(entry, Played) and entry.stands,
        "undone": entry.number not in table.in_play,
        "amended": entry.number in table.removed_entries,
        "now": table.line[-1:] == (entry.number,),
    }
    return (*(name for name, is_so in marks.items() if is_so), *imported)
