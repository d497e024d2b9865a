"""Filling Redis: one address opens the largest tables and writes into them, as fast as the limits on requests admit.

An allowance limits the bytes that it may add to Redis in a day. To save that day, the attacker writes for some
seconds; then the attack sets its count, in the Redis of the service, as a day would. A Redis with little memory shows
what becomes of the existing tables.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Final

from service.limits.rate_limits import ALLOWANCES, Measure
from service.storage.connections import Server
from service.storage.private_redis.supervisor import PrivateRedis
from service.storage.redis_check import FULL
from tests.attack.arena import Answer, Arena, Request, Row, Target
from tests.support.records import longest_of, record_of

[BYTES] = [each for each in ALLOWANCES if each.measure is Measure.BYTES]
DAY: Final = 24 * 3600
TABLES: Final = 10
"""Tables that an address may open in a minute."""
SECONDS: Final = 15.0
MEGABYTE: Final = 1_000_000
HARM: Final = 100
"""Megabytes a day that the limits on requests alone admit, at least."""
LITTLE: Final = 16
"""Megabytes of the smallest Redis that can be set."""
MAX_TABLES: Final = 600
"""More tables than that Redis can hold."""
LONG: Final = "k" * 240
"""The beginning of the longest idempotency keys: Redis stores them."""

JSON: Final = {"Content-Type": "application/json"}
SMALL: Final = Request("POST", "/api/v1/tables", json.dumps({"game": "villefranche"}).encode(), JSON)
"""Opens a small table."""


@dataclass
class Store:
    """The private Redis of a service, seen from outside."""

    server: Server

    def ask(self, *command: str | int) -> Any:
        """The answer to a command."""
        return self.server.ask(command)[0]

    def table_bytes(self) -> int:
        """The bytes of all tables."""
        return sum(self.ask("MEMORY", "USAGE", key.decode(), "SAMPLES", 0) for key in self.ask("KEYS", "{t:*"))

    def memory_figure(self, name: str = "used_memory") -> int:
        """A figure of Redis's ``INFO``."""
        told = dict(line.split(":", 1) for line in self.ask("INFO").decode().splitlines() if ":" in line)
        return int(told[name])

    def counter(self) -> str:
        """The key of the one address's count of written bytes."""
        [key] = self.ask("KEYS", f"{{l:*:{Measure.BYTES}:{BYTES.seconds}")
        return str(key.decode())

    def charged_bytes(self) -> float:
        """The bytes that still count against the address."""
        seconds, _ = self.ask("TIME")
        return (float(self.ask("HGET", self.counter(), "off")) / 1000 - int(seconds)) * BYTES.most / BYTES.seconds

    def age(self, counted: int) -> None:
        """Set the address's count to so many bytes, as a day of writing would."""
        seconds, _ = self.ask("TIME")
        self.ask("HSET", self.counter(), "off", str(1000 * (int(seconds) + counted * BYTES.seconds / BYTES.most)))


@dataclass
class Writer:
    """Opens the largest tables, and undoes and redoes a move in the last one."""

    target: Target
    table_count: int = 0
    path: str = ""
    key: str = ""
    last: int = 0
    version: int = 0

    def open(self) -> Answer:
        """Open a table with a whole game."""
        record = record_of(longest_of("fief"))
        answer = self.target.send("POST", "/api/v1/tables", {key: record[key] for key in ("game", "setup", "moves")})
        if answer.status == 201:
            self.table_count += 1
            made = answer.json
            self.path, self.key = f"/api/v1/tables/{made['id']}", made["keys"]["host"]
            self.last = self.version = made["version"]
        return answer

    def write(self, to: int) -> Answer:
        """Undo or redo at the table opened last."""
        named = {"Authorization": f"Bearer {self.key}", "If-Match": f'"{self.version}"'}
        name = f"{LONG}{self.version:015}"
        answer = self.target.send("POST", f"{self.path}/rewind", {"to": to}, Idempotency_Key=name, **named)
        self.version += answer.status == 201
        return answer

    def go_on(self, seconds: float) -> list[Answer]:
        """Undo and redo in turn for so many seconds; returns all answers."""
        answers, end = [], time.monotonic() + seconds
        for back in cycle((1, 0)):
            while time.monotonic() < end and (answer := self.write(self.last - back)).status == 429:
                answers.append(answer)
                time.sleep(0.05)
            if time.monotonic() >= end:
                return answers
            answers.append(answer)
        raise AssertionError


def store_of(target: Target) -> Store:
    """The private Redis of a service."""
    return Store(Server(PrivateRedis(target.folder).url, patience=10))


def attack(arena: Arena) -> Iterator[Row]:
    """Fill Redis from one address: for a day, and until it is full."""
    yield from _for_a_day(arena)
    yield from _until_it_is_full(arena)


def _for_a_day(arena: Arena) -> Iterator[Row]:
    with arena.serve() as target, closing((store := store_of(target)).server), target.pulse() as pulse:
        writer = Writer(target)
        for _ in range(TABLES):
            writer.open()
        opening = store.table_bytes()
        began = time.monotonic()
        writer.go_on(SECONDS)
        rate = (store.table_bytes() - opening) / (time.monotonic() - began)
        daily = (rate * DAY + 200 * opening / max(1, writer.table_count)) / MEGABYTE
        yield Row(
            f"what the limits on requests alone would let one address write is more than {HARM} MB a day",
            f"{writer.table_count} tables of {opening // max(1, writer.table_count) // 1000} kB, "
            f"then {rate / 1000:.1f} kB a second: {daily:.0f} MB a day",
            daily > HARM,
            control=True,
        )
        target.send("GET", "/api/v1/games")
        kept, counted = store.table_bytes(), store.charged_bytes()
        yield Row(
            "all that Redis keeps of it is counted, and not twice as much",
            f"{kept / 1000:.0f} kB kept, {counted / 1000:.0f} kB counted",
            0.95 * kept <= counted <= 2 * kept,
        )
        store.age(BYTES.most)
        before = store.table_bytes()
        answers = writer.go_on(SECONDS)
        grown = store.table_bytes() - before
        most = SECONDS * BYTES.most / BYTES.seconds + 10_000
        refused = [answer for answer in answers if answer.status == 429 and b"too-much-kept" in answer.body]
        yield Row(
            f"after {BYTES.most / MEGABYTE:.0f} MB it writes no more than {BYTES.most / MEGABYTE:.0f} MB a day",
            f"{grown / 1000:.1f} kB in {SECONDS:.0f} s (at most {most / 1000:.1f}); {len(refused)} requests refused, "
            f"Retry-After {refused[0].headers.get('retry-after', 'missing') if refused else '-'}",
            bool(refused) and grown <= most,
        )
        elsewhere = target.ask(SMALL, source="127.0.0.7")
        yield Row("another address opens a table", f"{elsewhere.status}", elsewhere.status == 201)
    yield Row("everybody else is served meanwhile", str(pulse), pulse.holds)


def _until_it_is_full(arena: Arena) -> Iterator[Row]:
    settings = {"BASTIDE_MEMORY_MB": str(LITTLE), "BASTIDE_LIMITS": "off"}
    with arena.serve(**settings) as target, closing((store := store_of(target)).server):
        player, writer = Writer(target), Writer(target)
        player.open()
        answer = writer.open()
        while answer.status == 201 and writer.table_count < MAX_TABLES:
            answer = writer.open()
        part = store.memory_figure() / (LITTLE * 2**20)
        yield Row(
            f"at {FULL} % of its memory Redis takes no new table",
            f"{writer.table_count} tables, then {answer.status} at {part:.0%}, Retry-After "
            f"{answer.headers.get('retry-after', 'missing')}",
            answer.status == 503 and b"store-full" in answer.body and FULL / 100 - 0.02 <= part < 0.9,
        )
        moves = [player.write(player.last - 1).status, player.write(player.last).status]
        dropped = store.memory_figure("evicted_keys")
        yield Row(
            "a running table takes entries", f"{moves}, {dropped} tables dropped", moves == [201, 201] and not dropped
        )
        store.ask("CONFIG", "SET", "maxmemory", 0)
        more = [writer.open().status for _ in range(60)]
        part = store.memory_figure() / (LITTLE * 2**20)
        yield Row(
            "a Redis without an end of its memory goes on taking tables",
            f"{more.count(201)} more: {part:.0%} of what it had",
            more.count(201) == len(more),
            control=True,
        )
