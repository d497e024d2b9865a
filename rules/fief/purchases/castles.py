"""Fief, phase 5: castles (`FI-51`)."""

from __future__ import annotations

from rules.fief.lords import lords_at
from rules.fief.moves import BuyCastle
from rules.fief.purchases.purse import pay_price
from rules.fief.state import CASTLES, Building, State
from rules.kernel import Fact, Facts, counted_facts


def count_buildings(state: State, building: Building) -> int:
    """The number of castles, or cities, on the table."""
    return sum(each == building for each in state.buildings.values())


def castle_site(state: State, move: BuyCastle) -> Facts | None:
    """`FI-51`: a plain village of one's own, a castle left, and under `castle_lord` a lord there."""
    village, player = move.village, state.turn
    evidence = (Fact((village,)),)
    if village not in state.land.fief_of:
        return Facts("nowhere", {"village": village})
    if village in state.buildings:
        return Facts(f"built_{state.buildings[village]}", {"village": village}, evidence)
    if state.control.get(village) != player:
        return Facts("foreign", {"village": village, "colour": player}, evidence)
    if count_buildings(state, "castle") >= CASTLES:
        return Facts("none_left", {"n": CASTLES})
    if state.readings["castle_lord"] == "yes" and not lords_at(state, village, player):
        return Facts("no_lord", {"village": village, "colour": player}, evidence)
    return None


def castle_count(state: State, _move: BuyCastle) -> Facts:
    """`FI-51`: the castles on the board, and their number."""
    return counted_facts({"n": count_buildings(state, "castle"), "most": CASTLES})


def build_castle(state: State, move: BuyCastle) -> State:
    """The state after a castle is bought."""
    return pay_price(state, move)._replace(buildings={**state.buildings, move.village: "castle"})
