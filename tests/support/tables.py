"""Tables of recorded games, opened without a browser or the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import GAMES
from service import schemas
from service.judgements import AttemptedMove
from service.referee.use_cases import NewTable, Referee
from service.storage.ledger import Ledger
from tests.support.records import entries_of, record_of


def tries_of(record: Mapping[str, Any]) -> list[AttemptedMove]:
    """The moves of a recorded game as the referee takes them."""
    read = GAMES[record["game"]].read
    return [AttemptedMove(read(entry["move"]), entry.get("stands", False)) for entry in entries_of(record)]


def open_record(referee: Referee, record: Mapping[str, Any]) -> NewTable:
    """A table set up as a recorded game, at which all of its moves were played."""
    game = GAMES[record["game"]]
    return referee.open(game.id, schemas.load(schemas.of(game).setup, record["setup"]), tries_of(record))


def open_table(referee: Referee, name: str, number: int | None = None) -> NewTable:
    """A table set up as a recorded game, at which so many of its moves were played, or all."""
    record = record_of(name)
    return open_record(referee, {**record, "moves": record["moves"][:number]})


def recorded_table(ledger: Ledger, name: str, number: int | None = None) -> NewTable:
    """The same on a ledger."""
    return open_table(Referee(ledger), name, number)
