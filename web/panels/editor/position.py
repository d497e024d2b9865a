"""An entered position: the games that allow one, and its score."""

from __future__ import annotations

import rules
from rules.kernel import Cell, Finding
from rules.records import dataclass
from service.i18n.sentences import Words
from service.judgements import Sheet
from service.rulings import judge
from service.types import AnyGame, State
from web.board.shapes import Board
from web.game_pages import AnyPositionEntry, Snapshot
from web.games import all_pages, pages_of
from web.position_url import check_position, unknown_board_cells


def counted_games() -> tuple[AnyGame, ...]:
    """The games whose positions can be entered by taps."""
    return tuple(rules.GAMES[name] for name, pages in all_pages().items() if pages.entry)


def find_game(game_id: str) -> AnyGame | None:
    """The game of an address, if its positions can be entered."""
    return next((game for game in counted_games() if game.id == game_id), None)


def entry_of(game: AnyGame) -> AnyPositionEntry:
    """How positions of a game are entered. Raises `LookupError` for a game in which they cannot be."""
    entry = pages_of(game.id).entry
    if entry is None:
        raise LookupError(game.id)
    return entry


@dataclass(frozen=True, slots=True)
class CountedPosition:
    """An entered position, with its board and its score; `problems`: why it cannot stand on a table.

    If cells are `unknown`, board and score are those of the known cells.
    """

    snapshot: Snapshot
    state: State
    board: Board
    sheet: Sheet
    problems: tuple[Finding, ...]
    unknown: tuple[Cell, ...] = ()


def count_position(game: AnyGame, entry: AnyPositionEntry, snapshot: Snapshot, words: Words) -> CountedPosition:
    """Count a position. Raises `Unread` if taps cannot make it: it may have problems that prevent counting."""
    there = check_position(game, snapshot)
    sheet = judge.sheet(game, there.state, there.problems)
    plain_board = entry.draw(there.state, words.language, people=words.people)
    unknown_cells = unknown_board_cells(game, there.unknown)
    board = pages_of(game.id).name_unknown_spots(plain_board, there.state, there.unknown, unknown_cells, words)
    return CountedPosition(snapshot, there.state, board, sheet, there.problems, there.unknown)
