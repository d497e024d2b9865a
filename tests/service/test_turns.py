"""How long players took, by the times in a log: whose time counts, what a turn is, and what does not count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rules import GAMES
from rules.kernel import Seat
from rules.steps import at_most
from service import schemas
from service.judgements import AttemptedMove
from service.referee.repository import ChangeRequest
from service.referee.use_cases import NewTable, Referee
from service.runtime.budget import FOLD_STEPS
from service.storage.ledger import Ledger
from service.tables import turn_times
from service.tables.entries import DELETE, LogChange
from service.tables.table import Table
from service.tables.turn_times import BREAK, Clock, Times
from tests.rules.play import often

GAME = GAMES["villefranche"]
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SETUP = {"players": [{"colour": "black"}, {"colour": "white"}]}


class Evening:
    """A table whose entries come a given number of seconds after one another."""

    def __init__(self, ledger: Ledger) -> None:
        self.at = NOON
        self.referee = Referee(ledger, now=lambda: self.at)
        self.new: NewTable = self.referee.open(GAME.id, schemas.load(schemas.of(GAME).setup, SETUP))
        self.table: Table = self.new.table

    def plays(self, seconds: float) -> None:
        """The player whose turn it is makes a legal move."""
        self.at += timedelta(seconds=seconds)
        move = AttemptedMove(next(GAME.moves(self.table.state)))
        self.table = self.referee.play(self.asks(), [move]).table

    def asks(self) -> ChangeRequest:
        """A change requested by the host."""
        return ChangeRequest(self.table.id, self.new.keys.host, self.table.version)

    def does(self, what: str, seconds: float, which: int) -> None:
        """Do this to the table, or play a move if it is not possible."""
        table = self.table
        moves = tuple(table.line)
        if what == "go back" and table.version > 1:
            self.goes_back(seconds, (1, *moves)[which % (len(moves) + 1)])
        elif what == "redo" and table.redo_to:
            self.goes_back(seconds, table.redo_to)
        elif what == "amend" and moves:
            self.at += timedelta(seconds=seconds)
            change = LogChange(DELETE, moves[which % len(moves)])
            self.table = self.referee.amend(self.asks(), change).table
        else:
            self.plays(seconds)
            if what == "two at once":
                self.plays(0)

    def goes_back(self, seconds: float, to: int) -> None:
        """Undo or redo to a version."""
        self.at += timedelta(seconds=seconds)
        self.table = self.referee.rewind(self.asks(), to).table


@pytest.fixture
def evening(ledger: Ledger) -> Evening:
    """A table just opened."""
    return Evening(ledger)


def test_time_is_that_of_whoever_was_due(evening: Evening) -> None:
    """Time counts for the player whose turn it was. Black's first turn is one piece, every other turn two."""
    for seconds in (10, 20, 5, 40, 1):
        evening.plays(seconds)
    times = Clock.of(evening.table).times
    assert dict(times.seconds) == {"black": 10 + 40 + 1, "white": 20 + 5}
    assert dict(times.longest_turns) == {"black": 41, "white": 25}
    assert dict(times.turn_counts) == {"black": 2, "white": 1}
    assert (times.seat, times.turn_seconds, times.at, times.version) == ("white", 41, evening.at, 6)
    assert times.play_seconds_since(evening.at + timedelta(seconds=7)) == 7


def test_what_is_undone_took_its_time(evening: Evening) -> None:
    """An undone turn still counts, with its time; the player whose turn it is again gets another turn."""
    for seconds in (10, 20, 30):
        evening.plays(seconds)
    evening.goes_back(4, 2)
    evening.plays(6)
    times = Clock.of(evening.table).times
    assert dict(times.seconds) == {"black": 10 + 4, "white": 20 + 30 + 6}
    assert dict(times.turn_counts) == {"black": 2, "white": 2}
    assert dict(times.longest_turns) == {"black": 10, "white": 50}
    evening.goes_back(0, 1)
    assert dict(Clock.of(evening.table).times.turn_counts) == {"black": 2, "white": 2}


ENTRIES = st.lists(
    st.tuples(
        st.sampled_from(("play", "play", "play", "go back", "go back", "redo", "amend", "two at once")),
        st.sampled_from((0, 1, 60, 60, 90.5, BREAK - 1, BREAK, 2 * BREAK, -7)),
        st.integers(0, 99),
    ),
    min_size=4,
    max_size=14,
)


@settings(max_examples=often(45), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=ENTRIES)
@example(entries=[("play", 60, 0)] * 12 + [("go back", 60, 2), ("go back", 60, 0)])
def test_turns_add_up_to_the_time(entries: list[tuple[str, float, int]], ledger: Ledger) -> None:
    """After any undo, redo, amendment or break, turns add up to the time; no seat has one without the other."""
    evening = Evening(ledger)
    clock = Clock.of(evening.table)
    for what, seconds, which in entries:
        evening.does(what, seconds, which)
        clock = Clock.of(evening.table, clock)
        times = Clock.of(evening.table).times
        assert Clock.of(evening.table, clock).times == times == clock.times
        for seat in GAME.seats:
            had, spent, longest = (
                found.get(seat, 0) for found in (times.turn_counts, times.seconds, times.longest_turns)
            )
            assert (had > 0) == (spent > 0) == (longest > 0)
            assert longest <= spent <= had * longest
    gaps = (later.at - entry.at for entry, later in pairwise(evening.table.entries))
    played = sum(gap.total_seconds() for gap in gaps if 0 < gap.total_seconds() < BREAK)
    assert sum(Clock.of(evening.table).times.seconds.values()) == played


@pytest.mark.parametrize(("pause", "counted"), [(BREAK - 1, BREAK - 1), (BREAK, 0), (-5, 0)])
def test_a_break_does_not_count(pause: float, counted: float, evening: Evening) -> None:
    """A gap of half an hour counts for nobody, and neither does a clock that was set back."""
    evening.plays(10)
    evening.plays(pause)
    times = Clock.of(evening.table).times
    assert dict(times.seconds) == {"black": 10, "white": counted}
    assert times.play_seconds_since(evening.at + timedelta(seconds=BREAK)) == 0


def test_an_entry_is_looked_at_once(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock looks at each entry once, also when a request's budget stops it halfway; the times are the same."""
    seen: list[datetime] = []
    after = turn_times._after

    def looking(times: Times, at: datetime, seat: Seat | None) -> Times:
        seen.append(at)
        return after(times, at, seat)

    monkeypatch.setattr(turn_times, "_after", looking)
    clock = None
    for number in range(12):
        evening.plays(10)
        clock = Clock.of(evening.table, clock)
        assert len(seen) == number + 1
    with at_most(0):
        assert Clock.of(evening.table, clock).times.version == 13
    in_pieces = None
    parts: list[int] = []
    while not parts or parts[-1] < 13:
        with at_most(10 * FOLD_STEPS):
            in_pieces = Clock.of(evening.table, in_pieces)
        parts.append(in_pieces.times.version)
    assert parts == [7, 13]
    assert in_pieces == clock == Clock.of(evening.table)


def test_what_is_nobodys_turn_interrupts_none() -> None:
    """Time in which nobody is due counts for nobody; the turn before it can go on afterwards."""
    times = Times(1, NOON, "light")
    for seconds, seat in ((10, None), (5, "light"), (20, None), (5, "dark"), (3, "light")):
        times = turn_times._after(times, times.at + timedelta(seconds=seconds), seat)
    assert dict(times.seconds) == {"light": 30, None: 10, "dark": 3}
    assert dict(times.longest_turns) == {"light": 30, "dark": 3}


def test_who_is_due_between_entries_of_one_request_has_no_turn() -> None:
    """A turn that passes and comes back at the same time, as in a settlement, is one turn; after a break it is a new
    one.
    """
    times = Times(1, NOON, "light")
    for seconds, seat in ((10, "dark"), (0, "light"), (5, "dark"), (BREAK, "light"), (3, "dark")):
        times = turn_times._after(times, times.at + timedelta(seconds=seconds), seat)
    assert dict(times.seconds) == {"light": 18, "dark": 0}
    assert (dict(times.turn_counts), dict(times.longest_turns)) == ({"light": 2}, {"light": 15})
