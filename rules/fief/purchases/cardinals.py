"""Fief, phase 5: cardinals, by the title that is for sale or by a card (`FI-53`, `FI-54`)."""

from __future__ import annotations

from rules.fief.data import Colour
from rules.fief.lords import is_man, of_church
from rules.fief.moves import BuyCardinal, CardinalMove, Move
from rules.fief.purchases.purse import pay_price
from rules.fief.state import CARDINAL_CARDS, Origin, State
from rules.fief.style import style
from rules.kernel import Fact, Facts, counted_facts


def may_be_cardinal(state: State, move: CardinalMove) -> Facts | None:
    """`FI-53`: a fit lord of the player (reading `cardinal`), with the pope's consent if it is needed."""
    name = move.lord
    code = _unfit_cardinal(state, name)
    if code:
        return Facts(code, {"lord": style(state, name), "colour": state.turn}, (Fact((name,)),))
    if isinstance(move, BuyCardinal) and "title" in state.cardinals.values():
        holder = next(each for each, origin in state.cardinals.items() if origin == "title")
        return Facts("sold", {"lord": style(state, holder)}, (Fact((holder,)),))
    player = consenting_player(state, type(move))
    if state.pope is None or player in (None, move.consent):
        return None
    return Facts("consent", {"lord": style(state, state.pope), "colour": player}, (Fact((state.pope,)),))


def consenting_player(state: State, form: type[CardinalMove]) -> Colour | None:
    """The pope's player, whose consent another player needs (`FI-53`); for the title on sale, a reading decides."""
    if state.pope is None or (form is BuyCardinal and state.readings["cardinal_consent"] == "cards"):
        return None
    player = state.lords[state.pope].player
    return None if player == state.turn else player


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


def card_available(state: State, move: Move) -> Facts | None:
    """`FI-54`: there are three cardinal's cards."""
    holders = _by_card(state)
    return Facts("cardinals", {"n": CARDINAL_CARDS}, (Fact(holders),)) if len(holders) >= CARDINAL_CARDS else None


def card_count(state: State, _move: Move) -> Facts:
    """`FI-54`: the cardinals by a card, and the number of cards."""
    holders = _by_card(state)
    return counted_facts({"n": len(holders), "most": CARDINAL_CARDS}, (Fact(holders),) if holders else ())


def _by_card(state: State) -> tuple[str, ...]:
    return tuple(name for name, origin in state.cardinals.items() if origin == "card")


def make_cardinal(state: State, move: CardinalMove) -> State:
    """The state after a lord has become a cardinal."""
    origin: Origin = "title" if isinstance(move, BuyCardinal) else "card"
    return pay_price(state, move)._replace(cardinals={**state.cardinals, move.lord: origin})
