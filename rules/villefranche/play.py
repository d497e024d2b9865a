"""Villefranche: the setup, the placement that is due, the result of a placement, and the end of the game.

`apply` trusts: it puts the piece down whatever the rules say. A piece on a site that the rules allow changes the sets
directly; after any other piece (a move that stood), they are read again from the stacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules import forms
from rules.forms import Malformed, chosen_readings
from rules.kernel import Due, Ended, Facts, Seat
from rules.villefranche import legal_moves
from rules.villefranche.legality import supply
from rules.villefranche.moves import BellTower, CornerStorey, House, Move, Nave, NobleStorey, OnTwo, Rampart, Roof
from rules.villefranche.pieces import put
from rules.villefranche.state import COLOURS, RAMPARTS, READINGS, Setup, State, Town

KINDS_DUE: Mapping[str, tuple[type[Move], ...]] = {
    "first_turn": (Rampart,),
    "rampart": (Rampart,),
    "storey_or_house": (CornerStorey, House),
    "storey": (CornerStorey,),
    "storey_or_house_2": (CornerStorey, House),
    "town": (House, Roof, NobleStorey, Nave, BellTower),
}
"""What may be placed -> `VF-1`, `VF-2`, `VF-2`, `VF-3`, `VF-3`, `VF-4`."""
FINISHED_BUILDINGS = 5


def setup(form: Setup) -> State:
    """The empty table."""
    colours = [player.colour for player in form.players]
    if sorted(colours) != sorted(COLOURS):
        raise Malformed("colours", "/players")
    readings = chosen_readings(READINGS, form.readings)
    return State({}, (Town(), Town()), 0, 0, 0, (None, None, None, None), 0, 1, True, readings)


def setup_with_starter(form: Setup, place: int) -> Setup:
    """Black starts: the player who begins gets that colour, so that the two swap names if White would begin."""
    if not place:
        return form
    names = {player.colour: player.name for player in form.players}
    players = (replace(player, name=names[COLOURS[1 - COLOURS.index(player.colour)]]) for player in form.players)
    return replace(form, players=tuple(players))


def seats_of(_: State) -> tuple[Seat, ...]:
    """Always Black and White, Black first."""
    return COLOURS


def stage(state: State) -> str:
    """The stage of play by the board (`VF-1` to `VF-4`), even if the game is over."""
    if state.first_turn:
        return "first_turn"
    if state.enclosed:
        return "town"
    if state.rampart_count < RAMPARTS:
        return "rampart" if state.placement == 1 else "storey_or_house"
    if None in state.corners:
        return "storey" if state.placement == 1 else "storey_or_house_2"
    return "town"


def phase(state: State) -> str:
    """The row of the rulebook: the stage; or `over` once `VF-50` or `VF-51` holds (`VF-52` is heard separately)."""
    return (
        "over" if finished_count(state) >= FINISHED_BUILDINGS or not state.towns[state.player].supply else stage(state)
    )


def finished_count(state: State) -> int:
    """The number of finished churches and noble towers of both players."""
    black, white = state.towns
    towers, churches = black.towers | white.towers, black.churches | white.churches
    return towers.bit_count() + churches.bit_count()


def game_end(state: State) -> Ended | None:
    """The rule that has ended the game: `VF-50`, `VF-51`, `VF-52`, in this order."""
    buildings = finished_count(state)
    if buildings >= FINISHED_BUILDINGS:
        return Ended("VF-50", {"n": buildings})
    colour = {"colour": COLOURS[state.player]}
    if not state.towns[state.player].supply:
        return Ended("VF-51", colour)
    return None if legal_moves.has_move(state, KINDS_DUE[stage(state)]) else Ended("VF-52", colour)


def player_on_move(state: State) -> Seat:
    """Whose placement is due while the game continues."""
    return COLOURS[state.player]


def due(state: State) -> Due:
    """Whose placement is due and of which kinds, or the end."""
    end = game_end(state)
    if end:
        return Due(None, (), "ended", end.values, end)
    code = stage(state)
    kinds = tuple(form.kind for form in KINDS_DUE[code])
    if code == "town":
        code = "town_first" if state.placement == 1 else "town_second"
    colour = player_on_move(state)
    return Due(colour, kinds, code, {"colour": colour})


def turn_of(state: State, seat: Seat) -> State:
    """The same table with a player to begin an ordinary turn."""
    return state._replace(player=COLOURS.index(seat), placement=1, first_turn=False)


def with_readings(state: State, readings: Mapping[str, str]) -> State:
    """The same table with some readings changed."""
    return cut_turn(forms.with_readings(state, readings))


def cut_turn(state: State) -> State:
    """Pass a second placement that is impossible, if the reading `stuck` says that only the turn is cut."""
    if state.placement == 1 or state.partial or state.readings["stuck"] == "ends":
        return state
    end = game_end(state)
    if end is None or end.rule == "VF-50":
        return state
    return state._replace(player=1 - state.player, placement=1)


def cannot_stand(state: State, move: Move) -> Facts | None:
    """Why the log rejects a piece even if all agree: none is in supply, or its cells do not touch."""
    if isinstance(move, OnTwo) and not move.pair:
        return Facts("apart", {"cells": move.cells})
    return supply(state, move)


def apply(state: State, move: Move) -> State:
    """Put the piece on the table and pass the turn on when it was the turn's last placement."""
    after = put(state, move)
    return after if after.placement == 1 else cut_turn(after)
