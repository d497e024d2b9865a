"""The pages of disputes: the form that raises one, the dispute, and the forms that settle it or agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from flask import Response, make_response, redirect, request, url_for

from service import schemas
from service.errors import (
    AlreadyDisputed,
    AlreadySettled,
    Forbidden,
    Full,
    Invalid,
    KeyReused,
    NoDispute,
    NoRemedy,
    Stale,
)
from service.http.current import referee
from service.http.problems import status_of
from service.referee.dispute import DisputeSubject, SettlementRequest
from service.referee.repository import ChangeRequest
from web.blueprint import error_text, failure_page, web
from web.browser import cookies
from web.browser.address import TableAddress, number
from web.panels.moves.panel_choice import read_move
from web.panels.news import Trouble, stale_trouble
from web.views.table import change_request, incomplete, no_news, opened_page, section_of, table_page

NOT_DONE = (AlreadySettled, Forbidden, Full, Invalid, KeyReused, NoRemedy)
AGAIN = 3
"""The maximum attempts to raise a dispute about a log entry while others add entries: the entry stays in the log."""


@web.get("/t/<table_id>/disputes/<int:dispute>")
def dispute(table_id: str, dispute: int) -> Response:
    """A dispute: a permalink."""
    table, role = referee().table(table_id, cookies.key())
    if not table.has_dispute(dispute):
        return failure_page(error_text(NoDispute()), status_of(NoDispute()), table_id=table_id)
    address = replace(TableAddress.of(table_id, "dispute", request.args), dispute=dispute)
    return no_news(table) or opened_page(address, table, role)


@web.get("/t/<table_id>/disputes/new")
def raise_dispute(table_id: str) -> Response:
    """The form that raises a dispute, about a log entry or a move."""
    return section_of(table_id, "raise_dispute")


@web.post("/t/<table_id>/disputes")
def open_dispute(table_id: str) -> Response:
    """Raise a dispute, or show the open one about the same move."""
    key, form = cookies.key(), request.form
    table, role = referee().authorise(table_id, key)
    entry, version = number(form.get("entry")), number(form.get("version"))
    move = None if entry else read_move(table.game, form.get("move"))
    if (entry is None and move is None) or version is None:
        return incomplete(TableAddress(table_id))
    address = TableAddress(table_id, "raise_dispute", entry=entry, move=None if entry else form.get("move"))
    try:
        typed = " ".join(form.get("question", "").split())  # one line, as everywhere: the field takes several
        question = schemas.load(schemas.QUESTION_FORM, {"question": typed})["question"]
        raised, done = _raise_with_retries(table_id, DisputeSubject(entry, move), question, version)
    except AlreadyDisputed as error:
        return _redirect_to_dispute(table_id, error.dispute)
    except Stale as error:
        return table_page(address, error.table, role, status_of(error), trouble=stale_trouble(error, move))
    except NOT_DONE as error:
        table, role = referee().table(table_id, key)
        return table_page(address, table, role, status_of(error), trouble=Trouble(error_text(error)))
    return _redirect_to_dispute(table_id, raised, done)


def _raise_with_retries(table_id: str, subject: DisputeSubject, question: str, version: int) -> tuple[int, int]:
    """Raise a dispute on top of a version; one about an entry, which never changes, also on top of later versions.

    Returns its number, and the new version of the table.
    """
    for left in reversed(range(AGAIN)):
        try:
            outcome = referee().raise_dispute(change_request(table_id, version), subject, question)
            return outcome.table.dispute_of(outcome.entries[0].number), outcome.version
        except Stale as error:
            if subject.entry is None or not left:
                raise
            version = error.table.version
    raise AssertionError("the last time it is raised or refused")


@web.post("/t/<table_id>/disputes/<int:dispute>/settlement")
def settle_dispute(table_id: str, dispute: int) -> Response:
    """The host settles a dispute."""
    text = request.form.get("text", "").strip()

    def settle(remedy: Any, change: ChangeRequest) -> int:
        table, _role = referee().authorise(table_id, cookies.key())
        body = schemas.load(
            schemas.of(table.game).settlement_body, {"remedy": remedy} | ({"text": text} if text else {})
        )
        how = SettlementRequest(*schemas.settlement_of_body(body))
        return referee().settle(change, dispute, how).version

    return _change_dispute(table_id, dispute, settle)


@web.post("/t/<table_id>/disputes/<int:dispute>/confirmation")
def confirm_remedy(table_id: str, dispute: int) -> Response:
    """A seat confirms a remedy."""

    def confirm(remedy: Any, change: ChangeRequest) -> int:
        body = schemas.load(schemas.CONFIRMATION_BODY, {"remedy": remedy})
        return referee().confirm(change, dispute, body["remedy"]).version

    return _change_dispute(table_id, dispute, confirm)


def _change_dispute(table_id: str, dispute: int, decide: Callable[[Any, ChangeRequest], int]) -> Response:
    """Redirect to the dispute after a change, or show why the server rejected it."""
    version = number(request.form.get("version"))
    if version is None:
        return incomplete(TableAddress(table_id))
    try:
        done = decide(request.form.get("remedy"), change_request(table_id, version))
    except NoDispute as error:
        return failure_page(error_text(error), status_of(error), table_id=table_id)
    except (*NOT_DONE, Stale) as error:
        table, role = referee().table(table_id, cookies.key())
        if not table.has_dispute(dispute):
            return failure_page(error_text(NoDispute()), status_of(NoDispute()), table_id=table_id)
        trouble = stale_trouble(error, None) if isinstance(error, Stale) else Trouble(error_text(error))
        address = TableAddress(table_id, "dispute", dispute=dispute)
        return table_page(address, table, role, status_of(error), trouble=trouble)
    return _redirect_to_dispute(table_id, dispute, done)


def _redirect_to_dispute(table_id: str, dispute: int, done: int | None = None) -> Response:
    """Redirect to a dispute."""
    address = TableAddress(table_id, "dispute", dispute=dispute, done=done)
    return make_response(redirect(address.url(), 303))


@web.get("/t/<table_id>/disputes")
@web.get("/t/<table_id>/disputes/<int:dispute>/settlement")
@web.get("/t/<table_id>/disputes/<int:dispute>/confirmation")
def no_form(table_id: str, dispute: int | None = None) -> Response:
    """The addresses of forms: a GET shows the dispute, or the log, instead."""
    if dispute is None:
        return make_response(redirect(url_for("web.log", table_id=table_id), 303))
    return _redirect_to_dispute(table_id, dispute)
