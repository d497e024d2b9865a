"""Finds the parts of a table's page that have changed, so that a browser receives only these.

Each part of the page has a mark, which names its content. The page's script sends all marks. The response contains the
parts with other marks, and the script puts each in its place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from flask import Response, request

from rules.caches import cache
from web.board.layers import mark
from web.browser.language import language

MARKS_HEADER: Final = "Bastide-Has"
"""The header with the marks of the requesting page."""
HERE: Final = Path(__file__).parents[1]


@cache()
def _layout() -> str:
    """A name for the layout of the pages in this release."""
    files = sorted(path for room in ("templates", "static") for path in (HERE / room).rglob("*.*"))
    return mark(*(path.read_bytes() for path in files))


def frame(table_id: str) -> str:
    """The mark of a table's page as a whole."""
    return mark(_layout(), language(), table_id)


def browser_marks(table_id: str) -> frozenset[str]:
    """The marks of this table's parts in the browser; empty if it shows another page, or one of an older release."""
    marks = frozenset(request.headers.get(MARKS_HEADER, "").split())
    return marks if frame(table_id) in marks else frozenset()


def in_parts(response: Response) -> Response:
    """A response whose parts replace the parts of the page with the same ids. The page's script inserts them."""
    response.headers["HX-Reswap"] = "parts"
    return response
