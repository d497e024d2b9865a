"""The pages that let other phones in: the links to pass on, and the form that joins by one."""

from __future__ import annotations

from contextlib import suppress

from flask import Response, make_response, redirect, request, url_for

from service.errors import NoTable, RateLimited, Unauthorised
from service.http.current import admit, admit_wrong_key, referee
from service.http.problems import status_of
from service.limits.rate_limits import Kind
from web.blueprint import page, rate_limit_text, web, with_problem_headers
from web.browser import cookies
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
    public = PublicUrl.of_request()
    found = invitations(public.base, table, cookies.keys(), words)
    return page("share", table=table, role=role, words=words, invitations=found, names=names_at(table), public=public)


@web.get("/t/<table_id>/join")
def join(table_id: str) -> Response:
    """A field for a key or a link."""
    return page("join", table_id=table_id, holds=_current_role(table_id), is_refused=False)


@web.post("/t/<table_id>/join")
def join_table(table_id: str) -> Response:
    """Take a key of the table, if it is one. Whoever is at the table and has followed a link is asked first."""
    pasted_key, path = cookies.key_of(request.form.get("key", "")), url_for("web.board", table_id=table_id)
    if request.form.get("by") == "link" and cookies.key():
        if pasted_key == cookies.key():
            return make_response(redirect(path, 303))
        return page("join", table_id=table_id, holds=_current_role(table_id), is_refused=False, entered_key=pasted_key)
    with suppress(NoTable, Unauthorised):
        referee().authorise(table_id, pasted_key)  # a worker that has not seen the table yet learns its keys
    try:
        admit(Kind.JOIN, pasted_key)
        table, role = referee().table(table_id, pasted_key)
    except (NoTable, Unauthorised) as error:
        return page("join", status_of(error), table_id=table_id, holds=_current_role(table_id), is_refused=True)
    except RateLimited as error:
        text, late = request.form.get("key", ""), rate_limit_text(error)
        return with_problem_headers(
            error, page("join", table_id=table_id, holds=_current_role(table_id), entered_key=text, late=late)
        )
    keys_by_role = {
        role.name: pasted_key or "",
        **{name: key for name, key in cookies.keys().items() if name != role.name},
    }
    response = cookies.keep(make_response(redirect(path, 303)), path, keys_by_role)
    return home_list.remember(response, table, pasted_key or "")


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
