"""A whole game of each kind, played over HTTP on a cluster while its primary is killed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from threading import Barrier
from typing import Any, Final

from rules import GAMES
from rules.ranking import totals
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from service.tables.table import Table
from tests.chaos.cluster import ClusterServers, Node
from tests.chaos.load import Verdict
from tests.chaos.storm import Player, Storm
from tests.support.records import RECORD_PATHS, record_of, said_of
from tests.support.redis_server import LONGEST
from tests.support.service_process import ServiceProcess

KILLS: Final = 2
ONE_OF_EACH: Final = tuple({path.parent.name: path for path in RECORD_PATHS}.values())
"""A recorded game of each game."""


class RecordedPlayer(Player):
    """Plays a recorded game, alone at its table; waits for the other players after each third of it."""

    def __init__(self, storm: Storm, path: str, key: str, record: Path, gate: Barrier) -> None:
        said = record_of(record)
        self.record, self.key = record, key
        self._game = GAMES[said["game"]]
        self._moves: list[Any] = said["moves"]
        self._gate = gate
        self._gates = {len(self._moves) * part // (KILLS + 1) for part in range(1, KILLS + 1)}
        super().__init__(storm, path, key, len(self._moves))

    def change(self, number: int) -> tuple[str, str, Any]:
        """See `Player.change`."""
        if number in self._gates:
            self._gates.remove(number)
            self._gate.wait(LONGEST)
        entry = self._moves[number]
        asked = {"move": entry} if isinstance(entry, str) else entry
        return self._game.write(self._game.read(asked["move"])), "moves", asked

    def as_recorded(self, table: Table) -> bool:
        """Whether a table has the recorded end and totals."""
        end = said_of(self.record)["end"]
        ended = self._game.due(table.state).ended
        return (ended.rule if ended else None, totals(self._game, table.state)) == (end["ended"], end["totals"])


def play_all(cluster: ClusterServers, served: ServiceProcess) -> tuple[Storm, Verdict, list[bool]]:
    """Play a game of each kind, all at tables of one primary, which is killed after each third while they go on.

    Returns the storm, the verdict on the logs, and for each game whether it came to the recorded end.
    """
    gate, storm, victim = Barrier(len(ONE_OF_EACH) + 1), Storm(served.port), cluster.primaries()[0]
    games = []
    for record in ONE_OF_EACH:
        path, key = open_on(victim, cluster, served, record)
        games.append(RecordedPlayer(storm, path, key, record, gate))
    storm.players.extend(games)
    storm.start()
    for _ in range(KILLS):
        gate.wait(LONGEST)
        cluster.lose(cluster.primary_of(games[0].table), "kill")
        cluster.until_whole()
    storm.join()
    with closing(Ledger(cluster.url)) as ledger:
        referee = Referee(ledger)
        ends = [each.as_recorded(referee.table(each.table, each.key)[0]) for each in games]
    return storm, storm.verdict(cluster.read), ends


def open_on(node: Node, cluster: ClusterServers, served: ServiceProcess, record: Path) -> tuple[str, str]:
    """Open a table for a recorded game on a given node; returns its address and the host's key."""
    said = record_of(record)
    while True:
        status, table = served.ask("POST", "/api/v1/tables", {"game": said["game"], "setup": said["setup"]})
        assert status == 201, table
        if cluster.primary_of(table["id"]) is node:
            return f"/api/v1/tables/{table['id']}", table["keys"]["host"]
