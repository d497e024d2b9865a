"""Idle streams of events: the cost of many of them for a worker, each at a table of its own."""

from __future__ import annotations

import os
import socket
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path

from benchmarks.measure import report
from tests.chaos.victim import Victim

STREAMS = 1000
ADDRESSES = 50
SECONDS = 15
"""The silence after which a stream sends a sign of life."""


def stream(port: int, path: str, key: str, address: str) -> socket.socket:
    """A connection with an open stream."""
    client = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(address, 0))
    client.sendall(f"GET {path}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n".encode())
    head = client.recv(65_536)
    if not head.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(head[:300])
    return client


def cpu(process: int) -> float:
    """The CPU time of a process, in seconds."""
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the share of a core that a worker takes."""
    with tempfile.TemporaryDirectory(prefix="bastide-") as folder, ExitStack() as stack:
        victim = Victim(Path(folder) / "data", BASTIDE_WORKERS="1", BASTIDE_CONNECTIONS=str(8 * STREAMS))
        stack.callback(victim.end)
        tables = [victim.table() for _ in range(STREAMS)]
        for number, (path, keys) in enumerate(tables):
            address = f"127.0.0.{2 + number % ADDRESSES}"
            stack.enter_context(closing(stream(victim.port, path, keys["watch"], address)))
        [worker] = victim.workers()
        before, began = cpu(worker), time.monotonic()
        time.sleep(SECONDS)
        share = (cpu(worker) - before) / (time.monotonic() - began)
    report(
        f"{STREAMS:,} streams of events, each at a table of its own, at which nothing happens: CPU of the worker, as a "
        "share of a core.",
        "events-idle",
        share,
        0.05,
    )


if __name__ == "__main__":
    main()
