"""Fief, phase 5: titles of fiefs, and the castle that becomes the city (`FI-52`)."""

from __future__ import annotations

from rules.fief.lords import castles_of, city_of, controls_all, is_of, lords_at
from rules.fief.moves import BuyTitle, Give
from rules.fief.purchases.castles import count_buildings
from rules.fief.state import CITIES, State
from rules.fief.style import style, title
from rules.kernel import Fact, Facts, Value, counted_facts


def meets_title_conditions(state: State, move: BuyTitle) -> Facts | None:
    """`FI-52`: the player in turn meets the conditions of a purchase."""
    return fulfils(state, move, state.turn)


def city_count(state: State, _move: BuyTitle | Give) -> Facts:
    """`FI-52`: the cities on the board, and their number."""
    return counted_facts({"n": count_buildings(state, "city"), "most": CITIES})


def fulfils(state: State, move: BuyTitle | Give, player: str | None) -> Facts | None:
    """`FI-52`: all villages, a castle that becomes the city, no city yet, and a lord of that player to take it."""
    fief, land = move.fief, state.land
    if fief not in land.fiefs:
        return Facts("no_fief", {"fief": fief})
    city = city_of(state, fief)
    if city is not None:
        return Facts("city", {"fief": title(state, fief), "village": city}, (Fact((city,)),))
    if not is_of(state, move.lord, player):
        return Facts("no_lord", {"lord": style(state, move.lord), "colour": player})
    if not controls_all(state, player, land.fiefs[fief]):
        foreign = tuple(village for village in land.fiefs[fief] if state.control.get(village) != player)
        return Facts("foreign", {"fief": title(state, fief), "colour": player, "villages": foreign}, (Fact(foreign),))
    return _castle_for_it(state, move, player)


def _castle_for_it(state: State, move: BuyTitle | Give, player: str | None) -> Facts | None:
    castles = tuple(castles_of(state, move.fief, player))
    values: dict[str, Value] = {"fief": title(state, move.fief), "castles": castles}
    evidence = (Fact(castles),) if castles else ()
    if not castles:
        return Facts("no_castle", values)
    if move.at is not None and move.at not in castles:
        return Facts("not_there", {**values, "village": move.at}, evidence)
    if move.at is None and len(castles) > 1:
        return Facts("which", values, evidence)
    if count_buildings(state, "city") >= CITIES:
        return Facts("none_left", {"n": CITIES})
    site = move.at or castles[0]
    if state.readings["castle_lord"] == "yes" and not lords_at(state, site, player):
        return Facts("nobody_there", {"village": site, "colour": player}, (Fact((site,)),))
    return None


def city_site(state: State, move: BuyTitle | Give) -> str | None:
    """The village that becomes the city with a title: the one named, or the fief's only castle."""
    land = state.land
    if move.fief not in land.fiefs or city_of(state, move.fief) is not None:
        return None
    if move.at is not None:
        return move.at if move.at in land.fiefs[move.fief] else None
    castles = [village for village in land.fiefs[move.fief] if state.buildings.get(village) == "castle"]
    return castles[0] if len(castles) == 1 else None


def assign_title(state: State, move: BuyTitle | Give) -> State:
    """The state after a lord has got a fief's title; where there was no city, the castle becomes one."""
    site = city_site(state, move)
    buildings = state.buildings if site is None else {**state.buildings, site: "city"}
    return state._replace(titles={**state.titles, move.fief: move.lord}, buildings=buildings)
