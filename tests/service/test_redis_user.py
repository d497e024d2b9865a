"""The user that the service needs in Redis: it may run the commands that the service sends, and no other."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import pytest

import service
from service.errors import StoreAway
from service.ledger import Ledger
from service.limits import Kind, Limit, Limiter, Per
from tests.redis_server import RedisServer, durable_options

TABLE: Final = "T" * 22
PASSWORD: Final = "secret"
OF_A_CLUSTER: Final = {"asking", "cluster|slots"}
"""Commands that only a cluster is sent: see test_ledger_failover.py."""
RULES: Final = (
    (Path(service.__file__).parents[1] / "deploy" / "users.acl")
    .read_text(encoding="utf-8")
    .replace("#SHA-256-OF-ITS-PASSWORD", f"#{hashlib.sha256(PASSWORD.encode()).hexdigest()}")
)


def allowed() -> set[str]:
    return set(re.findall(r" \+(\S+)", RULES))


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    """A durable server that knows the user."""
    server = RedisServer(*durable_options())
    users = server.folder / "users.acl"
    users.write_text(RULES)
    server.options = (*server.options, "--aclfile", str(users))
    yield server.start()
    server.close()


@pytest.fixture
def url(server: RedisServer) -> str:
    """The server's address for the user."""
    return f"unix://bastide:{PASSWORD}@{server.socket}"


def use_everything(url: str, replicas: int) -> None:
    """Call the ledger and the limiter in every way there is."""
    with closing(Ledger(url, replicas=replicas)) as ledger:
        ledger.check()
        hour = Limit(Kind.ASK, Per.ADDRESS, 2, 3600)
        limiter = Limiter(ledger, limits=[hour])
        for _ in range(3):
            limiter.count("somebody", [hour])
        for time in (1_000, 9_000_000, 1_000):  # what is old is thrown away; a clock may be set back
            Limiter(ledger, now=lambda time=time: time).count("somebody else", [hour])  # type: ignore[misc]  # bound now
        ledger.delete(_opened(ledger, "D" * 22))
        _opened(ledger, TABLE)
        ledger.append(TABLE, 0, "open", [b"0"], "")
        ledger.read(TABLE)
        ledger.expires_at(TABLE)
        assert ledger.wait(TABLE, 0, 60)
        assert ledger.ping()


def _opened(ledger: Ledger, table: str) -> str:
    ledger.append(table, 0, "open", [b"0"], "")
    return table


def test_the_user_may_do_what_the_service_does_and_no_more(server: RedisServer, url: str) -> None:
    """All that the ledger sends is allowed, and all that is allowed is sent by the ledger or its scripts."""
    server.ask("SCRIPT", "FLUSH")
    server.ask("CONFIG", "RESETSTAT")
    use_everything(url, 0)
    with closing(Ledger(url, replicas=1)) as careful, suppress(StoreAway):
        _opened(careful, "W" * 22)  # there is no replica
    sent = set(re.findall(r"cmdstat_(\S+?):", server.told("INFO", "commandstats")))
    assert sent - {"auth", "config|resetstat"} == allowed() - OF_A_CLUSTER
    assert server.ask("ACL", "LOG") == []


def test_every_command_of_a_script_is_allowed() -> None:
    """A script runs with the user's rights."""
    scripts = (Path(service.__file__).parent / "lua").glob("*.lua")
    called = {name.lower() for path in scripts for name in re.findall(r"redis\.p?call\('(\w+)'", path.read_text())}
    assert len(called) > 5
    assert called <= allowed()


@pytest.mark.parametrize(
    "command",
    [
        "FLUSHALL",
        "KEYS *",
        "SCAN 0",
        "CONFIG SET maxmemory-policy allkeys-lru",
        "CONFIG RESETSTAT",
        "CLIENT LIST",
        "ACL WHOAMI",
        "SCRIPT FLUSH",
        "SHUTDOWN NOSAVE",
        "REPLICAOF NO ONE",
        "MONITOR",
        "XTRIM {t:x}:log MAXLEN 0",
        "XRANGE other - +",
    ],
)
def test_whatever_else_is_refused(server: RedisServer, url: str, command: str) -> None:
    """Not even the keys of another program on the same Redis can be read."""
    with closing(Ledger(url)) as ledger, pytest.raises(StoreAway, match="permission"):
        ledger._call(*command.split())
    server.ask("ACL", "LOG", "RESET")
