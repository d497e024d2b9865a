"""A service that is started as a command."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final

from service.storage.private_redis.supervisor import PrivateRedis
from tests.support.redis_server import free_ports

ROOT: Final = Path(__file__).parents[2]
SERVE: Final = (sys.executable, "-m", "service.cli", "serve")
"""The command that also starts a private Redis, and prints the service's address."""


class ServiceProcess:
    """A service that was started as a command, and has a worker."""

    def __init__(self, folder: Path, command: Sequence[str] = SERVE, **settings: str) -> None:
        self.port = int(settings.get("PORT") or free_ports(1)[0])
        environment = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
        own = {"PORT": str(self.port), "BASTIDE_DATA": str(folder), "PYTHONIOENCODING": "utf-8"}
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment | own | settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: SimpleQueue[str | None] = SimpleQueue()
        """Output that nobody has read yet; None at the end."""
        self.reader = Thread(target=self._read, daemon=True)
        self.reader.start()
        self.first_lines: list[str] = []
        self.says_where = command is SERVE
        self.await_play()

    def await_play(self) -> None:
        """Wait for the printed address, if the command prints one, and for a worker."""
        if self.says_where:
            self.first_lines = self.until("Ctrl-C ends it.")
        self.until("Booting worker")

    def until(self, last: str) -> list[str]:
        """The output up to a line with these words, inclusive."""
        said = []
        while (line := self.lines.get()) is not None:
            said.append(line)
            if last in line:
                return said
        self.process.wait(30)
        raise AssertionError(f"it ended before it said {last!r}: {said}")

    def _read(self) -> None:
        """Read all output: a full pipe would stop the service."""
        assert self.process.stdout is not None
        with self.process.stdout as output:
            for line in output:
                self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def log(self) -> list[dict[str, Any]]:
        """The lines of JSON that nobody has read, once the service has ended."""
        self.reader.join()
        lines = iter(self.lines.get, None)
        return [json.loads(line) for line in lines if line.startswith("{")]

    def send(self, method: str, path: str, content: bytes | None = None, **headers: str) -> tuple[int, bytes]:
        """Send bytes; returns the status and the bytes of the answer. Names of headers have "_" in place of "-"."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, content, {"Content-Type": "application/json"} | named)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """The same with JSON."""
        status, answer = self.send(method, path, None if body is None else json.dumps(body).encode(), **headers)
        return status, json.loads(answer)

    def end(self, number: int = signal.SIGINT) -> int:
        """End the service by a signal, and wait for all processes that it started; returns its status.

        Ctrl-C ends it at once; after SIGTERM it still answers for some seconds.
        """
        self.process.send_signal(number)
        self.reader.join()  # ends when no process is left that could write
        return self.process.wait(30)

    def table(self) -> tuple[str, dict[str, str]]:
        """Open a table; returns its address and its keys."""
        status, table = self.ask("POST", "/api/v1/tables", {"game": "villefranche"})
        assert status == 201, table
        return f"/api/v1/tables/{table['id']}", table["keys"]


def runs(folder: Path) -> bool:
    lock = PrivateRedis(folder)._server_lock()
    if lock is not None:
        os.close(lock)
    return lock is None


class Client:
    """A client that keeps its connection, as browsers and libraries do."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, path: str, **headers: str) -> tuple[int, bool]:
        """The status of an answer, and whether it is the last on this connection."""
        self.send(path, **headers)
        return self.answer()

    def send(self, path: str, **headers: str) -> None:
        self.connection.request("GET", path, headers=headers)

    def answer(self) -> tuple[int, bool]:
        response = self.connection.getresponse()
        response.read()
        return response.status, response.will_close

    def close(self) -> None:
        self.connection.close()
