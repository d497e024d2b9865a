"""Reports the effect of an amendment from the log: the entries it repeated or lost, and the changed moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rules.kernel import Seat
from rules.ranking import totals
from rules.steps import spend
from service.referee import replay
from service.referee.replay import JudgedMisfit
from service.runtime.budget import READ_STEPS
from service.tables.entries import INSERT, Amended, Played
from service.tables.table import Table
from service.types import State


class ChangedMove(NamedTuple):
    """A repeated move whose ruling or seat has changed: its old entry and its new one."""

    old_entry: Played
    new_entry: Played


class Amendment(NamedTuple):
    """The report of an amendment.

    `new_moves`: the numbers of the new moves. `replay_count`: the number of repeated entries. `lost_entries`: the
    numbers of the entries that were not repeated, and `first_misfit` the first of them. `before` and `after` are the
    totals.
    """

    entry: Amended
    new_moves: tuple[int, ...]
    replay_count: int
    lost_entries: tuple[int, ...]
    first_misfit: JudgedMisfit | None
    changed_moves: tuple[ChangedMove, ...]
    before: Mapping[Seat, int]
    after: Mapping[Seat, int]


def amendment(table: Table, number: int) -> Amendment:
    """The report of the amendment with an entry's number. Raises `LookupError`."""
    entry = table.amendment_entry(number)
    lost = _lost_entries(table, entry)
    before, after = table.states[number - 2], table.states[number + len(entry.line) - 1]
    return Amendment(
        entry,
        tuple([number + place for place, of in enumerate(entry.line, start=1) if not of]),
        sum(1 for of in entry.line if of),
        lost,
        _first_misfit(table, entry, lost[0]) if lost else None,
        tuple(_moves_ruled_otherwise(table, entry)),
        totals(table.game, before),
        totals(table.game, after),
    )


def _lost_entries(table: Table, entry: Amended) -> tuple[int, ...]:
    """The entries that were in play and are not repeated, except the entry that the change itself removes."""
    kept_numbers = {*entry.line, entry.change.entry if entry.change.do != INSERT else 0}
    line = table.history.line_to(table.tips[entry.number - 2])
    at = line.index(entry.to) + 1 if entry.to > 1 else 0
    return tuple([number for number in line[at:] if number not in kept_numbers])


def _first_misfit(table: Table, entry: Amended, lost_number: int) -> JudgedMisfit:
    """The first lost move, with the ruling on it in the state in which it was tried."""
    return replay.misfit(
        table.game, misfit_state(table, entry, lost_number), table.move_entry(lost_number)
    ).judge_in_full(table.game)


def misfit_state(table: Table, entry: Amended, lost_number: int) -> State:
    """The state in which an entry did not fit, so that the amendment lost it."""
    place = next((place for place, of in enumerate(entry.line) if of > lost_number), len(entry.line))
    return table.states[entry.number + place - 1]


def _moves_ruled_otherwise(table: Table, entry: Amended) -> Iterator[ChangedMove]:
    """The moves with another ruling or another player than before."""
    for of in entry.changed:
        spend(READ_STEPS)
        yield ChangedMove(table.move_entry(of), table.move_entry(entry.number + entry.line.index(of) + 1))
