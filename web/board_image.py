"""The board of a state as a stand-alone picture, for the API."""

from __future__ import annotations

from collections.abc import Mapping

from rules.kernel import Seat
from service.i18n.sentences import NOBODY
from service.types import State
from web.board.inks import merge_inks
from web.board.svg import document
from web.games import all_pages


def picture(game: str, state: State, language: str, people: Mapping[Seat, str] = NOBODY) -> str | None:
    """The board as the pages draw it, with the players' names, as an SVG document; None for a game without pages."""
    pages = all_pages().get(game)
    if pages is None:
        return None
    return document(pages.draw(state, language, None, people), pages.symbols, merge_inks((pages.inks,)))
