"""The pages that count an entered position without a log: every tap is a link that contains the position."""

from __future__ import annotations

from flask import Response, make_response, redirect, request, url_for

from service.http.problems import PROBLEMS
from service.i18n import sentences
from service.types import AnyGame
from web.blueprint import failure_page, htmx, page, wants_part, web
from web.browser.address import CountAddress, query_of, set_page_url
from web.browser.language import _, language
from web.browser.public_url import PublicUrl
from web.panels.count import CountView, apply_brush, count_of, counted_games
from web.panels.here import View
from web.position_url import Unread


@web.get("/count/<game_id>", defaults={"text": ""})
@web.get("/count/<game_id>/<text>")
def count(game_id: str, text: str) -> Response:
    """What was entered, what can be made of the chosen cell, and the score."""
    game = next((game for game in counted_games() if game.id == game_id), None)
    if game is None:
        return failure_page(_("There is no such game to count here."), PROBLEMS["no-game"])
    words = sentences.words(language(), game.id)
    try:
        address = CountAddress.of(text, "count", request.args)
        if address.paint:
            address = apply_brush(game, address, words)
            if (answer := redirect_after_paint(("web.count", {"game_id": game.id}), address)) is not None:
                return answer
        return position_page(count_of(game, address, words, PublicUrl.of_request()))
    except Unread as error:
        return failure_page(_no_position_text(error, game), PROBLEMS["invalid"])


def redirect_after_paint(view: View, address: CountAddress) -> Response | None:
    """A browser without a script is sent on to what was painted; htmx is shown it at once, as if it had been."""
    endpoint, path = view
    there = url_for(endpoint, text=address.table or None, **path)
    if not wants_part():
        return make_response(redirect(query_of(there, address.parameters()), 303))
    set_page_url(f"{there}?{request.query_string.decode()}")
    return None


def position_page(view: CountView, status: int = 200) -> Response:
    """The page of a position that is entered. With a brush, the response sets the browser's address."""
    part = wants_part()
    answer = page("count_part" if part else "count", status, view=view, part=part)
    if part and "paint" in request.args and view.url.partition("?")[0] != request.path:
        answer.headers["HX-Push-Url"] = view.url
    elif part and "brush=" in f"{htmx.current_url}{view.url}":
        answer.headers["HX-Replace-Url"] = view.url
    return answer


def _no_position_text(error: Unread, game: AnyGame) -> str:
    name = sentences.words(language(), game.id).text["name"]
    reason = error.words(language(), game)
    return " ".join([_("No position of %(game)s in this address can be counted.", game=name), reason]).strip()
