"""Rulings on unknown cells by sums: for a game of which the rules only add up what lies on them.

What lies on each cell is a number, made so that all that the rules see of a filling is the sum of its numbers. Ways to
one sum are one way then, and nothing is lost: every filling is counted in, however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from typing import Final, NamedTuple

from rules.fillings import Filling, TooMany
from rules.kernel import Cell
from rules.old_names import accept_old_members
from rules.records import dataclass
from rules.steps import spend

MAX_SUMS: Final = 10_000
"""Beyond so many sums nothing is decided, …"""
MAX_PAIRS: Final = 40_000
"""… and beyond so many sums of two parts not, which cells decide."""
SUMS_A_STEP: Final = 20
"""So many sums are made in a step, …"""
A_GROUP: Final = 8
"""… and to begin a group of them is as much as so many."""


class Joint(NamedTuple):
    """Two cells, by their numbers, on which the same thing lies: with both filled in, no bit of `half` may be left.

    `whole` are the bits that say no more then.
    """

    first: int
    second: int
    half: int
    whole: int


@accept_old_members(every="all_sums", kept="kept_bits", over="overflow_bits", some="partial_sums")
@dataclass(frozen=True)
class Sums:
    """The contents of each unknown cell with their numbers, and what makes a sum one that can be."""

    cells: tuple[Cell, ...]
    contents: Sequence[Sequence[tuple[object, int]]]
    """Of each cell what can be there, each as `fill` takes it, and its number; no number twice."""
    start: int
    overflow_bits: int
    """A sum of `start` and numbers in which one of these bits is set cannot be; it stays set."""
    joints: Sequence[Joint] = ()

    def all_sums(self) -> tuple[Collection[int], Callable[[int], Filling]]:
        """Each sum that can be, and a filling that has such a sum. Raises `TooMany`."""
        layers: list[dict[int, tuple[int, object]]] = [{self.start: (0, None)}]
        for number in range(len(self.cells)):
            layers.append(self._extend(layers[-1], range(number), number))

        def filling(total: int) -> Filling:
            found: dict[Cell, object] = {}
            for number in reversed(range(len(self.cells))):
                total, found[self.cells[number]] = layers[number + 1][total]
            return {cell: found[cell] for cell in self.cells}

        return layers[-1], filling

    @property
    def kept_bits(self) -> int:
        """All bits but those that only said that two cells have the same."""
        return ~sum({joint.whole for joint in self.joints})

    def partial_sums(self, chosen: Collection[int], start: int = 0) -> Collection[int]:
        """The sums over some cells only. Raises `TooMany`."""
        found: dict[int, tuple[int, object]] = {start: (0, None)}
        done: list[int] = []
        for number in chosen:
            found = self._extend(found, done, number)
            done.append(number)
        return found

    def _extend(self, sums: Collection[int], before: Collection[int], number: int) -> dict[int, tuple[int, object]]:
        """Some sums with one cell more, each with the one that it was made of, and what lies there."""
        ends = [joint for joint in self.joints if number in joint[:2] and {*joint[:2]} <= {*before, number}]
        bad = self.overflow_bits | sum({joint.half for joint in ends})
        clear = ~sum({joint.whole for joint in ends})
        found: dict[int, tuple[int, object]] = {}
        contents = self.contents[number]
        spend(1 + len(sums) * len(contents) // SUMS_A_STEP)
        for there in sums:
            for content, more in contents:
                total = there + more
                if not total & bad:
                    found.setdefault(total & clear, (there, content))
            if len(found) > MAX_SUMS:
                raise TooMany
        return found

    def groups(self, chosen: Collection[int], sort: Callable[[int], Hashable]) -> Iterator[set[Hashable]]:
        """The sorts of sums that are left once these cells are known, for each way that they can be; None of one that
        cannot. Raises `TooMany`.
        """
        here = self.partial_sums(sorted(chosen), self.start)
        there = self.partial_sums([number for number in range(len(self.cells)) if number not in chosen])
        if len(here) * len(there) > MAX_PAIRS:
            raise TooMany
        spend(len(here) * (A_GROUP + len(there)) // SUMS_A_STEP)
        kept_bits = self.kept_bits
        for some in here:
            yield {sort(some + more & kept_bits) for more in there}
