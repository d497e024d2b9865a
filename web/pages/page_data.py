"""The data of a page for its scripts: one piece of JSON, in the element `page-data`.

`web/scripts.d.ts` describes each field. The browser does not execute it, so the content security policy allows it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import orjson
from flask import url_for
from markupsafe import Markup

from service.tables.keys import Role
from service.types import JsonObject
from web.assets import static
from web.board.scene import Scene
from web.browser.language import _
from web.pages import pwa
from web.pages.editor_page import EditorView
from web.pages.permissions import verdict_in
from web.pages.table_page import View
from web.panels.log.turns import TurnNotice
from web.panels.moves.verdict import VerdictPanel
from web.panels.news import Trouble

OFFLINE: Final = {"style": "offline.css", "list": "outbox_list.js", "sending": "sending.js", "waits": "waits.js"}
"""The files of the page without a connection."""
ESCAPES: Final = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}
"""Escapes, which JSON allows, for signs that could end the element."""


def of_table(view: View, look: str | None, is_refused: bool) -> Markup:
    """The data of a table; with a `look` if the browser has most of the page.

    `is_refused`: the server did not carry out a form.
    """
    verdict = verdict_in(view.panel)
    data: JsonObject = {"version": view.table.version, "due": view.due_seat, "board": _board(view.scene)}
    data |= {"look": look} if look else {"site": _with_board() | _table(view.role)}
    if verdict is not None:
        data["move"] = verdict.move
    if view.past:
        data["past"] = True
    if is_refused:
        data["refusal"] = _refusal(view.trouble, verdict)
    if view.turn_signal is not None:
        data["signals"] = _signals(view.turn_signal)
    if (reel := view.reel) is not None and reel.last:
        data |= {"step": reel.step, "round": reel.round, "leads": static("replay.js")}
        if reel.curve is not None:
            data["chart"] = reel.curve.edges
    return _element(data)


def of_editor(view: EditorView) -> Markup:
    """The data of the editor: each tap that enters something sends the whole position."""
    data: JsonObject = {"site": _with_board(), "board": _board(view.scene), "words": _words()}
    return _element(data | {"counts": not view.asks_move, "game": view.editor.game.id})


def of_page(at: datetime | None = None) -> Markup:
    """The data of a page without a board; `at`: the time of the entry that its form is about."""
    return _element({"words": _words()} | ({"at": at.isoformat()} if at else {}))


def of_sheet() -> Markup:
    """The data of the sheet of a game."""
    return _element({"words": _words() | {"failed": _("This browser cannot make the picture")}})


def of_offline() -> Markup:
    """The data of the page without a connection, with the words and the scripts of the list of waiting moves."""
    words = {
        "away": _("No connection. The table may have changed; nothing is lost."),
        "held": _("Too many moves at once. Yours waits and is sent in a moment."),
        "busy": _("Too many taps at once. Wait a second, then tap again."),
        "none": _("Moves are kept here"),
        "some": _("Waiting to be sent:"),
        "stopped": _("Not entered: see why"),
        "before": _("Earlier moves have changed. Check this move."),
        "turn": _("It is another player’s turn now. Check this move."),
        "legal": _("Legal when this phone was last online"),
        "someLegal": _("These are some of the legal moves. You can type any other."),
        "nothing": _("No such move was legal when you were last online. Type yours."),
        "undo": _("Undo needs a connection. You can delete unsent moves here."),
        "page": _("This page needs a connection."),
        "change": _("Choose the move to play instead:"),
    }
    files = {name: static(file) for name, file in OFFLINE.items()}
    return _element({"site": _with_board(), "words": _words() | words, "files": files})


def _with_board() -> JsonObject:
    """The addresses of further scripts, for a page with a board."""
    return {
        "connection": static("offline.js"),
        "board": static("board.js"),
        "touch": static("touch.js"),
        "worker": url_for("web.worker"),
        "away": _("No connection. Taps do not wait here: tap again once it is back."),
    }


def _table(role: Role) -> JsonObject:
    """The data of a table's page, in addition to those of each page with a board."""
    return {
        "offline": pwa.offline(),
        "role": role.name,
        "seat": role.seat,
        "plays": role.plays,
        "unsent": _("No connection. Your move waits and is sent as soon as possible."),
    }


def _board(scene: Scene) -> JsonObject:
    return {"free": scene.row == 0, "turn": scene.turn, "chosen": scene.chosen_ids.split()}


def _words() -> dict[str, str]:
    return {"copied": _("Copied")}


def _refusal(trouble: Trouble | None, verdict: VerdictPanel | None) -> JsonObject | None:
    """Why the server rejected a form; None if the page does not say."""
    if trouble is not None:
        return {"text": trouble.text, "ruled": False}
    if verdict is None:
        return None
    return {"text": verdict.reasons[0].says if verdict.reasons else verdict.outcome, "ruled": True}


def _signals(it: TurnNotice) -> JsonObject:
    """The data of turns; `spent`: the running clock's seconds at the last entry."""
    spent = next((seconds for seat, _name, seconds, _shown in it.clock_times if seat == it.turn), None)
    return {
        "on": sorted(it.on),
        "seat": it.turn,
        "mine": it.mine,
        "since": it.since,
        "pause": it.pause,
        "spent": spent,
    }


def _element(data: JsonObject) -> Markup:
    """The element with the data."""
    text = orjson.dumps(data).decode().translate(ESCAPES)
    return Markup(f'<script type="application/json" id="page-data">{text}</script>')  # noqa: S704  # it is escaped
