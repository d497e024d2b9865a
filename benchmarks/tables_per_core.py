"""How many tables a core of workers serves: `python -m benchmarks.tables_per_core [the source of an older release]`.

Four phones are at a table and ask for news every 1.5 seconds. Every 30 seconds somebody looks at three cells and moves,
and then each phone gets the new board. The shipped servers of both releases do this with the recorded games, one 30
seconds after the other in turn, so that both figures come from the same machine at the same time. Nobody waits: what is
counted is the CPU of the workers. Linux only: it comes from /proc.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from statistics import mean
from typing import Final

from benchmarks.games import records_for
from service.types import Json
from tests.support.records import record_of
from tests.support.service_process import ROOT, SERVE, ServiceProcess
from tests.web.conftest import having

PHONES: Final = 4
SECONDS: Final = 30
"""Between two moves."""
POLL: Final = 1.5
"""Seconds between two questions for news."""
LOOKS: Final = 3
LOAD: Final = 0.5
"""The part of a core that is used."""
TURNS: Final = 10
"""Moves of each game that are measured, all over the game."""
CELL: Final = re.compile(r'<a class="cell"[^>]* href="([^"]+)"')


class Worker:
    """A shipped server, and one connection to it."""

    def __init__(self, root: Path, folder: Path) -> None:
        command = "env", "-C", str(root), *SERVE
        self.service = ServiceProcess(folder, command, BASTIDE_LIMITS="off", PYTHONPATH=str(root))
        children = Path(f"/proc/{self.service.process.pid}/task/{self.service.process.pid}/children").read_text()
        commands = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children.split()}
        self.pid = next(pid for pid, command in commands.items() if b"gunicorn" in command)
        self.connection = HTTPConnection("127.0.0.1", self.service.port, timeout=60)

    def get(self, path: str, headers: Mapping[str, str], status: int = 200) -> str:
        """The text of an answer. Raises `RuntimeError` for another status."""
        return self._ask("GET", path, None, headers, status)

    def post(self, path: str, body: Json, headers: Mapping[str, str]) -> str:
        """The same, where something is made."""
        return self._ask("POST", path, json.dumps(body), {"Content-Type": "application/json", **headers}, 201)

    def _ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str], status: int) -> str:
        self.connection.request(method, path, body, dict(headers))
        response = self.connection.getresponse()
        text = response.read().decode()
        if response.status != status:
            raise RuntimeError(f"{method} {path}: {response.status} {text[:300]}")
        return text

    def cpu(self) -> float:
        """CPU seconds of the worker so far."""
        tasks = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def end(self) -> None:
        """End the server."""
        self.connection.close()
        self.service.end()


class Table:
    """A table of a recorded game at a server."""

    def __init__(self, worker: Worker, game: str, setup: Json) -> None:
        self.worker, self.version = worker, 1
        made = json.loads(worker.post("/api/v1/tables", {"game": game, "setup": setup}, {}))
        self.path, key = f"/t/{made['id']}", made["keys"]["host"]
        self.moves = f"/api/v1/tables/{made['id']}/moves"
        self.program, self.phone = {"Authorization": f"Bearer {key}"}, {"Cookie": f"keys=host.{key}"}

    def move(self, move: Json) -> None:
        """Play a move."""
        body = {"move": move} if isinstance(move, str) else move
        change = {"If-Match": f'"{self.version}"', "Idempotency-Key": f"{self.version}"}
        self.worker.post(self.moves, body, {**self.program, **change})
        self.version += 1

    def turn(self, move: Json) -> float:
        """CPU seconds of the worker for what happens between two moves, and for the next move."""
        self.worker.connection.close()  # the server has closed it if the other one took long
        page = self.worker.get(self.path, self.phone)
        cells = [each.replace("&amp;", "&") for each in CELL.findall(page)]
        shown = {**having(page), **self.phone}
        before = self.worker.cpu()
        for _ in range(round(PHONES * SECONDS / POLL)):
            self.worker.get(f"{self.path}?since={self.version}", shown, 204)
        for cell in cells[:: max(1, len(cells) // LOOKS)][:LOOKS]:
            self.worker.get(cell, shown)
        self.move(move)
        for _ in range(PHONES):
            self.worker.get(f"{self.path}?since={self.version - 1}", shown)
        return self.worker.cpu() - before


def turns_of(workers: Sequence[Worker], game: str, name: str) -> list[tuple[float, ...]]:
    """CPU seconds of some turns of a recorded game: a tuple has those of each server."""
    record = record_of(f"{game}/{name}")
    tables = [Table(worker, game, record["setup"]) for worker in workers]
    every, found = max(1, len(record["moves"]) // TURNS), []
    for number, move in enumerate(record["moves"]):
        if number % every:
            for table in tables:
                table.move(move)
        else:
            took = {table: table.turn(move) for table in tables[:: 1 if number // every % 2 else -1]}
            found.append(tuple(took[table] for table in tables))
    return found


def main(trees: Sequence[str]) -> None:
    """Print the figures of this release, and of those whose source is in some folders."""
    roots = [ROOT, *(Path(tree).absolute() for tree in trees)]
    with ExitStack() as stack:
        workers = []
        for root in roots:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            workers.append(Worker(root, Path(folder)))
            stack.callback(workers[-1].end)
        turns = {game: turns_of(workers, game, name) for game, name in records_for("memory").items()}
    for number, root in enumerate(roots):
        costs = {game: mean(turn[number] for turn in found) for game, found in turns.items()}
        tables = LOAD * SECONDS / mean(costs.values())
        of_games = ", ".join(f"{game} {1000 * cost:.0f}" for game, cost in costs.items())
        print(f"{root.name}: {tables:.0f} tables a core at {LOAD:.0%} load; ms of CPU in {SECONDS} s: {of_games}")


if __name__ == "__main__":
    main(sys.argv[1:])
