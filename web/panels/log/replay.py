"""The panel of the replay: a game step by step, with the verdict on each step, and its score."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from service.referee.score_history import ScoreHistory
from service.rulings import judge
from service.tables.entries import Played
from web.board.layers import mark
from web.browser.address import TableAddress
from web.browser.language import _, language
from web.panels.context import Focus, TableContext, score_history
from web.panels.log.curve import CurvePart
from web.panels.log.entries import entry_phrase
from web.panels.log.log import findings_of, move_light
from web.panels.moves.verdict import other_readings
from web.panels.sentences import Consequence, OtherReading, Reason, consequences, reasons


@dataclass(frozen=True, slots=True)
class StepVerdict:
    """What was ruled on a move when it was played, and what other readings would have changed."""

    ruling: str
    stands: bool
    reasons: tuple[Reason, ...]
    consequences: tuple[Consequence, ...]
    others: tuple[OtherReading, ...]


@dataclass(frozen=True, slots=True)
class Reel:
    """What leads through the steps of a game: a slider, and the first step of each round by its number."""

    path: str
    last: int
    rounds: tuple[int, ...]

    @property
    def mark(self) -> str:
        """What names it: where it stands is no part of that, so that it is not replaced while it is dragged."""
        return mark("reel", self.path, self.last, self.rounds, language())


@dataclass(frozen=True, slots=True)
class ReplayPanel:
    """A step of a game: what was entered, when, and the verdict on it; and the ways to other steps."""

    template: ClassVar[str] = "panel/replay.html"
    reel: Reel
    step: int
    round: int
    number: int
    text: str
    at: datetime
    verdict: StepVerdict | None
    entry: str | None
    curve: CurvePart | None
    first: str | None
    earlier: str | None
    later: str | None
    end: str | None

    @property
    def others(self) -> tuple[OtherReading, ...]:
        """What other readings would have changed."""
        return self.verdict.others if self.verdict else ()


def replay(context: TableContext, address: TableAddress) -> Focus[ReplayPanel]:
    """A step of the game: the board after it, with the verdict that it had."""
    table = context.table
    history = score_history(table)
    step = step_of(history, address)
    entry, panel = table.entries[history.numbers[step] - 1], _panel(context, history, step)
    past = None if step == history.last_step else _("The board after no. %(number)s", number=entry.number)
    if not isinstance(entry, Played):
        return Focus(panel, table.states[entry.number - 1], past=past)
    light, before = move_light(table, entry, context.address.show), table.states[entry.number - 2]
    return Focus(panel, table.states[entry.number - 1], before, light, past)


def step_of(history: ScoreHistory, address: TableAddress) -> int:
    """The step that an address asks for: by itself, by its entry or as the first of a round; else the last."""
    if address.round is not None and 1 <= address.round <= len(history.rounds):
        return min(history.rounds[address.round - 1], history.last_step)
    if address.entry in history.numbers:
        return history.numbers.index(address.entry)
    return history.last_step if address.step is None else min(address.step, history.last_step)


def _panel(context: TableContext, history: ScoreHistory, step: int) -> ReplayPanel:
    table, plain = context.table, context.address.plain("replay")
    entry = table.entries[history.numbers[step] - 1]

    def way(to: int, *, there: bool) -> str | None:
        return plain.url(step=to) if there else None

    return ReplayPanel(
        Reel(plain.url(), history.last_step, history.rounds),
        step,
        history.round_of(step),
        entry.number,
        entry_phrase(context.words, table, entry),
        entry.at,
        _verdict(context, entry, step) if isinstance(entry, Played) else None,
        context.address.plain("log").url(entry=entry.number) if isinstance(entry, Played) else None,
        CurvePart(context, history) if history.last_step else None,
        way(0, there=step > 0),
        way(step - 1, there=step > 0),
        way(step + 1, there=step < history.last_step),
        way(history.last_step, there=step < history.last_step),
    )


def _verdict(context: TableContext, entry: Played, step: int) -> StepVerdict:
    words, table = context.words, context.table
    address = TableAddress(table.id, "replay", zoom=context.address.zoom, step=step, show=context.address.show)
    before = table.states[entry.number - 2]
    now = judge.judge(table.game, before, table.game.read(entry.notation))
    return StepVerdict(
        entry.ruling.value,
        entry.stands,
        reasons(words, findings_of(table, entry), address),
        consequences(words, table.effects(entry.number), entry.findings),
        tuple(other_readings(words, now)),
    )
