"""Tables of recorded games, opened without a browser or the API."""

from __future__ import annotations

import json

from rules import GAMES
from service import schemas
from service.judgements import AttemptedMove
from service.referee.use_cases import NewTable, Referee
from service.storage.ledger import Ledger
from tests.rules.play import FOLDER


def opened(referee: Referee, name: str, number: int | None = None) -> NewTable:
    """A table set up as a recorded game, at which so many of its moves were played, or all."""
    record = json.loads((FOLDER / f"{name}.json").read_text())
    game = GAMES[record["game"]]
    moves = [move if isinstance(move, dict) else {"move": move} for move in record["moves"][:number]]
    tries = [AttemptedMove(game.read(move["move"]), move.get("stands", False)) for move in moves]
    return referee.open(game.id, schemas.load(schemas.of(game).setup, record["setup"]), tries)


def recorded_table(ledger: Ledger, name: str, number: int | None = None) -> NewTable:
    """The same on a ledger."""
    return opened(Referee(ledger), name, number)
