"""Architekton: surrounded buildings, their gains and costs, and who can pay (`AR-20` to `AR-25`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rules.architekton.box import CHIPS
from rules.architekton.moves import Building, Lay
from rules.architekton.state import Claim, State
from rules.architekton.tiles import AROUND, OPPOSITE, Square

SIDES = 4


class SurroundedBuilding(NamedTuple):
    """A building that a tile surrounds."""

    cell: Square
    owner: int
    differ: int
    """The number of its sides that differ from the landscapes."""


def mismatch_count(tiles: Mapping[Square, str], cell: Square) -> int:
    """The number of sides of a building that differ from the landscapes around it."""
    return sum([tiles.get(near) != side for near, side in zip(AROUND[cell], tiles[cell], strict=True)])


def is_surrounded(tiles: Mapping[Square, str], cell: Square) -> bool:
    """Whether landscapes lie on all four sides of a cell."""
    return all(len(tiles.get(near, "")) == 1 for near in AROUND[cell])


def find_surrounded(state: State, move: Lay) -> list[SurroundedBuilding]:
    """The buildings that a tile settles if it lies there, with the mover's house on a building (`AR-20`).

    From the north clockwise.
    """
    tiles, houses, laid = state.tiles, state.houses, move.cell
    if isinstance(move, Building):
        differ = _mismatches(tiles, laid, move.sides)
        return [] if differ is None else [SurroundedBuilding(laid, state.player, differ)]
    found = []
    for side, cell in enumerate(AROUND[laid]):
        if cell in houses:
            differ = _mismatches(tiles, cell, tiles[cell], OPPOSITE[side], move.tile)
            if differ is not None:
                found.append(SurroundedBuilding(cell, houses[cell], differ))
    return found


def _mismatches(
    tiles: Mapping[Square, str], cell: Square, sides: str, laid: int | None = None, letter: str = ""
) -> int | None:
    """The number of sides of a building that differ from the landscapes around it; None if one is missing.

    `laid`: the side where a landscape is laid now, whose `letter` counts.
    """
    differ = 0
    for number, near in enumerate(AROUND[cell]):
        if number == laid:
            tile = letter
        elif near not in tiles or len(tile := tiles[near]) > 1:
            return None
        if tile != sides[number]:
            differ += 1
    return differ


def in_listed_order(closed: Sequence[SurroundedBuilding], order: tuple[Square, ...]) -> list[SurroundedBuilding]:
    """The buildings as the player lists them; those that are not listed (a move that stood) come last (`AR-23`)."""
    if not order:
        return list(closed)
    listed = [building for cell in dict.fromkeys(order) for building in closed if building.cell == cell]
    return listed + [building for building in closed if building.cell not in order]


def chips_after_gain(chips: tuple[int, int], owner: int, *, limited: bool) -> tuple[int, int]:
    """The chips after a gain; with the reading `limited` an empty pool has none to give (`AR-24`)."""
    if limited and sum(chips) >= CHIPS:
        return chips
    return add_to_pair(chips, owner, 1)


def add_to_pair(pair: tuple[int, int], player: int, number: int) -> tuple[int, int]:
    """A pair of numbers with `number` added to a player's."""
    return (pair[0] + number, pair[1]) if player == 0 else (pair[0], pair[1] + number)


def settle(state: State, closed: Sequence[SurroundedBuilding], move: Lay) -> State:
    """Give the gains, then collect the answered payments (`AR-23`, `AR-25`).

    The move answers the mover's own payments; without an answer the house stays.
    """
    chips = state.chips
    claims = []
    limited = state.readings["pool"] == "limited"
    for building in in_listed_order(closed, move.order):
        if not building.differ:
            chips = chips_after_gain(chips, building.owner, limited=limited)
        elif building.owner != state.player:
            claims.append(Claim(building.cell))
        else:
            taken = building.cell in move.take and building.cell not in move.keep
            claims.append(Claim(building.cell, "take" if taken else "keep"))
    return collect(state, chips, tuple(claims))


def collect(state: State, chips: tuple[int, int], pending: tuple[Claim, ...]) -> State:
    """Collect the answered payments, up to the first that is not answered or cannot be paid (`AR-21`, `AR-22`)."""
    tiles, houses, building_count, supply, _, starts, player, laid, *_ = state
    houses = dict(houses)
    while pending and pending[0].answer is not None:
        claim = pending[0]
        owner = houses[claim.cell]
        cost = price(state, claim)
        if chips[owner] < cost:
            break
        chips = add_to_pair(chips, owner, -cost)
        if claim.answer == "take":
            del houses[claim.cell]
            supply = add_to_pair(supply, owner, 1)
        pending = pending[1:]
    return State(tiles, houses, building_count, supply, chips, starts, player, laid, pending, *state[9:])


def price(state: State, claim: Claim) -> int:
    """The price for a building after the choice (`AR-21`)."""
    return mismatch_count(state.tiles, claim.cell) - (claim.answer == "take")


def unpaid_claim(state: State) -> Claim | None:
    """The payment that its owner could not make, which has ended the game (`AR-22`)."""
    return state.pending[0] if state.pending and state.pending[0].answer is not None else None
