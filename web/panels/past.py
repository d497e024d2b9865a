"""The panel of an earlier board: it answers questions about a move, and places none."""

from __future__ import annotations

from dataclasses import replace

from service.tables.table import Table
from service.types import State
from web.browser.language import _, language
from web.panels.context import Context, Focus, TableContext
from web.panels.moves.panel_choice import MovePanel, move_focus


def version_before(table: Table, entry: int | None) -> int | None:
    """The version before an entry of the log; None for the first entry."""
    return entry - 1 if entry is not None and 1 < entry <= table.version else None


def past_focus(context: TableContext) -> Focus[MovePanel]:
    """The panel below the board before an entry: that of a board, with moves that are ruled on and not placed."""
    table, entry = context.table, context.address.entry
    state, number = table.states[(version_before(table, entry) or table.version) - 1], table.move_number(entry)
    note = _("The board of then") if number is None else _("The board before no. %(number)s", number=number)
    return focus_on_state(context, state, note)


def focus_on_state(context: TableContext, state: State, note: str) -> Focus[MovePanel]:
    """The panel of a board on which a move is chosen, below a state that is not the one of now."""
    game, pages, address = context.game, context.pages, context.address
    words = pages.words_for(context.words, state)
    then = Context(
        game, state, address, words, pages, pages.draw(state, language(), None, words.people), game.due(state)
    )
    return replace(move_focus(then), past=note)
