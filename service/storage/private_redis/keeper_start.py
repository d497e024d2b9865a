"""Starts the keeper of the private Redis, for `bastide serve` and the server that it becomes.

The keeper (`service.storage.private_redis.keeper`) is a child process that somebody may kill. Then nobody would watch
its Redis. So the server watches the keeper, as the keeper watches Redis, and starts another one, which takes over the
running Redis.

This module is imported before gevent patches the sockets, so it imports nothing that would use the old ones. But it
needs the system's own `poll`, because gevent's does not report that a pipe has lost its reader.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from select import poll
from typing import Any, Final, Protocol, Self

from service.startup import KEEPER_VARIABLE, NoServer

KILLS: Final = 3
"""The number of keepers tried at the end, if each is killed, before Redis is left to the next start."""
REST: Final = 1.0
"""The least seconds between two starts of a child."""
CLOSED_PIPE: Final = -1


@dataclass
class Keeper:
    """The keeper of the Redis of a data folder: its process, and the pipe that ends when the server ends."""

    folder: str
    process: int
    pipe: int
    _processes: list[subprocess.Popen[str]] = field(default_factory=list)
    """The started process. Without this reference Python would wait for it at an arbitrary time."""

    @classmethod
    def start(cls, folder: str) -> Self:
        """Start the process, and wait until Redis answers. Raises `NoServer`."""
        keeper = cls(folder, 0, CLOSED_PIPE)
        process = keeper._start(subprocess.PIPE)
        line = process.stdout.readline() if process.stdout else ""
        if line != "\n":
            keeper._close()
            process.communicate()
            raise NoServer(line.strip() or "Redis could not be started.")
        return keeper

    def __str__(self) -> str:
        """The keeper as the value of an environment variable."""
        return f"{self.pipe} {self.process} {self.folder}"

    def has_ended(self) -> bool:
        """Whether the process has ended: then the other end of its pipe is closed."""
        if self.pipe == CLOSED_PIPE:
            return True
        poller = poll()
        poller.register(self.pipe, 0)
        return bool(poller.poll(0))

    def replace(self) -> None:
        """Start another keeper, which prints its own errors."""
        self._close()
        self._start(subprocess.DEVNULL)

    def end(self) -> None:
        """Tell the keeper that the server ends, and wait until it has finished.

        If the keeper was killed, or is killed meanwhile, another keeper finishes.
        """
        for _ in range(KILLS):
            if self.has_ended():
                self.replace()
            self._close()
            with suppress(ChildProcessError):
                if os.WIFEXITED(os.waitpid(self.process, 0)[1]):
                    return

    def _close(self) -> None:
        if self.pipe != CLOSED_PIPE:
            os.close(self.pipe)
            self.pipe = CLOSED_PIPE

    def _start(self, out: int) -> subprocess.Popen[str]:
        ended, self.pipe = os.pipe()
        command = [sys.executable, "-P", "-m", "service.storage.private_redis.keeper", self.folder]
        # Its own session: Ctrl-C in this terminal is for the service, and the keeper waits for its end.
        process = subprocess.Popen(command, stdin=ended, stdout=out, text=True, start_new_session=True)  # noqa: S603 - our own
        os.close(ended)
        os.set_inheritable(self.pipe, True)  # for the server that this process becomes
        self.process = process.pid
        self._processes[:] = [process]
        return process


class Child(Protocol):
    """A child process of the server besides its workers."""

    def has_ended(self) -> bool:
        """Whether the process has ended."""

    def replace(self) -> None:
        """Start another one."""


def watch(server: Any) -> None:
    """Let gunicorn check the keeper, if there is one."""
    if keeper := _keeper_of_environment():
        watch_child(server, keeper, "What tends the private Redis")


def watch_child(server: Any, child: Child, name: str) -> None:
    """Let gunicorn check a child whenever it checks its workers: each second, and when a child process ends."""
    look_after_workers, rested = server.manage_workers, 0.0

    def manage_workers() -> None:
        nonlocal rested
        if child.has_ended() and time.monotonic() >= rested:
            rested = time.monotonic() + REST
            server.log.error("%s has ended: another one is started.", name)
            child.replace()
        look_after_workers()

    server.manage_workers = manage_workers


def end() -> None:
    """End the keeper, if there is one."""
    if keeper := _keeper_of_environment():
        keeper.end()


@cache
def _keeper_of_environment() -> Keeper | None:
    """The keeper that the environment names, if any."""
    value = os.environ.get(KEEPER_VARIABLE)
    if not value:
        return None
    pipe, process, folder = value.split(" ", 2)
    return Keeper(folder, int(process), int(pipe))
