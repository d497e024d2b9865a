"""A primary, two replicas and three sentinels on loopback, that can be frozen, killed and started again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from tests.chaos.cluster import UNSENT, unsent
from tests.chaos.load import Load, Log
from tests.support.redis_server import Harm, RedisServer, durable_options, free_ports, harm, heal, until

NAME = "bastide"
SENTINELS = 3


class SentinelServers:
    """Three servers of which one is the primary, and three sentinels, two of which have to agree."""

    def __init__(self) -> None:
        self._ports = free_ports(2 * SENTINELS)
        self.servers = [self._server(port) for port in self._ports[:SENTINELS]]
        self.sentinels = [self._sentinel(port) for port in self._ports[SENTINELS:]]

    @property
    def url(self) -> str:
        """The address, by all sentinels."""
        return f"redis+sentinel://{','.join(f'127.0.0.1:{port}' for port in self._ports[SENTINELS:])}/{NAME}"

    def start(self) -> Self:
        """Start all; return once the sentinels know each other and both replicas."""
        for server in self.servers:
            server.start()
        for replica in self.servers[1:]:
            replica.ask("REPLICAOF", "127.0.0.1", self._ports[0])
        # A sentinel asks the primary for its replicas when it starts, then only every ten seconds.
        until(lambda: self.servers[0].text_of("INFO", "replication").count("state=online") == 2)
        for sentinel in self.sentinels:
            sentinel.start()
        self.until_whole()
        return self

    def until_whole(self) -> None:
        """Return once every sentinel knows the others and two replicas, and both follow the primary."""
        until(lambda: self.primary().text_of("INFO", "replication").count("state=online") == 2)
        until(
            lambda: all(
                "status=ok" in said and "slaves=2,sentinels=3" in said
                for said in (sentinel.text_of("INFO", "sentinel") for sentinel in self.sentinels)
            )
        )

    def primary(self) -> RedisServer:
        """The server that the first sentinel names."""
        _, port = self.sentinels[0].ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)
        return self.servers[self._ports.index(int(port))]

    def lose(self, way: Harm) -> None:
        """Kill or freeze the primary, and revive it once the sentinels have named another."""
        victim = self.primary()
        harm(victim, way)
        until(lambda: self.primary() is not victim)
        heal(victim, way)

    def lose_behind(self, write: Callable[[], Load]) -> Load:
        """Kill the primary while its replicas lag: freeze them, start a load, and kill once much of it is unsent.

        Return once another is named and the victim is restarted. The load is stopped after the kill.
        """
        victim = self.primary()
        replicas = [server for server in self.servers if server is not victim]
        for replica in replicas:
            harm(replica, "freeze")
        load = write()
        until(lambda: unsent(victim) >= UNSENT)
        harm(victim, "kill")
        for replica in replicas:
            heal(replica, "freeze")
        load.stop()
        until(lambda: self.primary() is not victim)
        heal(victim, "kill")
        return load

    def read(self, table: str) -> Log:
        """The log of a table, from the primary, without the ledger."""
        return self.primary().log(table)

    def close(self) -> None:
        for server in (*self.sentinels, *self.servers):
            server.close()

    @staticmethod
    def _server(port: int) -> RedisServer:
        options = ("--bind", "127.0.0.1", "--port", str(port), "--repl-diskless-sync-delay", "0")
        return RedisServer(*options, *durable_options())

    def _sentinel(self, port: int) -> RedisServer:
        config = (
            f"sentinel monitor {NAME} 127.0.0.1 {self._ports[0]} 2\n"
            f"sentinel down-after-milliseconds {NAME} 1500\n"
            f"sentinel failover-timeout {NAME} 6000\n"
        )
        return RedisServer("--sentinel", "--bind", "127.0.0.1", "--port", str(port), config=config)
