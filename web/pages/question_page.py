"""Prepares a question without a table: the address contains the position, and nothing is stored or placed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

from flask import url_for

from rules.kernel import Cell, Due, Seat
from service.cases.report import setup_now, without_names
from service.errors import Invalid
from service.i18n.sentences import Words
from service.tables.table import Table
from service.types import AnyGame, Position
from web.board.drawing import Drawing
from web.board.shapes import Board, Symbol
from web.browser.address import AskAddress, CountAddress, query_of
from web.browser.bidi import words_with_names
from web.browser.language import _
from web.browser.public_url import PublicUrl
from web.browser.recent_tables import known_players
from web.game_pages import Snapshot
from web.games import pages_of
from web.pages.permissions import NO_PERMISSIONS, Permissions
from web.panels.board_part import BoardPart, WithBoard, board_part
from web.panels.context import Context, Focus
from web.panels.count import entry_of
from web.panels.moves.choose import IdlePanel
from web.panels.moves.panel_choice import MovePanel, move_focus, read_move
from web.panels.news import Trouble, no_move_trouble
from web.panels.sentences import Reason, capitalise, reasons
from web.position_url import (
    MAX_TEXT,
    PositionReport,
    Trail,
    Unread,
    check_position,
    snapshot_of,
    step_of,
    unknown_board_cells,
)


@dataclass(frozen=True, slots=True)
class OtherKind:
    """A kind of move that is not due: asked about all the same."""

    name: str
    href: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class AskView(WithBoard):
    """Everything that the page shows. `change` leads back to the board on which the position is entered.

    `others` are the kinds of moves that are not due. What stands on a table's page has no part here: nobody plays, and
    no move is placed.
    """

    address: AskAddress
    game: AnyGame
    words: Words
    due: str
    due_seat: Seat | None
    has_ended: bool
    problems: tuple[Reason, ...]
    board: BoardPart
    symbols: tuple[Symbol, ...]
    panel: MovePanel
    others: tuple[OtherKind, ...]
    change: str
    link: str
    only_here: bool
    trouble: Trouble | None
    may: Permissions = NO_PERMISSIONS
    past: None = None
    waits: bool = False


def ask_of(game: AnyGame, address: AskAddress, language: str, public: PublicUrl) -> AskView:
    """The view of a position and of what is asked about it. Raises `Unread`."""
    trail = Trail.of(address.table)
    snapshot = snapshot_of(game, entry_of(game), trail, asks=True)
    there = check_position(game, snapshot)
    try:
        return _view(game, there, address, language, public)
    except Invalid as error:  # nothing can lie on what is unknown
        raise Unread(error.field_errors) from None


def words_of_question(language: str, game_id: str, address: AskAddress | CountAddress) -> Words:
    """The words for a question: of a table that this browser knows, they call its players by name."""
    return words_with_names(language, game_id, known_players(address.about, game_id))


def _view(game: AnyGame, there: PositionReport, address: AskAddress, language: str, public: PublicUrl) -> AskView:
    plain, pages = words_of_question(language, game.id, address), pages_of(game.id)
    context = _context(game, there, address, plain)
    focus: Focus[MovePanel] = move_focus(context)
    due = context.due
    return AskView(
        address=address,
        game=game,
        words=context.words,
        due=_now(plain, due, unsure=bool(there.unknown)),
        due_seat=due.seat,
        has_ended=due.ended is not None,
        problems=reasons(context.words, there.problems, address),
        board=_board_part(context, focus),
        symbols=pages.symbols,
        panel=focus.panel,
        others=tuple(_others(context)) if isinstance(focus.panel, IdlePanel) else (),
        change=_position_href(game, address),
        link=public.base + url_for("web.ask_move", game_id=game.id, text=address.table) + address.url(about=None),
        only_here=public.only_here,
        trouble=_move_trouble(game, address),
    )


def _context(game: AnyGame, there: PositionReport, address: AskAddress, plain: Words) -> Context:
    """What every panel needs; the words say where unknown cells are that have no names."""
    state, pages, unknown = there.state, pages_of(game.id), there.unknown
    words = pages.words_for(plain, state)
    board = pages.name_unknown_spots(
        pages.draw(state, plain.language, people=plain.people),
        state,
        unknown,
        unknown_board_cells(game, unknown),
        words,
    )
    placed = words.with_places(_places(board, unknown))
    return Context(game, state, address, placed, pages, board, game.due(state), unknown=unknown)


def _board_part(context: Context, focus: Focus[MovePanel]) -> BoardPart:
    """The board that a panel shows, with its lights."""
    address, pages, board = context.address, context.pages, context.board
    unseen = unknown_board_cells(context.game, context.unknown)
    if focus.state is not context.state:
        drawn = pages.draw(focus.state, context.words.language, focus.before, context.words.people)
        board = pages.name_unknown_spots(drawn, focus.state, context.unknown, unseen, context.words)
    light = replace(focus.light, facts=context.locate_facts(focus.light.facts), unknown_cells=unseen)
    return board_part(Drawing.of(board), light, address, focus.cell_links, moves=not (address.at or address.move))


def _places(board: Board, unknown: Sequence[Cell]) -> dict[Cell, str]:
    """Where unknown cells are that have no names, counted from the corner of the board as its cells are read."""
    cells = [spot.cell for spot in board.spots if not isinstance(spot.cell, str)]
    left, top = min((x for x, _ in cells), default=0), max((y for _, y in cells), default=0)
    return {
        cell: _("the cell in row %(row)s, column %(column)s", row=top - cell[1] + 1, column=cell[0] - left + 1)
        for cell in unknown
        if not isinstance(cell, str)
    }


def _now(words: Words, due: Due, *, unsure: bool) -> str:
    """What is due, or the end; not an end that only what is known has come to."""
    if due.ended is None:
        return words.due_text(due)
    return "" if unsure else words.end_text(due.ended)


def _position_href(game: AnyGame, address: AskAddress) -> str:
    """Back to the board on which the position is entered, at the chosen cell."""
    at = AskAddress(address.table, at=address.at, zoom=address.zoom, about=address.about).parameters()
    return query_of(url_for("web.ask", game_id=game.id, text=address.table), at)


def _others(context: Context) -> list[OtherKind]:
    """The kinds that are not due. One of which there is just one move is asked about at once."""
    plain, address = context.address.plain(), context.address
    found = []
    for kind, form in context.game.kinds.items():
        if kind not in context.due.kinds:
            bare = not fields(form)
            href = plain.url(move=context.game.write(form())) if bare else plain.url(kind=kind)
            found.append(OtherKind(capitalise(context.words.name(kind)), href, address.kind == kind))
    return found


def _move_trouble(game: AnyGame, address: AskAddress) -> Trouble | None:
    """An error about the address if it names no valid move."""
    if not address.move or read_move(game, address.move) is not None:
        return None
    return no_move_trouble(address.move)


# --- from a table ------------------------------------------------------------------------------------------------


def text_of(
    table: Table,
    visible_position: Callable[[Position], Position] = lambda position: position,
    version: int | None = None,
) -> str | None:
    """What lies on a table as the text of an address, without the names of the players; None where it is too long.

    `visible_position` says what of the position is taken; with a `version`, it is the one of then.
    """
    state = table.state if version is None else table.states[version - 1]
    snapshot = Snapshot(without_names(setup_now(table, state)), visible_position(table.game.position(state)))
    text = Trail((step_of(snapshot),)).text()
    return text if len(text) <= MAX_TEXT else None
