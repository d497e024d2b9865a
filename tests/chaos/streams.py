"""Clients that follow the logs of tables by streams of events, and reconnect after every end of a stream."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import cycle, islice
from typing import Any, Final

from tests.chaos.storm import Storm
from tests.support.redis_server import until
from tests.support.service_process import ServiceProcess

PAUSE: Final = 0.05
"""Seconds after which a client reconnects."""
ADDRESSES: Final = tuple(f"127.0.0.{number}" for number in range(2, 52))
"""Addresses of the clients: all of 127.0.0.0/8 is this machine (on Linux)."""


class Follower(threading.Thread):
    """Follows the log of a table from its first entry on. Unless it `resumes`, it sends no ``Last-Event-ID``."""

    def __init__(self, port: int, path: str, key: str, address: str, *, resumes: bool = True) -> None:
        super().__init__(daemon=True)
        self.path = path
        self.entries: list[Any] = []
        """The entries received, in order."""
        self.streams = 0
        """The number of streams that it began to read."""
        self._port, self._key, self._address, self._resumes = port, key, address, resumes
        self._ended = threading.Event()
        self._connection: http.client.HTTPConnection | None = None

    def run(self) -> None:
        while not self._ended.is_set():
            try:
                self._follow()
            except (OSError, http.client.HTTPException, AttributeError):  # the last: `close` came during a read
                self._ended.wait(PAUSE)

    def has_seen(self, last: int) -> bool:
        """Whether the entry of this number, or a later one, was received last."""
        return any(entry["version"] >= last for entry in self.entries[-1:])

    def close(self) -> None:
        self._ended.set()
        connection = self._connection
        if connection is not None and connection.sock is not None:
            connection.sock.close()

    def _follow(self) -> None:
        """Read a stream to its end."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, 60, (self._address, 0))
        self._connection = connection
        headers = {"Authorization": f"Bearer {self._key}", "Accept": "text/event-stream"}
        if self.entries and self._resumes:
            headers["Last-Event-ID"] = str(self.entries[-1]["version"])
        with closing(connection):
            connection.request("GET", f"{self.path}/events?after=0", headers=headers)
            response = connection.getresponse()
            if response.status != 200:
                raise http.client.HTTPException(response.status)
            self.streams += 1
            data = b""
            for line in response:  # only whole events count
                if line.startswith(b"data: "):
                    data = line.removeprefix(b"data: ")
                elif line == b"\n" and data:
                    self.entries.append(json.loads(data))
                    data = b""


@contextmanager
def followers(storm: Storm, count: int, *, resumes: bool = True) -> Iterator[Sequence[Follower]]:
    """Start clients that share the tables of a storm; yield them once each reads a stream."""
    tables = sorted({(player.path, player.key) for player in storm.players})
    places = zip(islice(cycle(tables), count), cycle(ADDRESSES))
    found = [Follower(storm.port, path, key, address, resumes=resumes) for (path, key), address in places]
    for each in found:
        each.start()
    try:
        until(lambda: all(each.streams for each in found))
        yield found
    finally:
        for each in found:
            each.close()


def count_wrong(found: Sequence[Follower], served: ServiceProcess, storm: Storm) -> int:
    """The number of clients that, at the last entry, have not seen exactly the log in its order."""
    keys = {player.path: player.key for player in storm.players}
    logs = {path: log_of(served, path, key) for path, key in keys.items()}
    until(lambda: all(each.has_seen(len(logs[each.path])) for each in found))
    return sum(each.entries != logs[each.path] for each in found)


def log_of(served: ServiceProcess, path: str, key: str) -> list[Any]:
    """All entries of a log, which the service sends page by page."""
    entries: list[Any] = []
    after: int | None = 0
    while after is not None:
        status, page = served.ask("GET", f"{path}/log?after={after}&limit=500", Authorization=f"Bearer {key}")
        assert status == 200, page
        entries += page["entries"]
        after = page["next"]
    return entries
