"""The service's Redis user may run exactly the commands that the service sends."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest

import service
from service.cli import commands
from service.errors import StoreAway
from service.storage.backup import StoredLog
from service.storage.inventory import Inventory, NotAllowed
from service.storage.ledger import Ledger
from tests.support.api import V1, Api, application
from tests.support.redis_call import redis_call
from tests.support.redis_server import RedisServer, durable_options
from tests.support.redis_user import OTHER, PASSWORD, RULES, TABLE, _open, use_everything

LUA: Final = Path(service.__file__).parent / "storage" / "lua"
OF_A_CLUSTER: Final = {"asking", "cluster|slots"}
"""Commands that are only sent to clusters: see test_ledger_failover.py."""


def allowed_commands(user: str = "bastide") -> set[str]:
    """The commands that a user may run."""
    [rules] = re.findall(rf"^user {user} (.*)$", RULES, re.MULTILINE)
    return set(re.findall(r" \+(\S+)", rules))


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
    """The server's address with the service's user."""
    return f"unix://bastide:{PASSWORD}@{server.socket}"


def test_the_user_may_do_what_the_service_does_and_no_more(server: RedisServer, url: str) -> None:
    """The user may run exactly what the ledger and its scripts send."""
    server.ask("SCRIPT", "FLUSH")
    server.ask("CONFIG", "RESETSTAT")
    use_everything(url, 0)
    with closing(Ledger(url, replicas=1)) as careful, suppress(StoreAway):
        _open(careful, "W" * 22)  # there is no replica
    sent = set(re.findall(r"cmdstat_(\S+?):", server.text_of("INFO", "commandstats")))
    assert sent - {"auth", "config|resetstat"} == allowed_commands() - OF_A_CLUSTER
    assert server.ask("ACL", "LOG") == []


def test_every_command_of_a_script_is_allowed() -> None:
    """The user may run every command of the scripts; that of backups is for the admin user."""
    called = {path.stem: known_to(path.stem) for path in LUA.glob("*.lua")}
    assert called.pop("dump") <= allowed_commands("bastide-admin")
    assert len(set().union(*called.values())) > 5
    assert set().union(*called.values()) <= allowed_commands()


@pytest.mark.parametrize(
    "command",
    [
        "FLUSHALL",
        "KEYS *",
        "SCAN 0",
        "MEMORY USAGE {t:x}:log",
        "XREVRANGE {t:x}:log + -",
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
    """The server's Redis user can run no other command, and cannot read the keys of other programs."""
    with closing(Ledger(url)) as ledger, pytest.raises(StoreAway, match="permission"):
        redis_call(ledger, *command.split())
    server.ask("ACL", "LOG", "RESET")


# --- an outdated ACL file -----------------------------------------------------------------------------------------


def known_to(lua: str) -> set[str]:
    """The Redis commands in a script."""
    return {name.lower() for name in re.findall(r"redis\.p?call\('(\w+)'", (LUA / f"{lua}.lua").read_text())}


OF_LIMITS: Final = (
    " ~{l:*",
    *(f" +{each}" for each in sorted(known_to("limit") - known_to("append") - {"time", "del", "lpop"})),
)
"""The rights that only the limits need; `LPOP` is not called before a limit's period is over."""


@pytest.fixture
def older(server: RedisServer, request: pytest.FixtureRequest) -> Iterator[str]:
    """The server's address with a user of an older ACL file, which lacks some rights."""
    [rules] = re.findall(r"^user bastide (.*)$", RULES, re.MULTILINE)
    rule = f" {rules} "
    for lacking in request.param:
        assert f"{lacking} " in rule
        rule = rule.replace(f"{lacking} ", " ")
    server.ask("FLUSHALL")
    server.ask("ACL", "SETUSER", "older", *rule.split())
    yield f"unix://older:{PASSWORD}@{server.socket}"
    server.ask("ACL", "DELUSER", "older")
    server.ask("ACL", "LOG", "RESET")


def kept_from_limits(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The warnings in the log."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("older", [*((each,) for each in OF_LIMITS), OF_LIMITS], ids=str, indirect=True)
def test_play_goes_on_where_only_limits_are_not_allowed(older: str, caplog: pytest.LogCaptureFixture) -> None:
    """If only the limits lack rights, one warning says what to do; workers count by themselves, and moves can be
    played.
    """
    api = Api(application(older, BASTIDE_LIMITS="1"))
    table = api.open()
    assert api.play(table, "r b9c9", version=1).status_code == 201
    assert api.get(table.path, key=table.watch).status_code == 200
    assert api.get("/readyz").status_code == 200
    opened = [api.post(f"{V1}/tables", {"game": "villefranche"}).status_code for _ in range(10)]
    assert opened == [201] * 9 + [429]
    [said] = kept_from_limits(caplog)
    assert "Limits" in said
    assert "deploy/users.acl" in said


@pytest.mark.parametrize("older", [()], ids=["nothing"], indirect=True)
def test_where_nothing_is_lacking_nothing_is_said(older: str, caplog: pytest.LogCaptureFixture) -> None:
    """The control: with all rights, there is no warning."""
    api = Api(application(older, BASTIDE_LIMITS="1"))
    assert api.play(api.open(), "r b9c9", version=1).status_code == 201
    assert kept_from_limits(caplog) == []


@pytest.mark.parametrize("older", [(" +xadd",)], ids=["xadd"], indirect=True)
def test_a_user_who_may_write_no_moves_is_not_ready(older: str, caplog: pytest.LogCaptureFixture) -> None:
    """Another control: without a right that play needs, moves cannot be written."""
    api = Api(application(older))
    assert api.post(f"{V1}/tables", {"game": "villefranche"}).status_code == 503
    assert "Moves cannot be written" in kept_from_limits(caplog)[0]


# --- the admin user ----------------------------------------------------------------------------------------------


@pytest.fixture
def admin_url(server: RedisServer) -> str:
    """The server's address with the admin user."""
    return f"unix://bastide-admin:{quote(OTHER)}@{server.socket}"


@pytest.mark.parametrize("words", [["list"], ["weigh"], ["delete", "D" * 22, "--yes"]], ids=lambda words: words[0])
def test_a_file_without_who_runs_it_is_named(
    words: list[str], server: RedisServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If Redis does not know the admin user, the command names the user and the file."""
    monkeypatch.setenv("BASTIDE_ADMIN_URL", f"unix://nobody:{quote(OTHER)}@{server.socket}")
    assert commands.main(["tables", *words]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert "bastide-admin of deploy/users.acl" in said.err
    assert OTHER not in said.err
    server.ask("ACL", "LOG", "RESET")


def use_the_command(url: str, monkeypatch: pytest.MonkeyPatch, replicas: str, file: Path) -> None:
    """Run `bastide tables` and `backup` in every way, on two open tables."""
    monkeypatch.setenv("REDIS_URL", "unix:///nowhere")
    monkeypatch.setenv("BASTIDE_ADMIN_URL", url)
    monkeypatch.setenv("BASTIDE_REPLICAS", replicas)
    assert commands.main(["backup", str(file)]) == 0
    for words in (["list"], ["weigh"], ["delete", "D" * 22, "--yes"]):
        assert commands.main(["tables", *words]) == (1 if replicas != "0" and words[0] == "delete" else 0), words


def test_who_runs_it_may_do_what_the_command_does_and_no_more(
    server: RedisServer, url: str, admin_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The admin user may run exactly what `bastide tables` and `backup` send."""
    server.ask("FLUSHALL")
    with closing(Ledger(url)) as ledger:
        _open(ledger, "D" * 22)
        _open(ledger, TABLE)
    server.ask("SCRIPT", "FLUSH")
    server.ask("CONFIG", "RESETSTAT")
    server.ask("ACL", "LOG", "RESET")
    use_the_command(admin_url, monkeypatch, "0", tmp_path / "backup")
    with closing(Ledger(admin_url, replicas=1)) as careful, suppress(StoreAway):
        careful.delete(TABLE)  # there is no replica
    sent = set(re.findall(r"cmdstat_(\S+?):", server.text_of("INFO", "commandstats")))
    assert (
        sent - {"auth", "config|resetstat", "acl|log", "flushall"} == allowed_commands("bastide-admin") - OF_A_CLUSTER
    )
    assert server.ask("ACL", "LOG") == []


def test_the_service_may_restore(
    server: RedisServer, url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The service's own user can restore a backup."""
    server.ask("FLUSHALL")
    log = StoredLog("R" * 22, ("0",), {"open": "1 1 "}, 10_000, 20_000)
    (tmp_path / "backup").write_bytes(b'{"file":"bastide backup","format":1}\n' + log.line())
    monkeypatch.setenv("REDIS_URL", url)
    monkeypatch.setenv("BASTIDE_ADMIN_URL", "unix:///nowhere")
    assert commands.main(["restore", str(tmp_path / "backup")]) == 0
    with closing(Ledger(url)) as ledger:
        assert ledger.read(log.id) == [(1, b"0")]


def test_looking_for_keys_is_never_the_services() -> None:
    """The admin user's extra rights are those to find and weigh keys."""
    assert allowed_commands("bastide-admin") - allowed_commands() == {"hgetall", "memory|usage", "scan", "xrevrange"}


def test_the_service_hears_by_name_what_it_may_not(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the service's own user, the command names the refused right and the admin user, and lists nothing."""
    with closing(Inventory(url)) as stock, pytest.raises(NotAllowed, match="SCAN"):
        stock.logs()
    monkeypatch.setenv("REDIS_URL", url)
    assert commands.main(["tables"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert "may not run SCAN" in said.err
    assert "bastide-admin" in said.err
    assert PASSWORD not in said.err


@pytest.mark.parametrize(
    "command", ["FLUSHALL", "KEYS *", "XADD {t:x}:log * a b", "HSET {t:x}:idem a b", "SET other 1", "CONFIG GET dir"]
)
def test_whatever_else_is_refused_to_who_runs_it(server: RedisServer, admin_url: str, command: str) -> None:
    """The admin user can write neither a log nor another program's keys."""
    with closing(Ledger(admin_url)) as ledger, pytest.raises(StoreAway, match="permission"):
        redis_call(ledger, *command.split())
    server.ask("ACL", "LOG", "RESET")
