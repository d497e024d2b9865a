"""Moves without a choice: the move that continues the game, a run of them, and those that were entered together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import takewhile
from typing import Any, Final, NamedTuple

from rules.steps import TooMuch, at_most, spend
from service.runtime.budget import BUDGET
from service.tables.entries import InLine, Played
from service.tables.table import Table
from service.types import AnyGame, Move, State

MAX_AT_ONCE: Final = 12
"""The most moves that are entered together."""


class ForcedMove(NamedTuple):
    """A legal move after which play continues, with the states before and after it."""

    move: Move
    before: State
    after: State


# --- next moves --------------------------------------------------------------------------------------------------


def next_step(game: AnyGame, state: State, legal: Sequence[Move]) -> ForcedMove | None:
    """The legal move that only continues play, or the only move if it has no fields to choose; else None.

    A move that ends the game does not count.
    """
    going = [move for move in legal if move.kind in game.pass_moves]
    only = [move for move in legal[:1] if len(legal) == 1 and not _has_fields(move)]
    return _step(game, state, (going or only)[:1])


def _has_fields(move: Any) -> bool:
    """Whether a move has fields, so that its kind has several moves."""
    return any(member.init for member in fields(move))


def _step(game: AnyGame, state: State, moves: Iterable[Move]) -> ForcedMove | None:
    """The first of these moves; None if there is none or it ends the game."""
    for move in moves:
        after = game.apply(state, move)
        return None if game.due(after).ended else ForcedMove(move, state, after)
    return None


def forced_run(game: AnyGame, state: State, legal: Sequence[Move]) -> tuple[ForcedMove, ...]:
    """The forced moves up to the next choice; empty if a legal move is a choice already.

    Moves that may be entered at any time are no choice: they can be entered before and afterwards, too. The search
    stops after a quarter of a request's budget.
    """
    found: list[ForcedMove] = []
    if not game.pass_moves or any(_is_action(game, move.kind) for move in legal):
        return ()
    with at_most(BUDGET // 4) as effort, suppress(TooMuch):
        found += _steps(game, state)
    spend(effort.steps)
    return tuple(found)


def _steps(game: AnyGame, state: State) -> Iterator[ForcedMove]:
    """The forced moves in order, at most `MAX_AT_ONCE`."""
    others = [kind for kind in game.kinds if _is_action(game, kind)]
    for _ in range(MAX_AT_ONCE):
        step = _step(game, state, game.moves(state, game.pass_moves))
        if step is None:
            return
        yield step
        state = step.after
        if next(iter(game.moves(state, others)), None) is not None:
            return


def _is_action(game: AnyGame, kind: str) -> bool:
    """Whether a kind of move is a player's action, and only possible in its phase."""
    return kind not in game.pass_moves and kind not in game.out_of_turn


# --- entered moves -----------------------------------------------------------------------------------------------


def is_forced_move(table: Table, number: int) -> bool:
    """Whether an entry is a legal move that only continued play."""
    entry = table.entries[number - 1]
    if not isinstance(entry, Played) or entry.stands:
        return False
    return table.game.read(entry.notation).kind in table.game.pass_moves


def count_entered_together(table: Table, numbers: Sequence[int]) -> int:
    """The number of these entries, from the first on, that one request entered to continue play: at least one.

    The entries of a request have one time. Entries of an opening, and repeated ones, count as entered singly.
    """
    first = table.line_entry(numbers[0])
    again = first.at == table.opened_at or first.dispute is not None or table.amendment_of(first.number) is not None
    if again or not is_forced_move(table, first.number):
        return 1
    return 1 + sum(1 for _ in takewhile(lambda number: _is_entered_with(table, first, number), numbers[1:]))


def _is_entered_with(table: Table, first: InLine, number: int) -> bool:
    """Whether an entry continued play in the same request as `first`."""
    entry = table.line_entry(number)
    return (entry.at, entry.by) == (first.at, first.by) and is_forced_move(table, number)


def undo_to(table: Table) -> int | None:
    """The version that undoes the moves that one request entered last to continue play; else `Table.undo_to`."""
    back = table.undo_to
    if back is None or table.crossed_decision(back) is not None:
        return back
    n = count_entered_together(table, table.line[::-1])
    return table.line[-n - 1] if n < len(table.line) else 1


def redo_to(table: Table) -> int | None:
    """The version that redoes the moves that one request entered to continue play; else `Table.redo_to`."""
    forward = table.redo_to
    if not table.redoable_moves:
        return forward
    return table.redoable_moves[count_entered_together(table, table.redoable_moves) - 1]
