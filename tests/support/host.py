"""A host at a table, who calls the referee without the API."""

from __future__ import annotations

from typing import Any

import rules
from rules.game import Game
from service.judgements import AttemptedMove
from service.referee.repository import ChangeRequest, WriteOutcome
from service.referee.use_cases import NewTable, Referee
from service.schemas import load, of
from service.tables.table import Table

GAME: Game[Any, Any] = rules.GAMES["villefranche"]


def tries(*notations: str, stands: bool = False) -> tuple[AttemptedMove, ...]:
    return tuple(AttemptedMove(GAME.read(notation), stands) for notation in notations)


def open_table(referee: Referee, *moves: str, **readings: str) -> NewTable:
    return referee.open(GAME.id, load(of(GAME).setup, {"readings": readings}), tries(*moves))


class Host:
    """Plays at a table with the host's key."""

    def __init__(self, referee: Referee, opened: NewTable) -> None:
        self.referee = referee
        self.id = opened.table.id
        self.key = opened.keys.host

    def now(self) -> Table:
        return self.referee.table(self.id, self.key)[0]

    def play(
        self, *notations: str, version: int, key: str | None = None, name: str | None = None, **marks: Any
    ) -> WriteOutcome:
        moves = tries(*notations, **marks)
        return self.referee.play(ChangeRequest(self.id, key or self.key, version, name), moves)

    def rewind(self, to: int, version: int, key: str | None = None, name: str | None = None) -> WriteOutcome:
        return self.referee.rewind(ChangeRequest(self.id, key or self.key, version, name), to)
