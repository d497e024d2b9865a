"""The data that every panel of a table's page needs, and what the board shows beside a panel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Final, Generic, TypeVar

from rules import GAMES
from rules.kernel import Cell, Due, Effect, Fact, Finding, Seat
from rules.records import dataclass
from service.i18n.sentences import Words
from service.judgements import Sheet
from service.referee.score_history import ScoreCache, ScoreHistory, build_history
from service.rulings import judge
from service.runtime.memoize import ByIdentity, memoize_by_identity
from service.runtime.memory import WeightedCache
from service.tables.rounds import Turn, count_rounds
from service.tables.table import Table
from service.types import AnyGame, Move, State
from web.board.scene import Light, Neighbour, neighbours, rotate_neighbours
from web.board.shapes import Board, Shape, Spot
from web.browser.address import MoveAddress, PageAddress
from web.browser.bidi import words_among
from web.browser.board_rotation import quarters
from web.browser.language import language
from web.game_pages import AnyDraft, AnyPages
from web.games import pages_of

P_co = TypeVar("P_co", covariant=True)
Statement = TypeVar("Statement", Finding, Effect)
NO_ANSWER: Final = ("-",)
"""Asks for the questions of a move without answers, also on a cell where no such move is legal."""
MAX_SHEETS: Final = 16
"""The maximum number of cached score sheets."""
MAX_SPOKEN: Final = 32
"""The maximum number of states whose words are cached."""
MAX_COURSES: Final = 16
"""The maximum number of tables with cached scores; one takes a hundred kilobytes or less."""
_scores: Final[WeightedCache[tuple[ByIdentity[State], str], ScoreCache]] = WeightedCache(
    MAX_COURSES, name=f"{__name__}._scores"
)


@memoize_by_identity(MAX_SHEETS)
def sheet_of(state: State, game_id: str) -> Sheet:
    """The score sheet of a state."""
    return judge.sheet(GAMES[game_id], state)


@dataclass(frozen=True, slots=True)
class Context:
    """A position and its view: the address, the words, the game's pages, and the board.

    `words` have the current names of pieces. `unknown`: the unknown cells of a question; `state` is then that of the
    known part.
    """

    game: AnyGame
    state: State
    address: MoveAddress
    words: Words
    pages: AnyPages
    board: Board
    due: Due
    unknown: tuple[Cell, ...] = field(default=(), kw_only=True)

    @property
    def spot(self) -> Spot | None:
        """The chosen cell, if one is."""
        return self.board.spot(self.address.at)

    def draft(self, kind: str | None, cell: Cell | None, so: tuple[str, ...] = ()) -> AnyDraft | None:
        """The questions of a kind of move at a cell, if any."""
        return None if kind is None else self.pages.draft(self.state, kind, cell, so, self.words)

    def is_example(self, kind: str, cell: Cell, questions: AnyDraft | None) -> bool:
        """Whether the only move of a kind at a cell, which has these questions, is an example: none is legal there."""
        return questions is None and self.draft(kind, cell, NO_ANSWER) is not None

    def neighbours(self, spot: Spot) -> tuple[Neighbour, ...]:
        """The links to the cells beside the chosen one."""
        return rotate_neighbours(
            neighbours(self.board, spot, lambda other: self.address.url(at=other.key, so=None)), quarters()
        )

    def cells(self, moves: Sequence[Move]) -> frozenset[Cell]:
        """The cells that moves touch."""
        return frozenset(cell for move in moves for cell in self.game.cells_of(move))

    def icon(self, kind: str) -> tuple[Shape, ...]:
        """The icon of a kind of move, for the player due."""
        return self.pages.icon_at(self.state, kind, self.due.seat)

    def worth_saying(self, found: Iterable[Statement]) -> tuple[Statement, ...]:
        """The findings or effects to show: all, since no strip shows the supplies."""
        return tuple(found)

    def last_move_cells(self) -> frozenset[Cell]:
        """The cells of the last move in play; without a log nobody knows it."""
        return frozenset()

    def sheet(self) -> Sheet:
        """The score sheet."""
        return sheet_of(self.state, self.game.id)

    def locate_facts(self, facts: Sequence[Fact]) -> Sequence[Fact]:
        """Facts with cells to light: the cell of a piece in place of its name."""
        return self.pages.locate_facts(self.state, facts)


@dataclass(frozen=True, slots=True)
class TableContext(Context):
    """A table with a log, and its view; `seat`: that of a phone for one player."""

    address: PageAddress
    table: Table
    seat: Seat | None = field(default=None, kw_only=True)

    def worth_saying(self, found: Iterable[Statement]) -> tuple[Statement, ...]:
        """The findings or effects to show: all but counts of a supply, which the players' strip shows."""
        return tuple(one for one in found if (one.rule, one.facts.code) not in self.pages.supplies)

    def last_move_cells(self) -> frozenset[Cell]:
        """The cells of the last move in play, or where its pieces stand now."""
        moves = [self.game.read(move.notation) for move in self.table.last_moves(1)]
        landing_cells = self.pages.landing_cells(self.table.state, moves[0]) if moves else None
        return self.cells(moves) if landing_cells is None else frozenset(landing_cells)

    def names(self) -> dict[Seat, str]:
        """Seat -> the player's name, or else the colour."""
        return player_names(self.table, self.words)


@dataclass(frozen=True, slots=True)
class Focus(Generic[P_co]):
    """A panel, and the board above it: a state, the one before if new pieces are ghosts, and the highlights.

    `past`: a sentence that the board is an earlier one. `cell_links`: the links of cells whose tap answers a question
    of the panel.
    """

    panel: P_co
    state: State
    before: State | None = None
    light: Light = field(default_factory=Light)
    past: str | None = None
    cell_links: Mapping[Cell, str] = field(default_factory=dict)


@memoize_by_identity(MAX_SPOKEN)
def words_for_state(state: State, game_id: str, plain: Words) -> Words:
    """The words for a state, with the current names of its pieces."""
    return pages_of(game_id).words_for(plain, state)


def score_history(table: Table) -> ScoreHistory:
    """The scores over a game, as far as they are counted by now."""
    history, known = build_history(table, _known_scores(table))
    _scores.put(_key(table), known)
    return history


def turns_of(table: Table) -> Mapping[int, Turn]:
    """The round and the turn after each entry, as far as they are counted by now."""
    known = _known_scores(table)
    turns = count_rounds(table, known.turns)
    _scores.put(_key(table), replace(known, turns=turns))
    return turns


def _known_scores(table: Table) -> ScoreCache:
    """The cached scores of a table's entries."""
    return _scores.get(_key(table)) or ScoreCache()


def _key(table: Table) -> tuple[ByIdentity[State], str]:
    """The key of a table's cache. A table that is folded again has a new first state: its log may differ, too."""
    return ByIdentity(table.states[0]), table.id


def names_at(table: Table) -> dict[Seat, str]:
    """Seat -> the player's name, or else the colour, in the language of the page."""
    return player_names(table, words_among(language(), table.game.id, table.setup))


def player_names(table: Table, words: Words) -> dict[Seat, str]:
    """Seat -> the player's name, or else the colour."""
    return {seat: words.player(seat) for seat in table.game.seats_of(table.state)}
