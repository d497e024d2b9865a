"""The state of the editor: what is entered and how one looks at it, with the addresses that taps lead to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from flask import url_for

from rules.forms import EMPTY, rest_is_unknown
from service.i18n.sentences import Words
from service.types import AnyGame
from web.board.shapes import Spot
from web.browser.address import EditorAddress, query_of
from web.game_pages import AnyPositionEntry, Snapshot
from web.panels.editor.comparison import Comparison
from web.panels.editor.position import CountedPosition, count_position, entry_of
from web.position_url import Packer, Trail, Unread, snapshot_of, starting_position, step_of, text_of

View: TypeAlias = "tuple[str, Mapping[str, Any]]"
"""The endpoint of a page, and what is in its path beside the text."""
IS_ALLOWED: Final = "allowed"
"""An ending: is a move allowed?"""
COUNT: Final = "count"
"""An ending: the score."""
GO_ON: Final = "go_on"
"""An ending: the game of a table goes on from here."""
MAX_TEXT_ASKED: Final = 2_400
"""Letters of a text that keeps its taps beside a question, whose move can be long, too: the server limits both."""


@dataclass(frozen=True, slots=True)
class Editor:
    """A position that is entered, the address that says so, the words, and what it is entered for: an `ending`.

    `table`: the id of the table that it is about, if this browser knows it.
    """

    game: AnyGame
    entry: AnyPositionEntry
    trail: Trail
    position: CountedPosition
    address: EditorAddress
    words: Words
    view: View
    ending: str
    table: str | None
    packer: Packer = field(repr=False)
    comparison: Comparison | None = None

    @classmethod
    def of(
        cls,
        game: AnyGame,
        address: EditorAddress,
        words: Words,
        view: View,
        ending: str,
        table: str | None,
        trail: Trail | None = None,
    ) -> Editor:
        """What an address says was entered; or a trail, tap by tap, that no address holds. Raises `Unread`."""
        entry, trail = entry_of(game), trail or Trail.of(address.table)
        snapshot = snapshot_of(game, entry, trail, asks=ending != COUNT)
        position = count_position(game, entry, snapshot, words)
        packer = Packer(trail.steps or (step_of(starting_position(entry, asks=ending != COUNT)),))
        return cls(game, entry, trail, position, address, words, view, ending, table, packer)

    def at(self, address: EditorAddress) -> Editor:
        """The same page at another address. Raises `Unread`."""
        return Editor.of(self.game, address, self.words, self.view, self.ending, self.table)

    @property
    def asks(self) -> bool:
        """Whether cells may be unknown: only what is counted is all known."""
        return self.ending != COUNT

    @property
    def snapshot(self) -> Snapshot:
        """What is entered."""
        return self.position.snapshot

    @property
    def spot(self) -> Spot | None:
        """The chosen cell, if one is."""
        return self.position.board.spot(self.address.at)

    @property
    def blank(self) -> Snapshot:
        """What an entry begins with."""
        return starting_position(self.entry, asks=self.asks)

    # --- where taps lead ---------------------------------------------------------------------------------------------

    def to(self, text: str, address: EditorAddress) -> str:
        """The address of a text on this page, with all that an address says."""
        endpoint, path = self.view
        return query_of(url_for(endpoint, text=text or None, **path), address.parameters())

    def step(self, snapshot: Snapshot, at: str | None, kind: str | None = None) -> str:
        """The address once this is entered; `at`: the place that is asked about then, `kind`: the open group."""
        return self.to(self.packer.text(step_of(snapshot)), replace(self.address, at=at, kind=kind, show=None))

    def undo(self) -> str | None:
        """The address without the last tap."""
        before = self.trail.without_last()
        return self.to(before.text(), replace(self.address, kind=None, show=None)) if before else None

    def clear(self) -> str | None:
        """The address of an empty table, if it is not empty already; one more tap undoes it."""
        nothing = replace(self.snapshot, position=self.blank.position)
        return self.step(nothing, None) if nothing != self.snapshot else None

    # --- the endings -------------------------------------------------------------------------------------------------

    def ask(self, kind: str | None = None) -> str:
        """Where a move is asked about: at the chosen cell, where one is, and of a kind; or the same move again."""
        taps = self.address.table
        text = taps if 0 < len(taps) <= MAX_TEXT_ASKED else text_of(self.snapshot)
        there = replace(self.address, table=text, kind=kind, brush=None, show=None, about=self._about)
        if kind is not None:
            there = replace(there, move=None)
        elif there.move:
            there = replace(there, at=None)
        return query_of(url_for("web.ask_move", game_id=self.game.id, text=there.table), there.parameters())

    def count(self) -> str | None:
        """Where it is counted, what was never entered as empty; None while cells are unknown."""
        text, brush = text_of(self.with_empty_rest), None if self.address.brush == "unknown" else self.address.brush
        try:
            snapshot_of(self.game, self.entry, Trail.of(text))
        except Unread:
            return None
        there = replace(self.address, kind=None, move=None, brush=brush, show=None, about=self._about)
        return query_of(url_for("web.count", game_id=self.game.id, text=text), there.parameters())

    def go_on(self) -> str:
        """Where the game of the table goes on from it, if it can be counted."""
        seen = self.with_empty_rest
        text = text_of(replace(seen, position=self.entry.visible_position(seen.position)))
        return url_for("web.here", table_id=self.table, text=text)

    @property
    def with_empty_rest(self) -> Snapshot:
        """What is entered, with all that was never entered said to be empty."""
        now = self.snapshot
        return now.with_changes(rest=EMPTY) if rest_is_unknown(now.position) else now

    @property
    def _about(self) -> str | None:
        return self.address.about or self.table
