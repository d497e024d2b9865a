"""Floods of requests outside the limits: early refusals, and files. A bound admits some, and turns the rest away.

One address requests missing pages, many in a row without waiting for answers, until it reaches its bound. During the
flood, each other kind of request from there is let in or turned away. Another address gets its answers.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

from tests.attack.arena import PATIENCE, Arena, Request, Row, Target, statuses

CLIENTS: Final = 6
ROW: Final = 500
"""Requests that a client sends in a row, on one connection."""
ROWS: Final = 40
"""Rows of a client, at most."""
REQUEST_COUNT: Final = 30
"""Requests of each kind beside the flood."""
ATTACKER: Final = "127.0.0.20"
OTHER: Final = "127.0.0.21"
LONGER: Final = {"X-Long": "x" * 9_000}
"""A header that is longer than gunicorn takes."""
LONG: Final = {f"X-Long-{number}": "x" * 5_000 for number in range(4)}
FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}
NOTHING: Final = b"GET /api/v1/nothing HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
"""A request for a missing page."""
FAULTS: Final[Mapping[str, tuple[int, Request]]] = {
    "400, a foreign host": (400, Request("GET", "/", None, {"Host": "evil.example"})),
    "403, a form of another site": (403, Request("POST", "/", b"a=1", {"Origin": "http://evil.example", **FORM})),
    "403, an Origin that cannot be read": (403, Request("POST", "/", b"a=1", {"Origin": "http://[", **FORM})),
    "404, no such page": (404, Request("GET", "/nothing")),
    "405, another method": (405, Request("POST", "/api/v1/games", b"{}", {"Content-Type": "application/json"})),
    "431, a long head": (431, Request("GET", "/", None, LONG)),
    "431, a field that gunicorn refuses": (431, Request("GET", "/", None, LONGER)),
    "a portrait": (200, Request("GET", "/assets/games/fief.svg")),
    "the inks": (200, Request("GET", "/assets/inks.css")),
}


class Flood:
    """Clients of one address that request missing pages, in rows."""

    def __init__(self, target: Target) -> None:
        self.full, self.over = threading.Event(), threading.Event()
        """Set when one is turned away; set to end the flood."""
        self._target = target
        self.clients = [threading.Thread(target=self._ask) for _ in range(CLIENTS)]
        for client in self.clients:
            client.start()

    def _ask(self) -> None:
        row = NOTHING % b"" * (ROW - 1) + NOTHING % b"Connection: close\r\n"
        for _ in range(ROWS):
            if self.over.is_set():
                return
            with suppress(OSError), self._connect() as client:
                client.sendall(row)
                while not self.over.is_set() and (part := client.recv(65_536)):
                    if b"HTTP/1.1 429" in part:
                        self.full.set()

    def _connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self._target.port), PATIENCE, source_address=(ATTACKER, 0))


@contextmanager
def flooding(target: Target) -> Iterator[bool]:
    """Flood during the ``with``, which begins at the first 429 or the last answer; yields whether there was a 429."""
    flood = Flood(target)
    try:
        while not flood.full.wait(0.1) and any(client.is_alive() for client in flood.clients):
            pass
        yield flood.full.is_set()
    finally:
        flood.over.set()
        for client in flood.clients:
            client.join()


def attack(arena: Arena) -> Iterator[Row]:
    """Send every kind of request beside the flood; and one kind where nothing is limited."""
    with arena.serve() as target, target.pulse() as pulse, flooding(target) as full:
        rows = [beside(target, name, *fault) for name, fault in FAULTS.items()]
    yield Row("404, in rows, from one address", f"turned away: {full}; {pulse}", full and pulse.holds)
    yield from rows
    with arena.serve(BASTIDE_LIMITS="off") as target, flooding(target) as full:
        name, fault = next(iter(FAULTS.items()))
        free = beside(target, name, *fault)
    told = f"turned away: {full}; {free.measurement}"
    yield Row("404, in rows: without limits all come in", told, not full and free.holds, control=True)


def beside(target: Target, name: str, status: int, asked: Request) -> Row:
    """The answers to a kind of request from the address of the flood, and from another."""
    answers = [target.ask(asked, ATTACKER) for _ in range(REQUEST_COUNT)]
    others = [target.ask(asked, OTHER) for _ in range(5)]
    # A slow flood may leave room under its bound; `tests/service/test_gate.py` counts exactly.
    held = all(answer.status in (429, status) for answer in answers)
    told = f"{statuses(answers)} from there, {statuses(others)} from elsewhere"
    return Row(name, told, held and all(answer.status == status for answer in others))
