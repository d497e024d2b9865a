"""A service as shipped, whose workers and private Redis can be killed."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from service.errors import StoreAway
from service.storage.connections import Server
from service.storage.private_redis.supervisor import PrivateRedis
from tests.chaos.load import Log
from tests.chaos.storm import Storm
from tests.support.redis_server import LONGEST, log_of
from tests.support.service_process import ServiceProcess

WORKERS = 2

OTHERS = re.compile(rb"service\.storage\.private_redis\.keeper|service\.server\.metrics_server")
"""Matches the children of a server that are no workers."""


class Victim(ServiceProcess):
    """`bastide serve` with two workers and no limits; its output is read, so that it never waits for a reader."""

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(folder, **{"BASTIDE_LIMITS": "off", "BASTIDE_WORKERS": str(WORKERS)} | settings)
        self.folder = folder
        self.kill_counts = {"worker": 0, "redis": 0}
        self._chance = Random(1)

    def end(self, number: int = signal.SIGTERM) -> int:
        """See `ServiceProcess.end`."""
        return super().end(number)

    def kill_worker(self) -> None:
        """Kill a random worker."""
        if workers := self.workers():
            self._kill(self._chance.choice(workers), "worker")

    def kill_redis(self) -> None:
        """Kill the private Redis."""
        self._kill(int((self.folder / "server.pid").read_text()), "redis")

    def kill_while(self, storm: Storm, kills: int, changes: int, redis: int = 2) -> None:
        """Kill `kills` workers, evenly over so many acknowledged changes, and Redis at every `redis`-th kill.

        Kills by the clock could, on a busy machine, hit each worker before it has started.
        """
        for kill in range(1, kills + 1):
            storm.until(kill * changes // (kills + 1))
            self.kill_worker()
            if kill % redis == 0:
                self.kill_redis()

    def workers(self) -> list[int]:
        """The process ids of the running workers."""
        return [child for child in children(self.process.pid) if not OTHERS.search(_file(child, "cmdline"))]

    def memory(self) -> int:
        """The bytes of memory of all workers (RSS)."""
        pages = sum(int((_file(worker, "statm").split() or [b"0", b"0"])[1]) for worker in self.workers())
        return pages * os.sysconf("SC_PAGE_SIZE")

    def read(self, table: str) -> Log:
        """The log of a table, read from the private Redis without the service, once that Redis is up again."""
        deadline = time.monotonic() + LONGEST
        with closing(Server(PrivateRedis(self.folder).url, patience=LONGEST)) as server:
            while True:
                try:
                    return log_of(server, table)
                except StoreAway:
                    if time.monotonic() > deadline:
                        raise

    def _kill(self, process: int, kind: str) -> None:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
            self.kill_counts[kind] += 1


class Sudden(Victim):
    """A victim that gets a signal to end at any moment: nobody waits until it is ready."""

    def await_play(self) -> None:
        """See `ServiceProcess.await_play`."""

    def wait(self, seconds: float) -> None:
        """Wait for so long, or until the service ends."""
        self.reader.join(seconds)

    def end_by(self, signals: Sequence[int], within: float) -> float:
        """Send the signals within so many seconds; returns the seconds from the first until no process is left."""
        began = time.monotonic()
        for number in signals[:-1]:
            self.process.send_signal(number)
            self.wait(within / len(signals))
        self.end(signals[-1])
        return time.monotonic() - began


def children(parent: int) -> list[int]:
    """The ids of the running child processes of a process."""
    return [int(child) for child in _file(parent, f"task/{parent}/children").split()]


def _file(process: int, name: str) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{process}/{name}").read_bytes()
    return b""
