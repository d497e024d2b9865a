"""Fief, phase 7: the players who can be in the two camps of an attack (`FI-70`)."""

from __future__ import annotations

from rules.fief.data import Colour
from rules.fief.lords import lords_at, of_church, players_after
from rules.fief.moves import Attack
from rules.fief.state import State
from rules.kernel import Fact, Facts


def fighters(state: State, village: str, player: str) -> list[str]:
    """The lords of a player who can attack at a village: those without a church title."""
    return [name for name in lords_at(state, village, player) if of_church(state, name) is None]


def can_attack(state: State, village: str) -> list[Colour]:
    """The players who can be in the attacking camp at a village."""
    return [player for player in state.colours if fighters(state, village, player)]


def can_still_attack(state: State, village: str) -> bool:
    """Whether a player there can lead an attack at a village in this round, as far as turns and `FI-70` go."""
    if state.phase != "combats":
        return True
    players = players_after(state) if village in state.attacked else (state.turn, *players_after(state))
    return any(player in players for player in can_attack(state, village))


def can_be_attacked(state: State, village: str) -> list[Colour]:
    """The players who are present at a village, also by the army of a dead lord, or control it."""
    present: set[Colour | None] = {lord.player for lord in state.lords.values() if lord.place == village}
    present |= {army.player for army in state.armies if army.place == village}
    present.add(state.control.get(village))
    return [player for player in state.colours if player in present]


def player_leads_attack(state: State, move: Attack) -> Facts | None:
    """`FI-3`: the player in turn leads the attack."""
    leader = move.attackers[0]
    return None if leader == state.turn else Facts("leader", {"colour": leader, "turn": state.turn})


def may_attack(state: State, move: Attack) -> Facts | None:
    """`FI-70`: attackers have a lord without a church title there; enemies are there or control the place."""
    village = move.village
    evidence = (Fact((village,)),)
    if village not in state.land.fief_of:
        return Facts("nowhere", {"village": village})
    if village in state.attacked:
        return Facts("again", {"village": village, "colour": state.turn}, evidence)
    for player in move.attackers:
        if not fighters(state, village, player):
            return Facts("no_fighter", {"village": village, "colour": player}, evidence)
    possible = can_be_attacked(state, village)
    for player in move.enemies:
        if player in move.attackers:
            return Facts("both", {"colour": player}, evidence)
        if player not in possible:
            return Facts("no_enemy", {"village": village, "colour": player}, evidence)
    return None
