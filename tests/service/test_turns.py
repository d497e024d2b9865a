"""How long the players took, by the times of a log: whose time it was, what a turn is, and what does not count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from rules import GAMES
from rules.kernel import Seat
from rules.steps import at_most
from service import turns, wire
from service.budget import KEPT
from service.judgements import Try
from service.ledger import Ledger
from service.referee import NewTable, Referee
from service.table import Table
from service.turns import BREAK, Clock, Times

GAME = GAMES["villefranche"]
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SETUP = {"players": [{"colour": "black"}, {"colour": "white"}]}


class Evening:
    """A table at which each entry is made so many seconds after the one before."""

    def __init__(self, ledger: Ledger) -> None:
        self.at = NOON
        self.referee = Referee(ledger, now=lambda: self.at)
        self.new: NewTable = self.referee.open(GAME.id, wire.load(wire.of(GAME).setup, SETUP))
        self.table: Table = self.new.table

    def plays(self, seconds: float) -> None:
        """Whoever is due makes some legal move."""
        self.at += timedelta(seconds=seconds)
        move = Try(next(GAME.moves(self.table.state)))
        key = {"version": self.table.version, "idempotency_key": None}
        self.table = self.referee.play(self.table.id, self.new.keys.host, [move], **key).table  # type: ignore[arg-type]

    def goes_back(self, seconds: float, to: int) -> None:
        """Undo, or redo, to a version."""
        self.at += timedelta(seconds=seconds)
        key = {"version": self.table.version, "idempotency_key": None}
        self.table = self.referee.rewind(self.table.id, self.new.keys.host, to, **key).table  # type: ignore[arg-type]


@pytest.fixture
def evening(ledger: Ledger) -> Evening:
    """A table just opened."""
    return Evening(ledger)


def test_time_is_that_of_whoever_was_due(evening: Evening) -> None:
    """Black's first turn is one piece, every other has two; the turn that runs has what it took so far."""
    for seconds in (10, 20, 5, 40, 1):
        evening.plays(seconds)
    times = Clock().times(evening.table)
    assert dict(times.spent) == {"black": 10 + 40 + 1, "white": 20 + 5}
    assert dict(times.longest) == {"black": 41, "white": 25}
    assert (times.seat, times.turn, times.at, times.version) == ("white", 0, evening.at, 6)
    assert times.running(evening.at + timedelta(seconds=7)) == 7
    clock = Clock()
    clock.times(evening.table)
    assert dict(clock.turns(evening.table)) == {"black": 2, "white": 2}


def test_what_is_undone_took_its_time(evening: Evening) -> None:
    """The time of an undone move stays its player's; turns that are not in play any more are none."""
    for seconds in (10, 20, 30):
        evening.plays(seconds)
    evening.goes_back(4, 2)
    evening.plays(6)
    clock = Clock()
    assert dict(clock.times(evening.table).spent) == {"black": 10 + 4, "white": 20 + 30 + 6}
    assert dict(clock.turns(evening.table)) == {"black": 1, "white": 1}


@pytest.mark.parametrize(("pause", "counted"), [(BREAK - 1, BREAK - 1), (BREAK, 0), (-5, 0)])
def test_a_break_does_not_count(pause: float, counted: float, evening: Evening) -> None:
    """Half an hour without an entry is nobody's time, and so is a clock that was set back."""
    evening.plays(10)
    evening.plays(pause)
    times = Clock().times(evening.table)
    assert dict(times.spent) == {"black": 10, "white": counted}
    assert times.running(evening.at + timedelta(seconds=BREAK)) == 0


def test_an_entry_is_looked_at_once(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock goes on from where it was, also in pieces where a request may not do it all; the times are the same."""
    seen: list[datetime] = []
    after = turns._after

    def looking(times: Times, at: datetime, seat: Seat | None) -> Times:
        seen.append(at)
        return after(times, at, seat)

    monkeypatch.setattr(turns, "_after", looking)
    clock = Clock()
    for number in range(12):
        evening.plays(10)
        clock.times(evening.table)
        assert len(seen) == number + 1
    with at_most(0):
        assert clock.times(evening.table).version == 13
    in_pieces = Clock()
    parts: list[int] = []
    while not parts or parts[-1] < 13:
        with at_most(10 * KEPT):
            parts.append(in_pieces.times(evening.table).version)
    assert parts == [7, 13]
    assert in_pieces.times(evening.table) == clock.times(evening.table) == Clock().times(evening.table)


def test_what_is_nobodys_turn_interrupts_none() -> None:
    """A tile that is turned up is nobody's time, and the turn beside it goes on or another begins."""
    times = Times(1, NOON, "light", "light")
    for seconds, seat in ((10, None), (5, "light"), (20, None), (5, "dark"), (3, "light")):
        times = turns._after(times, times.at + timedelta(seconds=seconds), seat)
    assert dict(times.spent) == {"light": 30, None: 10, "dark": 3}
    assert dict(times.longest) == {"light": 30, "dark": 3}
