"""Fief, at any time: murders and justice (`FI-90`)."""

from __future__ import annotations

from rules.fief.deaths.dying import die_by_a_card
from rules.fief.lords import lords_of
from rules.fief.moves import Assassin, Justice, Move
from rules.fief.state import State
from rules.fief.style import style
from rules.kernel import Fact, Facts


def may_murder(state: State, move: Assassin) -> Facts | None:
    """`FI-90`: a lord in play dies; another one is the instigator, who is named or not (`assassin_instigator`)."""
    if move.lord not in state.lords:
        return Facts("absent", {"lord": move.lord})
    hidden = state.readings["assassin_instigator"] == "hidden"
    if move.by is not None:
        if hidden:
            return Facts("hidden", {"lord": style(state, move.by)})
        if move.by not in state.lords:
            return Facts("absent", {"lord": move.by})
        return Facts("himself", {"lord": style(state, move.by)}, (Fact((move.by,)),)) if move.by == move.lord else None
    if not hidden:
        return Facts("named", {"colour": move.player})
    others = [name for name in lords_of(state, move.player) if name != move.lord]
    return None if others else Facts("nobody", {"colour": move.player, "lord": style(state, move.lord)})


def commit_murder(state: State, move: Assassin) -> State:
    """The state after a murder: the instigator is marked, or the player has an open murder."""
    if move.by is not None:
        marked = state.lords[move.by]._replace(marked=True)
        state = state._replace(lords={**state.lords, move.by: marked})
    elif move.player is not None:
        murders = {**state.murders, move.player: state.murders.get(move.player, 0) + 1}
        state = state._replace(murders=murders)
    return die_by_a_card(state, move.lord)


def may_be_judged(state: State, move: Justice) -> Facts | None:
    """`FI-90`: a marked lord; if instigators stay hidden, any lord of a player with an open murder."""
    lord = state.lords.get(move.lord)
    if lord is None:
        return Facts("absent", {"lord": move.lord})
    if state.readings["assassin_instigator"] == "hidden":
        innocent = not state.murders.get(lord.player)
        return Facts("no_murder", {"colour": lord.player}, (Fact((move.lord,)),)) if innocent else None
    return None if lord.marked else Facts("unmarked", {"lord": style(state, move.lord)}, (Fact((move.lord,)),))


def do_justice(state: State, move: Justice) -> State:
    """The state after justice is done; the player's murder is no longer open."""
    player = state.lords[move.lord].player
    if state.readings["assassin_instigator"] == "hidden" and state.murders.get(player):
        left = {**state.murders, player: state.murders[player] - 1}
        state = state._replace(murders={each: number for each, number in left.items() if number})
    return die_by_a_card(state, move.lord)


def is_written_differently(other: State, move: Move, key: str) -> bool:
    """Whether a murder is written with a lord here and with a player there; whose justice is done then, nobody knows
    who has not played so from the murder on.
    """
    if key != "assassin_instigator":
        return False
    hidden = other.readings[key] == "hidden"
    return isinstance(move, Justice) or (isinstance(move, Assassin) and hidden is not (move.by is None))
