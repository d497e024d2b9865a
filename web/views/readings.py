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
    """How the rules are read at the table."""
    return section_of(table_id, "readings")


@web.post("/t/<table_id>/readings")
def set_readings(table_id: str) -> Response:
    """Read the rules otherwise from here on."""
    key, address = cookies.key(), TableAddress(table_id, "readings")
    version, asked = number(request.form.get("version")), readings_in_form(request.form)
    if version is None or not asked:
        return incomplete(address)
    table, role = referee().known(table_id, key)
    try:
        read = schemas.load(schemas.of(table.game).reading, {"readings": asked})["readings"]
        done = referee().read_otherwise(change_request(table_id, version), read)
    except Stale as error:
        return table_page(address, error.table, role, status_of(error), trouble=stale_trouble(error, None))
    except (Forbidden, Full, Invalid, KeyReused) as error:
        table, role = referee().table(table_id, key)
        return table_page(address, table, role, status_of(error), trouble=Trouble(error_text(error)))
    return make_response(redirect(address.url(done=done.version if done.entries else None), 303))
