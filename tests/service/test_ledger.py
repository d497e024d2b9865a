"""The ledger's guarantees, on a real Redis and a real Valkey."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Final, get_args

import pytest

from service.config import Fsync
from service.errors import Conflict, Expired, KeyReused, NoTable, StoreAway
from service.startup import BadSetting, Unfit
from service.storage.ledger import PATIENCE, AppendResult, Ledger
from service.storage.private_redis.supervisor import bundled_program, server_program
from service.storage.redis_check import promise
from tests.support.redis_call import redis_call
from tests.support.redis_server import RedisServer, durable_options, free_ports, until

TABLE = "T" * 22
ENGINES: Final = {"redis": server_program, "valkey": bundled_program}
"""This machine's server, which may be a Valkey, too, and the bundled one."""


@pytest.fixture(scope="module", params=ENGINES)
def redis_server(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    """A server of each engine."""
    server = RedisServer(program=ENGINES[request.param]()).start()
    yield server
    server.close()


SHORT = 0.5
"""The ledger's patience with a frozen server, in seconds."""


def entries(ledger: Ledger, table: str = TABLE) -> list[bytes]:
    read = ledger.read(table)
    assert [number for number, _ in read] == list(range(1, len(read) + 1)), "a gap"
    return [payload for _, payload in read]


# --- appending ---


def test_entries_are_numbered_from_one_and_read_back_as_they_were(ledger: Ledger) -> None:
    """The log holds exactly the bytes that were appended, in order, without a gap."""
    payloads = [b"{}", bytes(range(256)), "§ é".encode(), b""]
    assert ledger.append(TABLE, 0, "a", payloads[:1], "") == AppendResult(1, 1, is_replay=False)
    assert ledger.append(TABLE, 1, "b", payloads[1:], "") == AppendResult(2, 4, is_replay=False)
    assert entries(ledger) == payloads


def test_a_repeated_key_is_answered_and_writes_nothing(ledger: Ledger) -> None:
    """A repeated key gets the same numbers, even after later entries."""
    ledger.append(TABLE, 0, "open", [b"0"], "")
    first = ledger.append(TABLE, 1, "tap", [b"1", b"2"], "same")
    ledger.append(TABLE, 3, "next", [b"3"], "")
    again = ledger.append(TABLE, 1, "tap", [b"1", b"2"], "same")
    assert again == AppendResult(first.first, first.last, is_replay=True)
    assert entries(ledger) == [b"0", b"1", b"2", b"3"]


def test_a_key_cannot_be_used_for_another_request(ledger: Ledger) -> None:
    """A known key with another fingerprint is refused, whatever the version, and writes nothing."""
    ledger.append(TABLE, 0, "tap", [b"0"], "this 1 2")
    for expected in (0, 1):
        with pytest.raises(KeyReused):
            ledger.append(TABLE, expected, "tap", [b"1"], "that")
    assert entries(ledger) == [b"0"]
    assert ledger.append(TABLE, 0, "tap", [b"0"], "this 1 2").is_replay


def test_what_followed_in_many_tables_is_one_question(ledger: Ledger) -> None:
    """One call returns each table's known entry and the next one; an impossible number leaves its table out."""
    tables = {letter: letter * 22 for letter in "TUVWX"}
    for table in list(tables.values())[:4]:
        ledger.append(table, 0, "open", [b"1", b"2", b"3"], "")
    known = dict(zip(tables.values(), (1, 3, 4, -1, 1), strict=True))
    assert ledger.entries_since(known) == {
        tables["T"]: [b"1", b"2"],
        tables["U"]: [b"3"],
        tables["V"]: [],
        tables["X"]: [],
    }
    assert ledger.entries_since({}) == {}


def test_a_key_belongs_to_its_table(ledger: Ledger) -> None:
    """Two tables can use the same key."""
    ledger.append(TABLE, 0, "tap", [b"a"], "")
    assert not ledger.append("U" * 22, 0, "tap", [b"b"], "").is_replay


@pytest.mark.parametrize("expected", [0, 1, 3, 99])
def test_only_the_entry_after_the_last_is_accepted(ledger: Ledger, expected: int) -> None:
    """An append at any version but the log's is a conflict that names the log's version, and writes nothing."""
    ledger.append(TABLE, 0, "open", [b"0", b"1"], "")
    with pytest.raises(Conflict) as conflict:
        ledger.append(TABLE, expected, "tap", [b"2"], "")
    assert conflict.value.version == 2
    assert entries(ledger) == [b"0", b"1"]


def test_of_many_at_once_exactly_one_is_accepted(redis_url: str) -> None:
    """Of sixteen simultaneous writers to the same version, one succeeds and fifteen get a conflict, thirty times in a
    row.
    """
    shared = Ledger(redis_url)
    shared.append(TABLE, 0, "open", [b"0"], "")

    def tap(version: int, writer: int) -> bool:
        try:
            shared.append(TABLE, version, f"{version}/{writer}", [b"x"], "")
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(16) as writers:
        for version in range(1, 31):
            assert sum(writers.map(tap, [version] * 16, range(16))) == 1
    assert len(entries(shared)) == 31
    shared.close()


def test_the_store_itself_refuses_a_fork(ledger: Ledger) -> None:
    """Redis refuses a second or earlier entry of a number even without the script."""
    ledger.append(TABLE, 0, "open", [b"0", b"1"], "")
    for number in ("1-0", "2-0"):
        with pytest.raises(StoreAway, match="equal or smaller"):
            redis_call(ledger, "XADD", f"{{t:{TABLE}}}:log", number, "m", b"fork")
    assert entries(ledger) == [b"0", b"1"]


@pytest.mark.parametrize(("key", "payloads"), [("", [b"x"]), ("k", [])])
def test_an_append_needs_a_key_and_a_payload(ledger: Ledger, key: str, payloads: list[bytes]) -> None:
    """An append without key or payload is an error: it could not be repeated, or would have no number."""
    with pytest.raises(ValueError, match="needs a key and a payload"):
        ledger.append(TABLE, 0, key, payloads, "")


def test_the_script_is_sent_again_when_the_server_has_forgotten_it(ledger: Ledger) -> None:
    """The ledger sends its script again when the server no longer has it."""
    ledger.append(TABLE, 0, "open", [b"0"], "")
    redis_call(ledger, "SCRIPT", "FLUSH")
    assert ledger.append(TABLE, 1, "tap", [b"1"], "").last == 2


def test_a_forked_process_gets_a_connection_of_its_own(redis_url: str) -> None:
    """A forked process opens its own connection: shared, the processes would read each other's replies."""
    script = (
        "import os, sys; from service.storage.ledger import Ledger; ledger = Ledger(sys.argv[1]); ledger.ping();"
        "child = os.fork(); print(ledger._ask('', ('CLIENT', 'ID'))[0], flush=True); child and os.waitpid(child, 0);"
        "ledger.close()"
    )
    done = subprocess.run([sys.executable, "-c", script, redis_url], capture_output=True, text=True, check=True)
    assert len(set(done.stdout.split())) == 2


# --- many at once ---


MANY = """
import sys
from service.storage.ledger import Ledger  # before the patch, as a server's settings import it
from gevent import monkey; monkey.patch_all()
import gevent
from service.referee.watcher import Watcher

ledger = Ledger(sys.argv[1], patience=30, connections=8)

def tap(number):
    table = f"{number:022}"
    ledger.append(table, 0, "open", [b"0"], "")
    return ledger.read(table) == [(1, b"0")]

watcher = Watcher(ledger.versions)
tables = [f"{number:022}" for number in range(1000, 1100)]
for table in tables:
    ledger.append(table, 0, "open", [b"0"], "")
waiting = [gevent.spawn(watcher.wait, table, 1, 60) for table in tables]
tapping = [gevent.spawn(tap, number) for number in range(500)]
print(sum(each.get() for each in tapping), len(watcher._waiters))
for table in tables:
    ledger.append(table, 1, "tap", [b"1"], "")
print(sum(each.get() for each in waiting))
"""


def test_five_hundred_greenlets_share_a_few_connections(own_redis: Callable[..., RedisServer]) -> None:
    """500 greenlets share eight connections without errors or mixed replies, and a hundred waiters need no other."""
    server = own_redis("--appendonly", "no")
    with closing(Ledger(server.url)) as ledger:
        before = connections_received(ledger)
        done = subprocess.run([sys.executable, "-c", MANY, server.url], capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["500", "100", "100"], done.stderr
        assert connections_received(ledger) - before == 8


def connections_received(ledger: Ledger) -> int:
    return int(redis_call(ledger, "INFO", "stats").split(b"total_connections_received:")[1].split()[0])


def test_threads_share_the_connections_too(redis_url: str) -> None:
    """Forty threads share two connections without mixed replies."""
    ledger = Ledger(redis_url, patience=30, connections=2)
    before = connections_received(ledger)  # includes the first of the two

    def tap(number: int) -> bool:
        table = f"{number:022}"
        ledger.append(table, 0, "open", [b"%d" % number], "")
        return ledger.read(table) == [(1, b"%d" % number)]

    with ThreadPoolExecutor(40) as threads:
        assert all(threads.map(tap, range(200)))
    assert connections_received(ledger) - before <= 1
    ledger.close()


def test_who_finds_no_connection_is_told_so(redis_url: str) -> None:
    """If all connections stay in use for too long, the store counts as away, until one is free."""
    ledger = Ledger(redis_url, patience=0.5, connections=1)  # a busy Redis replies within that time
    ledger.append(TABLE, 0, "open", [b"0"], "")
    idle, taken = ledger._redis.primary("")._take()
    with pytest.raises(StoreAway, match="all 1 connections"):
        ledger.read(TABLE)
    idle.put(taken)
    assert entries(ledger) == [b"0"]
    ledger.close()


IN_SCRIPTS = {"exists", "expire", "hget", "hset", "pttl", "set", "time", "xadd", "xlen"}


def test_a_call_is_one_command(ledger: Ledger) -> None:
    """Each call sends one command."""
    ledger.append(TABLE, 0, "open", [b"0"], "")
    ledger.expires_at(TABLE)
    redis_call(ledger, "CONFIG", "RESETSTAT")
    ledger.append(TABLE, 1, "tap", [b"1"], "")
    ledger.read(TABLE)
    ledger.expires_at(TABLE)
    stats = redis_call(ledger, "INFO", "commandstats").decode()
    calls = {name: int(count) for name, count in re.findall(r"cmdstat_(\S+?):calls=(\d+)", stats)}
    sent = {name: count for name, count in calls.items() if name not in IN_SCRIPTS}
    assert sent == {"config|resetstat": 1, "evalsha": 2, "xrange": 1}


# --- reading ---


def test_reading_on_includes_the_entry_one_knows(ledger: Ledger) -> None:
    """Reading from a known entry includes that entry; if the store has lost it, the list is empty."""
    ledger.append(TABLE, 0, "open", [b"0", b"1", b"2"], "")
    assert ledger.read(TABLE, 2) == [(2, b"1"), (3, b"2")]
    assert ledger.read(TABLE, 3) == [(3, b"2")]
    assert ledger.read(TABLE, 4) == []


def test_the_versions_of_many_tables_are_one_question(ledger: Ledger) -> None:
    """The versions of many tables are read at once; a deleted or unknown table has 0."""
    tables = [letter * 22 for letter in "TUVW"]
    for number, table in enumerate(tables[:3], start=1):
        ledger.append(table, 0, "open", [b"0"] * number, "")
    ledger.delete(tables[1])
    redis_call(ledger, "CONFIG", "RESETSTAT")
    assert ledger.versions(tables) == dict(zip(tables, (1, 0, 3, 0), strict=True))
    assert ledger.versions(()) == {}
    stats = redis_call(ledger, "INFO", "commandstats").decode()
    assert dict(re.findall(r"cmdstat_(x\w+):calls=(\d+)", stats)) == {"xlen": "4"}


# --- the end of a table ---


def touch(ledger: Ledger, operation: str) -> object:
    operations: dict[str, Callable[[], object]] = {
        "append": lambda: ledger.append(TABLE, 2, "new", [b"x"], ""),
        "replay": lambda: ledger.append(TABLE, 0, "open", [b"0"], ""),
        "read": lambda: ledger.read(TABLE),
        "read on": lambda: ledger.read(TABLE, 2),
        "expires_at": lambda: ledger.expires_at(TABLE),
    }
    return operations[operation]()


OPERATIONS = ["append", "replay", "read", "read on", "expires_at"]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_table_that_has_expired_is_gone(ledger: Ledger, operation: str) -> None:
    """Every call on an expired table fails with `Expired`, even a replay."""
    ledger.append(TABLE, 0, "open", [b"0"], "")
    for part in ("log", "idem"):
        assert redis_call(ledger, "PEXPIREAT", f"{{t:{TABLE}}}:{part}", 1) == 1
    with pytest.raises(Expired):
        touch(ledger, operation)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_deleted_table_is_gone(ledger: Ledger, operation: str) -> None:
    """A deleted table leaves only its mark, and its id cannot be opened again. A second deletion changes nothing."""
    ledger.append(TABLE, 0, "open", [b"0"], "")
    ledger.delete(TABLE)
    ledger.delete(TABLE)
    with pytest.raises(Expired):
        touch(ledger, operation)
    assert redis_call(ledger, "KEYS", "*") == [f"{{t:{TABLE}}}:mark".encode()]


@pytest.mark.parametrize("operation", [*(o for o in OPERATIONS if o != "replay"), "delete"])
def test_a_table_that_never_was_is_missing(ledger: Ledger, operation: str) -> None:
    """A table that never existed is `NoTable`, not `Expired`, and asking writes nothing."""
    with pytest.raises(NoTable):
        ledger.delete(TABLE) if operation == "delete" else touch(ledger, operation)
    assert redis_call(ledger, "KEYS", "*") == []


def test_every_entry_renews_the_life_of_its_table(redis_url: str) -> None:
    """Each entry renews the lifetime of log and keys; the mark of the table expires later."""
    ledger = Ledger(redis_url, ttl=timedelta(days=2), grave=timedelta(days=3))
    log, idem, mark = (f"{{t:{TABLE}}}:{part}" for part in ("log", "idem", "mark"))
    day = 24 * 3600
    for version, request in enumerate(["open", "tap", "tap"]):
        ledger.append(TABLE, version, request, [b"x"], "")  # the third is a replay
        assert day < redis_call(ledger, "TTL", log) <= 2 * day
        assert redis_call(ledger, "TTL", log) == redis_call(ledger, "TTL", idem)
        assert 4 * day < redis_call(ledger, "TTL", mark) <= 5 * day
        assert timedelta(days=1) < ledger.expires_at(TABLE) - datetime.now(UTC) < timedelta(days=3)
        redis_call(ledger, "EXPIRE", log, 60)
        redis_call(ledger, "EXPIRE", idem, 60)
    redis_call(ledger, "EXPIRE", mark, 60)
    ledger.delete(TABLE)
    assert 4 * day < redis_call(ledger, "TTL", mark) <= 5 * day
    ledger.close()


# --- a store that does not respond ---


def test_a_store_that_is_not_there_is_away_at_once(own_redis: Callable[..., RedisServer]) -> None:
    """Each call fails at once with `StoreAway`, and with nothing else."""
    server = own_redis()
    ledger = Ledger(server.url)
    ledger.append(TABLE, 0, "open", [b"0"], "")
    server.kill()
    calls: list[Callable[[], object]] = [
        *(lambda o=o: touch(ledger, o) for o in OPERATIONS),
        lambda: ledger.delete(TABLE),
        ledger.check,
    ]
    for call in calls:
        with pytest.raises(StoreAway):
            call()
    assert ledger.versions([TABLE]) == {}
    assert not ledger.ping()


def test_a_ledger_finds_a_store_that_came_back(own_redis: Callable[..., RedisServer]) -> None:
    """After a restart of Redis, the first call succeeds on a new connection, and finds the log."""
    server = own_redis()
    ledger = Ledger(server.url)
    ledger.append(TABLE, 0, "open", [b"0"], "")
    server.kill()
    server.start()
    assert ledger.append(TABLE, 1, "tap", [b"1"], "") == AppendResult(2, 2, is_replay=False)
    assert entries(ledger) == [b"0", b"1"]
    ledger.close()


def test_a_stalled_store_is_away_in_time_and_the_key_makes_one_entry(own_redis: Callable[..., RedisServer]) -> None:
    """When Redis freezes, the caller gets an error in time. A retry with the same key creates no second entry, and gets
    the first one's answer.

    In time: the ledger waits twice at most, for a connection and for a reply. The frozen server executes the first
    request when it is thawed. The control, a plain append without a key, must create two entries, or this test proves
    nothing.
    """
    server = own_redis("--appendonly", "no")
    ledger = Ledger(server.url, patience=SHORT)
    plain = Ledger(server.url, patience=SHORT)
    ledger.append(TABLE, 0, "open", [b"0"], "")
    assert plain.ping()
    server.freeze()
    assert 2 * PATIENCE < 5
    with pytest.raises(StoreAway):
        ledger.append(TABLE, 1, "tap", [b"1"], "")
    with pytest.raises(StoreAway):
        redis_call(plain, "XADD", "control", "*", "m", b"1")
    server.thaw()
    assert ledger.append(TABLE, 1, "tap", [b"1"], "") == AppendResult(2, 2, is_replay=True)
    redis_call(plain, "XADD", "control", "*", "m", b"1")
    assert entries(ledger) == [b"0", b"1"]
    assert redis_call(plain, "XLEN", "control") == 2, "the control found no second entry"
    ledger.close()
    plain.close()


def test_an_answer_that_comes_late_is_never_taken_for_another(own_redis: Callable[..., RedisServer]) -> None:
    """After a timeout the connection is dropped, so the next call cannot read the old reply."""
    server = own_redis("--appendonly", "no")
    ledger = Ledger(server.url, patience=SHORT)
    ledger.append(TABLE, 0, "open", [b"0"], "")
    server.freeze()
    with pytest.raises(StoreAway):
        ledger.read(TABLE)
    server.thaw()
    assert ledger.append(TABLE, 1, "tap", [b"1"], "") == AppendResult(2, 2, is_replay=False)
    ledger.close()


def test_a_store_without_memory_is_away_and_drops_nothing(own_redis: Callable[..., RedisServer]) -> None:
    """A full Redis rejects an append whole, and evicts nothing."""
    server = own_redis("--maxmemory", "3mb")
    ledger = Ledger(server.url)
    acknowledged = 0

    def fill() -> None:
        nonlocal acknowledged
        for version in range(0, 200, 2):
            acknowledged = ledger.append(TABLE, version, str(version), [b"x" * 50_000] * 2, "").last

    with pytest.raises(StoreAway, match="maxmemory"):
        fill()
    assert len(entries(ledger)) == acknowledged > 0
    assert b"evicted_keys:0" in redis_call(ledger, "INFO", "stats")
    ledger.close()


@pytest.fixture(scope="module")
def durable() -> Iterator[RedisServer]:
    """A well-configured server; a test that changes a setting restores it."""
    server = RedisServer.durable().start()
    yield server
    server.close()


UNFIT = [
    *(("maxmemory-policy", policy) for policy in ("allkeys-lru", "allkeys-random", "volatile-lru", "volatile-ttl")),
    ("appendonly", "no"),
    ("appendfsync", "no"),
    ("appendfsync", "everysec"),
    ("no-appendfsync-on-rewrite", "yes"),
]


@pytest.mark.parametrize(("setting", "value"), UNFIT, ids=lambda text: text)
def test_a_store_that_would_lose_games_is_refused(durable: RedisServer, setting: str, value: str) -> None:
    """Bastide refuses a Redis that evicts keys (volatile policies, too: ours expire) or does not sync its file."""
    with closing(Ledger(durable.url)) as ledger:
        assert ledger.check() == ["A confirmed move is on the disk of Redis."]
        before = durable.ask("CONFIG", "GET", setting)[1].decode()
        durable.ask("CONFIG", "SET", setting, value)
        try:
            with pytest.raises(Unfit, match=f"{setting} {value}"):
                ledger.check()
        finally:
            durable.ask("CONFIG", "SET", setting, before)


def test_a_file_that_is_kept_up_each_second_can_be_accepted(durable: RedisServer) -> None:
    """`everysec` can be accepted, with a warning of what can be lost; weaker settings never."""
    durable.ask("CONFIG", "SET", "appendfsync", "everysec")
    try:
        with closing(Ledger(durable.url)) as ledger:
            assert ledger.check("everysec") == [promise("everysec", 0)]
            for setting, unfit, usual in (
                ("appendfsync", "no", "everysec"),
                ("no-appendfsync-on-rewrite", "yes", "no"),
            ):
                durable.ask("CONFIG", "SET", setting, unfit)
                with pytest.raises(Unfit, match=f"{setting} {unfit}"):
                    ledger.check("everysec")
                durable.ask("CONFIG", "SET", setting, usual)
    finally:
        durable.ask("CONFIG", "SET", "appendfsync", "always")


def test_where_settings_are_hidden_it_is_said_what_was_not_seen(own_redis: Callable[..., RedisServer]) -> None:
    """If Redis hides its settings, `check` still reads INFO, says what it could not see, and then gives the promise."""
    server = own_redis("--appendonly", "yes", "--rename-command", "CONFIG", "")
    with closing(Ledger(server.url)) as ledger:
        for accepted in get_args(Fsync):
            unseen, promised = ledger.check(accepted)
            assert f"appendfsync is {accepted} and no-appendfsync-on-rewrite is no could not be checked" in unseen
            assert promised == promise(accepted, 0)
    server = own_redis("--appendonly", "no", "--rename-command", "CONFIG", "")
    with closing(Ledger(server.url)) as ledger, pytest.raises(Unfit, match="appendonly no"):
        ledger.check()


def test_a_server_that_confirms_no_move_is_refused(own_redis: Callable[..., RedisServer]) -> None:
    """Bastide refuses a replica, and a server with fewer replicas than required."""
    port = free_ports(1)[0]
    primary, replica = own_redis(*durable_options(), "--port", str(port)), own_redis()
    with closing(Ledger(primary.url, replicas=1)) as ledger:
        with pytest.raises(Unfit, match=r"no replica, and BASTIDE_REPLICAS=1"):
            ledger.check()
        replica.ask("REPLICAOF", "127.0.0.1", port)
        until(lambda: "connected_slaves:1" in primary.text_of("INFO", "replication"))
        assert ledger.check() == [promise("always", 1)]
    with closing(Ledger(primary.url, replicas=2)) as ledger, pytest.raises(Unfit, match=r"1 replica, and .*=2"):
        ledger.check()
    with closing(Ledger(replica.url)) as ledger, pytest.raises(Unfit, match=rf"is a replica.* 127\.0\.0\.1:{port}"):
        ledger.check()


@pytest.mark.parametrize("kind", ["redis://u:p@one", "redis+cluster://u:p@one,two", "redis+sentinel://u:p@one/name"])
@pytest.mark.parametrize("option", ["socket_timeout=x", "nosuch=1"])
def test_options_that_no_connection_has_are_named(kind: str, option: str) -> None:
    """An unknown option of an address is named, without the password."""
    with pytest.raises(BadSetting, match=option.partition("=")[0]) as bad:
        Ledger(f"{kind}?{option}")
    assert "REDIS_URL=" in str(bad.value)
    assert "u:p" not in str(bad.value)


def test_a_node_and_a_sentinel_want_another_address(own_redis: Callable[..., RedisServer]) -> None:
    """A cluster node and a sentinel are refused, with the form of address that they need."""
    node = own_redis("--appendonly", "yes", "--cluster-enabled", "yes", "--port", str(free_ports(1)[0]))
    with closing(Ledger(node.url)) as ledger, pytest.raises(Unfit, match=re.escape("redis+cluster://")):
        ledger.check()
    sentinel = RedisServer("--sentinel", config="").start()
    try:
        with closing(Ledger(sentinel.url)) as ledger, pytest.raises(Unfit, match=re.escape("redis+sentinel://")):
            ledger.check()
    finally:
        sentinel.close()


def test_a_server_that_is_no_cluster_is_no_cluster(own_redis: Callable[..., RedisServer]) -> None:
    """A cluster address of a plain server is refused."""
    port = free_ports(1)[0]
    own_redis("--port", str(port))
    with closing(Ledger(f"redis+cluster://127.0.0.1:{port}", patience=SHORT)) as ledger:
        with pytest.raises(Unfit, match="none there"):
            ledger.check()
        with pytest.raises(StoreAway):
            ledger.read(TABLE)
        assert not ledger.ping()
