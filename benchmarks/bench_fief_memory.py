"""The memory of many heavy tables: a worker reads idle tables of Fief.

``python -m benchmarks.bench_fief_memory 10000 500 128`` reads 10,000 tables of 500 entries with a cache of 128 MB.
"""

from __future__ import annotations

import gc
import resource
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from benchmarks.games import RecordedGame
from benchmarks.measure import report
from service import schemas
from service.referee.repository import TableStore
from service.storage.ledger import Ledger
from service.tables.codec import encode
from service.tables.entries import Opened, Played
from service.tables.keys import secret

MEGABYTE: Final = 2**20
DAY: Final = timedelta(days=1)


class SameLog(Ledger):
    """A ledger without a store, in which every table has the same log."""

    def __init__(self, log: list[tuple[int, bytes]]) -> None:
        self.log = log

    def read(self, table: str, after: int = 0) -> list[tuple[int, bytes]]:  # noqa: ARG002  # it is the same for all
        """The log from one entry on."""
        return self.log[max(after - 1, 0) :]


def heavy_log(entries: int) -> list[tuple[int, bytes]]:
    """The log of a table of Fief with only ``next`` moves."""
    game = RecordedGame.of("fief", "six_together")
    setup = schemas.plain(schemas.load(schemas.of(game.game).setup, game.setup))
    now = datetime.now(UTC)
    opened = Opened(1, now, "host", "fief", setup, game.game.rules_version, {})
    move = encode(Played(2, now, "host", "next", None, rules_version=game.game.rules_version))
    return list(enumerate([encode(opened), *[move] * (entries - 1)], start=1))


def resident() -> int:
    """The resident memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def main(tables: int = 60, entries: int = 1000, megabytes: int = 16) -> None:
    """Print the growth of a worker that reads this many tables, relative to its limit for the cache."""
    log = heavy_log(entries)
    TableStore(SameLog(log), DAY, MEGABYTE).current_table(secret())  # load what all tables share
    gc.collect()
    before, limit = resident(), megabytes * MEGABYTE
    store = TableStore(SameLog(log), DAY, limit)
    for _ in range(tables):
        weight = store.current_table(secret()).weight
    report(
        f"A worker that looked at {tables} tables of {entries} entries, {tables * weight // MEGABYTE} MB by their "
        f"weight: how much it grew, in parts of a cache of {megabytes} MB.",
        "cache",
        (resident() - before) / limit,
        1.3,
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
