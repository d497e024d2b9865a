"""The time that each player took: a pure fold over the times of a log. It affects no ruling.

The time up to an entry counts for the player who was due before it, whatever the entry is. It is the time that passed
at the table: a move that is undone later took that time, too.

A turn lasts while one player is due, without another in between. It is also time that passed at the table: turns that
are undone count, and a player who is due again after an undo has another turn. A turn counts as soon as it has taken
time. So a player's turns add up to that player's time, and no turn is empty: neither several moves of one request nor a
break alone makes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from types import MappingProxyType
from typing import Final

from rules.kernel import Seat
from rules.records import dataclass
from rules.steps import is_half_spent, spend
from service.runtime.budget import FOLD_STEPS
from service.tables.table import Table

BREAK: Final = 30 * 60
"""Seconds without an entry that count as a break: no second of it counts."""


@dataclass(frozen=True, slots=True)
class Times:
    """The times up to a version, in seconds.

    `seat` is due then, and `last_seat` was before it, in a turn that has taken `turn_seconds` seconds up to `at`, the
    time of the last entry. `seconds` has each player's seconds, and under None those outside any turn; `turn_counts`
    has each player's number of turns, and `longest_turns` the longest of them.
    """

    version: int
    at: datetime
    seat: Seat | None
    last_seat: Seat | None = None
    turn_seconds: float = 0
    seconds: Mapping[Seat | None, float] = field(default_factory=dict)
    turn_counts: Mapping[Seat, int] = field(default_factory=dict)
    longest_turns: Mapping[Seat, float] = field(default_factory=dict)

    def seconds_since(self, now: datetime) -> float:
        """The seconds since the last entry; a running clock shows their `counted_seconds`."""
        return (now - self.at).total_seconds()

    def play_seconds_since(self, now: datetime) -> float:
        """The seconds since the last entry that count."""
        return counted_seconds(self.seconds_since(now))


@dataclass(frozen=True, slots=True)
class Clock:
    """The times of a table, and the player who was due after each processed entry."""

    times: Times
    due: Mapping[int, Seat | None]

    @classmethod
    def of(cls, table: Table, known: Clock | None = None) -> Clock:
        """The times up to now, or as far as half of a request's budget allows; `known` are earlier ones."""
        due = {} if known is None else dict(known.due)
        times = Times(1, table.opened_at, _seat(table, 1, due)) if known is None else known.times
        while times.version < table.version and not is_half_spent():
            spend(FOLD_STEPS)
            entry = table.entries[times.version]
            times = _after(times, entry.at, _seat(table, table.tips[entry.number - 1], due))
        return cls(times, MappingProxyType(due))


def _seat(table: Table, number: int, due: dict[int, Seat | None]) -> Seat | None:
    """The player who is due after the move of a number."""
    if number not in due:
        due[number] = table.game.due(table.states[number - 1]).seat
    return due[number]


def _after(times: Times, at: datetime, seat: Seat | None) -> Times:
    """The times after one more entry, after which `seat` is due. Time outside any turn does not interrupt a turn."""
    gap, due = _gap(times.at, at), times.seat
    whose, turn, turns, longest = times.last_seat, times.turn_seconds, times.turn_counts, times.longest_turns
    if due is not None and at != times.at:  # a player due between two entries of one request had no turn
        begun = turn if due == whose else 0
        whose, turn = due, begun + gap
        if turn and not begun:
            turns = {**turns, due: turns.get(due, 0) + 1}
        if turn:
            longest = {**longest, due: max(longest.get(due, 0), turn)}
    spent = {**times.seconds, due: times.seconds.get(due, 0) + gap}
    return Times(times.version + 1, at, seat, whose, turn, spent, turns, longest)


def _gap(since: datetime, until: datetime) -> float:
    """The seconds between two times that count."""
    return counted_seconds((until - since).total_seconds())


def counted_seconds(gap: float) -> float:
    """The seconds between two entries that count: 0 for a break, or if a clock was set back."""
    return gap if 0 < gap < BREAK else 0
