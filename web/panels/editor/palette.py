"""Brushes: choose a piece once; each tap on a cell then puts it there. The address contains the brush."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rules.kernel import Cell
from web.board.shapes import Board, Spot
from web.browser.address import EditorAddress
from web.browser.language import _
from web.game_pages import ERASER, Brush, BrushGroup, Stroke, Touch
from web.panels.editor.editor import Editor
from web.panels.sentences import capitalise
from web.position_url import Trail, Unread, snapshot_of, step_of

HIDER: Final = "unknown"
"""The code of the brush that makes cells unknown."""


def brush_groups(editor: Editor, code: str = "") -> Sequence[BrushGroup]:
    """All brushes: the game's own, then those that empty a cell, or make it unknown."""
    found = editor.entry.brushes(editor.snapshot, code, editor.words)
    others = [Brush(ERASER, _("empty"), _("empty"), ())]
    if editor.asks and editor.entry.mark_unknown is not None:
        others.append(Brush(HIDER, _("unknown"), _("unknown"), ()))
    return (*found, BrushGroup("", tuple(others))) if found else ()


def find_brush(editor: Editor, code: str | None) -> Brush | None:
    """The brush of a code, if it exists."""
    every = brush_groups(editor, code) if code else ()
    return next((brush for group in every for brush in group.brushes if brush.code == code), None)


def _touch_of(editor: Editor, brush: Brush) -> Touch:
    """The effect of a brush on each cell."""
    if brush.code != HIDER:
        return editor.entry.paint(editor.snapshot, brush.code)

    def hide(cell: Cell) -> Stroke | None:
        hidden = editor.entry.hide(editor.snapshot, cell)
        return None if hidden is None or hidden == editor.snapshot else Stroke(hidden)

    return hide


def paint_cells(editor: Editor) -> EditorAddress:
    """The address after its brush has touched its cells in order: each is a tap that can be undone."""
    address, brush = editor.address, find_brush(editor, editor.address.brush)
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


def brush_status(editor: Editor, brush: Brush) -> str:
    """The content of the last touched cell; before the first touch, the name of the brush."""
    spot = editor.spot
    if spot is None:
        return _("In hand: %(piece)s. Tap the cells.", piece=brush.name)
    changed = _has_painted(editor, brush, spot)
    if not changed and brush.code not in (ERASER, HIDER) and _touch_of(editor, brush)(spot.cell) is None:
        return _("%(cell)s. %(piece)s: nothing changes here.", cell=spot.name, piece=capitalise(brush.name))
    return spot.name


def _has_painted(editor: Editor, brush: Brush, spot: Spot) -> bool:
    """Whether the last effective tap was this brush on this cell."""
    before = editor.trail.without_last()
    if before is None:
        return False
    try:
        snapshot = snapshot_of(editor.game, editor.entry, before, asks=editor.asks)
    except Unread:  # the earlier position is invalid here
        return False
    stroke = _touch_of(replace(editor, position=replace(editor.position, snapshot=snapshot)), brush)(spot.cell)
    return stroke is not None and stroke.snapshot == editor.snapshot


def with_tap_names(editor: Editor, brush: Brush) -> Board:
    """The board whose cells have names that say what a tap does."""
    board, touch = editor.position.board, _touch_of(editor, brush)

    def tap_name(spot: Spot) -> str:
        stroke = touch(spot.cell)
        does = _("nothing changes") if stroke is None else _("take it away") if stroke.takes else brush.name
        return _("%(cell)s. A tap here: %(does)s", cell=spot.name, does=does)

    return replace(board, spots=tuple(replace(spot, name=tap_name(spot)) for spot in board.spots))
