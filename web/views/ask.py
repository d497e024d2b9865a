"""The pages that answer a question without a table. The address contains everything; nothing is stored."""

from __future__ import annotations

from flask import Response, make_response, redirect, request, url_for

from service.http.current import referee
from service.http.problems import PROBLEMS
from service.i18n import sentences
from service.types import AnyGame
from web.blueprint import failure_page, page, wants_part, web
from web.browser import cookies
from web.browser.address import AskAddress, CountAddress, PastAddress, TableAddress, number, query_of
from web.browser.language import _, language
from web.browser.public_url import PublicUrl
from web.pages.question_page import ask_of, text_of, words_of_question
from web.panels.count import apply_brush, count_of, counted_games
from web.panels.past import version_before
from web.position_url import Unread
from web.views.count import position_page, redirect_after_paint
from web.views.table import asked_page


@web.get("/ask/<game_id>", defaults={"text": ""})
@web.get("/ask/<game_id>/<text>")
def ask(game_id: str, text: str) -> Response:
    """The page on which a position is entered by taps, each of which is a link."""
    game = find_game(game_id)
    if game is None:
        return no_game_page()
    try:
        address = CountAddress.of(text, "ask", request.args)
        words = words_of_question(language(), game.id, address)
        if address.paint:
            address = apply_brush(game, address, words, asks=True)
            if (answer := redirect_after_paint(("web.ask", {"game_id": game.id}), address)) is not None:
                return answer
        return position_page(count_of(game, address, words, PublicUrl.of_request(), asks=True))
    except Unread as error:
        return _no_position_page(error, game)


@web.get("/ask/<game_id>/<text>/move")
def ask_move(game_id: str, text: str) -> Response:
    """The move is asked about: cell, kind and answers as at a table, and the ruling."""
    game = find_game(game_id)
    if game is None:
        return no_game_page()
    try:
        view = ask_of(game, AskAddress.of(text, "board", request.args), language(), PublicUrl.of_request())
    except Unread as error:
        return _no_position_page(error, game)
    part = wants_part()
    return page("ask_part" if part else "ask", view=view, part=part)


@web.get("/t/<table_id>/what-if")
def what_if(table_id: str) -> Response:
    """The table as it lies now, to ask about: its position goes into the address, and its log stays as it is.

    With an entry, the table as it lay before that; if that is too much for an address, on a page of the table.
    """
    table, _role = referee().table(table_id, cookies.key())
    address = TableAddress.of(table_id, "board", request.args)
    version = version_before(table, address.entry)
    text = text_of(table, version=version)
    if version is not None and (text is None or find_game(table.game.id) is None):
        return make_response(redirect(TableAddress(table_id, "then", entry=address.entry).url(), 303))
    if text is None:
        too_long = _("This board is too large for a link.")
        return failure_page(too_long, PROBLEMS["invalid"], table_id=table_id)
    chosen = AskAddress(
        text, at=address.at, kind=address.kind, so=address.so, move=address.move, zoom=address.zoom, about=table_id
    )
    there = url_for("web.ask_move", game_id=table.game.id, text=text)
    return make_response(redirect(query_of(there, chosen.parameters()), 303))


@web.get("/t/<table_id>/then")
def then(table_id: str) -> Response:
    """A table as it lay before an entry, to ask about: nothing is placed."""
    table, _role = referee().table(table_id, cookies.key())
    if version_before(table, number(request.args.get("entry"))) is None:
        return make_response(redirect(TableAddress(table_id, "log").url(), 303))
    return asked_page(PastAddress.of(table_id, "then", request.args))


def find_game(game_id: str) -> AnyGame | None:
    """The game of an address, if one can be asked about it."""
    return next((game for game in counted_games() if game.id == game_id), None)


def no_game_page() -> Response:
    """The page for a game that does not exist."""
    return failure_page(_("There is no such game to ask about here."), PROBLEMS["no-game"])


def _no_position_page(error: Unread, game: AnyGame) -> Response:
    name = sentences.words(language(), game.id).text["name"]
    reason = error.words(language(), game)
    text = _("No position of %(game)s in this address can be ruled on.", game=name)
    return failure_page(f"{text} {reason}".strip(), PROBLEMS["invalid"])
