"""Fief, phase 5: the income of the round, the prices, and what is left to spend (`FI-50`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.fief.data import RANKS, Colour
from rules.fief.lords import controlled_villages, is_of, queen, sovereign
from rules.fief.moves import BuyCard, BuyCardinal, BuyCastle, BuyTitle, Move
from rules.fief.state import State
from rules.kernel import LEGAL, Facts, Value

OFFICES = {"king": 2, "pope": 2, "queen": 1}


class Income(NamedTuple):
    """A part of a player's income: the villages, or a lord with an office."""

    code: str
    names: tuple[str, ...]
    n: int


def incomes(state: State, player: str) -> list[Income]:
    """`FI-50`: the income of a player in this position, part by part; the regent has the king's, perhaps also the
    queen's (reading `regent_income`).
    """
    villages = tuple(controlled_villages(state, player))
    return [Income("villages", villages, len(villages)), *of_offices(state, player)]


def of_offices(state: State, player: str) -> list[Income]:
    """The incomes of a player from the offices of lords."""
    found = []
    wife = queen(state) if state.king is not None or state.readings["regent_income"] == "both" else None
    for code, name in (("king", sovereign(state)), ("pope", state.pope), ("queen", wife)):
        if name is not None and is_of(state, name, player):
            found.append(Income(code, (name,), OFFICES[code]))
    return found


def income_of(state: State, player: str) -> int:
    """The income of a player in this position."""
    return sum(part.n for part in incomes(state, player))


class Purse(NamedTuple):
    """The income of a player in this round, and what is left of it."""

    income: int
    money_left: int


def purse(state: State, player: Colour) -> Purse:
    """The purse of a player in phase 5; empty in any other."""
    income = state.income.get(player, 0)
    return Purse(income, income - state.spent.get(player, 0))


def price_of(state: State, move: Move) -> int:
    """The price of a purchase."""
    prices = state.land.prices
    if isinstance(move, BuyCastle):
        return prices.castle
    if isinstance(move, BuyCard):
        return prices.card
    if isinstance(move, BuyTitle):
        return title_price(state, move.fief) if move.fief in state.land.fiefs else 0
    return prices.cardinal if isinstance(move, BuyCardinal) else 0


def title_price(state: State, fief: str) -> int:
    """The price of a fief's title, with the city."""
    return prices_of_titles(state)[RANKS[state.land.rank(fief)]]


def prices_of_titles(state: State) -> Mapping[str, int]:
    """The price of a title, with the city, for each rank of fief."""
    prices = state.land.prices
    return {rank: getattr(prices, rank) + prices.city for rank in RANKS.values()}


def can_afford(state: State, move: Move) -> Facts | None:
    """`FI-50`: the price is within what is left of the income; shows what is left then."""
    player = state.turn
    price, (income, left) = price_of(state, move), purse(state, player) if player else Purse(0, 0)
    values: dict[str, Value] = {"colour": player, "price": price, "income": income}
    if price > left:
        return Facts("", {**values, "left": left})
    return Facts(_legal_code(state, move), {**values, "left": left - price}, (), LEGAL)


def _legal_code(state: State, move: Move) -> str:
    """A code of its own for a card that is bought while a king or pope is known: a decision allows that."""
    plain_state = state.plain()
    return "legal_card" if isinstance(move, BuyCard) and (plain_state.king or plain_state.pope) else "legal"


def pay_price(state: State, move: Move) -> State:
    """The state after a purchase is paid. Outside phase 5 nothing is counted."""
    player = state.turn
    if player is None or state.phase != "purchases":
        return state
    return state._replace(spent={**state.spent, player: state.spent.get(player, 0) + price_of(state, move)})
