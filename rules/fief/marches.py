"""Fief, phase 6: lords on the roads (`FI-60` to `FI-64`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from rules.fief.data import Colour
from rules.fief.moves import March
from rules.fief.state import Arrival, State
from rules.fief.style import style, styles
from rules.kernel import Fact, Facts, counted_facts

STEPS = 2
STEPS_WITH_ARC = 3


# --- how far, and along which roads (FI-3, FI-60) ----------------------------------------------------------------


def own_lords(state: State, move: March) -> Facts | None:
    """`FI-3`: on their own turn, players move their own lords."""
    for name in move.lords:
        lord = state.lords.get(name)
        if lord is not None and lord.player != state.turn:
            return Facts("not_yours", {"lord": style(state, name), "colour": state.turn}, (Fact((name,)),))
    return None


def on_roads(state: State, move: March) -> Facts | None:
    """`FI-60`: all lords are at the start, and each step is a road."""
    start = move.path[0]
    for name in move.lords:
        if name not in state.lords:
            return Facts("absent", {"lord": name})
        if state.lords[name].place != start:
            values = {"lord": style(state, name), "village": start, "place": state.lords[name].place}
            return Facts("elsewhere", values, (Fact((name,)),))
    for number, village in enumerate(move.path[1:]):
        before = move.path[number]
        if village not in state.land.roads.get(before, ()):
            known_villages = tuple(name for name in (before, village) if name in state.land.fief_of)
            return Facts(
                "no_road", {"village": before, "other": village}, (Fact(known_villages),) if known_villages else ()
            )
    return None


def steps_of(state: State, lords: Collection[str]) -> int:
    """The number of villages that lords who set out together may go (`FI-60`)."""
    return STEPS_WITH_ARC if state.arc is not None and state.arc in lords else STEPS


def far_enough(state: State, move: March) -> Facts | None:
    """`FI-60`: two villages, three with d'Arc, and once a round."""
    moved = tuple(name for name in move.lords if name in state.moved)
    if moved:
        return Facts("moved", {"lords": styles(state, moved)}, (Fact(moved),))
    steps, most = len(move.path) - 1, steps_of(state, move.lords)
    return Facts("far", {"n": steps, "most": most}, (Fact(move.path),)) if steps > most else None


def step_count(state: State, move: March) -> Facts:
    """`FI-60`: the number of villages of the path, and the maximum."""
    return counted_facts({"n": len(move.path) - 1, "most": steps_of(state, move.lords)}, (Fact(move.path),))


# --- whose consent (FI-62, FI-63) --------------------------------------------------------------------------------


def leave_to_go_on(state: State, player: str | None, path: tuple[str, ...]) -> Iterator[tuple[str, Colour]]:
    """`FI-62`: the foreign villages where the path goes on, not back, and their controllers, who have to allow it."""
    for number in range(1, len(path) - 1):
        controller = state.control.get(path[number])
        onward = path[number + 1] != path[number - 1]
        if controller is not None and controller != player and onward:
            yield path[number], controller


def leave_to_set_out(state: State, player: str | None, path: tuple[str, ...]) -> Iterator[tuple[str, Colour]]:
    """`FI-63`: the road on which others arrived in this phase, and their players, who have to allow leaving by it.

    Lords who were there before need this consent also after a detour.
    """
    ways_out = {after for before, after in pairwise(path) if before == path[0]}
    for arrival in state.arrivals:
        if arrival.village == path[0] and arrival.road in ways_out and arrival.player != player:
            yield arrival.road, arrival.player


def consents_needed(state: State, player: str | None, path: tuple[str, ...]) -> tuple[Colour, ...]:
    """The players whose consent a path needs, in the order of the players."""
    controllers = {who for _, who in (*leave_to_go_on(state, player, path), *leave_to_set_out(state, player, path))}
    return tuple(colour for colour in state.colours if colour in controllers)


def may_go_on(state: State, move: March) -> Facts | None:
    """`FI-62`: in a foreign village, lords stop, go back, or have the controller's consent."""
    for village, controller in leave_to_go_on(state, state.turn, move.path):
        if controller not in move.consents:
            return Facts("", {"village": village, "colour": controller}, (Fact((village,)),))
    return None


def may_set_out(state: State, move: March) -> Facts | None:
    """`FI-63`: lords leave by a road on which others have just arrived only with their player's consent."""
    start = move.path[0]
    for road, player in leave_to_set_out(state, state.turn, move.path):
        if player not in move.consents:
            return Facts("", {"village": start, "road": road, "colour": player}, (Fact((start, road)),))
    return None


# --- what a move does (FI-61) ------------------------------------------------------------------------------------


def march_lords(state: State, move: March) -> State:
    """The state after lords have moved: every uncontrolled village they entered is the player's."""
    player, end = state.lords[move.lords[0]].player, move.path[-1]
    lords = dict(state.lords)
    for name in move.lords:
        lords[name] = lords[name]._replace(place=end)
    won = {village: player for village in move.path[1:] if village not in state.control}
    after = state._replace(lords=lords, control={**state.control, **won} if won else state.control)
    if state.phase != "movements":
        return after
    arrival = Arrival(player, end, move.path[-2])
    arrivals = state.arrivals if arrival in state.arrivals else (*state.arrivals, arrival)
    return after._replace(moved=state.moved | set(move.lords), arrivals=arrivals)
