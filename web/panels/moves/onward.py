"""Buttons that enter forced moves at one tap, and a line that says what they did."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from rules.records import dataclass
from service.i18n.sentences import Words
from service.tables.forced_moves import ForcedMove, count_entered_together, forced_run, is_forced_move, next_step
from service.tables.table import Table
from service.types import AnyGame, Move
from web.browser.language import _
from web.panels.context import TableContext
from web.panels.sentences import capitalise, new_key


@dataclass(frozen=True, slots=True)
class OnwardButton:
    """A button that enters moves, in notation, at once. `label`: what comes then; `note`: what to know before.

    `alone`: the player can do nothing else now.
    """

    id: str
    label: str
    note: str
    moves: tuple[str, ...]
    key: str
    alone: bool


def buttons(context: TableContext, legal: Sequence[Move]) -> tuple[OnwardButton, ...]:
    """The buttons that skip all forced moves, if there are several, and that enter one step."""
    row = tuple(takewhile(lambda step: _can_enter_here(context, step), forced_run(context.game, context.state, legal)))
    step = row[0] if row else next_step(context.game, context.state, legal)
    if step is None:
        return ()
    note = context.pages.kind_note(context.state, step.move.kind, context.words, possible=True)
    one = _button(context, "onward", (step,), note, alone=len(row) == 1 or len(legal) == 1)
    return (_button(context, "skip", row, _skip_note(context, row), alone=True), one) if len(row) > 1 else (one,)


def _can_enter_here(context: TableContext, step: ForcedMove) -> bool:
    """Whether this phone may enter a step: one player's phone enters no other player's."""
    return context.seat is None or context.game.due(step.before).seat in (None, context.seat)


def _button(context: TableContext, id_: str, steps: Sequence[ForcedMove], note: str, *, alone: bool) -> OnwardButton:
    """The button that enters some steps. If nothing has words for what comes, it names the first move and what is due
    after the last.
    """
    game, words = context.game, context.words
    label = _what_comes(words, game, steps)
    if not label:
        label, note = capitalise(words.name(steps[0].move.kind)), note or words.due_text(game.due(steps[-1].after))
    return OnwardButton(id_, label, note, tuple(game.write(step.move) for step in steps), new_key(), alone)


def _skip_note(context: TableContext, steps: Sequence[ForcedMove]) -> str:
    """The number of moves that one tap enters, and that the only alternatives are moves out of turn, or none."""
    if any(kind in context.game.out_of_turn for kind in context.due.kinds):
        return _("Enters %(n)s moves, without any cards", n=len(steps))
    return _("Enters %(n)s moves, the only possible ones", n=len(steps))


def _what_comes(words: Words, game: AnyGame, steps: Sequence[ForcedMove]) -> str:
    """What comes after some steps: in the game's words, or else whose turn it is; empty if it is nobody's."""
    before, after = game.due(steps[0].before), game.due(steps[-1].after)
    seat_before, who = before.seat, after.seat
    if len(steps) > 1:
        skip = _("Skip to %(who)s’s turn", who=words.player(who)) if who else ""
        return words.continue_label(after, seat_before, "skip") or skip
    if not seat_before or not who or seat_before == who:
        return words.continue_label(after, seat_before)
    same = game.phase(steps[0].before) == game.phase(steps[0].after)
    turn = _("%(done)s is done: %(who)s’s turn", done=words.player(seat_before), who=words.player(who))
    return words.continue_label(after, seat_before, "turn" if same else "") or turn


# --- what was done -----------------------------------------------------------------------------------------------


def onward_news(words: Words, table: Table, number: int) -> str:
    """What comes after the last entry of a table, if it is a forced move, and how many one tap entered; else empty."""
    game = table.game
    if table.line[-1:] != (number,) or not is_forced_move(table, number) or game.due(table.state).ended:
        return ""
    step = ForcedMove(game.read(table.move_entry(number).notation), table.states[number - 2], table.state)
    text, n = _what_comes(words, game, (step,)), count_entered_together(table, table.line[::-1])
    return text if n == 1 or not text else _("%(what)s (%(n)s entries)", what=text, n=n)
