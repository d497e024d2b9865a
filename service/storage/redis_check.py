"""Checks that the settings of Redis preserve its data, and reports how safe a confirmed move is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from redis.exceptions import ResponseError

from service.config import Fsync
from service.errors import StoreAway
from service.redis_url import RedisUrl
from service.startup import Unfit
from service.storage.connections import Server
from service.storage.topology import Failover, Topology

OLDEST_SERVER: Final = 7
FULL: Final = 75
"""Per cent of a server's memory above which it opens no new log. The rest is for the existing logs."""
ON_REWRITE: Final = "no-appendfsync-on-rewrite"
FOLLOWER: Final = re.compile(r"^slave\d+:ip=([^,]+),port=(\d+)", re.MULTILINE)
"""A replica in a primary's `INFO`."""
NEVER: Final = "0"
"""The priority of a replica that never takes over."""


def examine(topology: Topology, address: RedisUrl, replicas: int, least_fsync: Fsync) -> list[str]:
    """Check every primary and the replicas that may take over. Returns lines to print. Raises `Unfit`, `StoreAway`."""
    found = _DurabilityReport(least_fsync)
    most, rooms = 0, list[str]()
    for primary in _primaries(topology):
        info = _info(primary)
        found.look(primary, info, address)
        _takes_moves(primary, info, address, replicas)
        most = max(most, int(info.get("connected_slaves", 0)))
        rooms += _room(primary, info)
        if isinstance(topology, Failover):
            for host, port in FOLLOWER.findall("\n".join(f"{name}:{value}" for name, value in info.items())):
                found.look_at_replica(topology.server(host, int(port)), address)
    lines = [*found.warnings(), *rooms, promise(found.fsync, replicas)]
    if address.has_replicas and most > replicas:
        lines.append(
            f"A primary has {_replicas(most)}: one that stands still and comes back may confirm moves that are lost. "
            f"With BASTIDE_REPLICAS={most} it cannot."
        )
    return lines


class _DurabilityReport:
    """How servers sync their files; `least_fsync` is the minimum."""

    def __init__(self, least_fsync: Fsync) -> None:
        self._least_fsync = least_fsync
        self._fsync_levels: set[str] = set()
        self._silent_servers: list[str] = []

    def look(self, server: Server, info: Mapping[str, str], address: RedisUrl) -> None:
        """Check a server. Raises `Unfit`, `StoreAway`."""
        self._fsync_levels.add(_durability(server, info, address, self._least_fsync))

    def look_at_replica(self, server: Server, address: RedisUrl) -> None:
        """Check a server that may take over: it must then preserve its primary's data. Raises `Unfit`."""
        try:
            info = _info(server)
            if info.get("slave_priority") != NEVER:
                self.look(server, info, address)
        except StoreAway:
            self._silent_servers.append(server.name)

    @property
    def fsync(self) -> Fsync:
        """How servers sync their files: as the worst one does, or `least_fsync` if one does not show it."""
        return self._least_fsync if self._fsync_levels - {"always"} else "always"

    def warnings(self) -> Iterator[str]:
        """A line for each check that was not possible."""
        if "" in self._fsync_levels:
            yield (
                f"Redis does not show its settings: that appendfsync is {self._least_fsync} and "
                "no-appendfsync-on-rewrite is no could not be checked, and what follows takes it for granted."
            )
        if self._silent_servers:
            servers = ", ".join(self._silent_servers)
            yield f"The settings of a replica that may take over could not be checked: {servers}."


def _primaries(topology: Topology) -> Collection[Server]:
    try:
        return topology.primaries()
    except StoreAway as away:
        if "Cluster mode is not enabled" not in str(away):
            raise
        raise Unfit("REDIS_URL names a cluster, but Redis is none there: use redis://host:port.") from away


def _takes_moves(server: Server, info: Mapping[str, str], address: RedisUrl, replicas: int) -> None:
    """Refuse a replica, and a primary with too few replicas. With failover, both may be temporary: `StoreAway`."""
    problem = ""
    if info.get("role") == "slave":
        primary = f"{info.get('master_host')}:{info.get('master_port')}"
        problem = f"{_name(server)} is a replica, which takes no moves: REDIS_URL has to name its primary, {primary}."
    elif (there := int(info.get("connected_slaves", 0))) < replicas:
        has = _replicas(there) if there else "no replica"
        problem = f"{_name(server)} has {has}, and BASTIDE_REPLICAS={replicas} wants more: no move would be confirmed."
    if problem:
        raise StoreAway(problem) if address.has_replicas else Unfit(problem)


def _room(server: Server, info: Mapping[str, str]) -> Iterator[str]:
    """The lines to print about a server's memory for new tables."""
    if "used_memory" not in info or "maxmemory" not in info:
        yield f"{_name(server)} does not show its memory: new tables are opened however full it is."
        return
    used, most = int(info["used_memory"]), int(info["maxmemory"])
    if most and used * 100 >= most * FULL:
        yield f"{_name(server)} has used {used * 100 // most} % of its maxmemory: from {FULL} % on no table is opened."


def promise(fsync: Fsync, replicas: int) -> str:
    """The promise that the start prints: how durable a confirmed move is."""
    reached = f"has reached {_replicas(replicas)}"
    if fsync == "always":
        return f"A confirmed move is on the disk of Redis{f' and {reached}' if replicas else ''}."
    unless = f", but {reached}" if replicas else ""
    return f"A confirmed move is on the disk of Redis a second later{unless}: a crash may lose that second."


def _replicas(count: int) -> str:
    return f"{count} replica{'s' if count > 1 else ''}"


def _info(server: Server) -> dict[str, str]:
    return dict(line.split(":", 1) for line in _ask_one(server, "INFO").decode().splitlines() if ":" in line)


def _durability(server: Server, info: Mapping[str, str], address: RedisUrl, least_fsync: Fsync) -> str:
    """When a server syncs its file to disk: `always`, `everysec`, or empty if it does not say. Raises `Unfit`."""
    name = _name(server)
    _fits_address(info, address, name)
    policy = info.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        raise Unfit(f"{name} is set to maxmemory-policy {policy}: it would drop games. Set it to noeviction.")
    version = info["redis_version"]
    if int(version.split(".")[0]) < OLDEST_SERVER:
        raise Unfit(f"{name} {version} is too old: {OLDEST_SERVER}.0 or later is needed.")
    if info.get("aof_enabled") == "0":
        raise Unfit(f"{name} is set to appendonly no: it would lose games when it ends. Set it to yes.")
    settings = _settings(server)
    fsync = settings.get("appendfsync", "")
    if fsync == "no" or (fsync == "everysec" and least_fsync == "always"):
        accepting = " To accept everysec, set BASTIDE_FSYNC to everysec." if fsync == "everysec" else ""
        raise Unfit(f"{name} is set to appendfsync {fsync}: a crash would lose games. Set it to always.{accepting}")
    if settings.get(ON_REWRITE) == "yes":
        raise Unfit(
            f"{name} is set to {ON_REWRITE} yes: a crash while it rewrites its file would lose games. Set it to no."
        )
    return fsync


def _fits_address(info: Mapping[str, str], address: RedisUrl, name: str) -> None:
    if address.kind != "server":
        return
    for mode, kind, shape in (
        ("cluster", "a node of a cluster", "host:port,…"),
        ("sentinel", "a sentinel", "host/name"),
    ):
        if mode in (info.get("redis_mode"), info.get("server_mode")):  # Redis's name and Valkey's
            raise Unfit(f"{name} is {kind}: REDIS_URL has to be redis+{mode}://{shape} then.")


def _settings(server: Server) -> dict[str, str]:
    """The settings that `INFO` omits; empty if the server does not show them."""
    try:
        answer = _ask_one(server, "CONFIG", "GET", "appendfsync", ON_REWRITE)
    except StoreAway as away:
        if isinstance(away.__cause__, ResponseError):  # a managed service may forbid or rename CONFIG
            return {}
        raise
    words = [word.decode() for word in answer]
    return dict(zip(words[::2], words[1::2], strict=True))


def _name(server: Server) -> str:
    return f"Redis at {server.name}" if server.name.strip(":") else "Redis"


def _ask_one(server: Server, *command: str) -> Any:
    answer = server.ask(command)[0]
    if isinstance(answer, ResponseError):
        raise StoreAway(str(answer)) from answer
    return answer
