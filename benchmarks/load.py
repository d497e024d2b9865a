"""The cost of a phone and of a move for the shipped server (`bastide serve`): CPU of its worker and of Redis, memory of
both.

CPU seconds of the processes are steadier than wall-clock time; `docs/sizing.md` calculates with them. Linux only: they
come from /proc.
"""

from __future__ import annotations

import itertools
import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Final, NamedTuple

from benchmarks.games import records_for
from service.storage.ledger import Ledger
from service.storage.private_redis.supervisor import PrivateRedis
from service.types import Json, JsonObject
from tests.support.records import record_of
from tests.support.service_process import ROOT, SERVE, ServiceProcess

GAMES: Final = records_for("memory")
"""The same recorded games as for the memory."""
POLLS: Final = 1000
PAGES: Final = 100
MANY: Final = 20
"""The number of tables, which take more than a megabyte together."""
WAITING: Final = 200
WAIT: Final = 25
"""The seconds that a poll waits."""
OF_TABLE: Final = 20
"""The waiting polls at one table: one key may have 32."""
SILENT: Final = 400
HOMES: Final = 50
"""The client addresses of the polls and the silent connections."""


class Table(NamedTuple):
    """A table and the headers of a program and of a phone at it."""

    id: str
    key: dict[str, str]
    phone: dict[str, str]

    @property
    def path(self) -> str:
        """Its path in the API."""
        return f"/api/v1/tables/{self.id}"


class Server:
    """The shipped server, its worker and its Redis, and one connection to it."""

    def __init__(self, folder: Path, root: Path = ROOT, **settings: str) -> None:
        """Start it from the source in `root`."""
        start = "env", "-C", str(root), *SERVE
        self.service = ServiceProcess(folder, start, BASTIDE_LIMITS="off", PYTHONPATH=str(root), **settings)
        self.ledger = Ledger(PrivateRedis(folder).url)
        self.worker = next(pid for pid in children(self.service.process.pid) if b"gunicorn" in command(pid))
        self.connection = HTTPConnection("127.0.0.1", self.service.port, timeout=60)
        self._count = itertools.count()

    def ask(self, method: str, path: str, body: Json = None, **headers: str) -> tuple[int, bytes]:
        """The status and the body of a response."""
        sent = None if body is None else json.dumps(body)
        self.connection.request(method, path, sent, {"Content-Type": "application/json", **headers})
        response = self.connection.getresponse()
        return response.status, response.read()

    def open(self, game: str, setup: Json) -> Table:
        """A new table."""
        status, body = self.ask("POST", "/api/v1/tables", {"game": game, "setup": setup})
        if status != 201:
            raise RuntimeError(body)
        made = json.loads(body)
        key = made["keys"]["host"]
        return Table(made["id"], {"Authorization": f"Bearer {key}"}, {"Cookie": f"keys=host.{key}"})

    def play(self, table: Table, moves: Iterable[Json], first: int = 1) -> None:
        """Play moves as a program does, one by one, starting at the version `first`."""
        for version, move in enumerate(moves, start=first):
            body = {"move": move} if isinstance(move, str) else move
            change = {"If-Match": f'"{version}"', "Idempotency-Key": f"{next(self._count)}"}
            status, answer = self.ask("POST", f"{table.path}/moves", body, **table.key, **change)
            if status != 201:
                raise RuntimeError(answer)

    def cpu(self) -> tuple[float, float]:
        """CPU seconds so far: of the worker, and of Redis."""
        told = self.ledger._ask("", ("INFO", "cpu"))[0].decode()  # noqa: SLF001  # only asked here
        redis = dict(line.split(":") for line in told.splitlines() if ":" in line)
        return self.worker_cpu(), float(redis["used_cpu_sys"]) + float(redis["used_cpu_user"])

    def worker_cpu(self) -> float:
        """CPU seconds of the worker so far."""
        threads = Path(f"/proc/{self.worker}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def memory(self) -> int:
        """The resident memory of the worker, in bytes."""
        return int(Path(f"/proc/{self.worker}/statm").read_text().split()[1]) * resource.getpagesize()

    def close(self) -> None:
        """Stop it."""
        self.connection.close()
        self.ledger.close()
        self.service.end()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def command(pid: int) -> bytes:
    """The command line of a process."""
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def say(what: str, count: int, spent: tuple[float, float]) -> None:
    """Print the cost of each of `count` requests."""
    ours, redis = (1000 * seconds / count for seconds in spent)
    print(f"{what}: {ours:.2f} ms of the worker ({1000 / ours:.0f} a second and core), {redis:.2f} ms of Redis")


@contextmanager
def spending(server: Server) -> Iterator[Callable[[], tuple[float, float]]]:
    """Measure the CPU within: afterwards, the function returns that of the worker and of Redis."""
    before, after = server.cpu(), (0.0, 0.0)
    yield lambda: (after[0] - before[0], after[1] - before[1])
    after = server.cpu()


def setup_and_moves(game: str) -> tuple[JsonObject, list[Json]]:
    """The setup and the moves of a recorded game."""
    record = record_of(f"{game}/{GAMES[game]}")
    return record["setup"], record["moves"]


def of_a_game(server: Server, game: str, rounds: int = 3) -> Table:
    """Print the cost of the moves and the pages of a game. Returns a table at its end."""
    setup, moves = setup_and_moves(game)
    tables = [server.open(game, setup) for _ in range(rounds)]
    with spending(server) as spent:
        for table in tables:
            server.play(table, moves)
    say(f"{game}, a move", rounds * len(moves), spent())
    news = {"HX-Request": "true", "HX-Target": "table", **tables[0].phone}
    with spending(server) as spent:
        for _ in range(PAGES):
            page = server.ask("GET", f"/t/{tables[0].id}?since={len(moves)}", **news)
    if page[0] != 200:
        raise RuntimeError(page)
    say(f"{game}, the board after a move, {len(page[1]) // 1000} kB", PAGES, spent())
    return tables[0]


def of_polls(server: Server, table: Table, version: int) -> None:
    """Print the cost of a poll without news."""
    tag = {"If-None-Match": f'"{version}"'}
    for what, path, headers, expected in (
        ("a page asks for news", f"/t/{table.id}?since={version}", table.phone, 204),
        ("a program asks for news", table.path, table.key | tag, 304),
    ):
        with spending(server) as spent:
            for _ in range(POLLS):
                status, _body = server.ask("GET", path, **headers)
        if status != expected:
            raise RuntimeError(status)
        say(what, POLLS, spent())


def of_strangers(folder: Path) -> None:
    """Print the cost of a poll at a table that the worker has not cached and reads from Redis."""
    with closing(Server(folder, BASTIDE_CACHE_MB="1")) as server:
        for game in GAMES:
            setup, moves = setup_and_moves(game)
            tables = [server.open(game, setup) for _ in range(MANY)]
            for table in tables:
                server.play(table, moves)
            with spending(server) as spent:
                for table in tables * 5:
                    status, _body = server.ask("GET", f"/t/{table.id}?since={1 + len(moves)}", **table.phone)
            if status != 204:
                raise RuntimeError(status)
            say(f"{game}, a page asks for news where it is not remembered", 5 * MANY, spent())


def of_waiting(server: Server) -> None:
    """Print the cost of waiting polls: the worker's CPU for a second of each, and its memory."""
    game = next(iter(GAMES))
    setup, moves = setup_and_moves(game)
    tables = [server.open(game, setup) for _ in range(WAITING // OF_TABLE)]
    for table in tables:
        server.play(table, moves[:1])
    statuses: list[int] = []

    def wait(number: int, table: Table) -> None:
        source = (f"127.0.0.{2 + number % HOMES}", 0)
        with closing(HTTPConnection("127.0.0.1", server.service.port, timeout=60, source_address=source)) as connection:
            connection.request("GET", f"{table.path}?wait={WAIT}", headers=table.key | {"If-None-Match": '"2"'})
            statuses.append(connection.getresponse().status)

    before = server.memory()
    waiting = [Thread(target=wait, args=(number, tables[number % len(tables)])) for number in range(WAITING)]
    with spending(server) as spent:
        for each in waiting:
            each.start()
        time.sleep(WAIT / 2)
        most = server.memory()
        for each in waiting:
            each.join()
    if statuses != [304] * WAITING:
        raise RuntimeError(statuses)
    print(f"{WAITING} polls that wait: {(most - before) / WAITING / 1000:.1f} kB of the worker each")
    say("a poll that waits, in a second", WAITING * WAIT, spent())


def of_silence(server: Server) -> None:
    """Print the cost of a silent connection; the server closes it after `keepalive` seconds."""
    before = server.memory()
    with ExitStack() as stack, spending(server) as spent:
        for number in range(SILENT):
            source = (f"127.0.0.{2 + number % HOMES}", 0)
            silent = HTTPConnection("127.0.0.1", server.service.port, source_address=source)
            silent.connect()
            stack.callback(silent.close)
        time.sleep(2)
        most = server.memory()
    print(f"{SILENT} silent connections: {(most - before) / SILENT / 1000:.1f} kB each")
    say("a silent connection", SILENT, spent())


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder, closing(Server(Path(folder))) as server:
        server.ask("GET", "/livez")
        print(f"The worker begins with {server.memory() // 2**20} MB")
        tables = {game: of_a_game(server, game) for game in GAMES}
        for game, table in tables.items():
            of_polls(server, table, 1 + len(setup_and_moves(game)[1]))
        of_silence(server)
        of_waiting(server)
        print(f"The worker ends with {server.memory() // 2**20} MB")
    with tempfile.TemporaryDirectory() as folder:
        of_strangers(Path(folder))


if __name__ == "__main__":
    main()
