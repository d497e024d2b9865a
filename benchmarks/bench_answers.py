"""Small responses and rulings, against bare views of the same application that do only the necessary work.

A bare view has the application's WSGI layers and hooks. The one against a 304 or a 204 reads one value from Redis. The
one against a ruling loads the body with the game's marshmallow schema, rules, and dumps a response without sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import marshmallow
from flask import Flask, Response, request
from marshmallow import fields
from werkzeug.test import EnvironBuilder

from benchmarks.games import RecordedGame, records_for
from benchmarks.measure import Run, ratio, report
from rules import GAMES
from service import schemas
from service.rulings import judge
from service.schemas import plain
from service.schemas.parsing import encode
from service.storage.ledger import Ledger
from service.types import JsonObject
from tests.support.api import application
from tests.support.redis_server import RedisServer

MANY: Final = 20
"""The number of requests in a slice."""
EVERY: Final = 7
"""The benchmark requests a ruling on every seventh move of a game."""
QUICK, RULING = 1.2, 1.3
ROUNDS: Final = 12
SMALL_ROUNDS: Final = 30


class Answer(marshmallow.Schema):
    """The body of its response."""

    ruling = fields.String()
    findings = fields.List(fields.Dict())


def add_bare_views(app: Flask, ledger: Ledger) -> None:
    """Add the bare views."""
    answer = Answer()

    @app.get("/bare/<table_id>")
    def bare_read(table_id: str) -> Response:
        return Response("", 304 if ledger.versions([table_id]) else 204)

    @app.post("/bare/<game_id>")
    def bare_ruling(game_id: str) -> Response:
        game = GAMES[game_id]
        asked = schemas.load(schemas.of(game).ruling_body, request.get_json())
        state, _ = judge.state_and_problems(game, *schemas.start_of_body(asked), anyway=False, in_part=True)
        found = judge.judge(game, state, asked["move"])
        told = {"ruling": found.ruling.value, "findings": [{"rule": each.rule} for each in found.verdict.findings]}
        return Response(encode(answer.dump(told)), content_type="application/json")


def sender(
    app: Flask, requests: Sequence[tuple[str, str, JsonObject]], status: int, headers: Sequence[tuple[str, str]] = ()
) -> Run:
    """A function that sends requests, without the cost of Python's test client."""
    environs = [
        EnvironBuilder(path, method=method, json=body or None, headers=[("Host", "localhost"), *headers]).get_environ()
        for method, path, body in requests
    ]

    def start(line: str, _headers: object, _error: object = None) -> Callable[[bytes], object]:
        if int(line[:3]) != status:
            raise RuntimeError(line)
        return bytes

    def send() -> None:
        for environ in environs:
            environ["wsgi.input"].seek(0)
            answer = app.wsgi_app({**environ}, start)
            b"".join(answer)
            if close := getattr(answer, "close", None):
                close()

    return send


def compare_small(app: Flask) -> None:
    """Report the cost of a table's 304, a poll's 204 and `/livez`."""
    game_id, name = next(iter(records_for("rulings").items()))
    opening = {"game": game_id, "setup": RecordedGame.of(game_id, name).setup}
    opened = app.test_client().post("/api/v1/tables", json=opening).get_json()
    table, key = opened["id"], opened["keys"]["watch"]
    bearer, cookie = ("Authorization", f"Bearer {key}"), ("Cookie", f"keys=watch.{key}")
    bare = sender(app, [("GET", f"/bare/{table}", {})] * MANY, 304)
    for name, path, status, headers in (
        ("table-304", f"/api/v1/tables/{table}", 304, [bearer, ("If-None-Match", '"1"')]),
        ("page-204", f"/t/{table}?since=1", 204, [cookie, ("HX-Request", "true")]),
        ("livez", "/livez", 200, []),
    ):
        found = ratio(sender(app, [("GET", path, {})] * MANY, status, headers), bare, rounds=SMALL_ROUNDS)
        report(f"{name}: against a bare view with one read from Redis.", name, found, QUICK)


def compare_rulings(app: Flask) -> None:
    """Report the cost of a ruling of each game."""
    for game_id, name in records_for("rulings").items():
        played = RecordedGame.of(game_id, name)
        game = played.game
        pairs = list(zip(played.states, played.moves, strict=False))[::EVERY]
        asked: list[JsonObject] = [
            {"setup": played.setup, "position": plain(game.position(state)), "move": game.write(move)}
            for state, move in pairs
        ]
        report(
            f"{game_id}: {len(asked)} rulings of the API, against a bare view that rules.",
            f"{game_id.replace('_', '-')}-ruling",
            ratio(
                sender(app, [("POST", f"/api/v1/games/{game_id}/rulings", each) for each in asked], 200),
                sender(app, [("POST", f"/bare/{game_id}", each) for each in asked], 200),
                rounds=ROUNDS,
            ),
            RULING,
        )


def main() -> None:
    """Print the figures."""
    redis = RedisServer().start()
    ledger = Ledger(redis.url)
    try:
        app = application(redis.url)
        add_bare_views(app, ledger)
        compare_small(app)
        compare_rulings(app)
    finally:
        ledger.close()
        redis.close()


if __name__ == "__main__":
    main()
