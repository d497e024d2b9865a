"""The state of the editor: what is entered and how one looks at it, with the addresses that taps lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final, TypeAlias

from flask import url_for

from rules.forms import EMPTY, rest_is_unknown
from rules.records import dataclass
from service.i18n.sentences import Words
from service.types import AnyGame
from web.board.shapes import Spot
from web.browser.address import EditorAddress, query_of
from web.browser.language import _
from web.game_pages import AnyPositionEntry, Snapshot
from web.panels.editor.comparison import Comparison
from web.panels.editor.position import CountedPosition, count_position, entry_of
from web.position_url import (
    Packer,
    Step,
    Trail,
    Unread,
    snapshot_of,
    starting_position,
    step_of,
    unknown_board_cells,
    unknown_facts,
    without_guesses,
)

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

    `may_enter`: whether this browser has the key of the referee of the table that it is about.
    """

    game: AnyGame
    entry: AnyPositionEntry
    trail: Trail
    position: CountedPosition
    address: EditorAddress
    words: Words
    view: View
    ending: str
    may_enter: bool
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
        may_enter: bool = False,
        trail: Trail | None = None,
    ) -> Editor:
        """What an address says was entered; or a trail, tap by tap, that no address holds. Raises `Unread`."""
        entry, trail = entry_of(game), trail or Trail.of(address.table)
        snapshot = snapshot_of(game, entry, trail, asks=ending == IS_ALLOWED)
        rules_on = ending == IS_ALLOWED and address.section == "move"
        ruled = without_guesses(entry, snapshot) if rules_on else snapshot
        position = replace(count_position(game, entry, ruled, words), snapshot=snapshot)
        packer = Packer(trail.steps or (step_of(starting_position(entry, asks=ending == IS_ALLOWED)),))
        return cls(game, entry, trail, position, address, words, view, ending, may_enter, packer)

    def at(self, address: EditorAddress) -> Editor:
        """The same page at another address. Raises `Unread`."""
        return Editor.of(self.game, address, self.words, self.view, self.ending, self.may_enter)

    @property
    def table(self) -> str | None:
        """The id of the table that it is about, if this browser may see it."""
        in_path: str | None = self.view[1].get("table_id")
        return in_path

    @property
    def asks(self) -> bool:
        """Whether cells may be unknown: what is counted or corrected is all known."""
        return self.ending == IS_ALLOWED

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

    def for_others(self) -> Editor:
        """The same without the table that it is about, unless it is to go on there."""
        endpoint, path = self.view
        return self if self.ending == GO_ON else replace(self, view=(endpoint, {"game_id": path["game_id"]}))

    # --- where taps lead ---------------------------------------------------------------------------------------------

    def to(self, text: str, address: EditorAddress) -> str:
        """The address of a text on this page, with all that an address says."""
        endpoint, path = self.view
        return query_of(url_for(endpoint, text=text or None, **path), address.parameters())

    def step(self, snapshot: Snapshot, at: str | None, kind: str | None = None) -> str:
        """The address once this is entered; `at`: the place that is asked about then, `kind`: the open group."""
        return self.to(self.packer.text(step_of(snapshot)), replace(self.address, at=at, kind=kind, show=None))

    def undo(self) -> str | None:
        """The address without the last tap: of this page, or of the question where it cannot show what was before."""
        before = self.trail.without_last()
        if before is None:
            return None
        text = before.text() if self.ending == IS_ALLOWED else self._known_text(before, self.ending)
        return self.to(text, replace(self.address, kind=None, show=None)) if text else self._ask(before.text(), at=None)

    def clear(self) -> str | None:
        """The address of an empty table, if it is not empty already; one more tap undoes it."""
        nothing = replace(self.snapshot, position=self.blank.position)
        return self.step(nothing, None) if nothing != self.snapshot else None

    # --- the endings -------------------------------------------------------------------------------------------------

    def ask(self, kind: str | None = None) -> str:
        """Where a move is asked about: at the chosen cell, where one is, and of a kind; or the same move again."""
        taps, move = self.address.table, None if kind else self.address.move
        at = None if move or self.address.brush else self.address.at
        text = taps if 0 < len(taps) <= MAX_TEXT_ASKED else self._text_asked(self.trail.steps[:-1], self.snapshot)
        return self._ask(text, "web.ask_move", kind=kind, move=move, at=at)

    def count(self) -> str | None:
        """Where it is counted, what was never entered as empty; None while cells are unknown."""
        text = self._known_text(self.trail, COUNT)
        brush = None if self.address.brush == "unknown" else self.address.brush
        return text and self._ask(text, "web.count", kind=None, move=None, brush=brush)

    @property
    def why_uncounted(self) -> str:
        """Why nothing is counted: a cell, or something beside the board, is unknown."""
        cells = {spot.cell for spot in self.position.board.spots}
        for fact in unknown_facts(self.game, _with_empty_rest(self.snapshot)):
            if not cells & unknown_board_cells(self.game, (fact,)):
                return _("Nothing is counted until you say %(what)s.", what=self.words.unknown_text(fact))
        return _("Nothing is counted while a cell is unknown.")

    def go_on(self) -> str | None:
        """Where the game of the table goes on from it, if it can be counted and this browser may."""
        text = self._known_text(self.trail, GO_ON)
        return text and url_for("web.here", table_id=self.table, text=text, dispute=self.dispute)

    @property
    def dispute(self) -> int | None:
        """The number of the dispute at the table that it is entered for, if it is."""
        in_path: int | None = self.view[1].get("dispute")
        return in_path or self.address.settles

    @property
    def with_empty_rest(self) -> str | None:
        """The same page, with all that was never entered said to be empty; None where nothing is."""
        now = _with_empty_rest(self.snapshot)
        text = self._text_asked(self.trail.steps, now)
        return None if now == self.snapshot else self.to(text, replace(self.address, show=None))

    def _ask(self, text: str, endpoint: str = "web.ask", **changes: Any) -> str:
        """The address of an ending that enters nothing at a table."""
        there = replace(self.address, **{"brush": None, "show": None, "settles": self.dispute, **changes})
        path = url_for(endpoint, table_id=self.table, game_id=self.game.id, text=text)
        return query_of(path, there.parameters())

    def _text_asked(self, steps: Sequence[Step], snapshot: Snapshot) -> str:
        return Packer(steps).text(step_of(snapshot), MAX_TEXT_ASKED)

    def _known_text(self, trail: Trail, ending: str) -> str | None:
        """The text of a trail, to be counted or compared with the log; None while cells are unknown."""
        game, entry = self.game, self.entry
        try:
            snapshot = self.snapshot if trail is self.trail else snapshot_of(game, entry, trail, asks=True)
            seen = _with_empty_rest(snapshot)
            if ending == GO_ON:
                seen = replace(seen, position=entry.visible_position(seen.position))
            step = step_of(seen)
            snapshot_of(game, entry, Trail((step,)))
        except Unread:
            return None
        return Packer(trail.steps[:-1]).text(step)


def _with_empty_rest(snapshot: Snapshot) -> Snapshot:
    return snapshot.with_changes(rest=EMPTY) if rest_is_unknown(snapshot.position) else snapshot
