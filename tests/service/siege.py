"""Hostile clients, which keep on until the test has seen enough."""

from __future__ import annotations

import socket
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from types import TracebackType
from typing import Final

LIVES: Final = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
HALF: Final = LIVES + b"X-Slow: "
BODY: Final = (
    b"POST /api/v1/games/fief/scores HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 900\r\n\r\n"
)
PIPELINE: Final = b"", (LIVES + b"\r\n") * 200
CHUNKS: Final = LIVES + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 1000
LONG: Final = LIVES + b"Content-Length: 99999999999\r\n\r\n", b"x" * 65536
FLOODS: Final = {"pipelined": PIPELINE, "chunked": CHUNKS, "long": LONG}
"""What a client sends first and then repeats: requests without a pause, and endless bodies."""
SILENT: Final = 200
SLOW: Final = 200
PAUSE: Final = 1
"""Seconds between two bytes of a slow client."""


class Client:
    """A hostile client: it sends something and repeats itself, and reconnects when it is disconnected."""

    def __init__(self, port: int, first: bytes, again: bytes) -> None:
        self._port, self._first, self._again = port, first, again
        self._sent = 0
        self.socket = self._open()

    def go_on(self, *, flood: bool) -> None:
        """Send once more, or as much as possible, and read the responses."""
        try:
            with suppress(BlockingIOError):
                while (sent := self.socket.send(self._again[self._sent :])) and flood:
                    self._sent = (self._sent + sent) % len(self._again)
            with suppress(BlockingIOError):
                while self.socket.recv(1_000_000):
                    pass
                raise ConnectionResetError
        except (ConnectionError, TimeoutError):
            self.socket.close()
            self.socket = self._open()

    def _open(self) -> socket.socket:
        opened = socket.create_connection(("127.0.0.1", self._port))
        opened.sendall(self._first)
        opened.setblocking(False)
        self._sent = 0
        return opened


class Siege:
    """Attacks a server within `with`: 200 silent connections, 200 that send a byte a second, and three floods."""

    def __init__(self, port: int) -> None:
        self.over = Event()
        self.port = port
        self._thread = ThreadPoolExecutor(1)

    def __enter__(self) -> Siege:
        port = self.port
        self._clients = [Client(port, b"", b"") for _ in range(SILENT)]
        self._clients += [Client(port, BODY if number % 2 else HALF, b"1") for number in range(SLOW)]
        self._floods = [Client(port, *flood) for flood in FLOODS.values()]
        self._held: Future[None] = self._thread.submit(self._hold)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.over.set()
        self._thread.shutdown()
        for client in (*self._clients, *self._floods):
            client.socket.close()
        if error is None:
            self._held.result()

    def _hold(self) -> None:
        while True:
            for client in self._clients:
                client.go_on(flood=False)
            for client in self._floods:
                client.go_on(flood=True)
            if self.over.wait(PAUSE):
                return
