"""What the store has room for: a table that nobody uses goes soon, and a store that is nearly full opens no other."""

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
from tests.support.redis_call import redis_call
from tests.support.redis_server import RedisServer
from tests.web.conftest import Document, Visitor

if TYPE_CHECKING:
    from tests.chaos.cluster import ClusterServers

TABLE = "T" * 22
DAY = 24 * 3600
WEEK = 7 * DAY
USUAL = 90 * DAY
TWO_ENTRIES = ["r b1c1"]


def seconds_left(ledger: Ledger, table: str = TABLE) -> int:
    """The seconds that a log has left; what its requests wrote goes with it."""
    log, idem = (redis_call(ledger, "TTL", f"{{t:{table}}}:{part}") for part in ("log", "idem"))
    assert log == idem
    return int(log)


def about(seconds: int, wanted: int) -> bool:
    return wanted - 600 < seconds <= wanted


# --- a table that nobody uses ------------------------------------------------------------------------------------


def test_a_table_that_nobody_uses_lives_for_a_week(ledger: Ledger) -> None:
    """Redis deletes a table a week after it was opened unless somebody adds an entry; each entry then sets the usual
    lifetime.
    """
    assert UNUSED_LIFETIME.total_seconds() == WEEK
    ledger.append(TABLE, 0, "open", [b"0", b"1"], "")
    assert about(seconds_left(ledger), WEEK)
    ledger.append(TABLE, 2, "tap", [b"2"], "")
    assert about(seconds_left(ledger), USUAL)


def test_the_opening_sent_again_is_no_use(ledger: Ledger) -> None:
    """A connection that broke sends it twice: the time stays. Any other request that is sent again is a use."""
    for _ in range(2):
        ledger.append(TABLE, 0, "open", [b"0"], "")
        assert about(seconds_left(ledger), WEEK)
    ledger.note_use(TABLE)
    ledger.append(TABLE, 0, "open", [b"0"], "")
    assert about(seconds_left(ledger), USUAL)


def test_a_use_without_an_entry_is_noted_once(ledger: Ledger) -> None:
    """The first one gives the usual time, and those after it nothing more."""
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
    """Opened when tables lived as long as any from their opening on, or for longer: nothing takes that away."""
    for days in (90, 400):
        table = f"{days:022}"
        ledger.append(table, 0, "open", [b"0"], "")
        for part in ("log", "idem"):
            redis_call(ledger, "EXPIRE", f"{{t:{table}}}:{part}", days * DAY)
        ledger.read(table)
        ledger.note_use(table)
        assert about(seconds_left(ledger, table), days * DAY)


def test_no_table_lives_longer_unused_than_used(redis_url: str) -> None:
    """Where tables are kept for three days, an unused one is too; a group always has the time of groups."""
    with closing(Ledger(redis_url, ttl=timedelta(days=3))) as ledger:
        ledger.append(TABLE, 0, "open", [b"0"], "")
        assert about(seconds_left(ledger), 3 * DAY)
        group, _ = Groups(ledger, lifetime=timedelta(days=400)).create("Ours")
        assert about(seconds_left(ledger, f"g:{group.id}"), 400 * DAY)


def expires_in(answer: Any) -> float:
    """In how many seconds a table goes, as it says."""
    end = datetime.fromisoformat(answer.json["expires_at"])
    return (end - datetime.now(UTC)).total_seconds()


@pytest.mark.parametrize("moves", [[], TWO_ENTRIES], ids=["alone", "with a move"])
@pytest.mark.parametrize("whose", ["host", "watch", "seat"])
def test_a_table_tells_how_long_it_lives(whose: str, moves: list[str], api: Api, ledger: Ledger) -> None:
    """A week when it is opened; from the first use of any of its keys on, the usual time, as Redis has it, too."""
    opened: Any = api.post(f"{V1}/tables", {"game": "villefranche", "moves": moves})
    assert about(round(expires_in(opened)), WEEK)
    keys = opened.json["keys"]
    table = OpenTable(opened.json["id"], keys["host"], keys["seats"], keys["watch"])
    assert about(seconds_left(ledger, table.id), WEEK)
    key = {"host": table.host, "watch": table.watch}.get(whose) or table.seats["black"]
    assert about(round(expires_in(api.get(table.path, key=key))), USUAL)
    assert about(seconds_left(ledger, table.id), USUAL)


def test_a_wrong_key_is_no_use(api: Api, ledger: Ledger) -> None:
    """Nobody keeps a table alive whose key he has not."""
    table = api.open()
    assert api.get(table.path, key="0" * 22).status_code == 404
    assert api.get(table.path).status_code == 401
    assert about(seconds_left(ledger, table.id), WEEK)
    assert api.get(table.path, key=table.watch).status_code == 200
    assert about(seconds_left(ledger, table.id), USUAL), "the control"


def test_every_worker_tells_the_same(api: Api, redis_url: str) -> None:
    """When a table was used first stands in Redis: another worker does not begin anew."""
    table = api.open()
    told: Any = api.get(table.path, key=table.host).json
    other: Any = Api(application(redis_url)).get(table.path, key=table.watch).json
    assert other["expires_at"] == told["expires_at"]


def test_asking_for_news_costs_no_more(api: Api, ledger: Ledger) -> None:
    """Of a table that is remembered the first use is one call more, and no poll after it has another."""
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
    """As any other whose time is over: it is told from one that never was."""
    table = api.open()
    for part in ("log", "idem"):
        redis_call(ledger, "PEXPIREAT", f"{{t:{table.id}}}:{part}", 1)
    with pytest.raises(Expired):
        ledger.read(table.id)
    assert api.get(table.path, key=table.host).status_code == 410


# --- a store that is nearly full ---------------------------------------------------------------------------------

ROOM = 8_000_000
"""Bytes that the tests' server has: some times what it takes without a table."""
BALLAST: Final = 20_000


@pytest.fixture
def small(own_redis: Callable[..., RedisServer]) -> RedisServer:
    """A server with little memory."""
    return own_redis("--maxmemory", str(ROOM), "--maxmemory-policy", "noeviction", "--appendonly", "no")


def used_bytes(server: RedisServer) -> int:
    return int(re.findall(r"used_memory:(\d+)", server.text_of("INFO", "memory"))[0])


def fill(server: RedisServer, per_cent: int) -> None:
    """Let something else take memory until so much of it is used."""
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
    """One primary is nearly full: it opens nothing, and the others do."""
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
    """An operator reads it before the players do: with the server and how full it is, and nothing of it below that."""
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
    """Only this is not held then: the start says so by name, and tables are opened."""
    small.ask("CONFIG", "SET", "appendonly", "yes")
    small.ask("CONFIG", "SET", "appendfsync", "always")
    told = redis_check._info

    def silent(server: Server) -> dict[str, str]:
        return {name: value for name, value in told(server).items() if "memory" not in name or "policy" in name}

    with closing(Ledger(small.url)) as ledger:
        monkeypatch.setattr(redis_check, "_info", silent)
        assert ledger.check()[0].endswith("does not show its memory: new tables are opened however full it is.")


def test_a_store_without_an_end_is_never_full(small: RedisServer) -> None:
    """Nobody has said how much memory it has: then tables are opened as long as it takes them."""
    small.ask("CONFIG", "SET", "maxmemory", 0)
    with closing(Ledger(small.url)) as ledger:
        fill(small, 200)
        assert ledger.append(TABLE, 0, "open", [b"0"], "").last == 1


def test_a_use_counts_though_there_is_no_memory(small: RedisServer) -> None:
    """Whoever looks at a table when not even moves can be written still keeps it alive, and is answered."""
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
    """The service on a store that is nearly full, and a table that was opened before."""
    api = Api(application(small.url))
    table = api.open()
    fill(small, FULL + 4)
    return api, table


@pytest.mark.parametrize(
    ("language", "said"), [("en", "has no room for another table"), ("fr", "n’a plus de place pour")]
)
def test_a_program_is_told_that_there_is_no_room(language: str, said: str, full: tuple[Api, OpenTable]) -> None:
    """A problem of its own kind, with when to ask again; the table that is there plays on."""
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
    """The form stands as it was filled in, with a sentence; once there is room, it opens the table."""
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
