"""Paints a position: choose a piece once, and each tap on a cell puts it there. The address contains the brush."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rules.kernel import Cell
from service.i18n.sentences import Words
from web.board.shapes import Board, Spot
from web.browser.address import CountAddress
from web.browser.language import _
from web.game_pages import ERASER, AnyPositionEntry, Brush, BrushGroup, ChoiceGroup, Snapshot, Stroke, Touch
from web.panels.sentences import capitalise
from web.position_url import Trail, starting_position, step_of

HIDER: Final = "unknown"
"""The code of the brush under which nobody knows what is there."""


@dataclass(frozen=True, slots=True)
class LinkedBrush:
    """A brush with the address that takes it in hand; that of the one in hand puts it down."""

    brush: Brush
    href: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class PaintPanel:
    """What can be painted. `groups` have a title, their brushes and a note; `repeats` make other cells like the chosen.

    `brush` is in hand: `turn` turns it, `down` puts it down, and `status` is what a tap has just done, or can do.
    """

    groups: tuple[tuple[str, tuple[LinkedBrush, ...], str], ...]
    repeats: tuple[LinkedBrush, ...] = ()
    brush: Brush | None = None
    turn: str | None = None
    down: str = ""
    status: str = ""


# --- brushes -----------------------------------------------------------------------------------------------------


def brushes_of(
    entry: AnyPositionEntry, snapshot: Snapshot, code: str, words: Words, *, asks: bool
) -> tuple[BrushGroup, ...]:
    """All that can be painted: the game's own; then what empties a cell, or leaves unknown what is there."""
    found = tuple(entry.brushes(snapshot, code, words))
    if not found:
        return ()
    others = [Brush(ERASER, _("Eraser"), _("Eraser"), ())]
    if asks and entry.mark_unknown is not None:
        others.append(Brush(HIDER, _("unknown"), _("unknown"), ()))
    return (*found, BrushGroup("", tuple(others)))


def _brush_by_code(groups: Iterable[BrushGroup], code: str | None) -> Brush | None:
    return next((brush for group in groups for brush in group.brushes if brush.code == code), None)


def brush_in_hand(
    entry: AnyPositionEntry, snapshot: Snapshot, address: CountAddress, words: Words, *, asks: bool
) -> Brush | None:
    """The brush of an address, if there is such a one."""
    code = address.brush
    return _brush_by_code(brushes_of(entry, snapshot, code, words, asks=asks), code) if code else None


def brush_touch(entry: AnyPositionEntry, snapshot: Snapshot, brush: Brush) -> Touch:
    """What a brush makes of each cell."""
    if brush.code != HIDER:
        return entry.paint(snapshot, brush.code)

    def hide(cell: Cell) -> Stroke | None:
        hidden = entry.hide(snapshot, cell)
        return None if hidden is None or hidden == snapshot else Stroke(hidden)

    return hide


def paint_cells(
    entry: AnyPositionEntry, board: Board, snapshot: Snapshot, address: CountAddress, words: Words, *, asks: bool
) -> CountAddress:
    """The address once its brush has touched its cells, one after the other: each is a tap that can be undone."""
    brush = brush_in_hand(entry, snapshot, address, words, asks=asks)
    bare = replace(address, paint=None, kind=None, show=None)
    spots = [spot for spot in map(board.spot, address.paint or ()) if spot]
    if brush is None or not spots:
        return bare
    steps = list(Trail.of(address.table).steps or (step_of(starting_position(entry, asks=asks)),))
    for spot in spots:
        stroke = brush_touch(entry, snapshot, brush)(spot.cell)
        if stroke is not None:
            snapshot = stroke.snapshot
            steps.append(step_of(snapshot))
    text = Trail(tuple(steps)).text() if len(steps) > 1 else address.table
    return replace(bare, table=text, at=spots[-1].key)


# --- the page ----------------------------------------------------------------------------------------------------


def paint_panel(
    entry: AnyPositionEntry, snapshot: Snapshot, address: CountAddress, words: Words, board: Board, *, asks: bool
) -> PaintPanel:
    """The brushes, and the one in hand."""
    groups = brushes_of(entry, snapshot, address.brush or "", words, asks=asks)
    brush, bare = _brush_by_code(groups, address.brush), replace(address, at=None, kind=None, show=None, brush=None)
    linked = tuple((group.title, tuple(_linked_brushes(group.brushes, bare, brush)), group.note) for group in groups)
    if brush is None:
        return PaintPanel(linked)
    turn = bare.url(brush=brush.turned_code) if brush.turned_code else None
    return PaintPanel(
        linked, (), brush, turn, bare.url(), _paint_status(entry, snapshot, brush, board.spot(address.at))
    )


def with_repeats(
    panel: PaintPanel,
    entry: AnyPositionEntry,
    snapshot: Snapshot,
    address: CountAddress,
    chosen: Sequence[ChoiceGroup],
    words: Words,
) -> PaintPanel:
    """The same at a cell, with the brushes that make others like it."""
    codes = dict.fromkeys(each.brush for group in chosen for each in group.choices if each.is_chosen and each.brush)
    found = (_brush_by_code(entry.brushes(snapshot, code, words), code) for code in codes)
    bare = replace(address, at=None, kind=None, show=None)
    return replace(panel, repeats=tuple(_linked_brushes(filter(None, found), bare, None)))


def _linked_brushes(brushes: Iterable[Brush], bare: CountAddress, chosen: Brush | None) -> Iterator[LinkedBrush]:
    for brush in brushes:
        there = brush == chosen
        yield LinkedBrush(brush, bare.url(brush=None if there else brush.code), there)


def _paint_status(entry: AnyPositionEntry, snapshot: Snapshot, brush: Brush, spot: Spot | None) -> str:
    """What lies on the cell that was touched last; before that, what the brush is."""
    if spot is None:
        return _("In hand: %(piece)s. Tap the cells.", piece=brush.name)
    if brush.code != ERASER and brush_touch(entry, snapshot, brush)(spot.cell) is None:
        return _("%(cell)s. %(piece)s changes nothing here.", cell=spot.name, piece=capitalise(brush.name))
    return spot.name


def with_tap_names(entry: AnyPositionEntry, snapshot: Snapshot, brush: Brush, board: Board) -> Board:
    """The board with cells that say what a tap on them does."""
    touch = brush_touch(entry, snapshot, brush)

    def tap_name(spot: Spot) -> str:
        stroke = touch(spot.cell)
        does = _("nothing changes") if stroke is None else _("take it away") if stroke.takes else brush.name
        return _("%(cell)s. A tap here: %(does)s", cell=spot.name, does=does)

    return replace(board, spots=tuple(replace(spot, name=tap_name(spot)) for spot in board.spots))
