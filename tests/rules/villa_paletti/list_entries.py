"""Villa Paletti: the one move of the list that stands for a legal move."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from rules.villa_paletti.columns import Colour, Group
from rules.villa_paletti.moves import Crash, End, Floor, Move, NeutralAbort, Objection
from rules.villa_paletti.play import after_failing, end_by_move
from rules.villa_paletti.state import State, name_of, player_of


def stand_in(state: State, move: Move) -> Move:
    """A collapse by whose hand it was, a player by the first colour, a star only where it tells columns apart."""
    over = end_by_move(state, move)
    if over is not None and not isinstance(move, End):
        if isinstance(move, Crash) and over.by is None:
            return move
        return Crash(None if over.by is None else name_of(state, over.by))
    if isinstance(move, Floor) and move.objection is not None:
        return _listed_floor(state, move, move.objection)
    if isinstance(move, NeutralAbort) and move.challenge is not None:
        by = _first(state, move.challenge.by)
        return replace(move, challenge=replace(move.challenge, by=by))
    return move


def _first(state: State, colour: Colour) -> Colour:
    """The colour that names the player of a colour."""
    player = player_of(state, colour)
    return colour if player is None else name_of(state, player)


def _listed_floor(state: State, move: Floor, tried: Objection) -> Floor:
    taken = tried.taken
    if taken is not None and taken.locked:
        count = after_failing(state, tried).columns.get(Group(taken.colour, taken.shape, taken.level))
        taken = replace(taken, locked=count is None or count.locked < count.n)
    bound = tried.result == "fail" and state.readings["floor_after_failed_objection"] == "not_laid"
    return Floor(move.laid or bound, replace(tried, by=_first(state, tried.by), taken=taken))


def unlisted_move(_: State, move: Any, __: Random) -> Move:
    """The villa falls at the attempt of whoever makes the last one."""
    tried = getattr(move, "objection", None)
    if tried is not None:
        return Floor(objection=replace(tried, result="crash", taken=None))
    shown = getattr(move, "challenge", None)
    if shown is not None:
        return NeutralAbort(move.shape, move.level, move.locked, replace(shown, result="crash"))
    if isinstance(move, Floor):
        return Floor(crash=True)
    made: Move = replace(move, crash=True) if hasattr(move, "crash") else move
    return made
