"""Fief: all that an unknown fact can be, as far as effects are told of it, which name lords and villages.

A ruling needs one of each sort only (`contents`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import Any, Final

from rules.fief.unknowns.contents import MOST, OF_THE_TURN, Asked, free_fiefs, incomes_between
from rules.fief.unknowns.doubts import Doubt
from rules.fief.unknowns.filling import DEAD
from rules.fief.unknowns.tree import Question

MAX_SETS: Final = 6
"""Of so many fiefs each set is filled in."""
ENDLESS: Final = frozenset({"murders", "moved", "arrivals", "attacked", "sieges", "castles", "cities", "lords"})
"""What can be more than is gone through."""


def everything(asked: Question, fact: Doubt) -> Iterable[Any] | None:
    """All that a fact can be; None where that is too much."""
    state = asked.state
    if fact.code in ENDLESS:
        return None
    if fact.code == "control":
        return (None, *state.colours)
    if fact.code == "place":
        return state.land.villages
    if fact.code == "fiefs":
        return _sets(free_fiefs(Asked(state, asked.move, fact)))
    if fact.code == "bishop":
        return _sets([number for number in sorted(state.land.bishoprics) if number not in state.bishops])
    if fact.code in ("income", "spent"):
        least, most = incomes_between(Asked(state, asked.move, fact)) if fact.code == "income" else (0, MOST)
        return range(least, most + 1)
    ways = asked.contents(fact)
    return ways if all(way is None or way == DEAD or isinstance(way, str | int) for way in ways) else None


def _sets(each: Sequence[Any]) -> Iterator[Any] | None:
    if len(each) > MAX_SETS:
        return None
    return chain.from_iterable(combinations(each, n) for n in range(len(each) + 1))


def may_stand_for(asked: Question, fact: Doubt, sort: Any, content: Any) -> bool:
    """Whether a content may be of the sort that the rules tell apart; never False where it is."""
    ways = asked.contents(fact)
    if content in ways:
        return bool(sort == content)
    if fact.code == "control":
        return (sort is None) if isinstance(asked.move, OF_THE_TURN) else sort is not None
    if fact.code == "place":
        return bool(sort == ways[-1])
    return bool(sort) == bool(content) if fact.code in ("fiefs", "bishop") else True
