"""Fief, phase 7: castles and cities that are besieged (`FI-77`)."""

from __future__ import annotations

from rules.fief.data import Colour
from rules.fief.lords import lords_at
from rules.fief.moves import March, Siege
from rules.fief.state import Besieged, State
from rules.kernel import Fact, Facts


def may_besiege(state: State, move: Siege) -> Facts | None:
    """`FI-77`: another player's castle or city where the player has a lord, besieged once (reading `sieges`)."""
    if state.readings["sieges"] == "off":
        return Facts("off")
    return siege_site(state, move)


def siege_site(state: State, move: Siege) -> Facts | None:
    """`FI-77`: the conditions of a siege under every reading."""
    village, player = move.village, state.turn
    evidence = (Fact((village,)),)
    if village not in state.buildings:
        return Facts("no_stronghold", {"village": village}, evidence if village in state.land.fief_of else ())
    if state.control.get(village) in (player, None):
        return Facts("not_foreign", {"village": village}, evidence)
    if not lords_at(state, village, player):
        return Facts("no_lord", {"village": village, "colour": player}, evidence)
    if any(siege.village == village and siege.player == player for siege in state.sieges):
        return Facts("again", {"village": village, "colour": player}, evidence)
    return None


def lay_siege(state: State, move: Siege) -> State:
    """The state after a siege is laid."""
    if state.turn is None:
        return state
    return state._replace(sieges=(*state.sieges, Besieged(state.turn, move.village)))


def lift_sieges(state: State) -> State:
    """The state without the sieges that are over: no besieger is left, or the place is no longer foreign."""
    remaining = tuple(
        siege
        for siege in state.sieges
        if siege.village in state.buildings
        and state.control.get(siege.village) not in (siege.player, None)
        and lords_at(state, siege.village, siege.player)
    )
    return state if len(remaining) == len(state.sieges) else state._replace(sieges=remaining)


def besiegers(state: State, village: str) -> list[Colour]:
    """The players who hold a village's controller inside: they lay siege to it and have a lord there (`FI-77`)."""
    return [
        siege.player for siege in state.sieges if siege.village == village and lords_at(state, village, siege.player)
    ]


def may_leave_siege(state: State, move: March) -> Facts | None:
    """`FI-77`: the controller's lords do not leave a besieged place (reading `sieges`)."""
    start = move.path[0]
    if not state.sieges or state.readings["sieges"] == "off" or state.control.get(start) != state.turn:
        return None
    outside = besiegers(state, start)
    return Facts("besieged", {"village": start, "colour": outside[0]}, (Fact((start,)),)) if outside else None
