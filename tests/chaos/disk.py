"""A Redis on a slow disk that is killed while it writes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import closing
from typing import Final

from service.config import Fsync
from service.storage.ledger import Ledger
from tests.chaos.load import Load, Verdict, together
from tests.support.redis_server import RedisServer, until

SLOW: Final[Mapping[Fsync, int]] = {"always": 20_000, "everysec": 1_500_000}
"""Microseconds of a flush: while one lasts, a server that flushes once a second keeps new entries in memory."""
HELD_BYTES: Final = 10_000
"""Bytes: more than a server reads at once from all writers."""


def kill_on_a_slow_disk(shim: Mapping[str, str], fsync: Fsync, *, tables: int, kills: int, some: int) -> Verdict:
    """Kill and restart a server under writers, so many times; between two kills, `some` entries are acknowledged."""
    environment = os.environ | shim | {"SLOW_DISK": str(SLOW[fsync])}
    server = RedisServer("--appendonly", "yes", "--appendfsync", fsync, environment=environment).start()
    found = []
    try:
        for kill in range(kills):
            with closing(Ledger(server.url, patience=30)) as ledger:
                load = Load(ledger, [f"{kill}x{table}".rjust(22, "0") for table in range(tables)], size=100).start()
                load.until(some)
                if fsync == "everysec":
                    until(_holds_back, server)
                load.stopping.set()
                server.kill()
                load.stop()
            server.start()
            found.append(load.verdict(server.log))
    finally:
        server.close()
    return together(found)


def _holds_back(server: RedisServer) -> bool:
    """Whether the server has more in memory than it reads at once, not yet written to its file."""
    said = server.text_of("INFO", "persistence").partition("aof_buffer_length:")[2]
    return int(said.split()[0]) > HELD_BYTES
