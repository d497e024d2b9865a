"""Fief: the pope's powers (`FI-95`)."""

from __future__ import annotations

from rules.fief.marriages import end_marriage
from rules.fief.moves import Absolve, Annul, Excommunicate, Move
from rules.fief.state import State
from rules.fief.style import style
from rules.kernel import Fact, Facts


def is_there(state: State, move: Move) -> Facts | None:
    """`FI-95`: there is a pope."""
    return Facts("no_pope") if state.pope is None else None


def may_excommunicate(state: State, move: Excommunicate) -> Facts | None:
    """`FI-95`: one lord per round who is not excommunicated already (reading `excommunications`)."""
    return is_there(state, move) or can_excommunicate(state, move) or _once(state) or _alone(state)


def _once(state: State) -> Facts | None:
    """`FI-95`: one per round, or another when the first one is over."""
    earlier = state.excommunication
    if earlier is None:
        return None
    over = earlier not in state.lords or not state.lords[earlier].excommunicated
    if over and state.readings["excommunications"] == "one_at_a_time":
        return None
    return Facts("again", {"lord": style(state, earlier)}, (Fact((earlier,)),) if earlier in state.lords else ())


def _alone(state: State) -> Facts | None:
    """`FI-95`: nobody while anybody is excommunicated, also since an earlier round."""
    if state.readings["excommunications"] != "one_alone":
        return None
    found = next((name for name, lord in state.lords.items() if lord.excommunicated), None)
    return None if found is None else Facts("alone", {"lord": style(state, found)}, (Fact((found,)),))


def can_excommunicate(state: State, move: Excommunicate) -> Facts | None:
    """`FI-95`: a lord in play who is not excommunicated."""
    if move.lord not in state.lords:
        return Facts("absent", {"lord": move.lord})
    lord = state.lords[move.lord]
    return Facts("already", {"lord": style(state, move.lord)}, (Fact((move.lord,)),)) if lord.excommunicated else None


def excommunicate_lord(state: State, move: Excommunicate) -> State:
    """The state after an excommunication: the titles of bishop and cardinal are lost."""
    name = move.lord
    return state._replace(
        lords={**state.lords, name: state.lords[name]._replace(excommunicated=True)},
        bishops={number: bishop for number, bishop in state.bishops.items() if bishop != name},
        cardinals={cardinal: origin for cardinal, origin in state.cardinals.items() if cardinal != name},
        elected=state.elected - {name},
        excommunication=name,
    )


def may_absolve(state: State, move: Absolve) -> Facts | None:
    """`FI-95`: the pope lifts an excommunication."""
    return is_there(state, move) or can_absolve(state, move)


def can_absolve(state: State, move: Absolve) -> Facts | None:
    """`FI-95`: a lord who is excommunicated."""
    if move.lord not in state.lords:
        return Facts("absent", {"lord": move.lord})
    if state.lords[move.lord].excommunicated:
        return None
    return Facts("not_excommunicated", {"lord": style(state, move.lord)}, (Fact((move.lord,)),))


def lift_excommunication(state: State, move: Absolve) -> State:
    """The state after an excommunication is lifted; lost titles do not come back."""
    return state._replace(lords={**state.lords, move.lord: state.lords[move.lord]._replace(excommunicated=False)})


def may_annul(state: State, move: Annul) -> Facts | None:
    """`FI-95`: the pope annuls a marriage."""
    return is_there(state, move) or can_annul(state, move)


def can_annul(state: State, move: Annul) -> Facts | None:
    """`FI-95`: the two are married to each other."""
    one, other = move.spouses
    if one in state.lords and state.lords[one].spouse == other:
        return None
    known_lords = tuple(name for name in move.spouses if name in state.lords)
    values = {"lord": style(state, one), "other": style(state, other)}
    return Facts("not_married", values, (Fact(known_lords),) if known_lords else ())


def annul_marriage(state: State, move: Annul) -> State:
    """The state after a marriage is annulled."""
    return end_marriage(state, move.spouses[0])
