"""The panel of the log: its entries in pages, those undone or let stand included, and one chosen entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import ClassVar, Final

from rules.kernel import Finding, Seat
from rules.steps import each
from service.tables.entries import (
    DELETE,
    INSERT,
    REPLACE,
    AnyEntry,
    Disputable,
    InLine,
    Played,
    Rolled,
)
from service.tables.rounds import rounds_of
from service.tables.table import Table
from web.board.scene import Light
from web.browser.address import PageAddress, TableAddress
from web.browser.language import _
from web.panels.context import Focus, TableContext, turns_of
from web.panels.log.entries import _move_phrase, dispute_number, entry_phrase
from web.panels.sentences import Consequence, Reason, capitalise, consequences, lit_finding, new_key, reasons

ROWS: Final = 100
"""Entries on a page of the log."""
ROW: Final = 30
"""Steps to write one of them."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """An entry of the log. `marks`: ``stands``, ``undone``, ``amended``, ``now``.

    `dispute`: the dispute that it belongs to; `replayed_number`: the entry that it makes again; `disputable`: it can be
    disputed.
    """

    number: int
    seat: Seat | None
    text: str
    notation: str
    marks: tuple[str, ...]
    href: str | None
    is_lit: bool
    dispute: int | None = None
    replayed_number: int = 0
    disputable: bool = True
    phase: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True)
class LogGroup:
    """Entries of one turn, or of one phase that is nobody's turn, the newest first."""

    phase: str
    seat: Seat | None
    rows: tuple[LogRow, ...]


@dataclass(frozen=True, slots=True)
class LogRound:
    """Entries of one round, the newest first; `number` is 0 where there is no second round, or it is not known."""

    number: int
    groups: tuple[LogGroup, ...]


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """One entry of the log, looked at: what was ruled when it was played, and a way back to it."""

    number: int
    text: str
    at: datetime
    ruling: str
    stands: bool
    undone: bool
    reasons: tuple[Reason, ...]
    consequences: tuple[Consequence, ...]
    to: int | None
    key: str
    earlier: str | None
    later: str | None
    amends: tuple[tuple[str, str, str], ...] = ()
    """What can be amended there: id, label and address of each."""


@dataclass(frozen=True, slots=True)
class LogPanel:
    """A page of the log, the newest entry first, with the ways to the pages beside it."""

    template: ClassVar[str] = "panel/log.html"
    rounds: tuple[LogRound, ...]
    entry: OpenEntry | None
    back: str
    newer: str | None
    older: str | None


def log(context: TableContext, address: TableAddress) -> Focus[LogPanel]:
    """The log; with an entry, the board as it was when that was played."""
    table = context.table
    panel = _panel(context, address)
    entry = table.entries[panel.entry.number - 1] if panel.entry else None
    if not isinstance(entry, Played):
        return Focus(panel, table.state, light=Light(last_cells=context.last_move_cells()))
    light = move_light(table, entry, context.address.show)
    past = _("The board after no. %(number)s", number=entry.number)
    return Focus(panel, table.states[entry.number - 1], table.states[entry.number - 2], light, past)


def move_light(table: Table, entry: Played, show: str | None) -> Light:
    """The cells of a move of the log by its ruling, and those on which that rested."""
    finding = lit_finding(findings_of(table, entry), show)
    return Light(
        frozenset(table.game.cells_of(table.game.read(entry.notation))),
        entry.ruling.value,
        finding.facts.evidence if finding else (),
        seats=table.game.seats_of(table.state),
    )


def _panel(context: TableContext, address: TableAddress) -> LogPanel:
    """A page of the log, and one entry of it where one is asked for."""
    table, entry_number = context.table, address.entry
    last = _last_row(context.table.version, address)
    first = max(1, last - ROWS + 1)
    newer = None if last == table.version else last + ROWS + 1
    address = replace(address, before=None if newer is None else last + 1)
    context = replace(context, address=address)
    entry = table.entries[entry_number - 1] if entry_number and entry_number <= table.version else None
    rounds = rounds_of(table, range(first, last + 1), turns_of(table))
    entries = each(table.entries[first - 1 : last], ROW)
    rows = [_log_row(context, entry, in_round) for entry, in_round in zip(entries, rounds, strict=True)]
    plain = replace(address, entry=None, show=None)
    return LogPanel(
        tuple(_rounds(rows)),
        _entry(context, entry) if isinstance(entry, Played) else None,
        plain.url(),
        None if newer is None else plain.url(before=newer if newer <= table.version else None),
        plain.url(before=first) if first > 1 else None,
    )


def _rounds(rows: Sequence[LogRow]) -> Iterator[LogRound]:
    """Entries by round, phase and turn, the newest first."""
    for number, groups in groupby(reversed(tuple(_groups(rows))), key=lambda group: group.rows[0].round):
        yield LogRound(number, tuple(groups))


def _groups(rows: Sequence[LogRow]) -> Iterator[LogGroup]:
    """Entries by round, phase and turn, in order.

    What is no move and names no turn belongs to that of the move before it.
    """
    turn: tuple[int, str, Seat | None] = (rows[0].round if rows else 0, "", None)
    found: list[LogRow] = []
    for row in rows:
        now = (row.round, row.phase, row.seat) if row.notation or row.seat else turn
        if found and now != turn:
            yield LogGroup(*turn[1:], tuple(found[::-1]))
            found = []
        turn = now
        found.append(row)
    if found:
        yield LogGroup(*turn[1:], tuple(found[::-1]))


def _last_row(version: int, address: TableAddress) -> int:
    """The number of the last entry on the page: as the address says, but so that the entry asked for is on it."""
    last = min(version, address.before - 1) if address.before and address.before > 1 else version
    entry_number = address.entry
    if entry_number and entry_number <= version and not last - ROWS < entry_number <= last:
        return min(version, entry_number + ROWS // 2)
    return last


def findings_of(table: Table, entry: Played) -> tuple[Finding, ...]:
    """What was found when the move was played, with its evidence.

    The log leaves out the cells of a count that let a move pass. They are counted again on the board of that time, and
    shown where the rules of today find the same numbers.
    """
    now = table.game.check(table.states[entry.number - 2], table.game.read(entry.notation)).findings

    def with_evidence(finding: Finding) -> Finding:
        same = (other for other in now if (other.rule, other.facts.values) == (finding.rule, finding.facts.values))
        return finding if finding.facts.evidence else next(same, finding)

    return tuple(with_evidence(finding) for finding in entry.findings)


def _log_row(context: TableContext, entry: AnyEntry, in_round: int) -> LogRow:
    words, table, address = context.words, context.table, context.address
    if not isinstance(entry, Played):
        text, dispute = entry_phrase(words, table, entry), dispute_number(table, entry)
        again, can = again_of(table, entry.number), isinstance(entry, Disputable)
        marks, (seat, phase) = _marks(table, entry), _turn_of(context, entry)
        return LogRow(entry.number, seat, text, "", marks, None, False, dispute, again, can, phase, in_round)
    what = capitalise(_move_phrase(words, table, entry))
    is_lit = entry.number == address.entry
    return LogRow(
        entry.number,
        entry.seat,
        what,
        entry.notation,
        _marks(table, entry),
        address.url(entry=entry.number, show=None),
        is_lit=is_lit,
        replayed_number=again_of(table, entry.number),
        phase=context.pages.phase(table.states[entry.number - 2], words),
        round=in_round,
    )


def _turn_of(context: TableContext, entry: AnyEntry) -> tuple[Seat | None, str]:
    """Whose turn dice were rolled in, and the phase: they are rolled before the move that they are for."""
    if not isinstance(entry, Rolled):
        return None, ""
    state = context.table.states[entry.number - 1]
    return context.game.due(state).seat, context.pages.phase(state, context.words)


def again_of(table: Table, number: int) -> int:
    """The entry that an entry makes again, as an amendment says; 0 for one that is new."""
    amended = table.amendment_of(number)
    return 0 if amended in (None, number) else table.amendment_entry(amended or 0).line[number - (amended or 0) - 1]


def _marks(table: Table, entry: AnyEntry) -> tuple[str, ...]:
    """What is marked on an entry that stands in the line of play."""
    if not isinstance(entry, InLine):
        return ()
    marks = {
        "stands": isinstance(entry, Played) and entry.stands,
        "undone": entry.number not in table.in_play,
        "amended": entry.number in table.removed_entries,
        "now": table.line[-1:] == (entry.number,),
    }
    return tuple(name for name, is_so in marks.items() if is_so)


def _entry(context: TableContext, entry: Played) -> OpenEntry:
    words, table, address = context.words, context.table, context.address
    before, after = (table.move_beside(entry.number, later=later) for later in (False, True))
    reachable = table.line_at(entry.number) is not None and (not table.line or table.line[-1] != entry.number)
    return OpenEntry(
        entry.number,
        entry_phrase(words, table, entry),
        entry.at,
        entry.ruling.value,
        entry.stands,
        entry.number not in table.line,
        reasons(words, findings_of(table, entry), address),
        consequences(words, table.effects(entry.number), entry.findings),
        entry.number if reachable else None,
        new_key(),
        address.url(entry=before, show=None) if before else None,
        address.url(entry=after, show=None) if after else None,
        tuple(_amends(table, address, entry.number)) if entry.number in table.line else (),
    )


def _amends(table: Table, address: PageAddress, number: int) -> Iterator[tuple[str, str, str]]:
    """The ways to amend the log at an entry in play."""
    at, plain = table.line.index(number), address.plain("amend")
    before = table.line[at - 1] if at else 1
    yield "replace", _("Another move instead"), plain.url(do=REPLACE, entry=number)
    yield "insert-before", _("A move before it"), plain.url(do=INSERT, entry=before)
    yield "insert-after", _("A move after it"), plain.url(do=INSERT, entry=number)
    yield "delete", _("Take it out"), address.plain("preview").url(do=DELETE, entry=number)
