"""The board of a state as a picture that stands alone, as the API hands it out."""

from __future__ import annotations

from typing import Any

from web.board.inks import joined
from web.board.svg import document
from web.games import all_pages


def picture(game: str, state: Any, language: str) -> str | None:
    """The board as the pages draw it, as an SVG document; None for a game that has no pages."""
    pages = all_pages().get(game)
    if pages is None:
        return None
    return document(pages.draw(state, language), pages.symbols, joined((pages.inks,)))
