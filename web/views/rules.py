"""The pages of rules: the games, the rules of a game by chapter or by search, and one rule."""

from __future__ import annotations

from typing import Final

from flask import Response, request

import rules
from service.errors import NoCase
from service.rulings.game_info import game_of
from service.schemas import MAX_ASKED
from web.blueprint import page, wants_part, web
from web.browser.address import EditorAddress
from web.browser.language import language
from web.pages import case_pages, rule_pages

RESULTS_ID: Final = "found"
"""The id of the element that htmx swaps while one types."""


@web.get("/rules")
def rule_games() -> Response:
    """The games with rules to look up."""
    return page("rule_games", games=rules.GAMES.values())


@web.get("/rules/<game_id>")
def rule_list(game_id: str) -> Response:
    """The rules of a game: the matches of a search, the rules of a phase, and all by chapter."""
    query = request.args.get("q", "")[:MAX_ASKED].strip()
    contents = rule_pages.contents(game_of(game_id), language(), query, request.args.get("phase", ""))
    return page("rule_results" if wants_part(RESULTS_ID) else "rule_list", contents=contents)


@web.get("/rules/<game_id>/<rule_id>")
def rule(game_id: str, rule_id: str) -> Response:
    """A rule, with its readings and its worked cases."""
    return page("rule", view=rule_pages.rule_of(game_of(game_id), rule_id, language()))


@web.get("/rules/<game_id>/cases")
def case_book(game_id: str) -> Response:
    """The worked cases of a game, by rule and by reading."""
    return page("case_book", book=case_pages.case_book(game_of(game_id), language()))


@web.get("/rules/<game_id>/cases/<number>")
def case(game_id: str, number: str) -> Response:
    """A worked case: its board, and the ruling."""
    game = game_of(game_id)
    address = EditorAddress.of("", "position", request.args)
    return page("case", view=case_pages.case_view(game, rule_pages.case_of(game, number), address, language()))


@web.get("/rules/<game_id>/cases/<number>.svg")
def case_board(game_id: str, number: str) -> Response:
    """The board of a worked case."""
    game = game_of(game_id)
    svg = rule_pages.case_svg(game, rule_pages.case_of(game, number), language())
    if svg is None:
        raise NoCase(number)
    return Response(svg, mimetype="image/svg+xml")
