"""Villa Paletti: a few fillings that stand for very many.

A ruling depends on a number of columns by whether they are enough, on a level by whether it gives a neutral column,
and on the columns that a move names. An effect that has none of a player's points in it is there for the least and for
the most of these points, or for none between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

from rules.unknowns import Filling
from rules.villa_paletti.columns import Kind
from rules.villa_paletti.state import player_of
from rules.villa_paletti.unknowns.scopes import EXACT, NUMBER
from rules.villa_paletti.unknowns.spread import Choice, Option, Spread
from rules.villa_paletti.villa import supports

Rank: TypeAlias = Callable[[Option], tuple[int, ...]]
Rows: TypeAlias = Callable[["Extremal"], Iterator[Choice]]
FEW = 3
"""So many of the facts are tried with every choice of columns, where all of them would be too many."""


def families(spread: Spread) -> Iterator[Filling]:
    """For rulings: of each thing on which one may depend, some that differ in this thing alone."""
    return _each_part(spread, Extremal.turning)


def corners(spread: Spread) -> Iterator[Filling]:
    """For effects: everybody with the fewest points and the most, with columns to move and without."""
    return _each_part(spread, Extremal.outermost)


def _each_part(spread: Spread, rows: Rows) -> Iterator[Filling]:
    """The fillings for each way in which the columns can stand that the move itself names."""
    groups = spread.scope.groups
    parts: list[list[list[Option]]] = []
    for options in spread.options.values():
        found: dict[Option, list[Option]] = {}
        for option in options:
            exact = tuple((group, count) for group, count in option if groups[group] & EXACT)
            found.setdefault(exact, []).append(option)
        parts.append(list(found.values()))
    for chosen in product(*parts):
        extremal = Extremal(spread, dict(zip(spread.options, chosen, strict=True)))
        told = dict.fromkeys(tuple(row.values()) for row in rows(extremal))
        for number, row in enumerate(told):
            facts = spread.moments
            for moment in facts if number < FEW else facts[:: max(len(facts) // FEW, 1)]:
                yield spread.filling(dict(zip(spread.options, row, strict=True)), moment)


class Extremal:
    """Choices of columns at the ends of what can be."""

    def __init__(self, spread: Spread, options: dict[Kind, list[Option]]) -> None:
        self.spread, self.options, self.state = spread, options, spread.state
        self.levels = range(self.state.top)

    # --- how an option ranks ----------------------------------------------------------------------------------------

    def top(self, option: Option) -> int:
        """How many columns are on the top level."""
        return self.at(option, self.state.top)

    def at(self, option: Option, level: int) -> int:
        """How many columns are on a level."""
        return sum(count.n for group, count in option if group.level == level)

    def free(self, option: Option) -> int:
        """How many columns may be moved."""
        return sum(count.n - count.locked for group, count in option if group.level < self.state.top)

    def fewest(self, option: Option) -> tuple[int, ...]:
        """Nothing on the top level, and free below."""
        return self.top(option), -self.free(option)

    def most(self, option: Option) -> tuple[int, ...]:
        """As much as can be on the top level."""
        return -self.top(option), -self.free(option)

    def bound(self, option: Option) -> tuple[int, ...]:
        """Nothing that may be moved, and nothing on the top level."""
        return self.free(option), self.top(option), sum(count.n for _, count in option)

    def low(self, option: Option) -> tuple[int, ...]:
        """Nothing on the top level, and nothing that may be moved."""
        return self.top(option), self.free(option)

    def to(self, level: int) -> Rank:
        """As much as can be on a level, and free."""
        return lambda option: (-self.at(option, level), -self.free(option))

    def off(self, level: int) -> Rank:
        """As little as can be on a level, and bound."""
        return lambda option: (self.at(option, level), *self.bound(option))

    def _neutral(self, kind: Kind) -> bool:
        return kind[0] == self.state.neutral

    def choice(self, own: Rank, neutral: Rank) -> Choice:
        """The best options by two ranks, for the players' columns and for neutral ones."""
        return {
            kind: min(options, key=neutral if self._neutral(kind) else own) for kind, options in self.options.items()
        }

    # --- rulings -----------------------------------------------------------------------------------------------------

    def turning(self) -> Iterator[Choice]:
        """Choices that turn a ruling, and such as differ from these in one group."""
        base = self.choice(self.fewest, self.bound)
        yield base
        for rank in (self.most, self.fewest, self.bound):
            yield self.choice(rank, rank)
        yield from self._enough(base)
        for level in self.levels:
            yield from self._giving(base, level)

    def _enough(self, base: Choice) -> Iterator[Choice]:
        """For each kind of column: with the fewest of them on the top level too few, with some more just enough."""
        groups, top = self.spread.scope.groups, self.state.top
        counted = [group for group, how in groups.items() if group.level == top and how & (NUMBER | EXACT)]
        known = sum(
            count.n for group, count in self.state.columns.items() if group.level == top and group not in groups
        )
        least = supports(self.state) - known
        kinds = [(group.colour, group.shape) for group in counted]
        for needed in (least, least + 1):  # one more where a column is taken from there
            for kind in kinds:
                few = min(self.options[kind], key=self.fewest)
                others = self._filled([other for other in kinds if other != kind], needed - 1 - self.top(few))
                if others is None:
                    continue
                yield {**base, **others, kind: few}
                left = needed - sum(map(self.top, others.values()))
                enough = [option for option in self.options[kind] if self.top(option) >= left]
                for rank in (self.fewest, self.low) if enough else ():
                    yield {**base, **others, kind: min(enough, key=rank)}

    def _filled(self, kinds: Sequence[Kind], wanted: int) -> Choice | None:
        """Options with so many columns on the top level, or one short of it less; None where there are always more."""
        chosen = {kind: min(self.options[kind], key=self.fewest) for kind in kinds}
        left = wanted - sum(map(self.top, chosen.values()))
        if left < 0:
            return None
        for kind in kinds:
            before = self.top(chosen[kind])
            fitting = [option for option in self.options[kind] if self.top(option) - before <= left]
            chosen[kind] = min(fitting, key=self.most)
            left -= self.top(chosen[kind]) - before
        return chosen

    def _giving(self, base: Choice, level: int) -> Iterator[Choice]:
        """For each kind of neutral column: on this level and not, alone there and beside others."""
        kinds = [kind for kind in self.options if self._neutral(kind)]
        for kind in kinds:
            absent = min(self.options[kind], key=self.off(level))
            like = [
                option
                for option in self.options[kind]
                if self._elsewhere(option, level) == self._elsewhere(absent, level)
            ]
            present = min(like, key=self.to(level))
            for rank in (self.bound, self._beside(level)):
                others = {other: min(self.options[other], key=rank) for other in kinds if other != kind}
                yield {**base, **others, kind: absent}
                yield {**base, **others, kind: present}
            yield {**base, **{other: min(self.options[other], key=self.to(level)) for other in kinds}}

    def _elsewhere(self, option: Option, level: int) -> Option:
        return tuple(each for each in option if each[0].level != level)

    def _beside(self, level: int) -> Rank:
        """On a level, bound."""
        return lambda option: (-self.at(option, level), self.free(option))

    # --- effects -----------------------------------------------------------------------------------------------------

    def outermost(self) -> Iterator[Choice]:
        """Everybody alike, with neutral columns wherever they can be; just enough to carry a floor; each player alone
        otherwise; and each with the fewest or the most on the top level.
        """
        own = (self.fewest, self.most, self.bound, self.low)
        for rank, neutral in product(own[:2], self._neutral_choices()):
            yield {**self.choice(rank, self.bound), **neutral}
        yield from self._enough(self.choice(self.fewest, self.bound))
        sides = range(len(self.state.players))
        for neutral in (self.bound, *map(self.to, self.levels)):
            for rank, other, side in product(own, own, sides):
                yield self._apart(rank, neutral, {side: other})
            for ranks in product((self.fewest, self.most), repeat=len(sides)):
                yield self._apart(self.fewest, neutral, dict(zip(sides, ranks, strict=True)))

    def _neutral_choices(self) -> Iterator[Choice]:
        """Each kind of neutral column nowhere, or on each level."""
        kinds = [kind for kind in self.options if self._neutral(kind)]
        ranks = (self.bound, self.most, *map(self.to, self.levels))
        found = [dict.fromkeys(min(self.options[kind], key=rank) for rank in ranks) for kind in kinds]
        return (dict(zip(kinds, chosen, strict=True)) for chosen in product(*found))

    def _apart(self, rank: Rank, neutral: Rank, ranks: dict[int, Rank]) -> Choice:
        """The best options by the rank of each player."""
        chosen: Choice = {}
        for kind, options in self.options.items():
            player = player_of(self.state, kind[0])
            chosen[kind] = min(options, key=neutral if player is None else ranks.get(player, rank))
        return chosen
