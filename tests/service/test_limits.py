"""Rate limits: exact over all workers, for every kind of caller and in every failure."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from redis.crc import key_slot
from werkzeug.exceptions import RequestTimeout
from werkzeug.test import TestResponse

from service.errors import RateLimited, StoreAway
from service.http import problem_responses, problems
from service.http.openapi import description
from service.i18n.languages import LANGUAGES
from service.limits import rate_limits
from service.limits.endpoints import ENDPOINTS
from service.limits.rate_limits import (
    ALLOWANCES,
    ANYTHING,
    LIMITS,
    Kind,
    Limit,
    Limiter,
    Measure,
    Per,
)
from service.runtime.areas import areas_of
from service.storage.ledger import Ledger
from service.tables.keys import Role
from tests.support.api import RULINGS, V1, Api, OpenTable, application
from tests.support.limit_clock import Clock
from tests.support.redis_call import redis_call
from tests.support.redis_server import RedisServer

THREE = Limit(Kind.ASK, Per.ADDRESS, 3, 10)
TABLE = {"game": "villefranche"}
WORKER = """
import sys
from threading import Thread
from service.storage.ledger import Ledger
from service.limits.rate_limits import Kind, Limit, Limiter, Per
from service.errors import RateLimited
limiter, admitted = Limiter(Ledger(sys.argv[1]), limits=[Limit(Kind.CREATE, Per.ADDRESS, 10, 60)]), []
def ask():
    for _ in range(5):
        try:
            limiter.admit(Kind.CREATE, "192.0.2.1")
            admitted.append(1)
        except RateLimited as error:
            assert 0 < error.seconds <= 60
print("ready", flush=True)
sys.stdin.readline()
threads = [Thread(target=ask) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(admitted))
"""


def is_refused(response: TestResponse, seconds: int) -> bool:
    """Whether a request got 429, with this many seconds in `Retry-After`."""
    if response.status_code != 429:
        return False
    assert response.json is not None
    assert response.json["type"] == "/problems/too-many-requests"
    assert response.headers["Retry-After"] == str(seconds)
    return True


# --- counting ----------------------------------------------------------------------------------------------------


def test_at_most_so_many_in_any_span(ledger: Ledger, clock: Clock) -> None:
    """Compared with a list of times: a request is admitted if fewer than three were in the last ten seconds."""
    limiter, admitted = Limiter(ledger, now=clock), list[int]()
    chance = random.Random(7)
    for _ in range(300):
        clock.now += chance.choice((0, 0, 1, 500, 1999, 3333, 9999, 10_000))
        recent = [time for time in admitted if time > clock.now - 10_000]
        expected = (0, 2 - len(recent)) if len(recent) < 3 else (recent[-3] + 10_000 - clock.now, 0)
        assert limiter.count("somebody", [THREE]) == expected
        if len(recent) < 3:
            admitted.append(clock.now)


def test_what_one_limit_refuses_counts_for_none(ledger: Ledger, clock: Clock) -> None:
    """A request that one of several limits refuses counts for none of them."""
    day = Limit(Kind.ASK, Per.ADDRESS, 5, 1000)
    limiter = Limiter(ledger, now=clock)
    waits = [limiter.count("somebody", [THREE, day])[0] for _ in range(9)]
    assert waits == [0] * 3 + [10_000] * 6
    clock.advance(10)
    waits = [limiter.count("somebody", [THREE, day])[0] for _ in range(4)]
    assert waits == [0, 0, 990_000, 990_000], "the longer wait is told"


def test_a_clock_that_is_set_back_locks_nobody_out(ledger: Ledger, clock: Clock) -> None:
    """A limit ignores requests that lie in the future after the clock was set back."""
    limiter = Limiter(ledger, now=clock)
    assert [limiter.count("somebody", [THREE])[0] for _ in range(4)] == [0, 0, 0, 10_000]
    clock.advance(-3600)
    assert limiter.count("somebody", [THREE]) == (0, 2)


def test_exactly_so_many_over_several_processes(redis_url: str) -> None:
    """Of forty simultaneous requests from two processes with four threads each, Redis admits exactly ten."""
    command = [sys.executable, "-c", WORKER, redis_url]
    workers = [
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
        )
        for _ in range(2)
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("\n")
        worker.stdin.flush()
    counted = [int(worker.communicate()[0]) for worker in workers]
    assert sum(counted) == 10, counted


def test_counts_end_by_themselves_and_wait_for_no_disk(own_redis: Callable[..., RedisServer]) -> None:
    """Counting a request writes nothing to disk; a count expires, and its key does not contain the address."""
    server = own_redis()
    ledger = Ledger(server.url)

    def written_bytes() -> int:
        return sum(path.stat().st_size for path in server.folder.rglob("*.aof"))

    ledger.append("before", 0, "key", [b"{}"], "")
    before = written_bytes()
    for _ in range(20):
        Limiter(ledger).admit(Kind.ASK, "192.0.2.1")
    [key] = redis_call(ledger, "KEYS", "{l:*")
    assert written_bytes() == before
    assert b"192.0.2.1" not in key
    assert 3000 < redis_call(ledger, "PTTL", key) <= 60_000
    ledger.append("after", 0, "key", [b"{}"], "")
    assert written_bytes() > before, "the control: what is appended is on the disk"
    ledger.close()


def test_switched_off_nothing_is_counted(redis_url: str, ledger: Ledger) -> None:
    """With ``BASTIDE_LIMITS=off`` every request is admitted, without asking the store; a factor raises the limits."""
    api = Api(application(redis_url))
    assert {api.post(f"{V1}/tables", TABLE).status_code for _ in range(12)} == {201}
    assert redis_call(ledger, "KEYS", "{l:*") == []
    twice = Limiter(ledger, scale=2)
    for _ in range(20):
        twice.admit(Kind.CREATE, "192.0.2.1")
    with pytest.raises(RateLimited):
        twice.admit(Kind.CREATE, "192.0.2.1")


# --- which caller is counted -------------------------------------------------------------------------------------


def test_an_address_is_a_home() -> None:
    """IPv4 is the same in both notations, an IPv6 /64 is one home, and all invalid addresses are one.

    Some proxies append the caller's port.
    """
    homes = [areas_of(name)[0] for name in ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1", "unknown")]
    assert len(set(homes)) == 5
    assert areas_of("::ffff:192.0.2.1") == areas_of("192.0.2.1")
    assert areas_of("2001:db8::1") == areas_of("2001:db8::ffff:1:2:3")
    assert areas_of("192.0.2.1:4711") == areas_of("192.0.2.1")
    assert areas_of("[2001:db8::1]:4711") == areas_of("[2001:db8::1]") == areas_of("2001:db8::1")
    for name in ("", "a", "1.2.3", "192.0.2.1:port", "192.0.2.1:80:80", "[2001:db8::1", "[]:80", ":80"):
        assert areas_of(name) == areas_of("unknown")


ROTATIONS: dict[str, tuple[Callable[[int], str], int]] = {
    "addresses": (lambda n: f"2001:db8:1:1::{n:x}", 10),
    "networks of 64 bits": (lambda n: f"2001:db8:1:{n:x}::1", 20),
    "networks of 56 bits": (lambda n: f"2001:db8:1:{n:x}00::1", 30),
    "networks of 48 bits": (lambda n: f"2001:db8:{n:x}::1", 100),
    "addresses of IPv4": (lambda n: f"192.0.2.{n}", 100),
}


@pytest.mark.parametrize(("address", "most"), ROTATIONS.values(), ids=ROTATIONS)
def test_many_small_networks_are_not_many(
    address: Callable[[int], str], most: int, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a hundred small networks, only a large network's share of tables is admitted, with one script call each. The
    controls: networks too far apart to share a limit.
    """
    limiter, run = Limiter(ledger), ledger.run
    calls: list[list[str]] = []

    def count(script: Any, keys: Any, *arguments: Any) -> Any:
        calls.append(keys)
        return run(script, keys, *arguments)

    monkeypatch.setattr(ledger, "run", count)
    admitted = 0
    for n in range(1, 101):
        with suppress(RateLimited):
            limiter.admit(Kind.CREATE, address(n))
            admitted += 1
    assert (admitted, len(calls)) == (most, 100)
    assert all(len({key_slot(key.encode()) for key in keys}) == 1 for keys in calls)


def test_work_is_charged_to_the_networks_too(ledger: Ledger, clock: Clock) -> None:
    """Requests that each come from another small network are still charged to their large network."""
    [steps] = (each for each in ALLOWANCES if each.measure is Measure.STEPS)
    limiter, part = Limiter(ledger, now=clock), steps.at_once
    admitted = 0
    for n in range(1, 1_000):
        try:
            limiter.admit(Kind.ASK, f"2001:db8:1:{n:x}00::1")
        except RateLimited:
            break
        limiter.charge(Measure.STEPS, f"2001:db8:1:{n:x}00::1", part)
        admitted += 1
        clock.advance(0.02)  # no limit on the number of requests is met
    worn_off = admitted * 0.02 / steps.seconds
    assert admitted < 900
    assert admitted * part <= (3 + 3 * worn_off) * steps.most + 2 * part


def test_what_a_client_says_of_its_address_is_not_believed(limited_app: Callable[..., Flask]) -> None:
    """The server reads a forwarded address only from as many trusted proxies as its settings name."""

    def spread(api: Api, before: str = "") -> int:
        """How many of twelve tables, each with another forwarded address, can be opened."""
        names = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "CF-Connecting-IP", "True-Client-IP")
        sent = (dict.fromkeys(names, f"{before}203.0.113.{n}") for n in range(12))
        return sum(api.post(f"{V1}/tables", TABLE, headers=each).status_code == 201 for each in sent)

    assert spread(Api(limited_app())) == 10
    assert spread(Api(limited_app(BASTIDE_PROXIES="1"))) == 12
    assert spread(Api(limited_app(BASTIDE_PROXIES="1")), "198.51.100.7, ") == 12
    hidden = Api(limited_app(BASTIDE_PROXIES="1"))
    sent = ({"X-Forwarded-For": f"198.51.100.{n}, 203.0.113.99"} for n in range(12))
    assert sum(hidden.post(f"{V1}/tables", TABLE, headers=each).status_code == 201 for each in sent) == 10


def test_a_seat_stands_in_nobodys_way(limited_app: Callable[..., Flask], clock: Clock) -> None:
    """One key's limit affects neither other keys at the same address nor another table."""
    api = Api(limited_app())
    table, other = api.open(), api.open()
    black, white = table.seats.values()
    assert [api.get(table.path, key=black).status_code for _ in range(21)] == [200] * 20 + [429]
    assert is_refused(api.get(table.path, key=black), 10)
    for path, key in ((table.path, white), (table.path, table.host), (table.path, table.watch)):
        assert api.get(path, key=key).status_code == 200
    assert api.get(other.path, key=other.host).status_code == 200
    clock.advance(10)
    assert api.get(table.path, key=black).status_code == 200


def test_keys_that_are_made_up_count_by_address(limited_app: Callable[..., Flask], clock: Clock) -> None:
    """Invalid keys and unknown tables count together for the address, whatever the request."""
    api = Api(limited_app())
    table = api.open()
    assert [api.get(table.path, key=f"{n:022}").status_code for n in range(2)] == [404] * 2
    assert [api.get(f"{V1}/tables/{n:022}", key=table.host).status_code for n in range(2)] == [404] * 2
    assert api.play(table, "r b1c1", version=1, key="0" * 22).status_code == 404
    for refusal in (api.get(table.path, key="1" * 22), api.play(table, "r b1c1", version=1, key="2" * 22)):
        assert is_refused(refusal, 60)
    clock.advance(60)
    assert api.get(table.path, key="1" * 22).status_code == 404


def test_right_keys_do_not_wait_for_wrong_ones(limited_app: Callable[..., Flask]) -> None:
    """One phone's wrong keys do not block right keys of its address, also at a worker that has not read the table."""
    home = Api(limited_app())
    table = home.open()
    stranger = Api(limited_app())
    assert is_refused([stranger.get(f"{V1}/tables/{'0' * 22}", key=f"{n:022}") for n in range(9)][-1], 60)
    for worker in (home, stranger):
        for key in (table.host, table.watch, *table.seats.values()):
            assert worker.get(table.path, key=key).status_code == 200


def test_a_key_that_a_worker_does_not_know_yet_is_taken(
    limited_app: Callable[..., Flask], redis_url: str, ledger: Ledger
) -> None:
    """A worker without the table reads it, and knows its keys from then on."""
    table = Api(application(redis_url)).open()
    api = Api(limited_app())
    seat = next(iter(table.seats.values()))
    assert [api.get(table.path, key=seat).status_code for _ in range(22)] == [200] * 21 + [429]


SEAT = Role.from_name("black")


def is_admitted(limiter: Limiter, kind: Kind, key: str, address: str = "192.0.2.1") -> bool:
    """Whether a seat's request is admitted."""
    try:
        limiter.admit(kind, address, key, SEAT)
    except RateLimited:
        return False
    return True


@pytest.mark.parametrize("kind", [Kind.MOVE, Kind.POLL, Kind.LOOK])
def test_keys_do_not_multiply(kind: Kind, ledger: Ledger, clock: Clock) -> None:
    """One address with the keys of many tables gets no more requests than one address may send. Another address is not
    affected.
    """
    limiter = Limiter(ledger, now=clock)
    [most] = (limit.many for limit in LIMITS if (limit.kind, limit.per) == (kind, Per.HOME))
    keys = [f"key {n}" for n in range(most // 5)]
    assert sum(is_admitted(limiter, kind, key) for _ in range(6) for key in keys) == most
    assert is_admitted(limiter, kind, keys[0], "192.0.2.2")
    clock.advance(10)
    assert is_admitted(limiter, kind, keys[0])


def test_a_key_that_is_refused_takes_nothing_from_its_home(ledger: Ledger, clock: Clock) -> None:
    """Polling too often with one key uses up no other key's share at that address."""
    limiter = Limiter(ledger, now=clock)
    assert sum(is_admitted(limiter, Kind.POLL, "mad") for _ in range(600)) == 20
    assert all(is_admitted(limiter, Kind.POLL, f"key {n}") for n in range(480))
    assert not is_admitted(limiter, Kind.POLL, "one more")


def test_twenty_phones_in_one_home_never_meet_a_limit(ledger: Ledger, clock: Clock) -> None:
    """For twenty seconds, twenty phones of one home can play every second, tap twice and poll every 1.5 seconds."""
    limiter = Limiter(ledger, now=clock)
    phones = [f"key {n}" for n in range(20)]
    for half in range(40):
        kinds = [Kind.LOOK] + [Kind.MOVE] * (half % 2) + [Kind.POLL] * (half % 3 == 0)
        assert all(is_admitted(limiter, kind, phone) for phone in phones for kind in kinds)
        clock.advance(0.5)


# --- all limits --------------------------------------------------------------------------------------------------

AMEND = {"delete": {"entry": 2}}
DISPUTE = {"about": {"entry": 2}, "question": "May Black?"}
BURSTS: dict[str, tuple[Callable[[Api, OpenTable], TestResponse], int, int]] = {
    "create": (lambda api, _: api.post(f"{V1}/tables", TABLE), 9, 60),
    "move": (lambda api, table: api.play(table, "r b9c9", version=9, key=table.seats["white"]), 10, 1),
    "move by the host": (lambda api, table: api.play(table, "r b9c9", version=9), 10, 1),
    "rewind": (lambda api, table: api.post(f"{table.path}/rewind", {"to": 1}, key=table.host, version=9), 10, 1),
    "amend": (lambda api, table: api.post(f"{table.path}/amend", AMEND, key=table.host, version=9), 10, 1),
    "dispute": (lambda api, table: api.post(f"{table.path}/disputes", DISPUTE, key=table.host, version=9), 10, 1),
    "poll": (lambda api, table: api.get(table.path, key=table.seats["white"]), 20, 10),
    "poll by watchers": (lambda api, table: api.get(table.path, key=table.watch), 200, 10),
    "look": (lambda api, table: api.get(f"{table.path}/score", key=table.seats["white"]), 60, 3),
    "ask": (lambda api, _: api.post(RULINGS, {"move": "r b1c1"}), 60, 3),
    "read": (lambda api, _: api.get(f"{V1}/games"), 60, 3),
}


@pytest.mark.parametrize("burst", BURSTS)
def test_a_burst_is_cut_at_its_limit(burst: str, limited_app: Callable[..., Flask], clock: Clock) -> None:
    """Each limit admits its full burst at once, then no request until its period is over, then the next one."""
    ask, many, seconds = BURSTS[burst]
    api = Api(limited_app())
    table = api.open(["r b1c1"])
    answers = [ask(api, table).status_code for _ in range(many + 5)]
    assert 429 not in answers[:many]
    assert answers[many:] == [429] * 5
    clock.advance(seconds - 0.999)
    assert is_refused(ask(api, table), 1)
    clock.advance(0.999)
    assert ask(api, table).status_code == answers[0]


def test_a_day_has_so_many_tables(limited_app: Callable[..., Flask], clock: Clock) -> None:
    """An address can open 200 tables a day, ten a minute, and the next one when the first is a day old."""
    api = Api(limited_app())
    opened = 0
    for _ in range(20):
        opened += sum(api.post(f"{V1}/tables", TABLE).status_code == 201 for _ in range(10))
        clock.advance(60)
    assert opened == 200
    response = api.post(f"{V1}/tables", TABLE)
    assert is_refused(response, 24 * 3600 - 20 * 60)
    assert "24 hours" in response.get_data(as_text=True)
    clock.advance(24 * 3600 - 20 * 60)
    assert api.post(f"{V1}/tables", TABLE).status_code == 201


class Slow(BytesIO):
    """A body that is late."""

    def read(self, _size: int | None = -1, /) -> bytes:
        raise RequestTimeout


@pytest.mark.parametrize(("sent", "status"), [(Slow(), 408), (BytesIO(b'{"game": '), 400)], ids=["slow", "cut"])
def test_what_has_not_come_counts(sent: BytesIO, status: int, limited_app: Callable[..., Flask]) -> None:
    """Ten requests without a whole body get an error; from then on, the address gets 429 at once."""
    api = Api(limited_app())
    begun = {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": "26", "HTTP_HOST": "localhost"}
    statuses = [
        api.app.test_client().post(f"{V1}/tables", input_stream=sent, environ_overrides=begun).status_code
        for _ in range(12)
    ]
    assert statuses == [status] * 10 + [429] * 2


def test_what_is_free_is_never_refused(limited_app: Callable[..., Flask], ledger: Ledger) -> None:
    """`/livez` has no limit and does not ask the store."""
    api = Api(limited_app())
    assert {api.get("/livez").status_code for _ in range(100)} == {200}
    assert redis_call(ledger, "KEYS", "*") == []


def test_every_operation_and_every_kind_has_its_limit(api: Api) -> None:
    """Every operation and kind has a limit; `tests.web.test_limits` checks the pages."""
    endpoints = {rule.endpoint for rule in api.app.url_map.iter_rules()}
    assert {each for each in endpoints if not each.startswith(("web.", "public."))} == ENDPOINTS.keys()
    assert {limit.kind for limit in LIMITS if limit.per is Per.ADDRESS} == set(Kind) - {Kind.FREE}
    assert len({(limit.kind, limit.per, limit.seconds) for limit in LIMITS}) == len(LIMITS), "each has its own count"


def test_the_contract_tells_the_figures() -> None:
    """The figures in `openapi.yaml` are those of the limits."""
    per = {(limit.kind, limit.per, limit.seconds): limit.many for limit in LIMITS}
    used = {each.measure: each for each in ALLOWANCES}
    [paragraph] = re.findall(r"\*\*Limits\.\*\*(.*?)\n\n", description()["info"]["description"], re.DOTALL)
    told = " ".join(paragraph.split())
    assert re.findall(r"\d+", told) == [
        str(per[Kind.MOVE, Per.SEAT, 1]),
        str(per[Kind.POLL, Per.SHARED, 10] // 10),
        str(per[Kind.ASK, Per.ADDRESS, 3] // 3),
        str(per[Kind.ASK, Per.ADDRESS, 3]),
        str(per[Kind.CREATE, Per.ADDRESS, 60]),
        str(per[Kind.CREATE, Per.ADDRESS, 24 * 3600]),
        str(per[Kind.JOIN, Per.ADDRESS, 60]),
        *(str(per[kind, Per.HOME, 10] // 10) for kind in (Kind.MOVE, Kind.LOOK, Kind.POLL)),
        *(str(n) for n in (used[Measure.STEPS].most // used[Measure.STEPS].seconds, used[Measure.STEPS].most)),
        str(used[Measure.BYTES].most // 1_000_000),
        *(str(n) for n in (ANYTHING[0] // ANYTHING[1], ANYTHING[0])),
        "429",
    ]
    assert "twice a second" in told
    assert per[Kind.POLL, Per.SEAT, 10] == 2 * 10


@pytest.mark.parametrize(
    ("seconds", "said"), [(1, "1 second."), (120, "120 seconds."), (121, "3 minutes."), (7201, "3 hours.")]
)
def test_a_wait_is_told_in_units_that_one_counts(seconds: int, said: str) -> None:
    """The wait is rounded up, so that a retry is never a moment too early."""
    problem = problem_responses.problem_of(RateLimited(seconds, ""), "en")
    assert problem.words("en")[1].endswith(f"try again in {said}")
    assert problem.words("fr")[1] != problem.words("en")[1]
    assert problem.headers == {"Retry-After": str(seconds)}


# --- while the store is away -------------------------------------------------------------------------------------


def test_without_the_store_nothing_new_begins_and_asking_goes_on(own_redis: Callable[..., RedisServer]) -> None:
    """While Redis is down, requests for tables get 503 with `Retry-After`. Requests that need no table are answered."""
    server = own_redis()
    api = Api(application(server.url, "1"))
    table = api.open()
    server.kill()
    for response in (
        api.post(f"{V1}/tables", TABLE),
        api.play(table, "r b1c1", version=1),
        api.get(table.path, key=table.host),
    ):
        assert response.status_code == 503
        assert int(response.headers["Retry-After"]) > 0
    assert api.post(RULINGS, {"move": "r b1c1"}).status_code == 200
    assert api.get(f"{V1}/games").status_code == 200
    server.start()
    assert api.play(table, "r b1c1", version=1).status_code == 201


class Away(Ledger):
    """A store that never answers, and counts how often it is asked."""

    call_count = 0

    def run(self, *_: Any) -> Any:
        self.call_count += 1
        raise StoreAway


def test_a_store_that_is_silent_is_not_waited_for_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failure, requests that do not need the store skip it for a moment; those that must be counted ask each
    time.
    """
    time = [100.0]
    monkeypatch.setattr(rate_limits, "monotonic", lambda: time[0])
    away = Away("unix:///nowhere")
    limiter = Limiter(away)
    for _ in range(5):
        limiter.admit(Kind.ASK, "192.0.2.1")
        limiter.admit(Kind.MOVE, "192.0.2.1", "key", Role.from_name("black"))
    assert away.call_count == 1
    for kind in (Kind.CREATE, Kind.JOIN):
        with pytest.raises(StoreAway):
            limiter.admit(kind, "192.0.2.1")
    assert away.call_count == 3
    time[0] += rate_limits.REST
    limiter.admit(Kind.POLL, "192.0.2.1")
    assert away.call_count == 4


def test_a_full_store_still_shows_its_tables(own_redis: Callable[..., RedisServer]) -> None:
    """With a full Redis, requests that cannot be counted are still admitted to read tables, but not to open or play."""
    server = own_redis()
    api = Api(application(server.url, "1"))
    table = api.open()
    ledger = Ledger(server.url)
    redis_call(ledger, "CONFIG", "SET", "maxmemory", "1")
    assert api.get(table.path, key=table.host).status_code == 200
    assert api.post(f"{V1}/tables", TABLE).status_code == 503
    assert api.play(table, "r b1c1", version=1).status_code == 503
    ledger.close()


def test_every_503_says_when_to_ask_again() -> None:
    """Every problem with status 503 has `Retry-After`."""
    kinds = {kind for kind, status in problems.PROBLEMS.items() if status == 503}
    found = {kind: error for error, kind in problems.KINDS.items() if kind in kinds}
    assert found.keys() == kinds
    for error in found.values():
        for language in LANGUAGES:
            assert int(problem_responses.problem_of(error(), language).headers["Retry-After"]) > 0
