"""The pages of Villa Paletti."""

from __future__ import annotations

from pathlib import Path

from rules.villa_paletti.moves import Move
from rules.villa_paletti.state import State
from web.game_pages import GamePages, Portrait, PositionEntry
from web.games.villa_paletti import board, brushes, entry, questions, symbols
from web.games.villa_paletti.inks import INKS
from web.games.villa_paletti.moment import moment
from web.games.villa_paletti.opening import OPENING
from web.games.villa_paletti.questions.options import attempts, guesses, options

PAGES: GamePages[State, Move] = GamePages(
    draw=board.draw,
    options=options,
    attempts=attempts,
    icon=symbols.icon,
    icon_name=board.icon_name,
    landing_cells=board.landing_cells,
    inks=INKS,
    symbols=symbols.SYMBOLS,
    sketch=symbols.sketch,
    draft=questions.draft,
    seldom=("crash", "end"),
    handling_notes=questions.handling_notes,
    guesses=guesses,
    unknown_spot_name=board.unknown_spot_name,
    entry=PositionEntry(
        entry.blank,
        board.draw_entry,
        entry.choices,
        moment,
        mark_unknown=entry.mark_unknown,
        hide=entry.hide,
        brushes=brushes.brushes,
        paint=brushes.paint,
    ),
    opening=OPENING,
    portrait=Portrait(Path(__file__).with_name("portrait.svg"), "VP-C185"),
)
