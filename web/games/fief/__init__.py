"""The pages of Fief."""

from __future__ import annotations

from pathlib import Path

from rules.fief.moves import Move
from rules.fief.state import State
from web.game_pages import GamePages, Portrait, PositionEntry
from web.games.fief import board, brushes, entry, questions, scenery, unknown_lords
from web.games.fief.icons import icon_of
from web.games.fief.inks import INKS
from web.games.fief.moment import moment
from web.games.fief.opening import OPENING

PAGES: GamePages[State, Move] = GamePages(
    draw=board.draw,
    options=questions.options,
    attempts=questions.attempts,
    icon=icon_of,
    inks=INKS,
    draft=questions.draft,
    kind_note=questions.kind_note,
    seldom=questions.SELDOM,
    outcome_kinds=("attack", "bishop", "pope", "king"),
    phase=lambda state, words: words.name(state.phase),
    full_names=board.full_names,
    piece_cells=board.lord_places,
    unknown_spot_name=scenery.unknown_spot_name,
    entry=PositionEntry(
        entry.blank,
        board.draw,
        entry.choices,
        moment,
        entry.mark_unknown,
        entry.hide,
        place=unknown_lords.place,
        brushes=brushes.brushes,
        paint=brushes.paint,
    ),
    opening=OPENING,
    portrait=Portrait(Path(__file__).with_name("portrait.svg"), "FI-C211"),
)
