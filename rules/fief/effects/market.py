"""Fief, phase 5: the effects of purchases, cards, gifts and exchanges (`FI-50` to `FI-57`)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.effects import effect
from rules.fief.effects.sentence_values import evidence_of
from rules.fief.elections.vacancies import MIN_CARDINALS
from rules.fief.lords import city_of
from rules.fief.moves import BuyCard, BuyCastle, BuyTitle, CardinalMove, Cede, Give, Move, PlayArc, PlayLord
from rules.fief.purchases.castles import count_buildings
from rules.fief.purchases.gifts import is_grant
from rules.fief.purchases.purse import price_of, prices_of_titles, purse
from rules.fief.state import CARDINAL_CARDS, CASTLES, CITIES, State
from rules.fief.style import style, title
from rules.kernel import Effect, Value

# --- what is paid (FI-50) ----------------------------------------------------------------------------------------


def _payment(before: State, move: Move, after: State) -> Iterator[Effect]:
    """`FI-50`: the price, the money that is left, and what it can still buy."""
    if after.spent is before.spent or before.turn is None:
        return
    price, (income, left) = price_of(before, move), purse(after, before.turn)
    values: dict[str, Value] = {"colour": before.turn, "price": price, "income": income, "left": left}
    yield effect("FI-50", "paid" if left >= 0 else "overdrawn", {**values, "over": max(-left, 0)})
    goods = tuple(_goods(after, left))
    if goods:
        yield effect("FI-50", "buys", {"left": left, "goods": goods})


def _goods(state: State, left: int) -> Iterator[str]:
    """The things that can still be bought for an amount."""
    prices = state.land.prices
    found = {
        "good_card": (prices.card, True),
        "good_castle": (prices.castle, count_buildings(state, "castle") < CASTLES),
    }
    found["good_cardinal"] = (prices.cardinal, "title" not in state.cardinals.values())
    cities = count_buildings(state, "city") < CITIES
    found |= {f"good_{rank}": (price, cities) for rank, price in prices_of_titles(state).items()}
    return (good for good, (price, there) in found.items() if there and price <= left)


def card(before: State, move: BuyCard, after: State) -> Iterator[Effect]:
    """`FI-50`: the price of a card."""
    return _payment(before, move, after)


def castle(before: State, move: BuyCastle, after: State) -> Iterator[Effect]:
    """`FI-51`: the castle, the number of tiles that are left, and the price."""
    yield effect(
        "FI-51",
        "",
        {"village": move.village, "n": CASTLES - count_buildings(after, "castle")},
        evidence_of(move.village),
    )
    yield from _payment(before, move, after)


# --- titles (FI-52, FI-55, FI-56) --------------------------------------------------------------------------------


def title_purchase(before: State, move: BuyTitle, after: State) -> Iterator[Effect]:
    """`FI-52`: the new holder of the title, the castle that becomes the city, and the price."""
    yield from _title_transfer(before, move, after, "FI-52")
    yield from _payment(before, move, after)


def gift(before: State, move: Give, after: State) -> Iterator[Effect]:
    """`FI-55`, `FI-56`: the new and the former holder of the title, and the controller of the city."""
    holder = before.titles.get(move.fief)
    family = holder is not None and holder not in (before.king, before.regent)
    yield from _title_transfer(before, move, after, "FI-56" if family else "FI-55")
    city, player = city_of(after, move.fief), after.lords[move.lord].player
    if is_grant(before, move) or city is None or after.control.get(city) is None:
        return
    owner, values = after.control[city], {"village": city, "colour": after.control[city]}
    if owner != before.control.get(city):
        yield effect("FI-55", "with_city", values, evidence_of(city))
    elif owner != player:
        yield effect("FI-55", "title_only", values, evidence_of(city))


def _title_transfer(before: State, move: BuyTitle | Give, after: State, rule: str) -> Iterator[Effect]:
    """The new holder of the title, who loses it, and the castle that becomes the city."""
    title_name, holder = title(after, move.fief), before.titles.get(move.fief)
    if holder != move.lord:
        yield effect(rule, "title", {"lord": style(before, move.lord), "title": title_name}, evidence_of(move.lord))
        if holder is not None:
            yield effect(rule, "loses", {"lord": holder, "title": title_name}, evidence_of(holder))
    city = city_of(after, move.fief)
    if city is not None and city != city_of(before, move.fief):
        yield effect(
            "FI-52", "city", {"village": city, "n": CITIES - count_buildings(after, "city")}, evidence_of(city)
        )


# --- cards (FI-53, FI-54) ----------------------------------------------------------------------------------------


def cardinal(before: State, move: CardinalMove, after: State) -> Iterator[Effect]:
    """`FI-53`: the new cardinal, an election of a pope that becomes possible, and what is left to buy or to draw."""
    origin, n = after.cardinals[move.lord], len(after.cardinals)
    left = CARDINAL_CARDS - sum(each == "card" for each in after.cardinals.values())
    yield effect("FI-53", origin, {"lord": style(before, move.lord), "n": left}, evidence_of(move.lord))
    if after.pope is None and len(before.cardinals) < MIN_CARDINALS <= n:
        yield effect("FI-30", "ahead", {"n": n}, evidence_of(*after.cardinals))
    yield from _payment(before, move, after)


def lord(before: State, move: PlayLord, after: State) -> Iterator[Effect]:
    """`FI-54`: the lord who comes into play, and the place in the line of crown princes."""
    if move.lord in before.lords or move.lord not in after.lords:
        return
    values: dict[str, Value] = {"lord": move.lord, "village": move.village, "colour": after.lords[move.lord].player}
    yield effect("FI-54", "enters", values, evidence_of(move.village))
    if move.dauphin:
        code = "dauphin" if len(after.princes) == 1 else "prince"
        yield effect("FI-54", code, {"lord": move.lord, "n": len(after.princes)}, evidence_of(move.lord))


def arc(before: State, move: PlayArc, after: State) -> Iterator[Effect]:
    """`FI-54`: the lord who bears d'Arc's card."""
    yield effect("FI-54", "arc", {"lord": style(before, move.lord)}, evidence_of(move.lord))


# --- exchanges (FI-57) -------------------------------------------------------------------------------------------


def cession(before: State, move: Cede, after: State) -> Iterator[Effect]:
    """`FI-57`: the village that changes hands, and a siege of it that continues."""
    village, was = move.village, before.control.get(move.village)
    if was == move.player:
        return
    code = "from" if was is not None else "free"
    yield effect("FI-57", code, {"village": village, "colour": move.player, "was": was}, evidence_of(village))
    for each in after.sieges:
        if each.village == village:
            yield effect("FI-77", "goes_on", {"village": village, "colour": each.player, "whose": move.player})
