"""Brushes of Robber Knights: choose a face or a knight once; each tap on a cell then puts it there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.kernel import Cell
from rules.robber_knights.state import COLOURS, StandingTile
from service.i18n.sentences import Words
from web.game_pages import ERASER, Brush, BrushGroup, Snapshot, Stroke, Touch
from web.games.robber_knights.entry import FACES, known_tile, picture_of_knight, tile_at, with_tile, without_tile
from web.games.robber_knights.symbols import icon

KNIGHT = "knight-"


def brushes(snapshot: Snapshot, _chosen: str, words: Words) -> Sequence[BrushGroup]:
    """A knight of each player, and every face."""
    knights = []
    for player in snapshot.setup.players:
        name = words.say("board", "edit_on_top", {"colour": player.colour})
        knights.append(Brush(f"{KNIGHT}{player.colour}", name, name, picture_of_knight(player.colour, words)))
    faces = tuple(Brush(face, words.name(face), words.name(face), icon(face, None)) for face in FACES)
    return (
        BrushGroup(words.say("board", "edit_knights"), tuple(knights), words.say("board", "brush_knights")),
        BrushGroup(words.say("board", "edit_tile"), faces),
    )


def paint(snapshot: Snapshot, code: str) -> Touch:
    """The effect of a brush on each cell."""
    face = next((each for each in FACES if each == code), None)
    knight = next((colour for colour in COLOURS if code == f"{KNIGHT}{colour}"), None)

    def touch(cell: Cell) -> Stroke | None:
        if isinstance(cell, str):
            return None
        tile = known_tile(tile_at(snapshot, cell))
        if code == ERASER:
            now = without_tile(snapshot, cell)
            return None if now == snapshot else Stroke(now, takes=True)
        if face is None:  # another knight on top, which needs a tile
            more = replace(tile, knights=(*tile.knights, knight)) if tile and knight else None
            return Stroke(with_tile(snapshot, cell, more)) if more else None
        turned = replace(tile, face=face) if tile else StandingTile(cell, face)
        if turned != tile:
            return Stroke(with_tile(snapshot, cell, turned))
        # A second tap does not remove a tile with knights on it.
        return None if turned.knights or turned.covered else Stroke(without_tile(snapshot, cell), takes=True)

    return touch
