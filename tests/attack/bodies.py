"""Large bodies of refused requests: they take no memory, and no ``100 Continue`` asks for them.

Each connection sends the head of a request and all but the last byte of its body. A body that is read stays in memory
while the service waits for the rest; the body of a refused request is discarded.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

from tests.attack.arena import PATIENCE, Arena, Row, Target

COUNT: Final = 300
"""Connections: fewer than one address may have."""
LONG: Final = 256 * 1024
"""Bytes of the longest body that any operation takes."""
MEGABYTE: Final = 1_000_000
MAX_GROWTH: Final = 25
"""Megabytes: a connection itself takes some kilobytes, and its buffers take some more."""
HARM: Final = 50
"""Megabytes that it takes, at least, to read every body."""
CONTINUE: Final = b"100"


def head(path: str, *fields: str, length: int = LONG) -> bytes:
    """The head of a request with a body of `length` bytes."""
    fields = ("Host: localhost", "Content-Type: application/json", f"Content-Length: {length}", *fields)
    return "\r\n".join((f"POST {path} HTTP/1.1", *fields, "", "")).encode()


class Holders:
    """Connections, each with a request whose last byte does not come."""

    def __init__(self, target: Target, request: bytes, opened: ExitStack) -> None:
        self.before = target.memory()
        self.peak = 0
        self._target = target
        self._sockets = [self._hold(request, opened) for _ in range(COUNT)]

    def _hold(self, request: bytes, opened: ExitStack) -> socket.socket:
        held = opened.enter_context(socket.create_connection(("127.0.0.1", self._target.port), timeout=PATIENCE))
        with suppress(OSError):  # a refused client may find the connection closed
            held.sendall(request + b" " * (LONG - 1))
        self.peak = max(self.peak, self._target.memory())
        return held

    def statuses(self) -> Sequence[bytes]:
        """The status of each connection's answer; empty without one."""
        return [status_of(each) for each in self._sockets]


def status_of(client: socket.socket) -> bytes:
    """The status of the next answer on a connection."""
    found = b""
    with suppress(OSError):
        while len(found) < len("HTTP/1.1 200") and (part := client.recv(1)):
            found += part
    return found[-3:]


@contextmanager
def holding(target: Target, request: bytes) -> Iterator[Holders]:
    """Open holders during the ``with``."""
    with ExitStack() as opened:
        yield Holders(target, request, opened)


def hold_requests(claim: str, target: Target, request: bytes, refused: bytes) -> Iterator[Row]:
    """Measure the memory that holders of a refused request take while they hold, and after."""
    with target.pulse() as pulse:
        with holding(target, request) as held:
            peak = (held.peak - held.before) / MEGABYTE
            statuses = held.statuses()
        kept = (target.memory() - held.before) / MEGABYTE
    share = statuses.count(refused)
    told = f"{share} of {COUNT} refused, {peak:.0f} MB more, {kept:.0f} MB kept; {pulse}"
    yield Row(claim, told, max(peak, kept) <= MAX_GROWTH and share >= COUNT * 0.9 and pulse.holds)


def attack(arena: Arena) -> Iterator[Row]:
    """Send wrong keys, then tables over the limit; then as many bytes where everything is admitted."""
    with arena.serve() as target:
        made = target.send("POST", "/api/v1/tables", {"game": "villefranche"}).json
        moves = f"/api/v1/tables/{made['id']}/moves"
        wrong, right = (f"Authorization: Bearer {key}" for key in ("0" * 22, made["keys"]["host"]))
        yield from hold_requests("long moves with a wrong key take no memory", target, head(moves, wrong), b"429")
        yield from hold_requests("tables over the limit take no memory", target, head("/api/v1/tables"), b"429")
        yield from expecting(target, moves, wrong, right)
    with arena.serve(BASTIDE_LIMITS="off") as target:
        with holding(target, head("/api/v1/games/villefranche/rulings")) as held:
            peak = (held.peak - held.before) / MEGABYTE
        told = f"{peak:.0f} MB more with {COUNT} bodies that are read"
        yield Row("bodies that are admitted stay in memory", told, peak >= HARM, control=True)


def expecting(target: Target, path: str, wrong: str, right: str) -> Iterator[Row]:
    """Clients that wait for ``100 Continue``: with a wrong key, over the limit, and admitted."""
    fields = ("Expect: 100-continue", 'If-Match: "1"')
    asked = {
        "a wrong key": (head(path, wrong, *fields), False),
        "one table too many": (head("/api/v1/tables", *fields), False),
        "the right key": (head(path, right, *fields, length=9), True),
    }
    for who, (request, admitted) in asked.items():
        with socket.create_connection(("127.0.0.1", target.port), timeout=PATIENCE) as client:
            client.sendall(request)
            status = status_of(client)
        claim = f"whoever waits with {who} is {'told to send' if admitted else 'refused, and not told to send'}"
        yield Row(claim, f"first answer {status.decode()}", (status == CONTINUE) is admitted, control=admitted)
