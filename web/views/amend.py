"""The pages of an amendment: choose a late move on the board of that time, preview the change, and make it."""

from __future__ import annotations

from dataclasses import replace

from flask import Response, make_response, redirect, request

from service.errors import Forbidden, Full, Invalid, KeyReused, Refused, Stale
from service.http.current import referee
from service.http.problems import PROBLEMS, status_of
from service.tables.entries import DELETE
from service.tables.keys import Role
from service.tables.table import Table
from web.blueprint import error_text, web
from web.browser import cookies
from web.browser.address import AmendAddress, PageAddress, TableAddress, number
from web.browser.language import _
from web.panels.amend import UnreadableMove, change_of
from web.panels.news import News, Trouble, news_of, no_move_trouble, stale_trouble
from web.views.table import change_request, not_done, table_page


@web.get("/t/<table_id>/amend")
def amend(table_id: str) -> Response:
    """The board of that time, to choose a late move there, or a form to type it."""
    table, role = referee().table(table_id, cookies.key())
    address = AmendAddress.of(table_id, "amend", request.args)
    if address.since == table.version:
        return make_response("", 204)
    if address.do == DELETE:
        return _redirect_to(replace(address, section="preview"))
    try:
        if change_of(table, address) is None or not role.plays:
            return _nothing(table, role)
    except UnreadableMove as error:
        return _unreadable_move_page(table, role, address, error)
    return table_page(address, table, role, 200, news=news_of(table, address))


@web.get("/t/<table_id>/amend/preview")
def preview(table_id: str) -> Response:
    """What an amendment would do."""
    table, role = referee().table(table_id, cookies.key())
    address = AmendAddress.of(table_id, "preview", request.args)
    if address.since == table.version:
        return make_response("", 204)
    return _preview_page(table, role, address, news_of(table, address))


def _preview_page(table: Table, role: Role, address: AmendAddress, news: News | None = None) -> Response:
    """What an amendment would do; or, if it is rejected, the board of that time with the refused move."""
    try:
        change = change_of(table, address)
        if change is None or not role.plays:
            return _nothing(table, role)
        if change.do != DELETE and not change.moves:
            return table_page(replace(address.without_choice(), late=None), table, role, 200, news=news)
        return table_page(address, table, role, 200, news=news)
    except UnreadableMove as error:
        return _unreadable_move_page(table, role, address, error)
    except Refused as refused:
        ask_address = replace(address.without_choice(), late=None, move=refused.judgement.notation)
        return table_page(ask_address, table, role, status_of(refused), trouble=Trouble(error_text(refused)))
    except (Invalid, Full) as error:
        return table_page(
            TableAddress(table.id, "log"), table, role, status_of(error), trouble=Trouble(error_text(error))
        )


@web.post("/t/<table_id>/amend")
def save_amendment(table_id: str) -> Response:
    """Amend the log, once, even if the browser repeats the form; for a seat: confirm this change."""
    key, form = cookies.key(), request.form
    table, role = referee().table(table_id, key)
    address, version = AmendAddress.of(table_id, "preview", form), number(form.get("version"))
    try:
        change = change_of(table, address, in_play=False)  # a repeated form may have removed the entry already
    except UnreadableMove as error:
        return _unreadable_move_page(table, role, address, error)
    if change is None or version is None:
        return _nothing(table, role)
    try:
        outcome = referee().amend(change_request(table_id, version), change)
    except Stale as error:
        return table_page(
            TableAddress(table_id, "log"), error.table, role, status_of(error), trouble=stale_trouble(error, None)
        )
    except (Forbidden, Full, Invalid, KeyReused, Refused) as error:
        return not_done(TableAddress(table_id, "log"), error)
    return _redirect_to(TableAddress(table_id, "log", done=outcome.version))


def _redirect_to(address: PageAddress) -> Response:
    """Redirect to another page."""
    return make_response(redirect(address.url(), 303))


def _nothing(table: Table, role: Role) -> Response:
    """The page of the log if it has no entry to amend."""
    trouble = Trouble(_("Nothing in play can be amended there. Choose another entry."))
    return table_page(TableAddress(table.id, "log"), table, role, PROBLEMS["invalid"], trouble=trouble)


def _unreadable_move_page(table: Table, role: Role, address: AmendAddress, error: UnreadableMove) -> Response:
    """The board of that version, with the error about an invalid late move."""
    form_address = replace(address.without_choice(), late=None)
    return table_page(form_address, table, role, PROBLEMS["invalid"], trouble=no_move_trouble(str(error)))
