"""The pages on which the host enters what lies on a table now: the board in edit mode, from the position of the log."""

from __future__ import annotations

from typing import Any

from flask import Response, make_response, redirect, request, url_for

from rules.forms import Malformed
from service import checkpoints
from service.current import referee
from service.errors import Forbidden, Full, Impossible, Invalid, KeyReused, Stale
from service.problems import PROBLEMS, status_of
from service.table import Role, Table
from service.validation import FieldError
from web import session
from web.address import Address, CountAddress, number
from web.ask import text_of
from web.blueprint import failed, page, part_wanted, said, web
from web.language import _, language
from web.panels.count import count_of, entry_of
from web.panels.here import here_panel
from web.trail import Trail, Unread, entered_of
from web.views.table import incomplete, sent_key


@web.get("/t/<table_id>/here", defaults={"text": ""})
@web.get("/t/<table_id>/here/<text>")
def here(table_id: str, text: str) -> Response:
    """What lies there is entered by taps, and told against the log; without a text, what the log gives."""
    table, role = referee().table(table_id, session.key())
    if not text:
        now = text_of(table, entry_of(table.game).seen)
        if now is None:
            too_long = _("What lies on this table is too much for an address.")
            return failed(too_long, PROBLEMS["invalid"], table_id=table_id)
        return make_response(redirect(url_for("web.here", table_id=table_id, text=now), 303))
    try:
        return _shown(table, role, text)
    except Unread as error:
        return failed(error.words(language(), table.game), PROBLEMS["invalid"], table_id=table_id)


@web.post("/t/<table_id>/here")
def enter_here(table_id: str) -> Response:
    """Go on from what lies there."""
    key, text = session.key(), request.form.get("text", "")
    version = number(request.form.get("version"))
    table, _role = referee().known(table_id, key)
    try:
        position = _position(table, text)
    except Unread:
        return incomplete(Address(table_id))
    if version is None or not text:
        return incomplete(Address(table_id))
    try:
        done = referee().checkpoint(table_id, key, position, version=version, idempotency_key=sent_key())
    except (Forbidden, Full, Impossible, Invalid, KeyReused, Stale) as error:
        table, role = referee().table(table_id, key)
        return _shown(table, role, text, said(error), status_of(error))
    return make_response(redirect(Address(table_id).url(done=done.version if done.entries else None), 303))


def _position(table: Table, text: str) -> Any:
    """The position of a text. Raises `Unread`."""
    return entered_of(table.game, entry_of(table.game), Trail.of(text)).position


def _shown(table: Table, role: Role, text: str, trouble: str = "", status: Any = 200) -> Response:
    """What was entered, what can be told of it, and why it was not taken, if it was not. Raises `Unread`."""
    game = table.game
    try:
        found = checkpoints.entered(table, _position(table, text))
    except Malformed as error:
        raise Unread([(error.pointer, FieldError(error.code, game.id, **error.values))]) from None
    panel = here_panel(found, role, text, language(), trouble)
    address = CountAddress.of(text, "here", request.args)
    seen = count_of(game, address, language(), request.host_url, asks=True, here=panel)
    part = part_wanted()
    return page("count_part" if part else "count", status, view=seen, part=part)
