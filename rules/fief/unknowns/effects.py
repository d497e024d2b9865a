"""Fief: the effects of a move that are certain although facts are unknown: those that every filling has.

Each part of the effects is worked out on a state that notes which facts the part reads (`ChangingState`). Every
possible content of such a fact is filled in, and the effects that all of them have are certain. Where there are too
many contents, only the effects that were certain before the fact was read remain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import chain, combinations
from typing import Any, Final, NoReturn, TypeAlias, cast

from rules.agreement import effects_in_both
from rules.effects import ENDED, change_of, effect
from rules.fief.effects import PARTS
from rules.fief.moves import Move
from rules.fief.play import apply
from rules.fief.state import CASTLES, CITIES, State
from rules.fief.unknowns.combinations.tree import Leaf, Question, question_for
from rules.fief.unknowns.contents.facts import MOST, FactQuestion, free_fiefs, incomes_between, only_turn_counts
from rules.fief.unknowns.contents.filling import DEAD, put
from rules.fief.unknowns.gaps import Doubt
from rules.fief.unknowns.scope.names import with_bare_names
from rules.fief.unknowns.scope.ranges import Range, with_bounds
from rules.fief.unknowns.scope.watched_state import Index, Lookup, Unseen, WatchedLord, WatchedState
from rules.fief.victory import points_by_player, rule_and_winners
from rules.fief.votes import King, Pope
from rules.kernel import Cell, Effect, Value, hear
from rules.steps import spend

MAX_TOLD: Final = 120
"""The maximum number of tries for a part …"""
IN_ALL: Final = 450
"""… and for all parts together; …"""
FOR_OUTCOME: Final = 250
"""… and the number of these that are reserved for the end and the points."""
PART_STEPS: Final = 4
"""The number of steps for working out a part once."""
MAX_LOOKED: Final = 600
"""The maximum number of states that are searched for one in which the move is legal."""
Part: TypeAlias = "Callable[[State, Any, State], Iterable[Effect]]"
Facts: TypeAlias = "Mapping[Cell, Any]"


def _end(before: State, _: Move, after: State) -> Iterator[Effect]:
    """`FI-81`, `FI-82`: who has won, if the game ends (`rules.effects.end_of`)."""
    if after.over and not before.over:
        rule, winners = rule_and_winners(after)
        values: dict[str, Value] = {"colours": winners, "n": len(winners), "winners": winners, "decided_by": rule}
        yield effect(rule, ENDED, values)


def _points(before: State, move: Move, after: State) -> Iterator[Effect]:
    """`FI-80`: the players whose points have changed."""
    if after.titles is before.titles and not isinstance(move, Pope | King):
        return
    yield from change_of(before.colours, points_by_player(before), points_by_player(after))


OUTCOME: Final = (_end, _points)


def certain_effects(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Effect]:
    """The effects of every filling in which the move is legal; none where not all of these are known."""
    asked = question_for(state, move, unknown)
    if not asked.tree.whole:
        return
    legal = sorted((leaf for leaf in asked.tree.leaves if leaf.verdict.legal), key=_with_strangers)
    left = IN_ALL
    for part in (*PARTS, _end, _points):
        search = _EffectSearch(asked, legal, part)
        most = left if part in OUTCOME else min(MAX_TOLD, left - FOR_OUTCOME)
        found = search.common_effects({}, most) or ()
        left -= search.tries
        yield from (each._replace(facts=with_bare_names(each.facts, asked.unsure_names)) for each in found)


def _with_strangers(leaf: Leaf) -> int:
    """A sorting key: leaves in which no lord comes into play who was not entered are first."""
    return sum(bool(way) for fact, way in leaf.facts.items() if isinstance(fact, Doubt) and fact.code in LORDS)


LORDS: Final = ("lord", "lords")


class _Clash(Exception):
    """The search found no state with certain facts, but did not prove that no such state exists."""


class _Later:
    """The state after a move; the move is made when the state is first looked at."""

    def __init__(self, make: Callable[[], State]) -> None:
        self._make, self._state = make, cast("State | None", None)

    def __getattr__(self, name: str) -> Any:
        if self._state is None:
            self._state = self._make()
        return getattr(self._state, name)


class _EffectSearch:
    """Finds, for one part, the effects that all fillings share in which the move is legal."""

    def __init__(self, question: Question, legal_leaves: Sequence[Leaf], part: Part) -> None:
        self.question, self.legal_leaves, self.part = question, legal_leaves, part
        self.tries = self.states_tried = 0

    def common_effects(self, facts: Facts, until: int, known_effects: Sequence[Effect] = ()) -> list[Effect] | None:
        """The effects that all fillings with these facts share, at least the known ones; None if no filling has these
        facts.
        """
        found: list[Effect] = []
        if self.tries >= until:
            return [*known_effects]
        self.tries += 1
        spend(PART_STEPS)
        try:
            state = self._state(facts)
            if state is None:
                return None
            for each in self._tell(ChangingState(state, self.question.index, facts, self.question.tree.facts_read)):
                found.append(each)  # noqa: PERF402  # those before an `Unseen` stay
        except _Clash:
            return [*known_effects]
        except Unseen as unseen:
            ways = all_contents(self.question, unseen.doubt)
            return found if ways is None else self._in_every_way(facts, unseen.doubt, list(ways), until, found)
        return found

    def _tell(self, before: ChangingState) -> Iterator[Effect]:
        state, move = cast("State", before), self.question.move
        after = cast("State", _Later(partial(apply, state, move)))
        for each in self.part(state, move, after):
            yield each._replace(facts=with_bounds(each.facts))

    def _in_every_way(
        self, facts: Facts, fact: Doubt, ways: Sequence[object], until: int, known_effects: list[Effect]
    ) -> list[Effect] | None:
        """The effects that occur whatever the value of a fact is: at least the known ones."""
        found: list[Effect] | None = None
        for number, way in enumerate(ways):
            share = (until - self.tries) // (len(ways) - number)
            way_effects = self.common_effects({**facts, fact: way}, self.tries + share, known_effects)
            if way_effects is not None:
                found = way_effects if found is None else list(effects_in_both(found, way_effects))
                if len(found) <= len(known_effects):
                    return known_effects
        return found

    def _state(self, facts: Facts) -> State | None:
        """A state with these facts in which the move is legal, however the rest is filled in; None if there is no such
        state.

        Raises `_Clash` where it is not known.
        """
        if self.question.cannot_stand(facts):
            return None
        clash = False
        for leaf in self.legal_leaves:
            shared = facts.keys() & leaf.facts.keys()
            if all(may_stand_for(self.question, cast("Doubt", fact), leaf.facts[fact], facts[fact]) for fact in shared):
                state = put(self.question.state, {**leaf.facts, **facts})
                self.states_tried += 1
                if state is None or self.states_tried > MAX_LOOKED:
                    clash = True
                elif hear(self.question.row, state, self.question.move).legal:
                    return state
        if clash:
            raise _Clash
        return None


SOME: Final = 3
"""The maximum number of unknown villages that are filled in one by one when they, or their buildings, are counted."""


class ChangingState(WatchedState):
    """A watched state that a move can change into another one."""

    def __init__(
        self,
        state: State,
        index: Index,
        facts: Mapping[Cell, object],
        looked_at: Set[Cell] = frozenset(),
        was: ChangingState | None = None,
    ) -> None:
        super().__init__(state, index, facts)
        self._looked_at, self._was = looked_at, was
        self._new: frozenset[str] = frozenset()

    def _replace(self, **changes: object) -> ChangingState:
        """The state with changed members."""
        found = {name: _plain(value) for name, value in changes.items()}
        after = ChangingState(self._state._replace(**found), self._index, self._facts, self._looked_at, self)
        after._new = frozenset(found)
        return after

    def plain(self) -> State:
        """The state itself, to write names in full: `certain_effects` writes those with unknown facts bare."""
        return self._state

    def __getattr__(self, name: str) -> Any:
        """A member: the same as before, unless the move has changed it."""
        if self._was is not None and name not in self._new:
            return getattr(self._was, name)
        if self._was is not None and name == "income":
            return self._state.income
        return super().__getattr__(name)

    def income_counted(self, player: str) -> int | Range:
        """The income of a player; few villages, of which the rules looked at some, are filled in. Raises `Unseen`."""
        unseen = [doubt for doubt in self.doubts("control") if doubt not in self._facts]
        if len(unseen) <= SOME and not self._looked_at.isdisjoint(unseen):
            for doubt in unseen:
                self.note(doubt)
        return super().income_counted(player)

    def buildings_to_count(self, _buildings: Iterable[object], by_village: Mapping[str, object]) -> Iterator[object]:
        """The buildings, to be counted, with stand-ins for those that are unknown. Raises `Unseen`."""
        unseen = [doubt for doubt in self.doubts("building") if doubt not in self._facts]
        if len(unseen) <= SOME:
            for doubt in unseen:
                self.note(doubt)
        unknown = {doubt.name: doubt for doubt in unseen}
        yield from (each for village, each in by_village.items() if village not in unknown)
        if unknown:
            yield _UnknownBuildings(self, by_village, unknown)


class _UnknownBuildings:
    """Villages whose buildings are unknown: the number of them that are of some kind is a `Range`."""

    __slots__ = ("buildings", "doubts", "state")
    __hash__ = None  # type: ignore[assignment]  # nobody keeps it

    def __init__(self, state: ChangingState, buildings: Mapping[str, object], doubts: Mapping[str, Doubt]) -> None:
        self.state, self.buildings, self.doubts = state, buildings, doubts

    def __eq__(self, building: object) -> Any:
        known_villages = [
            village for village, each in self.buildings.items() if each == building and village not in self.doubts
        ]
        fief_of = self.state.land.fief_of
        free = {fief_of[each] for each in self.doubts} - {fief_of[each] for each in known_villages}
        most, of = (len(free), CITIES) if building == "city" else (len(self.doubts), CASTLES)

        def ask() -> NoReturn:
            raise Unseen(next(iter(self.doubts.values())))

        return Range(0, max(min(most, of - len(known_villages)), 0), ask)


def _plain(value: object) -> Any:
    """The result of a move, without the watching wrappers."""
    if isinstance(value, Lookup):
        return _plain(value.plain())
    if isinstance(value, dict):
        return {key: each.plain() if isinstance(each, WatchedLord) else each for key, each in value.items()}
    return value


MAX_SETS: Final = 6
"""The maximum number of fiefs of which every set is filled in."""
ENDLESS: Final = frozenset({"murders", "moved", "arrivals", "attacked", "sieges", "castles", "cities", "lords"})
"""The facts that can have too many values to try them all."""


def all_contents(question: Question, fact: Doubt) -> Iterable[object] | None:
    """All values that a fact can have; None if there are too many."""
    state = question.state
    if fact.code in ENDLESS:
        return None
    if fact.code == "control":
        return (None, *state.colours)
    if fact.code == "place":
        return state.land.villages
    if fact.code == "fiefs":
        return _sets(free_fiefs(FactQuestion(state, question.move, fact)))
    if fact.code == "bishop":
        return _sets([number for number in sorted(state.land.bishoprics) if number not in state.bishops])
    if fact.code in ("income", "spent"):
        least, most = incomes_between(FactQuestion(state, question.move, fact)) if fact.code == "income" else (0, MOST)
        return range(least, most + 1)
    ways = question.contents(fact)
    return ways if all(way is None or way == DEAD or isinstance(way, str | int) for way in ways) else None


def _sets(each: Sequence[object]) -> Iterator[object] | None:
    if len(each) > MAX_SETS:
        return None
    return chain.from_iterable(combinations(each, n) for n in range(len(each) + 1))


def may_stand_for(question: Question, fact: Doubt, sort: object, content: object) -> bool:
    """Whether a content may be of the sort that the rules tell apart; never False where it is."""
    ways = question.contents(fact)
    if content in ways:
        return bool(sort == content)
    if fact.code == "control":
        asked = FactQuestion(question.state, question.move, fact)
        return (sort is None) if only_turn_counts(asked) else sort is not None
    if fact.code == "place":
        return bool(sort == ways[-1])
    return bool(sort) == bool(content) if fact.code in ("fiefs", "bishop") else True
