"""The course of a game: how a table stood after each entry in play. A pure fold over the log.

What is asked of the rules for an entry depends on it and on those before it, so it is remembered for good.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from rules.kernel import Seat
from rules.ranking import totals
from rules.steps import half_spent, spend
from service.budget import COUNTED
from service.datatypes import State
from service.entries import Played
from service.rulings import others, ruled
from service.table import Table


class Stand(NamedTuple):
    """How a table stood after an entry: the points of each player, and whose turn it was.

    `begins`: a round begins then, where the game itself says so. `readings`: those that mattered to the entry, which is
    that another value would have changed the ruling or what the move brought about.
    """

    totals: Mapping[Seat, int]
    seat: Seat | None
    begins: bool | None
    readings: tuple[str, ...]


@dataclass(frozen=True)
class Course:
    """A game, step by step. Step 0 is the beginning, and step n the nth entry in play.

    `stands` has the steps that were counted: all, or the first of them where that is too much for one request. `rounds`
    are the first steps of the rounds, the first of which begins with step 1.
    """

    numbers: Sequence[int]
    """The number of the entry of each step; 1 for the beginning."""
    stands: tuple[Stand, ...]
    rounds: tuple[int, ...]

    @property
    def last(self) -> int:
        """The last step."""
        return len(self.numbers) - 1

    @property
    def whole(self) -> bool:
        """Whether all steps were counted."""
        return len(self.stands) == len(self.numbers)

    def round_of(self, step: int) -> int:
        """The number of the round in which a step was made."""
        return max(sum(first <= step for first in self.rounds), 1)


def course(table: Table, known: MutableMapping[int, Stand]) -> Course:
    """The course of a game, as far as half of what a request may spend suffices.

    `known` are the entries of this table that were counted before, by their numbers; it takes in those that are now.
    """
    numbers = (1, *table.line)
    stands = tuple(_stands(table, numbers, known))
    return Course(numbers, stands, tuple(_rounds(table, stands)))


def _stands(table: Table, numbers: Sequence[int], known: MutableMapping[int, Stand]) -> Iterator[Stand]:
    for number in numbers:
        if number not in known:
            if half_spent():
                return
            spend(COUNTED)
            known[number] = _stand(table, number)
        yield known[number]


def _stand(table: Table, number: int) -> Stand:
    """How a table stood after the entry of a number, and what of the readings mattered to it."""
    game, state = table.game, table.states[number - 1]
    before = table.states[number - 2] if number > 1 else state
    begins = None if game.round_begins is None else game.round_begins(before, state)
    return Stand(totals(game, state), game.due(state).seat, begins, tuple(_mattered(table, number, before)))


def _mattered(table: Table, number: int, before: State) -> Sequence[str]:
    """The readings of which another value would have changed the ruling on a move, or what it brought about."""
    entry = table.entries[number - 1]
    if not isinstance(entry, Played):
        return ()
    move = table.game.read(entry.notation)
    found = others(table.game, before, move, ruled(table.game, before, move))
    return list(dict.fromkeys(other.key for other in found))


def _rounds(table: Table, stands: Sequence[Stand]) -> Iterator[int]:
    """The first steps of the rounds.

    Where the game does not say when one begins, it is when the turn comes back to the player who had the first one.
    """
    yield 1
    turns = [stand.seat for stand in stands if stand.seat is not None]
    first, turn = turns[0] if turns else None, None
    for step, (before, stand) in enumerate(pairwise(stands), start=1):
        turn = before.seat or turn
        own = table.game.round_begins is not None
        begins = stand.begins if own else turn is not None and turn != first and stand.seat == first
        if begins and step + 1 < len(stands):
            yield step + 1
