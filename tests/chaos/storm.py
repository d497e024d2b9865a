"""Players who change tables over HTTP and repeat each change until it is acknowledged, and a read-back of the logs.

A change has one key for all its tries, as a client should do it. In a control it has none: there a player whose answer
is lost makes the change twice.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, cycle, islice
from typing import Any, Final, Self

from tests.chaos.load import ReadBack, Verdict
from tests.support.redis_server import LONGEST
from tests.support.service_process import ServiceProcess

PAUSE: Final = 0.05
"""Seconds between two tries."""
RAMPARTS: Final = tuple(f"r {one}1{other}1" for one, other in ("bc", "cd", "de", "ef", "fg"))
"""Moves that may be the first of a game of Villefranche."""
BACK: Final = "back"
PROMISED_STATUSES: Final = {201, 412, 503}
"""The statuses that answer a legal change: done, too late, and not now."""


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """A change that was acknowledged."""

    number: int
    """The number of its entry."""
    what: str
    send_time: float
    """When it was sent first, and …"""
    answer_time: float
    """… when its acknowledgement came, on one clock, in seconds."""
    tries: tuple[tuple[int, float], ...]
    """The status of each try, 0 where there was no answer, and how many seconds it took."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer; its status is 0 if nothing came, or only a part."""

    status: int
    headers: Any = None
    body: Any = None


class Caller:
    """A client of a port of loopback. It reuses its connection until that breaks."""

    def __init__(self, port: int, patience: float) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request once."""
        content = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, path, content, {"Content-Type": "application/json"} | headers)
            response = self._connection.getresponse()
            text = response.read()
            return Answer(response.status, response.headers, json.loads(text) if text else None)
        except (OSError, http.client.HTTPException):
            self._connection.close()
            return Answer(0)

    def close(self) -> None:
        self._connection.close()


class Player(threading.Thread):
    """Changes a table that others change too: a rampart is placed, taken back, and so on."""

    def __init__(self, storm: Storm, path: str, key: str, changes: int) -> None:
        super().__init__(daemon=True)
        self.path = path
        self.table = path.rpartition("/")[2]
        self.acknowledgements: list[Acknowledgement] = []
        self.version = 1
        self.key = key
        self._storm, self._changes = storm, changes
        self._caller = Caller(storm.port, storm.patience)

    def run(self) -> None:
        try:
            for number in range(self._changes):
                told = self._until_told(number)
                if told is None:
                    break
                self.acknowledgements.append(told)
                self._storm.count_acknowledgement()
        finally:
            self._caller.close()
            self._storm.count_end()

    def change(self, number: int) -> tuple[str, str, Any]:
        """The next change on top of the known version: its name, its operation, and its body."""
        if self.version % 2 == 0:  # a rampart stands there at every even version
            return BACK, "rewind", {"to": 1}
        rampart = RAMPARTS[number % len(RAMPARTS)]
        return rampart, "moves", {"move": rampart}

    def _until_told(self, number: int) -> Acknowledgement | None:
        """Repeat a change until it is acknowledged; None after `LONGEST` seconds."""
        headers = {"Authorization": f"Bearer {self.key}"}
        if self._storm.sends_keys:
            headers["Idempotency-Key"] = f"{self.name} {number}".replace(" ", ":")
        sent, tries = time.monotonic(), []
        while (began := time.monotonic()) < sent + LONGEST:
            what, operation, body = self.change(number)
            headers["If-Match"] = f'"{self.version}"'
            answer = self._caller.ask("POST", f"{self.path}/{operation}", body, **headers)
            tries.append((answer.status, round(time.monotonic() - began, 3)))
            self._storm.note(answer)
            if answer.status in {201, 412}:  # done, or somebody was faster
                self.version = answer.body["version"]
            if answer.status == 201:
                made = answer.body["entries"][0]["version"]
                return Acknowledgement(made, what, sent, time.monotonic(), tuple(tries))
            if answer.status != 412:
                self._storm.pause.wait(PAUSE)
        return None


class Storm:
    """Players at a port of loopback.

    Their requests have keys if it `sends_keys`. `patience`: seconds that they wait for an answer.
    """

    def __init__(self, port: int, *, sends_keys: bool = True, patience: float = 10) -> None:
        self.port, self.sends_keys, self.patience = port, sends_keys, patience
        self.pause = threading.Event()
        self.statuses: Counter[int] = Counter()
        self.unpromised_answers: list[Answer] = []
        """Answers other than those promised: done, too late, and "not now" with a ``Retry-After``."""
        self.players: list[Player] = []
        self._acknowledged = self._ended = 0
        self._counted = threading.Condition()

    def crowd(self, served: ServiceProcess, *, tables: int, players: int, changes: int) -> Self:
        """Open tables and let players share them, each with so many changes."""
        opened = [served.table() for _ in range(tables)]
        for path, keys in islice(cycle(opened), players):
            self.players.append(Player(self, path, keys["host"], changes))
        return self

    def start(self) -> Self:
        for player in self.players:
            player.start()
        return self

    def count_acknowledgement(self) -> None:
        with self._counted:
            self._acknowledged += 1
            self._counted.notify_all()

    def count_end(self) -> None:
        with self._counted:
            self._ended += 1
            self._counted.notify_all()

    def note(self, answer: Answer) -> None:
        with self._counted:
            self.statuses[answer.status] += 1
        hinted = answer.status != 503 or "Retry-After" in answer.headers
        if answer.status and (answer.status not in PROMISED_STATUSES or not hinted):
            self.unpromised_answers.append(answer)

    def until(self, aim: int) -> None:
        """Return once `aim` changes were acknowledged, or all players have ended."""
        with self._counted:
            self._counted.wait_for(lambda: self._acknowledged >= aim or self._ended == len(self.players))

    def join(self) -> None:
        """Return once all players have ended."""
        for player in self.players:
            player.join()

    def slowest(self) -> Acknowledgement:
        """The change that waited longest."""
        return max(self.find_acknowledgements(), key=lambda told: told.answer_time - told.send_time)

    def verdict(self, read: ReadBack) -> Verdict:
        """Compare the logs with the acknowledgements; an entry without one counts as doubled."""
        lost = doubled = gaps = disorder = 0
        for table in {player.table for player in self.players}:
            told = self.find_acknowledgements(table)
            log = {number: _word(payload) for number, payload in read(table).items()}
            named = Counter(each.number for each in told)
            lost += sum(log.get(each.number) != each.what for each in told)
            doubled += named.total() - len(named) + len(set(log) - set(named) - {1})
            gaps += max(log, default=0) - len(log)
            disorder += count_misplaced(told)
        waits = sorted(each.answer_time - each.send_time for each in self.find_acknowledgements())
        return Verdict(len(waits), lost, doubled, gaps, waits[-1], disorder, waits[len(waits) * 99 // 100])

    def find_acknowledgements(self, table: str = "") -> list[Acknowledgement]:
        """The acknowledgements at a table, or at all tables."""
        return [told for player in self.players if table in {"", player.table} for told in player.acknowledgements]


def count_misplaced(told: Sequence[Acknowledgement]) -> int:
    """The number of entries numbered below one that was acknowledged before they were requested."""
    heard = sorted((each.answer_time, each.number) for each in told)
    highest = list(accumulate((number for _, number in heard), max))
    count = before = 0
    for each in sorted(told, key=lambda each: each.send_time):
        while before < len(heard) and heard[before][0] < each.send_time:
            before += 1
        count += before > 0 and highest[before - 1] > each.number
    return count


def _word(payload: bytes) -> str:
    """The change that an entry of a log made."""
    entry = json.loads(payload)
    return str(entry.get("move", BACK))
