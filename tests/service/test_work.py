"""How much work an address may cause: its steps are charged, and its expensive requests run one at a time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from threading import Event, Thread
from typing import Any

import pytest
from flask import Flask

from rules import GAMES
from rules.steps import REST, allow_all, at_most, spend
from service import schemas
from service.errors import RateLimited, StoreAway
from service.http.current import LIMITER
from service.limits import lanes, rate_limits
from service.limits.lanes import DEAR, Pace
from service.limits.local_counters import Count, Counts
from service.limits.rate_limits import ALLOWANCES, Allowance, Kind, Limiter, Measure
from service.runtime.areas import areas_of
from service.runtime.budget import (
    BUDGET,
    EFFORT,
    LISTED_MOVE_STEPS,
    LOGGED_MOVE_STEPS,
    OUTPUT_BYTES,
)
from service.storage.ledger import Ledger
from tests.support.api import RULINGS, V1, Api, application
from tests.support.limit_clock import Clock
from tests.support.redis_server import RedisServer
from tests.support.worst import Client, PreparedRequest

HOME = "192.0.2.1"
STEPS = {each.measure: each for each in ALLOWANCES}[Measure.STEPS]
FEW = Allowance(Measure.STEPS, 1_000, 10, 250, frozenset(Kind) - {Kind.FREE})


class Away(Ledger):
    """A store that never answers."""

    def run(self, *_: Any) -> Any:
        raise StoreAway


def wait_of(limiter: Limiter, kind: Kind = Kind.ASK, address: str = HOME) -> int:
    """How many seconds a request has to wait; 0 if it is admitted."""
    try:
        limiter.admit(kind, address)
    except RateLimited as refusal:
        return refusal.seconds
    return 0


# --- charging ----------------------------------------------------------------------------------------------------


def test_work_is_charged_with_the_next_request_and_wears_off(ledger: Ledger, clock: Clock) -> None:
    """An address that exceeds its allowance of work must wait until it has regained enough. Another address is not
    affected.
    """
    limiter = Limiter(ledger, now=clock, allowances=[FEW])
    for steps in (200, 200, 200, 200, 200):
        limiter.charge(Measure.STEPS, HOME, steps)
        assert wait_of(limiter) == 0
    limiter.charge(Measure.STEPS, HOME, 240)
    assert wait_of(limiter) == 3
    assert wait_of(limiter) == 3, "what was charged is charged once"
    assert wait_of(limiter, address="192.0.2.2") == 0
    clock.advance(2.399)
    assert wait_of(limiter) == 1
    clock.advance(0.001)
    assert wait_of(limiter) == 0


def test_little_work_is_no_call_of_its_own_and_much_is_one(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cheap request costs no call to the store of its own; an expensive one is charged at once, for every worker."""
    calls: list[Any] = []
    run = ledger.run

    def count(*asked: Any) -> Any:
        calls.append(asked)
        return run(*asked)

    monkeypatch.setattr(ledger, "run", count)
    limiter, other = (Limiter(ledger, allowances=[FEW]) for _ in range(2))
    limiter.charge(Measure.STEPS, HOME, 250)
    assert calls == []
    assert wait_of(limiter) == 0
    assert len(calls) == 1
    limiter.charge(Measure.STEPS, HOME, 2_000)
    assert len(calls) == 2
    assert wait_of(other) > 0


def test_dear_requests_are_refused_by_their_work(
    limited_app: Callable[..., Flask], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address that has used its allowance of work gets 429 on its next requests; another address does not."""
    api = Api(limited_app())
    limiter = api.app.extensions[LIMITER]
    body = b'{"moves": [' + b"1," * 120_000 + b"1]}"
    monkeypatch.setitem(limiter._allowances, Measure.STEPS, replace(STEPS, most=400_000))
    asked = [api.post(f"{V1}/games/fief/legal-moves", raw=body).status_code for _ in range(60)]
    spent = len(body) // 20
    assert asked == [422] * (400_000 // spent + 1) + [429] * (59 - 400_000 // spent)
    answer = api.get(f"{V1}/games")
    assert (answer.status_code, int(answer.headers["Retry-After"])) == (429, 1)
    assert api.get("/livez").status_code == 200
    neighbour = api.app.test_client().get(f"{V1}/games", environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert neighbour.status_code == 200
    clock.advance(1)
    assert api.get(f"{V1}/games").status_code == 200


def test_twenty_phones_never_meet_the_allowance(ledger: Ledger, clock: Clock) -> None:
    """Twenty phones of one home that load a page at once, then play and tap for a minute, stay within the allowance."""
    limiter = Limiter(ledger, now=clock)
    for _ in range(20):
        limiter.charge(Measure.STEPS, HOME, 4_500)
    for _ in range(60):
        limiter.charge(Measure.STEPS, HOME, 20 * (150 + 500))
        limiter.charge(Measure.STEPS, HOME, 40 * (770 + 500))
        assert wait_of(limiter) == 0
        clock.advance(1)


def test_what_is_drawn_and_written_is_charged_and_never_refused(
    limited_app: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages and pictures are charged by their size; static files and `/livez` cost nothing."""
    app = limited_app()
    charged: list[int] = []

    def charge(measure: Measure, _address: str, amount: int) -> None:
        charged.extend([amount] * (measure is Measure.STEPS))

    monkeypatch.setattr(app.extensions[LIMITER], "charge", charge)
    client = app.test_client()
    page = client.get("/rules")
    picture = client.post(f"{V1}/games/villefranche/positions", json={}, headers={"Accept": "image/svg+xml"})
    assert (page.status_code, picture.status_code) == (200, 200)
    drawn, written = len(picture.data) // OUTPUT_BYTES, len(page.data) // OUTPUT_BYTES
    assert charged[0] >= written > 0
    assert charged[1] >= drawn > 0
    client.get("/assets/games/fief.svg")
    client.get("/livez")
    assert charged[2:] == [0, 0]


def test_the_factor_is_for_work_too_and_off_is_off(ledger: Ledger, clock: Clock) -> None:
    """``BASTIDE_LIMITS`` multiplies the allowance; with ``off`` nothing is charged, and no request waits."""
    twice = Limiter(ledger, scale=2, now=clock, allowances=[FEW])
    twice.charge(Measure.STEPS, HOME, 2_000)
    assert wait_of(twice) == 0
    twice.charge(Measure.STEPS, HOME, 20)
    assert wait_of(twice) == 1
    off = Limiter(Away("unix:///nowhere"), scale=0, allowances=[FEW])
    off.charge(Measure.STEPS, HOME, 10**9)
    off.admit(Kind.CREATE, HOME)


# --- lists -------------------------------------------------------------------------------------------------------


def test_a_list_longer_than_any_budget_is_refused_before_it_is_read(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each operation rejects a list of moves that is too long for any budget, without reading a move. It reads a
    shorter one.
    """
    client, read = Client(app), list[str]()
    api = Api(app)
    table = api.open()
    game = GAMES["villefranche"]
    own = {"Authorization": f"Bearer {table.host}", "If-Match": '"1"'}

    def note(notation: str) -> Any:
        read.append(notation)
        return game.read(notation)

    monkeypatch.setattr(schemas.of(game), "game", replace(game, read=note))
    there = f"{V1}/games/{game.id}"
    insert = {"insert": {"after": 1, "moves": ["r b1c1"]}}
    asked: list[tuple[str, Any, int]] = [
        *(
            (f"{there}/{path}", {"moves": []}, LISTED_MOVE_STEPS)
            for path in ("rulings", "legal-moves", "scores", "positions")
        ),
        (f"{V1}/tables", {"game": game.id, "moves": []}, LOGGED_MOVE_STEPS),
        (f"{table.path}/moves", {"moves": [], "last_only": True}, LOGGED_MOVE_STEPS),
        (f"{table.path}/amend", insert, LOGGED_MOVE_STEPS),
    ]
    for path, body, least in asked:
        for most, enough in ((BUDGET // least + 1, False), (BUDGET // least * 9 // 10, True)):
            (body.get("insert") or body)["moves"] = ["r b1c1"] * most
            with client.efforts() as efforts:
                answer: Any = client.send(PreparedRequest("POST", path, body, own)).json
            assert bool(read) == enough, (path, most)
            if not enough:
                assert answer["type"] == "/problems/too-much-work", path
                assert efforts[0].steps < BUDGET // 10, "little is charged"
            read.clear()


# --- while the store is away -------------------------------------------------------------------------------------


def test_a_worker_counts_while_the_store_is_away(clock: Clock) -> None:
    """While Redis is down, each worker limits requests and work by itself, and opens no table."""
    limiter = Limiter(Away("unix:///nowhere"), now=clock)
    assert [wait_of(limiter) for _ in range(62)] == [0] * 60 + [1, 1]
    assert wait_of(limiter, address="192.0.2.2") == 0
    clock.advance(1)
    assert [wait_of(limiter) for _ in range(21)] == [0] * 20 + [1]
    with pytest.raises(StoreAway):
        limiter.admit(Kind.CREATE, HOME)
    limiter.charge(Measure.STEPS, HOME, STEPS.most + STEPS.most // STEPS.seconds * 3)
    clock.advance(1)
    assert wait_of(limiter) == 2


def test_a_worker_counts_as_redis_does(ledger: Ledger, clock: Clock) -> None:
    """A worker's own counts give the same waiting times as Redis, also after the clock was set back."""
    here = Counts(now=clock)
    there = Limiter(ledger, now=clock)
    for step in range(200):
        charged = [Count("{l:x}:steps", 1_000, 10_000, (step * 37) % 300, is_hard_limit=step % 3 > 0, limit="steps")]
        assert there._run(charged, [])[::2] == here.count((), charged), step
        clock.advance((step * 7 % 5) - (60 if step == 150 else 0))


def test_what_a_worker_remembers_is_bounded(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker keeps a maximum of counts and of debts, however many addresses ask."""
    counts = Counts(most=100)
    for number in range(1_000):
        counts.count([Count(str(number), 3, 1_000)])
    assert len(counts._empty_at) == 100
    monkeypatch.setattr(rate_limits, "MAX_DEBTS", 100)
    limiter = Limiter(ledger)
    for number in range(1_000):
        limiter.charge(Measure.STEPS, f"192.0.2.{number}", 5)
    assert len(limiter._debts) == 100


def test_without_the_store_an_address_still_has_an_end(own_redis: Callable[..., RedisServer]) -> None:
    """With Redis killed, an address still gets answers, up to its limit."""
    server = own_redis()
    api = Api(application(server.url, "1"))
    server.kill()
    asked = [api.post(RULINGS, {"move": "r b1c1"}).status_code for _ in range(200)]
    assert asked[:60] == [200] * 60
    assert 429 in asked
    assert api.get("/livez").status_code == 200


# --- lanes -------------------------------------------------------------------------------------------------------


class Work:
    """A request in a thread that becomes expensive, then runs on when the test lets it."""

    def __init__(self, pace: Pace, address: str = HOME, *, writes: bool = False) -> None:
        self.dear, self.on = Event(), Event()
        self.outcome = "none"
        self._pace, self._address, self._writes = pace, address, writes
        self.thread = Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        with at_most(BUDGET) as effort:
            try:
                with self._pace({"REMOTE_ADDR": self._address, EFFORT: effort}):
                    if self._writes:
                        allow_all()
                    for _ in range(DEAR // REST + 1):
                        spend(REST)
                    self.dear.set()
                    self.on.wait(60)
                self.outcome = "answered"
            except RateLimited:
                self.outcome = "refused"

    def end(self) -> str:
        """Let it finish; returns the outcome."""
        self.on.set()
        self.thread.join(60)
        return self.outcome


@pytest.fixture
def pace(ledger: Ledger) -> Pace:
    """The middleware in which requests run."""
    limiter = Limiter(ledger)
    return Pace(lambda: limiter)


def test_a_second_dear_request_of_an_address_waits_for_its_turn(pace: Pace) -> None:
    """The second request continues when the first has finished; one of another address does not wait."""
    first = Work(pace)
    assert first.dear.wait(60)
    second, other = Work(pace), Work(pace, "192.0.2.2")
    assert other.dear.wait(60)
    assert not second.dear.is_set()
    assert other.end() == "answered"
    assert first.end() == "answered"
    assert second.dear.wait(60)
    assert second.end() == "answered"
    assert len(pace._lanes) == 0, "nobody who has gone is kept"


def test_who_waits_too_long_is_refused_and_who_has_written_never(pace: Pace, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second expensive request is refused after a while; one that has written is answered at once."""
    first = Work(pace)
    assert first.dear.wait(60)
    monkeypatch.setattr(lanes, "PATIENCE", 0.0)
    assert Work(pace).end() == "refused"
    writer = Work(pace, writes=True)
    assert writer.dear.wait(60)
    assert writer.end() == "answered"
    assert first.end() == "answered"
    assert len(pace._lanes) == 0


@pytest.mark.parametrize(
    ("written", "places"),
    [("2001:db8:7:1::{0}", 1), ("2001:db8:7:{0}::1", 2), ("2001:db8:7:{0}00::1", 3), ("2001:db8:{0}::1", 5)],
    ids=["/64", "/56", "/48", "networks of five, the control"],
)
def test_many_small_networks_have_few_lanes(
    written: str, places: int, pace: Pace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large IPv6 network may run as many expensive requests at once as its share of homes."""
    monkeypatch.setattr(lanes, "PATIENCE", 0.0)
    found: list[Work] = []
    for number in range(1, 6):
        each = Work(pace, written.format(number))
        assert each.dear.wait(60) if len(found) < places else each.end() == "refused"
        found.append(each)
    assert [each.end() for each in found] == ["answered"] * places + ["refused"] * (5 - places)
    assert len(pace._lanes) == 0


def test_a_dear_request_that_waits_for_news_leaves_its_lane(pace: Pace) -> None:
    """A poll that read a long log leaves its lane while it waits, so that its home can work."""
    with at_most(BUDGET) as effort, pace({"REMOTE_ADDR": HOME, EFFORT: effort}):
        spend(DEAR)
        for _ in range(2):
            spend(REST)
        assert len(pace._lanes) == 1
        lanes.leave()
        assert len(pace._lanes) == 0
        other = Work(pace)
        assert other.dear.wait(60)
        assert other.end() == "answered"
        spend(REST)
        assert len(pace._lanes) == 1


def test_what_was_dear_takes_its_lane_before_any_work(pace: Pace, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that was expensive last time is refused before its first step; a cheap one no longer waits."""

    def ask(steps: int) -> int:
        """Run a request of this many steps; returns how many were run."""
        with at_most(BUDGET) as effort, suppress(RateLimited), pace({"REMOTE_ADDR": HOME, EFFORT: effort}):
            lanes.expect("scores")
            for _ in range(steps // REST):
                spend(REST)
        return effort.steps

    assert ask(2 * DEAR) == 2 * DEAR // REST * REST
    first = Work(pace)
    assert first.dear.wait(60)
    monkeypatch.setattr(lanes, "PATIENCE", 0.0)
    assert ask(2 * DEAR) == 0
    assert first.end() == "answered"
    assert ask(REST) == REST
    second = Work(pace)
    assert second.dear.wait(60)
    assert ask(REST) == REST
    assert second.end() == "answered"


def test_a_request_is_refused_only_before_it_has_written(
    limited_app: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An expensive list of moves that gets no lane is 429 and writes nothing; a retry succeeds."""
    api = Api(limited_app())
    table = api.open()
    moves = ["r b1c1"] * 350
    body = {"moves": [{"move": move, "stands": True} for move in moves]}
    pace: Any = api.app.wsgi_app
    while not hasattr(pace, "pace"):
        pace = pace.application if hasattr(pace, "application") else pace.app
    lane = pace.pace._lanes
    home = areas_of("127.0.0.1")
    assert lane.enter(home, 0)
    before = api.log(table)
    with monkeypatch.context() as impatient:
        impatient.setattr(lanes, "PATIENCE", 0.0)
        refused = api.post(f"{table.path}/moves", body, key=table.host, version=1)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "2")
    assert api.log(table) == before
    lane.leave(home)
    assert api.post(f"{table.path}/moves", body, key=table.host, version=1).status_code == 201
