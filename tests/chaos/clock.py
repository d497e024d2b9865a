"""A game on a machine whose clock jumps to and fro."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any

from rules import GAMES
from service import schemas
from service.judgements import AttemptedMove
from service.referee.repository import ChangeRequest
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from service.tables.table import Table
from tests.support.records import record_of
from tests.support.redis_server import RedisServer

HOUR = timedelta(hours=1)


def jumps() -> Iterator[timedelta]:
    """An hour ahead, right, an hour behind, and so on."""
    return cycle((HOUR, timedelta(), -HOUR))


def play(record: Path, redis: RedisServer, off: Iterator[timedelta]) -> Table:
    """Play a recorded game, one entry a request, by a clock that is `off`; returns the table as read afterwards."""
    said = record_of(record)
    game = GAMES[said["game"]]
    with closing(Ledger(redis.url)) as ledger:
        ahead = timedelta()
        referee = Referee(ledger, now=lambda: datetime.now(UTC) + ahead)
        opened = referee.open(game.id, schemas.load(schemas.of(game).setup, said["setup"]))
        version = opened.table.version
        for entry in said["moves"]:
            ahead = next(off)  # a request may look at the clock more than once
            asked: dict[str, Any] = {"move": entry} if isinstance(entry, str) else entry
            move = AttemptedMove(game.read(asked["move"]), asked.get("stands", False))
            version = referee.play(ChangeRequest(opened.table.id, opened.keys.host, version), [move]).version
        return Referee(ledger).table(opened.table.id, opened.keys.host)[0]


def clock_of(redis: RedisServer) -> int:
    """The time of a Redis in seconds."""
    return int(redis.ask("TIME")[0])
