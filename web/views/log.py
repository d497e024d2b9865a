"""The log, which is also the replay of a game; and the addresses that both had before they were one page."""

from __future__ import annotations

from flask import Response, make_response, redirect, request

from service.http.current import referee
from web.blueprint import wants_part, web
from web.browser import cookies
from web.browser.address import TableAddress
from web.panels.context import turns_of
from web.panels.log.reel import with_entry
from web.views.table import no_news, opened_page


@web.get("/t/<table_id>/moves")
def log(table_id: str) -> Response:
    """The log with an open entry, also by its step or its round."""
    address = TableAddress.of(table_id, "log", request.args)
    table, role = referee().table(table_id, cookies.key())
    if address.step is not None or address.round is not None:
        address = with_entry(table, turns_of(table), address)
        if not wants_part():
            return _redirect_to(address)
    return no_news(table) or opened_page(address, table, role)


@web.get("/t/<table_id>/log")
def old_log(table_id: str) -> Response:
    """The log's old address: messages and bookmarks contain it, so it stays forever."""
    return _redirect_to(TableAddress.of(table_id, "log", request.args))


@web.get("/t/<table_id>/replay")
def old_replay(table_id: str) -> Response:
    """The old address of a step of the replay, likewise."""
    table, _role = referee().table(table_id, cookies.key())
    return _redirect_to(with_entry(table, turns_of(table), TableAddress.of(table_id, "log", request.args)))


def _redirect_to(address: TableAddress) -> Response:
    """Redirect to the log, at its open entry."""
    return make_response(redirect(address.url() + (f"#e-{address.entry}" if address.entry else ""), 303))
