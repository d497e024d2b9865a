"""Recorded games of ``tests/games``: their files, their states, and their positions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from rules import GAMES
from rules.forms import plain
from tests.rules.play import AnyGame
from tests.support.json_forms import read_position, read_setup
from tests.support.records import notations_of, record_of


def plies(path: Path) -> Iterator[tuple[AnyGame, Any, Any, Any]]:
    """The game, its setup, each state of the log, and the move that was entered there (None in the last)."""
    record = record_of(path)
    game = GAMES[record["game"]]
    form = read_setup(game, record["setup"])
    state = game.setup(form)
    for notation in notations_of(record):
        move = game.read(notation)
        yield game, form, state, move
        state = game.apply(state, move)
    yield game, form, state, None


def position_json(game: AnyGame, state: Any) -> dict[str, Any]:
    """The position as a client gets it."""
    position: dict[str, Any] = orjson.loads(orjson.dumps(plain(game.position(state))))
    return position


def enter(game: AnyGame, form: Any, position: dict[str, Any]) -> Any:
    """The state of a position that a client sends, which must have no problems."""
    read = read_position(game, position)
    assert game.problems(form, read) == ()
    return game.enter(form, read)
