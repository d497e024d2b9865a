"""After any changes to a table, in any order, no request fails, and all workers have the same table."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

import orjson
import pytest
from werkzeug.test import TestResponse

from service import schemas
from service.http.current import REFEREE
from service.referee import fold
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from service.tables import codec
from service.tables.entries import MISFIT_POLICIES
from service.tables.table import Table
from tests.rules.play import EVERY_GAME, SEARCH, SEED, AnyGame, some_game
from tests.support.api import V1, Api

ACTS = 200 if SEARCH else 8
"""The number of requests to a table."""
STATUSES = {200, 201, 403, 404, 409, 422}
PAGES = ("", "/log?limit=500", "/score", "/readings")


class Players:
    """The host and players of a table, who send random requests, most of them possible."""

    def __init__(self, api: Api, game: AnyGame, chance: Random) -> None:
        played = some_game(game, chance)
        self.api, self.game, self.chance = api, game, chance
        self.states = [state for state, _ in played.steps[:30]]
        self.moves = [game.write(move) for _, move in played.steps[:-1]]
        opening = {"game": game.id, "setup": self.plain(played.form), "moves": self.moves[:6]}
        made: Any = api.post(f"{V1}/tables", opening).json
        self.path, self.id = f"{V1}/tables/{made['id']}", made["id"]
        self.keys = {"host": made["keys"]["host"], **made["keys"]["seats"]}
        self.acts: list[Callable[[Table], tuple[str, str, Any]]] = [
            self.play,
            self.rewind,
            self.read,
            self.enter,
            self.dispute,
            self.settle,
            self.amend,
        ]

    def now(self) -> Table:
        """The table in the API worker's cache."""
        referee: Referee = self.api.app.extensions[REFEREE]
        return referee.table(self.id, self.keys["host"])[0]

    def act(self, table: Table, number: int) -> Callable[[], TestResponse]:
        """A random request, which can be sent repeatedly."""
        method, path, body = self.chance.choice(self.acts)(table)
        seated = path.endswith("confirmation") or self.chance.random() < 0.2
        key = self.keys[self.chance.choice(list(self.keys)[seated:])] if seated else self.keys["host"]
        options: dict[str, Any] = {"key": key, "version": table.version, "idempotency_key": str(number)}
        return lambda: self.api.send(method, f"{self.path}/{path}", body, **options)

    # --- method, address and body ---

    def play(self, table: Table) -> tuple[str, str, Any]:
        """A move: legal, or from another moment of the game."""
        return "POST", "moves", self.move(table)

    def rewind(self, table: Table) -> tuple[str, str, Any]:
        """Undo, redo, or a rewind to any version."""
        ways = [to for to in (table.undo_to, table.redo_to) if to is not None] * 3
        return "POST", "rewind", {"to": self.chance.choice([*ways, self.chance.randint(1, table.version)])}

    def read(self, _table: Table) -> tuple[str, str, Any]:
        """A value of a reading."""
        reading = self.chance.choice(self.game.readings)
        return "PUT", "readings", {"readings": {reading.key: self.chance.choice(reading.values)}}

    def enter(self, _table: Table) -> tuple[str, str, Any]:
        """A position from another moment of the game."""
        return "PUT", "position", {"position": self.position()}

    def dispute(self, table: Table) -> tuple[str, str, Any]:
        """A dispute about an entry, or about a move that was not played."""
        about = {"entry": self.entry(table)} if self.chance.random() < 0.7 else {"move": self.move(table)["move"]}
        return "POST", "disputes", {"about": about, "question": "Is that so?"}

    def settle(self, table: Table) -> tuple[str, str, Any]:
        """The settlement of a recent dispute, or a seat's confirmation."""
        number = self.chance.randint(max(1, len(table.disputes) - 1), max(1, len(table.disputes)))
        told: Any = self.api.get(f"{self.path}/disputes/{number}", key=self.keys["host"]).json
        remedy = self.chance.choice([each["remedy"] for each in told.get("remedies", ())] or ["stands"])
        if self.chance.random() < 0.3:
            return "POST", f"disputes/{number}/confirmation", {"remedy": remedy}
        by_hand = {"position": self.position()} if remedy == "adjust" else {}
        return "POST", f"disputes/{number}/settlement", {"remedy": remedy, "text": "So be it.", **by_hand}

    def amend(self, table: Table) -> tuple[str, str, Any]:
        """Insert late moves, replace a move, or delete one."""
        late, at = [self.move(table) for _ in range(self.chance.randint(1, 3))], self.entry(table)
        ways: tuple[Any, ...] = (
            {"insert": {"after": at, "moves": late}},
            {"replace": {"entry": at, "move": late[0]}},
            {"delete": {"entry": at}},
        )
        return "POST", "amend", {**self.chance.choice(ways), "misfits": self.chance.choice(MISFIT_POLICIES)}

    # --- moves, entries and positions ---

    def move(self, table: Table) -> dict[str, Any]:
        """A move, usually legal."""
        legal = list(islice(self.game.moves(table.state), 40))
        of_now = legal and self.chance.random() < 0.8
        move = self.game.write(self.chance.choice(legal)) if of_now else self.chance.choice(self.moves)
        return {"move": move, "stands": self.chance.random() < 0.4}

    def entry(self, table: Table) -> int:
        """An entry, usually one in play."""
        return self.chance.choice((*table.line[-5:], self.chance.randint(1, table.version + 1)))

    def position(self) -> Any:
        """A position from the game."""
        return self.plain(self.game.position(self.chance.choice(self.states)))

    @staticmethod
    def plain(form: Any) -> Any:
        """A form of a game as JSON."""
        return orjson.loads(orjson.dumps(schemas.plain(form)))


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_whatever_is_decided_every_worker_has_the_same_table(game: AnyGame, api: Api, ledger: Ledger) -> None:
    """The log only grows, a repeated request gets the same response, and undo and redo change the line. A worker that
    folds the log has the same table; without the last entry, the control, it does not.
    """
    players, written = Players(api, game, Random(f"{SEED} {game.id}")), 0
    for number in range(ACTS):
        before, log = players.now(), ledger.read(players.id)
        send = players.act(before, number)
        answer, now = send(), players.now()
        assert answer.status_code in STATUSES, answer.json
        assert ledger.read(players.id)[: len(log)] == log
        if now.version == before.version:
            assert now == before
            continue
        again, written = send(), written + 1
        assert (again.status_code, again.get_data()) == (answer.status_code, answer.get_data())
        assert players.now() == now
        log = [(each.number, codec.encode(each)) for each in now.entries]
        assert ledger.read(players.id) == log
        assert fold.fold(players.id, log, now.lifetime) == now != fold.fold(players.id, log[:-1], now.lifetime)
        ways = [to for to in (now.undo_to, now.redo_to) if to is not None]
        assert all(now.crossed_decision(to) or now.line_at(to) not in (None, now.line) for to in ways), ways
        disputes = [f"/disputes/{len(now.disputes)}"] if now.disputes else []
        for page in (*PAGES, *disputes):
            assert api.get(players.path + page, key=players.keys["host"]).status_code == 200, page
    assert written
