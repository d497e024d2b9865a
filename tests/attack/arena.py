"""The setting of an attack: the service as the README starts it, its pulse, and clients that flood it.

Everything stays on loopback. A process of its own takes the pulse, so that a busy attacker does not slow it down.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from pathlib import Path
from statistics import quantiles
from typing import Any, Final, NamedTuple, Self

from tests.support.redis_server import free_ports, until

ROOT: Final = Path(__file__).resolve().parents[2]
PATIENCE: Final = 120.0
"""Seconds that a client waits for an answer."""
NORMAL: Final = 1.0
"""Seconds in which ``/livez`` has to answer."""
OFTEN: Final = 0.95
"""The share of requests that ``/livez`` has to answer within `NORMAL` seconds."""
PAGE: Final = 4096


class Request(NamedTuple):
    """A request of an attacker."""

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = {}


class Answer(NamedTuple):
    """An answer: its status (0 if there was none), its body, its headers in lower case, and the seconds it took."""

    status: int
    body: bytes
    headers: Mapping[str, str]
    seconds: float

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass
class Pulse:
    """How soon ``/livez`` answered during an attack: the seconds of each answer."""

    seconds: list[float] = field(default_factory=list)

    @property
    def in_time(self) -> float:
        """The share of answers that came in `NORMAL` seconds."""
        return sum(each <= NORMAL for each in self.seconds) / max(1, len(self.seconds))

    @property
    def holds(self) -> bool:
        """Whether the service was available to everybody else; false without any answer."""
        return bool(self.seconds) and self.in_time >= OFTEN

    def __str__(self) -> str:
        last = quantiles(self.seconds, n=20)[-1] if len(self.seconds) > 1 else 0.0
        longest = max(self.seconds, default=0.0)
        return f"/livez {self.in_time:.1%} in {NORMAL:.0f} s, 95 % in {last:.2f} s, longest {longest:.2f} s"


class Target:
    """A running service."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        [self.port] = free_ports(1)
        self.folder = folder
        own = {"PORT": str(self.port), "BASTIDE_DATA": str(folder), "PYTHONIOENCODING": "utf-8"}
        kept = {name: value for name, value in os.environ.items() if name != "REDIS_URL" and "MAKE" not in name}
        self.output = folder.with_suffix(".log")
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                ["make", "run"],
                cwd=ROOT,
                env={**kept, **own, **settings},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            until(self._answers)
        except BaseException:  # no `with` ends it yet
            self.end()
            raise

    def _answers(self) -> bool:
        if self.process.poll() is not None:
            raise RuntimeError(self.output.read_text(errors="replace")[-2000:])
        time.sleep(0.05)
        return self.ask(Request("GET", "/livez")).status == 200

    def ask(self, request: Request, source: str = "127.0.0.1", patience: float = PATIENCE) -> Answer:
        """Send a request on a connection of its own, from an address of loopback."""
        began = time.monotonic()
        connection = HTTPConnection("127.0.0.1", self.port, timeout=patience, source_address=(source, 0))
        try:
            connection.request(request.method, request.path, request.body, dict(request.headers))
            response = connection.getresponse()
            body = response.read()
        except (OSError, HTTPException):
            return Answer(0, b"", {}, time.monotonic() - began)
        finally:
            connection.close()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, body, headers, time.monotonic() - began)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send JSON."""
        content = None if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.ask(Request(method, path, content, {"Content-Type": "application/json"} | named))

    @contextmanager
    def pulse(self) -> Iterator[Pulse]:
        """Ask ``/livez`` ten times a second during the ``with``, without waiting for earlier answers."""
        with subprocess.Popen(
            [sys.executable, "-m", "tests.attack.pulse", str(self.port)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as asking:
            found = Pulse()
            try:
                yield found
            finally:
                written, _ = asking.communicate(timeout=PATIENCE + 60)
                found.seconds += json.loads(written)

    def flood(
        self, requests: Iterable[Request], per_second: float, seconds: float, source: str = "127.0.0.1"
    ) -> list[Answer]:
        """Repeat the requests at this rate, without waiting for earlier answers; returns all answers."""
        answers: list[Answer] = []
        threads = []
        began = time.monotonic()
        for number, request in enumerate(cycle(requests)):
            due = began + number / per_second
            if due > began + seconds:
                break
            time.sleep(max(0.0, due - time.monotonic()))
            thread = threading.Thread(target=lambda asked: answers.append(self.ask(asked, source)), args=(request,))
            thread.start()
            threads.append(thread)
        for thread in threads:
            thread.join()
        return answers

    def servers(self) -> list[int]:
        """The processes of gunicorn, master and workers; not Redis, nor its keeper."""
        return [process for process in _of_session(self.process.pid) if b"gunicorn" in _file(process, "cmdline")]

    def memory(self) -> int:
        """Bytes of memory of the largest of these processes (RSS)."""
        return max(int(_file(process, "statm").split()[1]) * PAGE for process in self.servers())

    def cpu(self) -> float:
        """Seconds of CPU that these processes have used."""
        ticks = 0
        for process in self.servers():
            fields = _file(process, "stat").rpartition(b")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """End the service, and wait for it."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(60)
        until(lambda: not self.servers())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


class Arena:
    """Starts services, each on an empty folder, and ends them."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="bastide-attack-")))
        self._started = 0

    def serve(self, **settings: str) -> Target:
        """Start a service as the README does, with these settings; ``with`` ends it."""
        self._started += 1
        return Target(self._folder / str(self._started), settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


class Row(NamedTuple):
    """A finding: what has to hold, what was measured, and whether it holds.

    A control shows that the harm is real where nothing prevents it: it holds if the harm was seen.
    """

    claim: str
    measurement: str
    holds: bool
    control: bool = False


def statuses(answers: Sequence[Answer]) -> str:
    """The number of answers of each status, as text."""
    counts = Counter(answer.status for answer in answers)
    return ", ".join(f"{count} x {status or 'none'}" for status, count in sorted(counts.items()))


def _file(process: int, name: str) -> bytes:
    """A file of a process in /proc; empty if the process has ended."""
    try:
        return Path(f"/proc/{process}/{name}").read_bytes()
    except OSError:
        return b""


def _of_session(leader: int) -> list[int]:
    """The processes of a session."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        fields = _file(int(folder.name), "stat").rpartition(b")")[2].split()
        if fields and fields[0] != b"Z" and int(fields[3]) == leader:
            found.append(int(folder.name))
    return found
