"""Parses the URL of Redis: a single server, a cluster, or sentinels that know the primary."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

Kind = Literal["server", "cluster", "sentinel"]

PORTS: Final = {"cluster": 6379, "sentinel": 26379}
SHAPES: Final = (
    "redis://host:port, rediss://host:port, unix:///path, redis+cluster://host:port,host:port"
    " or redis+sentinel://host:port,host:port/name"
)
_OF_SENTINELS: Final = "sentinel_"


@dataclass(frozen=True, slots=True)
class RedisUrl:
    """A parsed URL of Redis. `hosts` are cluster nodes or sentinels; `name` is the sentinels' name of the primary.

    User and password are for the servers. Those for sentinels, if needed, are in the query as `sentinel_username` and
    `sentinel_password`. Other parameters of the query are options of redis-py.
    """

    url: str
    kind: Kind = "server"
    hosts: tuple[tuple[str, int], ...] = ()
    name: str = ""

    @classmethod
    def of(cls, url: str) -> RedisUrl:
        """Parse a URL. Raises `ValueError`."""
        authority, parts = _split(url)
        scheme, _, kind = parts.scheme.partition("+")
        if kind in PORTS and scheme in {"redis", "rediss"}:
            hosts = tuple(_host(each, PORTS[kind]) for each in authority.rpartition("@")[2].split(","))
            name = parts.path.strip("/")
            if bool(name) != (kind == "sentinel"):
                raise ValueError("the name of a primary belongs to sentinels, and they need one")
            return cls(url, "cluster" if kind == "cluster" else "sentinel", hosts, name)
        if kind or not url.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("no such scheme")
        urlsplit(url)  # one host: raises an error if its brackets are wrong
        return cls(url)

    @property
    def has_replicas(self) -> bool:
        """Whether the URL names a cluster or sentinels, where a replica replaces a lost primary."""
        return self.kind != "server"

    def server_url(self, host: str, port: int) -> str:
        """The URL of one of the servers."""
        return self._url_of(host, port, _split(self.url)[0].rpartition("@")[0], of_sentinels=False)

    def sentinels(self) -> list[str]:
        """The addresses of the sentinels."""
        query = dict(parse_qsl(_split(self.url)[1].query))
        user, password = (query.get(f"{_OF_SENTINELS}{each}", "") for each in ("username", "password"))
        login = f"{quote(user, safe='')}:{quote(password, safe='')}" if user or password else ""
        return [self._url_of(host, port, login, of_sentinels=True) for host, port in self.hosts]

    def _url_of(self, host: str, port: int, login: str, *, of_sentinels: bool) -> str:
        _, parts = _split(self.url)
        left_out = (_OF_SENTINELS, "db") if of_sentinels else (_OF_SENTINELS,)
        query = urlencode([pair for pair in parse_qsl(parts.query) if not pair[0].startswith(left_out)])
        shown = f"[{host}]" if ":" in host else host
        login = f"{login}@" if login else ""
        return f"{parts.scheme.partition('+')[0]}://{login}{shown}:{port}{query and f'?{query}'}"


def _split(url: str) -> tuple[str, SplitResult]:
    """The authority of a URL (RFC 3986: login and hosts), and the other parts.

    The authority stays whole: some releases of Python refuse a list of hosts that has an IPv6 address.
    """
    scheme, slashes, rest = url.partition("://")
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    return authority, urlsplit(f"{scheme}{slashes}{rest.removeprefix(authority)}")


def _host(text: str, port: int) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname or parts.path or parts.username is not None:
        raise ValueError("a host is missing")
    return parts.hostname, parts.port or port
