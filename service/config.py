"""The settings of a running service, all from the environment.

=======================  ======================  ==============================================================
variable                 default                 what it says
=======================  ======================  ==============================================================
``REDIS_URL``            none: a private Redis   where the logs are: ``redis://``, ``rediss://`` or ``unix://``;
                                                 for more servers ``redis+cluster://`` or ``redis+sentinel://``
``PORT``                 8000                    the port that ``bastide serve`` listens on
``BASTIDE_HOSTS``        this machine's names    the names and addresses it answers to, by commas; ``*`` for any
``BASTIDE_DATA``         the user's data folder  where a private Redis keeps the logs
``BASTIDE_PROXIES``      0                       how many proxies in front are trusted to say who calls (X-Forwarded)
``BASTIDE_LIMITS``       1                       how many times the usual requests are admitted; ``off`` for any
``BASTIDE_TTL_DAYS``     90                      how long a table is kept after its last entry
``BASTIDE_GROUP_DAYS``   400                     how long a group of results is kept after its last one
``BASTIDE_REPLICAS``     0; 1 with several       how many replicas must have an entry before it counts
``BASTIDE_FSYNC``        always                  what Redis's ``appendfsync`` has to be: or ``everysec`` will do
``BASTIDE_WORKERS``      1                       worker processes
``BASTIDE_CACHE_MB``     128                     megabytes in which a worker remembers tables
``BASTIDE_CONNECTIONS``  2000                    connections of a worker; one address gets a quarter of them
=======================  ======================  ==============================================================
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final, Literal, cast, get_args

from service.redis_url import SHAPES, RedisUrl
from service.startup import BadSetting

MAX_BODY: Final = 16 * 1024
"""Bytes of the largest request body that is read."""
Fsync = Literal["always", "everysec"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings; see the table above. `redis_url` is empty where a private Redis is wanted."""

    redis_url: str
    port: int
    hosts: tuple[str, ...]
    """The hosts it answers to, in lower case; empty: any."""
    data: Path
    proxies: int
    limits: int
    """What the limits are multiplied with; 0: there are none."""
    ttl: timedelta
    group_ttl: timedelta
    replicas: int
    fsync: Fsync
    workers: int
    connections: int
    cache: int
    """Bytes."""
    max_body: int = MAX_BODY

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read the settings. Raises `BadSetting`."""
        address = _address(environment)
        return cls(
            redis_url=address.url if address else "",
            port=_number(environment, "PORT", 8000, 1, 65535),
            hosts=_hosts(environment),
            data=Path(environment.get("BASTIDE_DATA") or _data_folder(environment)).expanduser(),
            proxies=_number(environment, "BASTIDE_PROXIES", 0, 0, 9),
            limits=_limits(environment),
            ttl=timedelta(days=_number(environment, "BASTIDE_TTL_DAYS", 90, 1, 36500)),
            group_ttl=timedelta(days=_number(environment, "BASTIDE_GROUP_DAYS", 400, 1, 36500)),
            replicas=_number(environment, "BASTIDE_REPLICAS", 1 if address and address.replicated else 0, 0, 9),
            fsync=_fsync(environment),
            workers=_number(environment, "BASTIDE_WORKERS", 1, 1, 64),
            connections=_number(environment, "BASTIDE_CONNECTIONS", 2000, 16, 60000),
            cache=_number(environment, "BASTIDE_CACHE_MB", 128, 1, 1_000_000) * 2**20,
        )


def _number(environment: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    value = environment.get(name, "").strip()
    if not value:
        return default
    if not (value.isascii() and value.isdigit() and least <= int(value) <= most):
        raise BadSetting(name, value, f"a number from {least} to {most}")
    return int(value)


def _limits(environment: Mapping[str, str]) -> int:
    if environment.get("BASTIDE_LIMITS", "").strip().lower() == "off":
        return 0
    return _number(environment, "BASTIDE_LIMITS", 1, 1, 1000)


def _address(environment: Mapping[str, str]) -> RedisUrl | None:
    value = environment.get("REDIS_URL", "").strip()
    try:
        return RedisUrl.of(value) if value else None
    except ValueError as error:
        raise BadSetting("REDIS_URL", value, SHAPES) from error


def _fsync(environment: Mapping[str, str]) -> Fsync:
    value = environment.get("BASTIDE_FSYNC", "").strip() or "always"
    if value not in get_args(Fsync):
        raise BadSetting("BASTIDE_FSYNC", value, " or ".join(get_args(Fsync)))
    return cast("Fsync", value)


def _hosts(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The hosts that are named, or those by which this machine is reached without any set-up."""
    named = tuple(_host(name.strip()) for name in environment.get("BASTIDE_HOSTS", "").split(",") if name.strip())
    if named:
        return () if "*" in named else named
    own = socket.gethostname().lower()
    address = lan_address()
    return ("localhost", "127.0.0.1", "[::1]", own, f"{own}.local", *((address,) if address else ()))


def _host(name: str) -> str:
    """A host as requests name it: in lower case, letters beyond ASCII as browsers send them (IDNA)."""
    dot = "." if name.startswith(".") else ""
    try:
        return dot + name.removeprefix(".").lower().encode("idna").decode("ascii")
    except UnicodeError:
        raise BadSetting("BASTIDE_HOSTS", name, "names and addresses, by commas") from None


def lan_address() -> str | None:
    """The address by which other machines of the network reach this one, if it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the way out
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith(("127.", "0.")) else address


def _data_folder(environment: Mapping[str, str]) -> str:
    if sys.platform == "darwin":
        return "~/Library/Application Support/bastide"
    return str(Path(environment.get("XDG_DATA_HOME") or "~/.local/share") / "bastide")
