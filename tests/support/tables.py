"""Tables of recorded games, opened without a browser or the API."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import orjson

from rules import GAMES
from service import schemas
from service.judgements import AttemptedMove
from service.referee.plans import plan_opening
from service.referee.use_cases import NewTable, Referee
from service.schemas import plain
from service.schemas.parsing import encode
from service.storage.ledger import Ledger
from service.tables.entries import Opened
from service.tables.export import export
from service.tables.table import Table
from tests.support.records import entries_of, file_of, longest_of, record_of


def tries_of(record: Mapping[str, Any]) -> list[AttemptedMove]:
    """The moves of a recorded game as the referee takes them."""
    read = GAMES[record["game"]].read
    return [AttemptedMove(read(entry["move"]), entry.get("stands", False)) for entry in entries_of(record)]


def table_of_record(path: Path) -> Table:
    """A table at which a recorded game was played, without a ledger."""
    record, at = record_of(path), datetime(2026, 11, 27, tzinfo=UTC)
    game = GAMES[record["game"]]
    setup = schemas.load(schemas.of(game).setup, record["setup"])
    opened = Opened(1, at, "host", game.id, plain(setup), game.rules_version, {"a" * 64: "host"})
    return plan_opening("A" * 22, opened, tries_of(record), timedelta(days=90)).table


def long_export(game_id: str, number: int) -> Any:
    """An export of `number` entries: the longest recorded game, undone and played again and again."""
    sent = orjson.loads(encode(export(table_of_record(file_of(longest_of(game_id))))))
    opened, *moves = sent["entries"]
    again = [*moves, {"type": "rewound", "at": opened["at"], "by": "host", "to": 1}]
    return sent | {"entries": [opened, *islice(cycle(again), number - 1)]}


def open_record(referee: Referee, record: Mapping[str, Any]) -> NewTable:
    """A table set up as a recorded game, at which all of its moves were played."""
    game = GAMES[record["game"]]
    return referee.open(game.id, schemas.load(schemas.of(game).setup, record["setup"]), tries_of(record))


def open_table(referee: Referee, name: str, number: int | None = None) -> NewTable:
    """A table set up as a recorded game, at which its first `number` moves were played, or all."""
    record = record_of(name)
    return open_record(referee, {**record, "moves": record["moves"][:number]})


def recorded_table(ledger: Ledger, name: str, number: int | None = None) -> NewTable:
    """The same on a ledger."""
    return open_table(Referee(ledger), name, number)
