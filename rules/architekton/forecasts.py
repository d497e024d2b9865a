"""Architekton: how near each end of the game is, who is ahead, and who runs out of houses or of games of a series."""

from __future__ import annotations

from collections.abc import Iterator

from rules.architekton.box import PILE, STARTING
from rules.architekton.debts import payment_forecasts
from rules.architekton.play import empty_piles
from rules.architekton.scoring import by_total
from rules.architekton.series import EARLY_WIN, TO_WIN, WIN, other, points_of, series_winner
from rules.architekton.state import COLOURS, State
from rules.forecasts import by_points, end_forecast, shortage_forecast
from rules.kernel import Forecast


def forecasts(state: State) -> tuple[Forecast, ...]:
    """Insufficient chips, an empty turn, the last turns, points and houses, the supply, and the series."""
    ends = (*payment_forecasts(state), *_empty_turn(state), *_last_turns(state))
    return (*ends, *by_points(by_total, state), *_houses(state), *_series(state))


# --- the other ends (AR-30, AR-34) ------------------------------------------------------------------------------


def _empty_turn(state: State) -> Iterator[Forecast]:
    """`AR-34`: the turn before laid nothing, and in this one nothing is laid yet."""
    if state.empty == 1:
        yield end_forecast("AR-34", "one", {"colour": COLOURS[state.player]}, soon=True)


def _last_turns(state: State) -> Iterator[Forecast]:
    """`AR-30`: the turns left once the last ones have begun; else the tiles that begin them."""
    player = COLOURS[state.player]
    if state.left is not None:
        whose = (player, other(player))[: state.left]
        yield end_forecast("AR-30", "turns", {"n": state.left, "colours": whose}, soon=True)
    elif empty_piles(state):
        n = 2 if 1 - state.player == state.starts else 1
        yield end_forecast("AR-30", "after_this", {"n": n, "kinds": empty_piles(state)}, soon=True)
    else:
        tile_counts = state.building_count, len(state.tiles) - state.building_count - STARTING
        left = [PILE + 1 - each if each <= PILE else 1 for each in tile_counts]
        yield end_forecast("AR-30", "tiles", {"buildings": left[0], "landscapes": left[1]})


# --- shortages (AR-13, AR-40) ------------------------------------------------------------------------------------


def _houses(state: State) -> Iterator[Forecast]:
    """`AR-13`: the players who have no house left in supply."""
    for colour, left in zip(COLOURS, state.supply, strict=True):
        if not left:
            yield shortage_forecast("AR-13", "none", {"colour": colour})


def _series(state: State) -> Iterator[Forecast]:
    """`AR-40`: the kind of win that each player needs in this game to win the series."""
    if state.series is None or series_winner(points_of(state.series)) is not None:
        return
    for colour, points in points_of(state.series).items():
        missing = TO_WIN - points
        if missing <= EARLY_WIN:
            yield shortage_forecast(
                "AR-40", "any_win" if missing <= WIN else "early_win", {"colour": colour, "n": missing}
            )
