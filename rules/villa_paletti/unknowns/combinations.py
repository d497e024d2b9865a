"""Villa Paletti: the fillings for a ruling: all, or a few that represent very many.

A ruling depends on whether a number of columns is enough, on whether a level gives a neutral column, and on the columns
that a move names. An effect without a player's points occurs for the least or for the most of these points, or for no
number between. In a game that has not ended, a filling in which nobody could build is impossible if anybody could
still build.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Final, TypeAlias

from rules.fillings import Filling
from rules.kernel import Cell, Verdict, hear
from rules.steps import each, spend
from rules.villa_paletti.book import BOOK
from rules.villa_paletti.columns import Kind
from rules.villa_paletti.moves import Move
from rules.villa_paletti.play import phase
from rules.villa_paletti.position import has_something_to_do
from rules.villa_paletti.state import State, player_of
from rules.villa_paletti.unknowns.contents import Choice, Option, Spread, fill
from rules.villa_paletti.unknowns.gaps import HOLDER
from rules.villa_paletti.unknowns.scope import EXACT, NUMBER, Table, ruling_scope
from rules.villa_paletti.villa import nobody_can_build, supports

Rank: TypeAlias = Callable[[Option], tuple[int, ...]]
ROW = 7
"""Steps to choose one option of each kind."""
OPTIONS_A_STEP = 4
"""The number of options that are counted in a step."""
FEW = 3
"""The number of facts to try with every choice of columns, if all of them would be too many."""


def families(spread: Spread, judge: FillingJudge) -> Iterator[tuple[Filling, Verdict]]:
    """For rulings: of each thing on which one may depend, some that differ in this thing alone.

    The ends of what the columns can be are tried with everything else, and all that turns a ruling between these with
    each sort of all else, as the ends tell it apart: where some end is legal nothing but the columns objects.
    """
    sorts: dict[tuple[object, ...], tuple[Extremal, tuple[int, ...]]] = {}
    legal: dict[tuple[object, ...], tuple[Extremal, tuple[int, ...]]] = {}
    for extremal in _parts(spread):
        ends = dict.fromkeys(tuple(row.values()) for row in each(extremal.extreme_choices(), ROW))
        for moment in spread.moments:
            ways = [spread.filling(extremal.choice_from_row(row), moment) for row in ends]
            verdicts = [judge.verdict_of(filling) for filling in ways]
            yield from judge.with_verdicts(ways, verdicts)
            found = legal if any(verdict is not None and verdict.legal for verdict in verdicts) else sorts
            found.setdefault(
                tuple(verdict and (verdict.ruling, verdict.broken_rules) for verdict in verdicts), (extremal, moment)
            )
    for extremal, moment in (legal or sorts).values():
        rows = dict.fromkeys(tuple(row.values()) for row in each(extremal.turning_choices(), ROW))
        ways = [spread.filling(extremal.choice_from_row(row), moment) for row in rows]
        yield from judge.with_verdicts(ways, map(judge.verdict_of, ways))


def corners(spread: Spread) -> Iterator[Filling]:
    """For effects: everybody with the fewest points and the most, with columns to move and without."""
    for extremal in _parts(spread):
        rows = dict.fromkeys(tuple(row.values()) for row in each(extremal.outermost_choices(), ROW))
        for number, row in enumerate(rows):
            facts = spread.moments
            for moment in facts if number < FEW else facts[:: max(len(facts) // FEW, 1)]:
                yield spread.filling(extremal.choice_from_row(row), moment)


def _parts(spread: Spread) -> Iterator[Extremal]:
    """The choices for each possible arrangement of the columns that the move itself names."""
    groups = spread.scope.groups
    parts: list[list[list[Option]]] = []
    for options in spread.options.values():
        found: dict[Option, list[Option]] = {}
        for option in options:
            exact = tuple((group, count) for group, count in option if groups[group] & EXACT)
            found.setdefault(exact, []).append(option)
        parts.append(list(found.values()))
    for chosen in product(*parts):
        yield Extremal(spread, dict(zip(spread.options, chosen, strict=True)))


class Extremal:
    """Choices of columns at the limits of the possible numbers."""

    def __init__(self, spread: Spread, options: dict[Kind, list[Option]]) -> None:
        self.spread, self.options, self.state = spread, options, spread.state
        self.levels = range(spread.below)
        spend(1 + sum(map(len, options.values())))
        self._best: dict[tuple[Kind, Rank], Option] = {}
        at, free = self.at, self.free
        self._to: list[Rank] = [lambda o, n=n: (-at(o, n), -free(o)) for n in self.levels]  # type: ignore[misc]  # mypy cannot infer a lambda with a default
        self._off: list[Rank] = [lambda o, n=n: (at(o, n), *self.fewest_movable(o)) for n in self.levels]  # type: ignore[misc]  # as above
        self._fewest_movable_at: list[Rank] = [lambda o, n=n: (-at(o, n), free(o)) for n in self.levels]  # type: ignore[misc]  # as above

    def choice_from_row(self, row: Iterable[Option]) -> Choice:
        """One option of each kind, in their order."""
        return dict(zip(self.options, row, strict=True))

    def best(self, kind: Kind, rank: Rank) -> Option:
        """The first option of a kind by a rank."""
        key = kind, rank
        if key not in self._best:
            self._best[key] = min(self.options[kind], key=rank)
        return self._best[key]

    # --- the ranks of an option --------------------------------------------------------------------------------------

    def top(self, option: Option) -> int:
        """The number of columns on the top level."""
        return self.at(option, self.state.top)

    def at(self, option: Option, level: int) -> int:
        """The number of columns on a level."""
        return self.spread.level_counts(option)[level]

    def free(self, option: Option) -> int:
        """The number of columns that may be moved."""
        return self.spread.level_counts(option)[-1]

    def fewest(self, option: Option) -> tuple[int, ...]:
        """Nothing on the top level, and free below."""
        return self.top(option), -self.free(option)

    def most(self, option: Option) -> tuple[int, ...]:
        """As many as possible on the top level."""
        return -self.top(option), -self.free(option)

    def fewest_movable(self, option: Option) -> tuple[int, ...]:
        """Nothing that may be moved, and nothing on the top level."""
        return self.free(option), self.top(option), sum(count.n for _, count in option)

    def low(self, option: Option) -> tuple[int, ...]:
        """Nothing on the top level, and nothing that may be moved."""
        return self.top(option), self.free(option)

    def to(self, level: int) -> Rank:
        """As many as possible on a level, and free."""
        return self._to[level]

    def off(self, level: int) -> Rank:
        """As few as possible on a level, and none free."""
        return self._off[level]

    def _neutral(self, kind: Kind) -> bool:
        return kind[0] == self.state.neutral

    def choice(self, own: Rank, neutral: Rank) -> Choice:
        """The best options by two ranks, for the players' columns and for neutral ones."""
        return {kind: self.best(kind, neutral if self._neutral(kind) else own) for kind in self.options}

    # --- rulings -----------------------------------------------------------------------------------------------------

    def extreme_choices(self) -> Iterator[Choice]:
        """Nothing and everything on the top level, columns to move and none, neutral ones on each level."""
        base = self.choice(self.fewest, self.fewest_movable)
        yield base
        for rank in (self.most, self.fewest, self.fewest_movable):
            yield self.choice(rank, rank)
        kinds = [kind for kind in self.options if self._neutral(kind)]
        for level in self.levels if kinds else ():
            yield {**base, **{kind: self.best(kind, self.to(level)) for kind in kinds}}

    def turning_choices(self) -> Iterator[Choice]:
        """Choices that change a ruling, and others that differ from these in one group."""
        base = self.choice(self.fewest, self.fewest_movable)
        yield from self._just_enough(base)
        for level in self.levels:
            yield from self._neutral_ways(base, level)

    def _just_enough(self, base: Choice) -> Iterator[Choice]:
        """For each kind of column: with the fewest of them on the top level too few, with some more just enough."""
        groups, top = self.spread.scope.groups, self.state.top
        counted = [group for group, how in groups.items() if group.level == top and how & (NUMBER | EXACT)]
        known_count = sum(
            count.n for group, count in self.state.columns.items() if group.level == top and group not in groups
        )
        least = supports(self.state) - known_count
        kinds = [(group.colour, group.shape) for group in counted]
        for needed in (least, least + 1):  # one more if a column is taken from there
            for kind in kinds:
                few = self.best(kind, self.fewest)
                others = self._fill_top_level([other for other in kinds if other != kind], needed - 1 - self.top(few))
                if others is None:
                    continue
                yield {**base, **others, kind: few}
                left = needed - sum(map(self.top, others.values()))
                enough = [option for option in self.options[kind] if self.top(option) >= left]
                for rank in (self.fewest, self.low) if enough else ():
                    yield {**base, **others, kind: min(enough, key=rank)}

    def _fill_top_level(self, kinds: Sequence[Kind], wanted: int) -> Choice | None:
        """Options with `wanted` columns on the top level, or just fewer; None if there are always more."""
        spend(1 + sum(len(self.options[kind]) for kind in kinds) // OPTIONS_A_STEP)
        chosen = {kind: self.best(kind, self.fewest) for kind in kinds}
        left = wanted - sum(map(self.top, chosen.values()))
        if left < 0:
            return None
        for kind in kinds:
            before = self.top(chosen[kind])
            fitting = [option for option in self.options[kind] if self.top(option) - before <= left]
            chosen[kind] = min(fitting, key=self.most)
            left -= self.top(chosen[kind]) - before
        return chosen

    def _neutral_ways(self, base: Choice, level: int) -> Iterator[Choice]:
        """For each kind of neutral column: on this level or not, alone there or beside others."""
        kinds = [kind for kind in self.options if self._neutral(kind)]
        for kind in kinds:
            absent = self.best(kind, self.off(level))
            like = [
                option
                for option in self.options[kind]
                if self._elsewhere(option, level) == self._elsewhere(absent, level)
            ]
            present = min(like, key=self.to(level))
            for rank in (self.fewest_movable, self._beside(level)):
                others = {other: self.best(other, rank) for other in kinds if other != kind}
                yield {**base, **others, kind: absent}
                yield {**base, **others, kind: present}

    def _elsewhere(self, option: Option, level: int) -> Option:
        return tuple(at for at in option if at[0].level != level)

    def _beside(self, level: int) -> Rank:
        """On a level, and none free."""
        return self._fewest_movable_at[level]

    # --- effects -----------------------------------------------------------------------------------------------------

    def outermost_choices(self) -> Iterator[Choice]:
        """Everybody alike, with neutral columns wherever they can be; just enough to carry a floor; each player alone
        otherwise; and each with the fewest or the most on the top level.
        """
        own = (self.fewest, self.most, self.fewest_movable, self.low)
        for rank, neutral in product(own[:2], self._neutral_choices()):
            yield {**self.choice(rank, self.fewest_movable), **neutral}
        yield from self._just_enough(self.choice(self.fewest, self.fewest_movable))
        sides = range(len(self.state.players))
        for neutral in (self.fewest_movable, *map(self.to, self.levels)):
            for rank, other, side in product(own, own, sides):
                yield self._choice_by_player(rank, neutral, {side: other})
            for ranks in product((self.fewest, self.most), repeat=len(sides)):
                yield self._choice_by_player(self.fewest, neutral, dict(zip(sides, ranks, strict=True)))

    def _neutral_choices(self) -> Iterator[Choice]:
        """Each kind of neutral column nowhere, or on each level."""
        kinds = [kind for kind in self.options if self._neutral(kind)]
        ranks = (self.fewest_movable, self.most, *map(self.to, self.levels))
        found = [dict.fromkeys(self.best(kind, rank) for rank in ranks) for kind in kinds]
        return (dict(zip(kinds, chosen, strict=True)) for chosen in product(*found))

    def _choice_by_player(self, rank: Rank, neutral: Rank, ranks: dict[int, Rank]) -> Choice:
        """The best options by the rank of each player."""
        chosen: Choice = {}
        for kind in self.options:
            player = player_of(self.state, kind[0])
            chosen[kind] = self.best(kind, neutral if player is None else ranks.get(player, rank))
        return chosen


FILLING_STEPS: Final = 2
"""Steps to fill in a state, and to check whether the game continues."""


class FillingJudge:
    """Judges fillings in which the player in turn has something to do.

    If there are none, it judges those in which nobody can build: then it is `over`.
    """

    def __init__(self, table: Table, move: Move) -> None:
        self.table, self.move, self.over = table, move, False
        self.went_on = table.state.ended is not None
        self._nothing: Filling = dict.fromkeys(table.unknown)

    def with_verdicts(
        self, fillings: Iterable[Filling], verdicts: Iterable[Verdict | None]
    ) -> Iterator[tuple[Filling, Verdict]]:
        """The possible fillings, with all unknown cells and facts, each with its verdict."""
        for filling, verdict in zip(fillings, verdicts, strict=True):
            if verdict is not None:
                yield {**self._nothing, **filling}, verdict

    def verdict_of(self, filling: Filling) -> Verdict | None:
        """The verdict on a filling; None if it is impossible."""
        spend(FILLING_STEPS)
        filled = fill(self.table.state, filling)
        if filled is None or not self._counts(filled):
            return None
        return hear(BOOK[phase(filled), type(self.move)], filled, self.move)

    def _counts(self, filled: State) -> bool:
        table = self.table
        if filled.ended is not None:
            return True
        if not table.goes_on and nobody_can_build(filled):
            return self.over
        able_to_go_on = not table.may_be_stuck or has_something_to_do(filled, filled.player)
        self.went_on = self.went_on or able_to_go_on
        return able_to_go_on and not self.over


# --- the ruling -----------------------------------------------------------------------------------------------------

MAX_RULINGS: Final = 1_024
"""The maximum number of combinations to rule on; of more, a few represent all."""


def judged_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[tuple[Filling, Verdict]]:
    """The fillings for a ruling: every combination, or a few that show every ruling and its needs.

    The holder of the seal matters only if nobody can build, whatever the columns are.
    """
    table = Table(state, unknown)
    scope, judge = ruling_scope(table, move), FillingJudge(table, move)
    at_first = scope if state.ended is not None else scope._replace(facts=scope.facts - {HOLDER})
    yield from _ways(Spread(table, at_first, sorts=True), judge)
    if not judge.went_on:
        judge.over = True
        yield from _ways(Spread(table, scope, sorts=True), judge)


def _ways(spread: Spread, judge: FillingJudge) -> Iterator[tuple[Filling, Verdict]]:
    if spread.number > MAX_RULINGS:
        yield from families(spread, judge)
    else:
        ways = list(spread.every())
        yield from judge.with_verdicts(ways, map(judge.verdict_of, ways))
