"""What the present application was made with, for its views: the referee, and how a board is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from flask import Flask, current_app

from service.datatypes import State
from service.referee import Referee

REFEREE: Final = "bastide.referee"
PICTURE: Final = "bastide.picture"

Picture: TypeAlias = Callable[[str, State, str], str | None]
"""(id of the game, state, language) -> the board as SVG; None for a game whose board is not drawn."""


def referee() -> Referee:
    """The use cases."""
    found: Referee = current_app.extensions[REFEREE]
    return found


def picture(game_id: str, state: State, language: str) -> str | None:
    """The board as SVG; None for a game whose board is not drawn."""
    draw: Picture = current_app.extensions[PICTURE]
    return draw(game_id, state, language)


def init_app(app: Flask, referee: Referee, picture: Picture) -> None:
    """Give an application its referee and its pictures."""
    app.extensions[REFEREE] = referee
    app.extensions[PICTURE] = picture
