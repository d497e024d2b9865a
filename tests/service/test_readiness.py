"""Readiness fails for as long as moves cannot be written, whatever the reason, and the log names the reason once."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import redis

from service.errors import StoreAway
from service.storage import readiness
from service.storage.connections import Server
from service.storage.ledger import Ledger
from service.storage.readiness import Hindrance, Readiness
from tests.chaos.shims import FULL_DISK, NoCompiler, shim
from tests.support.api import Api, OpenTable, application
from tests.support.redis_server import RedisServer, durable_options, free_ports, until
from tests.support.service_process import ServiceProcess

Start = Callable[..., RedisServer]
Caplog = pytest.LogCaptureFixture


@pytest.fixture(autouse=True)
def asked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off the cache of the store's state, so that no test waits a second."""
    monkeypatch.setattr(readiness, "CACHE_SECONDS", 0)


def write_problems(caplog: Caplog) -> list[str]:
    """The log's messages about moves that cannot be written, without details."""
    lines = (record.getMessage() for record in caplog.records if record.name == readiness.__name__)
    return [re.sub(r"^(Moves cannot be written, [a-z-]+): .*", r"\1", line) for line in lines]


def red_and_green(name: str) -> list[str]:
    return [f"Moves cannot be written, {name}", f"Moves could not be written, {name}: that has ended."]


def statuses(api: Api) -> tuple[int, int]:
    """The statuses of readiness for moves and for rulings."""
    return api.get("/readyz").status_code, api.get("/readyz?for=rulings").status_code


def test_an_answer_of_the_store_stands_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is asked at most once a second, however many ask for readiness."""
    monkeypatch.undo()
    looks: list[int] = []
    now = 100.0

    def look() -> None:
        looks.append(1)

    ready = Readiness(look, lambda: now)
    for _ in range(50):
        assert ready.hindrance() is None
    assert len(looks) == 1
    now += readiness.CACHE_SECONDS
    ready.hindrance()
    assert len(looks) == 2


class Breaking:
    """A remote Redis, healthy or not, whose writes may break off; with its own clock."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.hindrance: Hindrance | None = None
        self.ready = Readiness(lambda: self.hindrance, lambda: self.seconds)

    def write(self, *, breaks: bool) -> None:
        with suppress(StoreAway), self.ready.track_use(writing=True):
            if breaks:
                raise StoreAway("Connection lost") from redis.ConnectionError()

    def red_for(self) -> int:
        """Seconds until it is ready again."""
        start = self.seconds
        while self.ready.hindrance() is not None:
            self.seconds += 1
            assert self.seconds < start + 10_000
        return int(self.seconds - start)


def test_a_write_that_breaks_off_again_counts_for_longer(caplog: Caplog) -> None:
    """Each write that breaks off doubles the time that readiness fails, up to ten minutes. Only a write that succeeds
    resets it.
    """
    store = Breaking()
    found = []
    for _ in range(9):
        store.write(breaks=True)
        found.append(store.red_for())
    assert found == [10, 20, 40, 80, 160, 320, 600, 600, 600]
    unknown = "Moves could not be written, write-broke-off: not seen again, and nothing was written since."
    lines = write_problems(caplog)
    assert (lines.count(unknown), lines.count(red_and_green("write-broke-off")[1])) == (9, 0)
    assert "as on a full disk" in caplog.text
    store.write(breaks=True)
    store.ready.hindrance()
    store.write(breaks=False)
    assert store.ready.hindrance() is None
    assert write_problems(caplog)[-1] == red_and_green("write-broke-off")[1]
    store.write(breaks=True)
    assert store.red_for() == 10, "one that is done lets the next count as the first"


def test_writes_that_break_off_together_are_one() -> None:
    """Several writes that break off at once, or while Redis is away, count as one: the time does not double."""
    store = Breaking()
    store.hindrance = Hindrance("redis-away", "Connection refused")
    for _ in range(5):
        store.write(breaks=True)
        assert store.ready.hindrance() == store.hindrance
    store.hindrance = None
    assert store.red_for() == 10


def test_what_can_be_asked_is_named(redis_url: str) -> None:
    """`for` is `moves`, the default, or `rulings`; any other value or parameter is an error."""
    api = Api(application(redis_url))
    assert api.get("/readyz?for=moves").status_code == 200
    for query, kind in (("for=tea", "wrong-value"), ("of=moves", "unknown-field")):
        response = api.get(f"/readyz?{query}")
        assert response.status_code == 422
        assert response.get_json()["type"] == f"/problems/{kind}"


def test_a_store_that_is_away(own_redis: Start, caplog: Caplog) -> None:
    """While Redis is away, readiness fails for moves and not for rulings."""
    server = own_redis()
    api = Api(application(server.url))
    assert statuses(api) == (200, 200)
    server.kill()
    assert statuses(api) == (503, 200)
    server.start()
    assert statuses(api) == (200, 200)
    assert write_problems(caplog) == red_and_green("redis-away")


def set_to(name: str, value: str) -> Callable[[RedisServer], Any]:
    return lambda server: server.ask("CONFIG", "SET", name, value)


@pytest.mark.parametrize(
    ("name", "harm", "heal"),
    [
        ("memory-full", set_to("maxmemory", "1"), set_to("maxmemory", "0")),
        ("too-few-replicas", set_to("min-replicas-to-write", "1"), set_to("min-replicas-to-write", "0")),
        (
            "redis-read-only",
            lambda server: server.ask("REPLICAOF", "127.0.0.1", "1"),
            lambda server: server.ask("REPLICAOF", "NO", "ONE"),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_redis_refuses(
    name: str, harm: Callable[[RedisServer], Any], heal: Callable[[RedisServer], Any], own_redis: Start, caplog: Caplog
) -> None:
    """Readiness fails before anybody plays, while Redis refuses moves. The control: a move fails, and succeeds
    afterwards.
    """
    server = own_redis()
    api = Api(application(server.url))
    table = api.open()
    harm(server)
    assert statuses(api) == (503, 200)
    assert api.play(table, "r b9c9", version=1).status_code == 503
    heal(server)
    assert statuses(api) == (200, 200)
    assert api.play(table, "r b9c9", version=1).status_code == 201
    assert write_problems(caplog) == red_and_green(name)


def test_replicas_that_each_move_has_to_reach(own_redis: Start) -> None:
    """Readiness fails while a required replica is missing. The control: it recovers once one has joined."""
    [port] = free_ports(1)
    primary = own_redis(*durable_options(), "--port", str(port), "--repl-diskless-sync-delay", "0")
    with closing(Ledger(primary.url, replicas=1)) as ledger:
        found = ledger.hindrance()
        assert found == Hindrance("too-few-replicas", "Redis has 0, and BASTIDE_REPLICAS=1")
        own_redis(*durable_options(), "--replicaof", "127.0.0.1", str(port))
        until(lambda: ledger.hindrance() is None)


def test_a_snapshot_that_fails(own_redis: Start) -> None:
    """After a failed snapshot Redis refuses moves if it is configured to make snapshots; otherwise, the control, it
    does not.
    """
    server = own_redis(*durable_options(), "--dbfilename", "dump.rdb")
    (server.folder / "dump.rdb").mkdir()  # no file can take its place
    with closing(Ledger(server.url)) as ledger:
        server.ask("BGSAVE")
        until(lambda: "rdb_last_bgsave_status:err" in server.text_of("INFO", "persistence"))
        assert ledger.hindrance() is None
        assert ledger.append("T" * 22, 0, "a", [b"x"], "").last == 1
        server.ask("CONFIG", "SET", "save", "3600 1")
        found = ledger.hindrance()
        assert found is not None
        assert found.name == "disk-full"
        with pytest.raises(StoreAway, match="MISCONF"):
            ledger.append("T" * 22, 1, "b", [b"x"], "")


@pytest.fixture
def filling(tmp_path: Path) -> Iterator[tuple[Callable[..., RedisServer], Path]]:
    """Starts servers whose disk is full while a file exists."""
    full = tmp_path / "full"
    try:
        environment = os.environ | shim(FULL_DISK, tmp_path) | {"FULL_DISK": str(full)}
    except NoCompiler as missing:
        pytest.skip(str(missing))
    servers: list[RedisServer] = []

    def start(*options: str) -> RedisServer:
        servers.append(RedisServer(*options, environment=environment))
        return servers[-1].start()

    yield start, full
    for server in servers:
        server.close()


def count_try(api: Api, table: OpenTable) -> int:
    return api.play(table, "r b9c9", version=1, idempotency_key="once").status_code


linux = pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD and tmpfs are of Linux")


@linux
def test_a_full_disk_of_a_redis_that_tells(filling: tuple[Start, Path], caplog: Caplog) -> None:
    """With appendfsync everysec, Redis survives a full disk and reports it: readiness fails until Redis can write."""
    start, full = filling
    server = start("--appendonly", "yes", "--appendfsync", "everysec")
    api = Api(application(server.url, BASTIDE_FSYNC="everysec"))
    table = api.open()
    full.touch()
    count_try(api, table)  # it may succeed: Redis reports a moment later what did not reach the disk
    until(lambda: statuses(api) == (503, 200))
    full.unlink()
    until(lambda: statuses(api) == (200, 200))
    assert count_try(api, table) in (200, 201)
    assert write_problems(caplog) == red_and_green("disk-full")


@linux
def test_a_full_disk_of_a_redis_that_ends(filling: tuple[Start, Path]) -> None:
    """With appendfsync always, a write to a full disk ends Redis. Once restarted it looks healthy, but readiness still
    fails.
    """
    start, full = filling
    [port] = free_ports(1)
    server = start(*durable_options(), "--bind", "127.0.0.1", "--port", str(port))
    with closing(Ledger(f"redis://127.0.0.1:{port}")) as ledger:
        assert ledger.append("T" * 22, 0, "a", [b"x"], "").last == 1
        full.touch()
        with pytest.raises(StoreAway):
            ledger.append("T" * 22, 1, "b", [b"x"], "")
        assert server._process is not None
        assert server._process.wait(60) == 1, "it has ended by itself"
        server.start()
        found = ledger.hindrance()
        assert found is not None
        assert found.name == "write-broke-off"
        full.unlink()
        assert ledger.append("T" * 22, 1, "b", [b"x"], "").last == 2
        assert ledger.hindrance() is None


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A small file system of its own."""
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(folder)], check=False).returncode:
        pytest.skip("a file system of its own can be made by root only")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def on_small_disk(tmp_path: Path) -> Iterator[tuple[ServiceProcess, Path]]:
    """A service whose private Redis is on a small disk, and the path of a file to fill it with."""
    with small_disk(tmp_path / "disk") as disk:
        served = ServiceProcess(disk / "data", BASTIDE_LIMITS="off")
        yield served, disk / "filler"
        if served.process.poll() is None:
            served.end(signal.SIGINT)


@linux
def test_a_full_disk_of_a_private_redis(on_small_disk: tuple[ServiceProcess, Path]) -> None:
    """`bastide serve` on a full disk: readiness fails before anybody plays and while writes end Redis, and the log says
    so.
    """
    served, filler = on_small_disk
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    until(lambda: served.ask("GET", "/readyz")[0] == 503)
    opened = [served.ask("POST", "/api/v1/tables", {"game": "villefranche"})[0] for _ in range(20)]
    assert opened[-1] == 503, "what room was left is used up"
    assert served.ask("GET", "/readyz?for=rulings")[0] == 200
    assert served.ask("GET", "/readyz")[0] == 503
    filler.unlink()
    until(lambda: served.ask("GET", "/readyz")[0] == 200)
    served.table()
    served.process.send_signal(signal.SIGINT)
    told = served.until("Shutting down")
    assert any("Moves cannot be written, disk-full" in line for line in told)
    assert any("disk-full: that has ended." in line for line in told)
    assert served.end() == 0


def test_no_use_of_the_store_hides_what_is_in_the_way(own_redis: Start, caplog: Caplog) -> None:
    """Without any readiness check, the first failing request logs the reason once, and the first that succeeds logs its
    end.
    """
    server = own_redis()
    with closing(Ledger(server.url)) as ledger:
        ledger.append("T" * 22, 0, "a", [b"x"], "")
        server.kill()
        for _ in range(3):
            with pytest.raises(StoreAway):
                ledger.read("T" * 22)
        server.start()
        for _ in range(3):
            ledger.read("T" * 22)
    assert write_problems(caplog) == red_and_green("redis-away")
    assert all(record.levelno == logging.WARNING for record in caplog.records if record.name == readiness.__name__)


def test_a_redis_that_shows_no_settings_is_judged_by_the_rest(own_redis: Start) -> None:
    """If Redis refuses CONFIG, readiness still sees a full memory by INFO; nothing fails."""
    server = own_redis()
    server.ask("ACL", "SETUSER", "some", "on", ">x", "~*", "+@all", "-config")
    with closing(Ledger(f"unix://some:x@{server.socket}")) as ledger:
        assert ledger.hindrance() is None
        server.ask("CONFIG", "SET", "maxmemory", "1")
        found = ledger.hindrance()
        assert found is not None
        assert found.name == "memory-full"
    with closing(Server(server.url, patience=2)) as plain:
        assert plain.ask(("PING",)) == [b"PONG"]
