"""The worked cases of a game, each with the state in which it asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import load
from rules.cases import position_of
from rules.kernel import Game
from service import schemas
from service.cases.worked_cases import stage

Case = Mapping[str, Any]


def cases(game: Game[Any, Any]) -> list[Case]:
    """The worked cases of a game, in order."""
    found: list[Case] = load(game.id, "cases")["case"]
    return found


def state_of(game: Game[Any, Any], case: Case) -> Any:
    """The state in which a case asks its question."""
    return stage(game, case, load(game.id, "cases"))


def entered(game: Game[Any, Any], case: Case, book: Mapping[str, Any]) -> Any:
    """The position of a case, as it is entered."""
    return schemas.load(schemas.of(game).position, position_of(case, book))
