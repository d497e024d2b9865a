"""The page of the turns, and the form that sets how this phone announces them."""

from __future__ import annotations

from flask import Response, make_response, redirect, request

from web.blueprint import web
from web.browser.address import TableAddress
from web.browser.turn_signals import keep, valid_signals
from web.views.table import section_of


@web.get("/t/<table_id>/turns")
def turns(table_id: str) -> Response:
    """The page with the times of the players and the signals of this phone."""
    return section_of(table_id, "turns")


@web.post("/t/<table_id>/turns")
def set_signals(table_id: str) -> Response:
    """Set the turn signals of this phone; the table does not change."""
    response = make_response(redirect(TableAddress(table_id, "turns").url(), 303))
    return keep(response, valid_signals(request.form.getlist("signal")))
