"""The first page: the form that opens a table, and the ways back to tables that are open."""

from __future__ import annotations

from flask import Response, make_response, redirect, request, url_for

from service.current import admit, referee
from service.errors import Invalid, RateLimited
from service.limits import Kind
from service.problems import status_of
from web import session
from web.blueprint import as_answer, htmx, page, part_wanted, too_often, web
from web.games import pages_of
from web.opening import form as opening
from web.panels.context import names_at
from web.panels.count import counted_games


@web.get("/")
def home() -> Response:
    """Open a table, of the game that was opened here last unless another is asked for; or go back to one."""
    last = next((table.game for table in session.recent_tables()), "")
    return _home(opening.form_of({"game": last, **request.args.to_dict()}))


def _home(form: opening.Form, status: int = 200, *, again: bool = False, late: str = "") -> Response:
    pages = pages_of(form.game.id)
    if part_wanted(opening.PART):
        return page("opening_part", status, form=form, pages=pages, late=late)
    given = {"games": opening.games(), "counted": counted_games(), "recent": session.recent_tables()}
    return page("home", status, form=form, pages=pages, again=again, late=late, **given)


@web.post("/")
def open_table() -> Response:
    """Open a table and give this browser its keys; or show the fields that belong to what is filled in so far."""
    form = opening.form_of(request.form, htmx.trigger_name)
    if "update" in request.form or part_wanted(opening.PART):
        return _home(form)
    try:
        game, setup = opening.setup_of(form)
        admit(Kind.CREATE)
        opened = referee().open(game, setup)
    except Invalid as error:
        form = opening.with_errors(form, error)
        return _home(form, status_of(error))
    except RateLimited as error:
        return as_answer(error, _home(form, late=too_often(error)))
    table = opened.table
    path = url_for("web.board", table_id=table.id)
    held = {"host": opened.keys.host, **opened.keys.seats, "watch": opened.keys.watch}
    response = session.keep(make_response(redirect(path, 303)), path, held)
    return session.remember(response, table, names_at(table))


@web.get("/t/<table_id>/again")
def again(table_id: str) -> Response:
    """The form to begin anew: the same players, and what else stays as it was."""
    table, _role = referee().table(table_id, session.key())
    return _home(opening.again(table), again=True)
