"""Letting other phones in: links, each with a code to scan, and joining by one. A key stands behind the ``#`` of its
link, which no server sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import segno
from flask import Response, make_response, redirect, request, url_for

from service import texts
from service.current import admit, referee
from service.errors import NoTable, RateLimited, Unauthorised
from service.limits import Kind
from service.problems import status_of
from service.table import HOST, WATCH, Table
from service.texts import Words
from web import session
from web.blueprint import as_answer, page, too_often, web
from web.language import _, language
from web.panels.context import player_names

BORDER = 4


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code as the path of an SVG of `size` by `size` units."""

    size: int
    path: str


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link for one role, with what it allows."""

    role: str
    title: str
    allows: str
    link: str
    code: Code


def code(text: str) -> Code:
    """Draw a QR code: one path, a run of dark modules at a time."""
    rows = [bytes(row) for row in segno.make(text, error="m", micro=False).matrix]
    path = "".join(
        f"M{x + BORDER} {y + BORDER}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    )
    return Code(len(rows) + 2 * BORDER, path)


def invitations(host_url: str, table: Table, keys: Mapping[str, str], words: Words) -> tuple[Invitation, ...]:
    """The invitations that this browser can hand on: one for each key that it holds."""
    seats = table.game.seats_of(table.state)
    order = [*seats, WATCH, HOST]
    found = []
    for role in sorted((role for role in keys if role in order), key=order.index):
        link = host_url.rstrip("/") + url_for("web.board", table_id=table.id) + "#" + keys[role]
        title, allows = _words(role, words)
        found.append(Invitation(role, title, allows, link, code(link)))
    return tuple(found)


def _words(role: str, words: Words) -> tuple[str, str]:
    if role == HOST:
        return _("Referee"), _("Plays for everybody, and can do all that this phone can.")
    if role == WATCH:
        return _("Watch"), _("Sees the table and asks for rulings, but places nothing.")
    return words.name(role), _("Plays only this side.")


# --- the views ---------------------------------------------------------------------------------------------------


def names_at(table: Table) -> dict[str, str]:
    """The names of those at a table, by seat."""
    return player_names(table, texts.words(language(), table.game.id))


@web.get("/t/<table_id>/share")
def share_table(table_id: str) -> Response:
    """The links that let other phones in."""
    table, role = referee().table(table_id, session.key())
    words = texts.words(language(), table.game.id)
    found = invitations(request.host_url, table, session.keys(), words)
    return page("share", table=table, role=role, words=words, invitations=found, names=names_at(table))


@web.get("/t/<table_id>/join")
def join(table_id: str) -> Response:
    """A field for a key or a link."""
    return page("join", table_id=table_id, holds=_held(table_id), refused=False)


@web.post("/t/<table_id>/join")
def join_table(table_id: str) -> Response:
    """Take a key of the table, if it is one."""
    given = session.key_of(request.form.get("key", ""))
    with suppress(NoTable, Unauthorised):
        referee().known(table_id, given)  # a worker that has not seen the table yet learns its keys
    try:
        admit(Kind.JOIN, given)
        table, role = referee().table(table_id, given)
    except (NoTable, Unauthorised) as error:
        return page("join", status_of(error), table_id=table_id, holds=_held(table_id), refused=True)
    except RateLimited as error:
        typed, late = request.form.get("key", ""), too_often(error)
        return as_answer(error, page("join", table_id=table_id, holds=_held(table_id), typed=typed, late=late))
    path = url_for("web.board", table_id=table_id)
    held = {role.name: given or "", **{name: key for name, key in session.keys().items() if name != role.name}}
    response = session.keep(make_response(redirect(path, 303)), path, held)
    return session.remember(response, table, names_at(table))


def _held(table_id: str) -> str | None:
    """What this browser is at the table already, by its key."""
    try:
        table, role = referee().table(table_id, session.key())
    except (NoTable, Unauthorised):
        return None
    return texts.words(language(), table.game.id).name(role.name)
