"""The controls that lead through a game: a slider over its steps, its rounds, and the chart of its score."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from rules.records import dataclass
from service.tables.rounds import Turn, round_starts
from service.tables.table import Table
from web.board.layers import mark
from web.browser.address import TableAddress
from web.browser.language import language
from web.panels.context import TableContext, score_history
from web.panels.log.curve import CurvePart

CHART: Final = "chart"
"""The value in an address that shows the chart."""


@dataclass(frozen=True, slots=True)
class Reel:
    """The steps of a game: 0 is its beginning, and step n the nth entry in play, with the number ``numbers[n]``.

    `step`: the selected one; `rounds`: the first steps of the rounds. `move` of `last_move` moves are made at the step.
    """

    address: TableAddress
    numbers: Sequence[int]
    rounds: tuple[int, ...]
    step: int
    move: int
    last_move: int
    curve: CurvePart | None

    @property
    def last(self) -> int:
        """The last step."""
        return len(self.numbers) - 1

    @property
    def round(self) -> int:
        """The round of the step."""
        return max(bisect_right(self.rounds, self.step), 1)

    @property
    def path(self) -> str:
        """The path of the form that selects a step or a round."""
        return step_address(self.address).url()

    @property
    def chart_href(self) -> str:
        """The address that shows or hides the chart."""
        return replace(self.address, do=None if self.curve else CHART).url()

    @property
    def mark(self) -> str:
        """The mark of the slider. The selected step does not change it, so no swap interrupts a drag."""
        return mark("reel", self.path, self.last, self.rounds, language())

    def way(self, step: int) -> str | None:
        """The link to a step; None for the selected step, and for one that does not exist."""
        if step == self.step or not 0 <= step <= self.last:
            return None
        return step_address(self.address, self.numbers[step]).url()


def curve_of(context: TableContext, address: TableAddress) -> CurvePart | None:
    """The score over a game, if the page shows the chart."""
    shown = address.do == CHART and context.table.line
    return CurvePart(context, score_history(context.table)) if shown else None


def reel_of(table: Table, address: TableAddress, turns: Mapping[int, Turn], curve: CurvePart | None) -> Reel:
    """The slider of a table's game, at the open entry; else at the end."""
    numbers = (1, *table.line)
    step = len(numbers) - 1 if address.entry is None else bisect_right(numbers, address.entry) - 1
    rounds, now = _rounds(numbers, turns), table.moves_until(numbers[step])
    return Reel(address, numbers, rounds, step, now, len(table.moves), curve)


def with_entry(table: Table, turns: Mapping[int, Turn], address: TableAddress) -> TableAddress:
    """The address with the number of its entry, which it may name by number, by step or as the first of a round.

    The last entry stands for one that does not exist.
    """
    numbers = (1, *table.line)
    rounds, step, entry = _rounds(numbers, turns), address.step, address.entry
    if address.round is not None and 1 <= address.round <= len(rounds):
        step = rounds[address.round - 1]
    elif entry is not None and 1 <= entry <= table.version:
        return replace(address, step=None, round=None)
    found = numbers[min(len(numbers) - 1 if step is None else step, len(numbers) - 1)]
    return replace(address, entry=found, step=None, round=None)


def step_address(address: TableAddress, entry: int | None = None) -> TableAddress:
    """The log with an open entry, on the page of that entry, with the same chart."""
    shown = CHART if address.do == CHART else None
    return TableAddress(address.table, "log", zoom=address.zoom, entry=entry, do=shown)


def _rounds(numbers: Sequence[int], turns: Mapping[int, Turn]) -> tuple[int, ...]:
    """The first steps of the known rounds."""
    known = next((step for step, number in enumerate(numbers) if number not in turns), len(numbers))
    return round_starts(turns[number] for number in numbers[:known])
