"""The pages that let other phones in: the links to pass on, and the form that joins by one."""

from __future__ import annotations

from contextlib import suppress

from flask import Response, make_response, redirect, request, url_for

from service.errors import NoTable, RateLimited, Unauthorised
from service.http.current import admit, admit_wrong_key, referee
from service.http.problems import status_of
from service.limits.rate_limits import Kind
from web.blueprint import as_answer, page, too_often, web
from web.browser import cookies, tour
from web.browser.bidi import words_among
from web.browser.language import language
from web.browser.public_url import PublicUrl
from web.pages import home_list
from web.panels.context import names_at
from web.panels.share import invitations


@web.get("/t/<table_id>/share")
def share_table(table_id: str) -> Response:
    """The links that let other phones in."""
    table, role = referee().table(table_id, cookies.key())
    words = words_among(language(), table.game.id, table.setup)
    public = PublicUrl.now()
    found = invitations(public.base, table, cookies.keys(), words)
    return page("share", table=table, role=role, words=words, invitations=found, names=names_at(table), public=public)


@web.get("/t/<table_id>/join")
def join(table_id: str) -> Response:
    """A field for a key or a link."""
    return page("join", table_id=table_id, holds=_current_role(table_id), refused=False)


@web.post("/t/<table_id>/join")
def join_table(table_id: str) -> Response:
    """Take a key of the table, if it is one. Whoever is at the table and has followed a link is asked first."""
    given, path = cookies.key_of(request.form.get("key", "")), url_for("web.board", table_id=table_id)
    if request.form.get("by") == "link" and cookies.key():
        if given == cookies.key():
            return make_response(redirect(path, 303))
        return page("join", table_id=table_id, holds=_current_role(table_id), refused=False, typed=given)
    with suppress(NoTable, Unauthorised):
        referee().known(table_id, given)  # a worker that has not seen the table yet learns its keys
    try:
        admit(Kind.JOIN, given)
        table, role = referee().table(table_id, given)
    except (NoTable, Unauthorised) as error:
        return page("join", status_of(error), table_id=table_id, holds=_current_role(table_id), refused=True)
    except RateLimited as error:
        typed, late = request.form.get("key", ""), too_often(error)
        return as_answer(error, page("join", table_id=table_id, holds=_current_role(table_id), typed=typed, late=late))
    held = {role.name: given or "", **{name: key for name, key in cookies.keys().items() if name != role.name}}
    response = cookies.keep(make_response(redirect(path, 303)), path, held)
    return tour.begin(home_list.remember(response, table, given or ""))


def _current_role(table_id: str) -> str | None:
    """What this browser is at the table already, by its key."""
    try:
        table, role = referee().table(table_id, cookies.key())
    except NoTable:
        admit_wrong_key()
        return None
    except Unauthorised:
        return None
    return words_among(language(), table.game.id, table.setup).player(role.name)
