"""The line of play: makes the next state from an entry and the state before it.

Most of these entries are moves. A new type of entry needs a case in `state_after`, a form in `service.tables.codec`,
and a place in `service.tables.entries.InLine`. History, undo, redo and remedies treat it like a move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from rules.forms import Malformed, chosen_readings
from service.judgements import AttemptedMove
from service.tables.entries import AnyEntry, Checkpoint, Played, ReadingsSet, Unreadable
from service.types import AnyGame, Json, Setup, State

Repeatable: TypeAlias = AttemptedMove | ReadingsSet | Checkpoint
"""What makes an entry of the line of play anew: a move, which is judged again, or an entry of another type."""
EnterFunction: TypeAlias = Callable[[Mapping[str, Json], State], State]
"""(the JSON of a position, the state before) -> the state of the position at this table. Raises `Unreadable`."""


def state_after(
    game: AnyGame, state: State, entry: AnyEntry, enter: EnterFunction, *, is_trusted: bool = True
) -> State:
    """The state after an entry of the line of play that was written down; `enter` makes one of a position.

    Raises `Unreadable`. Whoever wrote it down had made it: where it cannot be read or made here, or nobody could have
    entered it, that was another release. A `is_trusted` one was made here before.
    """
    try:
        match entry:
            case Played():
                return _apply_move(game, state, entry, is_trusted=is_trusted)
            case ReadingsSet():
                chosen_readings(game.readings, entry.readings)
                return game.with_readings(state, entry.readings)
            case Checkpoint():
                return enter(entry.position, state)
    except Malformed as error:
        raise Unreadable(f"entry {entry.number} was made by another release") from error
    raise Unreadable(f"entry {entry.number} makes no state")


def setup_with_readings(setup: Any, state: State) -> Setup:
    """A setup with the readings that are in force by now."""
    new_setup: Setup = replace(setup, readings={**state.readings})
    return new_setup


def _apply_move(game: AnyGame, state: State, entry: Played, *, is_trusted: bool) -> State:
    move = game.read(entry.notation)
    if is_trusted or game.cannot_stand(state, move) is None:
        return game.apply(state, move)
    raise Unreadable(f"entry {entry.number} is a move that no release enters here")
