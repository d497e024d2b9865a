"""A table's pages: its board and its score, and the forms that play, undo and redo.

GET reads and POST acts; a POST is answered by 303 to a page that can be loaded again. If htmx requests a part of a
page, the same addresses return that part.
"""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import Final

from flask import Response, make_response, redirect, request, url_for

from service.errors import Forbidden, Full, KeyReused, Refused, Stale, Unreachable
from service.http.current import referee
from service.http.problems import PROBLEMS, status_of
from service.judgements import AttemptedMove
from service.referee.repository import ChangeRequest
from service.tables.forced_moves import MAX_AT_ONCE
from service.tables.keys import Role
from service.tables.table import Table
from web.blueprint import error_text, page, wants_part, web
from web.browser import cookies, tour
from web.browser.address import AmendAddress, PageAddress, TableAddress, number, set_page_url
from web.browser.language import _, language
from web.pages import partial_updates
from web.pages.table_page import page_of
from web.panels.moves.panel_choice import read_move
from web.panels.news import News, Trouble, find_entry_since, news_of, no_move_trouble, stale_trouble

DONE: Final = "Bastide-Done"
"""The header with the version that this browser has just made, so that it can delete what it stored of its form."""


@web.get("/t/<table_id>")
def board(table_id: str) -> Response:
    """The board of a table, and the possible actions."""
    return section_of(table_id, "board")


@web.get("/t/<table_id>/score")
def score(table_id: str) -> Response:
    """The score sheet."""
    return section_of(table_id, "score")


def section_of(table_id: str, section: str) -> Response:
    """The page of a table that the address requests."""
    table, role = referee().table(table_id, cookies.key())
    return no_news(table) or opened_page(TableAddress.of(table_id, section, request.args), table, role)


def no_news(table: Table) -> Response | None:
    """An empty response, if the browser asks for news and the log has no new entry."""
    return Response(status=HTTPStatus.NO_CONTENT) if number(request.args.get("since")) == table.version else None


def opened_page(address: PageAddress, table: Table, role: Role) -> Response:
    """A page of a table that the view has read already."""
    chosen, address = address, _for_whose_turn(address, table, role)
    set_page_url(replace(address, since=None, done=None, already=None).url())
    trouble = _move_trouble(table, address)
    answer = table_page(address, table, role, 200, news=news_of(table, address, chosen), trouble=trouble)
    if chosen is not address:
        answer.headers["HX-Replace-Url"] = replace(address, since=None).url()
    return answer


def _for_whose_turn(address: PageAddress, table: Table, role: Role) -> PageAddress:
    """The address without a player's choices, if another phone's move has ended that player's turn.

    A phone that plays for all would enter them for the next player. A phone that plays one side shows that it waits.
    """
    since = address.since
    if role.kind != "host" or address.section != "board" or not since or since > table.version:
        return address
    was = table.game.due(table.states[since - 1]).seat
    return address if was == table.due.seat else replace(address.plain(), since=since)


def _move_trouble(table: Table, address: PageAddress) -> Trouble | None:
    """An error about the address if it names no valid move."""
    if address.section != "board" or not address.move or read_move(table.game, address.move) is not None:
        return None
    return no_move_trouble(address.move)


def table_page(
    address: PageAddress,
    table: Table,
    role: Role,
    status: int,
    *,
    news: News | None = None,
    trouble: Trouble | None = None,
) -> Response:
    """A page of a table, or the requested part of it."""
    asks_for_news, done = address.since is not None, address.done
    address = replace(address, since=None, done=None, already=None)
    view = page_of(address, table, role, language(), news, trouble)
    frame = partial_updates.frame(table.id)
    if not wants_part():
        return page("table", status, view=view, frame=frame, is_refused=status >= HTTPStatus.BAD_REQUEST)
    known_marks = partial_updates.browser_marks(table.id)
    answer = page("table_part", status, view=view, part=True, frame=frame, known_marks=known_marks)
    late = isinstance(address, AmendAddress) and address.late  # they may be longer than a header
    if not asks_for_news and not late:
        answer.headers["HX-Replace-Url"] = address.url()
    if done is not None:
        answer.headers[DONE] = str(done)
    return partial_updates.in_parts(answer) if known_marks else answer


def done_page(address: PageAddress, table: Table, version: int, *, already: bool = False) -> Response:
    """The page after the server has done what a form asks, or if another phone had done it `already`.

    A browser is redirected there; htmx gets it at once, in the same response.
    """
    address = replace(address, done=version, already="yes" if already else None)
    role = table.role(cookies.key() or "")
    if role is None or not wants_part():
        return make_response(redirect(address.url(), 303))
    set_page_url(address.url())
    return table_page(address, table, role, 200, news=news_of(table, address))


@web.post("/t/<table_id>/play")
def play(table_id: str) -> Response:
    """Play a move, or several forced ones; once, even if the browser repeats the form."""
    key, form = cookies.key(), request.form
    table, role = referee().authorise(table_id, key)
    address = TableAddress(table_id, move=form.get("move"), zoom=form.get("zoom") or None)
    given = form.getlist("move")[: MAX_AT_ONCE + 1]
    moves = [move for notation in given if (move := read_move(table.game, notation)) is not None]
    version = number(form.get("version"))
    if not 1 <= len(moves) == len(given) <= MAX_AT_ONCE or version is None:
        table, role = referee().table(table_id, key)
        trouble = _move_trouble(table, address) or Trouble(_("The form was incomplete. Fill it in and send it again."))
        return table_page(address.plain(), table, role, PROBLEMS["invalid"], trouble=trouble)
    attempts = [AttemptedMove(move, form.get("stands") == "yes") for move in moves]
    try:
        outcome = referee().play(change_request(table_id, version), attempts)
    except Stale as error:
        if there := find_entry_since(error, role, moves):
            return done_page(address.plain(), error.table, there, already=True)
        return table_page(address.plain(), error.table, role, status_of(error), trouble=stale_trouble(error, moves[0]))
    except Refused as error:
        table, role = referee().table(table_id, key)
        return table_page(address, table, role, status_of(error))
    except (Forbidden, KeyReused, Full) as error:
        return not_done(address.plain(), error)
    tour.end()
    return done_page(address.plain(), outcome.table, outcome.version)


@web.post("/t/<table_id>/rewind")
def rewind(table_id: str) -> Response:
    """Undo or redo up to a version."""
    key, form = cookies.key(), request.form
    address = TableAddress(table_id, zoom=form.get("zoom") or None)
    to, version = number(form.get("to")), number(form.get("version"))
    if to is None or version is None:
        return incomplete(address)
    try:
        outcome = referee().rewind(change_request(table_id, version), to)
    except Stale as error:
        _table_now, role = referee().table(table_id, key)
        return table_page(address, error.table, role, status_of(error), trouble=stale_trouble(error, None))
    except (Unreachable, Forbidden, KeyReused, Full) as error:
        return not_done(address, error)
    return done_page(address, outcome.table, outcome.version)


def change_request(table_id: str, version: int) -> ChangeRequest:
    """The change to a table that a form requests, on top of a version."""
    return ChangeRequest(table_id, cookies.key(), version, sent_key())


def sent_key() -> str | None:
    """The idempotency key of the form."""
    key = request.form.get("key", "")
    return key if cookies.KEY.fullmatch(key) else None


def not_done(address: PageAddress, error: Exception) -> Response:
    """The current table, with the reason why the server did nothing."""
    table, role = referee().table(address.table, cookies.key())
    return table_page(address, table, role, status_of(error), trouble=Trouble(error_text(error)))


def incomplete(address: PageAddress) -> Response:
    """The current table, for a form with missing fields."""
    table, role = referee().table(address.table, cookies.key())
    trouble = Trouble(_("The form was incomplete. Fill it in and send it again."))
    return table_page(address, table, role, PROBLEMS["invalid"], trouble=trouble)


@web.get("/t/<table_id>/play")
@web.get("/t/<table_id>/roll")
@web.get("/t/<table_id>/rewind")
def nothing_to_see(table_id: str) -> Response:
    """The addresses of forms: a GET shows the table instead."""
    return make_response(redirect(url_for("web.board", table_id=table_id), 303))
