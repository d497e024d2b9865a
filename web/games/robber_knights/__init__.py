"""The pages of Robber Knights."""

from __future__ import annotations

from pathlib import Path

from rules.robber_knights.moves import Move
from rules.robber_knights.state import State
from web.game_pages import GamePages, Portrait, PositionEntry
from web.games.robber_knights import board, brushes, entry, questions, symbols
from web.games.robber_knights.beside import beside
from web.games.robber_knights.inks import INKS
from web.games.robber_knights.moment import moment
from web.games.robber_knights.opening import OPENING

PAGES: GamePages[State, Move] = GamePages(
    draw=board.draw,
    options=questions.options,
    attempts=questions.attempts,
    icon=symbols.icon,
    inks=INKS,
    symbols=symbols.SYMBOLS,
    sketch=symbols.sketch,
    draft=questions.draft,
    beside=beside,
    supplies=[("RK-26", "left"), ("RK-26", "counted")],
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
    portrait=Portrait(Path(__file__).with_name("portrait.svg"), "RK-C169"),
)
