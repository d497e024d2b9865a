"""How much an address may make Redis store: an estimate, charged with the next request; ample for a club evening."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from flask import Flask

import rules
from service.errors import KeepsTooMuch
from service.http import problem_responses
from service.http.current import limiter
from service.limits.rate_limits import ALLOWANCES, Kind, Measure
from service.storage import write_sizes
from service.storage.ledger import Ledger
from tests.support.api import V1, Api, OpenTable
from tests.support.document import Document
from tests.support.limit_clock import Clock
from tests.support.records import longest_of, record_of
from tests.support.redis_call import redis_call
from tests.support.tables import recorded_table
from tests.web.conftest import Visitor

[BYTES] = [each for each in ALLOWANCES if each.measure is Measure.BYTES]
ADDRESS: Final = "127.0.0.1"
TABLE: Final = {"game": "villefranche"}
TYPED_FORM: Final = {"game": "villefranche", "name-black": "Anne", "reading-stuck": "turn_is_cut"}


def in_redis(ledger: Ledger) -> int:
    """The bytes of all logs, of their requests' records and of their marks."""
    return sum(redis_call(ledger, "MEMORY", "USAGE", key, "SAMPLES", 0) for key in redis_call(ledger, "KEYS", "{t:*"))


# --- the estimate ------------------------------------------------------------------------------------------------

SHAPES: Final = {
    "a table alone": [(1, 700)],
    "a table with its moves": [(300, 180)],
    "a long entry": [(1, 700), (1, 60_000)],
    "many moves": [(1, 700), *((1, 250) for _ in range(400))],
    "short moves": [(1, 700), *((1, 20) for _ in range(400))],
}
"""Appends: how many entries of how many bytes."""


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("key", [22, 255])
def test_what_is_reckoned_is_what_redis_keeps(shape: str, key: int, ledger: Ledger) -> None:
    """The estimate is at least what Redis uses, so that the limit holds, and at most half as much again."""
    version = 0
    with write_sizes.count() as reckoned:
        for number, (entries, size) in enumerate(SHAPES[shape]):
            name = f"{number:0{key}}"
            version = ledger.append("T" * 22, version, name, [b"x" * size] * entries, "f" * 64).last
    assert in_redis(ledger) <= reckoned.bytes <= 1.5 * in_redis(ledger)


def test_what_writes_nothing_keeps_nothing(ledger: Ledger) -> None:
    """A replay and a read count as nothing."""
    ledger.append("T" * 22, 0, "open", [b"x"], "")
    with write_sizes.count() as reckoned:
        ledger.append("T" * 22, 0, "open", [b"x"], "")
        ledger.read("T" * 22)
    assert reckoned.bytes == 0


def test_a_club_evening_stays_far_below(ledger: Ledger) -> None:
    """An evening of ten tables, playing all five games, takes less than a quarter of the allowance."""
    with write_sizes.count() as reckoned:
        for game in rules.GAMES:
            with write_sizes.count():
                log = ledger.read(recorded_table(ledger, longest_of(game)).table.id)
            for number, payload in log:
                ledger.append(f"{game:x<22}", number - 1, f"{number:022}", [payload], "f" * 64)
    evening = 10 * reckoned.bytes
    assert 500_000 < evening < BYTES.most / 4, evening


# --- charging ----------------------------------------------------------------------------------------------------


def charges(ledger: Ledger) -> list[Any]:
    """The Redis keys of addresses' stored bytes."""
    found: list[Any] = redis_call(ledger, "KEYS", f"{{l:*:{Measure.BYTES}:{BYTES.seconds}")
    return found


def test_a_request_pays_with_the_next_one(limited_app: Callable[..., Flask], ledger: Ledger) -> None:
    """The bytes of a request are charged by the call that counts the address's next request."""
    api = Api(limited_app())
    api.open()
    assert charges(ledger) == []
    redis_call(ledger, "CONFIG", "RESETSTAT")
    assert api.get(f"{V1}/games").status_code == 200
    assert b"cmdstat_evalsha:calls=1," in redis_call(ledger, "INFO", "commandstats")
    [key] = charges(ledger)
    assert float(redis_call(ledger, "HGET", key, "off")) > 0


def too_much(app: Flask) -> None:
    """Charge the address its whole allowance and a tenth more."""
    limiter(app).charge(Measure.BYTES, ADDRESS, BYTES.most + BYTES.most // 10)


WAIT: Final = BYTES.seconds // 10
"""Seconds until that has worn off."""


def writes(table: OpenTable, group: str, api: Api) -> list[Any]:
    """The responses to one request of each kind that writes."""
    results = {"results": [{"day": "2026-01-02", "players": [{"name": "A", "won": True}, {"name": "B", "won": False}]}]}
    return [
        api.post(f"{V1}/tables", TABLE),
        api.post(f"{V1}/groups", {"name": "Ours"}),
        api.play(table, "r b1c1", version=1),
        api.post(f"{V1}/groups/{group}/results", results, key="0" * 22),
    ]


@pytest.mark.parametrize(("language", "said"), [("en", "try again in 3 hours"), ("fr", "réessayez dans 3 heures")])
def test_who_has_written_too_much_waits(
    language: str, said: str, limited_app: Callable[..., Flask], clock: Clock
) -> None:
    """An address that has stored too much gets 429 for every write, with the reason and the time to wait. It can still
    read.
    """
    app = limited_app()
    api = Api(app)
    table = api.open()
    too_much(app)
    assert api.get(f"{V1}/games").status_code == 200
    for answer in writes(table, "g" * 22, api):
        assert answer.status_code == 429
        assert answer.json["type"] == "/problems/too-much-kept"
        assert abs(int(answer.headers["Retry-After"]) - WAIT) < 600
    spoken: Any = api.post(f"{V1}/tables", TABLE, headers={"Accept-Language": language})
    assert said in spoken.json["detail"]
    assert api.get(table.path, key=table.host).status_code == 200
    assert api.get(f"{table.path}/legal-moves", key=table.host).status_code == 200
    clock.advance(WAIT + 600)
    assert [answer.status_code for answer in writes(table, "g" * 22, api)] == [201, 201, 201, 404]


def test_somebody_else_goes_on(limited_app: Callable[..., Flask]) -> None:
    """The allowance is the address's, not the table's: a player elsewhere can play on."""
    app = limited_app(BASTIDE_PROXIES="1")
    api = Api(app)
    table = api.open()
    too_much(app)
    away = {"X-Forwarded-For": "198.51.100.7"}
    home = {"X-Forwarded-For": ADDRESS}
    assert api.play(table, "r b1c1", version=1, headers=home).status_code == 429
    assert api.play(table, "r b1c1", version=1, headers=away).status_code == 201


def test_tables_are_what_uses_it_up(limited_app: Callable[..., Flask], clock: Clock, ledger: Ledger) -> None:
    """However many tables an address opens, Redis stores no more than the allowance."""
    app = limited_app()
    api = Api(app)
    moves = record_of(longest_of("fief"))
    sent = {"game": "fief", "setup": moves["setup"], "moves": moves["moves"]}
    for _ in range(200):
        answer: Any = api.post(f"{V1}/tables", sent)
        if answer.status_code == 429:
            break
        clock.advance(7)
    passed = (clock.now - Clock().now) / 1000
    assert answer.json["type"] == "/problems/too-much-kept"
    assert BYTES.most / 2 < in_redis(ledger) <= BYTES.most * (1 + passed / BYTES.seconds) + 100_000


# --- on the pages ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "said"), [("en", "try again in 3 hours"), ("fr", "réessayez dans 3 heures")])
def test_a_page_keeps_what_was_typed(language: str, said: str, limited_app: Callable[..., Flask], clock: Clock) -> None:
    """The page shows the form as it was filled in, and sends it successfully after the wait."""
    app = limited_app()
    visitor = Visitor(app.test_client(), language)
    table = visitor.open()
    move = visitor.see(f"{table}?move=r+b9c9").form("/play")
    too_much(app)
    for path, form in (("/", TYPED_FORM), move):
        answer = visitor.post(path, form)
        assert answer.status_code == 429
        assert abs(int(answer.headers["Retry-After"]) - WAIT) < 600
        page = Document(answer.text)
        assert said in page.text
        _, fields = page.form(path)
        assert form.items() <= fields.items()
    clock.advance(WAIT + 600)
    assert visitor.post(*move).status_code == 303
    assert visitor.post("/", TYPED_FORM).status_code == 303


def test_the_wait_is_told_in_units_that_one_counts() -> None:
    """The wait is in hours or minutes, as for every limit."""
    problem = problem_responses.problem_of(KeepsTooMuch(121, "bytes"), "en")
    assert problem.words("en")[1].endswith("try again in 3 minutes.")
    assert problem.headers == {"Retry-After": "121"}
    assert problem.status == 429


def test_only_what_writes_is_refused() -> None:
    """Only kinds of requests that can write are refused."""
    assert BYTES.kinds == {Kind.CREATE, Kind.MOVE}
