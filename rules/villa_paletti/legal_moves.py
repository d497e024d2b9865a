"""Villa Paletti: the list of legal moves, and what is nearest to a refused one.

The list names each result once: a line in which the villa falls by the ``crash`` of whose hand it was, a player of
two colours by the first, a locked column by the star only where a like one beside it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from itertools import zip_longest

from rules.kernel import Cell
from rules.villa_paletti.columns import Colour
from rules.villa_paletti.notation import write
from rules.villa_paletti.play import ended, ending, phase
from rules.villa_paletti.state import (
    Abort,
    Challenge,
    Column,
    Crash,
    End,
    Floor,
    Move,
    Neutral,
    NeutralAbort,
    Objection,
    State,
    Taken,
    name_of,
    player_of,
)
from rules.villa_paletti.villa import floor_left, giving, on_level, own_columns, supports

# --- the list ----------------------------------------------------------------------------------------------------


def moves(state: State, kinds: Sequence[str] | None = None) -> Iterator[Move]:
    """The legal moves, of some kinds only where kinds are named."""
    if ended(state) is not None:
        return
    for kind, listed in LISTS.items():
        if kinds is None or kind in kinds:
            yield from listed(state)


def _columns(state: State) -> Iterator[Move]:
    if phase(state) != "neutral":
        yield from (Column(*group) for group in own_columns(state, state.player))


def _aborts(state: State) -> Iterator[Move]:
    if phase(state) != "neutral":
        yield from (Abort(*group) for group in own_columns(state, state.player))


def _neutrals(state: State) -> Iterator[Move]:
    if phase(state) == "neutral":
        yield from (Neutral(group.shape, group.level) for group in giving(state))


def _neutral_aborts(state: State) -> Iterator[Move]:
    """Each neutral attempt put back: unchallenged, and challenged by each other player with each column to give."""
    if phase(state) != "neutral":
        return
    groups = giving(state)
    for group in groups:
        yield NeutralAbort(group.shape, group.level)
        for by in _others(state):
            for shown in groups:
                yield NeutralAbort(group.shape, group.level, False, Challenge(by, shown.shape, shown.level, "ok"))
                yield NeutralAbort(group.shape, group.level, False, Challenge(by, shown.shape, shown.level, "fail"))


def _floors(state: State) -> Iterator[Move]:
    """A floor laid or given up, unopposed or after each objection that fails; and each objection that works."""
    if state.own or not floor_left(state):
        return
    standing, least = on_level(state.columns, state.top), supports(state)
    if standing >= least:
        yield Floor()
    yield Floor(laid=False)
    bound = state.readings["floor_after_failed_objection"] == "not_laid"
    tried = own_columns(state, state.player)
    for by in _others(state) if tried else ():
        losses = [(taken, standing - (taken is not None and taken.level == state.top)) for taken in _losses(state, by)]
        for group in tried:
            yield Floor(objection=Objection(by, *group, "ok"))
            for taken, left in losses:
                failed = Objection(by, *group, "fail", taken=taken)
                if bound or left >= least:
                    yield Floor(objection=failed)
                if not bound:
                    yield Floor(laid=False, objection=failed)


def _losses(state: State, by: Colour) -> Iterator[Taken | None]:
    """What the asker may take of an objector's: nothing, or any column in the villa."""
    yield None
    colours = state.players[player_of(state, by) or 0]
    for group, count in sorted(state.columns.items()):
        if group.colour in colours:
            yield Taken(*group)
            if 0 < count.locked < count.n:
                yield Taken(*group, locked=True)


def _crashes(state: State) -> Iterator[Move]:
    yield from (Crash(colours[0]) for colours in state.players)
    yield Crash()


def _ends(_: State) -> Iterator[Move]:
    yield End()


def _others(state: State) -> list[Colour]:
    """The other players, from the next one on."""
    number = len(state.players)
    return [name_of(state, (state.player + step) % number) for step in range(1, number)]


LISTS: Mapping[str, Callable[[State], Iterator[Move]]] = {
    Column.kind: _columns,
    Abort.kind: _aborts,
    Floor.kind: _floors,
    Neutral.kind: _neutrals,
    NeutralAbort.kind: _neutral_aborts,
    Crash.kind: _crashes,
    End.kind: _ends,
}


# --- the cells of a move, and what is near ----------------------------------------------------------------------


def cells_of(move: Move) -> tuple[Cell, ...]:
    """The groups that a move names."""
    if isinstance(move, Column | Abort | Neutral):
        return (move.cell,)
    if isinstance(move, NeutralAbort):
        tried = move.challenge
        shown = () if tried is None else (f"n {tried.shape} {tried.level}",)
        return tuple(dict.fromkeys((move.cell, *shown)))
    if isinstance(move, Floor) and move.objection is not None:
        named = (move.objection, move.objection.taken)
        return tuple(dict.fromkeys(f"{each.colour} {each.shape} {each.level}" for each in named if each is not None))
    return ()


def nearest(state: State, move: Move) -> tuple[Move, ...]:
    """The three legal moves of the same kind that differ in the fewest words, a star least; a collapse stays one."""
    fallen = _fallen(state, move)
    listed = (_falling(other, fallen) for other in moves(state, (move.kind,)))
    wanted = write(move)

    def far(other: Move) -> tuple[int, int]:
        pairs = list(zip_longest(write(other).split(), wanted.split(), fillvalue=""))
        alike = sum(one.strip("*") == wish.strip("*") for one, wish in pairs)
        return sum(one != wish for one, wish in pairs), -alike

    return tuple(nsmallest(3, dict.fromkeys(other for other in listed if other is not None), key=far))


def _fallen(state: State, move: Move) -> str:
    """At whose attempt a move brings the villa down: ``own``, ``other``; or nothing."""
    if isinstance(move, Crash | End):
        return ""
    over = ending(state, move)
    return "" if over is None else "own" if over.asker is None else "other"


def _falling(move: Move, fallen: str) -> Move | None:
    """A legal move as one at which the villa falls, if it can be one."""
    if not fallen or isinstance(move, Crash | End):
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
