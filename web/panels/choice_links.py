"""The choices while a position is entered, each with the address that a tap on it opens."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flask import url_for

from service.types import AnyGame
from web.board.shapes import Shape
from web.browser.address import AskAddress, CountAddress, query_of
from web.browser.language import _
from web.game_pages import ChoiceGroup, Snapshot
from web.panels.here import View
from web.position_url import Packer, Trail, step_of


@dataclass(frozen=True, slots=True)
class LinkedChoice:
    """A choice with its address."""

    label: str
    icon: tuple[Shape, ...]
    href: str
    is_chosen: bool
    step: bool
    """It changes what is counted."""
    is_unknown: bool = False
    """It says that nobody knows."""
    is_disabled: bool = False
    """It leads no further now."""


@dataclass(frozen=True, slots=True)
class LinkedGroup:
    """Choices that belong together. Those that are seldom wanted are seen when they are `open`."""

    title: str
    choices: tuple[LinkedChoice, ...]
    seldom: bool
    open: bool


class Links:
    """The addresses that taps lead to."""

    def __init__(
        self, game: AnyGame, trail: Trail, snapshot: Snapshot, address: CountAddress, blank: Snapshot, view: View
    ) -> None:
        self.game, self.trail, self.snapshot, self.address = game, trail, snapshot, address
        self.view, self.blank = view, blank
        self.packer = Packer(trail.steps or (step_of(self.blank),))

    def to(self, text: str, **parameters: str | int | None) -> str:
        """The address of a text, with this view or another one."""
        endpoint, path = self.view
        there = url_for(endpoint, text=text or None, **path)
        return query_of(there, {name: value for name, value in parameters.items() if value})

    def step(self, snapshot: Snapshot, at: str | None, kind: str | None = None) -> str:
        """The address once this is entered; `at`: the place that is asked about then, `kind`: the open group."""
        there = {"at": at, "kind": kind, "brush": self.address.brush, "zoom": self.address.zoom}
        there["about"] = self.address.about
        return self.to(self.packer.text(step_of(snapshot)), **there)

    def group(self, group: ChoiceGroup, number: int) -> LinkedGroup:
        """Choices with their addresses. One that changes nothing is no step."""
        kind = str(number) if group.seldom else None
        linked = []
        for choice in group.choices:
            at, step = choice.at or self.address.at, choice.snapshot != self.snapshot
            href = self.step(choice.snapshot, at, kind) if step else self.address.url(at=at, kind=kind, show=None)
            label = choice.label or _("nothing")
            linked.append(
                LinkedChoice(label, choice.icon, href, choice.is_chosen, step, choice.is_unknown, choice.is_disabled)
            )
        return LinkedGroup(group.title, tuple(linked), group.seldom, kind is not None and kind == self.address.kind)

    def ask(self, kind: str | None = None) -> str:
        """The address on which a move is asked about: at the chosen cell, where one is, and of a kind."""
        text = Trail((step_of(self.snapshot),)).text()
        chosen = AskAddress(text, at=self.address.at, kind=kind, zoom=self.address.zoom, about=self.address.about)
        return query_of(url_for("web.ask_move", game_id=self.game.id, text=text), chosen.parameters())

    def undo(self) -> str | None:
        """The address without the last tap."""
        before = self.trail.without_last()
        address = self.address
        return (
            self.to(before.text(), at=address.at, brush=address.brush, zoom=address.zoom, about=address.about)
            if before
            else None
        )

    def clear(self) -> str | None:
        """The address of an empty table, if it is not empty already; one more tap undoes it."""
        nothing = replace(self.snapshot, position=self.blank.position)
        return self.step(nothing, None) if nothing != self.snapshot else None
