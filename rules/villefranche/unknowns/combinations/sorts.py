"""Villefranche: all fillings of unknown cells by sorts, which a placement can distinguish."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from rules.fillings import MAX_CHECKS, TooMany
from rules.kernel import Bounds, Cell, Facts, Finding, Value, Verdict
from rules.steps import spend
from rules.villefranche.counting import influence, shops_needed
from rules.villefranche.moves import BellTower, Move, Nave
from rules.villefranche.play import finished_count
from rules.villefranche.state import State
from rules.villefranche.unknowns.combinations.numbers import FULL, Numbers, Rival
from rules.villefranche.unknowns.contents import fill
from rules.villefranche.unknowns.scope import Look

SUMS_A_STEP: Final = 2
"""The number of sums that are sorted in a step."""
GOES_ON: Final = frozenset(("VF-35", "VF-43"))
"""The rules whose effects are about the surroundings of the site, and about the pieces left."""


class RuledSorts:
    """The fillings of the cells that matter. Raises `TooMany`."""

    def __init__(
        self, state: State, move: Move, cells: Sequence[Cell], unknown: Sequence[Cell], hear: Callable[[State], Verdict]
    ) -> None:
        self.state, self.move, self.unknown, self.hear = state, move, tuple(unknown), hear
        self.look = Look(state, move, unknown)
        self.exact = state.enclosed or not self.look.whole
        self.numbers = Numbers(self.look, cells)
        self.sums = self.numbers.sums()
        totals, self.filling = self.sums.all_sums()
        self._prepare()
        self.totals: dict[object, list[int]] = {}
        spend(1 + len(totals) // SUMS_A_STEP)
        for total in totals:
            if self._stands(total):
                self.totals.setdefault(self._sort(total), []).append(total)
        if len(self.totals) > MAX_CHECKS:
            raise TooMany
        self._sort_by_total = {total: number for number, each in enumerate(self.totals.values()) for total in each}
        mine = frozenset(cells) | frozenset(str(cell) for cell in unknown)
        self.verdicts: Sequence[Verdict] = [self._verdict(each, mine) for each in self.totals.values()]

    def groups(self, chosen: Collection[int]) -> Iterator[Collection[int]]:
        """The sorts that are left if these cells are known."""
        for group in self.sums.groups(chosen, self._sort_by_total.get):
            yield frozenset(sort for sort in group if isinstance(sort, int))

    # --- the sort of a filling ---------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        numbers, look, state = self.numbers, self.look, self.state
        marks = numbers.marks
        walls = look.walls or not look.whole or look.ways
        self.marked_bits = sum(bit for mark, bit in marks.items() if walls or not _is(mark, "wall"))
        first = sum(
            bit
            for mark, bit in marks.items()
            if not isinstance(mark, tuple)
            or _is(mark, "site", "owned")
            or (walls and _is(mark, "wall"))
            or mark[0] in look.facts
        )
        self.first = first
        self.rivals = [
            (rival, marks.get(rival.mark, 0), marks.get(rival.bell, 0))
            for rival in numbers.rivals
            if rival.mark is None or rival.mark in marks
        ]
        own = state.towns[state.player]
        self.shops = own.shops.bit_count()
        self.here = influence(state, look.move.site) if numbers.rings else (0, 0)
        self.cumulative = state.readings["church_funding"] == "cumulative"
        self.shops_needed = shops_needed(state, own, 1) if self.cumulative else 0
        self.pieces_left = numbers.pieces_left[_colour(state), look.piece]
        self.all_left = sum(numbers.pieces_left[_colour(state), kind] for kind in numbers.used_up_kinds)

    def _stands(self, total: int) -> bool:
        """Whether the sides of the enclosure can be finished, and the player has a piece left."""
        numbers = self.numbers
        if numbers.used_up_kinds and total >> numbers.supply & FULL >= self.all_left:
            hand = numbers.marks.get((self.look.hand, True), 0)
            if not total & hand:
                return False
        return numbers.walls_fit(total)

    def _sort(self, total: int) -> object:
        numbers = self.numbers
        if self.look.over:
            return total >> numbers.finishes & FULL
        tight = self.look.tight and total >> numbers.pieces & FULL >= self.pieces_left
        if total & numbers.refused_bits:
            return total & self.first, tight
        lead = self._lead(total, numbers.own, numbers.other, self.here)
        rivals = (
            ()
            if total & numbers.begun_bits
            else tuple(
                self._lead(total, rival.own, rival.other, rival.known_influence) >= 0
                for rival, mark, bell in self.rivals
                if (not mark or total & mark) and not total & bell
            )
        )
        shops, needed = self._shops_and_needed(total)
        return total & self.marked_bits, tight, (lead > 0) - (lead < 0), rivals, shops >= needed

    @staticmethod
    def _lead(total: int, own: int, other: int, known_influence: tuple[int, int]) -> int:
        return known_influence[0] - known_influence[1] + (total >> own & FULL) - (total >> other & FULL)

    def _shops_and_needed(self, total: int) -> tuple[int, int]:
        """The player's shops, and the number that the element needs (`VF-42`)."""
        if not isinstance(self.move, Nave | BellTower):
            return 0, 0
        numbers = self.numbers
        element = 3 if isinstance(self.move, BellTower) else 2 if total & numbers.begun_bits or self._goes_on else 1
        needed = self.shops_needed + (total >> numbers.elements & FULL) if self.cumulative else element
        return self.shops + (total >> numbers.shops & FULL), needed

    @property
    def _goes_on(self) -> bool:
        return bool(self.state.taken_cells & self.move.bits)

    # --- the verdict on a sort ---------------------------------------------------------------------------------------

    def _verdict(self, totals: Sequence[int], unknown: frozenset[Cell]) -> Verdict:
        filling = self.numbers.with_other_halves(self.filling(totals[0]))
        filled = fill(self.state, filling) or fill(self.state, filling | self.numbers.other_hand)
        if filled is None:
            raise ValueError(filling)
        verdict = self.hear(filled)
        return verdict._replace(
            findings=tuple(
                Finding(rule, _elsewhere(self._with_bounds(rule, facts, totals), unknown))
                for rule, facts in verdict.findings
            )
        )

    def _with_bounds(self, rule: str, facts: Facts, totals: Sequence[int]) -> Facts:
        """Facts with the bounds of their counts in all fillings of the sort."""
        values: dict[str, Value] = {**facts.values}
        numbers = self.numbers
        if rule == "VF-22":
            values |= self._counts(totals, numbers.own, numbers.other, self.here)
        elif rule == "VF-42":
            counts = [self._shops_and_needed(total) for total in totals]
            values |= {"shops": _bounds(n for n, _ in counts), "needed": _bounds(n for _, n in counts)}
        elif rule in GOES_ON and "own" in values:
            rival = next(rival for rival in self._on(totals[0]) if rival.cells == _building_cells(facts))
            values |= self._counts(totals, rival.own, rival.other, rival.known_influence)
        elif rule == "VF-50" and "n" in values:
            values["n"] = _bounds(finished_count(self.state) + (total >> numbers.finishes & FULL) for total in totals)
        return facts._replace(values=values)

    def _on(self, total: int) -> Iterator[Rival]:
        """The player's buildings that can continue."""
        for rival, mark, bell in self.rivals:
            there = (not mark or total & mark) and not total & bell
            if there and self._lead(total, rival.own, rival.other, rival.known_influence) >= 0:
                yield rival

    @staticmethod
    def _counts(totals: Sequence[int], own: int, other: int, known_influence: tuple[int, int]) -> dict[str, Value]:
        return {
            "own": _bounds(known_influence[0] + (total >> own & FULL) for total in totals),
            "opponent": _bounds(known_influence[1] + (total >> other & FULL) for total in totals),
        }


def _is(mark: object, *names: str) -> bool:
    return isinstance(mark, tuple) and mark[0] in names


def _colour(state: State) -> Any:
    return "white" if state.player else "black"


def _building_cells(facts: Facts) -> object:
    """The cells of a building that can continue."""
    return facts.values["cells"] if "cells" in facts.values else (facts.values["cell"],)


def _bounds(numbers: Iterable[int]) -> Value:
    some = list(numbers)
    least, most = min(some), max(some)
    return least if least == most else Bounds(least, most)


def _elsewhere(facts: Facts, unknown: frozenset[Cell]) -> Facts:
    """Facts without the evidence on unknown cells, which may differ at equal counts."""
    return facts._replace(evidence=[fact for fact in facts.evidence if unknown.isdisjoint(fact.cells)])


def holds(rule: str, facts: Facts) -> bool:
    """Whether an effect follows from the bounds alone: which of two counts is larger, or that they are equal."""
    found = _comparison(rule, facts)
    if found is None:
        return True
    more, fewer, as_many = found
    if facts.code == "equal":
        return not isinstance(more, Bounds) and not isinstance(fewer, Bounds)
    return _least(more) > _most(fewer) or (as_many and _least(more) == _most(fewer))


def _comparison(rule: str, facts: Facts) -> tuple[Value, Value, bool] | None:
    """The two values that an effect compares, the greater first, and whether they may be equal."""
    values, code = facts.values, facts.code
    if rule == "VF-22" and "own" in values:
        own, other = values["own"], values["opponent"]
        return (other, own, False) if code in ("", "fewer") else (own, other, False)
    if rule in GOES_ON and "own" in values:
        own, other = values["own"], values["opponent"]
        return (other, own, False) if code == "waits" else (own, other, True)
    if rule == "VF-42" and "needed" in values:
        shops = values.get("shops", values.get("n"))
        return (shops, values["needed"], True) if code == "legal" else (values["needed"], shops, False)
    if rule == "VF-42" and "paid" in values:
        n, paid = values["n"], values["paid"]
        return (n, paid, False) if code == "shared" else (paid, n, True)
    return None


def _least(value: Value) -> int:
    return value.least if isinstance(value, Bounds) else int(value)  # type: ignore[arg-type]  # it is a number


def _most(value: Value) -> int:
    return value.most if isinstance(value, Bounds) else int(value)  # type: ignore[arg-type]  # the same
