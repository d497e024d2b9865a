"""The pages: thin views on the same use cases as the API's.

Looking is GET and acting is POST, answered by 303 to a page that can be looked at again. Where htmx asks for a part of
a page, the same addresses answer with that part.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Response, make_response, redirect, request, url_for

from service import problems, texts
from service.entries import Played
from service.errors import Forbidden, Full, Invalid, KeyReused, NoTable, Refused, Stale, Unauthorised, Unreachable
from service.judgements import Try
from service.table import Role, Table
from web import counting, guard, opening, recent, share, view
from web.boards import drawings, speaking
from web.frame import Answer, htmx, page, part_wanted, referee, web
from web.language import _, language
from web.look import Look, number
from web.phrases import done_phrase, phrase
from web.shown import player_names, read_move
from web.view import News, Trouble

# --- opening a table ---------------------------------------------------------------------------------------------


@web.get("/")
def home() -> Response:
    """Open a table, of the game that was opened here last unless another is asked for; or go back to one."""
    last = next((table.game for table in recent.remembered()), "")
    return _home(opening.form_of({"game": last, **request.args.to_dict()}))


def _home(form: opening.Form, status: int = 200, *, again: bool = False) -> Response:
    drawing = drawings()[form.game.id]
    if part_wanted(opening.PART):
        return page("opening_part", status, form=form, drawing=drawing)
    given = {"games": opening.games(), "counted": counting.games(), "recent": recent.remembered(), "again": again}
    return page("home", status, form=form, drawing=drawing, **given)


@web.post("/")
def open_table() -> Answer:
    """Open a table and give this browser its keys; or show the fields that belong to what is filled in so far."""
    form = opening.form_of(request.form, htmx.trigger_name)
    if "update" in request.form or part_wanted(opening.PART):
        return _home(form)
    try:
        game, setup = opening.setup_of(form)
        opened = referee().open(game, setup)
    except Invalid as error:
        form = opening.with_complaints(form, error)
        return _home(form, 422)
    table = opened.table
    path = url_for("web.board", table_id=table.id)
    held = {"host": opened.keys.host, **opened.keys.seats, "watch": opened.keys.watch}
    response = guard.keep(make_response(redirect(path, 303)), path, held)
    return recent.remember(response, table, _names(table))


@web.get("/t/<table_id>/again")
def again(table_id: str) -> Answer:
    """The form to begin anew: the same players, and what else stays as it was."""
    table, _role = referee().table(table_id, guard.key())
    return _home(opening.again(table), again=True)


def _names(table: Table) -> dict[str, str]:
    return player_names(table, texts.words(language(), table.game.id))


# --- a table -----------------------------------------------------------------------------------------------------


@web.get("/t/<table_id>")
def board(table_id: str) -> Answer:
    """The table: its board, and what may be done."""
    return _look(table_id, "board")


@web.get("/t/<table_id>/score")
def score(table_id: str) -> Answer:
    """The score sheet."""
    return _look(table_id, "score")


@web.get("/t/<table_id>/log")
def log(table_id: str) -> Answer:
    """The log."""
    return _look(table_id, "log")


def _look(table_id: str, section: str) -> Answer:
    table, role = referee().table(table_id, guard.key())
    look = Look.of(table_id, section, request.args)
    if look.since is not None and look.since == table.version:
        return make_response("", 204)
    trouble = _unread(table, look)
    return _table(look, table, role, 200, news=_news(table, role, look), trouble=trouble)


def _unread(table: Table, look: Look) -> Trouble | None:
    """Words about a move of the address that is none."""
    if look.page != "board" or not look.move or read_move(table.game, look.move) is not None:
        return None
    return Trouble(_("“%(text)s” is not a move of this game.", text=look.move))


def _news(table: Table, role: Role, look: Look) -> News | None:
    """What this browser has just done, or what others have done since it last asked."""
    words = speaking(texts.words(language(), table.game.id), drawings()[table.game.id], table.state)
    asked = look.done or (table.version if look.since and look.since < table.version else None)
    if asked is None or not 1 < asked <= table.version:
        return None
    entry = table.entries[asked - 1]
    text = done_phrase(words, table, entry)
    undo, redo = view.ways(table, role)
    if isinstance(entry, Played):
        last = bool(table.line) and table.line[-1] == entry.number
        return News(text, "stands" if entry.stands else "placed", undo=undo if last else None)
    return News(text, "undone", redo=redo)


def _table(
    look: Look, table: Table, role: Role, status: int, *, news: News | None = None, trouble: Trouble | None = None
) -> Response:
    look = replace(look, since=None, done=None)
    seen = view.make(look, table, role, language(), news=news, trouble=trouble)
    part = part_wanted()
    return page("table_part" if part else "table", status, view=seen, part=part)


@web.post("/t/<table_id>/play")
def play(table_id: str) -> Answer:
    """Play a move, once however often the form is sent."""
    key, form = guard.key(), request.form
    table, role = referee().known(table_id, key)
    look = Look(table_id, move=form.get("move"), zoom=form.get("zoom") or None)
    move = read_move(table.game, look.move)
    version = number(form.get("version"))
    if move is None or version is None:
        table, role = referee().table(table_id, key)
        trouble = _unread(table, look) or Trouble(_("The form was not complete, so nothing was done."))
        return _table(look.plain(), table, role, 422, trouble=trouble)
    attempt = Try(move, form.get("stands") == "yes")
    try:
        done = referee().play(table_id, key, [attempt], version=version, idempotency_key=_idempotency_key())
    except Stale as error:
        return _table(look.plain(), error.table, role, 409, trouble=_lost(error, move))
    except Refused:
        table, role = referee().table(table_id, key)
        return _table(look, table, role, 422)
    except (Forbidden, KeyReused, Full) as error:
        return _not_done(look.plain(), error)
    return make_response(redirect(look.plain().url(done=done.version), 303))


@web.post("/t/<table_id>/rewind")
def rewind(table_id: str) -> Answer:
    """Undo back, or redo forward, to a version."""
    key, form = guard.key(), request.form
    look = Look(table_id, zoom=form.get("zoom") or None)
    to, version = number(form.get("to")), number(form.get("version"))
    if to is None or version is None:
        table, role = referee().table(table_id, key)
        trouble = Trouble(_("The form was not complete, so nothing was done."))
        return _table(look, table, role, 422, trouble=trouble)
    try:
        done = referee().rewind(table_id, key, to, version=version, idempotency_key=_idempotency_key())
    except Stale as error:
        _table_now, role = referee().table(table_id, key)
        return _table(look, error.table, role, 409, trouble=_lost(error, None))
    except (Unreachable, Forbidden, KeyReused, Full) as error:
        return _not_done(look, error)
    return make_response(redirect(look.url(done=done.version), 303))


def _idempotency_key() -> str | None:
    given = request.form.get("key", "")
    return given if guard.KEY.fullmatch(given) else None


def _lost(error: Stale, move: Any | None) -> Trouble:
    """Somebody was faster: what they did, and what was therefore not done."""
    table = error.table
    words = speaking(texts.words(language(), table.game.id), drawings()[table.game.id], table.state)
    news = "; ".join(done_phrase(words, table, entry) for entry in error.missing) or _("the table has changed")
    if move is None:
        return Trouble(_("Another phone was faster: %(news)s. Here is the board now.", news=news))
    what = phrase(words, table.game, move)
    return Trouble(
        _("Another phone was faster: %(news)s. Not placed: %(what)s. Here is the board now.", news=news, what=what)
    )


def _not_done(look: Look, error: Exception) -> Response:
    """The table as it is, and why nothing was done."""
    table, role = referee().table(look.table, guard.key())
    problem = problems.of(error, language())
    return _table(look, table, role, problem.status, trouble=Trouble(problem.words(language())[1]))


@web.get("/t/<table_id>/play")
@web.get("/t/<table_id>/rewind")
def nothing_to_see(table_id: str) -> Response:
    """Addresses of forms: whoever goes there is shown the table."""
    return make_response(redirect(url_for("web.board", table_id=table_id), 303))


# --- keys --------------------------------------------------------------------------------------------------------


@web.get("/t/<table_id>/share")
def share_table(table_id: str) -> Answer:
    """The links that let other phones in."""
    table, role = referee().table(table_id, guard.key())
    words = texts.words(language(), table.game.id)
    invitations = share.invitations(request.host_url, table, guard.keys(), words)
    return page("share", table=table, role=role, words=words, invitations=invitations, names=_names(table))


@web.get("/t/<table_id>/join")
def join(table_id: str) -> Response:
    """A field for a key or a link."""
    return page("join", table_id=table_id, holds=_held(table_id), refused=False)


@web.post("/t/<table_id>/join")
def join_table(table_id: str) -> Answer:
    """Take a key of the table, if it is one."""
    given = guard.key_of(request.form.get("key", ""))
    try:
        table, role = referee().table(table_id, given)
    except (NoTable, Unauthorised):
        return page("join", 403, table_id=table_id, holds=_held(table_id), refused=True)
    path = url_for("web.board", table_id=table_id)
    held = {role.name: given or "", **{name: key for name, key in guard.keys().items() if name != role.name}}
    response = guard.keep(make_response(redirect(path, 303)), path, held)
    return recent.remember(response, table, _names(table))


def _held(table_id: str) -> str | None:
    """What this browser is at the table already, by its key."""
    try:
        table, role = referee().table(table_id, guard.key())
    except (NoTable, Unauthorised):
        return None
    return texts.words(language(), table.game.id).name(role.name)
