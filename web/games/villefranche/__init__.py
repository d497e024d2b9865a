"""The pages of Villefranche."""

from __future__ import annotations

from pathlib import Path

from rules.villefranche.moves import Move
from rules.villefranche.state import State
from web.game_pages import GamePages, Portrait, PositionEntry
from web.games.villefranche import board, brushes, entry, questions, symbols
from web.games.villefranche.inks import INKS
from web.games.villefranche.moment import moment

PAGES: GamePages[State, Move] = GamePages(
    draw=board.draw,
    options=questions.options,
    icon=symbols.icon,
    spread_kinds=("rampart", "nave"),
    inks=INKS,
    symbols=symbols.SYMBOLS,
    supplies=[("VF-6", code) for code in ("brick", "cube", "pyramid", "cylinder", "counted")],
    unknown_spot_name=board.unknown_spot_name,
    entry=PositionEntry(
        entry.blank,
        board.draw,
        entry.choices,
        moment,
        mark_unknown=entry.mark_unknown,
        hide=entry.hide,
        brushes=brushes.brushes,
        paint=brushes.paint,
    ),
    portrait=Portrait(Path(__file__).with_name("portrait.svg"), "VF-C352"),
)
