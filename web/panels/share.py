"""The links for other phones, each with a QR code. The key is behind the ``#`` of a link, which no server sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import url_for

from service.i18n.sentences import Words
from service.tables.keys import HOST, WATCH
from service.tables.table import Table
from web.board.qr import QrCode, qr_code
from web.browser.language import _


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link for one role, with what it allows."""

    role: str
    title: str
    allows: str
    link: str
    code: QrCode


def invitations(base: str, table: Table, keys: Mapping[str, str], words: Words) -> tuple[Invitation, ...]:
    """The invitations that this browser can hand on: one for each key that it holds. First come the seats from which
    nothing was entered yet, and last comes the referee, who may do everything.
    """
    entered_by = {entry.by for entry in table.entries}
    order = [*sorted(table.game.seats_of(table.state), key=lambda seat: seat in entered_by), WATCH, HOST]
    found = []
    for role in sorted((role for role in keys if role in order), key=order.index):
        link = base + url_for("web.board", table_id=table.id) + "#" + keys[role]
        title, allows = _words(role, words)
        found.append(Invitation(role, title, allows, link, qr_code(link)))
    return tuple(found)


def _words(role: str, words: Words) -> tuple[str, str]:
    if role == HOST:
        return _("Referee"), _("Plays for everybody, like this phone.")
    if role == WATCH:
        return _("Watch"), _("Sees the table and asks, but places nothing.")
    return words.player(role), _("Plays only this side.")
