"""A Redis Cluster on loopback whose nodes can be frozen, killed and started again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count, permutations
from typing import Self

import redis
from redis.crc import key_slot

from tests.chaos.load import Load, Log
from tests.support.redis_server import Harm, RedisServer, durable_options, free_ports, harm, heal, until

SLOTS = 16384
PRIMARIES = 3
UNSENT = 1_000_000
"""Bytes that a primary has not sent to its replica: they are lost with it."""


def unsent(primary: RedisServer) -> int:
    """The bytes that a primary has not sent to the first of its replicas."""
    return int(primary.text_of("CLIENT", "LIST", "TYPE", "replica").partition(" omem=")[2].split()[0])


class Node(RedisServer):
    """A node of a cluster, on a port of loopback."""

    def __init__(self, port: int, bus: int, *options: str) -> None:
        super().__init__(
            *("--bind", "127.0.0.1", "--port", str(port), "--cluster-enabled", "yes", "--cluster-port", str(bus)),
            *("--cluster-node-timeout", "2000", "--repl-diskless-sync-delay", "0", *durable_options(), *options),
        )
        self.port, self.bus = port, bus


class ClusterServers:
    """Three primaries and a replica of each. `options` are for every node."""

    def __init__(self, *options: str) -> None:
        ports = free_ports(4 * PRIMARIES)
        self.nodes = [Node(port, bus, *options) for port, bus in zip(ports[::2], ports[1::2], strict=True)]

    @property
    def url(self) -> str:
        """The address, by two of the nodes."""
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes[::3])

    def start(self) -> Self:
        """Start all nodes and join them; return once each reports a healthy cluster."""
        for node in self.nodes:
            node.start()
        for number, node in enumerate(self.nodes):
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            if number < PRIMARIES:
                node.ask("CLUSTER", "ADDSLOTSRANGE", *self._slots(number))
        for one, other in permutations(self.nodes, 2):
            one.ask("CLUSTER", "MEET", "127.0.0.1", other.port, other.bus)
        for primary, replica in zip(self.nodes[:PRIMARIES], self.nodes[PRIMARIES:], strict=True):
            until(self._follows, replica, primary.text_of("CLUSTER", "MYID"))
        self.until_whole()
        return self

    def until_whole(self) -> None:
        """Return once every node reports a healthy cluster, and three of them follow a primary."""
        until(lambda: all("cluster_state:ok" in node.text_of("CLUSTER", "INFO") for node in self.nodes))
        until(
            lambda: (
                [node.text_of("INFO", "replication").count("master_link_status:up") for node in self.nodes].count(1)
                == PRIMARIES
            )
        )
        until(
            lambda: sum(node.text_of("INFO", "replication").count("state=online") for node in self.nodes) == PRIMARIES
        )

    def primary_of(self, table: str) -> Node:
        """The primary that has a table now."""
        return next(node for node in self.nodes if self._has(node, key_slot(f"{{t:{table}}}".encode())))

    def primaries(self) -> list[Node]:
        """The nodes that are primaries now."""
        return [node for node in self.nodes if "role:master" in node.text_of("INFO", "replication")]

    def replica_of(self, primary: Node) -> Node:
        """A node that follows a primary."""
        return next(
            node for node in self.nodes if f"master_port:{primary.port}\r" in node.text_of("INFO", "replication")
        )

    def lose(self, victim: Node, way: Harm) -> None:
        """Kill or freeze a primary, and revive it once another node has its slots."""
        slot = int(self._slots_of(victim)[0][0])
        harm(victim, way)
        self.until_taken_over(victim, slot)
        heal(victim, way)

    def lose_behind(self, victim: Node, write: Callable[[], Load]) -> Load:
        """Kill a primary whose replica lags: freeze the replica, start a load, and kill once much of it is unsent.

        Return once the replica has taken over, and the restarted victim knows it. The load is stopped after the kill.
        """
        slot = int(self._slots_of(victim)[0][0])
        replica = self.replica_of(victim)
        harm(replica, "freeze")
        load = write()
        until(lambda: unsent(victim) >= UNSENT)
        harm(victim, "kill")
        heal(replica, "freeze")
        load.stop()
        self.until_taken_over(victim, slot)
        heal(victim, "kill")
        until(lambda: not self._has(victim, slot))
        return load

    def until_taken_over(self, victim: Node, slot: int) -> None:
        """Return once another node has a slot that a victim had."""
        others = [node for node in self.nodes if node is not victim]
        until(lambda: any(self._has(node, slot) for node in others))

    def move(self, table: str, to: Node) -> Iterator[str]:
        """Move the slot of a table to another primary, key after key; the caller takes each next step."""
        key = f"{{t:{table}}}:"
        slot, source = key_slot(key.encode()), self.primary_of(table)
        ids = source.text_of("CLUSTER", "MYID"), to.text_of("CLUSTER", "MYID")
        to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0])
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1])
        yield "begun"
        for step, parts in (("partly", ("idem",)), ("all", ("log", "mark"))):
            keys = [f"{key}{part}" for part in parts]
            source.ask("MIGRATE", "127.0.0.1", to.port, "", 0, 5000, "KEYS", *keys)
            yield step
        for node in (to, source):
            node.ask("CLUSTER", "SETSLOT", slot, "NODE", ids[1])
        yield "done"

    def tables_on(self, primary: Node) -> Iterator[str]:
        """Ids of tables whose slots a node has."""
        for number in count():
            if self._has(primary, key_slot(f"{{t:{number:022}}}".encode())):
                yield f"{number:022}"

    def read(self, table: str) -> Log:
        """The log of a table, from the node that has it, without the ledger."""
        return self.primary_of(table).log(table)

    def close(self) -> None:
        for node in self.nodes:
            node.close()

    @staticmethod
    def _slots(number: int) -> Sequence[int]:
        return number * SLOTS // PRIMARIES, (number + 1) * SLOTS // PRIMARIES - 1

    @staticmethod
    def _follows(replica: Node, primary: str) -> bool:
        with suppress(redis.ResponseError):  # the replica does not know that node yet
            return bool(replica.ask("CLUSTER", "REPLICATE", primary))
        return False

    @staticmethod
    def _slots_of(node: Node) -> list[tuple[str, str]]:
        """The first and the last of each range of slots that a node has."""
        lines = node.text_of("CLUSTER", "NODES").splitlines()
        mine = next((line for line in lines if "myself,master" in line), "")
        ranges = [part.partition("-") for part in mine.split()[8:] if part[0] != "["]
        return [(first, last or first) for first, _, last in ranges]

    def _has(self, node: Node, slot: int) -> bool:
        return any(int(first) <= slot <= int(last) for first, last in self._slots_of(node))
