"""Acknowledged entries survive a kill and a truncated file, and are on the replica, too, if one is required."""

from __future__ import annotations

import random
import shutil
import socket
import threading
from collections.abc import Callable
from contextlib import closing

import pytest

from service.errors import Expired, NoTable, StoreAway
from service.startup import NoServer
from service.storage.ledger import AppendResult, Ledger
from service.storage.private_redis.supervisor import bundled_program, server_options, server_program
from tests.support.loops import over
from tests.support.redis_call import redis_call
from tests.support.redis_server import RedisServer

WRITERS = 4
MOVES = 120
KILLS = 3
CUTS = 40


class Writer(threading.Thread):
    """Appends moves to its own table, each until it is acknowledged, and records them."""

    def __init__(self, number: int, url: str, running: threading.Event, told: threading.Semaphore) -> None:
        super().__init__()
        self.table = str(number) * 22
        self.acknowledged_entries: dict[int, bytes] = {}
        self._ledger, self._running, self._told = Ledger(url), running, told

    def run(self) -> None:
        for move in range(MOVES):
            payload = f"{self.table} {move}".encode()
            self.acknowledged_entries[self._append(move, payload).last] = payload
            self._told.release()
        self._ledger.close()

    def _append(self, move: int, payload: bytes) -> AppendResult:
        while True:
            self._running.wait()
            try:
                return self._ledger.append(self.table, move, f"move {move}", [payload], "")
            except StoreAway:
                continue


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(own_redis: Callable[..., RedisServer]) -> None:
    """Redis is killed three times while four writers append. Each acknowledged entry is stored once."""
    server = own_redis()
    running, told = threading.Event(), threading.Semaphore(0)
    running.set()
    writers = [Writer(number, server.url, running, told) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    for _ in range(KILLS):
        for _ in range(WRITERS * MOVES // (KILLS + 1)):
            told.acquire()
        running.clear()
        server.kill()
        server.start()
        running.set()
    for writer in writers:
        writer.join()
    ledger = Ledger(server.url)
    for writer in over(writers):
        assert dict(ledger.read(writer.table)) == writer.acknowledged_entries
        assert sorted(writer.acknowledged_entries) == list(range(1, MOVES + 1))
    ledger.close()


def test_the_kill_is_a_real_one(own_redis: Callable[..., RedisServer]) -> None:
    """The control: without a file, the server loses everything by the same kill."""
    server = own_redis("--appendonly", "no")
    ledger = Ledger(server.url)
    ledger.append("T" * 22, 0, "open", [b"0"], "")
    server.kill()
    server.start()
    with pytest.raises(NoTable):
        ledger.read("T" * 22)
    ledger.close()


def test_a_file_cut_anywhere_gives_a_beginning_of_the_log_or_no_server(own_redis: Callable[..., RedisServer]) -> None:
    """A file cut at forty random bytes gives the start of the log, in whole requests with their keys, or no server."""
    server = own_redis()
    ledger = Ledger(server.url)
    chance = random.Random(1)
    requests: list[tuple[int, list[bytes]]] = []
    version = 0
    for number in range(60):
        payloads = [f"{number}/{part}".encode() * chance.randint(1, 30) for part in range(chance.randint(1, 3))]
        ledger.append("T" * 22, version, f"key {number}", payloads, "")
        requests.append((version, payloads))
        version += len(payloads)
    ledger.close()
    server.kill()
    whole = next((server.folder / "appendonlydir").glob("*.incr.aof")).read_bytes()
    boundaries = {0, *(before + len(payloads) for before, payloads in requests)}
    expected = [payload for _, payloads in requests for payload in payloads]
    lengths = set()
    for _ in range(CUTS):
        found = _after_cut(server, whole[: chance.randrange(len(whole))], requests)
        if found is not None:
            assert found == expected[: len(found)]
            assert len(found) in boundaries
            lengths.add(len(found))
    assert len(lengths) > CUTS // 4, "the cuts fell into too few places to prove anything"


def _after_cut(server: RedisServer, rest: bytes, requests: list[tuple[int, list[bytes]]]) -> list[bytes] | None:
    """The log that a server finds in the rest of its file, or None when it does not start."""
    folder = server.folder / "cut"
    shutil.copytree(server.folder / "appendonlydir", folder / "appendonlydir")
    next((folder / "appendonlydir").glob("*.incr.aof")).write_bytes(rest)
    cut = RedisServer(*server_options(folder, folder / "s"), folder=folder)
    try:
        cut.start()
        with closing(Ledger(cut.url)) as ledger:
            return _log_and_keys(ledger, requests)
    except ChildProcessError:
        return None
    finally:
        cut.close()


def _log_and_keys(ledger: Ledger, requests: list[tuple[int, list[bytes]]]) -> list[bytes]:
    try:
        log = ledger.read("T" * 22)
    except NoTable:
        return []
    assert [number for number, _ in log] == list(range(1, len(log) + 1))
    for number, (before, payloads) in enumerate(requests):
        if before < len(log):
            assert ledger.append("T" * 22, before, f"key {number}", payloads, "").is_replay
    return [payload for _, payload in log]


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 0)], ids=["own to bundled", "bundled to own", "own to own"])
def test_a_rewritten_file_is_read_by_any_server(own_redis: Callable[..., RedisServer], order: tuple[int, int]) -> None:
    """Either server program reads a rewritten file: log, keys and lifetimes are the same."""
    programs = _programs()
    server = own_redis()
    server.kill()
    server.program = programs[order[0]]
    server.start()
    ledger = Ledger(server.url)
    ledger.append("T" * 22, 0, "open", [b"0", b"1"], "f")
    ledger.append("U" * 22, 0, "open", [b"0"], "")
    ledger.delete("U" * 22)
    end = ledger.expires_at("T" * 22)
    redis_call(ledger, "BGREWRITEAOF")
    while b"aof_rewrite_in_progress:1" in redis_call(ledger, "INFO", "persistence"):
        pass
    server.kill()
    server.program = programs[order[1]]
    server.start()
    assert ledger.read("T" * 22) == [(1, b"0"), (2, b"1")]
    assert ledger.append("T" * 22, 0, "open", [b"0", b"1"], "f").is_replay
    assert abs((ledger.expires_at("T" * 22) - end).total_seconds()) < 60
    assert ledger.append("T" * 22, 2, "tap", [b"2"], "").last == 3
    with pytest.raises(Expired):
        ledger.read("U" * 22)
    ledger.close()


def _programs() -> tuple[str, str]:
    try:
        return server_program(), bundled_program()
    except NoServer:
        pytest.skip("no server was installed with Bastide on this platform")


def test_with_replicas_an_entry_counts_once_they_have_it(own_redis: Callable[..., RedisServer]) -> None:
    """With a frozen replica an append is in the log but not acknowledged; a retry with its key succeeds once it is
    thawed.

    The control: a ledger that requires no replica does not notice.
    """
    primary, replica = _replicate(own_redis)
    ledger, careless = Ledger(primary.url, replicas=1), Ledger(primary.url)
    assert _until_confirmed(ledger, 0, "open").last == 1
    replica.freeze()
    with pytest.raises(StoreAway, match="0 of 1 replicas"):
        ledger.append("T" * 22, 1, "tap", [b"1"], "")
    with pytest.raises(StoreAway, match="0 of 1 replicas"):
        ledger.append("T" * 22, 1, "tap", [b"1"], "")  # a replay is not confirmed either
    assert not careless.append("T" * 22, 2, "careless", [b"2"], "").is_replay
    replica.thaw()
    assert _until_confirmed(ledger, 1, "tap") == AppendResult(2, 2, is_replay=True)
    copy = Ledger(replica.url)
    assert [payload for _, payload in copy.read("T" * 22)] == [b"0", b"1", b"2"]
    for each in (ledger, careless, copy):
        each.close()


def _until_confirmed(ledger: Ledger, version: int, key: str) -> AppendResult:
    """Retry with the same key until it is confirmed, as a client does: a busy machine may need longer."""
    while True:
        try:
            return ledger.append("T" * 22, version, key, [str(version).encode()], "")
        except StoreAway:
            continue


def _replicate(own_redis: Callable[..., RedisServer]) -> tuple[RedisServer, RedisServer]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    primary = own_redis("--bind", "127.0.0.1", "--port", port, "--repl-diskless-sync-delay", "0")
    replica = own_redis("--replicaof", "127.0.0.1", port)
    ledger = Ledger(primary.url)
    while b"state=online" not in redis_call(ledger, "INFO", "replication"):
        pass
    ledger.close()
    return primary, replica
