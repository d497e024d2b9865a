"""A proxy on loopback that treats connections as bad networks do."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
import time
from asyncio import StreamReader, StreamWriter
from collections import Counter
from collections.abc import Coroutine, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import Any, Final, Literal, Self, TypeVar

Result = TypeVar("Result")
AT_ONCE: Final = struct.pack("ii", 1, 0)
"""`SO_LINGER` of no time: closing the socket sends RST."""

FOR_EVER: Final = -1
"""The life of a connection that never ends."""
LOOK: Final = 2.0
"""Seconds between two checks of which servers are ready: as in the files of `deploy/`."""


@dataclass(frozen=True, slots=True)
class Toxic:
    """A fault of a connection; `end` is what happens at its first answer."""

    name: str
    delay: float = 0
    """Seconds before each part is passed on, …"""
    jitter: float = 0
    """… and the most that chance adds to them."""
    rate: int = 0
    """Bytes a second; 0: as fast as they come."""
    size: int = 0
    """Bytes of a part; 0: as they come."""
    end: Literal["", "reset", "hole", "half"] = ""
    """The connection is reset, or nothing more comes, or half of the answer and then its end."""


def toxics(delay: float, rate: int) -> Sequence[Toxic]:
    """One toxic of each kind, with a delay in seconds and a rate in bytes a second."""
    return (
        Toxic("latency", delay=delay),
        Toxic("reset", end="reset"),
        Toxic("jitter", jitter=delay / 2),
        Toxic("black hole", end="hole"),
        Toxic("slow", rate=rate),
        Toxic("half-close", end="half"),
        Toxic("slices", size=7),
    )


class Proxy:
    """Forwards connections to a port: clean ones until `worsen`, then each with the next of the toxics.

    A connection ends after `life` answers, so that each client meets other toxics.
    """

    def __init__(self, target: int, life: int) -> None:
        self._target, self._life = target, life
        self._toxics = cycle([Toxic("clean")])
        self._chance = Random(1)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._writers: set[StreamWriter] = set()
        self.connection_counts: Counter[str] = Counter()
        """Toxic -> number of connections that had it."""
        self.port = 0

    def start(self) -> Self:
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def worsen(self, toxics: Sequence[Toxic]) -> None:
        """Give each new connection one of these, in turn."""
        self._toxics = cycle(toxics)

    def close(self) -> None:
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    async def _end(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0)  # the loop closes aborted transports in its next round

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        toxic = next(self._toxics)
        self.connection_counts[toxic.name] += 1
        writers = [writer]
        self._writers.add(writer)
        with suppress(OSError, asyncio.CancelledError):
            answers, asked = await self._open()
            writers.append(asked)
            self._writers.add(asked)
            ways = (self._pass(reader, asked, toxic, -1), self._pass(answers, writer, toxic, self._life))
            await asyncio.wait(map(asyncio.ensure_future, ways), return_when=asyncio.FIRST_COMPLETED)
        for each in writers:
            each.transport.abort() if toxic.end == "reset" else each.close()
            self._writers.discard(each)

    async def _open(self) -> tuple[StreamReader, StreamWriter]:
        """A connection to the target. Raises `OSError`."""
        return await asyncio.open_connection("127.0.0.1", self._target)

    async def _pass(self, reader: StreamReader, writer: StreamWriter, toxic: Toxic, life: int) -> None:
        """Forward one direction until it ends; only the direction of the answers has a `life`."""
        with suppress(OSError):
            while life and (data := await reader.read(65536)):
                life -= 1
                if toxic.end and life >= 0:
                    await self._close_abruptly(reader, writer, toxic, data)
                    return
                await self._trickle(writer, toxic, data)

    async def _close_abruptly(self, reader: StreamReader, writer: StreamWriter, toxic: Toxic, data: bytes) -> None:
        if toxic.end == "reset":
            sock: socket.socket = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            return
        if toxic.end == "half":
            writer.write(data[: len(data) // 2])
            writer.write_eof()
        while await reader.read(65536):
            pass

    async def _trickle(self, writer: StreamWriter, toxic: Toxic, data: bytes) -> None:
        await asyncio.sleep(toxic.delay + self._chance.random() * toxic.jitter)
        size = toxic.size or (toxic.rate // 10 if toxic.rate else len(data))
        for start in range(0, len(data), size):
            writer.write(data[start : start + size])
            await writer.drain()
            await asyncio.sleep(0.1 if toxic.rate else 0)


class Balancer(Proxy):
    """Forwards each connection to one of several ports that was ready at the last check, as in `deploy/`."""

    def __init__(self, targets: Sequence[int]) -> None:
        super().__init__(0, life=FOR_EVER)
        self._ready = list(targets)
        self._targets = tuple(targets)

    def start(self) -> Self:
        super().start()
        self._looking = asyncio.run_coroutine_threadsafe(self._look(), self._loop)
        return self

    def until(self, ready: Sequence[int]) -> None:
        """Return once the balancer finds exactly these ports ready."""
        while set(self._ready) != set(ready):
            time.sleep(LOOK / 10)

    async def _look(self) -> None:
        """Check every port, for ever."""
        while True:
            asked = await asyncio.gather(*map(_ready, self._targets))
            self._ready = [port for port, ready in zip(self._targets, asked, strict=True) if ready]
            await asyncio.sleep(LOOK)

    async def _open(self) -> tuple[StreamReader, StreamWriter]:
        """A connection to a ready port; to another only if that refuses."""
        ports = sorted(self._ready or self._targets, key=lambda _: self._chance.random())
        for port in ports[:-1]:
            with suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", port)
        return await asyncio.open_connection("127.0.0.1", ports[-1])


async def _ready(port: int) -> bool:
    """Whether a server reports that it is ready for requests."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        with closing(writer):
            writer.write(b"GET /readyz?for=rulings HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return (await reader.readline()).split()[1:2] == [b"200"]
    except OSError:
        return False
