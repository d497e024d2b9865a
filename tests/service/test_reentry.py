"""In every recorded game, at every ply, a position entered again is the same game.

The laws check states of random games, without JSON. Here rulings and scores are compared, too, with order and cells.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from rules import GAMES
from service import schemas
from service.rulings.judge import sheet
from tests.rules.play import AnyGame
from tests.support.loops import over
from tests.support.recorded_games import plies, position_json
from tests.support.records import RECORD_PATHS, records_of

PLIES_A_COMPARISON = 8
"""Rulings and scores are compared at every eighth ply, …"""
PLIES_A_LIST = 16
"""… and legal moves at every sixteenth; each game begins at another ply."""
every_record = pytest.mark.parametrize("path", RECORD_PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")


def enter(game: AnyGame, form: Any, position: dict[str, Any]) -> Any:
    """The state of a position sent by a client, without problems."""
    read = schemas.load(schemas.of(game).position, position)
    assert game.problems(form, read) == ()
    return game.enter(form, read)


def statements_of(game: AnyGame, state: Any, move: Any) -> tuple[Any, ...]:
    """The turn, the ruling on the next move with its effects, and the score sheet."""
    ruling = None
    if move is not None:
        effects = game.effects(state, move, game.apply(state, move))
        ruling = (game.check(state, move), game.cannot_stand(state, move), effects)
    return game.due(state), ruling, sheet(game, state)


@every_record
def test_nothing_of_a_log_is_lost_in_its_position(path: Path) -> None:
    """At every ply the state is the same, and so are turn, ruling, effects and score."""
    for number, (game, form, state, move) in over(enumerate(plies(path), RECORD_PATHS.index(path))):
        again = enter(game, form, position_json(game, state))
        assert again == state
        assert number % PLIES_A_COMPARISON or statements_of(game, again, move) == statements_of(game, state, move)


@every_record
def test_the_legal_moves_are_the_same_in_the_same_order(path: Path) -> None:
    """The legal moves are the same in the same order, so that a list can be continued after entering the position
    again.
    """
    played = list(plies(path))
    for game, form, state, _ in over(played[RECORD_PATHS.index(path) % min(PLIES_A_LIST, len(played)) :: PLIES_A_LIST]):
        again = enter(game, form, position_json(game, state))
        assert list(game.moves(again)) == list(game.moves(state))


@pytest.mark.parametrize("game_id", GAMES)
def test_a_position_without_its_pieces_is_another_one(game_id: str) -> None:
    """The control: without its largest member, a position gives another state."""
    path = records_of(game_id)[0]
    game, form, state, _ = list(plies(path))[-1]
    position = position_json(game, state)
    name = max(position, key=lambda member: len(orjson.dumps(position[member])))
    read = schemas.load(schemas.of(game).position, {**position, name: type(position[name])()})
    assert game.enter(form, read) != state
