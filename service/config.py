"""The settings of a running service, all read from the environment.

=======================  ======================  ==============================================================
variable                 default                 what it says
=======================  ======================  ==============================================================
``REDIS_URL``            none: a private Redis   where the logs are: ``redis://``, ``rediss://`` or ``unix://``;
                                                 for more servers ``redis+cluster://`` or ``redis+sentinel://``
``PORT``                 8000                    the port that ``bastide serve`` listens on
``BASTIDE_BIND``         0.0.0.0                 the address that it listens on: of IPv4 any, here; ``::`` for any
``BASTIDE_HOSTS``        this machine's names    the names and addresses it answers to, by commas; ``*`` for any
``BASTIDE_ORIGINS``      none                    whose pages may use the API with a bearer key: origins such as
                                                 ``https://club.example``, by commas
``BASTIDE_DATA``         the user's data folder  where a private Redis keeps the logs
``BASTIDE_MEMORY_MB``    a quarter, 256 to 4096  megabytes that a private Redis may take, of the machine's
``BASTIDE_ADMIN_URL``    ``REDIS_URL``           where ``bastide tables`` finds the logs, with a user who may list them
``BASTIDE_PROXIES``      0                       how many proxies in front are trusted to say who calls (X-Forwarded)
``BASTIDE_PROXY_NETS``   loopback and private    the networks in which these proxies are, by commas: nobody else is
                                                 believed, and each proxy of several has to be in one of them
``BASTIDE_LIMITS``       1                       how many times the usual requests are admitted; ``off`` for any
``BASTIDE_TTL_DAYS``     90                      how long a table is kept after its last entry; unused, 7 at most
``BASTIDE_GROUP_DAYS``   400                     how long a group of results is kept after its last one
``BASTIDE_REPLICAS``     0; 1 with several       how many replicas must have an entry before it counts
``BASTIDE_FSYNC``        always                  what Redis's ``appendfsync`` has to be: or ``everysec`` will do
``BASTIDE_WORKERS``      1                       worker processes
``BASTIDE_CACHE_MB``     128                     megabytes in which a worker remembers tables
``BASTIDE_CONNECTIONS``  2000                    connections of a worker; one address gets a quarter of them
``BASTIDE_METRICS``      none                    address and port of the metrics, such as ``127.0.0.1:9464``
=======================  ======================  ==============================================================
"""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Final, Literal, cast, get_args

from service.addresses import Address, Network, host_in_url
from service.redis_url import SHAPES, RedisUrl
from service.startup import DEPLOYMENT_VARIABLES, KUBERNETES, MARKS, VARIABLE_PREFIX, BadSetting, NoSetting

MAX_BODY: Final = 16 * 1024
"""Bytes of the largest request body that is read."""
MIN_MEMORY: Final = 256 * 2**20
MAX_MEMORY: Final = 4096 * 2**20
"""Bytes: some 120,000 games as docs/sizing.md has them."""
MAX_PORT: Final = 65_535
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104  # the phones at the table are to reach it
PRIVATE: Final = "127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7"
HOST: Final = re.compile(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\]")
HOSTS: Final = "names and addresses, by commas, without http:// and without a port, such as play.example.org or [::1]"
ADDRESS_AND_PORT: Final = re.compile(r"(?:([0-9.]+)|\[([0-9a-fA-F:.]+)\]):([1-9][0-9]{0,4})")
ORIGIN: Final = re.compile(r"https?://([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?")
ORIGINS: Final = (
    "origins in lower case, by commas, without a path, such as https://club.example or http://localhost:3000"
)
Fsync = Literal["always", "everysec"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings; see the table above. `redis_url` is empty for a private Redis."""

    redis_url: str
    port: int
    bind: Address
    hosts: tuple[str, ...]
    """The hosts that requests may name, in lower case; empty: any."""
    origins: tuple[str, ...]
    """The origins of other sites whose pages may use the API."""
    data: Path
    memory: int
    """Bytes that a private Redis may use."""
    admin_url: str
    """The URL by which the operator finds the logs; empty: the service's own."""
    proxies: int
    proxy_nets: tuple[Network, ...]
    limits: int
    """The factor of the limits; 0 turns them off."""
    ttl: timedelta
    group_ttl: timedelta
    replicas: int
    fsync: Fsync
    workers: int
    connections: int
    cache: int
    """Bytes."""
    metrics: tuple[Address, int] | None
    """The address and port of the metrics."""
    max_body: int = MAX_BODY

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read the settings. Raises `BadSetting`, also for an unknown setting, which may be a typing error."""
        noted = _RecordingEnvironment(environment)
        settings = cls._of(noted)
        if settings.replicas and not settings.redis_url:
            wanted = "0 while REDIS_URL is not set: a private Redis has no replicas"
            raise BadSetting("BASTIDE_REPLICAS", str(settings.replicas), wanted)
        allowed_names = noted.names | MARKS | DEPLOYMENT_VARIABLES
        own_names = (
            name for name in environment if name.startswith(VARIABLE_PREFIX) and not name.startswith(KUBERNETES)
        )
        if unknown := set(own_names) - allowed_names:
            raise NoSetting(sorted(unknown), sorted(name for name in noted.names if name.startswith(VARIABLE_PREFIX)))
        return settings

    @classmethod
    def _of(cls, environment: Mapping[str, str]) -> Settings:
        address = _address(environment, "REDIS_URL")
        admin = _address(environment, "BASTIDE_ADMIN_URL")
        bind = _bind(environment)
        return cls(
            redis_url=address.url if address else "",
            port=_number(environment, "PORT", 8000, 1, MAX_PORT),
            bind=bind,
            hosts=_hosts(environment, bind),
            origins=_origins(environment),
            data=Path(environment.get("BASTIDE_DATA") or _data_folder(environment)).expanduser(),
            memory=_number(environment, "BASTIDE_MEMORY_MB", usual_memory() // 2**20, 16, 1_000_000) * 2**20,
            admin_url=admin.url if admin else "",
            proxies=_number(environment, "BASTIDE_PROXIES", 0, 0, 9),
            proxy_nets=_networks(environment),
            limits=_limits(environment),
            ttl=timedelta(days=_number(environment, "BASTIDE_TTL_DAYS", 90, 1, 36500)),
            group_ttl=timedelta(days=_number(environment, "BASTIDE_GROUP_DAYS", 400, 1, 36500)),
            replicas=_number(environment, "BASTIDE_REPLICAS", 1 if address and address.has_replicas else 0, 0, 9),
            fsync=_fsync(environment),
            workers=_number(environment, "BASTIDE_WORKERS", 1, 1, 64),
            connections=_number(environment, "BASTIDE_CONNECTIONS", 2000, 16, 60000),
            cache=_number(environment, "BASTIDE_CACHE_MB", 128, 1, 1_000_000) * 2**20,
            metrics=_metrics(environment),
        )


class _RecordingEnvironment(Mapping[str, str]):
    """An environment that records the names that are read: those are the settings."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        return self._environment[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._environment)

    def __len__(self) -> int:
        return len(self._environment)


def _number(environment: Mapping[str, str], name: str, default: int, least: int, most: int, otherwise: str = "") -> int:
    value = environment.get(name, "").strip()
    if not value:
        return default
    if not (value.isascii() and value.isdigit() and least <= int(value) <= most):
        raise BadSetting(name, value, f"a whole number from {least} to {most}{otherwise}")
    return int(value)


def _limits(environment: Mapping[str, str]) -> int:
    if environment.get("BASTIDE_LIMITS", "").strip().lower() == "off":
        return 0
    return _number(environment, "BASTIDE_LIMITS", 1, 1, 1000, ", or off")


def _address(environment: Mapping[str, str], name: str) -> RedisUrl | None:
    value = environment.get(name, "").strip()
    try:
        return RedisUrl.of(value) if value else None
    except ValueError as error:
        raise BadSetting(name, value.rpartition("@")[2], SHAPES) from error


def usual_memory() -> int:
    """The default for the bytes of a private Redis: a quarter of the machine's memory, within bounds."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(max(machine // 4, MIN_MEMORY), MAX_MEMORY)


def _fsync(environment: Mapping[str, str]) -> Fsync:
    value = environment.get("BASTIDE_FSYNC", "").strip() or "always"
    if value not in get_args(Fsync):
        raise BadSetting("BASTIDE_FSYNC", value, " or ".join(get_args(Fsync)))
    return cast("Fsync", value)


def _bind(environment: Mapping[str, str]) -> Address:
    value = environment.get("BASTIDE_BIND", "").strip() or EVERYWHERE
    try:
        return ip_address(value[1:-1] if value.startswith("[") and value.endswith("]") else value)
    except ValueError:
        raise BadSetting("BASTIDE_BIND", value, "an address of this machine, such as 127.0.0.1 or ::") from None


def _metrics(environment: Mapping[str, str]) -> tuple[Address, int] | None:
    value = environment.get("BASTIDE_METRICS", "").strip()
    if not value:
        return None
    parts = ADDRESS_AND_PORT.fullmatch(value)
    try:
        found = parts and ip_address(parts[1] or parts[2])
    except ValueError:
        found = None
    if parts is None or found is None or int(parts[3]) > MAX_PORT:
        wanted = "an address of this machine and a port, such as 127.0.0.1:9464 or [::1]:9464"
        raise BadSetting("BASTIDE_METRICS", value, wanted)
    return found, int(parts[3])


def _networks(environment: Mapping[str, str]) -> tuple[Network, ...]:
    """The networks in a setting, or by default loopback and private ones (RFC 1918, RFC 4193)."""
    value = environment.get("BASTIDE_PROXY_NETS", "").strip() or PRIVATE
    try:
        return tuple(ip_network(each.strip()) for each in value.split(","))
    except ValueError:
        raise BadSetting("BASTIDE_PROXY_NETS", value, "networks, by commas, such as 10.0.0.0/8,fd00::/8") from None


def _names(environment: Mapping[str, str], variable: str) -> tuple[str, ...]:
    """The comma-separated values of a variable."""
    return tuple(name.strip() for name in environment.get(variable, "").split(",") if name.strip())


def _hosts(environment: Mapping[str, str], bind: Address) -> tuple[str, ...]:
    """The hosts in a setting, or by default those that reach this machine without any set-up."""
    hosts = tuple(map(_host, _names(environment, "BASTIDE_HOSTS")))
    if hosts:
        return () if "*" in hosts else hosts
    own = socket.gethostname().lower()
    address = lan_address(str(bind))
    return ("localhost", "127.0.0.1", "[::1]", own, f"{own}.local", *((address,) if address else ()))


def _origins(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The origins of other sites that may use the API, as browsers name them (RFC 6454, 6.1)."""
    origins = _names(environment, "BASTIDE_ORIGINS")
    for origin in origins:
        if not ORIGIN.fullmatch(origin):
            raise BadSetting("BASTIDE_ORIGINS", origin, ORIGINS)
    return origins


def _host(name: str) -> str:
    """A host as requests name it: in lower case, letters beyond ASCII as browsers send them (IDNA).

    Raises `BadSetting` for a text that no request names: a URL, a port, a star within a name.
    """
    dot = "." if name.startswith(".") else ""
    try:
        host = dot + name.removeprefix(".").lower().encode("idna").decode("ascii")
    except UnicodeError:
        host = ""
    if host != "*" and not HOST.fullmatch(host):
        raise BadSetting("BASTIDE_HOSTS", name, HOSTS)
    return host


def bind_error(address: Address, port: int) -> str | None:
    """Why the service cannot listen on a port of this machine, in the system's words; None if the port is free."""
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((str(address), port))
    except OSError as error:
        return error.strerror
    return None


def lan_address(bind: str) -> str | None:
    """The address by which other machines reach this one, if any, in the form for a link.

    `bind` is the address on which the service listens: a single one, all of IPv4 (``0.0.0.0``), or all (``::``).
    """
    bind_address = ip_address(bind)
    if not bind_address.is_unspecified:
        return None if bind_address.is_loopback else host_in_url(bind_address)
    ways = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
    found = (_outgoing_address(family, there) for family, there in ways[: 1 if bind_address.version == 4 else 2])
    return next((host_in_url(address) for address in found if address), None)


def _outgoing_address(family: socket.AddressFamily, there: str) -> Address | None:
    """This machine's address on the route to another one, if there is a route."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((there, 9))  # sends nothing: it only chooses the route
            address = ip_address(probe.getsockname()[0])
    except OSError:
        return None
    return None if address.is_loopback or address.is_unspecified else address


def _data_folder(environment: Mapping[str, str]) -> str:
    if sys.platform == "darwin":
        return "~/Library/Application Support/bastide"
    return str(Path(environment.get("XDG_DATA_HOME") or "~/.local/share") / "bastide")
