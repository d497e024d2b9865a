"""Brushes of Fief: choose a controller or a building once, and each tap on a village puts it there.

Each lord exists once, so no brush puts the same lord into several villages.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.fief import GAME
from rules.kernel import Cell
from service.i18n.languages import DEFAULT_LANGUAGE
from service.i18n.sentences import Words, words
from web.game_pages import ERASER, Brush, BrushGroup, Entered, Stroke, Touch
from web.games.fief.entry import BUILDINGS, CONTROL, PositionEditor, known_state
from web.games.fief.geography import village_of
from web.games.fief.icons import icon_of, icon_of_flag

PICTURES = {"castle": "buy_castle", "city": "city"}


def brushes(entered: Entered, _chosen: str, said: Words) -> Sequence[BrushGroup]:
    """Each player as a controller, and what is built."""
    colours = [player.colour for player in entered.setup.players]
    flags = [
        Brush(f"{CONTROL}{c}", said.player(c), said.say("board", "brush_control", {"colour": c}), icon_of_flag(c))
        for c in colours
    ]
    labels = {kind: said.say("board", f"edit_{kind}") for kind in BUILDINGS}
    built = [Brush(kind, label, label, icon_of(PICTURES[kind], None)) for kind, label in labels.items()]
    return (
        BrushGroup(said.say("board", "edit_controller"), tuple(flags)),
        BrushGroup(said.say("board", "edit_building"), tuple(built), said.say("board", "brush_lords")),
    )


def paint(entered: Entered, code: str) -> Touch:
    """What a brush makes of each village."""
    table = PositionEditor(entered, known_state(entered), words(DEFAULT_LANGUAGE, GAME.id))
    state = table.state
    colour = next((each for each in state.colours if code == f"{CONTROL}{each}"), None)

    def touch(cell: Cell) -> Stroke | None:
        village = village_of(cell, table.land.villages)
        if village is None:
            return None
        if code == ERASER:
            here = [name for name, lord in state.lords.items() if lord.place == village]
            gone = bool(here) or table.changed(village)
            return Stroke(table.cleared(village, here), takes=True) if gone else None
        if code in BUILDINGS:
            there = state.buildings.get(village) == code
            return Stroke(table.built(village, "village" if there else code), there)
        there = state.control.get(village) == colour
        return Stroke(table.controlled(village, None if there else colour), there) if colour else None

    return touch
