"""The URLs of Redis: one for a server, a cluster, or the sentinels that know a primary."""

from __future__ import annotations

import pytest

from service.redis_url import RedisUrl


@pytest.mark.parametrize("url", ["redis://one", "rediss://u:p@one:1/2?x=y", "unix:///run/redis.sock"])
def test_the_address_of_a_server_is_kept_as_it_is(url: str) -> None:
    """A server's address is passed to redis-py unchanged."""
    address = RedisUrl.of(url)
    assert (address.kind, address.url, address.has_replicas) == ("server", url, False)


def test_the_nodes_of_a_cluster_share_what_the_address_says() -> None:
    """User, password, TLS and options of a cluster's address apply to each node, named or not."""
    address = RedisUrl.of("rediss+cluster://user:p%40ss@one,two:7001,[::1]:7002?ssl_ca_certs=ca.pem")
    assert (address.kind, address.has_replicas) == ("cluster", True)
    assert address.hosts == (("one", 6379), ("two", 7001), ("::1", 7002))
    assert address.server_url("three", 7) == "rediss://user:p%40ss@three:7?ssl_ca_certs=ca.pem"
    assert address.server_url("::1", 7) == "rediss://user:p%40ss@[::1]:7?ssl_ca_certs=ca.pem"


def test_sentinels_have_a_password_of_their_own() -> None:
    """The address's user and password are for the servers; sentinels have their own password, or none."""
    address = RedisUrl.of("redis+sentinel://u:p@one,two:7/main?sentinel_password=s%2Fs&db=3")
    assert (address.kind, address.name, address.has_replicas) == ("sentinel", "main", True)
    assert address.sentinels() == ["redis://:s%2Fs@one:26379", "redis://:s%2Fs@two:7"]
    assert address.server_url("three", 7) == "redis://u:p@three:7?db=3"
    assert RedisUrl.of("redis+sentinel://u:p@one/main").sentinels() == ["redis://one:26379"]
