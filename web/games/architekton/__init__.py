"""The pages of Architekton."""

from __future__ import annotations

from pathlib import Path

from rules.architekton.moves import Move
from rules.architekton.state import State
from web.game_pages import GamePages, Portrait, PositionEntry
from web.games.architekton import board, brushes, entry, questions, symbols
from web.games.architekton.beside import beside
from web.games.architekton.inks import INKS
from web.games.architekton.moment import moment
from web.games.architekton.opening import OPENING
from web.games.architekton.questions.options import attempts, options

PAGES: GamePages[State, Move] = GamePages(
    draw=board.draw,
    options=options,
    attempts=attempts,
    icon=symbols.icon,
    inks=INKS,
    symbols=symbols.SYMBOLS,
    sketch=symbols.sketch,
    draft=questions.draft,
    beside=beside,
    supplies=[("AR-13", "counted")],
    entry=PositionEntry(
        entry.blank,
        board.draw_entry,
        entry.choices,
        moment,
        mark_unknown=entry.mark_unknown,
        hide=entry.hide,
        visible_position=entry.visible_position,
        brushes=brushes.brushes,
        paint=brushes.paint,
    ),
    opening=OPENING,
    portrait=Portrait(Path(__file__).with_name("portrait.svg"), "AR-C155"),
)
