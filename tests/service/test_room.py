"""What the store has room for: unused tables expire soon, and a store that is nearly full opens no new ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import pytest

from service.app import create_app
from service.config import Settings
from service.errors import Expired, StoreFull
from service.groups.groups import Groups
from service.http.problem_responses import FULL_FOR
from service.storage import redis_check
from service.storage.connections import Server
from service.storage.ledger import Ledger
from service.storage.redis_check import FULL
from service.tables.table import UNUSED_LIFETIME
from tests.support.api import V1, Api, OpenTable, application
from tests.support.document import Document
from tests.support.redis_call import redis_call
from tests.support.redis_server import RedisServer
from tests.web.conftest import Visitor

if TYPE_CHECKING:
    from tests.chaos.cluster import ClusterServers

TABLE = "T" * 22
DAY = 24 * 3600
WEEK = 7 * DAY
USUAL = 90 * DAY
TWO_ENTRIES = ["r b1c1"]


def seconds_left(ledger: Ledger, table: str = TABLE) -> int:
    """The seconds until a log expires; the record of its requests expires with it."""
    log, idem = (redis_call(ledger, "TTL", f"{{t:{table}}}:{part}") for part in ("log", "idem"))
    assert log == idem
    return int(log)


def about(seconds: int, wanted: int) -> bool:
    return wanted - 600 < seconds <= wanted


# --- unused tables -----------------------------------------------------------------------------------------------


def test_a_table_that_nobody_uses_lives_for_a_week(ledger: Ledger) -> None:
    """Redis deletes a table a week after it was opened unless somebody uses it; each entry sets the usual lifetime."""
    assert UNUSED_LIFETIME.total_seconds() == WEEK
    ledger.append(TABLE, 0, "open", [b"0", b"1"], "")
    assert about(seconds_left(ledger), WEEK)
    ledger.append(TABLE, 2, "tap", [b"2"], "")
    assert about(seconds_left(ledger), USUAL)


def test_the_opening_sent_again_is_no_use(ledger: Ledger) -> None:
    """Repeating the opening request leaves the short lifetime; after a use, it leaves the usual one."""
    for _ in range(2):
        ledger.append(TABLE, 0, "open", [b"0"], "")
        assert about(seconds_left(ledger), WEEK)
    ledger.note_use(TABLE)
    ledger.append(TABLE, 0, "open", [b"0"], "")
    assert about(seconds_left(ledger), USUAL)


def test_a_use_without_an_entry_is_noted_once(ledger: Ledger) -> None:
    """The first use sets the usual lifetime; later uses change nothing."""
    ledger.append(TABLE, 0, "open", [b"0"], "")
    since = ledger.note_use(TABLE)
    assert since is not None
    assert abs((datetime.now(UTC) - since).total_seconds()) < 600
    assert about(seconds_left(ledger), USUAL)
    for part in ("log", "idem"):
        redis_call(ledger, "EXPIRE", f"{{t:{TABLE}}}:{part}", WEEK)
    assert ledger.note_use(TABLE) == since
    assert about(seconds_left(ledger), WEEK)
    assert ledger.note_use("U" * 22) is None


def test_a_table_that_is_there_already_keeps_its_time(ledger: Ledger) -> None:
    """A table of an older release keeps its longer lifetime when it is read or used."""
    for days in (90, 400):
        table = f"{days:022}"
        ledger.append(table, 0, "open", [b"0"], "")
        for part in ("log", "idem"):
            redis_call(ledger, "EXPIRE", f"{{t:{table}}}:{part}", days * DAY)
        ledger.read(table)
        ledger.note_use(table)
        assert about(seconds_left(ledger, table), days * DAY)


def test_no_table_lives_longer_unused_than_used(redis_url: str) -> None:
    """If tables are kept for three days, so are unused ones; groups keep their own lifetime."""
    with closing(Ledger(redis_url, ttl=timedelta(days=3))) as ledger:
        ledger.append(TABLE, 0, "open", [b"0"], "")
        assert about(seconds_left(ledger), 3 * DAY)
        group, _ = Groups(ledger, lifetime=timedelta(days=400)).create("Ours")
        assert about(seconds_left(ledger, f"g:{group.id}"), 400 * DAY)


def expires_in(answer: Any) -> float:
    """The seconds until a table expires, by its `expires_at`."""
    end = datetime.fromisoformat(answer.json["expires_at"])
    return (end - datetime.now(UTC)).total_seconds()


@pytest.mark.parametrize("moves", [[], TWO_ENTRIES], ids=["alone", "with a move"])
@pytest.mark.parametrize("whose", ["host", "watch", "seat"])
def test_a_table_tells_how_long_it_lives(whose: str, moves: list[str], api: Api, ledger: Ledger) -> None:
    """`expires_at` is a week ahead at first; a first use with any key sets the usual lifetime, in Redis too."""
    opened: Any = api.post(f"{V1}/tables", {"game": "villefranche", "moves": moves})
    assert about(round(expires_in(opened)), WEEK)
    keys = opened.json["keys"]
    table = OpenTable(opened.json["id"], keys["host"], keys["seats"], keys["watch"])
    assert about(seconds_left(ledger, table.id), WEEK)
    key = {"host": table.host, "watch": table.watch}.get(whose) or table.seats["black"]
    assert about(round(expires_in(api.get(table.path, key=key))), USUAL)
    assert about(seconds_left(ledger, table.id), USUAL)


def test_a_wrong_key_is_no_use(api: Api, ledger: Ledger) -> None:
    """A request with a wrong key or none does not extend a table's lifetime."""
    table = api.open()
    assert api.get(table.path, key="0" * 22).status_code == 404
    assert api.get(table.path).status_code == 401
    assert about(seconds_left(ledger, table.id), WEEK)
    assert api.get(table.path, key=table.watch).status_code == 200
    assert about(seconds_left(ledger, table.id), USUAL), "the control"


def test_every_worker_tells_the_same(api: Api, redis_url: str) -> None:
    """Redis stores the time of first use, so two workers report the same `expires_at`."""
    table = api.open()
    told: Any = api.get(table.path, key=table.host).json
    other: Any = Api(application(redis_url)).get(table.path, key=table.watch).json
    assert other["expires_at"] == told["expires_at"]


def test_asking_for_news_costs_no_more(api: Api, ledger: Ledger) -> None:
    """The first use of a cached table costs one more Redis call; later polls cost none."""
    table = api.open()

    def calls() -> dict[str, int]:
        redis_call(ledger, "CONFIG", "RESETSTAT")
        assert api.get(table.path, key=table.watch).status_code == 200
        stats = redis_call(ledger, "INFO", "commandstats").decode()
        found = {name: int(count) for name, count in re.findall(r"cmdstat_(\S+?):calls=(\d+)", stats)}
        return {name: found[name] for name in ("eval", "evalsha", "xrange") if name in found}

    ledger.note_use(TABLE)  # the server knows the script
    assert calls() == {"xrange": 1, "evalsha": 1}
    assert calls() == {"xrange": 1}
    api.play(table, "r b1c1", version=1)
    assert calls() == {"xrange": 1}


def test_a_table_that_went_unused_is_gone(api: Api, ledger: Ledger) -> None:
    """An unused table that has expired is 410, as any expired table."""
    table = api.open()
    for part in ("log", "idem"):
        redis_call(ledger, "PEXPIREAT", f"{{t:{table.id}}}:{part}", 1)
    with pytest.raises(Expired):
        ledger.read(table.id)
    assert api.get(table.path, key=table.host).status_code == 410


# --- a store that is nearly full ---------------------------------------------------------------------------------

ROOM = 8_000_000
"""The tests' server's `maxmemory` in bytes: several times what it uses when empty."""
BALLAST: Final = 20_000


@pytest.fixture
def small(own_redis: Callable[..., RedisServer]) -> RedisServer:
    """A server with little memory."""
    return own_redis("--maxmemory", str(ROOM), "--maxmemory-policy", "noeviction", "--appendonly", "no")


def used_bytes(server: RedisServer) -> int:
    return int(re.findall(r"used_memory:(\d+)", server.text_of("INFO", "memory"))[0])


def fill(server: RedisServer, per_cent: int) -> None:
    """Use up memory with other data, to this percentage."""
    for _ in range(2 * ROOM // BALLAST):
        if used_bytes(server) >= ROOM * per_cent // 100:
            return
        server.ask("RPUSH", "ballast", "x" * BALLAST)
    raise AssertionError("the server takes no ballast")


def test_a_store_that_is_nearly_full_opens_nothing_and_plays_on(small: RedisServer) -> None:
    """Once Redis uses three quarters of its memory, nobody can open a table or a group. Existing tables still accept
    entries.
    """
    with closing(Ledger(small.url)) as ledger:
        ledger.append(TABLE, 0, "open", [b"0"], "")
        fill(small, FULL + 4)
        with pytest.raises(StoreFull):
            ledger.append("U" * 22, 0, "open", [b"0"], "")
        with pytest.raises(StoreFull):
            Groups(ledger, lifetime=timedelta(days=400)).create("Ours")
        assert not small.ask("EXISTS", "{t:" + "U" * 22 + "}:mark")
        assert ledger.append(TABLE, 0, "open", [b"0"], "").is_replay
        assert ledger.append(TABLE, 1, "tap", [b"1"] * 50, "").last == 51
        assert b"evicted_keys:0" in redis_call(ledger, "INFO", "stats")
        small.ask("DEL", "ballast")
        assert ledger.append("U" * 22, 0, "open", [b"0"], "").last == 1


def test_in_a_cluster_the_node_of_a_table_decides(cluster: ClusterServers) -> None:
    """In a cluster, only the primary that is nearly full refuses new tables."""
    with closing(Ledger(cluster.url)) as ledger:
        names = {ledger._redis.primary(f"{{t:room{n:018}}}:log"): f"room{n:018}" for n in range(50)}
        (node, full_one), (_, other) = list(names.items())[:2]
        [info] = node.ask(("INFO", "memory"))
        assert isinstance(info, bytes)
        most = int(re.findall(rb"used_memory:(\d+)", info)[0]) * 120 // 100
        node.ask(("CONFIG", "SET", "maxmemory", most))
        try:
            with pytest.raises(StoreFull):
                ledger.append(full_one, 0, "open", [b"0"], "")
            assert ledger.append(other, 0, "open", [b"0"], "").last == 1
        finally:
            node.ask(("CONFIG", "SET", "maxmemory", 0))
        assert ledger.append(full_one, 0, "open", [b"0"], "").last == 1


def test_the_start_says_that_there_is_no_room(small: RedisServer) -> None:
    """The start warns of a Redis that is nearly full, with the percentage; below the limit, it says nothing."""
    small.ask("CONFIG", "SET", "appendonly", "yes")
    small.ask("CONFIG", "SET", "appendfsync", "always")
    with closing(Ledger(small.url)) as ledger:
        assert not [line for line in ledger.check() if "maxmemory" in line]
        fill(small, FULL + 4)
        [line] = [line for line in ledger.check() if "maxmemory" in line]
        assert re.search(rf"has used \d\d % of its maxmemory: from {FULL} % on no table is opened", line)


def test_a_store_that_does_not_tell_its_memory_is_named_and_played_on(
    small: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If Redis does not show its memory, startup prints a warning that new tables are always opened."""
    small.ask("CONFIG", "SET", "appendonly", "yes")
    small.ask("CONFIG", "SET", "appendfsync", "always")
    told = redis_check._info

    def silent(server: Server) -> dict[str, str]:
        return {name: value for name, value in told(server).items() if "memory" not in name or "policy" in name}

    with closing(Ledger(small.url)) as ledger:
        monkeypatch.setattr(redis_check, "_info", silent)
        assert ledger.check()[0].endswith("does not show its memory: new tables are opened however full it is.")


def test_a_store_without_an_end_is_never_full(small: RedisServer) -> None:
    """A Redis without `maxmemory` opens tables however much memory it uses."""
    small.ask("CONFIG", "SET", "maxmemory", 0)
    with closing(Ledger(small.url)) as ledger:
        fill(small, 200)
        assert ledger.append(TABLE, 0, "open", [b"0"], "").last == 1


def test_a_use_counts_though_there_is_no_memory(small: RedisServer) -> None:
    """Reading a table extends its lifetime even when Redis is too full to accept moves."""
    api = Api(application(small.url))
    table = api.open()
    fill(small, 80)
    small.ask("CONFIG", "SET", "maxmemory", used_bytes(small) - 100_000)
    with closing(Ledger(small.url)) as ledger:
        assert about(seconds_left(ledger, table.id), WEEK)
        assert about(round(expires_in(api.get(table.path, key=table.watch))), USUAL)
        assert about(seconds_left(ledger, table.id), USUAL)
    assert api.play(table, "r b1c1", version=1).status_code == 503, "the control"


@pytest.fixture
def full(small: RedisServer) -> tuple[Api, OpenTable]:
    """A service whose store is nearly full, and a table opened before."""
    api = Api(application(small.url))
    table = api.open()
    fill(small, FULL + 4)
    return api, table


@pytest.mark.parametrize(
    ("language", "said"), [("en", "has no room for another table"), ("fr", "n’a plus de place pour")]
)
def test_a_program_is_told_that_there_is_no_room(language: str, said: str, full: tuple[Api, OpenTable]) -> None:
    """A full store has its own problem type, 503 with `Retry-After`; existing tables still accept moves."""
    api, table = full
    spoken = {"Accept-Language": language}
    for path, body in ((f"{V1}/tables", {"game": "villefranche"}), (f"{V1}/groups", {"name": "Ours"})):
        answer: Any = api.post(path, body, headers=spoken)
        assert answer.status_code == 503
        assert answer.json["type"] == "/problems/store-full"
        assert said in answer.json["detail"]
        assert answer.headers["Retry-After"] == str(FULL_FOR)
    assert api.play(table, "r b1c1", version=1).status_code == 201


@pytest.mark.parametrize(
    ("language", "said"), [("en", "has no room for another table"), ("fr", "n’a plus de place pour")]
)
def test_a_page_keeps_what_was_typed_when_there_is_no_room(language: str, said: str, small: RedisServer) -> None:
    """The page shows the form as it was filled in, with an error; once there is room, the same form opens the table."""
    visitor = Visitor(create_app(Settings.of({"REDIS_URL": small.url})).test_client(), language)
    form = {"game": "villefranche", "name-black": "Anne", "reading-stuck": "turn_is_cut"}
    fill(small, FULL + 4)
    answer = visitor.post("/", form)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, str(FULL_FOR))
    page = Document(answer.text)
    assert said in page.text
    action, fields = page.form("/")
    assert form.items() <= fields.items()
    group = visitor.post("/g", {"name": "Ours"})
    assert (group.status_code, group.headers["Retry-After"]) == (503, str(FULL_FOR))
    assert said in Document(group.text).text
    small.ask("DEL", "ballast")
    assert visitor.post(action, fields).status_code == 303
