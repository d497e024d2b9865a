"""The worked cases of a game, each with the state in which it asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import rules.cases
from rules import load
from rules.cases import position_of
from tests.support.json_forms import AnyGame, read_position, read_setup

Case = Mapping[str, Any]


def cases(game: AnyGame) -> list[Case]:
    """The worked cases of a game, in order."""
    found: list[Case] = load(game.id, "cases")["case"]
    return found


def setup_of(game: AnyGame, case: Case, book: Mapping[str, Any]) -> Any:
    """The setup of a case."""
    return read_setup(game, rules.cases.setup_of(case, book), beside_position=position_of(case, book) is not None)


def enter(game: AnyGame, case: Case, book: Mapping[str, Any]) -> Any:
    """The position of a case, as it is entered, or None."""
    given = position_of(case, book)
    return None if given is None else read_position(game, given)


def stage(game: AnyGame, case: Case, book: Mapping[str, Any]) -> Any:
    """The state that a case, or part of one, starts from."""
    return rules.cases.stage(game, case, book, setup_of(game, case, book), enter(game, case, book))


def state_of(game: AnyGame, case: Case) -> Any:
    """The state in which a case asks its question."""
    return stage(game, case, load(game.id, "cases"))
