"""The line of play: computes the next state from an entry and the state before it.

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
"""The source of a repeated entry in the line of play: a move, which is judged again, or an entry of another type."""
EnterFunction: TypeAlias = Callable[[Mapping[str, Json], State], State]
"""(the JSON of a position, the state before) -> the state of the position at this table. Raises `Unreadable`."""


def state_after(
    game: AnyGame, state: State, entry: AnyEntry, enter: EnterFunction, *, is_trusted: bool = True
) -> State:
    """The state after a stored entry of the line of play; `enter` computes the state of a position.

    Raises `Unreadable` if the entry cannot be read or applied here, or nobody could have entered it: then another
    release wrote it. An entry that `is_trusted` was applied here before.
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
    """A setup with the readings in force in a state."""
    new_setup: Setup = replace(setup, readings={**state.readings})
    return new_setup


def _apply_move(game: AnyGame, state: State, entry: Played, *, is_trusted: bool) -> State:
    move = game.read(entry.notation)
    if is_trusted or game.cannot_stand(state, move) is None:
        return game.apply(state, move)
    raise Unreadable(f"entry {entry.number} is a move that no release enters here")
