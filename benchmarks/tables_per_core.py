"""The number of tables per core of workers: `python -m benchmarks.tables_per_core [the source of an older release]`.

Four phones at a table poll for news every 1.5 seconds. Every 30 seconds somebody taps three cells and moves, and then
each phone gets the new board. The shipped servers of both releases do this with the recorded games. They take turns
after each 30 seconds, so that both figures come from the same machine at the same time. Nobody waits: the figure is
the CPU of the workers. Linux only: it comes from /proc.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import mean
from typing import Final

from benchmarks.load import GAMES, Server, Table, setup_and_moves
from service.types import Json
from tests.support.service_process import ROOT
from tests.web.conftest import having

PHONES: Final = 4
SECONDS: Final = 30
"""The seconds between two moves."""
POLL: Final = 1.5
"""The seconds between two polls for news."""
LOOKS: Final = 3
LOAD: Final = 0.5
"""The used part of a core."""
TURNS: Final = 10
"""The measured moves of each game, all over the game."""
CELL: Final = re.compile(r'<a class="cell"[^>]* href="([^"]+)"')


def get(server: Server, path: str, headers: Mapping[str, str], expected: int = 200) -> str:
    """The text of a response. Raises `RuntimeError` for an unexpected status."""
    status, body = server.ask("GET", path, **headers)
    if status != expected:
        raise RuntimeError(f"{path}: {status} {body[:300]!r}")
    return body.decode()


def turn(server: Server, table: Table, version: int, move: Json) -> float:
    """The CPU seconds of the worker for the requests between two moves, and for the next move."""
    server.connection.close()  # the server closes it if the other one takes long
    path = f"/t/{table.id}"
    page = get(server, path, table.phone)
    cells = [each.replace("&amp;", "&") for each in CELL.findall(page)]
    shown = {**having(page), **table.phone}
    before = server.worker_cpu()
    for _ in range(round(PHONES * SECONDS / POLL)):
        get(server, f"{path}?since={version}", shown, 204)
    for cell in cells[:: max(1, len(cells) // LOOKS)][:LOOKS]:
        get(server, cell, shown)
    server.play(table, [move], version)
    for _ in range(PHONES):
        get(server, f"{path}?since={version}", shown)
    return server.worker_cpu() - before


def turns_of(servers: Sequence[Server], game: str) -> list[tuple[float, ...]]:
    """The CPU seconds of some turns of a recorded game: a tuple for each turn, with a value for each server."""
    setup, moves = setup_and_moves(game)
    tables = {server: server.open(game, setup) for server in servers}
    every, found = max(1, len(moves) // TURNS), []
    for version, move in enumerate(moves, start=1):
        if version % every:
            for server, table in tables.items():
                server.play(table, [move], version)
        else:
            in_turn = servers[:: 1 if version // every % 2 else -1]
            took = {server: turn(server, tables[server], version, move) for server in in_turn}
            found.append(tuple(took[server] for server in servers))
    return found


def main(trees: Sequence[str]) -> None:
    """Print the figures of this release, and of releases whose source is in given folders."""
    roots = [ROOT, *(Path(tree).absolute() for tree in trees)]
    with ExitStack() as stack:
        servers = []
        for root in roots:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            servers.append(stack.enter_context(closing(Server(Path(folder), root))))
        turns = {game: turns_of(servers, game) for game in GAMES}
    for number, root in enumerate(roots):
        costs = {game: mean(turn[number] for turn in found) for game, found in turns.items()}
        tables = LOAD * SECONDS / mean(costs.values())
        of_games = ", ".join(f"{game} {1000 * cost:.0f}" for game, cost in costs.items())
        print(f"{root.name}: {tables:.0f} tables a core at {LOAD:.0%} load; ms of CPU in {SECONDS} s: {of_games}")


if __name__ == "__main__":
    main(sys.argv[1:])
