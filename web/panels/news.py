"""The news of a table in one line: what somebody has just done or undone, or what came too late."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.records import dataclass
from service.errors import Stale
from service.i18n.sentences import Words
from service.referee.replay import seat_of
from service.tables import forced_moves
from service.tables.entries import Amended, InLine, Played, Rolled
from service.tables.keys import Role
from service.tables.table import Table
from service.types import Move
from web.browser.address import PageAddress
from web.browser.bidi import words_among
from web.browser.language import _, language
from web.panels.context import words_for_state
from web.panels.log.entries import news_phrase
from web.panels.moves.onward import onward_news
from web.panels.sentences import join_clauses, phrase

ROLL: Final = "rolled"
"""The kind of news that the log shows in its own row."""
MAX_NEWS: Final = 5
"""The maximum number of others' entries in words. The log has the rest."""


@dataclass(frozen=True, slots=True)
class News:
    """The news in one line."""

    text: str
    kind: str = "placed"


@dataclass(frozen=True, slots=True)
class Trouble:
    """The reason why the server did not do what the player asked."""

    text: str


def no_move_trouble(text: str) -> Trouble:
    """The error that the typed text is no move."""
    return Trouble(_("“%(text)s” is not a move of this game.", text=text))


def news_of(table: Table, address: PageAddress, previous_address: PageAddress | None = None) -> News | None:
    """What this browser has just done, or what others have done since its last request. The news also says that its
    choice is dropped, if the previous address had one and this one has none.
    """
    entry_number = address.done or (table.version if address.since and address.since < table.version else None)
    if entry_number is None or not 1 < entry_number <= table.version:
        return None
    words = _words(table)
    entry = table.entries[(table.amendment_of(entry_number) or entry_number) - 1]
    text = onward_news(words, table, entry.number) or news_phrase(words, table, entry)
    if address.already:
        return News(_("Already in the log, from another phone: %(news)s", news=text))
    if previous_address is not None and previous_address.has_choice and not address.has_choice:
        text = _("%(news)s. It is another turn now: choose again.", news=text)
    if isinstance(entry, Amended | InLine):
        return News(text, "stands" if isinstance(entry, Played) and entry.stands else "placed")
    return News(text, ROLL if isinstance(entry, Rolled) else "undone")


def _words(table: Table) -> Words:
    """The words for the current state of a table."""
    plain = words_among(language(), table.game.id, table.setup)
    return words_for_state(table.state, table.game.id, plain)


def stale_trouble(error: Stale, move: Move | None) -> Trouble:
    """Somebody was faster: what they did, and what was therefore not done."""
    table = error.table
    news = _missed_news(error)
    if move is None:
        return Trouble(_("Another phone was faster: %(news)s. Here is the board now.", news=news))
    what = phrase(_words(table), table.game, move, table.state)
    return Trouble(
        _("Another phone was faster: %(news)s. Not placed: %(what)s. Here is the board now.", news=news, what=what)
    )


def stale_position_trouble(error: Stale) -> Trouble:
    """Somebody was faster than the entry of a position: what they did, and what to do now."""
    news = _missed_news(error)
    return Trouble(
        _("Another phone was faster: %(news)s. Nothing was entered. Check the board, then tap again.", news=news)
    )


def _missed_news(error: Stale) -> str:
    """What others have done since the version of the request."""
    table = error.table
    words = _words(table)
    entries = [entry for entry in error.missing if table.amendment_of(entry.number) in (None, entry.number)]
    phrases = [news_phrase(words, table, entry) for entry in entries[:MAX_NEWS]]
    if len(entries) > MAX_NEWS:
        phrases.append(_("and %(n)s more", n=table.version - entries[MAX_NEWS - 1].number))
    return join_clauses(phrases) or _("the table has changed")


def find_entry_since(error: Stale, role: Role, moves: Sequence[Move]) -> int | None:
    """The entry with the last of these same moves, if others have played them since the version of the request.

    They are the same if the same player makes them.
    """
    table = error.table
    if not 1 <= error.version < table.version:
        return None
    seat = role.seat or seat_of(table.game, table.states[error.version - 1], moves[0])
    since = [table.line_entry(number) for number in table.line if number > error.version]
    notations = [table.game.write(move) for move in moves]
    for first in range(len(since) - len(notations) + 1):
        found = [entry for entry in since[first : first + len(notations)] if isinstance(entry, Played)]
        if [entry.notation for entry in found] == notations and found[0].seat == seat:
            return found[-1].number
    return None


def undo_and_redo(table: Table, role: Role) -> tuple[int | None, int | None]:
    """The versions that undo and redo lead to, if the key allows them: a seat takes back only its own moves.

    The moves that one tap skipped are one step, too.
    """
    undo, redo = (forced_moves.undo_to(table), table.undo_to), (forced_moves.redo_to(table), table.redo_to)
    first: list[int | None] = [next((to for to in each if _can_rewind(table, role, to)), None) for each in (undo, redo)]
    return first[0], first[1]


def _can_rewind(table: Table, role: Role, to: int | None) -> bool:
    """Whether a role may rewind to a version: a seat not past another seat's move, nor past a decision."""
    line = table.line_at(to) if to is not None and role.plays else None
    if to is None or line is None or role.seat is None:
        return line is not None
    touched = {*line} ^ {*table.line}
    return table.crossed_decision(to) is None and all(role.owns(table.line_entry(number)) for number in touched)
