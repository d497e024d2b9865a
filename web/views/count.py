"""The pages on which a position is entered and counted, without a log: every tap is a link, and all of it is in it."""

from __future__ import annotations

from flask import Response, request

from service import texts
from service.datatypes import AnyGame
from service.problems import PROBLEMS
from web.address import CountAddress
from web.blueprint import failed, page, part_wanted, web
from web.language import _, language
from web.panels.count import count_of, counted_games
from web.public_url import PublicUrl
from web.trail import Unread


@web.get("/count/<game_id>", defaults={"text": ""})
@web.get("/count/<game_id>/<text>")
def count(game_id: str, text: str) -> Response:
    """What was entered, what can be made of the chosen cell, and the score."""
    game = next((game for game in counted_games() if game.id == game_id), None)
    if game is None:
        return failed(_("There is no such game to count here."), PROBLEMS["no-game"])
    try:
        seen = count_of(game, CountAddress.of(text, "count", request.args), language(), PublicUrl.now())
    except Unread as error:
        return failed(_unread(error, game), PROBLEMS["invalid"])
    part = part_wanted()
    return page("count_part" if part else "count", view=seen, part=part)


def _unread(error: Unread, game: AnyGame) -> str:
    name = texts.words(language(), game.id).text["name"]
    said = error.words(language(), game)
    return " ".join([_("This address holds no position of %(game)s that can be counted.", game=name), said]).strip()
