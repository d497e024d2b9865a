"""What can be made of the chosen cell, or said of what lies beside the board, each with the address of a tap on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rules.forms import EMPTY, THE_REST, rest_is_unknown
from web.board.shapes import Shape
from web.browser.language import _
from web.game_pages import Choice, ChoiceGroup, Snapshot
from web.panels.editor.editor import GO_ON, Editor
from web.position_url import unknown_board_cells

READINGS: Final = "readings"
"""The group that is open while the readings are chosen."""
FACTS: Final = "facts"
"""The group that is open while a fact is chosen that is folded away."""


@dataclass(frozen=True, slots=True)
class LinkedChoice:
    """A choice with its address."""

    label: str
    icon: tuple[Shape, ...]
    href: str
    is_chosen: bool
    step: bool
    """It changes what is entered."""
    is_unknown: bool = False
    """It says that nobody knows."""
    is_disabled: bool = False
    """It leads no further now."""


@dataclass(frozen=True, slots=True)
class LinkedGroup:
    """Choices that belong together. Those that are seldom wanted are seen when they are `open`.

    `is_plain`: the palette has the same pieces, and as there, the title is only read out.
    """

    title: str
    choices: tuple[LinkedChoice, ...]
    seldom: bool
    open: bool
    is_plain: bool


@dataclass(frozen=True, slots=True)
class Choices:
    """What the strip offers: `groups` in sight and `facts` in a fold; `rest`: what all is that was never entered."""

    groups: tuple[LinkedGroup, ...]
    facts: tuple[LinkedGroup, ...]
    rest: LinkedChoice | None


def chosen_groups(editor: Editor) -> Sequence[ChoiceGroup]:
    """What can be made of the chosen cell, or of a place that is no spot of the board."""
    entry, snapshot, at, words = editor.entry, editor.snapshot, editor.address.at, editor.words
    spot = editor.spot
    found = entry.choices(snapshot, spot.cell if spot else at, words) if at else ()
    return _for_ending(editor, (*found, *_hide_groups(editor)))


def choices_of(editor: Editor, chosen: Sequence[ChoiceGroup]) -> Choices:
    """The choices at the chosen place; without one, whose turn it is, who plays, and what else lies beside the board.

    With a brush in hand, only what all else is.
    """
    linker = _Linker(editor)
    rest = linker.choice(everything, None) if (everything := _rest(editor)) else None
    if editor.address.brush:
        return Choices((), (), rest)
    if editor.address.kind == READINGS and editor.ending != GO_ON:
        return Choices(tuple(linker.group(group, READINGS) for group in _readings(editor)), (), None)
    if editor.spot or chosen:
        return Choices(tuple(linker.group(group, str(n)) for n, group in enumerate(chosen, 1)), (), None)
    entry, snapshot, words = editor.entry, editor.snapshot, editor.words
    moments = entry.moment(snapshot, words) if editor.asks else ()
    every = _for_ending(editor, (*moments, *entry.choices(snapshot, None, words)))
    due = every[: bool(moments)]
    first = [group for group in every if group in due or _is_needed(group, snapshot)]
    facts = [group for group in every if group not in first]
    return Choices(
        tuple(linker.group(group, str(n)) for n, group in enumerate(first, 1)),
        tuple(linker.group(group, FACTS) for group in facts),
        rest,
    )


def _for_ending(editor: Editor, groups: Sequence[ChoiceGroup]) -> Sequence[ChoiceGroup]:
    """Of the choices at a table, those that leave who plays as it is."""
    if editor.ending != GO_ON:
        return groups
    return [each for each in groups if not any(_setup_differs(one, editor.snapshot) for one in each.choices)]


def _is_needed(group: ChoiceGroup, snapshot: Snapshot) -> bool:
    """Whether choices lead on to others, or say who plays: no ruling does without them."""
    return not group.seldom and any(one.at or _setup_differs(one, snapshot) for one in group.choices)


def _setup_differs(choice: Choice, snapshot: Snapshot) -> bool:
    return bool(choice.snapshot.setup != snapshot.setup)


def _hide_groups(editor: Editor) -> Iterator[ChoiceGroup]:
    """That nobody knows what lies on the chosen cell, where that can be said."""
    spot = editor.spot
    hidden = editor.entry.hide(editor.snapshot, spot.cell) if spot and editor.asks else None
    if spot is not None and hidden is not None:
        unseen = unknown_board_cells(editor.game, editor.position.unknown)
        yield ChoiceGroup("", (Choice(_("unknown"), (), hidden, spot.cell in unseen, is_unknown=True),))


def _rest(editor: Editor) -> Choice | None:
    """What all is that was never entered: one tap makes it empty, another one unknown again."""
    snapshot = editor.snapshot
    if editor.entry.mark_unknown is None or not editor.asks:
        return None
    if rest_is_unknown(snapshot.position):
        return Choice(_("All else is empty"), (), snapshot.with_changes(rest=EMPTY))
    return Choice(_("All else is unknown"), (), snapshot.with_changes(rest=THE_REST), is_unknown=True)


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


class _Linker:
    """Gives choices their addresses."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor

    def group(self, group: ChoiceGroup, number: str) -> LinkedGroup:
        """Choices with their addresses; a group that is folded away stays open."""
        kind = number if group.seldom or number in (FACTS, READINGS) else None
        linked = tuple(self.choice(choice, kind) for choice in group.choices)
        is_open = kind is not None and kind == self.editor.address.kind
        return LinkedGroup(group.title, linked, group.seldom, is_open, any(choice.brush for choice in group.choices))

    def choice(self, choice: Choice, kind: str | None) -> LinkedChoice:
        """A choice with its address. One that changes nothing is no step."""
        editor, at = self.editor, choice.at or self.editor.address.at
        step = choice.snapshot != editor.snapshot
        href = editor.step(choice.snapshot, at, kind) if step else editor.address.url(at=at, kind=kind, show=None)
        return LinkedChoice(
            choice.label or _("nothing"),
            choice.icon,
            href,
            choice.is_chosen,
            step,
            choice.is_unknown,
            choice.is_disabled,
        )
