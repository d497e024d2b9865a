"""Many moves in one request: the cost of a move beyond check and apply. CPU microseconds, on a quiet machine.

A recorded game is planned as one request of the host, and then judged and played by the rules alone. The shortest time
of each counts, since other work on the machine can only add to it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import process_time
from typing import Final

from benchmarks.games import RecordedGame, records_for
from benchmarks.measure import Run, report
from service.judgements import AttemptedMove
from service.referee.fold import fold
from service.referee.plans import plan_moves
from service.rulings import judge
from service.tables.codec import encode
from service.tables.entries import Opened
from service.tables.keys import HOST, Role

ROUNDS: Final = 60
GOAL: Final = 40
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)


def spend(run: Run) -> float:
    """CPU microseconds of a run."""
    before = process_time()
    run()
    return 1e6 * (process_time() - before)


def of_one(game_id: str, name: str) -> None:
    """Print the figure of a game."""
    played = RecordedGame.of(game_id, name)
    game, attempts = played.game, [AttemptedMove(move) for move in played.moves]
    opened = Opened(1, NOW, HOST, game_id, played.setup, game.rules_version, {})
    table = fold("table", [(1, encode(opened))], timedelta(days=1))

    def plan() -> None:
        plan_moves(table, Role(HOST), attempts, NOW)

    def play() -> None:
        state = table.state
        for attempt in attempts:
            _, state = judge.step(game, state, attempt)

    rounds = [(spend(plan), spend(play)) for _ in range(ROUNDS)]
    planned, judged = map(min, zip(*rounds, strict=True))
    report(
        f"{game_id}: a move of {len(attempts)} in one request, beyond check and apply ({judged / len(attempts):.0f}).",
        f"{game_id.replace('_', '-')}-many-moves",
        (planned - judged) / len(attempts),
        GOAL,
        "µs",
    )


def main() -> None:
    """Print the figure of each game."""
    for game_id, name in records_for("rulings").items():
        of_one(game_id, name)


if __name__ == "__main__":
    main()
