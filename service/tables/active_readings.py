"""The readings of a table, and which of them matter now: to the next move, the score, or the last moves.

It relies on the rulebook, which names the readings of each rule, and calls the rules themselves rarely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import rules
from rules.forms import Reading
from service.judgements import Sheet
from service.tables.table import Table

RECENT: Final = 3
"""The number of last moves whose rules count."""
DUE: Final = "due"
SCORE: Final = "score"
RULED_SOURCE: Final = "ruled"
Book: TypeAlias = Mapping[str, Mapping[str, Any]]
"""A game's rulebook: rule id -> its entry."""


class Matter(NamedTuple):
    """Why a reading could matter now, and the rules that look at it.

    `code`: ``due`` (they judge a due move), ``score`` (another value would change the current score), ``ruled`` (they
    had a finding or an effect in one of the last moves).
    """

    code: str
    rules: tuple[str, ...]


class ActiveReading(NamedTuple):
    """A reading, its value now and at the opening of the table, and why it could matter now."""

    reading: Reading
    value: str
    opening_value: str
    matters: tuple[Matter, ...]


def readings_of(table: Table, sheet: Sheet) -> tuple[ActiveReading, ...]:
    """The readings in force, first those that could matter now. `sheet` is the score sheet of the table."""
    found = _MatterFinder(table, sheet)
    now, then = table.state.readings, table.setup.readings
    each = [ActiveReading(one, now[one.key], then[one.key], tuple(found.of(one.key))) for one in table.game.readings]
    return tuple(sorted(each, key=lambda one: not one.matters))


class _MatterFinder:
    """Finds the readings that could matter now."""

    def __init__(self, table: Table, sheet: Sheet) -> None:
        self.book: Book = rules.load(table.game.id, "rulebook")
        lines = (line.rule for lines in sheet.lines.values() for line in lines)
        self.rules = {
            DUE: _rules_of_due(table),
            SCORE: tuple(dict.fromkeys(lines)),
            RULED_SOURCE: tuple(dict.fromkeys(_rules_of_last_moves(table))),
        }
        self.changes = {change.key for change in sheet.sensitivity if change.changes}

    def of(self, key: str) -> Iterator[Matter]:
        """Find why a reading could matter now."""
        for code, rule_ids in self.rules.items():
            found = tuple(rule for rule in rule_ids if key in self.book.get(rule, {}).get("readings", ()))
            if key in self.changes if code == SCORE else found:
                yield Matter(code, found)


def _rules_of_due(table: Table) -> Sequence[str]:
    """The rules that judge a move that is due."""
    game, phase = table.game, table.game.phase(table.state)
    rows = (game.book.get((phase, game.kinds[kind]), ()) for kind in table.due.kinds)
    return tuple(dict.fromkeys(rule.id for row in rows for rule in row))


def _rules_of_last_moves(table: Table) -> Iterator[str]:
    """The rules with a finding or an effect in the last moves."""
    for entry in reversed(table.last_moves(RECENT)):
        yield from (finding.rule for finding in entry.findings)
        yield from (effect.rule for effect in table.effects(entry.number))
