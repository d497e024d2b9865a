"""Tables of recorded games, opened without a browser or the API."""

from __future__ import annotations

import json

from rules import GAMES
from service import wire
from service.judgements import Try
from service.ledger import Ledger
from service.referee import NewTable, Referee
from tests.rules.play import FOLDER


def recorded_table(ledger: Ledger, name: str, number: int | None = None) -> NewTable:
    """The table of a recorded game, after so many of its moves or all."""
    record = json.loads((FOLDER / f"{name}.json").read_text())
    game = GAMES[record["game"]]
    moves = [move if isinstance(move, dict) else {"move": move} for move in record["moves"][:number]]
    tries = [Try(game.read(move["move"]), move.get("stands", False)) for move in moves]
    return Referee(ledger).open(game.id, wire.load(wire.of(game).setup, record["setup"]), tries)
