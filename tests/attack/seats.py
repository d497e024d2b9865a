"""A seat tries to fill its table: it rolls and confirms until it is refused; the host can still mend the table.

No limit on requests applies here, and at this table a seat has almost no room left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Final

from service.referee.plans import MAX_ENTRIES, MAX_NOTES
from service.storage.ledger import Ledger
from service.tables.codec import encode
from service.tables.entries import Disputed
from service.tables.keys import HOST
from tests.attack.arena import Answer, Arena, Row, Target
from tests.attack.pages import store
from tests.support.api import OpenTable
from tests.support.long_tables import BEGINNING

SPARE: Final = 40
"""Entries that a seat may still write at first."""
MAX_REFUSALS: Final = 60
"""Refusals in a row after which a seat gives up."""
MOST: Final = 8_000
"""Requests of a seat, at most."""
DICE: Final = {"for": "dice", "dice": 6}


class Seat:
    """The holder of a key of a table, who knows its version."""

    def __init__(self, target: Target, table: OpenTable, key: str, version: int) -> None:
        self.target, self.table, self.key, self.version = target, table, key, version

    def send(self, path: str, body: Any) -> Answer:
        """Send a change for the current version."""
        headers = {"Authorization": f"Bearer {self.key}", "If-Match": f'"{self.version}"'}
        answer = self.target.send("POST", f"{self.table.path}/{path}", body, **headers)
        if answer.status == 201:
            self.version = int(answer.headers["etag"].strip('"'))
        return answer

    def fill(self, *changes: Callable[[int], tuple[str, Any]]) -> int:
        """Make changes in turn until `MAX_REFUSALS` in a row are refused; returns the number accepted."""
        taken = refusals = 0
        for number in range(MOST):
            before = self.version
            self.send(*changes[number % len(changes)](number))
            grown = self.version > before
            taken, refusals = taken + grown, 0 if grown else refusals + 1
            if refusals == MAX_REFUSALS:
                break
        return taken


def roll(_: int) -> tuple[str, Any]:
    """A roll of dice."""
    return "rolls", DICE


def confirm(number: int) -> tuple[str, Any]:
    """A confirmation of one remedy and then the other, each twice."""
    return "disputes/1/confirmation", {"remedy": ("stands", "go_back")[number // 4 % 2]}


def table_with_disputes(target: Target, ledger: Ledger, by: str, version: int) -> OpenTable:
    """Open a table with a move, and fill its log up to a version with disputes about it, all raised by `by`."""
    made = target.send("POST", "/api/v1/tables", {"game": "villefranche", "moves": ["r b1c1"]}).json
    table = OpenTable(made["id"], made["keys"]["host"], made["keys"]["seats"], made["keys"]["watch"])
    raised = encode(Disputed(0, BEGINNING, by, 2, "r b1c1", "?", rules_version="2"))
    ledger.append(table.id, 2, "raised", [raised] * (version - 2), "")
    return table


def fill_by_seat(target: Target, ledger: Ledger) -> Iterator[Row]:
    """A seat that has written much reaches its limit long before the log is full, and can still play."""
    version = MAX_NOTES - SPARE + 2
    table = table_with_disputes(target, ledger, "white", version)
    white = Seat(target, table, table.seats["white"], version)
    taken = version - 2 + white.fill(roll, confirm)
    played = white.send("moves", {"move": "r b9c9"})
    told = f"{taken} entries, a move is answered {played.status}"
    claim = "a seat that rolls and confirms without end writes 1,000 entries, and can then play"
    yield Row(claim, told, taken == MAX_NOTES and played.status == 201)


def fill_by_host(target: Target, ledger: Ledger) -> Iterator[Row]:
    """A seat reaches its limit in an almost full log; then the host fills the rest, and mends the table."""
    last = MAX_ENTRIES * 9 // 10
    table = table_with_disputes(target, ledger, HOST, last - SPARE)
    seat = Seat(target, table, table.seats["white"], last - SPARE)
    seat.fill(roll, confirm)
    claim = "seats end a tenth before a log does"
    yield Row(claim, f"the log has {seat.version} entries of {MAX_ENTRIES}", seat.version == last)
    host = Seat(target, table, table.host, seat.version)
    rolls = host.fill(roll)
    move = host.send("moves", {"move": "r b9c9"})
    told = f"{rolls} rolls of the host, then a move is answered {move.status}"
    full = host.version == MAX_ENTRIES and move.status == 409
    yield Row("rolls end a table where nothing is kept from whoever rolls", told, full, control=True)
    undo, settled = host.send("rewind", {"to": 1}), host.send("disputes/1/settlement", {"remedy": "no_change"})
    seen = target.send("GET", table.path, Authorization=f"Bearer {table.watch}")
    gone = target.send("DELETE", table.path, Authorization=f"Bearer {table.host}")
    found = [each.status for each in (undo, settled, seen, gone)]
    claim = "a full table is undone, settled, read and deleted"
    yield Row(claim, f"answered {', '.join(map(str, found))}", found == [201, 201, 200, 204])


def attack(arena: Arena) -> Iterator[Row]:
    """Fill a table by a seat, and another by a seat and its host."""
    with ExitStack() as opened:
        redis = opened.enter_context(store())
        ledger = Ledger(redis.url)
        opened.callback(ledger.close)
        with arena.serve(REDIS_URL=redis.url, BASTIDE_LIMITS="off") as target, target.pulse() as pulse:
            yield from fill_by_seat(target, ledger)
            yield from fill_by_host(target, ledger)
        yield Row("meanwhile the service was there", str(pulse), pulse.holds)
