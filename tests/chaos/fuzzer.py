"""A fuzzer that follows which lines of the rules are reached: `python -m tests.chaos.fuzzer GAME CORPUS [options]`.

It makes lines of notation and plays them from a state of a recorded game: only `Malformed` may be raised. `CORPUS` is
the folder where it stores inputs that reached new lines; the options are libFuzzer's. The library is atheris, which
`make test` installs where it has a wheel.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

atheris: Any = import_module("atheris")  # it has no wheel for many machines, and no types

with atheris.instrument_imports(include=["rules"]):
    import rules
    from rules.forms import Malformed

from service import schemas  # noqa: E402 - it imports the rules, which must be instrumented before
from tests.support.records import notations_of, record_of, records_of  # noqa: E402 - see above

LINES: Final = 8
"""Lines of notation that one input tries, from one state."""


def states(game: Any, record: Path) -> list[Any]:
    """The states of a recorded game."""
    said = record_of(record)
    found = [game.setup(schemas.load(schemas.of(game).setup, said["setup"]))]
    for notation in notations_of(said):
        found.append(game.apply(found[-1], game.read(notation)))
    return found


def seed(game: Any, record: Path, corpus: Path) -> None:
    """Fill a corpus with the moves of a recorded game, each after the number of its state."""
    for number, notation in enumerate(notations_of(record_of(record))):
        (corpus / f"{game.id}-{number}").write_bytes(bytes([number % 256]) + notation.encode())


def main(game_id: str, corpus: str, *options: str) -> None:
    """Fuzz a game until the limits in the options; a crash ends the process with an exit status of its own."""
    game: Any = rules.GAMES[game_id]
    record = records_of(game_id)[0]
    known = states(game, record)
    seed(game, record, Path(corpus))

    def play(data: bytes) -> None:
        state = known[data[0] % len(known)] if data else known[0]
        for line in data[1:].decode("utf-8", "replace").splitlines()[:LINES]:
            with suppress(Malformed):
                move = game.read(line)
                game.check(state, move)
                if game.cannot_stand(state, move) is None:
                    state = game.apply(state, move)
                    game.due(state)
        game.score(state)

    atheris.Setup([sys.argv[0], *options, corpus], play)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
