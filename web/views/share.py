"""The pages that let other phones in: the links to pass on, and the form that joins with one."""

from __future__ import annotations

from contextlib import suppress

from flask import Response, make_response, redirect, request, url_for

from service import schemas
from service.errors import (
    CodeEnded,
    Expired,
    Forbidden,
    Full,
    Invalid,
    KeyEnded,
    KeyReused,
    NoCode,
    NoSuchKey,
    NoTable,
    NoView,
    RateLimited,
    Stale,
    Unauthorised,
)
from service.http.current import admit, admit_wrong_key, find_by_code, referee
from service.http.problems import status_of
from service.limits.rate_limits import Kind
from service.referee.access import KeyRequest, ViewRequest
from service.referee.join_codes import shown_code
from service.tables.keys import HOST
from service.tables.table import Table
from web.blueprint import error_text, page, rate_limit_text, web, with_problem_headers
from web.browser import cookies
from web.browser.bidi import words_among
from web.browser.language import language
from web.browser.public_url import PublicUrl
from web.pages import home_list
from web.panels.context import names_at
from web.panels.sentences import new_key, role_title
from web.panels.share import invitations, view_links
from web.views.table import change_request


@web.get("/t/<table_id>/share")
def share_table(table_id: str) -> Response:
    """The links that let other phones in, and for the host the links of public views."""
    return _share_page(table_id)


def _share_page(table_id: str, trouble: Exception | None = None, code: str = "", code_role: str = "") -> Response:
    """The same page, also with an error, or with a new join code of a role. Typed values stay."""
    key = cookies.key()
    table, role = referee().table(table_id, key)
    words = words_among(language(), table.game.id, table.setup)
    public = PublicUrl.of_request()
    return page(
        "share",
        200 if trouble is None else status_of(trouble),
        table=table,
        role=role,
        words=words,
        invitations=invitations(public.base, table, cookies.keys(), words, is_host=role.kind == HOST),
        names=names_at(table),
        public=public,
        views=view_links(public.base, table, key or "", language()) if role.kind == HOST else (),
        trouble=None if trouble is None else error_text(trouble),
        form=request.form,
        key=new_key(),
        code=code,
        code_for=role_title(code_role, words),
    )


@web.post("/t/<table_id>/views")
def make_view(table_id: str) -> Response:
    """Make a public view, as the host."""
    form = request.form
    try:
        label = schemas.load(schemas.TITLE_FORM, {"title": form.get("label", "")})["title"]
        asked = ViewRequest(label, names="names" in form, from_now="from_now" in form)
        referee().make_view(change_request(table_id, 0), asked)
    except (Forbidden, Full, Invalid, KeyReused, Stale) as error:
        return _share_page(table_id, error)
    return _back_to_views(table_id)


@web.post("/t/<table_id>/views/<int:number>/revoke")
def revoke_view(table_id: str, number: int) -> Response:
    """Revoke a public view, as the host."""
    try:
        referee().revoke_view(change_request(table_id, 0), number)
    except (Forbidden, Full, NoView, Stale) as error:
        return _share_page(table_id, error)
    return _back_to_views(table_id)


@web.post("/t/<table_id>/keys/<role>/renew")
def renew_key(table_id: str, role: str) -> Response:
    """Make a new link of a role, as the host; this browser uses it from now on."""
    try:
        made = referee().renew_key(change_request(table_id, 0), KeyRequest(role))
    except (Forbidden, Full, KeyReused, NoSuchKey, Stale) as error:
        return _share_page(table_id, error)
    path = url_for("web.board", table_id=table_id)
    there = make_response(redirect(url_for("web.share_table", table_id=table_id), 303))
    response = cookies.keep(there, path, {**cookies.keys(), role: made.secret})
    return home_list.remember(response, made.outcome.table, made.secret) if role == HOST else response


@web.post("/t/<table_id>/keys/<role>/end")
def end_key(table_id: str, role: str) -> Response:
    """End the links of a role, as the host, except this browser's."""
    try:
        referee().revoke_key(change_request(table_id, 0), role)
    except (Forbidden, Full, KeyReused, NoSuchKey, Stale) as error:
        return _share_page(table_id, error)
    return make_response(redirect(url_for("web.share_table", table_id=table_id), 303))


@web.post("/t/<table_id>/codes/<role>")
def make_join_code(table_id: str, role: str) -> Response:
    """Make a join code of a role, as the host; the page shows it."""
    try:
        made = referee().make_code(table_id, cookies.key(), role)
    except (Forbidden, Invalid) as error:
        return _share_page(table_id, error)
    return _share_page(table_id, code=shown_code(made.code), code_role=role)


@web.get("/join")
def enter_code() -> Response:
    """A field for a join code."""
    return page("join_code")


@web.post("/join")
def find_by_join_code() -> Response:
    """Redirect a code to its table, where the browser sends that table's cookies. This does not use up the code."""
    code = request.form.get("code", "")
    try:
        table_id = find_by_code(lambda: referee().table_of_code(code))
    except (CodeEnded, NoCode, RateLimited) as error:
        text = rate_limit_text(error) if isinstance(error, RateLimited) else error_text(error)
        return with_problem_headers(error, page("join_code", code=code, trouble=text))
    return make_response(redirect(url_for("web.join", table_id=table_id), 307))


@web.get("/t/<table_id>/codes/<role>")
@web.get("/t/<table_id>/keys/<role>/renew")
@web.get("/t/<table_id>/keys/<role>/end")
def no_form_of_keys(table_id: str, role: str) -> Response:  # noqa: ARG001  # of the address
    """Where a form would have been sent."""
    return make_response(redirect(url_for("web.share_table", table_id=table_id), 303))


@web.get("/t/<table_id>/views")
@web.get("/t/<table_id>/views/<int:number>/revoke")
def no_form_of_views(table_id: str, number: int = 0) -> Response:  # noqa: ARG001  # of the address
    """Where a form would have been sent."""
    return _back_to_views(table_id)


def _back_to_views(table_id: str) -> Response:
    return make_response(redirect(url_for("web.share_table", table_id=table_id) + "#views", 303))


@web.get("/t/<table_id>/join")
def join(table_id: str) -> Response:
    """A field for a key or a link."""
    return page("join", table_id=table_id, holds=_current_role(table_id), is_refused=False)


@web.post("/t/<table_id>/join")
def join_table(table_id: str) -> Response:
    """Store a valid key of the table. A browser that has one already and follows a link has to confirm."""
    if "code" in request.form:
        return _join_by_code(table_id, request.form["code"])
    pasted_key, path = cookies.key_of(request.form.get("key", "")), url_for("web.board", table_id=table_id)
    if request.form.get("by") == "link" and cookies.key():
        if pasted_key == cookies.key():
            return make_response(redirect(path, 303))
        return page("join", table_id=table_id, holds=_current_role(table_id), is_refused=False, entered_key=pasted_key)
    with suppress(KeyEnded, NoTable, Unauthorised):
        referee().authorise(table_id, pasted_key)  # a worker that has not cached the table loads its keys
    try:
        admit(Kind.JOIN, pasted_key)
        table, role = referee().table(table_id, pasted_key)
    except (KeyEnded, NoTable, Unauthorised) as error:
        return page("join", status_of(error), table_id=table_id, holds=_current_role(table_id), is_refused=True)
    except RateLimited as error:
        text, late = request.form.get("key", ""), rate_limit_text(error)
        return with_problem_headers(
            error, page("join", table_id=table_id, holds=_current_role(table_id), entered_key=text, late=late)
        )
    return _seated(table, role.name, pasted_key or "")


def _join_by_code(table_id: str, code: str) -> Response:
    """Exchange a join code of this table for a key. A double tap finds the code used, and the browser at the table."""
    path = url_for("web.board", table_id=table_id)
    try:
        if (there := find_by_code(lambda: referee().table_of_code(code))) != table_id:
            return make_response(redirect(url_for("web.join", table_id=there), 307))
        made = find_by_code(lambda: referee().join(code, None))
    except (CodeEnded, Expired, Full, NoCode, RateLimited) as error:
        if isinstance(error, CodeEnded) and _current_role(table_id) is not None:
            return make_response(redirect(path, 303))
        text = rate_limit_text(error) if isinstance(error, RateLimited) else error_text(error)
        return with_problem_headers(error, page("join_code", code=code, trouble=text))
    return _seated(made.outcome.table, made.key.role, made.secret)


def _seated(table: Table, role_name: str, key: str) -> Response:
    """Redirect to the table, where this browser uses a key from now on. The keys of other roles stay."""
    path = url_for("web.board", table_id=table.id)
    others = {name: other for name, other in cookies.keys().items() if name != role_name}
    response = cookies.keep(make_response(redirect(path, 303)), path, {role_name: key, **others})
    return home_list.remember(response, table, key)


def _current_role(table_id: str) -> str | None:
    """The name of this browser's role at the table, by its key; None without one."""
    try:
        table, role = referee().table(table_id, cookies.key())
    except NoTable:
        admit_wrong_key()
        return None
    except (KeyEnded, Unauthorised):
        return None
    return words_among(language(), table.game.id, table.setup).player(role.name)
