"""The tiles of Architekton: which one, how it lies, the house that moves, and what it settles."""

from __future__ import annotations

from rules.architekton import play
from rules.architekton.state import State
from rules.architekton.tiles import Square
from service.texts import Words
from web.boards.drafting.architekton import tiles
from web.boards.drafting.architekton.making import Given, Making, Sketch
from web.boards.drafts import Answers, Draft

LAY = {"building": tiles.building, "landscape": tiles.landscape}
TURN_UP = {"up_building": tiles.up_building, "up_landscape": tiles.up_landscape}


def draft(state: State, kind: str, cell: Square | None, so: Answers, words: Words, sketch: Sketch) -> Draft | None:
    """The draft of a tile that is laid on a cell, or turned up."""
    making = Making(state, Given.read(so), words, sketch)
    if cell is None:
        due = {form.kind for form in play.missing(state)} if "up" in play.phase(state) else set()
        return TURN_UP[kind](making) if kind in due else None
    if play.phase(state) != "turn" or cell in state.tiles or kind not in LAY:
        return None
    return LAY[kind](making, cell)
