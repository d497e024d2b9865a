"""The private Redis: shared by all services on a folder, ended by the last, closed to other users."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from service.config import usual_memory
from service.startup import NoServer
from service.storage.ledger import Ledger
from service.storage.private_redis import supervisor
from service.storage.private_redis.supervisor import PrivateRedis
from tests.support.redis_call import redis_call

TABLE = "T" * 22


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A data folder; a server that a failed test leaves there is ended by its id."""
    folder = tmp_path / "data"
    yield folder
    redis = PrivateRedis(folder)
    if (folder / "server.pid").exists() and redis._server_lock() is None:
        os.kill(server_id(folder), signal.SIGKILL)


def server_id(folder: Path) -> int:
    return int((folder / "server.pid").read_text())


def runs(folder: Path) -> bool:
    """Whether a server runs in the folder, that is, holds its lock."""
    lock = PrivateRedis(folder)._server_lock()
    if lock is not None:
        os.close(lock)
    return lock is None


def setting(ledger: Ledger, name: str) -> str:
    return str(redis_call(ledger, "CONFIG", "GET", name)[1].decode())


def test_the_log_outlives_the_server(folder: Path) -> None:
    """Entries are still there after the server has ended and started again, several times."""
    for version in range(3):
        redis = PrivateRedis(folder)
        redis.start()
        ledger = Ledger(redis.url)
        assert ledger.append(TABLE, version, str(version), [b"x"], "").last == version + 1
        ledger.close()
        redis.stop()
        assert not runs(folder)


def test_it_keeps_every_entry_and_is_closed_to_others(folder: Path) -> None:
    """The private Redis writes each entry to disk before it acknowledges it, evicts none, opens no port, and admits its
    own user only.
    """
    redis = PrivateRedis(folder)
    redis.start()
    ledger = Ledger(redis.url)
    ledger.check()
    wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "port": "0"}
    assert {name: setting(ledger, name) for name in wanted} == wanted
    assert folder.stat().st_mode & 0o777 == 0o700
    assert redis.socket.stat().st_mode & 0o777 == 0o700
    ledger.close()
    redis.stop()


def test_its_memory_has_an_end(folder: Path) -> None:
    """`maxmemory` is the setting, or else a part of the machine's memory; in either case nothing is evicted."""
    for memory in (None, 64 * 2**20):
        redis = PrivateRedis(folder, memory)
        redis.start()
        with closing(Ledger(redis.url)) as ledger:
            assert int(setting(ledger, "maxmemory")) == (memory or usual_memory())
            assert setting(ledger, "maxmemory-policy") == "noeviction"
        redis.stop()


def test_the_setting_reaches_the_server(folder: Path) -> None:
    """The keeper starts Redis with the memory of `BASTIDE_MEMORY_MB`."""
    environment = os.environ | {"BASTIDE_MEMORY_MB": "48"}
    command = [sys.executable, "-m", "service.storage.private_redis.keeper", str(folder)]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as keeper:
        assert keeper.stdout is not None
        assert keeper.stdout.readline() == b"\n"
        with closing(Ledger(PrivateRedis(folder).url)) as ledger:
            assert int(setting(ledger, "maxmemory")) == 48 * 2**20
    assert keeper.returncode == 0


def test_two_starters_join_one_server_and_the_last_ends_it(folder: Path) -> None:
    """The second starter joins the first one's server, which ends only when both have stopped."""
    first, second = PrivateRedis(folder), PrivateRedis(folder)
    first.start()
    one = server_id(folder)
    second.start()
    assert server_id(folder) == one
    first.stop()
    assert runs(folder)
    with closing(Ledger(second.url)) as ledger:
        assert ledger.ping()
    second.stop()
    assert not runs(folder)


def test_many_starters_at_once_make_one_server(folder: Path) -> None:
    """Eight that start at once share one server; once all have stopped, none runs."""
    starters = [PrivateRedis(folder) for _ in range(8)]
    with ThreadPoolExecutor(8) as crowd:
        list(crowd.map(PrivateRedis.start, starters))
        assert sum(starter._process is not None for starter in starters) == 1
        list(crowd.map(PrivateRedis.stop, starters))
    assert not runs(folder)


def test_a_server_whose_starter_was_killed_is_found_again(folder: Path) -> None:
    """A server whose starter was killed is joined by the next starter, which ends it."""
    loaded = "import os, sys; from service.storage.private_redis.supervisor import *"
    start = f"{loaded}; PrivateRedis(Path(sys.argv[1])).start()"
    start_and_die = f"{start}; os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", start_and_die, folder], check=False).returncode == -signal.SIGKILL
    assert runs(folder)
    orphan = server_id(folder)
    redis = PrivateRedis(folder)
    redis.start()
    assert server_id(folder) == orphan
    redis.stop()
    assert not runs(folder)


def test_a_server_that_died_is_started_again(folder: Path) -> None:
    """A dead server is restarted with its log; one that runs is left alone."""
    redis = PrivateRedis(folder)
    redis.start()
    ledger = Ledger(redis.url)
    ledger.append(TABLE, 0, "open", [b"0"], "")
    assert not redis.restart_if_dead()
    assert redis._process is not None
    redis._process.kill()
    redis._process.wait()
    assert redis.restart_if_dead()
    assert ledger.read(TABLE) == [(1, b"0")]
    ledger.close()
    redis.stop()


def test_a_long_path_still_gets_a_socket(tmp_path: Path) -> None:
    """The path of a Unix socket must be short: for a long folder, the socket is in another private folder."""
    folder = tmp_path / ("long" * 30)
    redis, other = PrivateRedis(folder), PrivateRedis(folder)
    assert len(str(redis.socket)) <= supervisor.LONGEST_SOCKET
    assert redis.socket == other.socket
    redis.start()
    assert redis.socket.parent.stat().st_mode & 0o777 == 0o700
    redis.stop()
    redis.socket.parent.rmdir()


def test_without_a_server_on_the_path_the_bundled_one_is_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a `redis-server` on the path, the bundled Valkey is used."""
    monkeypatch.setattr("shutil.which", lambda _: None)
    redis = PrivateRedis(folder)
    redis.start()
    ledger = Ledger(redis.url)
    ledger.check()
    assert ledger.append(TABLE, 0, "open", [b"0", b"1"], "").last == 2
    assert b"valkey" in redis_call(ledger, "INFO", "server")
    ledger.close()
    redis.stop()


def test_without_any_server_it_is_said_what_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no server on the path and none bundled, the message names both solutions, and no lock remains."""
    with monkeypatch.context() as patch:
        patch.setattr("shutil.which", lambda _: None)
        patch.setattr("importlib.util.find_spec", lambda _: None)
        with pytest.raises(NoServer, match=r"apt install redis-server.*REDIS_URL"):
            PrivateRedis(folder).start()
    redis = PrivateRedis(folder)
    redis.start()
    redis.stop()


def test_a_server_that_ends_at_once_says_why(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message quotes the server's last line and names its log file."""
    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\necho first; echo No room on the disk; exit 1\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(NoServer, match=r"No room on the disk.*redis\.log"):
        PrivateRedis(folder).start()


def test_a_damaged_log_is_refused(folder: Path) -> None:
    """Redis does not start with a hole in its log; with the whole log, it does."""
    redis = PrivateRedis(folder)
    redis.start()
    ledger = Ledger(redis.url)
    for version in range(9):
        ledger.append(TABLE, version, str(version), [b"x" * 100], "")
    ledger.close()
    redis.stop()
    log = next((folder / "appendonlydir").glob("*.incr.aof"))
    whole = log.read_bytes()
    log.write_bytes(whole[:700] + whole[900:])
    with pytest.raises(NoServer, match="Redis ended"):
        PrivateRedis(folder).start()
    log.write_bytes(whole)
    redis.start()
    assert len(ledger.read(TABLE)) == 9
    ledger.close()
    redis.stop()


def test_a_folder_of_another_user_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of another user, or one that cannot be created, is refused with the name of the setting."""
    folder.mkdir()
    owner = os.getuid()
    with monkeypatch.context() as patch:
        patch.setattr("os.getuid", lambda: owner + 1)
        with pytest.raises(NoServer, match=r"belongs to another user.*BASTIDE_DATA"):
            PrivateRedis(folder).start()
    (folder / "file").touch()
    with pytest.raises(NoServer, match="BASTIDE_DATA"):
        PrivateRedis(folder / "file" / "data").start()


@pytest.mark.parametrize("joined", [False, True], ids=["tended", "joined"])
def test_a_server_killed_while_it_rewrites_its_file_is_started_again(folder: Path, joined: bool) -> None:
    """The child of a killed Redis, which still rewrites the file and holds its lock, is not taken for a server."""
    redis, other = PrivateRedis(folder), PrivateRedis(folder)
    redis.start()
    with closing(Ledger(redis.url)) as ledger:
        for number in range(60):
            ledger.append(f"{number:022}", 0, "open", [b"0"], "")
        redis_call(
            ledger, "CONFIG", "SET", "rdb-key-save-delay", 1_000_000
        )  # microseconds: the child takes three minutes
        redis_call(ledger, "BGREWRITEAOF")
        while b"aof_rewrite_in_progress:1" not in redis_call(ledger, "INFO", "persistence"):
            pass
        os.kill(server_id(folder), signal.SIGKILL)
        if joined:
            assert redis._process is not None
            redis._process.wait()
            other.start()
        else:
            while not redis.restart_if_dead():
                pass
        assert ledger.read("0" * 22) == [(1, b"0")]
    other.stop()
    redis.stop()
    assert not runs(folder)
