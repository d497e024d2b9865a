"""Finds the Redis server of a key: the only one, the primary that sentinels name, or the primary of its slot.

If another server may take over, a call that reaches the wrong server, or a dead one, looks for the right one and
retries: every command may be sent twice.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

import redis
from redis import exceptions
from redis.cluster import ClusterNode, NodesManager
from redis.connection import parse_url
from redis.crc import key_slot
from redis.exceptions import AskError, MovedError, RedisClusterException, ResponseError
from redis.sentinel import Sentinel

from service.errors import StoreAway
from service.redis_url import RedisUrl
from service.storage.connections import Answer, Command, Server, after_fork, options

PAUSE: Final = 0.1
"""Seconds between two searches for the primary."""
ELSEWHERE: Final = (
    AskError,  # MovedError is one
    exceptions.ClusterDownError,  # MasterDownError is one
    exceptions.ReadOnlyError,
    exceptions.TryAgainError,
)
"""Refusals that mean that another server has to answer the request, or this one later."""
LOOKS: Final = 4
"""The number of silent servers that a search for primaries can ask within the patience."""

Make = Callable[[str], Server]
T = TypeVar("T")


class Topology(ABC):
    """The servers at one address; each key is on one of them. A call raises `StoreAway` after a server's patience."""

    @abstractmethod
    def primary(self, key: str) -> Server:
        """The server that has a key."""

    @abstractmethod
    def primaries(self) -> Collection[Server]:
        """Every server that has keys of its own."""

    @abstractmethod
    def ask(self, key: str, *commands: Command) -> list[Answer]:
        """See `Server.ask`."""

    @abstractmethod
    def doubt(self, server: Server | None = None) -> None:
        """Look up the primaries again before the next call, since a server may have lost its role."""

    @abstractmethod
    def close(self) -> None:
        """Close the idle connections; the next call opens new ones."""


class OneServer(Topology):
    """A server that has every key."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def primary(self, _key: str) -> Server:
        """The server."""
        return self._server

    def primaries(self) -> Collection[Server]:
        """The server."""
        return (self._server,)

    def ask(self, _key: str, *commands: Command) -> list[Answer]:
        """See `Server.ask`."""
        return self._server.ask(*commands)

    def doubt(self, _server: Server | None = None) -> None:
        """Nothing to look up: there is no other server."""

    def close(self) -> None:
        """See `Topology.close`."""
        self._server.close()


class Redirect(NamedTuple):
    """Another server that has a key; `needs_asking`: it answers only after `ASKING`."""

    server: Server
    needs_asking: bool


class Failover(Topology, Generic[T]):
    """Servers with failover. A call looks up the primaries again once they are in doubt."""

    def __init__(self, address: RedisUrl, make: Make, patience: float) -> None:
        self._address = address
        self._make = make
        self._patience = patience
        self._servers: dict[tuple[str, int], Server] = {}
        self.reset_after_fork()
        after_fork(self)

    def reset_after_fork(self) -> None:
        """Drop all servers and connections, because this process was forked."""
        self._lock = threading.Lock()
        self._primary_source: T | None = None
        self._is_doubtful = False
        self._failed_server: Server | None = None

    def ask(self, key: str, *commands: Command) -> list[Answer]:
        """See `Server.ask`; asks the server that has the key now."""
        return self._send_until_answered(key, commands)

    def doubt(self, server: Server | None = None) -> None:
        """See `Topology.doubt`."""
        self._failed_server = server
        self._is_doubtful = True

    def close(self) -> None:
        """See `Topology.close`."""
        for server in list(self._servers.values()):
            server.close()

    @abstractmethod
    def _find_primaries(self, previous: T | None, failed: Server | None) -> T:
        """Find the primaries; `previous` is the last result. Raises `StoreAway`."""

    def _look_up(self) -> T:
        """The primaries, cached unless in doubt. Raises `StoreAway`."""
        if self._primary_source is not None and not self._is_doubtful:
            return self._primary_source
        lock = self._lock
        if not lock.acquire(timeout=self._patience):
            raise StoreAway("it is not known yet which Redis server is a primary")
        try:
            if self._primary_source is None or self._is_doubtful:
                self._primary_source = self._find_primaries(self._primary_source, self._failed_server)
                self._is_doubtful = False
            return self._primary_source
        finally:
            lock.release()

    def server(self, host: str, port: int) -> Server:
        """The server at an address, a primary or not."""
        server = self._servers.get((host, port))
        if server is None:
            server = self._servers.setdefault((host, port), self._make(self._address.server_url(host, port)))
        return server

    def _send_until_answered(self, key: str, commands: Sequence[Command]) -> list[Answer]:
        """Send to the primary of a key until one answers, for at most the patience."""
        since = time.monotonic()
        where: Redirect | None = None
        while True:
            server: Server | None = None
            problem: Exception | None
            try:
                server, needs_asking = where or (self.primary(key), False)
                answers = _ask(server, commands, needs_asking)
                problem = _elsewhere(answers[0])
                if problem is None:
                    return answers
            except StoreAway as away:
                problem = away
            if time.monotonic() - since >= self._patience:
                self.doubt(server)
                raise StoreAway(str(problem)) from problem
            where = self._redirect(problem) if where is None else None
            if where is None:
                time.sleep(PAUSE)
            if where is None or not where.needs_asking:
                self.doubt(server)

    def _redirect(self, problem: Exception) -> Redirect | None:
        """The server to which a refusal redirects: for good, or only this time, while the key moves."""
        if isinstance(problem, AskError) and problem.host:
            return Redirect(self.server(problem.host, problem.port), not isinstance(problem, MovedError))
        return None


class Sentinels(Failover[Server]):
    """A primary with replicas, one of which takes over when enough sentinels say so."""

    def reset_after_fork(self) -> None:
        """See `Failover.reset_after_fork`."""
        super().reset_after_fork()
        self._sentinels = Sentinel([])  # type: ignore[no-untyped-call]
        for url in self._address.sentinels():
            self._sentinels.sentinels.append(redis.Redis.from_url(url, **options(self._patience / LOOKS)))

    def primary(self, _key: str) -> Server:
        """The primary."""
        return self._look_up()

    def primaries(self) -> Collection[Server]:
        """The primary."""
        return (self._look_up(),)

    def close(self) -> None:
        """See `Topology.close`."""
        super().close()
        self._sentinels.close()

    def _find_primaries(self, previous: Server | None, _failed: Server | None) -> Server:
        try:
            host, port = self._sentinels.discover_master(self._address.name)  # type: ignore[no-untyped-call]
        except redis.RedisError as error:
            raise StoreAway(str(error)) from error
        primary = self.server(host, port)
        if previous is not None and previous is not primary:
            previous.close()
        return primary


class Cluster(Failover[NodesManager]):
    """A Redis Cluster: every key is on the primary of its slot."""

    def primary(self, key: str) -> Server:
        """The primary of the key's slot."""
        try:
            node = self._look_up().get_node_from_slot(key_slot(key.encode()))
        except RedisClusterException as error:
            self.doubt()
            raise StoreAway(str(error)) from error
        return self.server(node.host, node.port)

    def primaries(self) -> Collection[Server]:
        """The primaries of all slots."""
        return [self.server(node.host, node.port) for node in self._look_up().get_nodes_by_server_type("primary")]

    def close(self) -> None:
        """See `Topology.close`."""
        super().close()
        if self._primary_source is not None:
            self._primary_source.close()
            self._primary_source = None

    def _find_primaries(self, previous: NodesManager | None, failed: Server | None) -> NodesManager:
        try:
            if previous is None:
                return self._first_look()
            previous.initialize(list(self._address.hosts), last_failed_node_name=failed.name if failed else None)
        except (redis.RedisError, RedisClusterException) as error:
            raise StoreAway(str(error)) from error
        return previous

    def _first_look(self) -> NodesManager:
        url_options = parse_url(self._address.server_url(*self._address.hosts[0]))  # type: ignore[no-untyped-call]
        of_each = {name: value for name, value in url_options.items() if name not in {"host", "port", "db"}}
        nodes = [ClusterNode(*host) for host in self._address.hosts]  # type: ignore[no-untyped-call]
        return NodesManager(nodes, from_url=True, **of_each | options(self._patience / LOOKS))


def topology(address: RedisUrl, make: Make, patience: float) -> Topology:
    """The topology at a URL. Raises `BadSetting`."""
    if address.hosts:
        make(address.server_url(*address.hosts[0]))  # checks the address without connecting
    if address.kind == "cluster":
        return Cluster(address, make, patience)
    if address.kind == "sentinel":
        return Sentinels(address, make, patience)
    return OneServer(make(address.url))


def _ask(server: Server, commands: Sequence[Command], needs_asking: bool) -> list[Answer]:
    if not needs_asking:
        return server.ask(*commands)
    return server.ask(("ASKING",), *commands)[1:]


def _elsewhere(answer: Answer) -> ResponseError | None:
    """A refusal that another server has to answer, or this one later; None for every other answer."""
    if not isinstance(answer, ResponseError):
        return None
    return answer if isinstance(answer, ELSEWHERE) else None
