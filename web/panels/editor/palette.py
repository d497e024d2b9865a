"""The palette: choose a piece once, and each tap on a cell puts it there. The address contains the brush."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rules.kernel import Cell
from web.board.shapes import Board, Spot
from web.browser.address import EditorAddress
from web.browser.language import _
from web.game_pages import ERASER, Brush, BrushGroup, ChoiceGroup, Stroke, Touch
from web.panels.editor.editor import Editor
from web.panels.sentences import capitalise
from web.position_url import Trail, step_of

HIDER: Final = "unknown"
"""The code of the brush under which nobody knows what is there."""


@dataclass(frozen=True, slots=True)
class LinkedBrush:
    """A brush with the address that takes it in hand; that of the one in hand puts it down."""

    brush: Brush
    href: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Palette:
    """What can be put on cells. `groups` have a title, their brushes and a note; `repeats` make other cells like the
    chosen.

    `brush` is in hand: `turn` turns it, `down` puts it down, and `status` is what a tap has just done, or can do.
    """

    groups: tuple[tuple[str, tuple[LinkedBrush, ...], str], ...]
    repeats: tuple[LinkedBrush, ...] = ()
    brush: Brush | None = None
    turn: str | None = None
    down: str = ""
    status: str = ""


# --- brushes -----------------------------------------------------------------------------------------------------


def _brushes(editor: Editor, code: str) -> tuple[BrushGroup, ...]:
    """All that can be put down: the game's own; then what empties a cell, or leaves unknown what is there."""
    found = tuple(editor.entry.brushes(editor.snapshot, code, editor.words))
    others = [Brush(ERASER, _("empty"), _("empty"), ())]
    if editor.asks and editor.entry.mark_unknown is not None:
        others.append(Brush(HIDER, _("unknown"), _("unknown"), ()))
    return (*found, BrushGroup("", tuple(others))) if found else ()


def _brush_by_code(groups: Iterable[BrushGroup], code: str | None) -> Brush | None:
    return next((brush for group in groups for brush in group.brushes if brush.code == code), None)


def brush_in_hand(editor: Editor) -> Brush | None:
    """The brush of the address, if there is such a one."""
    code = editor.address.brush
    return _brush_by_code(_brushes(editor, code), code) if code else None


def _touch_of(editor: Editor, brush: Brush) -> Touch:
    """What a brush makes of each cell."""
    if brush.code != HIDER:
        return editor.entry.paint(editor.snapshot, brush.code)

    def hide(cell: Cell) -> Stroke | None:
        hidden = editor.entry.hide(editor.snapshot, cell)
        return None if hidden is None or hidden == editor.snapshot else Stroke(hidden)

    return hide


def paint_cells(editor: Editor) -> EditorAddress:
    """The address once its brush has touched its cells, one after the other: each is a tap that can be undone."""
    address, brush = editor.address, brush_in_hand(editor)
    bare = replace(address, paint=None, kind=None, show=None)
    spots = [spot for spot in map(editor.position.board.spot, address.paint or ()) if spot]
    if brush is None or not spots:
        return bare
    steps = list(editor.trail.steps or (step_of(editor.blank),))
    for spot in spots:
        stroke = _touch_of(editor, brush)(spot.cell)
        if stroke is not None:
            editor = replace(editor, position=replace(editor.position, snapshot=stroke.snapshot))
            steps.append(step_of(stroke.snapshot))
    text = Trail(tuple(steps)).text() if len(steps) > 1 else address.table
    return replace(bare, table=text, at=spots[-1].key)


# --- the page ----------------------------------------------------------------------------------------------------


def palette_of(editor: Editor, chosen: Sequence[ChoiceGroup]) -> Palette:
    """The brushes and the one in hand; without one, those that make other cells like the chosen one."""
    address = editor.address
    groups = _brushes(editor, address.brush or "")
    brush, bare = _brush_by_code(groups, address.brush), address.plain()
    linked = tuple((group.title, tuple(_linked_brushes(group.brushes, bare, brush)), group.note) for group in groups)
    if brush is None:
        codes = dict.fromkeys(each.brush for group in chosen for each in group.choices if each.is_chosen and each.brush)
        found = (_brush_by_code(editor.entry.brushes(editor.snapshot, code, editor.words), code) for code in codes)
        return Palette(linked, tuple(_linked_brushes(filter(None, found), bare, None)) if editor.spot else ())
    turn = bare.url(brush=brush.turned_code) if brush.turned_code else None
    return Palette(linked, (), brush, turn, bare.url(), _status(editor, brush))


def _linked_brushes(brushes: Iterable[Brush], bare: EditorAddress, chosen: Brush | None) -> Iterator[LinkedBrush]:
    for brush in brushes:
        there = brush == chosen
        yield LinkedBrush(brush, bare.url(brush=None if there else brush.code), there)


def _status(editor: Editor, brush: Brush) -> str:
    """What lies on the cell that was touched last; before that, what the brush is."""
    spot = editor.spot
    if spot is None:
        return _("In hand: %(piece)s. Tap the cells.", piece=brush.name)
    if brush.code != ERASER and _touch_of(editor, brush)(spot.cell) is None:
        return _("%(cell)s. %(piece)s changes nothing here.", cell=spot.name, piece=capitalise(brush.name))
    return spot.name


def with_tap_names(editor: Editor, brush: Brush) -> Board:
    """The board with cells that say what a tap on them does."""
    board, touch = editor.position.board, _touch_of(editor, brush)

    def tap_name(spot: Spot) -> str:
        stroke = touch(spot.cell)
        does = _("nothing changes") if stroke is None else _("take it away") if stroke.takes else brush.name
        return _("%(cell)s. A tap here: %(does)s", cell=spot.name, does=does)

    return replace(board, spots=tuple(replace(spot, name=tap_name(spot)) for spot in board.spots))
