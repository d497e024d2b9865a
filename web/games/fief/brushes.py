"""Brushes of Fief: choose a controller or a building once; each tap on a village then puts it there.

Each lord exists once, so no brush puts the same lord into several villages.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.fief import GAME
from rules.kernel import Cell
from service.i18n.languages import DEFAULT_LANGUAGE
from service.i18n.sentences import Words, words
from web.game_pages import ERASER, Brush, BrushGroup, Snapshot, Stroke, Touch
from web.games.fief.entry import BUILDINGS, CONTROL, PositionEditor, known_state
from web.games.fief.geography import village_of
from web.games.fief.icons import icon_of, icon_of_flag

PICTURES = {"castle": "buy_castle", "city": "city"}


def brushes(snapshot: Snapshot, _chosen: str, words: Words) -> Sequence[BrushGroup]:
    """Each player as a controller, and the buildings."""
    colours = [player.colour for player in snapshot.setup.players]
    flags = [
        Brush(f"{CONTROL}{c}", words.player(c), words.say("board", "brush_control", {"colour": c}), icon_of_flag(c))
        for c in colours
    ]
    labels = {kind: words.say("board", f"edit_{kind}") for kind in BUILDINGS}
    buildings = [Brush(kind, label, label, icon_of(PICTURES[kind], None)) for kind, label in labels.items()]
    return (
        BrushGroup(words.say("board", "edit_controller"), tuple(flags)),
        BrushGroup(words.say("board", "edit_building"), tuple(buildings), words.say("board", "brush_lords")),
    )


def paint(snapshot: Snapshot, code: str) -> Touch:
    """The effect of a brush on each village."""
    table = PositionEditor(snapshot, known_state(snapshot), words(DEFAULT_LANGUAGE, GAME.id))
    state = table.state
    colour = next((each for each in state.colours if code == f"{CONTROL}{each}"), None)

    def touch(cell: Cell) -> Stroke | None:
        village = village_of(cell, table.land.villages)
        if village is None:
            return None
        if code == ERASER:
            here = [name for name, lord in state.lords.items() if lord.place == village]
            has_contents = bool(here) or table.has_contents(village)
            return Stroke(table.without_contents(village, here), takes=True) if has_contents else None
        if code in BUILDINGS:
            there = state.buildings.get(village) == code
            return Stroke(table.with_building(village, "village" if there else code), there)
        there = state.control.get(village) == colour
        return Stroke(table.with_controller(village, None if there else colour), there) if colour else None

    return touch
