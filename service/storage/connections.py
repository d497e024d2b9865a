"""Connections to a Redis server: a bounded pool, shared by the threads or greenlets of a process.

redis-py's own pools check the socket before every command, and its retries cannot know which command may be sent twice.
Here every command may (an append carries its key). So a broken connection is opened again once; a server that does not
answer is not asked twice.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Sequence
from contextlib import suppress
from time import perf_counter
from typing import Final, Protocol, TypeAlias
from weakref import WeakSet

import hiredis
import redis
from redis.backoff import NoBackoff
from redis.connection import ConnectionInterface
from redis.retry import Retry

from service.errors import StoreAway
from service.runtime.metrics import time_redis
from service.startup import BadSetting

Argument: TypeAlias = "str | bytes | int"
Command: TypeAlias = Sequence[Argument]
Answer: TypeAlias = "bytes | int | list[Answer] | redis.ResponseError | None"
"""A reply of Redis; the error for a command that it refuses."""

CONNECTIONS: Final = 32
"""Connections of a process to one server."""


class Server:
    """One Redis server. Safe to share between threads, between greenlets, and with a forked process.

    At most `connections` are open at a time. `ask` raises `StoreAway` within `patience` seconds or a little more rather
    than wait for a server that is silent, or for a connection. An address that cannot be used raises `BadSetting`.
    """

    def __init__(self, url: str, *, patience: float, connections: int = CONNECTIONS) -> None:
        try:
            # Only to parse the address: `_connect` makes the connections.
            self._pool = redis.ConnectionPool.from_url(url, **options(patience))
            self._connect()
        except (TypeError, ValueError) as error:
            wanted = f"followed by options that redis-py knows ({error})"
            raise BadSetting("REDIS_URL", url.rpartition("@")[2], wanted) from error
        self.name = "{host}:{port}".format_map({"host": "", "port": ""} | self._pool.connection_kwargs)
        self._patience = patience
        self._connections = connections
        self.reset_after_fork()
        after_fork(self)

    def ask(self, *commands: Command) -> list[Answer]:
        """Send the commands at once on one connection. Returns their replies; for a refused command, its error."""
        idle, connection = self._take()
        begun = perf_counter()
        try:
            try:
                return _exchange(connection, commands)
            except redis.ConnectionError:  # broken since its last use
                return _exchange(connection, commands)
        except redis.RedisError as error:
            raise StoreAway(str(error)) from error
        finally:
            time_redis(begun)
            idle.put(connection)

    def close(self) -> None:
        """Close the idle connections; the next use of one opens it again."""
        idle, closed = self._idle_connections, []
        with suppress(queue.Empty):
            while True:
                closed.append(idle.get_nowait())
        for connection in closed:
            connection.disconnect()  # type: ignore[no-untyped-call]
            idle.put(connection)

    def reset_after_fork(self) -> None:
        """Drop all connections: after a fork they are the parent's."""
        self._lock = threading.Lock()
        self._connection_count = 0
        self._idle_connections: queue.SimpleQueue[ConnectionInterface] = queue.SimpleQueue()

    def _take(self) -> tuple[queue.SimpleQueue[ConnectionInterface], ConnectionInterface]:
        """A connection, and the queue to return it to."""
        idle = self._idle_connections
        try:
            return idle, idle.get_nowait()
        except queue.Empty:
            pass
        with self._lock:
            if self._connection_count < self._connections:
                self._connection_count += 1
                return idle, self._connect()
        try:
            return idle, idle.get(timeout=self._patience)
        except queue.Empty:
            raise _busy_error(self._connections) from None

    def _connect(self) -> ConnectionInterface:
        """A connection, which opens at its first use."""
        parsed = self._pool
        connection: ConnectionInterface = parsed.connection_class(**parsed.connection_kwargs)
        return connection


class ForkAware(Protocol):
    """An object with state that belongs to one process."""

    def reset_after_fork(self) -> None:
        """Drop the state of the parent process."""


_forgetful: WeakSet[ForkAware] = WeakSet()


def after_fork(each: ForkAware) -> None:
    """Reset an object in every process that is forked from this one."""
    _forgetful.add(each)


def _forget_all() -> None:
    for each in list(_forgetful):
        each.reset_after_fork()


# Two processes on one connection would read each other's replies.
os.register_at_fork(after_in_child=_forget_all)


def options(patience: float) -> dict[str, object]:
    """redis-py's options for every connection: it retries nothing, and does not identify the client."""
    return {
        "protocol": 2,
        "retry": Retry(NoBackoff(), 0),
        "socket_timeout": patience,
        "socket_connect_timeout": patience,
        "driver_info": None,
    }


def _busy_error(count: int) -> StoreAway:
    return StoreAway(f"all {count} connections to Redis are in use")


def _exchange(connection: ConnectionInterface, commands: Sequence[Command]) -> list[Answer]:
    try:
        # redis-py's own packing takes ten times as long: it checks every argument.
        packed = b"".join(
            hiredis.pack_command(tuple(command))  # type: ignore[arg-type]  # its stub allows only a tuple of one
            for command in commands
        )
        connection.send_packed_command([packed])  # type: ignore[no-untyped-call]
        return [_answer(connection) for _ in commands]
    except BaseException:  # a late reply must not be taken for the next one's
        connection.disconnect()  # type: ignore[no-untyped-call]
        raise


def _answer(connection: ConnectionInterface) -> Answer:
    try:
        answer: Answer = connection.read_response()
    except redis.ResponseError as error:
        return error
    return answer
