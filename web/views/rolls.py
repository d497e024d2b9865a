"""The form that rolls dice on the server: for a question, or for any other purpose."""

from __future__ import annotations

from dataclasses import replace

from flask import Response, make_response, redirect, request

from service import schemas
from service.errors import Forbidden, Full, Invalid, KeyReused, Stale
from service.http.current import referee
from service.http.problems import status_of
from service.tables.entries import DICE, Rolled
from service.types import JsonObject
from web.blueprint import web
from web.browser import cookies
from web.browser.address import TableAddress, number
from web.panels.log.dice import with_sum
from web.panels.news import stale_trouble
from web.views.table import change_request, incomplete, not_done, table_page


@web.post("/t/<table_id>/roll")
def roll(table_id: str) -> Response:
    """Roll, and redirect to the question with its answer, or to the log with the roll."""
    key, form = cookies.key(), request.form
    table, _role = referee().authorise(table_id, key)
    parameters = {name: form[name] for name in ("at", "kind", "so", "show", "zoom") if name in form}
    question_address = TableAddress.of(table_id, "log" if form.get("for") == DICE else "board", parameters)
    address, version = replace(question_address, so=with_sum(question_address.so, None)), number(form.get("version"))
    if version is None:
        return incomplete(address)
    try:
        to_roll = schemas.roll_of_body(schemas.load(schemas.of(table.game).roll_body, _roll_json()))
        outcome = referee().roll(change_request(table_id, version), to_roll)
    except Stale as error:
        _table, role = referee().table(table_id, key)
        return table_page(address, error.table, role, status_of(error), trouble=stale_trouble(error, None))
    except (Forbidden, Full, Invalid, KeyReused) as error:
        return not_done(address, error)
    entry = outcome.entries[0]
    total = entry.throws[0].total if isinstance(entry, Rolled) else None
    return make_response(
        redirect(replace(question_address, so=with_sum(question_address.so, total)).url(done=outcome.version), 303)
    )


def _roll_json() -> JsonObject:
    """The roll that the form requests, as the API's JSON."""
    form = request.form
    body: JsonObject = {name: form[name] for name in ("for", "move", "camp", "die") if form.get(name)}
    dice = number(form.get("dice"))
    return body if dice is None else {**body, "dice": dice}
