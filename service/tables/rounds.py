"""The rounds of a game: the round in which each entry of a log was made. A pure fold over the log.

The round after an entry depends only on that entry and those before it, so it is cached for good.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from types import MappingProxyType
from typing import NamedTuple

from rules.kernel import Seat
from rules.steps import is_half_spent, spend
from service.runtime.budget import FOLD_STEPS
from service.tables.entries import Played
from service.tables.table import Table


class Turn(NamedTuple):
    """The state of the rounds after an entry: the current round, and the players of the last and the first turn."""

    round: int
    last: Seat | None
    first: Seat | None


def turn_after(table: Table, number: int, turns: MutableMapping[int, Turn]) -> Turn:
    """The state of the rounds after an entry in the line of play; `turns` has the state of the entry before it."""
    if number not in turns:
        turns[number] = _turn(table, number, turns[table.tips[number - 2]] if number > 1 else None)
    return turns[number]


def _turn(table: Table, number: int, was: Turn | None) -> Turn:
    """The same, from the state of the rounds before it.

    If the game does not define when a round begins, it begins when the turn returns to the first turn's player.
    """
    game, state = table.game, table.states[number - 1]
    seat = game.due(state).seat
    if was is None:
        return Turn(1, seat, seat)
    if game.round_begins is not None:
        begins = game.round_begins(table.states[number - 2], state)
    else:
        begins = was.last not in (None, was.first) and seat == was.first
    return Turn(was.round + begins, seat or was.last, was.first or seat)


def count_rounds(table: Table, turns: Mapping[int, Turn]) -> Mapping[int, Turn]:
    """`turns`, completed for all entries, or for as many as half of a request's budget allows."""
    found = dict(turns)
    for number, tip in enumerate(table.tips, start=1):
        if tip == number and number not in found:
            if is_half_spent():
                break
            spend(FOLD_STEPS)
            turn_after(table, number, found)
    return MappingProxyType(found)


def round_starts(turns: Iterable[Turn]) -> tuple[int, ...]:
    """The first steps of the rounds of a line; `turns` are the states after each step, from the beginning on."""
    rounds = [turn.round for turn in turns]
    begun = (step for step in range(1, len(rounds) - 1) if rounds[step] > rounds[step - 1])
    return (1, *(step + 1 for step in begun))


def rounds_of(table: Table, numbers: Iterable[int], turns: Mapping[int, Turn]) -> Iterator[int]:
    """The rounds in which the entries of these numbers, in order, were entered, even if they were undone since.

    An entry other than a move belongs to the turn and the round in which it was entered. 0 if there is no second round,
    or the round is not known yet.
    """
    several, now = any(turn.round > 1 for turn in turns.values()), -1
    for number in numbers:
        if now < 0 or isinstance(table.entries[number - 1], Played):
            turn = turns.get(table.tips[max(number - 2, 0)])
            now = turn.round if turn is not None and several else 0
        yield now
