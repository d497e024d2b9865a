"""Fief: what a move brings about where facts are unknown, as far as every filling has it.

Each part of what is told is told of a state that says which facts it looks at (`changing`). What it looks at is filled
in with all that it can be, and what all of these tell is told. Where that is too much, or a fact can be too many
things, what was told before it was looked at is all that is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias, cast

from rules.effects import ENDED, Points, change_of, effect
from rules.fief.effects import PARTS
from rules.fief.moves import King, Move, Pope
from rules.fief.play import apply
from rules.fief.state import State
from rules.fief.unknowns.changing import Changing
from rules.fief.unknowns.doubts import Doubt
from rules.fief.unknowns.everything import everything, may_stand_for
from rules.fief.unknowns.filling import put
from rules.fief.unknowns.names import said
from rules.fief.unknowns.ranges import bounded
from rules.fief.unknowns.tree import Leaf, Question, question
from rules.fief.unknowns.watched import Unseen
from rules.fief.victory import points, rule_and_winners
from rules.kernel import Cell, Effect, Value, hear
from rules.steps import spend
from rules.unknowns import in_both

MOST: Final = 120
"""So often a part is told at most …"""
IN_ALL: Final = 450
"""… and all parts together; …"""
FOR_OUTCOME: Final = 250
"""… so much of it is kept for the end and the points."""
TRIED: Final = 4
"""Steps to tell a part once."""
MAX_LOOKED: Final = 600
"""So many states are looked through for one in which the move is legal."""
Part: TypeAlias = "Callable[[State, Any, State], Iterable[Effect]]"
Facts: TypeAlias = "Mapping[Cell, Any]"


def _end(before: State, _: Move, after: State) -> Iterator[Effect]:
    """`FI-81`, `FI-82`: who has won, where the game ends (`rules.effects.end_of`)."""
    if after.over and not before.over:
        rule, winners = rule_and_winners(after)
        values: dict[str, Value] = {"colours": winners, "n": len(winners), "winners": winners, "decided_by": rule}
        yield effect(rule, ENDED, values)


def _points(before: State, move: Move, after: State) -> Iterator[Effect]:
    """`FI-80`: whose points are others now."""
    if after.titles is before.titles and not isinstance(move, Pope | King):
        return
    yield from change_of(before.colours, _totals(before), _totals(after))


def _totals(state: State) -> Points:
    return {(colour, "FI-80"): points(state, colour) for colour in state.colours}


OUTCOME: Final = (_end, _points)


def told(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Effect]:
    """The effects of every filling in which the move is legal; none where not all of these are known."""
    asked = question(state, move, unknown)
    if not asked.tree.whole:
        return
    legal = sorted((leaf for leaf in asked.tree.leaves if leaf.verdict.legal), key=_with_strangers)
    left = IN_ALL
    for part in (*PARTS, _end, _points):
        telling = _Telling(asked, legal, part)
        most = left if part in OUTCOME else min(MOST, left - FOR_OUTCOME)
        found = telling.told({}, most) or ()
        left -= telling.made
        yield from (each._replace(facts=said(each.facts, asked.unsure)) for each in found)


def _with_strangers(leaf: Leaf) -> int:
    """Those first in which nobody comes into play who was not entered."""
    return sum(bool(way) for fact, way in leaf.facts.items() if isinstance(fact, Doubt) and fact.code in LORDS)


LORDS: Final = ("lord", "lords")


class _Clash(Exception):
    """Nothing was found in which certain facts are together, and it is not known that there is nothing."""


class _Later:
    """The state after a move, which is made when it is looked at."""

    def __init__(self, make: Callable[[], State]) -> None:
        self._make, self._made = make, cast("State | None", None)

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            self._made = self._make()
        return getattr(self._made, name)


class _Telling:
    """A part of what is told, of all fillings in which the move is legal."""

    def __init__(self, asked: Question, legal: Sequence[Leaf], part: Part) -> None:
        self.asked, self.legal, self.part = asked, legal, part
        self.made = self.looked = 0

    def told(self, facts: Facts, until: int, known: Sequence[Effect] = ()) -> list[Effect] | None:
        """What all fillings with these facts tell, at least what is known already; None where there is none of them."""
        found: list[Effect] = []
        if self.made >= until:
            return [*known]
        self.made += 1
        spend(TRIED)
        try:
            state = self._state(facts)
            if state is None:
                return None
            for each in self._tell(Changing(state, self.asked.index, facts, self.asked.tree.read)):
                found.append(each)  # noqa: PERF402  # those before an `Unseen` stay
        except _Clash:
            return [*known]
        except Unseen as unseen:
            ways = everything(self.asked, unseen.doubt)
            return found if ways is None else self._in_each(facts, unseen.doubt, list(ways), until, found)
        return found

    def _tell(self, before: Changing) -> Iterator[Effect]:
        state, move = cast("State", before), self.asked.move
        after = cast("State", _Later(partial(apply, state, move)))
        for each in self.part(state, move, after):
            yield each._replace(facts=bounded(each.facts))

    def _in_each(
        self, facts: Facts, fact: Doubt, ways: Sequence[Any], until: int, known: list[Effect]
    ) -> list[Effect] | None:
        """What is told whatever a fact is: at least what is known already."""
        found: list[Effect] | None = None
        for number, way in enumerate(ways):
            share = (until - self.made) // (len(ways) - number)
            told = self.told({**facts, fact: way}, self.made + share, known)
            if told is not None:
                found = told if found is None else list(in_both(found, told))
                if len(found) <= len(known):
                    return known
        return found

    def _state(self, facts: Facts) -> State | None:
        """A state with these facts in which the move is legal, whatever else is filled in; None where there is none.

        Raises `_Clash` where it is not known.
        """
        if self.asked.cannot_stand(facts):
            return None
        clash = False
        for leaf in self.legal:
            shared = facts.keys() & leaf.facts.keys()
            if all(may_stand_for(self.asked, cast("Doubt", fact), leaf.facts[fact], facts[fact]) for fact in shared):
                state = put(self.asked.state, {**leaf.facts, **facts})
                self.looked += 1
                if state is None or self.looked > MAX_LOOKED:
                    clash = True
                elif hear(self.asked.row, state, self.asked.move).legal:
                    return state
        if clash:
            raise _Clash
        return None
