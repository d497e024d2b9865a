"""The strip below the board: the brushes, the choices for the chosen cell, and what lies beside the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from rules.forms import EMPTY, THE_REST, rest_is_unknown
from rules.records import dataclass
from web.board.shapes import Shape
from web.browser.language import _
from web.game_pages import Brush, Choice, ChoiceGroup
from web.panels.editor.editor import COUNT, GO_ON, Editor
from web.panels.editor.palette import HIDER, brush_groups, brush_status, find_brush
from web.position_url import unknown_board_cells

READINGS: Final = "readings"
"""The open group while a player chooses readings."""
FACTS: Final = "facts"
"""The open group while a player chooses a folded fact."""


@dataclass(frozen=True, slots=True)
class Take:
    """A button of the strip: it takes a brush in hand, or makes a choice for a place.

    `step`: it changes the position. `is_disabled`: it has no link now.
    """

    label: str
    icon: tuple[Shape, ...]
    href: str
    is_chosen: bool
    step: bool = False
    is_unknown: bool = False
    is_disabled: bool = False


@dataclass(frozen=True, slots=True)
class TakeGroup:
    """Buttons that belong together. A `seldom` group is visible when `open`; a title that `is_plain` is only read out.

    `note`: a hint on the brush in hand.
    """

    title: str
    takes: tuple[Take, ...]
    is_plain: bool = True
    seldom: bool = False
    open: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Strip:
    """The offers of the strip: the `pieces`, or the choices for a place (`groups`) with `repeat`, the link to paint
    other cells like it. Beside the pieces, `groups` say whose turn it is, and `facts` lie in a fold.

    `brush`: the one in hand; `turn`: the link that turns it; `status`: what a tap has just done, or can do.
    """

    pieces: tuple[TakeGroup, ...] = ()
    groups: tuple[TakeGroup, ...] = ()
    facts: tuple[TakeGroup, ...] = ()
    repeat: str | None = None
    brush: Brush | None = None
    turn: str | None = None
    status: str = ""


def strip_of(editor: Editor) -> Strip:
    """The readings, the choices for the chosen place, or the brushes and what lies beside the board."""
    entry, snapshot, words = editor.entry, editor.snapshot, editor.words
    brush = find_brush(editor, editor.address.brush)
    if editor.address.kind == READINGS and editor.ending != GO_ON:
        return Strip(groups=_linked(editor, _readings(editor), READINGS))
    chosen = () if brush else _chosen_groups(editor)
    if chosen or (editor.spot and not brush):
        return Strip(groups=_linked(editor, chosen), repeat=_repeat(editor, chosen))
    moments = () if editor.ending == COUNT else entry.moment(snapshot, words)
    due = [group for group in moments if not group.seldom]
    facts = [group for group in (*moments, *entry.choices(snapshot, None, words)) if group not in due]
    return Strip(
        tuple(_pieces(editor, brush)),
        _linked(editor, due),
        _linked(editor, _for_ending(editor, facts), FACTS),
        brush=brush,
        turn=editor.address.plain().url(brush=brush.turned_code) if brush and brush.turned_code else None,
        status=brush_status(editor, brush) if brush else "",
    )


# --- pieces ------------------------------------------------------------------------------------------------------


def _pieces(editor: Editor, in_hand: Brush | None) -> Iterator[TakeGroup]:
    """The brushes; the last group also sets all that was never entered. A tap on the brush in hand puts it down."""
    for group in brush_groups(editor, editor.address.brush or ""):
        takes = []
        for brush in group.brushes:
            is_chosen = brush == in_hand
            href = editor.address.plain().url(brush=None if is_chosen else brush.code)
            takes.append(Take(brush.label, brush.icon, href, is_chosen, is_unknown=brush.code == HIDER))
        if not group.title:
            takes += [_take(editor, choice, None) for choice in _rest(editor)]
        yield TakeGroup(group.title, tuple(takes), note=group.note if in_hand in group.brushes else "")


def _repeat(editor: Editor, chosen: Sequence[ChoiceGroup]) -> str | None:
    """The link to paint other cells like the chosen one, if no brush of the strip can."""
    known = {brush.code for group in brush_groups(editor) for brush in group.brushes}
    codes = {each.brush for group in chosen for each in group.choices if each.is_chosen} - known
    code = next((code for code in codes if find_brush(editor, code)), None)
    return code and editor.address.plain().url(brush=code)


# --- places ------------------------------------------------------------------------------------------------------


def _chosen_groups(editor: Editor) -> Sequence[ChoiceGroup]:
    """The choices for the chosen cell, or for a place that is no spot of the board."""
    entry, snapshot, at, spot = editor.entry, editor.snapshot, editor.address.at, editor.spot
    found = entry.choices(snapshot, spot.cell if spot else at, editor.words) if at else ()
    return _for_ending(editor, (*found, *_hide_groups(editor)))


def _for_ending(editor: Editor, groups: Sequence[ChoiceGroup]) -> Sequence[ChoiceGroup]:
    """At a table, only the choices that keep the setup; none is folded while details are only assumed."""
    if editor.ending != GO_ON:
        return groups
    setup, incomplete = editor.snapshot.setup, bool(editor.snapshot.assumptions)
    kept = [each for each in groups if all(one.snapshot.setup == setup for one in each.choices)]
    return [replace(each, seldom=each.seldom and not incomplete) for each in kept]


def _hide_groups(editor: Editor) -> Iterator[ChoiceGroup]:
    """The choice that the chosen cell is unknown, where it can be."""
    spot = editor.spot
    hidden = editor.entry.hide(editor.snapshot, spot.cell) if spot and editor.asks else None
    if spot is not None and hidden is not None:
        unseen = unknown_board_cells(editor.game, editor.position.unknown)
        yield ChoiceGroup("", (Choice(_("unknown"), (), hidden, spot.cell in unseen, is_unknown=True),))


def _rest(editor: Editor) -> Iterator[Choice]:
    """The choice for all that was never entered: one tap makes it empty, another one unknown again."""
    snapshot = editor.snapshot
    if editor.entry.mark_unknown is None or not editor.asks:
        return
    if rest_is_unknown(snapshot.position):
        yield Choice(_("All else is empty"), (), snapshot.with_changes(rest=EMPTY))
    else:
        yield Choice(_("All else is unknown"), (), snapshot.with_changes(rest=THE_REST), is_unknown=True)


def _readings(editor: Editor) -> Iterator[ChoiceGroup]:
    """The readings of the printed rules, each with its values."""
    snapshot, state = editor.snapshot, editor.position.state
    for reading in editor.game.readings:
        text = editor.words.text["readings"][reading.key]
        found = []
        for value in reading.values:
            is_chosen = state.readings[reading.key] == value
            setup = replace(snapshot.setup, readings={**state.readings, reading.key: value})
            now = snapshot if is_chosen else replace(snapshot, setup=setup)
            found.append(Choice(text["values"][value], (), now, is_chosen))
        yield ChoiceGroup(text["title"], tuple(found))


def _linked(editor: Editor, groups: Iterable[ChoiceGroup], fold: str | None = None) -> tuple[TakeGroup, ...]:
    """Groups with their addresses. A choice keeps its fold open: the `fold` of all, or the group's own."""
    found = []
    for number, group in enumerate(groups, 1):
        kind = fold or (str(number) if group.seldom else None)
        takes = tuple(_take(editor, choice, kind) for choice in group.choices)
        is_plain, is_open = any(choice.brush for choice in group.choices), kind == editor.address.kind is not None
        found.append(TakeGroup(group.title, takes, is_plain, group.seldom and not fold, is_open))
    return tuple(found)


def _take(editor: Editor, choice: Choice, kind: str | None) -> Take:
    """A choice with its address. A choice that changes nothing is no step."""
    at, step = choice.at or editor.address.at, choice.snapshot != editor.snapshot
    href = editor.step(choice.snapshot, at, kind) if step else editor.address.url(at=at, kind=kind, show=None)
    label = choice.label or _("nothing")
    return Take(label, choice.icon, href, choice.is_chosen, step, choice.is_unknown, choice.is_disabled)
