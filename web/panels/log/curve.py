"""The score over a game, as a chart and in numbers, with the moments where a reading or a dispute mattered.

The server draws the chart only for a page that shows it: a browser that moves from step to step has it already.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from rules.records import dataclass
from service.referee.score_history import ScoreHistory
from service.tables.decisions import Dispute
from service.tables.entries import Disputed, ReadingsSet, Settled
from web.board import chart
from web.board.chart import Chart
from web.board.layers import mark
from web.board.shapes import Shape
from web.browser.language import _, language
from web.panels.context import TableContext
from web.panels.log.entries import dispute_phrase, readings_phrases
from web.panels.sentences import join_clauses

MAX_ROWS: Final = 60
"""The maximum number of rows of numbers: of more, every nth is shown."""
MAX_MOMENTS: Final = 100
MAX_LOOKED_AT: Final = 500
"""The maximum number of disputes that are searched for these moments."""


class CurveRow(NamedTuple):
    """The points after a step, which is the last of its round if the game has rounds."""

    round: int
    step: int
    href: str
    totals: tuple[int, ...]


class Moment(NamedTuple):
    """A step where a reading or a dispute mattered, and what it was."""

    step: int
    text: str
    href: str


@dataclass(frozen=True)  # without slots: the drawing is cached, and only made if shown
class CurvePart:
    """The score of a game, step by step."""

    context: TableContext
    history: ScoreHistory

    @property
    def mark(self) -> str:
        """The mark of the chart; the selected step does not change it."""
        return mark("curve", self.context.table.version, len(self.history.scores), language())

    @cached_property
    def chart(self) -> Chart:
        """The curves."""
        curves = tuple(
            chart.Curve(seat, name, tuple(stand.totals[seat] for stand in self.history.scores))
            for seat, name in self.names
        )
        lanes = {_("readings"): self.readings, _("disputes"): self.disputes}
        marked = {name: [moment.step for moment in found] for name, found in lanes.items() if found}
        return Chart(curves, self.history.last_step, self.history.rounds, marked)

    @property
    def box(self) -> str:
        """The visible part of the drawing."""
        return f"0 0 {chart.WIDTH} {self.chart.height}"

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The drawing."""
        return tuple(self.chart.shapes())

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """Each player's seat and name."""
        return tuple(self.context.names().items())

    @property
    def last_counted_step(self) -> int | None:
        """The last step with a score; None if all steps have one."""
        return None if self.history.is_complete else len(self.history.scores) - 1

    @property
    def edges(self) -> tuple[int, int]:
        """The horizontal positions of the first and the last step."""
        return chart.LEFT_EDGE, chart.RIGHT

    @property
    def continue_href(self) -> str:
        """The address that counts the remaining steps."""
        return self.context.address.url()

    @cached_property
    def rows(self) -> tuple[CurveRow, ...]:
        """The points at the end of each round; of each step, if there is only one round."""
        rounds, end = self.history.rounds, len(self.history.scores) - 1
        steps = range(end + 1) if len(rounds) < 2 else [0, *(first - 1 for first in rounds[1:]), end]
        every = -(-len(steps) // MAX_ROWS)
        return tuple(map(self._row, dict.fromkeys((*steps[:-1:every], *steps[-1:]))))

    def _row(self, step: int) -> CurveRow:
        totals = tuple(self.history.scores[step].totals[seat] for seat, _name in self.names)
        return CurveRow(self.history.round_of(step), step, self._way(step), totals)

    def _way(self, step: int) -> str:
        address, entry = self.context.address, self.history.numbers[step]
        return address.url(entry=entry, show=None, before=None)

    def move(self, step: int) -> int:
        """The number of moves up to a step."""
        return self.context.table.moves_until(self.history.numbers[step])

    def is_move(self, step: int) -> bool:
        """Whether a step is a move."""
        return self.context.table.move_number(self.history.numbers[step]) is not None

    # --- the moments ---

    @cached_property
    def readings(self) -> tuple[Moment, ...]:
        """The steps where a reading mattered, and those that set readings."""
        return tuple(islice(self._readings(), MAX_MOMENTS))

    def _readings(self) -> Iterator[Moment]:
        words, table = self.context.words, self.context.table
        others = frozenset(table.non_moves)
        for step, (number, stand) in enumerate(zip(self.history.numbers, self.history.scores, strict=False)):
            entry = table.entries[number - 1] if number in others else None
            titles = [words.text["readings"][key]["title"] for key in stand.readings]
            if isinstance(entry, ReadingsSet):
                phrases = join_clauses(readings_phrases(words, entry.readings))
                titles = [_("Rules read from here on: %(readings)s", readings=phrases)]
            if titles:
                yield Moment(step, join_clauses(titles), self._way(step))

    @cached_property
    def disputes(self) -> tuple[Moment, ...]:
        """The disputed steps; if they are out of play, the steps at which the dispute was raised."""
        found = sorted(self._disputes_by_step(), key=lambda each: each[0])[:MAX_MOMENTS]
        return tuple(
            Moment(step, ". ".join(self._phrases(dispute.entry_number, dispute.settlement_number)), self._way(step))
            for step, dispute in found
        )

    def _disputes_by_step(self) -> Iterator[tuple[int, Dispute]]:
        """The first disputes of a table, each with its step."""
        table, numbers = self.context.table, self.history.numbers
        for number, dispute in enumerate(table.disputes[:MAX_LOOKED_AT], start=1):
            raised = table.dispute_entry(number)
            about = raised.entry if raised.entry == 1 or raised.entry in table.in_play else raised.number
            yield bisect_right(numbers, about or 1) - 1, dispute

    def _phrases(self, *numbers: int | None) -> Iterator[str]:
        words, table = self.context.words, self.context.table
        for number in numbers:
            entry = table.entries[number - 1] if number else None
            if isinstance(entry, Disputed | Settled):
                yield dispute_phrase(words, table, entry)
