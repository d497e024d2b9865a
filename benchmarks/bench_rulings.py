"""The cost of a ruling besides its findings: of the effects, and of finding the readings that would change anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

import orjson

import rules
from benchmarks.games import RecordedGame, records_for
from benchmarks.measure import ratio, report
from service.app import create_app
from service.config import Settings
from service.rulings.other_readings import Outcome, decisive_alternatives, trace_ruling
from service.schemas import plain
from service.types import AnyGame, Move, State

EFFECTS, READINGS = 1.5, 5.0
EVERY = 5
"""The benchmark requests rulings on every fifth move of a game."""
ROUNDS = 9


def silent(game: AnyGame) -> AnyGame:
    """The game without effects of its own."""
    return replace(game, effects=lambda _before, _move, _after: ())


def asker(played: RecordedGame) -> Callable[[], None]:
    """A function that requests rulings on moves of a recorded game, each in its position."""
    client = create_app(Settings.of({"REDIS_URL": "unix:///nowhere", "BASTIDE_LIMITS": "off"})).test_client()
    game = played.game
    bodies = [
        orjson.dumps({"setup": played.setup, "position": plain(game.position(state)), "move": game.write(move)})
        for state, move in list(zip(played.states, played.moves, strict=False))[::EVERY]
    ]

    def ask() -> None:
        for body in bodies:
            answer = client.post(f"/api/v1/games/{game.id}/rulings", data=body, content_type="application/json")
            if answer.status_code != 200:
                raise RuntimeError(answer.text)

    return ask


def without_effects(ask: Callable[[], None], game: AnyGame) -> Callable[[], None]:
    """The same rulings without the effects of the moves."""
    games = {**rules.GAMES, game.id: silent(game)}

    def bare() -> None:
        with (
            patch.object(rules, "GAMES", games),
            patch.object(Outcome, "point_changes", ()),
        ):
            ask()

    return bare


def main() -> None:
    """Print the two figures of each game."""
    for game_id, name in records_for("rulings").items():
        played = RecordedGame.of(game_id, name)
        game, label = played.game, game_id.replace("_", "-")
        ask = asker(played)
        report(
            f"{label}: a ruling of the API with effects, against one without.",
            f"{label}-effects",
            ratio(ask, without_effects(ask, game), rounds=ROUNDS),
            EFFECTS,
        )
        moves = list(zip(played.states, played.moves, strict=False))

        def compare(game: AnyGame = game, moves: list[tuple[State, Move]] = moves) -> None:
            for state, move in moves:
                tuple(decisive_alternatives(game, state, move, trace_ruling(game, state, move)))

        def alone(game: AnyGame = game, moves: list[tuple[State, Move]] = moves) -> None:
            for state, move in moves:
                game.check(state, move)
                game.effects(state, move, game.apply(state, move))

        report(
            f"{label}: which readings would change the ruling or its effects, against one check with effects.",
            f"{label}-readings",
            ratio(compare, alone),
            READINGS,
        )
