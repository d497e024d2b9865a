"""Villa Paletti: the list of legal moves, and those nearest to a refused one.

The list has each result once. A collapse is the ``crash`` of the hand that caused it, a player of two colours has the
first. A locked column has the star only if an equal one beside it is not locked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import product, zip_longest

from rules.kernel import Cell
from rules.villa_paletti.columns import Colour
from rules.villa_paletti.moves import (
    Abort,
    Challenge,
    Column,
    Crash,
    Done,
    End,
    Floor,
    Move,
    Neutral,
    NeutralAbort,
    Objection,
    Taken,
)
from rules.villa_paletti.notation import write
from rules.villa_paletti.play import after_failing, end_by_move
from rules.villa_paletti.state import State, name_of, player_of
from rules.villa_paletti.villa import objection_groups, own_columns, spare_neutral_groups

# --- the list ----------------------------------------------------------------------------------------------------


def _columns(state: State) -> Iterator[Move]:
    return (Column(*group) for group in own_columns(state, state.player))


def _aborts(state: State) -> Iterator[Move]:
    return (Abort(*group) for group in own_columns(state, state.player))


def _neutrals(state: State) -> Iterator[Move]:
    return (Neutral(group.shape, group.level) for group in spare_neutral_groups(state))


def _neutral_aborts(state: State) -> Iterator[Move]:
    """Each neutral attempt put back: unchallenged, and challenged by each other player with each column to give."""
    groups = spare_neutral_groups(state)
    for group in groups:
        yield NeutralAbort(group.shape, group.level)
        for by, other in product(others(state), groups):
            yield NeutralAbort(group.shape, group.level, False, Challenge(by, other.shape, other.level, "ok"))
            yield NeutralAbort(group.shape, group.level, False, Challenge(by, other.shape, other.level, "fail"))


def _floors(state: State) -> Iterator[Move]:
    """A floor laid or given up, unopposed or after each objection that fails; and each objection that works."""
    yield Floor()
    yield Floor(laid=False)
    bound = state.readings["floor_after_failed_objection"] == "not_laid"
    for by, group in product(others(state), objection_groups(state)):
        objection = Objection(by, *group, "fail")
        yield Floor(objection=Objection(by, *group, "ok"))
        for taken in _losses(after_failing(state, objection), by):
            failed = Objection(by, *group, "fail", taken=taken)
            yield Floor(objection=failed)
            if not bound:
                yield Floor(laid=False, objection=failed)


def _losses(state: State, by: Colour) -> Iterator[Taken | None]:
    """The columns that the asker may take from an objector: none, or any column in the villa."""
    yield None
    colours = state.players[player_of(state, by) or 0]
    for group, count in sorted(state.columns.items()):
        if group.colour in colours:
            yield Taken(*group)
            if 0 < count.locked < count.n:
                yield Taken(*group, locked=True)


def _crashes(state: State) -> Iterator[Move]:
    return (Crash(by) for by in (*(colours[0] for colours in state.players), None))


def collapses(state: State) -> Iterator[Move]:
    """The villa falls at an objection or a challenge (`VP-16`): at each possible attempt of another player."""
    for by, group in product(others(state), objection_groups(state)):
        yield Floor(objection=Objection(by, *group, "crash"))
    groups = spare_neutral_groups(state)
    for group, by, other in product(groups, others(state), groups):
        yield NeutralAbort(group.shape, group.level, False, Challenge(by, other.shape, other.level, "crash"))


def others(state: State) -> list[Colour]:
    """The other players, starting with the next one."""
    number = len(state.players)
    return [name_of(state, (state.player + step) % number) for step in range(1, number)]


CANDIDATES: Mapping[type[Move], Callable[[State], Iterable[Move]]] = {
    Column: _columns,
    Abort: _aborts,
    Floor: _floors,
    Neutral: _neutrals,
    NeutralAbort: _neutral_aborts,
    Done: lambda _: (Done(),),
    Crash: _crashes,
    End: lambda _: (End(),),
}
"""Candidate moves, which include all moves of the list; the rulebook decides."""

# --- the cells of a move, and near moves ------------------------------------------------------------------------


def cells_of(move: Move) -> tuple[Cell, ...]:
    """The groups that a move names."""
    if isinstance(move, Column | Abort | Neutral):
        return (move.cell,)
    if isinstance(move, NeutralAbort):
        challenge = move.challenge
        challenge_cells = () if challenge is None else (f"n {challenge.shape} {challenge.level}",)
        return tuple(dict.fromkeys((move.cell, *challenge_cells)))
    if isinstance(move, Floor) and move.objection is not None:
        columns = (move.objection, move.objection.taken)
        return tuple(dict.fromkeys(f"{each.colour} {each.shape} {each.level}" for each in columns if each is not None))
    return ()


def move_distance(other: Move, move: Move) -> tuple[int, int]:
    """The number of words in which two moves differ; a star counts least."""
    pairs = list(zip_longest(write(other).split(), write(move).split(), fillvalue=""))
    alike = sum(one.strip("*") == wish.strip("*") for one, wish in pairs)
    return sum(one != wish for one, wish in pairs), -alike


def with_same_collapse(state: State, move: Move) -> Callable[[Move], Move | None]:
    """A function that turns a legal move into one with the collapse of `move`, so that a collapse stays one."""
    return partial(_with_collapse, fallen=_collapse_of(state, move))


def _collapse_of(state: State, move: Move) -> str:
    """The attempt at which a move brings the villa down: ``own``, ``other``; or empty."""
    if isinstance(move, Done | Crash | End):
        return ""
    over = end_by_move(state, move)
    return "" if over is None else "own" if over.asker is None else "other"


def _with_collapse(move: Move, fallen: str) -> Move | None:
    """A legal move with a collapse, if it can have one."""
    if not fallen or isinstance(move, Done | Crash | End):
        return move
    if fallen == "own":
        if isinstance(move, Floor):
            return Floor(crash=True)
        return None if isinstance(move, NeutralAbort) and move.challenge else replace(move, crash=True)
    if isinstance(move, Floor) and move.objection and move.objection.result == "ok":
        return replace(move, objection=replace(move.objection, result="crash"))
    if isinstance(move, NeutralAbort) and move.challenge and move.challenge.result == "ok":
        return replace(move, challenge=replace(move.challenge, result="crash"))
    return None
