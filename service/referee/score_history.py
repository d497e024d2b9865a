"""The score of a table after each entry in play. A pure fold over the log.

The score after an entry depends only on that entry and those before it, so it is cached for good.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import NamedTuple

from rules.kernel import Seat
from rules.ranking import totals
from rules.records import dataclass
from rules.steps import is_half_spent, spend
from service.rulings.other_readings import decisive_alternatives, trace_ruling
from service.runtime.budget import SCORE_STEPS
from service.tables.entries import Played
from service.tables.rounds import Turn, round_starts, turn_after
from service.tables.table import Table
from service.types import State


class ScoreAfter(NamedTuple):
    """The score after an entry: the points of each player.

    `readings`: those that mattered to the entry: another value would have changed the ruling or the move's effects.
    """

    totals: Mapping[Seat, int]
    readings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreCache:
    """The computed scores of a table, by the numbers of the entries."""

    scores: Mapping[int, ScoreAfter] = field(default_factory=lambda: MappingProxyType({}))
    turns: Mapping[int, Turn] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class ScoreHistory:
    """A game, step by step. Step 0 is the beginning, and step n the nth entry in play.

    `scores` has the counted steps: all, or only the first ones if all are too much for one request. `rounds` are the
    first steps of the rounds, the first of which begins with step 1.
    """

    numbers: Sequence[int]
    """The number of the entry of each step; 1 for the beginning."""
    scores: tuple[ScoreAfter, ...]
    rounds: tuple[int, ...]

    @property
    def last_step(self) -> int:
        """The last step."""
        return len(self.numbers) - 1

    @property
    def is_complete(self) -> bool:
        """Whether all steps were counted."""
        return len(self.scores) == len(self.numbers)

    def round_of(self, step: int) -> int:
        """The number of the round in which a step was made."""
        return max(bisect_right(self.rounds, step), 1)


def build_history(table: Table, cache: ScoreCache) -> tuple[ScoreHistory, ScoreCache]:
    """Compute the score history, as far as half of the request's budget allows.

    `cache` has the scores of this table that were computed before; the returned cache also has the new ones.
    """
    numbers = (1, *table.line)
    known_stands, known_turns = dict(cache.scores), dict(cache.turns)
    stands = tuple(_count_scores(table, numbers, known_stands, known_turns))
    turns = [turn_after(table, number, known_turns) for number in numbers[: len(stands)]]
    history = ScoreHistory(numbers, stands, round_starts(turns))
    return history, ScoreCache(MappingProxyType(known_stands), MappingProxyType(known_turns))


def _count_scores(
    table: Table, numbers: Sequence[int], stands: dict[int, ScoreAfter], turns: dict[int, Turn]
) -> Iterator[ScoreAfter]:
    for number in numbers:
        if number not in stands:
            if is_half_spent():
                return
            spend(SCORE_STEPS)
            turn_after(table, number, turns)
            stands[number] = _score_at(table, number)
        yield stands[number]


def _score_at(table: Table, number: int) -> ScoreAfter:
    """The score after the entry of a number, and the readings that mattered to it."""
    state = table.states[number - 1]
    before = table.states[number - 2] if number > 1 else state
    return ScoreAfter(totals(table.game, state), tuple(_relevant_readings(table, number, before)))


def _relevant_readings(table: Table, number: int, before: State) -> Sequence[str]:
    """The readings whose other values would have changed the ruling on a move, or its effects."""
    entry = table.entries[number - 1]
    if not isinstance(entry, Played):
        return ()
    move = table.game.read(entry.notation)
    found = decisive_alternatives(table.game, before, move, trace_ruling(table.game, before, move))
    return list(dict.fromkeys(other.key for other in found))
