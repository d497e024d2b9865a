"""The cost of starts: of the games, of the command on a file, and of the service until it responds. CPU milliseconds.

Times depend on the machine; the goals are for a quiet one. Only compiled modules remain from an earlier start.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

import orjson

from benchmarks.games import RecordedGame, records_for
from benchmarks.measure import report

ROUNDS: Final = 7
IMPORT: Final = "import rules; list(rules.GAMES.values()); import gc; gc.freeze()"
"""The end of a process is no part of its start: what is frozen is not scanned for garbage there."""
APPLICATION: Final = """
import gc
import gunicorn.app.wsgiapp
import service.gunicorn_conf
gc.disable()  # as `nworkers_changed` does
from service.app import create_app, warm
warm(create_app())
gc.freeze()  # as `when_ready` does
"""


def cpu_of(command: Sequence[str], sent: bytes = b"") -> float:
    """The milliseconds of CPU of a Python process, beyond those of an empty one."""

    def took(words: Sequence[str]) -> float:
        before = os.times()
        subprocess.run([sys.executable, *words], input=sent, check=True, capture_output=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    return 1000 * median(took(command) - took(["-c", ""]) for _ in range(ROUNDS))


def main() -> None:
    """Print the figures."""
    os.environ["REDIS_URL"] = "unix:///nowhere"
    report("Import of all games, without their words.", "import-games", cpu_of(["-c", IMPORT]), 150, "ms")
    game, name = next(iter(records_for("rulings").items()))
    played = RecordedGame.of(game, name)
    asked = {"game": game, "setup": played.setup, "move": played.game.write(played.moves[0])}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "asked.json")
        file.write_bytes(orjson.dumps(asked))
        report("`bastide rule` on a file.", "rule-file", cpu_of(["-m", "service.cli", "rule", str(file)]), 250, "ms")
    report(
        "Start of the service: gunicorn, the application, words and pages.",
        "start",
        cpu_of(["-c", APPLICATION]),
        1000,
        "ms",
    )


if __name__ == "__main__":
    main()
