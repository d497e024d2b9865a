"""The pages of the board editor, without a table or starting from a table's board. The server stores nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlsplit

from flask import Response, make_response, redirect, request, url_for

from service.errors import Expired, KeyEnded, NoTable, StoreAway, Unauthorised
from service.http.current import referee
from service.http.problems import PROBLEMS
from service.i18n import sentences
from service.tables.keys import HOST, Role
from service.tables.table import TABLE_ID, Table
from service.types import AnyGame, Json
from web.blueprint import failure_page, htmx, page, wants_part, web
from web.browser import cookies
from web.browser.address import EditorAddress, TableAddress, query_of, set_page_url
from web.browser.bidi import words_among
from web.browser.language import _, language
from web.browser.public_url import PublicUrl
from web.pages.editor_page import EditorView, move_view, position_view, short_text_of, snapshot_at, why_unread
from web.panels.editor.editor import COUNT, IS_ALLOWED, Editor, View
from web.panels.editor.palette import paint_cells
from web.panels.editor.position import counted_games, entry_of, find_game
from web.position_url import Trail, Unread, readable_part, snapshot_of, starting_position, step_of, text_of


@web.get("/count/<game_id>", defaults={"text": ""})
@web.get("/count/<game_id>/<text>")
@web.get("/t/<table_id>/count/<game_id>", defaults={"text": ""})
@web.get("/t/<table_id>/count/<game_id>/<text>")
def count(game_id: str, text: str, table_id: str | None = None) -> Response:
    """The entered position, the pieces to put there, and the score."""
    return _page_of(game_id, EditorAddress.of(text, "position", request.args), "web.count", table_id)


@web.get("/ask/<game_id>", defaults={"text": ""})
@web.get("/ask/<game_id>/<text>")
@web.get("/t/<table_id>/ask/<game_id>", defaults={"text": ""})
@web.get("/t/<table_id>/ask/<game_id>/<text>")
def ask(game_id: str, text: str, table_id: str | None = None) -> Response:
    """The same page to ask about a move: cells may be unknown."""
    return _page_of(game_id, EditorAddress.of(text, "position", request.args), "web.ask", table_id)


@web.get("/ask/<game_id>/<text>/move")
@web.get("/t/<table_id>/ask/<game_id>/<text>/move")
def ask_move(game_id: str, text: str, table_id: str | None = None) -> Response:
    """The page that asks about a move: cell, kind and answers as at a table, and the ruling."""
    return _page_of(game_id, EditorAddress.of(text, "move", request.args), "web.ask_move", table_id)


@web.get("/t/<table_id>/what-if")
def what_if(table_id: str) -> Response:
    """Redirect to a question about the table's current position, which the address contains. The log does not change.

    With an entry, the position before it; on a page of the table if the position is too long for an address.
    """
    table, _role = referee().table(table_id, cookies.key())
    address = EditorAddress.of("", "move", request.args)
    version = _version_before(table, address.entry)
    text = short_text_of(snapshot_at(table, version=version))
    if version is not None and (text is None or find_game(table.game.id) is None):
        return make_response(redirect(url_for("web.then", table_id=table_id, entry=address.entry), 303))
    if text is None:
        too_long = _("This board is too large for a link.")
        return failure_page(too_long, PROBLEMS["invalid"], table_id=table_id)
    entry = version and address.entry
    chosen = replace(address, show=None, brush=None, paint=None, entry=entry)
    there = url_for("web.ask_move", table_id=table_id, game_id=table.game.id, text=text)
    return make_response(redirect(query_of(there, chosen.parameters()), 303))


@web.get("/t/<table_id>/then")
def then(table_id: str) -> Response:
    """A question about the position before an entry of a table. The log does not change."""
    table, _role = referee().table(table_id, cookies.key())
    address = EditorAddress.of("", "move", request.args)
    version = _version_before(table, address.entry)
    if version is None or find_game(table.game.id) is None:
        return make_response(redirect(TableAddress(table_id, "log").url(), 303))
    if "since" in request.args:  # a page of an earlier release asks for news
        return make_response("", 204)
    words = words_among(language(), table.game.id, table.setup)
    trail = Trail((step_of(snapshot_at(table, version=version)),))
    view: View = ("web.then", {"table_id": table_id})
    editor = Editor.of(table.game, address, words, view, IS_ALLOWED, trail=trail)
    move = table.move_number(address.entry)
    past = _("The board at that time") if move is None else _("The board before no. %(number)s", number=move)
    return editor_page(move_view(editor, PublicUrl.of_request(), past))


def _version_before(table: Table, entry: int | None) -> int | None:
    """The version before an entry of the log; None for the first entry."""
    return entry - 1 if entry is not None and 1 < entry <= table.version else None


# --- the editor --------------------------------------------------------------------------------------------------


def _page_of(game_id: str, address: EditorAddress, endpoint: str, table_id: str | None) -> Response:
    """The page of a position, or of a question about a move; perhaps about a table that this browser may see."""
    game = find_game(game_id)
    if game is None:
        return no_game_page()
    about = request.args.get("about", "")
    if table_id is None and address.table and TABLE_ID.fullmatch(about):  # as links said it before
        there = url_for(endpoint, table_id=about, game_id=game_id, text=address.table)
        return make_response(redirect(query_of(there, address.parameters()), 303))
    table, role = _table_in_sight(table_id, game)
    if table is not None and address.settles and not table.has_dispute(address.settles):
        address = replace(address, settles=None)
    view: View = (endpoint, {"game_id": game.id} if table is None else {"game_id": game.id, "table_id": table.id})
    words = words_among(language(), game.id, None if table is None else table.setup)
    ending = COUNT if endpoint == "web.count" else IS_ALLOWED
    now = None if table is None else short_text_of(snapshot_at(table))
    if now and not address.table:
        return make_response(redirect(query_of(url_for(endpoint, text=now, **view[1]), address.parameters()), 303))
    try:
        editor = Editor.of(game, address, words, view, ending, role is not None and role.kind == HOST)
        if address.section == "move":
            return editor_page(move_view(editor, PublicUrl.of_request()))
        return position_page(editor)
    except Unread as error:
        return _no_position_page(error, game, address, view, now)


def _table_in_sight(table_id: str | None, game: AnyGame) -> tuple[Table, Role] | tuple[None, None]:
    """The table of an address and this browser's role there; neither if it has no key of such a table."""
    if table_id is None:
        return None, None
    try:
        table, role = referee().table(table_id, cookies.key())
    except (Expired, KeyEnded, NoTable, StoreAway, Unauthorised):
        return None, None
    return (table, role) if table.game.id == game.id else (None, None)


def position_page(
    editor: Editor, compare: Callable[[Editor], Editor] = lambda editor: editor, status: int = 200
) -> Response:
    """The page to enter a position, after the brush has painted the cells of its address; `compare` adds a comparison.
    Raises `Unread`.

    A browser without a script is redirected after painting; htmx gets the same page at once.
    """
    if editor.address.paint:
        editor = editor.at(paint_cells(editor))
        if not wants_part():
            return make_response(redirect(editor.to(editor.address.table, editor.address), 303))
        set_page_url(
            f"{editor.to(editor.address.table, EditorAddress('', 'position'))}?{request.query_string.decode()}"
        )
    view = position_view(compare(editor), PublicUrl.of_request())
    answer = editor_page(view, status)
    if not wants_part():
        return answer
    url = view.editor.to(view.address.table, view.address)
    if "paint" in request.args and url.partition("?")[0] != request.path:
        answer.headers["HX-Push-Url"] = url
    elif urlsplit(htmx.current_url or "").path == request.path:  # the position is the same: a reload shows it
        answer.headers["HX-Replace-Url"] = url
    return answer


def editor_page(view: EditorView, status: int = 200) -> Response:
    """The page of the editor, or the part of it that htmx swaps."""
    part = wants_part()
    return page("editor/part" if part else "editor/page", status, view=view, part=part)


def no_game_page() -> Response:
    """The page for a game that does not exist, or whose positions cannot be entered."""
    return failure_page(_("Bastide cannot rule on this game here. Choose another one."), PROBLEMS["no-game"])


def _no_position_page(error: Unread, game: AnyGame, address: EditorAddress, view: View, now: str | None) -> Response:
    """The error in the text of an address, and a link on with its readable part and the other parameters.

    If nothing is readable, the link leads to the board of the table `now`, or an empty one.
    """
    name = sentences.words(language(), game.id).text["name"]
    endpoint, path = view
    counts, entry = endpoint == "web.count", entry_of(game)
    if other := _other_game(address.table, game):
        theirs = sentences.words(language(), other.id).text["name"]
        said = _("This link holds a board of %(other)s, not of %(game)s.", other=theirs, game=name)
        there = query_of(url_for(endpoint, game_id=other.id, text=address.table), address.parameters())
        return failure_page(said, PROBLEMS["invalid"], onward=(_("Open it as %(game)s", game=theirs), there))
    if counts:
        said = _("This link holds no board of %(game)s that can be counted.", game=name)
    else:
        said = _("This link holds no board of %(game)s that can be ruled on.", game=name)
    known = readable_part(game, entry, address.table, asks=not counts)
    text = known or now or (text_of(starting_position(entry, asks=True)) if endpoint == "web.ask_move" else None)
    there = url_for(endpoint, text=text, **path) if text else url_for(endpoint, game_id=game.id)
    onward = query_of(there, address.parameters())
    label = _("Begin with the board of the table") if now else _("Begin with an empty board")
    label = _("Go on with what could be read") if known else label
    said = f"{said} {why_unread(error, game)}"
    return failure_page(said, PROBLEMS["invalid"], onward=(label, onward), table_id=path.get("table_id"))


def _other_game(text: str, game: AnyGame) -> AnyGame | None:
    """The game whose board a text of the editor contains, if it is not this one."""
    if not text or "readings" not in _setup_named(text):
        return None
    for each in (game, *counted_games()):
        with suppress(Unread):
            snapshot_of(each, entry_of(each), Trail.of(text), asks=True)
            return None if each is game else each
    return None


def _setup_named(text: str) -> Mapping[str, Json]:
    """The setup in a text, if any."""
    with suppress(Unread):
        setup = Trail.of(text).steps[-1].get("setup")
        return setup if isinstance(setup, dict) else {}
    return {}
