"""Recorded games of ``tests/games``: their files, their states, and their positions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from rules import GAMES
from service import schemas
from tests.rules.play import AnyGame


def plies(path: Path) -> Iterator[tuple[AnyGame, Any, Any, Any]]:
    """The game, its setup, each state of the log, and the move that was entered there (None in the last)."""
    record = json.loads(path.read_text())
    game = GAMES[record["game"]]
    form = schemas.load(schemas.of(game).setup, record["setup"])
    state = game.setup(form)
    for entry in record["moves"]:
        move = game.read(entry if isinstance(entry, str) else entry["move"])
        yield game, form, state, move
        state = game.apply(state, move)
    yield game, form, state, None


def written(game: AnyGame, state: Any) -> dict[str, Any]:
    """The position as a client has it."""
    position: dict[str, Any] = orjson.loads(orjson.dumps(schemas.plain(game.position(state))))
    return position


def entered(game: AnyGame, form: Any, position: dict[str, Any]) -> Any:
    """The state of a position as a client sends it, in which nothing is wrong."""
    read = schemas.load(schemas.of(game).position, position)
    assert game.problems(form, read) == ()
    return game.enter(form, read)


def said_file(path: Path) -> Path:
    return path.with_name(f"{path.stem}.said.json")
