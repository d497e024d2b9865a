"""The state of the editor: the entered position, its view, and the addresses that taps lead to."""

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
"""The endpoint of a page, and the values of its path, except the text."""
IS_ALLOWED: Final = "allowed"
"""An ending: is a move allowed?"""
COUNT: Final = "count"
"""An ending: the score."""
GO_ON: Final = "go_on"
"""An ending: the game of a table goes on from here."""
MAX_TEXT_ASKED: Final = 2_400
"""The maximum letters of a text with its taps in a question, whose move can be long, too: the server limits both."""


@dataclass(frozen=True, slots=True)
class Editor:
    """An entered position with its address, its words, and its purpose: an `ending`.

    `may_enter`: whether this browser has the referee's key of its table.
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
        """The editor for the position in an address, or for a trail of taps. Raises `Unread`."""
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
        """The id of its table, if this browser may see it."""
        in_path: str | None = self.view[1].get("table_id")
        return in_path

    @property
    def asks(self) -> bool:
        """Whether cells may be unknown, as in a question; not in a position to count or to continue from."""
        return self.ending == IS_ALLOWED

    @property
    def snapshot(self) -> Snapshot:
        """The entered position."""
        return self.position.snapshot

    @property
    def spot(self) -> Spot | None:
        """The chosen cell, if one is."""
        return self.position.board.spot(self.address.at)

    @property
    def blank(self) -> Snapshot:
        """The first snapshot."""
        return starting_position(self.entry, asks=self.asks)

    def for_others(self) -> Editor:
        """The same without its table, unless the game continues there."""
        endpoint, path = self.view
        return self if self.ending == GO_ON else replace(self, view=(endpoint, {"game_id": path["game_id"]}))

    # --- where taps lead ---------------------------------------------------------------------------------------------

    def to(self, text: str, address: EditorAddress) -> str:
        """The address of a text on this page, with the parameters of an address."""
        endpoint, path = self.view
        return query_of(url_for(endpoint, text=text or None, **path), address.parameters())

    def step(self, snapshot: Snapshot, at: str | None, kind: str | None = None) -> str:
        """The address after one more tap; `at`: the next place to ask about, `kind`: the open group."""
        return self.to(self.packer.text(step_of(snapshot)), replace(self.address, at=at, kind=kind, show=None))

    def undo(self) -> str | None:
        """The address without the last tap: of this page, or of the question if this page cannot show it."""
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
        """The address that asks about a move: at the chosen cell, if any, of a kind; or about the same move again."""
        taps, move = self.address.table, None if kind else self.address.move
        at = None if move or self.address.brush else self.address.at
        text = taps if 0 < len(taps) <= MAX_TEXT_ASKED else self._text_asked(self.trail.steps[:-1], self.snapshot)
        return self._ask(text, "web.ask_move", kind=kind, move=move, at=at)

    def count(self) -> str | None:
        """The address that counts the position, with an empty rest; None while cells are unknown."""
        text = self._known_text(self.trail, COUNT)
        brush = None if self.address.brush == "unknown" else self.address.brush
        return text and self._ask(text, "web.count", kind=None, move=None, brush=brush)

    @property
    def why_uncounted(self) -> str:
        """The reason why the position is not counted: a cell, or something beside the board, is unknown."""
        cells = {spot.cell for spot in self.position.board.spots}
        for fact in unknown_facts(self.game, _with_empty_rest(self.snapshot)):
            if not cells & unknown_board_cells(self.game, (fact,)):
                return _("Nothing is counted until you say %(what)s.", what=self.words.unknown_text(fact))
        return _("Nothing is counted while a cell is unknown.")

    def go_on(self) -> str | None:
        """The address that continues the table's game from the position, if all of it is known."""
        text = self._known_text(self.trail, GO_ON)
        return text and url_for("web.here", table_id=self.table, text=text, dispute=self.dispute)

    @property
    def dispute(self) -> int | None:
        """The number of the dispute that the position will settle, if any."""
        in_path: int | None = self.view[1].get("dispute")
        return in_path or self.address.settles

    @property
    def with_empty_rest(self) -> str | None:
        """The address of this page with all that was never entered as empty; None if that changes nothing."""
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
        """The text of a trail, to count it or compare it with the log; None while cells are unknown."""
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
