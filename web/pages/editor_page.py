"""Prepares the page of the board editor, for all of its endings: nothing is stored, and no move is placed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from flask import url_for

from rules.kernel import Cell, Seat
from rules.records import dataclass
from service.cases.report import setup_now, without_names
from service.errors import Invalid
from service.i18n import sentences
from service.i18n.sentences import Words
from service.tables.table import Table
from service.types import AnyGame, Position
from web.board.drawing import Drawing
from web.board.scene import Light, Neighbour, neighbours, rotate_neighbours
from web.board.shapes import Board, Spot, Symbol
from web.browser.address import EditorAddress, TableAddress, query_of
from web.browser.board_rotation import quarters
from web.browser.language import _, language
from web.browser.public_url import PublicUrl
from web.game_pages import Snapshot
from web.games import pages_of
from web.opening.form import errors_in_words
from web.pages.permissions import NO_PERMISSIONS, Permissions
from web.panels.board_part import BoardPart, WithBoard, board_part
from web.panels.context import Context
from web.panels.editor.comparison import Comparison
from web.panels.editor.editor import COUNT, GO_ON, IS_ALLOWED, Editor
from web.panels.editor.palette import find_brush, with_tap_names
from web.panels.editor.strip import READINGS, Strip, strip_of
from web.panels.moves.choose import IdlePanel, KindButton
from web.panels.moves.panel_choice import MovePanel, kinds_at, move_focus, read_move
from web.panels.news import Trouble, no_move_trouble
from web.panels.score.score import ScorePanel, rows_of, score_panel, split_show
from web.panels.sentences import Reason, capitalise, lit_finding, reasons
from web.position_url import MAX_TEXT, Unread, text_of, unknown_board_cells


@dataclass(frozen=True, slots=True)
class EditorView(WithBoard):
    """The content of the page: the board, and below it the strip or a panel.

    While the position is entered, `strip` and `beside` are the strip, and `kinds` the moves to ask about at the chosen
    cell. `panel`: the move in question, or the score sheet. `others`: the kinds of moves that are not due. `past`: a
    sentence that it is an earlier board of a table, which is too large for a link.
    """

    editor: Editor
    words: Words
    board: BoardPart
    public: PublicUrl
    panel: MovePanel | ScorePanel | None = None
    strip: Strip | None = None
    beside: tuple[Neighbour, ...] = ()
    kinds: tuple[KindButton, ...] = ()
    others: tuple[KindButton, ...] = ()
    due: str = ""
    due_seat: Seat | None = None
    has_ended: bool = False
    past: str | None = None
    may: Permissions = NO_PERMISSIONS
    waits: bool = False

    @property
    def address(self) -> EditorAddress:
        """The address of this view."""
        return self.editor.address

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbols of the game's pieces."""
        return pages_of(self.editor.game.id).symbols

    @property
    def spot(self) -> Spot | None:
        """The chosen cell, to enter its content."""
        return None if self.strip is None or self.strip.brush else self.editor.spot

    @property
    def comparison(self) -> Comparison | None:
        """The comparison of the position with the log of its table."""
        return self.editor.comparison

    @property
    def title(self) -> str:
        """The title of the page, for its bar."""
        name = self.words.text["name"]
        if self.past or (self.editor.ending == IS_ALLOWED and self.editor.table):
            return _("What if: nothing is entered")
        if self.editor.ending == IS_ALLOWED:
            return _("Ask: %(game)s", game=name)
        return _("Count: %(game)s", game=name) if self.totals else _("Correct the board: %(game)s", game=name)

    @property
    def back(self) -> str | None:
        """The address to return to: the dispute, the entry of the log or the table; None for the first page."""
        if self.comparison is not None:
            return self.comparison.back
        if self.editor.table is None:
            return None
        entry, dispute = self.address.entry, self.editor.dispute
        if dispute is not None:
            return TableAddress(self.editor.table, "dispute", dispute=dispute).url()
        return TableAddress(self.editor.table, "log" if entry else "board", entry=entry).url()

    @property
    def problems(self) -> tuple[Reason, ...]:
        """The problems of the position, which cannot stand on a table."""
        return reasons(self.words, self.editor.position.problems, self.address)

    @property
    def totals(self) -> Mapping[Seat, int]:
        """The points of the players, if they are counted."""
        return self.editor.position.sheet.totals if self.editor.ending == COUNT else {}

    @property
    def asks_move(self) -> bool:
        """Whether the page asks about a move, and enters nothing."""
        return self.strip is None

    @property
    def trouble(self) -> Trouble | None:
        """An error about the address if it names no valid move."""
        move = self.address.move if self.asks_move else None
        return no_move_trouble(move) if move and read_move(self.editor.game, move) is None else None

    def position_url(self, **changes: Any) -> str | None:
        """The address of the board that enters the position; None if the position is too long for an address."""
        if self.past:
            return None
        there = replace(self.address.plain(), **{"at": self.address.at, **changes})
        table, game = self.editor.table, self.editor.game.id
        path = url_for("web.ask", table_id=table, game_id=game, text=self.address.table)
        return query_of(path, there.parameters())

    @property
    def with_empty_rest(self) -> str | None:
        """The same question, with all that was never entered as empty."""
        return None if self.past else self.editor.with_empty_rest

    @property
    def readings(self) -> str | None:
        """The address to choose readings; those of a table are chosen at the table."""
        if self.editor.ending == GO_ON or self.past or not self.editor.game.readings:
            return None
        there = replace(self.address.plain(), section="position", kind=READINGS)
        return self.editor.to(self.address.table, there) if not self.asks_move else self.position_url(kind=READINGS)

    @property
    def case(self) -> str | None:
        """The address to report a ruling."""
        return None if self.past else url_for("web.ask_case", game_id=self.editor.game.id, text=self.address.table)

    @property
    def link(self) -> str | None:
        """The link to this page for others, without its table."""
        if self.past:
            return None
        text = self.editor.trail.last_only().text()
        there = self.address.without_table() if self.asks_move else EditorAddress("", "position")
        return self.public.base + self.editor.for_others().to(text, there)

    @property
    def only_here(self) -> bool:
        """Whether the link works on this machine only."""
        return self.public.only_here


# --- the position is entered -------------------------------------------------------------------------------------


def position_view(editor: Editor, public: PublicUrl) -> EditorView:
    """The view of the board that enters the position, with its strip."""
    if find_brush(editor, editor.address.brush) is None:  # nor an unknown brush
        editor = replace(editor, address=replace(editor.address, brush=None))
    strip = strip_of(editor)
    spot = None if strip.brush else editor.spot
    board = with_tap_names(editor, strip.brush) if strip.brush else editor.position.board
    names = {seat: editor.words.player(seat) for seat in editor.position.sheet.totals}
    counts, reads = editor.ending == COUNT, editor.address.kind == READINGS
    asks = editor.ending == IS_ALLOWED and not (strip.brush or reads)
    return EditorView(
        editor,
        editor.words,
        board_part(Drawing.of(board), _light(editor), editor.address, moves=spot is None),
        public,
        panel=score_panel(editor.words, editor.position.sheet, names, editor.address) if counts else None,
        strip=strip,
        beside=_beside(editor, spot) if spot else (),
        kinds=tuple(kinds_at(_context(editor), editor.ask)) if asks else (),
    )


def _beside(editor: Editor, spot: Spot) -> tuple[Neighbour, ...]:
    """The links to the cells beside the chosen one."""
    board, address = editor.position.board, editor.address
    return rotate_neighbours(neighbours(board, spot, lambda other: address.spot_url(other.key)), quarters())


def _light(editor: Editor) -> Light:
    """The highlights: the chosen cell; the cells of the requested number or problem, else of the first problem.

    Without any: the differences from the table.
    """
    position, pages, show, spot = editor.position, pages_of(editor.game.id), editor.address.show, editor.spot
    row, seat = split_show(show)
    line = rows_of(position.sheet.lines).get(row, {}).get(seat)
    facts = list(line.evidence) if line is not None else []
    problem = None if seat else lit_finding(position.problems, show)
    if problem is not None:
        facts = list(pages.locate_facts(position.state, problem.facts.evidence))
    elif editor.comparison is not None:
        facts = list(pages.locate_facts(position.state, editor.comparison.changed_cells))
    return Light(
        frozenset({spot.cell}) if spot else frozenset(),
        facts=facts,
        seats=tuple(position.sheet.totals),
        unknown_cells=unknown_board_cells(editor.game, position.unknown),
    )


# --- a move is asked about ---------------------------------------------------------------------------------------


def move_view(editor: Editor, public: PublicUrl, past: str | None = None) -> EditorView:
    """The view of a question about a position; `past`: the sentence on a position that is too long for an address.

    Raises `Unread`.
    """
    try:
        context = _context(editor)
        focus = move_focus(context)
    except Invalid as error:  # nothing can lie on the unknown cells
        raise Unread(error.field_errors) from None
    due, words = context.due, editor.words
    now = _due(context, focus.panel, words)
    board, unseen = context.board, unknown_board_cells(editor.game, context.unknown)
    if focus.state is not context.state:
        drawn = context.pages.draw(focus.state, words.language, focus.before, words.people)
        board = context.pages.name_unknown_spots(drawn, focus.state, context.unknown, unseen, context.words)
    light = replace(focus.light, facts=context.locate_facts(focus.light.facts), unknown_cells=unseen)
    moves = not (editor.address.at or editor.address.move)
    return EditorView(
        editor,
        context.words,
        board_part(Drawing.of(board), light, editor.address, focus.cell_links, moves=moves),
        public,
        panel=focus.panel,
        others=tuple(_others(context)) if isinstance(focus.panel, IdlePanel) else (),
        due=now,
        due_seat=due.seat,
        has_ended=due.ended is not None,
        past=past,
    )


def _due(context: Context, panel: MovePanel, words: Words) -> str:
    """What is due, or what ended the game; before a choice, only what is possible, as at a table."""
    if context.due.ended is not None:
        return "" if context.unknown else words.end_text(context.due.ended)
    return (panel.headline if isinstance(panel, IdlePanel) else "") or words.due_text(context.due)


def _context(editor: Editor) -> Context:
    """The context for the panels of a move; the words give the places of unknown cells without names."""
    game, state, unknown = editor.game, editor.position.state, editor.position.unknown
    pages = pages_of(game.id)
    words = pages.words_for(editor.words, state)
    plain = pages.draw(state, words.language, people=words.people)
    board = pages.name_unknown_spots(plain, state, unknown, unknown_board_cells(game, unknown), words)
    placed = words.with_places(_places(board), _("a cell beyond the board"))
    return Context(game, state, editor.address, placed, pages, board, game.due(state), unknown=unknown)


def _places(board: Board) -> Mapping[Cell, str]:
    """The places of cells without names, counted from the corner of the board in reading order."""
    cells = {spot.cell for spot in board.spots if not isinstance(spot.cell, str)}
    left, top = min((x for x, _ in cells), default=0), max((y for _, y in cells), default=0)
    return {
        cell: _("the cell in row %(row)s, column %(column)s", row=top - cell[1] + 1, column=cell[0] - left + 1)
        for cell in cells
    }


def _others(context: Context) -> Iterator[KindButton]:
    """The kinds that are not due. The link of a kind with only one move asks about that move."""
    plain, address = context.address.plain(), context.address
    for kind, form in context.game.kinds.items():
        if kind not in context.due.kinds:
            bare = not fields(form)
            href = plain.url(move=context.game.write(form())) if bare else plain.url(kind=kind)
            yield KindButton(capitalise(context.words.name(kind)), (), 0, True, href, address.kind == kind)


# --- from a table ------------------------------------------------------------------------------------------------


def snapshot_at(
    table: Table,
    visible_position: Callable[[Position], Position] = lambda position: position,
    version: int | None = None,
) -> Snapshot:
    """The position of a table, now or at a `version`, without the names of the players.

    `visible_position` selects the part of the position to take.
    """
    state = table.state if version is None else table.states[version - 1]
    return Snapshot(without_names(setup_now(table, state)), visible_position(table.game.position(state)))


def why_unread(error: Unread, game: AnyGame) -> str:
    """The reason why a text is no position, in words."""
    words = sentences.words(language(), game.id)
    texts = [*errors_in_words(game, Invalid(error.field_errors)), *map(words.finding_text, error.problems)]
    return " ".join(dict.fromkeys(texts)) or _("It was cut off, or its letters were changed.")


def short_text_of(snapshot: Snapshot) -> str | None:
    """A position as the text of an address; None if it is too long."""
    text = text_of(snapshot)
    return text if len(text) <= MAX_TEXT else None
