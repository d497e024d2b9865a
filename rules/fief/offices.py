"""Fief: who gets an office by an election (`FI-23`, `FI-31`, `FI-42`), and the crown."""

from __future__ import annotations

from rules.fief.elections.voting import election_winner
from rules.fief.state import State
from rules.fief.votes import Bishop, King, Pope


def elect_bishop(state: State, move: Bishop) -> State:
    """The state after the election of a bishop; bishoprics only go upward."""
    state = state._replace(held=max(state.held, move.bishopric))
    best = election_winner(state, move)
    if best is None:
        return state
    return state._replace(bishops={**state.bishops, move.bishopric: best}, elected=state.elected | {best})


def elect_pope(state: State, move: Pope) -> State:
    """The state after the election of the pope."""
    return state._replace(held=1, pope=election_winner(state, move) or state.pope)


def elect_king(state: State, move: King) -> State:
    """The state after the election of the king, which ends a regency (`FI-94`)."""
    best = election_winner(state, move)
    return crown_king(state._replace(held=1), best) if best is not None else state._replace(held=1)


def crown_king(state: State, name: str) -> State:
    """The state with a new king, who is no longer a prince."""
    return state._replace(king=name, regent=None, princes=tuple(prince for prince in state.princes if prince != name))
