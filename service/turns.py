"""How long the players took: a pure fold over the times of a log. It referees nothing.

The time up to an entry is that of whoever was due before it, whatever the entry is: also what is undone took its time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from rules.kernel import Seat
from rules.steps import half_spent, spend
from service.budget import KEPT
from service.table import Table

BREAK: Final = 30 * 60
"""Seconds without an entry after which nobody was playing: none of them count."""


@dataclass(frozen=True, slots=True)
class Times:
    """What was taken up to a version, in seconds.

    `seat` is due then, and `whose` had the last turn, which has taken `turn` seconds up to `at`, the time of the last
    entry. `spent` has each player's seconds, those of nobody's turn under None; `longest` the longest turn of each.
    """

    version: int
    at: datetime
    seat: Seat | None
    whose: Seat | None
    turn: float = 0
    spent: Mapping[Seat | None, float] = field(default_factory=dict)
    longest: Mapping[Seat, float] = field(default_factory=dict)

    def running(self, now: datetime) -> float:
        """The seconds since the last entry; none where that is a break."""
        return _gap(self.at, now)


class Clock:
    """The times of a table, which grow with its log, and who was due after each entry that was looked at."""

    __slots__ = ("_due", "_times")

    def __init__(self) -> None:
        self._due: dict[int, Seat | None] = {}
        self._times: Times | None = None

    def times(self, table: Table) -> Times:
        """The times up to now, or as far as half of what a request may spend suffices: the next one goes on."""
        first = self._seat(table, 1)
        times = self._times or Times(1, table.opened_at, first, first)
        while times.version < table.version and not half_spent():
            spend(KEPT)
            entry = table.entries[times.version]
            times = _after(times, entry.at, self._seat(table, table.tips[entry.number - 1]))
        self._times = times
        return times

    def turns(self, table: Table) -> Mapping[Seat, int]:
        """How many turns each player has had or begun, of those in play."""
        found: dict[Seat, int] = dict.fromkeys(table.game.seats_of(table.state), 0)
        for seat in self._turns(table):
            found[seat] += 1
        return found

    def _turns(self, table: Table) -> Iterator[Seat]:
        last: Seat | None = None
        for number in (1, *table.line):
            seat = self._due.get(number)
            if seat is not None and seat != last:
                last = seat
                yield seat

    def _seat(self, table: Table, number: int) -> Seat | None:
        """Who is due after the move of a number."""
        if number not in self._due:
            self._due[number] = table.game.due(table.states[number - 1]).seat
        return self._due[number]


def _after(times: Times, at: datetime, seat: Seat | None) -> Times:
    """The times after one more entry, after which a player is due. What is nobody's turn interrupts no turn."""
    gap = _gap(times.at, at)
    turn, longest = times.turn, times.longest
    if times.seat is not None:
        turn += gap
        longest = {**longest, times.seat: max(longest.get(times.seat, 0), turn)}
    return Times(
        times.version + 1,
        at,
        seat,
        seat or times.whose,
        turn if seat in (None, times.whose) else 0,
        {**times.spent, times.seat: times.spent.get(times.seat, 0) + gap},
        longest,
    )


def _gap(since: datetime, until: datetime) -> float:
    """The seconds between two times; none where they are a break, or where a clock was set back."""
    gap = (until - since).total_seconds()
    return gap if 0 < gap < BREAK else 0
