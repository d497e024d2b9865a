"""Brushes of Architekton: choose a tile once; each tap on a cell then puts it there.

A building takes the orientation that its neighbours need, since its sides do not score. A building that is taken from a
cell keeps its own orientation, and can be turned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.architekton import GAME
from rules.architekton.moves import Building as Lay
from rules.architekton.moves import Land
from rules.architekton.state import COLOURS, BuildingTile, Colour, LandscapeTile
from rules.architekton.tiles import LANDSCAPE, LETTER
from rules.kernel import Cell
from service.i18n.languages import DEFAULT_LANGUAGE
from service.i18n.sentences import Words, words
from web.game_pages import ERASER, Brush, BrushGroup, Snapshot, Stroke, Touch
from web.games.architekton.entry import Hand, brush_of
from web.games.architekton.symbols import sketch

SIDES = 4


def brushes(_snapshot: Snapshot, chosen: str, words: Words) -> Sequence[BrushGroup]:
    """A building with each house or without, and each landscape; and the building in hand, if it has its own sides."""
    landscapes = [Brush(name, words.name(name), words.name(name), sketch(Land((0, 0), name), None)) for name in LETTER]
    return (
        BrushGroup(
            words.say("board", "edit_building"), tuple(_buildings(chosen, words)), words.say("board", "brush_sides")
        ),
        BrushGroup(words.say("board", "edit_landscape"), tuple(landscapes)),
    )


def _buildings(chosen: str, words: Words) -> Iterator[Brush]:
    for colour in (*COLOURS, None):
        label = words.say("board", "edit_house" if colour else "edit_no_house", {"colour": colour})
        name = words.say("board", "brush_house" if colour else "brush_building", {"colour": colour})
        yield Brush(brush_of(colour), label, name, sketch(Lay((0, 0), "".join(LANDSCAPE)), colour))
        sides = _sides(chosen)
        if sides and chosen == brush_of(colour, sides):
            values = {"colour": colour, "sides": [LANDSCAPE[letter] for letter in sides]}
            name = words.say("board", "house" if colour else "building", values)
            turned = brush_of(colour, sides[-1] + sides[:-1])
            yield Brush(chosen, label, name, sketch(Lay((0, 0), sides), colour), turned)


def _sides(code: str) -> str:
    """The sides in the code of a brush, if it has any."""
    sides = code.rpartition("-")[2]
    return sides if len(sides) == SIDES and set(sides) <= set(LANDSCAPE) else ""


def _colour(code: str) -> Colour | None:
    return next((colour for colour in COLOURS if code.startswith(f"building-{colour}")), None)


def paint(snapshot: Snapshot, code: str) -> Touch:
    """The effect of a brush on each cell."""
    sides, colour = _sides(code), _colour(code)
    landscape = next((name for name in LETTER if name == code), None)

    def touch(cell: Cell) -> Stroke | None:
        if isinstance(cell, str):
            return None
        hand = Hand(snapshot, words(DEFAULT_LANGUAGE, GAME.id), cell)
        if code == ERASER:
            now = hand.without_tile()
            return None if now == snapshot else Stroke(now, takes=True)
        if landscape or sides:
            tile = LandscapeTile(cell, landscape) if landscape else BuildingTile(cell, sides, colour)
            now = hand.with_tile(tile)
        else:
            tile, now = hand.with_house(colour)
        there = tile in (hand.building, hand.landscape) and not (sides and hand.assumptions)
        return Stroke(hand.without_tile() if there else now, there)

    return touch
