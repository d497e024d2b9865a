"""The dear pages of the longest tables, requested by one address: of tables in the worker's cache, and of others.

A worker without room to cache a long table folds its log each time, which makes the dearest page.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from rules import GAMES
from service.storage.ledger import Ledger
from tests.attack.arena import Arena, Request, Row, Target, statuses
from tests.attack.work import HARM
from tests.support.long_tables import AGAIN, ON, long_table
from tests.support.redis_server import RedisServer, durable_options

PAGES: Final = ("/moves", "/sheet", "/turns", "/moves?do=chart", "/log.txt", "/moves?entry=2500", "/replay?step=50")
A_SECOND: Final = 20.0
"""Requests that an address may send all the time."""
SECONDS: Final = 12.0
SMALL: Final = "1"
"""Megabytes of a cache that holds no table as long as these."""


@contextmanager
def store() -> Iterator[RedisServer]:
    """A Redis into which the attack writes long tables, instead of playing them."""
    server = RedisServer(*durable_options()).start()
    try:
        yield server
    finally:
        server.close()


def dear(ledger: Ledger) -> list[Request]:
    """Requests for the pages of a long table of each game, made in both ways."""
    found = []
    for game in GAMES:
        for way in (ON, AGAIN):
            table = long_table(ledger, game, way)
            key = {"Cookie": f"keys=host.{table.host}"}
            found += [Request("GET", f"/t/{table.id}{page}", None, key) for page in PAGES]
            found.append(Request("GET", f"{table.path}/log?limit=500", None, {"Authorization": f"Bearer {table.host}"}))
    return found


def attack_with(claim: str, target: Target, requests: list[Request], limited: float = 0.0) -> tuple[Row, float]:
    """Flood the service; returns the row, and the seconds of CPU. It holds if `/livez` answers, and no answer is 5xx:
    too many are 429, not 503. With `limited` seconds it is a control: it holds if the flood took `HARM` times as much.
    """
    before = target.cpu()
    with target.pulse() as pulse:
        answers = target.flood(requests, A_SECOND, SECONDS)
    spent = target.cpu() - before
    fine = pulse.holds and all(0 < answer.status < 500 for answer in answers)
    as_it_has_to_be = spent >= HARM * limited if limited else fine
    return Row(claim, f"{statuses(answers)}; {spent:.1f} s of CPU; {pulse}", as_it_has_to_be, bool(limited)), spent


def attack(arena: Arena) -> Iterator[Row]:
    """Request pages of cached tables, of others, and of others without limits."""
    with ExitStack() as opened:
        redis = opened.enter_context(store())
        ledger = Ledger(redis.url)
        opened.callback(ledger.close)
        requests = dear(ledger)
        with arena.serve(REDIS_URL=redis.url) as target:
            for request in requests[:: len(PAGES) + 1]:
                target.ask(request)
            yield attack_with("the pages of tables of 5,000 entries keep nobody waiting", target, requests)[0]
        first = requests[:: len(PAGES) + 1]
        with arena.serve(REDIS_URL=redis.url, BASTIDE_CACHE_MB=SMALL) as target:
            row, spent = attack_with("nor do tables of 5,000 entries that are read each time", target, first)
            yield row
        with arena.serve(REDIS_URL=redis.url, BASTIDE_CACHE_MB=SMALL, BASTIDE_LIMITS="off") as target:
            yield attack_with(f"where nobody counts, they take {HARM} times as much", target, first, spent)[0]
