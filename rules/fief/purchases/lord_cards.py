"""Fief, phase 5: the cards of lords and of d'Arc (`FI-54`)."""

from __future__ import annotations

from rules.fief.lords import controlled_villages, is_man, is_of, queen
from rules.fief.moves import PlayArc, PlayLord
from rules.fief.state import Lord, Rank, State
from rules.fief.style import style
from rules.kernel import Fact, Facts, Value


def may_enter(state: State, move: PlayLord) -> Facts | None:
    """`FI-54`: a lord whose card can be drawn, at a village of one's own, perhaps as the queen's son."""
    code = _undrawn(state, move.lord)
    if code:
        return Facts(code, {"lord": style(state, move.lord)})
    places = entries(state, state.turn)
    if move.village not in places:
        values: dict[str, Value] = {"village": move.village, "colour": state.turn}
        is_village = move.village in state.land.fief_of
        own = state.control.get(move.village) == state.turn
        return Facts("stronghold" if own else "foreign", values, (Fact((move.village,)),) if is_village else ())
    if not move.dauphin:
        return None
    if not is_man(state, move.lord):
        return Facts("princess", {"lord": move.lord})
    mother = queen(state)
    return None if mother and is_of(state, mother, state.turn) else Facts("no_queen", {"colour": state.turn})


def _undrawn(state: State, name: str) -> str:
    """The reason why a lord's card cannot be played."""
    if not state.land.is_lord(name):
        return "unknown"
    if name in state.lords:
        return "in_play"
    return "dead" if name in state.dead and state.readings["dead_lords"] == "gone" else ""


def entries(state: State, player: str | None) -> list[str]:
    """The villages where a player's new lord may come into play (reading `lord_entry`)."""
    found = controlled_villages(state, player)
    strong = [village for village in found if village in state.buildings]
    return strong if strong and state.readings["lord_entry"] == "stronghold" else found


def bring_in_lord(state: State, move: PlayLord) -> State:
    """The state after a lord of the player in turn has come into play."""
    name, player = move.lord, state.turn
    if player is None:
        return state
    princes = (*state.princes, name) if move.dauphin else state.princes
    rank = Rank(int(is_man(state, name)), fiefs=())
    ranks = {**state.ranks, name: rank} if state.phase in ("movements", "combats") else {}
    lords = {**state.lords, name: Lord(player, move.village)}
    return state._replace(lords=lords, dead=state.dead - {name}, princes=princes, ranks=ranks)


def may_be_arc(state: State, move: PlayArc) -> Facts | None:
    """`FI-54`: a player puts d'Arc's card on an unmarried woman of their own, once."""
    name = move.lord
    if state.arc is not None or state.arc_gone:
        return Facts("arc_gone", {}, (Fact((state.arc,)),) if state.arc else ())
    if not is_of(state, name, state.turn):
        return Facts("arc_not_yours", {"lord": style(state, name), "colour": state.turn})
    if is_man(state, name):
        return Facts("arc_man", {"lord": style(state, name)}, (Fact((name,)),))
    return Facts("arc_married", {"lord": style(state, name)}, (Fact((name,)),)) if state.lords[name].spouse else None


def play_arc_card(state: State, move: PlayArc) -> State:
    """The state after d'Arc's card is laid on a woman."""
    return state._replace(arc=move.lord)
