"""Fief: who inherits: the fiefs (`FI-92`, `FI-93`) and the crown (`FI-94`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.fief.lords import fiefs_of, is_of, lords_of, of_church, queen
from rules.fief.moves import Inherit, Move
from rules.fief.offices import crown_king
from rules.fief.state import Estate, State
from rules.fief.style import style, titles
from rules.kernel import Fact, Facts, Value

# --- the crown (FI-94) -------------------------------------------------------------------------------------------


def pass_on_crown(before: State, after: State, dead: Sequence[str]) -> State:
    """`FI-94`: a dead king's eldest living crown prince becomes king, else his widow becomes regent.

    A prince with a church title is passed over, or not (reading `churchman_prince`).
    """
    if before.king is None or before.king not in dead:
        return after
    any_prince = after.readings["churchman_prince"] == "king"
    heir = next((prince for prince in after.princes if any_prince or of_church(after, prince) is None), None)
    if heir is not None:
        return crown_king(after, heir)
    widow = queen(before)
    return after._replace(regent=widow) if widow in after.lords else after


# --- the fiefs (FI-92, FI-93) ------------------------------------------------------------------------------------


def pass_on_estate(before: State, after: State, name: str) -> State:
    """`FI-92`, `FI-93`: fiefs go to the player's only lord, or wait for the heir to be named; else to the widow or
    widower, else to the king.
    """
    fiefs = tuple(fiefs_of(before, name))
    if not fiefs:
        return after
    player, spouse = before.lords[name].player, before.lords[name].spouse
    heirs = lords_of(after, player)
    if len(heirs) > 1:
        return after._replace(estates=(*after.estates, Estate(name, player, fiefs)))
    if heirs:
        return inherit_fiefs(after, name, heirs[0], fiefs)
    return inherit_fiefs(after, name, spouse, fiefs) if spouse in after.lords else after


def inherit_fiefs(state: State, dead: str, heir: str | None, fiefs: Sequence[str]) -> State:
    """The state after fiefs were inherited; an heir within the family can lead the dead lord's army."""
    if heir is None:
        return state
    player = state.lords[heir].player
    armies = tuple(
        replace(army, heir=heir) if army.lord == dead and army.player == player else army for army in state.armies
    )
    return state._replace(titles={**state.titles, **dict.fromkeys(fiefs, heir)}, armies=armies)


def first_heir(state: State, move: Move) -> Facts:
    """`FI-92`: nothing else happens before the heir is named."""
    return Facts("pending", {"kind": move.kind, **estate(state)})


def estate(state: State) -> dict[str, Value]:
    """The first dead lord whose heir has to be named, and the player, for a sentence."""
    first = state.estates[0]
    return {"dead": first.lord, "colour": first.player, "fiefs": titles(state, first.fiefs)}


def may_inherit(state: State, move: Inherit) -> Facts | None:
    """`FI-92`: the heir of the dead lord in question, among the lords of the same player."""
    first = state.estates[0]
    if move.dead != first.lord:
        return Facts("other", {"lord": move.dead, **estate(state)})
    if is_of(state, move.heir, first.player):
        return None
    evidence = (Fact((move.heir,)),) if move.heir in state.lords else ()
    return Facts("stranger", {"lord": style(state, move.heir), **estate(state)}, evidence)


def name_heir(state: State, move: Inherit) -> State:
    """The state after the heir of a dead lord is named."""
    first, *others = state.estates
    return inherit_fiefs(state._replace(estates=tuple(others)), first.lord, move.heir, first.fiefs)
