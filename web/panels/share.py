"""The links for other phones, each with a QR code. The key is behind the ``#`` of a link, which no server sees."""

from __future__ import annotations

from collections.abc import Mapping

from flask import url_for

from rules.records import dataclass
from service.i18n.sentences import Words
from service.tables.keys import HOST, WATCH
from service.tables.public_views import PublicView, id_of
from service.tables.table import Table
from web.board.qr import QrCode, qr_code
from web.browser.language import _
from web.panels.sentences import role_title


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link for one role, with what it allows; `link` is empty if this browser does not have it."""

    role: str
    title: str
    allows: str
    link: str
    code: QrCode | None


def invitations(
    base: str, table: Table, keys: Mapping[str, str], words: Words, *, is_host: bool
) -> tuple[Invitation, ...]:
    """The invitations that this browser can pass on: one for each valid key that it has, and for the host one for each
    role. First come the seats without entries, and last the referee, who may do everything.
    """
    entered_by = {entry.by for entry in table.entries}
    order = [*sorted(table.game.seats_of(table.state), key=lambda seat: seat in entered_by), WATCH, HOST]
    found = []
    held = {role: key for role, key in keys.items() if table.role(key) is not None}
    for role in sorted((role for role in order if is_host or role in held), key=order.index):
        link = base + url_for("web.board", table_id=table.id) + "#" + held[role] if role in held else ""
        code = qr_code(link) if link else None
        found.append(Invitation(role, role_title(role, words), _allows(role), link, code))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ViewLink:
    """A public view that is not revoked; `link` is empty if another key made it."""

    number: int
    label: str
    shows: str
    link: str
    code: QrCode | None


def view_links(base: str, table: Table, key: str, lang: str) -> tuple[ViewLink, ...]:
    """The public views of a table, for the host with a key."""
    return tuple(_view_link(base, table.id, view, key, lang) for view in table.views if not view.is_revoked)


def _view_link(base: str, table_id: str, view: PublicView, key: str, lang: str) -> ViewLink:
    secret, entry = view.secret(table_id, key), view.entry
    texts = {
        (True, False): _("The whole game, with names"),
        (False, False): _("The whole game, without names"),
        (True, True): _("From then on, with names"),
        (False, True): _("From then on, without names"),
    }
    link = "" if secret is None else base + url_for("public.board", view=id_of(table_id, secret), lang=lang)
    return ViewLink(
        view.number, entry.label, texts[entry.names, entry.since > 0], link, qr_code(link) if link else None
    )


def _allows(role: str) -> str:
    """What a key of a role allows."""
    if role == HOST:
        return _("Plays for everybody, like this phone.")
    if role == WATCH:
        return _("Sees the table and asks, but places nothing.")
    return _("Plays only this side.")
