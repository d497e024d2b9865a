"""A Redis of the tests' own, that can be frozen, killed and started again."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final, Literal, ParamSpec, Self

import redis

from service.errors import StoreAway
from service.storage.connections import Server
from service.storage.private_redis.supervisor import server_options, server_program

Ps = ParamSpec("Ps")
Harm = Literal["kill", "freeze"]
LONGEST: Final = 120.0
"""Seconds after which `until` stops waiting."""
PAUSE: Final = 0.01
"""Seconds between two checks; without a pause they would take a core from the awaited process."""
PORTS: Final = range(15_000, 30_000)
"""Ports below those that the system gives to clients."""


def until(there: Callable[Ps, bool], *arguments: Ps.args, **named: Ps.kwargs) -> None:
    """Wait until a condition holds. Raises `TimeoutError` after `LONGEST` seconds."""
    deadline = time.monotonic() + LONGEST
    while not there(*arguments, **named):
        if time.monotonic() > deadline:
            raise TimeoutError(there)
        time.sleep(PAUSE)


def free_ports(count: int) -> list[int]:
    """Ports of loopback on which nobody listens."""
    chance = random.Random(os.urandom(8))
    with ExitStack() as stack:
        found: list[int] = []
        while len(found) < count:
            probe = stack.enter_context(socket.socket())
            with suppress(OSError):
                probe.bind(("127.0.0.1", chance.choice(PORTS)))
                found.append(probe.getsockname()[1])
        return found


def log_of(server: Server, table: str) -> dict[int, bytes]:
    """The log of a table on a server, by entry number, read without the ledger. Raises `StoreAway`."""
    entries: Any = server.ask(("XRANGE", f"{{t:{table}}}:log", "-", "+"))[0]
    return {int(number.partition(b"-")[0]): fields[1] for number, fields in entries}


def durable_options() -> list[str]:
    """The options of a server that has every entry on the disk before it answers."""
    return ["--appendonly", "yes", "--appendfsync", "always"]


class RedisServer:
    """A Redis server on a unix socket in a folder of its own, ended by its process id."""

    def __init__(
        self,
        *options: str,
        program: str | None = None,
        folder: Path | None = None,
        config: str | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        # Not pytest's own temporary folder: a socket's path has to be short.
        self.folder = folder or Path(tempfile.mkdtemp(prefix="bastide-"))
        self.socket = self.folder / "s"
        self.url = f"unix://{self.socket}"
        self._plain = Server(self.url, patience=10)
        self.options = options
        self.program = program or server_program()
        self.environment = environment
        self.config = self.folder / "config"
        if config is not None:
            self.config.write_text(config)
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def durable(cls) -> Self:
        """A server that has every entry on the disk before it answers, as the service's own has."""
        folder = Path(tempfile.mkdtemp(prefix="bastide-"))
        return cls(*server_options(folder, folder / "s"), folder=folder)

    @property
    def pid(self) -> int:
        """The id of the process that runs now."""
        assert self._process is not None, "not started"
        return self._process.pid

    def command(self) -> Sequence[str]:
        """The command that starts the server."""
        config = [str(self.config)] if self.config.exists() else []
        fixed = ["--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.folder)]
        return [self.program, *config, *fixed, "--save", "", *self.options]

    def start(self) -> Self:
        """Start the server and return once it answers; raises `ChildProcessError` if it ends instead."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment
            )
        until(self._answers)
        return self

    def ask(self, *command: str | int | bytes) -> Any:
        """The answer to a command. Raises `redis.ResponseError`, `StoreAway`."""
        answer = self._plain.ask(command)[0]
        if isinstance(answer, redis.ResponseError):
            raise answer
        return answer

    def text_of(self, *command: str | int) -> str:
        """The answer to a command as text; empty if the server does not run."""
        try:
            return str(self.ask(*command).decode())
        except StoreAway:
            return ""

    def log(self, table: str) -> dict[int, bytes]:
        """The log of a table, by entry number, read without the ledger."""
        return log_of(self._plain, table)

    def kill(self) -> None:
        """Kill the server without warning, as a power cut would."""
        self._send(signal.SIGKILL)

    def freeze(self) -> None:
        """Stop the process; it keeps its connections and answers nothing."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Continue the process; it then executes the commands sent meanwhile."""
        os.kill(self.pid, signal.SIGCONT)

    def close(self) -> None:
        """End the server and remove its folder."""
        self._plain.close()
        if self._process is not None and self._process.poll() is None:
            self._send(signal.SIGKILL)
        shutil.rmtree(self.folder)

    def _answers(self) -> bool:
        assert self._process is not None, "not started"
        if self._process.poll() is not None:
            raise ChildProcessError((self.folder / "log").read_text()[-2000:])
        with suppress(StoreAway):
            return bool(self.ask("PING"))
        return False

    def _send(self, number: int) -> None:
        assert self._process is not None, "not started"
        self._process.send_signal(number)
        self._process.wait(30)


def harm(server: RedisServer, way: Harm) -> None:
    """Kill or freeze a server."""
    server.kill() if way == "kill" else server.freeze()


def heal(server: RedisServer, way: Harm) -> None:
    """Restart a killed server, or continue a frozen one."""
    server.start() if way == "kill" else server.thaw()
