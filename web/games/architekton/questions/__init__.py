"""Asks for a move of Architekton: the tile, its orientation, the house that moves, and the settled buildings."""

from __future__ import annotations

from rules.architekton import play
from rules.architekton.moves import Move
from rules.architekton.state import State
from rules.kernel import Cell
from service.i18n.sentences import Words
from web.game_pages import Codes, Draft
from web.games.architekton.questions import tiles
from web.games.architekton.questions.options import is_site
from web.games.architekton.questions.tile_answers import TileAnswers, TileInProgress

LAY = {"building": tiles.building, "landscape": tiles.landscape}
TURN_UP = {"up_building": tiles.up_building, "up_landscape": tiles.up_landscape}


def draft(state: State, kind: str, cell: Cell | None, codes: Codes, words: Words) -> Draft[Move] | None:
    """The draft of a tile that is laid on a cell, or turned up, by its sides or its picture, with its other answers."""
    if isinstance(cell, str):
        return None
    progress = TileInProgress(state, TileAnswers.read(codes), words)
    if cell is None:
        due = {form.kind for form in play.kinds_to_turn_up(state)} if "up" in play.phase(state) else set()
        return TURN_UP[kind](progress) if kind in due else None
    asks = codes or (cell not in state.tiles and is_site(state, cell))
    if play.phase(state) != "turn" or kind not in LAY or not asks:
        return None
    return LAY[kind](progress, cell)
