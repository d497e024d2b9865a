"""Fief, phase 5: what a player can buy, and the cards that are played (`FI-50` to `FI-54`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.fief.data import RANKS, Colour
from rules.fief.lords import castles_of, city_of, controls_all, is_man, is_of, of_church, queen, sovereign, there
from rules.fief.moves import BuyCard, BuyCardinal, BuyCastle, BuyTitle, CardinalMove, Give, Move, PlayArc, PlayLord
from rules.fief.state import CARDINAL_CARDS, CASTLES, CITIES, Building, Lord, Origin, Rank, State
from rules.fief.style import style
from rules.kernel import Fact, Facts, Ruling, Value

# --- the purse (FI-50) -------------------------------------------------------------------------------------------

OFFICES = {"king": 2, "pope": 2, "queen": 1}


class Income(NamedTuple):
    """A part of a player's income: the villages, or a lord with an office."""

    code: str
    names: tuple[str, ...]
    n: int


def incomes(state: State, player: str) -> list[Income]:
    """`FI-50`: the income of a player as the table stands, part by part; the regent has the king's."""
    villages = tuple(village for village in state.land.villages if state.control.get(village) == player)
    found = [Income("villages", villages, len(villages))]
    wife = queen(state) if state.king is not None else None
    for code, name in (("king", sovereign(state)), ("pope", state.pope), ("queen", wife)):
        if name is not None and is_of(state, name, player):
            found.append(Income(code, (name,), OFFICES[code]))
    return found


def income_of(state: State, player: str) -> int:
    """The income of a player as the table stands."""
    return sum(part.n for part in incomes(state, player))


class Purse(NamedTuple):
    """The income of a player in this round, and what is left of it."""

    income: int
    left: int


def purse(state: State, player: Colour) -> Purse:
    """The purse of a player in phase 5; empty in any other."""
    income = state.income.get(player, 0)
    return Purse(income, income - state.spent.get(player, 0))


def price_of(state: State, move: Move) -> int:
    """What a purchase costs."""
    prices = state.land.prices
    if isinstance(move, BuyCastle):
        return prices.castle
    if isinstance(move, BuyCard):
        return prices.card
    if isinstance(move, BuyTitle):
        return title_price(state, move.fief) if move.fief in state.land.fiefs else 0
    return prices.cardinal if isinstance(move, BuyCardinal) else 0


def title_price(state: State, fief: str) -> int:
    """What a fief's title costs, with the city."""
    prices = state.land.prices
    by_rank: Mapping[str, int] = {"baron": prices.baron, "count": prices.count, "duke": prices.duke}
    return by_rank[RANKS[state.land.rank(fief)]] + prices.city


def affordable(state: State, move: Move) -> Facts | None:
    """`FI-50`: the price is within what is left of the income; shows what is left then."""
    player = state.turn
    price, (income, left) = price_of(state, move), purse(state, player) if player else Purse(0, 0)
    values: dict[str, Value] = {"colour": player, "price": price, "income": income}
    if price > left:
        return Facts("", {**values, "left": left})
    return Facts("legal", {**values, "left": left - price}, (), Ruling.LEGAL)


def paid(state: State, move: Move) -> State:
    """The table after a purchase is paid. Outside phase 5 nothing is counted."""
    player = state.turn
    if player is None or state.phase != "purchases":
        return state
    return state._replace(spent={**state.spent, player: state.spent.get(player, 0) + price_of(state, move)})


# --- castles (FI-51) ---------------------------------------------------------------------------------------------


def standing(state: State, building: Building) -> int:
    """How many castles, or cities, are on the table."""
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
    if standing(state, "castle") >= CASTLES:
        return Facts("none_left", {"n": CASTLES})
    if state.readings["castle_lord"] == "yes" and not there(state, village, player):
        return Facts("no_lord", {"village": village, "colour": player}, evidence)
    return None


def castle_built(state: State, move: BuyCastle) -> State:
    """The table after a castle is bought."""
    return paid(state, move)._replace(buildings={**state.buildings, move.village: "castle"})


# --- titles of fiefs (FI-52) -------------------------------------------------------------------------------------


def title_fulfilled(state: State, move: BuyTitle) -> Facts | None:
    """`FI-52`: what a purchase asks for, of the player in turn."""
    return fulfils(state, move, state.turn)


def fulfils(state: State, move: BuyTitle | Give, player: str | None) -> Facts | None:
    """`FI-52`: all villages, a castle that becomes the city, no city yet, and a lord of that player to take it."""
    fief, land = move.fief, state.land
    if fief not in land.fiefs:
        return Facts("no_fief", {"fief": fief})
    city = city_of(state, fief)
    if city is not None:
        return Facts("city", {"fief": fief, "village": city}, (Fact((city,)),))
    if not is_of(state, move.lord, player):
        return Facts("no_lord", {"lord": style(state, move.lord), "colour": player})
    if not controls_all(state, player, land.fiefs[fief]):
        foreign = tuple(village for village in land.fiefs[fief] if state.control.get(village) != player)
        return Facts("foreign", {"fief": fief, "colour": player, "villages": foreign}, (Fact(foreign),))
    return _castle_for_it(state, move, player)


def _castle_for_it(state: State, move: BuyTitle | Give, player: str | None) -> Facts | None:
    castles = tuple(castles_of(state, move.fief, player))
    values: dict[str, Value] = {"fief": move.fief, "castles": castles}
    evidence = (Fact(castles),) if castles else ()
    if not castles:
        return Facts("no_castle", values)
    if move.at is not None and move.at not in castles:
        return Facts("not_there", {**values, "village": move.at}, evidence)
    if move.at is None and len(castles) > 1:
        return Facts("which", values, evidence)
    if standing(state, "city") >= CITIES:
        return Facts("none_left", {"n": CITIES})
    site = move.at or castles[0]
    if state.readings["castle_lord"] == "yes" and not there(state, site, player):
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


def entitled(state: State, move: BuyTitle | Give) -> State:
    """The table after a lord has got a fief's title; where there was no city, the castle becomes one."""
    site = city_site(state, move)
    buildings = state.buildings if site is None else {**state.buildings, site: "city"}
    return state._replace(titles={**state.titles, move.fief: move.lord}, buildings=buildings)


# --- cardinals (FI-53, FI-54) ------------------------------------------------------------------------------------


def may_be_cardinal(state: State, move: CardinalMove) -> Facts | None:
    """`FI-53`: a lord of the player, fit for it (reading `cardinal`), and with the pope's consent."""
    name = move.lord
    code = _unfit_cardinal(state, name)
    if code:
        return Facts(code, {"lord": style(state, name), "colour": state.turn}, (Fact((name,)),))
    if isinstance(move, BuyCardinal) and "title" in state.cardinals.values():
        holder = next(each for each, origin in state.cardinals.items() if origin == "title")
        return Facts("sold", {"lord": style(state, holder)}, (Fact((holder,)),))
    if state.pope is None:
        return None
    asked = state.lords[state.pope].player
    if asked in (state.turn, move.consent):
        return None
    return Facts("consent", {"lord": style(state, state.pope), "colour": asked}, (Fact((state.pope,)),))


def _unfit_cardinal(state: State, name: str) -> str:
    lord = state.lords.get(name)
    if lord is None or lord.player != state.turn:
        return "absent" if lord is None else "not_yours"
    if of_church(state, name) in ("cardinal", "pope"):
        return "already"
    if lord.excommunicated:
        return "excommunicated"
    if state.readings["cardinal"] == "bishop":
        return "" if name in state.bishops.values() else "not_bishop"
    if not is_man(state, name):
        return "woman"
    return "married" if lord.spouse is not None else ""


def card_left(state: State, move: Move) -> Facts | None:
    """`FI-54`: there are three cardinal's cards."""
    holders = tuple(name for name, origin in state.cardinals.items() if origin == "card")
    return Facts("cardinals", {"n": CARDINAL_CARDS}, (Fact(holders),)) if len(holders) >= CARDINAL_CARDS else None


def made_cardinal(state: State, move: CardinalMove) -> State:
    """The table after a lord has become a cardinal."""
    origin: Origin = "title" if isinstance(move, BuyCardinal) else "card"
    return paid(state, move)._replace(cardinals={**state.cardinals, move.lord: origin})


# --- lords and d'Arc (FI-54) -------------------------------------------------------------------------------------


def may_enter(state: State, move: PlayLord) -> Facts | None:
    """`FI-54`: a lord whose card can be drawn, at a village of one's own, perhaps as the queen's son."""
    code = _undrawn(state, move.lord)
    if code:
        return Facts(code, {"lord": style(state, move.lord)})
    places = entries(state, state.turn)
    if move.village not in places:
        values: dict[str, Value] = {"village": move.village, "colour": state.turn}
        known = move.village in state.land.fief_of
        own = state.control.get(move.village) == state.turn
        return Facts("stronghold" if own else "foreign", values, (Fact((move.village,)),) if known else ())
    if not move.dauphin:
        return None
    if not is_man(state, move.lord):
        return Facts("princess", {"lord": move.lord})
    mother = queen(state)
    return None if mother and is_of(state, mother, state.turn) else Facts("no_queen", {"colour": state.turn})


def _undrawn(state: State, name: str) -> str:
    """Why a lord's card cannot be played."""
    if not state.land.is_lord(name):
        return "unknown"
    if name in state.lords:
        return "in_play"
    return "dead" if name in state.dead and state.readings["dead_lords"] == "gone" else ""


def entries(state: State, player: str | None) -> list[str]:
    """The villages where a player's new lord may come into play (reading `lord_entry`)."""
    found = [village for village in state.land.villages if state.control.get(village) == player]
    strong = [village for village in found if village in state.buildings]
    return strong if strong and state.readings["lord_entry"] == "stronghold" else found


def entered(state: State, move: PlayLord, player: Colour) -> State:
    """The table after a lord has come into play."""
    name = move.lord
    princes = (*state.princes, name) if move.dauphin else state.princes
    ranks = {**state.ranks, name: Rank(int(is_man(state, name)))} if state.phase in ("movements", "combats") else {}
    lords = {**state.lords, name: Lord(player, move.village)}
    return state._replace(lords=lords, dead=state.dead - {name}, princes=princes, ranks=ranks)


def may_be_arc(state: State, move: PlayArc) -> Facts | None:
    """`FI-54`: d'Arc's card goes on an unmarried woman of one's own, once."""
    name = move.lord
    if state.arc is not None or state.arc_gone:
        return Facts("arc_gone", {}, (Fact((state.arc,)),) if state.arc else ())
    if not is_of(state, name, state.turn):
        return Facts("arc_not_yours", {"lord": style(state, name), "colour": state.turn})
    if is_man(state, name):
        return Facts("arc_man", {"lord": style(state, name)}, (Fact((name,)),))
    return Facts("arc_married", {"lord": style(state, name)}, (Fact((name,)),)) if state.lords[name].spouse else None


def made_arc(state: State, move: PlayArc) -> State:
    """The table after d'Arc's card is laid on a woman."""
    return state._replace(arc=move.lord)
