"""The page of the readings of a table, and the form that changes one from here on."""

from __future__ import annotations

from flask import Response, make_response, redirect, request

from service import schemas
from service.errors import Forbidden, Full, Invalid, KeyReused, Stale
from service.http.current import referee
from service.http.problems import status_of
from web.blueprint import error_text, web
from web.browser import cookies
from web.browser.address import TableAddress, number
from web.panels.news import Trouble, stale_trouble
from web.panels.readings import readings_in_form
from web.views.table import change_request, incomplete, section_of, table_page


@web.get("/t/<table_id>/readings")
def readings(table_id: str) -> Response:
    """The page of the readings of a table."""
    return section_of(table_id, "readings")


@web.post("/t/<table_id>/readings")
def set_readings(table_id: str) -> Response:
    """Change the readings of a table from now on."""
    key, address = cookies.key(), TableAddress(table_id, "readings")
    version, form_values = number(request.form.get("version")), readings_in_form(request.form)
    if version is None or not form_values:
        return incomplete(address)
    table, role = referee().authorise(table_id, key)
    try:
        new_values = schemas.load(schemas.of(table.game).readings_body, {"readings": form_values})["readings"]
        outcome = referee().set_readings(change_request(table_id, version), new_values)
    except Stale as error:
        return table_page(address, error.table, role, status_of(error), trouble=stale_trouble(error, None))
    except (Forbidden, Full, Invalid, KeyReused) as error:
        table, role = referee().table(table_id, key)
        return table_page(address, table, role, status_of(error), trouble=Trouble(error_text(error)))
    return make_response(redirect(address.url(done=outcome.version if outcome.entries else None), 303))
