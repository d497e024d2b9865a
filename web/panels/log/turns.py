"""The panel of the turns: how long each player took, how this phone announces turns, and the clock."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar, Final

from rules.kernel import Seat
from rules.records import dataclass
from service.runtime.memoize import ByIdentity
from service.runtime.memory import WeightedCache
from service.tables.keys import Role
from service.tables.table import Table
from service.tables.turn_times import BREAK, Clock, Times
from service.types import State
from web.board.layers import mark
from web.board.scene import Light
from web.browser.language import language
from web.browser.turn_signals import Signal, signals
from web.panels.context import Focus, TableContext, names_at

MAX_CLOCKS: Final = 16
"""The maximum number of tables with cached times of their players."""
_clocks: Final[WeightedCache[tuple[ByIdentity[State], str], Clock]] = WeightedCache(
    MAX_CLOCKS, name=f"{__name__}._clocks"
)


@dataclass(frozen=True, slots=True)
class TimeTaken:
    """The time of a player in seconds: the total, the number of turns, and the longest turn."""

    seat: Seat
    name: str
    total: float
    turns: int
    longest: float

    @property
    def mean(self) -> float:
        """The mean seconds of a turn."""
        return self.total / max(self.turns, 1)


@dataclass(frozen=True, slots=True)
class TurnsPanel:
    """The times of the players, up to a move if all were too much for a request; and the signals of this phone."""

    template: ClassVar[str] = "panel/turns.html"
    rows: tuple[TimeTaken, ...]
    nobody: float
    last_counted_move: int | None
    on: frozenset[Signal]
    pause: int = BREAK // 60


def turns(context: TableContext) -> Focus[TurnsPanel]:
    """The times of the players, below the current board."""
    table = context.table
    times = _times(table)
    rows = tuple(
        TimeTaken(
            seat, name, times.seconds.get(seat, 0), times.turn_counts.get(seat, 0), times.longest_turns.get(seat, 0)
        )
        for seat, name in context.names().items()
    )
    last_counted_move = None if times.version == table.version else table.moves_until(times.version)
    panel = TurnsPanel(rows, times.seconds.get(None, 0), last_counted_move, signals())
    return Focus(panel, table.state, light=Light(last_cells=context.last_move_cells()))


def _times(table: Table) -> Times:
    """The times of a table, cached by its first state."""
    key = ByIdentity(table.states[0]), table.id
    clock = Clock.of(table, _clocks.get(key))
    _clocks.put(key, clock)
    return clock.times


@dataclass(frozen=True, slots=True)
class TurnNotice:
    """The data with which the page's script announces a turn: whose it is, and whether it is this phone's own.

    `mine` is None if the phone plays for all, or for nobody. `clock_times`: with a clock, each player's seconds up to
    the last entry, and the text of the clock. `since`: the seconds since that entry; once they reach `pause`, none of
    them count.
    """

    turn: Seat | None
    mine: bool | None
    on: frozenset[Signal]
    clock_times: tuple[tuple[Seat, str, float, str], ...]
    since: float
    mark: str
    pause: int = BREAK


def turn_notice(table: Table, role: Role) -> TurnNotice | None:
    """The turn signals of this phone; None if it has none on."""
    on = signals()
    if not on:
        return None
    seat = table.due.seat
    mine = None if role.seat is None else seat == role.seat
    clock_times, since = _clock_times(table) if "clock" in on else ((), 0)
    notice_mark = mark("turn", table.version, role.name, sorted(on), language())
    return TurnNotice(seat, mine, on, clock_times, round(since, 1), notice_mark)


def _clock_times(table: Table) -> tuple[tuple[tuple[Seat, str, float, str], ...], float]:
    """The clocks of the players, and the seconds since the last entry."""
    times, now = _times(table), datetime.now(UTC)
    total_seconds = {seat: times.seconds.get(seat, 0) for seat in table.game.seats_of(table.state)}
    display_seconds = {**total_seconds}
    if table.due.seat in display_seconds and not table.due.ended:
        display_seconds[table.due.seat] += times.play_seconds_since(now)
    found = (
        (seat, name, round(total_seconds[seat], 1), clock_text(display_seconds[seat]))
        for seat, name in names_at(table).items()
    )
    return tuple(found), times.seconds_since(now)


def clock_text(seconds: float) -> str:
    """Format seconds as a clock does.

    >>> clock_text(65.9), clock_text(3600)
    ('1:05', '1:00:00')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
