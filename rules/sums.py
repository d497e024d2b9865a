"""Rulings on unknown cells by sums: for a game whose rules only add up what lies on them.

Each content of a cell has a number, such that the rules depend only on the sum of a filling's numbers. Fillings with
the same sum are equivalent, so the ruling covers every filling, however many there are.
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
"""The maximum number of sums for a ruling, …"""
MAX_PAIRS: Final = 40_000
"""… and of sums of two parts to find the deciding cells."""
SUMS_A_STEP: Final = 20
"""The number of sums in a step, …"""
A_GROUP: Final = 8
"""… and the cost to begin a group, in sums."""


class Joint(NamedTuple):
    """Two cells, by their numbers, on which the same thing lies: once both are filled, no bit of `half` may be set.

    `whole`: the bits that mean nothing any more then.
    """

    first: int
    second: int
    half: int
    whole: int


@accept_old_members(every="all_sums", kept="kept_bits", over="overflow_bits", some="partial_sums")
@dataclass(frozen=True)
class Sums:
    """The contents of each unknown cell with their numbers, and the conditions for a possible sum."""

    cells: tuple[Cell, ...]
    contents: Sequence[Sequence[tuple[object, int]]]
    """For each cell its possible contents, as `fill` takes them, with a distinct number each."""
    start: int
    overflow_bits: int
    """A sum of `start` and numbers with one of these bits set is impossible; the bit stays set."""
    joints: Sequence[Joint] = ()

    def all_sums(self) -> tuple[Collection[int], Callable[[int], Filling]]:
        """Each possible sum, and a function that returns a filling for it. Raises `TooMany`."""
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
        """All bits except those that only mark two joint cells."""
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
        """The sums with one more cell, each with the sum before and the cell's content."""
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
        """For each partial sum of these cells, the sorts of sums that are left; None for an impossible sum. Raises
        `TooMany`.
        """
        here = self.partial_sums(sorted(chosen), self.start)
        there = self.partial_sums([number for number in range(len(self.cells)) if number not in chosen])
        if len(here) * len(there) > MAX_PAIRS:
            raise TooMany
        spend(len(here) * (A_GROUP + len(there)) // SUMS_A_STEP)
        kept_bits = self.kept_bits
        for some in here:
            yield {sort(some + more & kept_bits) for more in there}
