"""Recorded games for timing."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import NamedTuple

from rules import GAMES
from service import schemas
from service.types import AnyGame, JsonObject, Move, State
from tests.support.records import FOLDER, longest_of, notations_of, record_of, records_of


def own_records(benchmark: str) -> Mapping[str, str]:
    """Game -> the recorded game that its ``tests/games/<game>/benchmarks.toml`` names for a benchmark."""
    files = {game: FOLDER / game / "benchmarks.toml" for game in GAMES}
    books = {game: tomllib.loads(file.read_text(encoding="utf-8")) for game, file in files.items() if file.exists()}
    return {game: book[benchmark] for game, book in books.items() if benchmark in book}


def records_for(benchmark: str) -> Mapping[str, str]:
    """The same for each game that has recorded games: by default, the one with the most moves."""
    longest = {game: longest_of(game).removeprefix(f"{game}/") for game in GAMES if records_of(game)}
    return {**longest, **own_records(benchmark)}


class RecordedGame(NamedTuple):
    """A recorded game: its moves, and the state before each of them and after the last."""

    game: AnyGame
    setup: JsonObject
    moves: tuple[Move, ...]
    states: tuple[State, ...]

    @classmethod
    def of(cls, game_id: str, name: str) -> RecordedGame:
        """Read ``tests/games/<game>/<name>.json``."""
        game = GAMES[game_id]
        record = record_of(f"{game_id}/{name}")
        moves = tuple(map(game.read, notations_of(record)))
        states = [game.setup(schemas.load(schemas.of(game).setup, record["setup"]))]
        for move in moves:
            states.append(game.apply(states[-1], move))
        return cls(game, record["setup"], moves, tuple(states))

    def judge(self) -> None:
        """Rule on each move in the state before it."""
        check = self.game.check
        for state, move in zip(self.states, self.moves, strict=False):
            check(state, move)

    def replay(self) -> None:
        """Play all moves from the start."""
        state, apply = self.states[0], self.game.apply
        for move in self.moves:
            state = apply(state, move)

    def judge_and_play(self) -> None:
        """Rule on each move and play it, from the start."""
        state, check, apply = self.states[0], self.game.check, self.game.apply
        for move in self.moves:
            check(state, move)
            state = apply(state, move)
