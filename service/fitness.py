"""Whether Redis is set up to keep what it was given, and what a confirmed move is worth there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from redis.exceptions import ResponseError

from service.config import Fsync
from service.connections import Server
from service.errors import StoreAway
from service.redis_url import RedisUrl
from service.startup import Unfit
from service.topology import Topology

OLDEST_SERVER: Final = 7


def examine(topology: Topology, address: RedisUrl, replicas: int, accepted: Fsync) -> list[str]:
    """Look at every primary; what is to be said at the start. Raises `Unfit`, `StoreAway`."""
    try:
        primaries = topology.primaries()
    except StoreAway as away:
        if "Cluster mode is not enabled" not in str(away):
            raise
        raise Unfit("REDIS_URL names a cluster, but Redis is none there: use redis://host:port.") from away
    infos = [_info(server) for server in primaries]
    kinds = {_durability(server, info, address, accepted) for server, info in zip(primaries, infos, strict=True)}
    said = [promise("everysec" if "everysec" in kinds else "always", replicas)]
    most = max(int(info.get("connected_slaves", 0)) for info in infos)
    if address.replicated and most > replicas:
        said.append(
            f"A primary has {_replicas(most)}: one that stands still and comes back may confirm moves that are lost. "
            f"With BASTIDE_REPLICAS={most} it cannot."
        )
    if "" in kinds:
        said.append("Redis does not show its settings: whether appendfsync is always could not be checked.")
    return said


def promise(fsync: Fsync, replicas: int) -> str:
    """What a confirmed move is worth."""
    reached = f"has reached {_replicas(replicas)}"
    if fsync == "always":
        return f"A confirmed move is on the disk of Redis{f' and {reached}' if replicas else ''}."
    unless = f", but {reached}" if replicas else ""
    return f"A confirmed move is on the disk of Redis a second later{unless}: a crash may lose that second."


def _replicas(count: int) -> str:
    return f"{count} replica{'s' if count > 1 else ''}"


def _info(server: Server) -> dict[str, str]:
    return dict(line.split(":", 1) for line in _asked(server, "INFO").decode().splitlines() if ":" in line)


def _durability(server: Server, info: Mapping[str, str], address: RedisUrl, accepted: Fsync) -> str:
    """How a server's disk is kept up with it: `always`, `everysec`, or empty if it does not say. Raises `Unfit`."""
    name = f"Redis at {server.name}" if server.name.strip(":") else "Redis"
    _fits_address(info, address, name)
    policy = info.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        raise Unfit(f"{name} is set to maxmemory-policy {policy}: it would drop games. Set it to noeviction.")
    version = info["redis_version"]
    if int(version.split(".")[0]) < OLDEST_SERVER:
        raise Unfit(f"{name} {version} is too old: {OLDEST_SERVER}.0 or later is needed.")
    if info.get("aof_enabled") == "0":
        raise Unfit(f"{name} is set to appendonly no: it would lose games when it ends. Set it to yes.")
    fsync = _fsync(server)
    if fsync == "no" or (fsync == "everysec" and accepted == "always"):
        accepting = " To accept everysec, set BASTIDE_FSYNC to everysec." if fsync == "everysec" else ""
        raise Unfit(f"{name} is set to appendfsync {fsync}: a crash would lose games. Set it to always.{accepting}")
    return fsync


def _fits_address(info: Mapping[str, str], address: RedisUrl, name: str) -> None:
    if address.kind != "server":
        return
    for mode, kind, shape in (
        ("cluster", "a node of a cluster", "host:port,…"),
        ("sentinel", "a sentinel", "host/name"),
    ):
        if mode in (info.get("redis_mode"), info.get("server_mode")):  # as Redis and as Valkey call it
            raise Unfit(f"{name} is {kind}: REDIS_URL has to be redis+{mode}://{shape} then.")


def _fsync(server: Server) -> str:
    try:
        answer = _asked(server, "CONFIG", "GET", "appendfsync")
    except StoreAway as away:
        if isinstance(away.__cause__, ResponseError):  # a managed service may forbid or rename CONFIG
            return ""
        raise
    return answer[1].decode() if answer else ""


def _asked(server: Server, *command: str) -> Any:
    answer = server.ask(command)[0]
    if isinstance(answer, ResponseError):
        raise StoreAway(str(answer)) from answer
    return answer
