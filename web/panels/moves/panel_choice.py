"""Selects the panel for an address of a board: choose a move, build it answer by answer, or ask about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from rules.forms import Malformed
from service.types import AnyGame, Move
from web.panels.context import Context, Focus
from web.panels.moves import choose
from web.panels.moves.choose import CellPanel, IdlePanel, KindButton
from web.panels.moves.draft import DraftPanel, draft_focus
from web.panels.moves.verdict import VerdictPanel, verdict_focus
from web.panels.sentences import capitalise

MovePanel: TypeAlias = "IdlePanel | CellPanel | VerdictPanel | DraftPanel"
"""A panel below a board where a player chooses a move."""


def move_focus(context: Context) -> Focus[MovePanel]:
    """The panel below a board, and the board for it."""
    address = context.address
    move = read_move(context.game, address.move)
    if move is not None:
        return verdict_focus(context, move)
    spot = context.spot
    options = context.pages.options_at(context.state, spot.cell, context.unknown) if spot else ()
    kind = address.kind or choose.only_kind(options)
    draft = context.draft(kind, spot.cell if spot else None, address.so or ())
    if kind is not None and draft is not None:
        return draft_focus(context, kind, draft, options)
    if spot is None:
        return choose.idle_focus(context)
    option = choose.option_at(options, address.kind)
    if option and len(option.moves) == 1:
        questions = context.draft(option.kind, spot.cell)
        if not context.is_example(option.kind, spot.cell, questions):
            return verdict_focus(context, option.moves[0])
    return choose.cell_focus(context, spot, options)


def kinds_at(context: Context, href: Callable[[str], str]) -> Iterator[KindButton]:
    """The usual kinds of moves at the chosen cell; without one, those that need none.

    `href`: kind -> the address that asks about it.
    """
    pages, state, spot = context.pages, context.state, context.spot
    if spot is None:
        kinds = [kind for kind in context.due.kinds if kind not in pages.seldom and context.draft(kind, None)]
    else:
        kinds = [option.kind for option in pages.options_at(state, spot.cell, context.unknown) if option.usual]
    for kind in kinds:
        icon = context.icon(kind)
        yield KindButton(capitalise(context.words.name(kind)), icon, 0, True, href(kind), False)


def read_move(game: AnyGame, notation: str | None) -> Move | None:
    """The move of an address; None if it names no move, or an invalid one."""
    try:
        return game.read(notation) if notation else None
    except Malformed:
        return None
