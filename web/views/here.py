"""The pages where the host enters the real position of a table, starting from the position of the log."""

from __future__ import annotations

from dataclasses import replace

from flask import Response, make_response, redirect, request, url_for

from rules.forms import Malformed
from service import schemas
from service.cases.report import setup_now, without_names
from service.errors import AlreadySettled, Forbidden, Full, Impossible, Invalid, KeyReused, NoDispute, NoRemedy, Stale
from service.http.current import referee
from service.http.problems import PROBLEMS, status_of
from service.referee import enter_position
from service.referee.dispute import SettlementRequest
from service.referee.enter_position import ComparedPosition
from service.tables.decisions import ADJUST
from service.tables.keys import HOST, Role
from service.tables.table import Table
from service.types import Position
from web.blueprint import error_text, failure_page, web
from web.browser import cookies
from web.browser.address import EditorAddress, TableAddress, number
from web.browser.bidi import words_among
from web.browser.language import _, language
from web.game_pages import Snapshot
from web.pages.editor_page import short_text_of, snapshot_at, why_unread
from web.panels.editor.comparison import comparison_of
from web.panels.editor.editor import GO_ON, Editor, View
from web.panels.editor.position import entry_of
from web.panels.news import stale_position_trouble
from web.position_url import Trail, Unread, readable_part, snapshot_of
from web.views.editor import position_page
from web.views.table import change_request, incomplete


@web.get("/t/<table_id>/here", defaults={"text": ""})
@web.get("/t/<table_id>/here/<text>")
@web.get("/t/<table_id>/disputes/<int:dispute>/here", defaults={"text": ""})
@web.get("/t/<table_id>/disputes/<int:dispute>/here/<text>")
def here(table_id: str, text: str, dispute: int | None = None) -> Response:
    """The page to enter a table's real position by taps, compared with the log. Without a `text`, it starts from the
    log's position.

    With an open `dispute`, the position settles it.
    """
    table, role = referee().table(table_id, cookies.key())
    if dispute is not None and not table.has_dispute(dispute):
        return failure_page(error_text(NoDispute()), status_of(NoDispute()), table_id=table_id)
    if dispute is not None and not table.disputes[dispute - 1].open:
        return make_response(redirect(_back(table_id, dispute), 303))
    if not text:
        now = short_text_of(snapshot_at(table, entry_of(table.game).visible_position))
        if now is None:
            too_long = _("This board is too large for a link.")
            return failure_page(too_long, PROBLEMS["invalid"], table_id=table_id)
        return make_response(redirect(url_for("web.here", table_id=table_id, dispute=dispute, text=now), 303))
    return _edit_position_page(table, role, text, dispute)


@web.post("/t/<table_id>/here")
@web.post("/t/<table_id>/disputes/<int:dispute>/here")
def enter_here(table_id: str, dispute: int | None = None) -> Response:
    """Continue from the entered position; with a dispute, the position settles it."""
    key, text = cookies.key(), request.form.get("text", "")
    version = number(request.form.get("version"))
    table, _role = referee().authorise(table_id, key)
    try:
        entered = _snapshot(table, text)
    except Unread:
        return incomplete(TableAddress(table_id))
    if version is None or not text or entered.assumptions:
        return incomplete(TableAddress(table_id))
    try:
        done = _write_position(table_id, dispute, entered.position, version)
    except NoDispute as error:
        return failure_page(error_text(error), status_of(error), table_id=table_id)
    except (AlreadySettled, Forbidden, Full, Impossible, Invalid, KeyReused, NoRemedy, Stale) as error:
        table, role = referee().table(table_id, key)
        why = stale_position_trouble(error).text if isinstance(error, Stale) else error_text(error)
        return _edit_position_page(table, role, text, dispute, why, status_of(error))
    return make_response(redirect(_back(table_id, dispute, done), 303))


def _write_position(table_id: str, dispute: int | None, position: Position, version: int) -> int | None:
    """Write the position to the log, alone or to settle a dispute. The new version; None if the position is the log's.

    Raises the errors of the use cases, and `Invalid` for words that are too long.
    """
    change = change_request(table_id, version)
    if dispute is None:
        outcome = referee().enter_position(change, position)
    else:
        words = request.form.get("decided", "").strip()
        text = schemas.load(schemas.DECISION_FORM, {"text": words} if words else {})["text"]
        outcome = referee().settle(change, dispute, SettlementRequest(ADJUST, text, position))
    return outcome.version if outcome.entries else None


def _back(table_id: str, dispute: int | None, done: int | None = None) -> str:
    """The address of the table, or of the dispute."""
    return TableAddress(table_id, "board" if dispute is None else "dispute", dispute=dispute, done=done).url()


def _snapshot(table: Table, text: str) -> Snapshot:
    """The position in a text. Raises `Unread`."""
    return snapshot_of(table.game, entry_of(table.game), Trail.of(text), on_table=True)


def _edit_position_page(
    table: Table, role: Role, text: str, dispute: int | None, trouble: str = "", status: int = 200
) -> Response:
    """The entered position, its comparison, and why the server rejected it, if it did; or an error if it is invalid."""
    game = table.game
    words = words_among(language(), game.id, table.setup)

    def compare(editor: Editor) -> Editor:
        text = editor.address.table
        complete = not editor.snapshot.assumptions
        why = trouble or ("" if complete else _("Nobody has entered the sides of a new tile: tap it, then each side."))
        found = comparison_of(_compare_position(table, text), text, words, why, dispute)
        return replace(editor, comparison=replace(found, may_enter=found.may_enter and complete))

    try:
        view: View = ("web.here", {"table_id": table.id, "dispute": dispute})
        address = EditorAddress.of(text, "position", request.args)
        return position_page(Editor.of(game, address, words, view, GO_ON, role.kind == HOST), compare, status)
    except Unread as error:
        said = trouble or _("This link does not say what lies on the table.")
        setup = without_names(setup_now(table, table.state))
        known = readable_part(game, entry_of(game), text, asks=False, setup=setup)
        there = url_for("web.here", table_id=table.id, dispute=dispute, text=known)
        onward = (_("Go on with what could be read") if known else _("Correct the board"), there)
        why = f"{said} {why_unread(error, game)}"
        return failure_page(why, status if trouble else PROBLEMS["invalid"], table_id=table.id, onward=onward)


def _compare_position(table: Table, text: str) -> ComparedPosition:
    """The comparison for the position of a text. Raises `Unread`."""
    try:
        return enter_position.compare_position(table, _snapshot(table, text).position)
    except Malformed as error:
        raise Unread.of(error, table.game) from None
