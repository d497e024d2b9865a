"""The sheet of a game: a page for paper, and downloads as text, CSV, JSON and a picture."""

from __future__ import annotations

from typing import Final

from flask import Response, request, url_for

from service.http.current import Documents, referee
from service.http.serializers import rulings
from service.i18n import sentences
from service.i18n.languages import DEFAULT_LANGUAGE
from service.rulings import judge
from service.schemas import plain
from service.schemas.parsing import encode
from service.tables.keys import WATCH
from service.tables.table import Table
from service.types import JsonObject
from web.blueprint import as_download, page, web
from web.board.png import png
from web.board_image import picture
from web.browser import cookies
from web.browser.address import number
from web.browser.bidi import words_among
from web.browser.language import language
from web.browser.public_url import PublicUrl
from web.games import NoPages
from web.panels.score import formats
from web.panels.score.card import card
from web.panels.score.sheet import Summary, end_sheet, summary_of


@web.get("/t/<table_id>/sheet")
def sheet(table_id: str) -> Response:
    """The sheet, to print on one page: with the last log entries, or those before a number."""
    result = _result(table_id)
    play = formats.bg_stats(result, sentences.words(DEFAULT_LANGUAGE, result.table.game.id))
    link = _watching_link(table_id)
    sheet_view = end_sheet(result, number(request.args.get("before")))
    return page("sheet", sheet=sheet_view, link=link, text=formats.as_text(result, link), play=play)


@web.get("/t/<table_id>/sheet.txt")
def sheet_text(table_id: str) -> Response:
    """The result in a few lines, for a chat."""
    text = formats.as_text(_result(table_id), _watching_link(table_id))
    return Response(text, content_type="text/plain; charset=utf-8")


@web.get("/t/<table_id>/log.txt")
def log_text(table_id: str) -> Response:
    """The log in words, a line for each entry; of a very long log the last entries, or those before a number."""
    text = _log_text(_result(table_id), number(request.args.get("before")))
    return Response(text, content_type="text/plain; charset=utf-8")


def _log_text(result: Summary, before: int | None = None) -> str:
    link = PublicUrl.of_request().base + url_for("web.log_text", table_id=result.table.id)
    return formats.log_as_text(result, before, link)


@web.get("/t/<table_id>/sheet.csv")
def sheet_csv(table_id: str) -> Response:
    """The score for a spreadsheet."""
    text = formats.as_csv(_result(table_id))
    return as_download(
        Response(text, content_type="text/csv; charset=utf-8; header=present"), f"bastide-{table_id}.csv"
    )


@web.get("/t/<table_id>/sheet.json")
def sheet_json(table_id: str) -> Response:
    """The setup and the score, as the API returns them."""
    table = _table(table_id)
    words = sentences.words_with_people(language(), table.game.id, table.setup)
    body: JsonObject = {
        "id": table.id,
        "game": table.game.id,
        "setup": plain(table.setup),
        "readings": table.state.readings,
        "score": rulings.sheet(judge.sheet(table.game, table.state), words),
        "opened_at": table.opened_at,
        "updated_at": table.entries[-1].at,
    }
    return as_download(Response(encode(body), content_type="application/json"), f"bastide-{table_id}.json")


@web.get("/t/<table_id>/sheet.svg")
def sheet_picture(table_id: str) -> Response:
    """The result with the board as a picture that stands alone."""
    return Response(card(_result(table_id)), content_type="image/svg+xml")


@web.get("/t/<table_id>/board.svg")
def board_picture(table_id: str) -> Response:
    """The board alone, as it stands on the sheet."""
    return Response(_board_svg(_table(table_id)), content_type="image/svg+xml")


def _board_svg(table: Table) -> str:
    people = words_among(language(), table.game.id, table.setup).people
    svg = picture(table.game.id, table.state, language(), people)
    if svg is None:
        raise NoPages(table.game.id)
    return svg


def _table(table_id: str) -> Table:
    table, _role = referee().table(table_id, cookies.key())
    return table


def _result(table_id: str) -> Summary:
    return summary_of(_table(table_id), request.args.get("day"))


def _watching_link(table_id: str) -> str:
    """The link by which others can watch; empty if this browser cannot share it, or if nobody could reach it.

    It contains the key for watching, as on the page that shares the table; the text for a chat and the printed sheet
    contain it. Their readers can see the table with its log, and change nothing, until the table is deleted. They
    never contain a key that plays or decides; without the key for watching they have no address, which nobody could
    open.
    """
    key, public = cookies.keys().get(WATCH), PublicUrl.of_request()
    return "" if key is None or public.only_here else f"{public.base}{url_for('web.board', table_id=table_id)}#{key}"


DOCUMENTS: Final[Documents] = {
    ("text", "log"): lambda table: _log_text(summary_of(table, None)),
    ("text", "sheet"): lambda table: formats.as_text(summary_of(table, None), ""),
    ("csv", "sheet"): lambda table: formats.as_csv(summary_of(table, None)),
    ("svg", "board"): _board_svg,
    ("svg", "sheet"): lambda table: card(summary_of(table, None)),
    ("png", "board"): lambda table: png(_board_svg(table)),
    ("png", "sheet"): lambda table: png(card(summary_of(table, None))),
}
"""The documents that the API exports too, in the same words."""
