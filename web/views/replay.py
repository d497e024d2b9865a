"""The page that replays a game: every step has its own address."""

from __future__ import annotations

from flask import Response

from web.blueprint import web
from web.views.table import section_of


@web.get("/t/<table_id>/replay")
def replay(table_id: str) -> Response:
    """A step of the game: the board after it, and the verdict on it."""
    return section_of(table_id, "replay")
