"""The page of a public view, and its drawing alone: the same for everybody, so that caches serve many spectators.

The views read and set no cookie, take the language from the address, and have no form.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, abort, g, request, url_for
from werkzeug.exceptions import NotFound

import service
from service.errors import NoView, RateLimited, StoreAway
from service.http import problem_responses
from service.http.current import admit, admit_wrong_key, referee
from service.http.problems import HANDLED_ERRORS
from service.i18n.languages import DEFAULT_LANGUAGE, LANGUAGES
from service.tables.public_views import PublicView, shown_setup, shows_version
from service.tables.scores import totals_of
from service.tables.table import Table
from web import request_kinds
from web.blueprint import page
from web.board_image import picture
from web.browser.bidi import words_among
from web.browser.language import NAMES, language
from web.games import NoPages, pages_of
from web.panels.context import player_names, sheet_of
from web.panels.score.score import ranking

public: Final = Blueprint("public", __name__, url_prefix="/p")
CACHE: Final = {"page": "public, max-age=1", "drawing": "public, max-age=3600, immutable"}


@public.before_request
def _take_language_of_address() -> None:
    """Use the language of the address; count the request."""
    lang = (request.view_args or {}).get("lang") or request.args.get("lang")
    g.language = lang if lang in LANGUAGES else DEFAULT_LANGUAGE
    admit(request_kinds.kind_of(request))


@public.get("/<view>")
def board(view: str) -> Response:
    """The page of a public view: board, players, score, and the next turn."""
    table, _ = referee().view(view)
    words = pages_of(table.game.id).words_for(words_among(language(), table.game.id, table.setup), table.state)
    names, due = player_names(table, words), table.due
    drawing = url_for("public.drawing", view=view, version=table.version, lang=language(), v=service.__version__)
    response = page(
        "public",
        lang=language(),
        game=table.game.id,
        words=words,
        drawing=drawing,
        due=words.due_text(due) if due.ended is None else words.end_text(due.ended),
        standing=ranking(words, sheet_of(table.state, table.game.id), names)[0],
        players=[(seat, name, totals_of(table.game, table.state)[seat]) for seat, name in names.items()],
        languages=[
            (lang, NAMES[lang], url_for("public.board", view=view, lang=lang))
            for lang in LANGUAGES
            if lang != language()
        ],
    )
    response.headers["Cache-Control"] = CACHE["page"]
    response.headers["Content-Language"] = language()
    return response


@public.get("/<view>/<int:version>.<lang>.svg")
def drawing(view: str, version: int, lang: str) -> Response:
    """The board alone at a version, which never changes: any cache may serve it for an hour."""
    table, found = referee().view(view)
    if lang not in LANGUAGES or not shows_version(table, found, version):
        abort(HTTPStatus.NOT_FOUND)
    response = Response(_svg(table, found, version), content_type="image/svg+xml")
    is_ours = request.args.get("v") == service.__version__
    response.headers["Cache-Control"] = CACHE["drawing"] if is_ours else "no-store"
    return response


def _svg(table: Table, view: PublicView, version: int) -> str:
    people = words_among(language(), table.game.id, shown_setup(table, view, version)).people
    svg = picture(table.game.id, table.states[version - 1], language(), people)
    if svg is None:
        abort(HTTPStatus.NOT_FOUND)
    return svg


def _problem_page(error: Exception) -> Response:
    """A problem as a page in the language of the address, which no cache stores."""
    response = problem_responses.page(problem_responses.problem_of(error, language()), language())
    response.headers["Cache-Control"] = "no-store"
    return response


@public.errorhandler(NoView)
def _no_view(error: NoView) -> Response:
    """Count a wrong id, so that a client that tries many has to wait."""
    try:
        admit_wrong_key()
    except (RateLimited, StoreAway) as refusal:
        return _problem_page(refusal)
    return _problem_page(error)


@public.errorhandler(NoPages)
def _no_pages(_error: NoPages) -> Response:
    """A game without pages has no drawing either."""
    return _problem_page(NotFound())


for _kind in {*HANDLED_ERRORS, NotFound} - {NoView}:
    public.register_error_handler(_kind, _problem_page)
