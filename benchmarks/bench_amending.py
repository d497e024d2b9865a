"""The cost of amending a long log and reporting the effect, against judging and replaying the log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final, TypeAlias

from benchmarks.measure import ratio, report
from rules.steps import at_most
from service.judgements import AttemptedMove
from service.referee import amend as amending
from service.referee import amendment_report, fold, plans
from service.schemas import plain
from service.tables.codec import encode
from service.tables.entries import REPLACE, LateMove, LogChange, Opened
from service.tables.keys import HOST, Role
from service.tables.table import Table
from service.types import Setup
from tests.rules.play import EVERY_GAME, AnyGame, PlayedGame, some_game

GOAL: Final = 2.0
ENTRIES: Final = 300
"""The maximum entries of the log."""
GAMES: Final = 20
"""The number of random games to choose the longest from."""
ROUNDS: Final = 15
Log: TypeAlias = Sequence[tuple[int, bytes]]
NOW: Final = datetime(2026, 11, 22, tzinfo=UTC)


def longest(game: AnyGame) -> PlayedGame:
    """The longest of some random games."""
    return max((some_game(game, Random(number)) for number in range(GAMES)), key=lambda played: len(played.steps))


def open_table(game: AnyGame, setup: Setup, moves: Sequence[AttemptedMove]) -> Table:
    """A table with these moves in its log."""
    first = Opened(1, NOW, HOST, game.id, plain(setup), game.rules_version, {"": HOST})
    with at_most(None):
        return plans.plan_opening("A" * 22, first, moves, timedelta(days=1)).table


def log_of(table: Table) -> Log:
    """The log of a table as Redis stores it."""
    return [(entry.number, encode(entry)) for entry in table.entries]


def main() -> None:
    """Print the figure of each game."""
    for game in EVERY_GAME:
        played = longest(game)
        moves = [AttemptedMove(move) for _, move in played.steps if move is not None][: ENTRIES - 1]
        table = open_table(game, played.form, moves)
        first, log = table.move_entry(2), log_of(table)
        change = LogChange(REPLACE, 2, (LateMove(first.notation),))

        def amend(table: Table = table, change: LogChange = change) -> None:
            plan = amending.plan_amendment(table, Role(HOST), change, NOW)
            amendment_report.amendment(plan.table, table.version + 1)

        def replay(table: Table = table, played: PlayedGame = played, log: Log = log) -> None:
            fold.fold(table.id, log, table.lifetime)
            for (state, move), _ in zip(played.steps, table.line, strict=False):
                table.game.check(state, move)

        label = game.id.replace("_", "-")
        report(
            f"{label}: a log of {table.version} entries amended at its first move, against judging and replaying it.",
            f"{label}-amending",
            ratio(amend, replay, rounds=ROUNDS),
            GOAL,
        )


if __name__ == "__main__":
    main()
