"""Villa Paletti: the floors and columns left, who would win by the seal, and what players lack to take it."""

from __future__ import annotations

from collections.abc import Iterator

from rules.forecasts import end_forecast, leader_forecast, shortage_forecast
from rules.kernel import Fact, Forecast, Value
from rules.styled_name import StyledName
from rules.villa_paletti.columns import CONTEST, RED_FLOOR
from rules.villa_paletti.seal import colour_or_nobody, points, winner
from rules.villa_paletti.standstill import buildable, may_come_soon
from rules.villa_paletti.state import State, name_of
from rules.villa_paletti.villa import has_floor_left, level_cell, on_level, own_columns, supports


def forecasts(state: State) -> tuple[Forecast, ...]:
    """Floors and columns left, who wins if the villa falls, the seal, the next floor's needs, who has no column."""
    return (*_remaining_floors(state), *_seal(state), *_to_take_it(state), *_next_floor(state), *_no_column(state))


def _remaining_floors(state: State) -> Iterator[Forecast]:
    """`VP-12`, `VP-17`: the floors left. If none is, or if the columns may soon run out before enough of them carry the
    next one, also the maximum number of columns until nobody can build.
    """
    n = buildable(state)
    if not has_floor_left(state):
        yield end_forecast("VP-17", "columns", {"n": n}, soon=may_come_soon(state))
        return
    yield end_forecast("VP-12", "left", {"n": RED_FLOOR - state.top})
    if may_come_soon(state):
        here, least = on_level(state.columns, state.top), supports(state)
        values: dict[str, Value] = {"n": n, "here": here, "least": least, "floor": f"floor {state.top + 1}"}
        yield end_forecast("VP-17", "floor", values, (Fact((level_cell(state.top),), {"columns": here}),), soon=True)


def _seal(state: State) -> Iterator[Forecast]:
    """`VP-40`: who wins when the villa falls or nobody can build, and who does if the holder brings it down."""
    if state.holder is None:
        yield leader_forecast("VP-40", "nobody" if state.top >= CONTEST else "early", {"floor": f"floor {CONTEST}"})
        return
    first = winner(state, state.holder)
    values = {"holder": name_of(state, state.holder), "winner": colour_or_nobody(state, first)}
    yield leader_forecast("VP-40", "would_nobody" if first is None else "would", values)


def _to_take_it(state: State) -> Iterator[Forecast]:
    """`VP-31`: the points that each player needs from a column to take the seal with it; the mover is first."""
    if state.top < CONTEST:
        return
    sums = points(state)
    needed = max(1 + (0 if state.holder is None else sums[state.holder]), *sums)
    missing = {player: max(needed - n, 1) for player, n in enumerate(sums) if player != state.holder}
    names = [name_of(state, player) for player in missing]
    figures = [
        StyledName(name, "points", {"colour": name, "n": n}) for name, n in zip(names, missing.values(), strict=True)
    ]
    yield shortage_forecast("VP-31", "short", {"colours": tuple(figures), "points": tuple(missing.values())})


def _next_floor(state: State) -> Iterator[Forecast]:
    """`VP-15`: the columns that are missing below the next floor."""
    n, least = on_level(state.columns, state.top), supports(state)
    if has_floor_left(state) and n < least:
        values: dict[str, Value] = {"floor": f"floor {state.top + 1}", "n": n, "least": least}
        yield shortage_forecast("VP-15", "short", values, (Fact((level_cell(state.top),), {"columns": n}),))


def _no_column(state: State) -> Iterator[Forecast]:
    """`VP-10`: the players who have no column to move up."""
    none = tuple(name_of(state, player) for player in range(len(state.players)) if not own_columns(state, player))
    if none:
        yield shortage_forecast("VP-10", "none", {"colours": none, "n": len(none)})
