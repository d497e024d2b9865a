"""Villa Paletti: every arrangement of the unknown columns that a move can distinguish.

All twenty columns are somewhere, so the places of one kind of column depend on each other. If there are too many
arrangements, a few represent all: it matters whether the number on a level is enough, whether a column is free, and
which points are higher.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, Final, TypeAlias

from rules.fillings import Filling
from rules.kernel import Cell
from rules.villa_paletti.columns import CONTEST, SUPPLY, Count, Group, Kind
from rules.villa_paletti.seal import points
from rules.villa_paletti.state import State
from rules.villa_paletti.unknowns.gaps import ASKED_COLUMN, DUE, HOLDER, PART, PREVIOUS
from rules.villa_paletti.unknowns.scope import EXACT, FREE, NUMBER, Scope, Table, group_named

NOBODY: Final = -1
"""In a filling: the player who has, or had, no seal."""
SORTS: Final = (Count(0, 0), Count(1, 0), Count(1, 1), Count(2, 1))
"""Equal columns of a level, distinguished by whether a free one or a locked one is among them."""
Option: TypeAlias = tuple[tuple[Group, Count], ...]
"""The columns in the unknown groups of a kind."""
Choice: TypeAlias = dict[Kind, Option]
"""One option of each kind."""


class Spread:
    """The possible columns in the groups of a scope, kind by kind, and the possible values of its facts."""

    def __init__(self, table: Table, scope: Scope, *, sorts: bool = False, adds_floor: bool = False) -> None:
        """`sorts`: of columns that the move names, one of each sort that a ruling distinguishes. `adds_floor`: a floor
        may come onto the top level, so that columns there may be moved then.
        """
        self.table, self.scope, self.state, self.sorts = table, scope, table.state, sorts
        kinds = dict.fromkeys((group.colour, group.shape) for group in scope.groups)
        self.options: dict[Kind, list[Option]] = {kind: self._options(kind) for kind in kinds}
        self.facts: dict[str, tuple[int, ...]] = {name: self._fact(name) for name in sorted(scope.facts)}
        self.below = table.state.top + adds_floor
        """Columns on levels below this one may be moved now, or after the move."""
        self._level_counts: dict[int, list[int]] = {}
        self.moments = [facts for facts in product(*self.facts.values()) if self._can_be(facts)]

    @property
    def number(self) -> int:
        """The number of combinations."""
        return prod(map(len, self.options.values())) * len(self.moments)

    def every(self) -> Iterator[Filling]:
        """Every combination."""
        for chosen in product(*self.options.values()):
            for facts in self.moments:
                yield self.filling(dict(zip(self.options, chosen, strict=True)), facts)

    def filling(self, chosen: Choice, facts: Sequence[int]) -> Filling:
        """One combination as a filling."""
        found: dict[Cell, Any] = {
            self.table.cells[group]: count for option in chosen.values() for group, count in option
        }
        return found | dict(zip(self.facts, facts, strict=True))

    def level_counts(self, option: Option) -> list[int]:
        """The number of columns of an option on each level, and then the number that may be moved."""
        key = id(option)  # the options live as long as this object
        if key not in self._level_counts:
            found = [0] * (self.state.top + 2)
            for group, count in option:
                found[group.level] += count.n
                found[-1] += count.n - count.locked if group.level < self.below else 0
            self._level_counts[key] = found
        return self._level_counts[key]

    # --- one kind, one fact ----------------------------------------------------------------------------------------

    def _options(self, kind: Kind) -> list[Option]:
        """The possible columns in the groups of a kind in the scope, as closely as it needs."""
        state, unknown = self.state, self.table.unknown_of(kind)
        here = sum(count.n for group, count in state.columns.items() if group[:2] == kind)
        left = max(SUPPLY[kind[1]] - here - state.out.get(kind, 0), 0)
        nobody = state.holder is None and HOLDER not in self.table.facts and state.top >= CONTEST
        bare = nobody and kind[0] != state.neutral
        places = [g for g in unknown if g not in self.table.locks and not (bare and g.level == state.top)]
        # A group may have any number if only one movable column matters there, or if it is out of scope.
        somewhere = kind in self.table.out or not places or any(self._how(group) in (0, FREE) for group in places)
        groups = [group for group in unknown if self._how(group)]

        def spread_options(groups: Sequence[Group], left: int) -> Iterator[Option]:
            if not groups:
                if somewhere or not left:
                    yield ()
                return
            first, rest = groups[0], groups[1:]
            locks = first in self.table.locks
            for count in self._counts(first, left if locks or first in places else 0, free=somewhere):
                yield from (
                    ((first, count), *others) for others in spread_options(rest, left - (0 if locks else count.n))
                )

        return list(spread_options(groups, left))

    def _how(self, group: Group) -> int:
        return self.scope.groups.get(group, 0)

    def _counts(self, group: Group, most: int, *, free: bool) -> Iterator[Count]:
        """The possible counts of a group, one of each that the scope distinguishes; `free`: others may be anywhere."""
        how = self._how(group)
        numbers = [self.state.columns[group].n] if group in self.table.locks else list(range(most + 1))
        if how & EXACT and self.sorts and free and not how & NUMBER:
            yield from self._sorts(group, numbers[-1])
        elif how & EXACT:
            yield from (Count(n, locked) for n in numbers for locked in range(n + 1))
        elif how == NUMBER:
            yield from (Count(n, 0) for n in numbers)
        elif how == FREE:
            yield from (Count(n, 0) for n in range(min(1, numbers[-1]) + 1))
        else:
            yield from (Count(n, locked) for n in numbers for locked in dict.fromkeys((0, n)))

    def _sorts(self, group: Group, most: int) -> Iterator[Count]:
        """None, free ones, locked ones, and both."""
        if group in self.table.locks:
            yield from dict.fromkeys((Count(most, 0), Count(most, most), Count(most, 1)))
        else:
            yield from (count for count in SORTS if count.n <= most)

    def _fact(self, name: str) -> tuple[int, ...]:
        """The possible values of a fact: a player, or nobody, by number; or a boolean."""
        state = self.state
        players = tuple(range(len(state.players)))
        if name == DUE:
            return players
        if name in (HOLDER, PREVIOUS):
            return (NOBODY, *players) if state.top >= CONTEST else (NOBODY,)
        may_be = state.neutral is not None if name == PART else state.readings["after_objection"] == "asker_moves"
        return (0, 1) if may_be else (0,)

    def _can_be(self, facts: Sequence[int]) -> bool:
        """Whether somebody else held the seal before, if anybody did (`VP-33`)."""
        by_name = dict(zip(self.facts, facts, strict=True))
        holder, previous = (
            by_name.get(name, NOBODY if known_player is None else known_player)
            for name, known_player in ((HOLDER, self.state.holder), (PREVIOUS, self.state.previous))
        )
        anybody = HOLDER not in by_name and HOLDER in self.table.facts
        return previous == NOBODY or anybody or holder not in (NOBODY, previous)


def fill(state: State, filling: Filling) -> State | None:
    """The state with these cells filled; None if impossible. A cell with None in it does not matter to the move."""
    columns = dict(state.columns)
    for cell, content in filling.items():
        if isinstance(content, Count):
            group = group_named(state, cell)
            columns.pop(group, None)
            if content.n:
                columns[group] = content
    filled = state._replace(columns=columns, **dict(_facts(filling)))
    return filled if _has_seal(filled, filling) else None


def _facts(filling: Filling) -> Iterator[tuple[str, Any]]:
    """The facts of a filling, as in a state."""
    for name, member in MEMBERS.items():
        value = filling.get(name)
        if value is not None:
            yield member, bool(value) if name in (PART, ASKED_COLUMN) else None if value == NOBODY else value


MEMBERS: Final = {DUE: "player", PART: "own", ASKED_COLUMN: "asked", HOLDER: "holder", PREVIOUS: "previous"}
"""Fact -> the member of a state."""


def _has_seal(state: State, filling: Filling) -> bool:
    """Whether the seal has a holder, unless nobody has put a column on a contested level (`VP-30`)."""
    return filling.get(HOLDER) != NOBODY or state.top < CONTEST or not any(points(state))
