"""An open entry of the log: the ruling at the time, and the actions on it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from rules.kernel import Finding
from rules.records import dataclass
from service.i18n.sentences import Words
from service.rulings import judge
from service.tables.entries import DELETE, INSERT, REPLACE, AnyEntry, Disputable, InLine, Played, RuledEntry
from service.tables.table import Table
from web.board.scene import Light
from web.browser.address import PageAddress
from web.browser.language import _
from web.panels.context import TableContext
from web.panels.log.entries import dispute_number
from web.panels.moves.verdict import other_readings
from web.panels.sentences import Consequence, OtherReading, Reason, consequences, lit_finding, reasons


class ExportedRuling(NamedTuple):
    """The ruling on a move in an export, and the sentences of its findings."""

    ruling: str
    says: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryVerdict:
    """The ruling on a move when it was played, and what other readings would have changed.

    For an imported move, it is today's ruling; `export_ruling`: the ruling in the export, if it differs.
    """

    ruling: str
    stands: bool
    reasons: tuple[Reason, ...]
    consequences: tuple[Consequence, ...]
    others: tuple[OtherReading, ...]
    export_ruling: ExportedRuling | None = None


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """An open entry of the log. `number`: its number in the API.

    `dispute`: the dispute whose settlement made it. `to`: the version from which play can continue there. `amends`: the
    possible amendments, with id, label and address each.
    """

    number: int
    at: datetime
    verdict: EntryVerdict | None
    is_undone: bool
    disputable: bool
    dispute: int | None
    to: int | None
    amends: tuple[tuple[str, str, str], ...] = ()

    @property
    def others(self) -> tuple[OtherReading, ...]:
        """What other readings would have changed."""
        return self.verdict.others if self.verdict else ()


def open_entry(context: TableContext, entry: AnyEntry) -> OpenEntry:
    """An open entry."""
    table, number = context.table, entry.number
    reachable = isinstance(entry, InLine) and table.line_at(number) is not None and table.line[-1:] != (number,)
    move = entry if isinstance(entry, Played) else None
    return OpenEntry(
        number,
        entry.at,
        None if move is None else _verdict(context, move),
        isinstance(entry, InLine) and number not in table.in_play,
        isinstance(entry, Disputable),
        dispute_number(table, entry),
        number if reachable else None,
        tuple(_amends(table, context.address, number)) if move is not None and number in table.in_play else (),
    )


def _verdict(context: TableContext, entry: Played) -> EntryVerdict:
    words, table = context.words, context.table
    original, entry = entry, table.hear(entry)
    now = judge.judge(table.game, table.states[entry.number - 2], table.game.read(entry.notation))
    effects = context.worth_saying(table.effects(entry.number))
    return EntryVerdict(
        entry.ruling.value,
        entry.stands,
        reasons(words, context.worth_saying(findings_of(table, entry)), context.address, effects),
        consequences(words, effects, entry.findings),
        tuple(other_readings(words, now)),
        exported_ruling(words, original, entry),
    )


def exported_ruling(words: Words, original: RuledEntry, heard: RuledEntry) -> ExportedRuling | None:
    """The ruling on an entry in an export, if today's differs."""
    if (original.ruling, original.findings) == (heard.ruling, heard.findings):
        return None
    return ExportedRuling(original.ruling.value, tuple(map(words.finding_text, original.findings)))


def move_light(table: Table, entry: Played, show: str | None) -> Light:
    """The cells of a move of the log, coloured by its ruling, and the cells of the lit finding."""
    finding = lit_finding(findings_of(table, entry), show)
    return Light(
        frozenset(table.game.cells_of(table.game.read(entry.notation))),
        entry.ruling.value,
        finding.facts.evidence if finding else (),
        seats=table.game.seats_of(table.state),
    )


def findings_of(table: Table, entry: Played) -> tuple[Finding, ...]:
    """The findings when the move was played, with their evidence.

    The log omits the evidence of findings that did not object. This function computes it again on the board of that
    time, and uses it where today's rules find the same numbers.
    """
    now = table.game.check(table.states[entry.number - 2], table.game.read(entry.notation)).findings

    def with_evidence(finding: Finding) -> Finding:
        same = (other for other in now if (other.rule, other.facts.values) == (finding.rule, finding.facts.values))
        return finding if finding.facts.evidence else next(same, finding)

    return tuple(with_evidence(finding) for finding in entry.findings)


def _amends(table: Table, address: PageAddress, number: int) -> Iterator[tuple[str, str, str]]:
    """The ways to amend the log at an entry in play."""
    at, plain = table.line.index(number), address.plain("amend")
    before = table.line[at - 1] if at else 1
    yield "replace", _("Another move instead"), plain.url(do=REPLACE, entry=number)
    yield "insert-before", _("A move before it"), plain.url(do=INSERT, entry=before)
    yield "insert-after", _("A move after it"), plain.url(do=INSERT, entry=number)
    yield "delete", _("Remove it"), address.plain("preview").url(do=DELETE, entry=number)
