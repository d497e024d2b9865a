"""POST of a move against a bare view on the same server: the cost of the referee beside that of any such service.

Both are views of one application in one gunicorn worker with the shipped settings, on one Redis that flushes, called
over one connection. The bare view does only the necessary work: it loads the body with one marshmallow schema, calls
the ledger's script once, and dumps a response with one marshmallow schema. The time of `check` and `apply` for the same
moves is no part of the ratio.
"""

from __future__ import annotations

import itertools
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from http.client import HTTPConnection

import marshmallow
from flask import Flask, Response, request
from marshmallow import fields

from benchmarks.games import RecordedGame, own_records
from benchmarks.measure import ratio_of, report
from service.app import create_app
from service.config import Settings
from service.schemas.parsing import encode
from service.storage.ledger import Ledger
from service.types import Json, JsonObject
from tests.support.records import record_of
from tests.support.redis_server import RedisServer

ROUNDS = 25


class Body(marshmallow.Schema):
    """The body of a move."""

    move = fields.String(required=True)
    version = fields.Integer(dump_only=True)


def bare_app() -> Flask:
    """The application with the bare view beside the API's, for gunicorn."""
    app = create_app()
    ledger = Ledger(Settings.of().redis_url)
    schema = Body()

    @app.post("/bare/<table_id>")
    def bare(table_id: str) -> Response:
        asked: JsonObject = schema.load(request.get_json())
        version = int(request.headers["If-Match"].strip('"'))
        appended = ledger.append(table_id, version, request.headers["Idempotency-Key"], [encode(asked)], "bare")
        return Response(encode(schema.dump({**asked, "version": appended.last})), 201, content_type="application/json")

    @app.post("/bare/<table_id>/open")
    def bare_open(table_id: str) -> str:
        ledger.append(table_id, 0, "open", [b"{}"], "")
        return table_id

    played = {game_id: RecordedGame.of(game_id, name) for game_id, name in own_records("post").items()}

    @app.post("/bare/<game_id>/rules")
    def rules(game_id: str) -> str:
        played[game_id].judge_and_play()
        return game_id

    @app.get("/bare/cpu")
    def cpu() -> str:
        return str(time.process_time())

    return app


class Client:
    """One connection to the server."""

    def __init__(self, port: int) -> None:
        self.connection = HTTPConnection("localhost", port, timeout=10)
        self.number = itertools.count()

    def ask(self, method: str, path: str, body: Json = None, **headers: str) -> bytes:
        """The body of the response; any status but success ends the measurement."""
        sent = None if body is None else json.dumps(body).encode()
        self.connection.request(method, path, sent, {"Content-Type": "application/json", **headers})
        response = self.connection.getresponse()
        answer = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{path}: {response.status}: {answer[:300]!r}")
        return answer

    def play(self, path: str, key: str, moves: Sequence[str]) -> float:
        """Post a whole game to a fresh table: the server's CPU time for it, in seconds."""
        before = self.cpu()
        for version, move in enumerate(moves, start=1):
            headers = {"If-Match": f'"{version}"', "Idempotency-Key": f"{next(self.number)}", "Authorization": key}
            self.ask("POST", path, {"move": move}, **headers)
        return self.cpu() - before

    def judge(self, game_id: str) -> float:
        """Judge and apply the moves of a whole game by the rules alone: the CPU time, in seconds."""
        before = self.cpu()
        self.ask("POST", f"/bare/{game_id}/rules", {})
        return self.cpu() - before

    def cpu(self) -> float:
        """The server's CPU time until now, in seconds."""
        return float(self.ask("GET", "/bare/cpu"))

    def open(self, game_id: str, setup: Json) -> tuple[str, str]:
        """Open a table: the path for its moves, and the header with its key."""
        table = json.loads(self.ask("POST", "/api/v1/tables", {"game": game_id, "setup": setup}))
        return f"/api/v1/tables/{table['id']}/moves", f"Bearer {table['keys']['host']}"

    def open_bare(self) -> tuple[str, str]:
        """The same for the bare view."""
        table = f"bare{next(self.number)}"
        self.ask("POST", f"/bare/{table}/open", {})
        return f"/bare/{table}", "Bearer none"


def start(redis_url: str) -> tuple[subprocess.Popen[bytes], int]:
    """The shipped gunicorn with one worker on a free port; it accepts connections when this returns."""
    with socket.socket() as listener:
        # gunicorn sets this on its own sockets, not on a given one: without it every response waits for the client's
        # delayed acknowledgement
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port: int = listener.getsockname()[1]
        command = [sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_conf"]
        command += ["--bind", f"fd://{listener.fileno()}", "--log-level", "warning", "benchmarks.bench_post:bare_app()"]
        environment = {**os.environ, "REDIS_URL": redis_url, "BASTIDE_HOSTS": "localhost", "BASTIDE_LIMITS": "off"}
        environment["BASTIDE_WORKERS"] = "1"
        quiet = subprocess.DEVNULL  # a line for each request
        return subprocess.Popen(
            command, env=environment, pass_fds=[listener.fileno()], stdout=quiet, stderr=quiet
        ), port


def of_one(client: Client, game_id: str, name: str) -> None:
    """Print the figure of a recorded game, whose moves are all in notation."""
    record = record_of(f"{game_id}/{name}")
    moves: list[str] = record["moves"]
    slices = []
    for _ in range(ROUNDS):
        ours = client.play(*client.open(game_id, record["setup"]), moves) - client.judge(game_id)
        slices.append(ours / client.play(*client.open_bare(), moves))
    report(
        f"POST of each of the {len(moves)} moves of a recorded game beyond check and apply, against as many POSTs to a "
        "bare view with one marshmallow load, one call of the same script and one dump: CPU of the worker.",
        f"{game_id.replace('_', '-')}-post-move",
        ratio_of(slices),
        1.3,
    )


def main() -> None:
    """Print the figure of each game that names a recorded game for it."""
    redis = RedisServer.durable().start()
    server, port = start(redis.url)
    try:
        client = Client(port)
        for game_id, name in own_records("post").items():
            of_one(client, game_id, name)
    finally:
        server.terminate()
        server.wait()
        redis.close()


if __name__ == "__main__":
    main()
