"""Brushes of Villefranche: choose a building once; each tap on a cell then puts it there.

A brick lies on two cells, and a tap names one. So the brush has a direction; if the second cell is taken, it turns to
another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rules.kernel import Cell
from rules.villefranche import GAME
from rules.villefranche.board import CORNER_NAMES, INDEX
from rules.villefranche.state import COLOURS, Colour, Piece
from service.i18n.languages import DEFAULT_LANGUAGE
from service.i18n.sentences import Words, words
from web.board.shapes import Shape
from web.game_pages import ERASER, Brush, BrushGroup, Snapshot, Stroke, Touch
from web.games.villefranche.board import BORDER
from web.games.villefranche.entry import ALONE, Cells, Hand, brick, brick_stacks, tower

ACROSS, UP = "church", "upright"
"""A church that takes the next cell to the right, and one that takes the cell above."""
STAGES: Final = {"nave": False, "choir": True}
"""The additions to a church: the second nave, or that and the bell tower."""


def brushes(_snapshot: Snapshot, _chosen: str, words: Words) -> Sequence[BrushGroup]:
    """The buildings of each colour; then the additions to a church."""
    found = [BrushGroup(words.player(colour), tuple(_of_a_colour(colour, words))) for colour in COLOURS]
    return (*found, BrushGroup(words.say("board", "brush_on_church"), tuple(_on_a_church(words))))


def _of_a_colour(colour: Colour, words: Words) -> Iterator[Brush]:
    for code in ("house", "shop"):
        label, name = words.say("board", f"edit_{code}"), words.say("board", code, {"colour": colour})
        yield Brush(f"{colour}-{code}", label, name, tower(colour, ALONE[code]))
    pictures: dict[str, tuple[Shape, ...]] = {
        "tower": tower(colour, ("cylinder",)),
        ACROSS: brick(colour, "c4", "d4"),
        UP: brick(colour, "c4", "c5"),
        "rampart": brick(colour, "c9", "d9"),
    }
    for code, picture in pictures.items():
        label = words.say("board", f"brush_{code}")
        yield Brush(f"{colour}-{code}", label, words.say("board", f"brush_{code}_of", {"colour": colour}), picture)


def _on_a_church(words: Words) -> Iterator[Brush]:
    for code, choir in STAGES.items():
        label = words.say("board", f"brush_{code}")
        yield Brush(code, label, label, tower(COLOURS[1], ["nave-half"] * 2 + ["pyramid"] * choir))


def paint(snapshot: Snapshot, code: str) -> Touch:
    """The effect of a brush on each cell."""
    colour = next((each for each in COLOURS if code.startswith(f"{each}-")), None)
    form = code.partition("-")[2] if colour else code

    def touch(cell: Cell) -> Stroke | None:
        if not isinstance(cell, str) or cell not in INDEX:
            return None
        hand = Hand(snapshot, words(DEFAULT_LANGUAGE, GAME.id), cell)
        if code == ERASER:
            return _erase(hand)
        if colour and form == "tower":
            return _raise_tower(hand, colour)
        if cell in CORNER_NAMES:
            return None
        if colour and form in ALONE:
            return _put_alone(hand, tuple(Piece(piece, colour) for piece in ALONE[form]))
        if colour and form in (ACROSS, UP, "rampart"):
            return _lay_brick(hand, colour, form)
        return _extend_church(hand, choir=STAGES[form]) if form in STAGES else None

    return touch


def _erase(hand: Hand) -> Stroke | None:
    now = hand.with_cells(hand.without_building())
    return None if now == hand.snapshot else Stroke(now, takes=True)


def _raise_tower(hand: Hand, colour: Colour) -> Stroke | None:
    """Add a storey to a corner tower, or to a noble tower of this colour; remove a complete one."""
    if hand.cell in CORNER_NAMES:
        return Stroke(hand.with_cells(hand.with_storey(colour)))
    storey = Piece("cylinder", colour)
    below = hand.current_stack if set(hand.current_stack) == {storey} else ()
    return _put_alone(hand, below if len(below) == len(ALONE["tower3"]) else (*below, storey))


def _put_alone(hand: Hand, stack: tuple[Piece, ...]) -> Stroke | None:
    """Put a building on this cell alone, in place of its content."""
    if hand.cell in BORDER:
        return None
    there = hand.current_stack == stack
    return Stroke(hand.with_cells(hand.without_building() if there else hand.with_building_alone(stack)), there)


def _lay_brick(hand: Hand, colour: Colour, form: str) -> Stroke | None:
    """Lay a brick on this cell and one beside it, or on both cells of the brick it replaces; one below others stays."""
    if (form == "rampart") != (hand.cell in BORDER):
        return None
    first, cleared = next(iter(hand.current_stack), None), hand.without_building()
    other = (first.second if first else None) or _beside(hand, cleared, form)
    if other is None:
        return None
    pieces = brick_stacks(colour, hand.cell, other, 1)
    there = pieces.items() <= hand.cells.items()
    if first and pieces[hand.cell] == (first,) and not there:
        return None
    return Stroke(hand.with_cells(cleared if there else {**cleared, **pieces}), there)


def _beside(hand: Hand, cells: Cells, form: str) -> str | None:
    """The free cell for the other half: to the right or above, else to the left or below."""
    ways = hand.free_neighbours(cells)
    return max(
        (other for other in ways if form == "rampart" or (other[0] == hand.cell[0]) == (form == UP)), default=None
    )


def _extend_church(hand: Hand, *, choir: bool) -> Stroke | None:
    """Put the second nave, or also the bell tower, on a church; remove what is there already."""
    first = next(iter(hand.current_stack), None)
    if first is None or first.second is None or hand.cell in BORDER:
        return None
    full = {at: hand.cells[at] for at in (hand.cell, first.second) if at in hand.cells}
    now = hand.stage(first.colour, first.second, 2, choir=choir)
    there = full.items() <= now.items()
    less = hand.stage(first.colour, first.second, 2 if choir else 1)
    return Stroke(hand.with_cells(less if there else now), there)
