"""The score of a table in a state: what is due, the points, and the forecasts.

A request computes this several times, also for the previous state. So the results of the last states are cached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from rules import effects
from rules.effects import Points
from rules.kernel import Due, Forecast, Seat
from service.runtime.memoize import ByIdentity, memoize_by_identity
from service.types import AnyGame, State

MAX_STATES: Final = 64
"""The maximum number of states whose standings are cached; a few hundred bytes each."""


def due_of(game: AnyGame, state: State) -> Due:
    """The player and the kinds of moves that are due, or the end."""
    return _due(state, game.due)


def points_of(game: AnyGame, state: State) -> Points:
    """The points of each player by each rule."""
    return _points(state, ByIdentity(game))


def totals_of(game: AnyGame, state: State) -> Mapping[Seat, int]:
    """The points of each player."""
    totals = dict.fromkeys(game.seats_of(state), 0)
    for (seat, _), points in points_of(game, state).items():
        totals[seat] += points
    return totals


def forecasts_of(game: AnyGame, state: State) -> tuple[Forecast, ...]:
    """The forecasts; empty once the game has ended."""
    return () if due_of(game, state).ended else game.forecasts(state)


@memoize_by_identity(MAX_STATES)
def _due(state: State, due_in: Callable[[State], Due]) -> Due:
    due = due_in(state)
    return Due(due.seat, due.kinds, due.code, MappingProxyType(dict(due.values)), due.ended)


@memoize_by_identity(MAX_STATES)
def _points(state: State, game: ByIdentity[AnyGame]) -> Points:
    return effects.points_of(game.value, state)
