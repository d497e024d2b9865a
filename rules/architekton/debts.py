"""Architekton: who may be unable to pay for buildings surrounded now, or by the next tile (`AR-22`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rules.architekton.legal_moves import sites
from rules.architekton.moves import Land
from rules.architekton.settlement import (
    SIDES,
    SurroundedBuilding,
    chips_after_gain,
    find_surrounded,
    mismatch_count,
    price,
)
from rules.architekton.state import COLOURS, State
from rules.architekton.tiles import AROUND, LANDSCAPE, OPPOSITE, Square, landscapes
from rules.forecasts import end_forecast
from rules.kernel import Fact, Forecast, Value

ORDER: Final = ("owes", "loses", "must_match", "together", "must_take", "gap")
"""The codes in the order of their sentences, the most urgent first."""


def payment_forecasts(state: State) -> list[Forecast]:
    """`AR-22`: the payments that are due, and the possible cost of a landscape or a building on one cell."""
    found = (*_debts(state), *_with_a_landscape(state), *_gaps(state))
    return sorted(found, key=lambda forecast: ORDER.index(forecast.facts.code))


def _with_a_landscape(state: State) -> Iterator[Forecast]:
    """The possible cost of one landscape, on each cell where it surrounds a building."""
    for cell in _closing_cells(state):
        closed = {letter: find_surrounded(state, Land(cell, LANDSCAPE[letter])) for letter in LANDSCAPE}
        some = closed[next(iter(LANDSCAPE))]
        yield from _alone(state, cell, some[0].cell) if len(some) == 1 else _together(state, cell, closed)


def _debts(state: State) -> Iterator[Forecast]:
    """The payments left for each player, if they may be too much while an answer is pending."""
    for player, colour in enumerate(COLOURS):
        claims = [claim for claim in state.pending if state.houses[claim.cell] == player]
        cost, chips = sum(price(state, claim) for claim in claims), state.chips[player]
        if cost > chips:
            least = cost - sum(claim.answer is None for claim in claims)
            values: dict[str, Value] = {"colour": colour, "cost": cost, "least": least, "chips": chips}
            evidence = [Fact((each.cell,), {"differ": mismatch_count(state.tiles, each.cell)}) for each in claims]
            yield end_forecast("AR-22", "owes", values, evidence, soon=True)


def _closing_cells(state: State) -> list[Square]:
    """The free cells where a landscape surrounds a building with a house, from west to east."""
    found: set[Square] = set()
    for cell in state.houses:
        open_cells = [near for near in AROUND[cell] if len(state.tiles.get(near, "")) != 1]
        if len(open_cells) == 1 and open_cells[0] not in state.tiles:
            found.update(open_cells)
    return sorted(found)


def _alone(state: State, free: Square, cell: Square) -> Iterator[Forecast]:
    """A building that lacks one landscape, if its owner could not pay for another one than the building shows there,
    or only if the house is taken back.
    """
    sides, owner = state.tiles[cell], state.houses[cell]
    chips, side = state.chips[owner], sides[OPPOSITE[AROUND[free].index(cell)]]
    differ = mismatch_count(state.tiles, cell) - 1
    if differ >= chips:
        code = ("must_take", "must_match")[differ - chips] if differ <= chips + 1 else "loses"
        values: dict[str, Value] = {"colour": COLOURS[owner], "sides": landscapes(sides), "chips": chips}
        values |= {"differ": differ, "landscape": LANDSCAPE[side]}
        yield end_forecast("AR-22", code, values, (Fact((cell,), {"differ": differ}), Fact((free,))), soon=True)


def _together(state: State, free: Square, closed: dict[str, list[SurroundedBuilding]]) -> Iterator[Forecast]:
    """The players who may not be able to pay for all that one landscape surrounds; with the dearest landscape."""
    for player, colour in enumerate(COLOURS):
        over = {letter: _cost(each, player) - _chips(state, each)[player] for letter, each in closed.items()}
        letter = max(over, key=over.__getitem__)
        if over[letter] > 0:
            values: dict[str, Value] = {"colour": colour, "landscape": LANDSCAPE[letter], "chips": state.chips[player]}
            values["differ"] = _cost(closed[letter], player)
            own = [Fact((each.cell,), {"differ": each.differ}) for each in closed[letter] if each.owner == player]
            yield end_forecast("AR-22", "together", values, (*own, Fact((free,))), soon=True)


def _cost(closed: Sequence[SurroundedBuilding], player: int) -> int:
    """The chips that a player pays for these buildings if the player removes no house."""
    return sum(each.differ for each in closed if each.owner == player)


def _chips(state: State, closed: Sequence[SurroundedBuilding]) -> tuple[int, int]:
    """The chips after the gains, which come first (`AR-23`)."""
    chips = state.chips
    for each in closed:
        if not each.differ:
            chips = chips_after_gain(chips, each.owner, limited=state.readings["pool"] == "limited")
    return chips


def _gaps(state: State) -> Iterator[Forecast]:
    """The cells with landscapes all around: a building there is settled at once, and one matching side is enough to
    lay it (`AR-12`).
    """
    poor = tuple(colour for colour, chips in zip(COLOURS, state.chips, strict=True) if chips < SIDES - 1)
    if not poor:
        return
    for cell, facing in sites(state)[0].items():
        if "" not in facing:
            values: dict[str, Value] = {"colours": poor, "sides": landscapes("".join(facing))}
            yield end_forecast("AR-22", "gap", values, (Fact((cell,)),), soon=True)
