"""The effect of a log entry that is not a move, computed from the log by today's rules.

Players can dispute such an entry as they can a move. It removes entries from play, adds others, or both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.changes import Change, PositionComparison, changes_between, compare_positions
from rules.kernel import Finding, Seat
from rules.ranking import totals
from rules.steps import spend
from service.referee import amendment_report
from service.referee.amendment_report import Amendment
from service.referee.enter_position import entered_position
from service.referee.replay import Revision, line_difference
from service.rulings import judge
from service.runtime.budget import COMPARE_STEPS
from service.tables.active_readings import Matter, readings_of
from service.tables.apply_entry import setup_with_readings
from service.tables.entries import Amended, AnyEntry, Checkpoint, InLine, Played, ReadingsSet
from service.tables.table import Table


class ReadingChange(NamedTuple):
    """A reading with a new value, and why the reading could matter now."""

    key: str
    old_value: str
    new_value: str
    matters: tuple[Matter, ...]


class EntryEffect(NamedTuple):
    """The effect of an entry. `revision`: the entries that it took out of play and brought into it, and the state
    after it. `before` and `after` are the totals, `changes` the differences on the table.

    For an entered position, `comparison` compares it with the log, and `problems` are its impossible parts; for an
    amendment, `amendment` is the whole effect.
    """

    entry: AnyEntry
    revision: Revision
    before: Mapping[Seat, int]
    after: Mapping[Seat, int]
    changes: tuple[Change, ...]
    readings: tuple[ReadingChange, ...] = ()
    comparison: PositionComparison | None = None
    problems: tuple[Finding, ...] = ()
    amendment: Amendment | None = None

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that the effect names, each once."""
        why = () if self.comparison is None else self.comparison.why
        reading_rules = (rule for one in self.readings for matter in one.matters for rule in matter.rules)
        return tuple(dict.fromkeys([*(finding.rule for finding in (*self.problems, *why)), *reading_rules]))


def last_of(entry: AnyEntry) -> int:
    """The number of the last entry that carries out an entry."""
    return entry.number + len(entry.line) if isinstance(entry, Amended) else entry.number


def lost_and_restored(table: Table, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of the entries that an entry took out of play, and of those that it brought into it.

    Both are empty for the opening. An entry that an amendment repeated is out under its old number and in under its new
    one.
    """
    entry = table.entries[number - 1]
    if isinstance(entry, InLine) or number == 1:
        return (), (number,) if number > 1 else ()
    after = table.history.line_to(table.tips[last_of(entry) - 1])
    return line_difference(table.history.line_to(table.tips[number - 2]), after)


def is_in_play(table: Table, number: int) -> bool:
    """Whether the effect of an entry still holds, in whole or in part."""
    line = frozenset(table.line)
    if isinstance(table.entries[number - 1], InLine):
        return number in line
    lost, restored = lost_and_restored(table, number)
    return number == 1 or not line.issuperset(lost) or not line.isdisjoint(restored)


def effect_by_entry(table: Table, number: int) -> EntryEffect | None:
    """The effect of the entry with a number; None for a move, which has a ruling instead."""
    entry, game = table.entries[number - 1], table.game
    if isinstance(entry, Played):
        return None
    spend(COMPARE_STEPS)
    before, after = table.states[max(number - 2, 0)], table.states[last_of(entry) - 1]
    lost, restored = lost_and_restored(table, number)
    revision = Revision(None, after, lost_entries=lost, restored_entries=restored)
    done = EntryEffect(entry, revision, totals(game, before), totals(game, after), changes_between(game, before, after))
    if isinstance(entry, ReadingsSet):
        return done._replace(readings=_changed_readings(table, entry))
    if isinstance(entry, Checkpoint):
        return done._replace(comparison=_comparison(table, entry), problems=_problems(table, entry))
    return done._replace(amendment=amendment_report.amendment(table, number)) if isinstance(entry, Amended) else done


def _changed_readings(table: Table, entry: ReadingsSet) -> tuple[ReadingChange, ...]:
    """The readings of an entry, each with why it could matter now."""
    was = table.states[entry.number - 2].readings
    now = {one.reading.key: one.matters for one in readings_of(table, judge.sheet(table.game, table.state))}
    return tuple([ReadingChange(key, was[key], value, now[key]) for key, value in entry.readings.items()])


def _comparison(table: Table, entry: Checkpoint) -> PositionComparison:
    """Whether play can have led to a position from the log's position before it; the way in notation."""
    comparison = compare_positions(table.game, table.states[entry.number - 2], table.states[entry.number - 1])
    return comparison._replace(way=tuple(map(table.game.write, comparison.way)))


def _problems(table: Table, entry: Checkpoint) -> tuple[Finding, ...]:
    """The problems of an entered position."""
    setup = setup_with_readings(table.setup, table.states[entry.number - 2])
    return tuple(table.game.problems(setup, entered_position(table, entry)))
