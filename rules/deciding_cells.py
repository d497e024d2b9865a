"""The cells that decide an answer: somebody has to look at them to make it certain."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rules.fillings import FillingVerdict
from rules.kernel import Cell, Verdict
from rules.steps import spend

if TYPE_CHECKING:
    from rules.unknowns import Sorts

FILLINGS_A_STEP: Final = 20
"""The number of fillings that are compared in a step."""


class DecidingCells:
    """Finds the cells that decide an answer."""

    cells: tuple[Cell, ...]
    verdicts: Sequence[Verdict]

    def __init__(self) -> None:
        self._cells_by_answers: dict[tuple[object, ...], tuple[Cell, ...]] = {}

    def cells_for(self, answer: Callable[[Verdict], object]) -> tuple[Cell, ...]:
        """A minimal set of cells that decides an answer: those that can change it alone, and more if necessary."""
        answer_by_id = {id(verdict): answer(verdict) for verdict in {id(each): each for each in self.verdicts}.values()}
        names: dict[object, int] = {}
        answers = [names.setdefault(answer_by_id[id(verdict)], len(names)) for verdict in self.verdicts]
        key = tuple(answers)
        if key not in self._cells_by_answers:
            self._cells_by_answers[key] = tuple(self.cells[number] for number in sorted(self._smallest(answers)))
        return self._cells_by_answers[key]

    def _smallest(self, answers: Sequence[int]) -> set[int]:
        candidates = self._candidates()
        chosen = {number for number in candidates if self._turns(answers, number)}
        added: list[int] = []
        for number in candidates:
            if self._decides(answers, chosen):
                break
            if number not in chosen:
                chosen.add(number)
                added.append(number)
        for number in added:
            if self._decides(answers, chosen - {number}):
                chosen.discard(number)
        return chosen

    def _candidates(self) -> Sequence[int]:
        """The cells that may decide anything."""
        return range(len(self.cells))

    def _turns(self, answers: Sequence[int], number: int) -> bool:
        """Whether two fillings differ in this cell only, and in the answer."""
        return not self._decides(answers, set(range(len(self.cells))) - {number})

    def _decides(self, answers: Sequence[int], chosen: Collection[int]) -> bool:
        """Whether the answer is known if these cells are."""
        raise NotImplementedError


class CellsByFilling(DecidingCells):
    """Finds them by all fillings. Each filling is a number, the sum of the numbers of its contents."""

    def __init__(self, filling_verdicts: Sequence[FillingVerdict], cells: tuple[Cell, ...]) -> None:
        super().__init__()
        self.filling_verdicts, self.cells = filling_verdicts, cells
        self.verdicts = [each.verdict for each in filling_verdicts]

    @cached_property
    def parts(self) -> list[list[int]]:
        """For each cell, the number of its content in each filling."""
        found: list[list[int]] = []
        step = 1
        for contents in zip(*(each.filling for each in self.filling_verdicts), strict=True):
            numbers: dict[object, int] = {}
            found.append([step * numbers.setdefault(content, len(numbers)) for content in contents])
            step *= len(numbers)
        return found

    @cached_property
    def fillings(self) -> list[int]:
        """Each filling as a number."""
        return self._numbers_of(range(len(self.cells)))

    def _candidates(self) -> Sequence[int]:
        # Most of many cells have the same content in all fillings, so they cannot change the answer.
        return [number for number, parts in enumerate(self.parts) if any(parts)]

    def _turns(self, answers: Sequence[int], number: int) -> bool:
        rest = [filling - part for filling, part in zip(self.fillings, self.parts[number], strict=True)]
        return not _is_consistent(rest, answers)

    def _decides(self, answers: Sequence[int], chosen: Collection[int]) -> bool:
        return _is_consistent(self._numbers_of(chosen), answers)

    def _numbers_of(self, chosen: Collection[int]) -> list[int]:
        """For each filling, its contents of some cells as a number."""
        if not chosen:
            return [0] * len(self.verdicts)
        return [sum(parts) for parts in zip(*(self.parts[number] for number in chosen), strict=True)]


class CellsBySort(DecidingCells):
    """Finds them by the sorts of fillings that are left if some cells are known."""

    def __init__(self, sorts: Sorts[object], cells: tuple[Cell, ...]) -> None:
        super().__init__()
        self.sorts, self.cells, self.verdicts = sorts, cells, sorts.verdicts
        self._groups: dict[frozenset[int], set[frozenset[int]]] = {}

    def _decides(self, answers: Sequence[int], chosen: Collection[int]) -> bool:
        key = frozenset(chosen)
        if key not in self._groups:
            self._groups[key] = {frozenset(group) for group in self.sorts.groups(key)}
        return all(len({answers[sort] for sort in group}) <= 1 for group in self._groups[key])


def _is_consistent(keys: Sequence[int], answers: Sequence[int]) -> bool:
    """Whether the same key always has the same answer."""
    spend(1 + len(keys) // FILLINGS_A_STEP)
    answer_by_key: dict[int, int] = {}
    return all(answer_by_key.setdefault(key, answer) == answer for key, answer in zip(keys, answers, strict=True))
