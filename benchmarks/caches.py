"""Each cache switched off and on, in turn: pages of a late board in each game, moves, rulings and questions.

A cache that is asked for nothing here has no figure, nor has one that is made once for a process (`Once`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Final, NamedTuple

import orjson
from flask import Flask
from werkzeug.test import Client, TestResponse

from benchmarks.cache_switch import can_switch, statistics, switch_off  # before all that caches
from benchmarks.games import RecordedGame, records_for
from benchmarks.measure import Run, slices
from rules import load
from rules.caches import CACHES
from service.app import warm
from service.runtime.memory import CacheStatistics
from service.schemas import plain
from service.storage.ledger import Ledger
from service.types import JsonObject
from tests.support.api import V1, application
from tests.support.records import entries_of, record_of
from tests.support.redis_server import RedisServer
from tests.web.conftest import Visitor, having

LEFT: Final = 8
"""So many moves before its last one a game is looked at."""
MOVES: Final = 4
"""So many moves are made at a table."""
VISITS: Final = 8
"""At least so many pages are looked at in a slice."""
ROUNDS: Final = 8
GOAL: Final = 2.0
"""Percent of a page or a move that a cache saves, or it goes."""
NUMBERS: Final = count()


class Work(NamedTuple):
    """What is measured: what `prepare` returns, and not `prepare` itself."""

    name: str
    prepare: Callable[[], Run]


def check(answer: TestResponse, *good: int) -> TestResponse:
    """An answer that is as it has to be."""
    if answer.status_code not in (good or (200, 201)):
        raise RuntimeError(answer.text)
    return answer


def gets(name: str, visitor: Visitor, paths: Sequence[str], **headers: str) -> Work:
    """Pages that are looked at one after another, again and again: a few milliseconds alone are all noise."""

    def look() -> None:
        for path in [*paths] * -(-VISITS // len(paths)):
            check(visitor.get(path, **headers))

    return Work(name, lambda: look)


def links(page: str, kind: str, many: int) -> list[str]:
    """Some links of a page."""
    found = [each.replace("&amp;", "&") for each in re.findall(kind, page)]
    return found[:: max(1, len(found) // many)][:many]


def works_of(app: Flask, ledger: Ledger, game_id: str, name: str) -> Iterator[Work]:
    """Pages and moves of a recorded game."""
    played, record = RecordedGame.of(game_id, name), record_of(f"{game_id}/{name}")
    number, visitor = len(played.moves) - LEFT, Visitor(app.test_client())
    table = visitor.sit(ledger, f"{game_id}/{name}", number)
    page, log = visitor.get(table).text, f"{table}/moves"
    move = played.game.write(played.moves[number]).replace(" ", "+")
    yield gets(f"{game_id} page", visitor, [table])
    cells = links(page, r'<a class="cell"[^>]* href="([^"]+)"', 6)
    yield gets(f"{game_id} taps", visitor, cells, **having(page))
    yield gets(f"{game_id} verdict", visitor, [f"{table}?move={move}"])
    yield gets(f"{game_id} log", visitor, [f"{table}/score", log, f"{table}/sheet"])
    steps = links(visitor.get(log).text, r'href="([^"#]*moves\?entry=[^"#]*)', 4)
    yield gets(f"{game_id} replay", visitor, steps)
    asked = check(visitor.get(f"{table}/what-if"), 303).headers["Location"]
    cells = links(visitor.get(asked).text, r'<a class="cell"[^>]* href="([^"]+)"', 2)
    path = asked.partition("?")[0]
    yield gets(f"{game_id} question", visitor, [asked, *(path + each if each[0] == "?" else each for each in cells)])
    rule = next(iter(load(game_id, "rulebook")))
    book = f"/rules/{game_id}"
    yield gets(f"{game_id} rules", visitor, [book, f"{book}/{rule}", f"{book}/cases"])
    yield gets(f"{game_id} search", visitor, [f"{V1}/games/{game_id}/search?q=the+first+player"])
    legal = f"{V1}/tables/{table[3:]}/legal-moves?limit=5000"
    yield gets(f"{game_id} legal moves", visitor, [legal], **key_of(visitor, table))
    yield rulings(app.test_client(), played, record)
    yield from moves(app, ledger, record, f"{game_id}/{name}", number)


def key_of(visitor: Visitor, table: str) -> dict[str, str]:
    """The header with the key of a table."""
    cookie = visitor.client.get_cookie("keys", path=table)
    return {"Authorization": f"Bearer {cookie.value.partition('.')[2] if cookie else ''}"}


def rulings(client: Client, played: RecordedGame, record: JsonObject) -> Work:
    """The API is asked about some moves, each in its position."""
    game, path = played.game, f"{V1}/games/{played.game.id}/rulings"
    every = list(zip(played.states, played.moves, strict=False))
    bodies = [
        {"setup": record["setup"], "position": plain(game.position(state)), "move": game.write(move), "explain": True}
        for state, move in every[:: max(1, len(every) // 6)]
    ]
    sent = list(map(orjson.dumps, bodies))

    def ask() -> None:
        for each in sent:
            check(client.post(path, data=each, content_type="application/json"))

    return Work(f"{game.id} rulings", lambda: ask)


def moves(app: Flask, ledger: Ledger, record: JsonObject, name: str, number: int) -> Iterator[Work]:
    """Moves at a fresh table: by the API, and on its page, which is looked at after each."""
    played = entries_of(record)[number : number + MOVES]

    def sit() -> tuple[Visitor, str]:
        visitor = Visitor(app.test_client())
        table = visitor.sit(ledger, name, number)
        visitor.get(table)
        return visitor, table

    def by_api(visitor: Visitor, table: str) -> None:
        for version, move in enumerate(played, start=number + 1):
            headers = {"If-Match": f'"{version}"', "Idempotency-Key": f"k{next(NUMBERS)}", **key_of(visitor, table)}
            body = {each: move[each] for each in ("move", "stands") if each in move}
            check(visitor.client.post(f"{V1}/tables/{table[3:]}/moves", json=body, headers=headers))

    def on_page(visitor: Visitor, table: str) -> None:
        for version, move in enumerate(played, start=number + 1):
            form = {"move": move["move"], "version": f"{version}", "key": f"w{next(NUMBERS):020d}"}
            stands = {"stands": "on"} if move.get("stands") else {}
            check(visitor.get(check(visitor.post(f"{table}/play", form | stands), 303).headers["Location"]))

    yield Work(f"{record['game']} moves", lambda: partial(by_api, *sit()))
    yield Work(f"{record['game']} moves on the page", lambda: partial(on_page, *sit()))


def home_of(app: Flask) -> Work:
    """The first page of a browser that has opened some tables."""
    visitor = Visitor(app.test_client())
    for _ in range(5):
        visitor.get(visitor.open())
    return gets("home", visitor, ["/"])


def uses(work: Work) -> set[str]:
    """The caches that some work asks for anything."""
    work.prepare()()
    run = work.prepare()
    before = {name: cached.cache_info()[:2] for name, cached in CACHES.items()}
    run()
    return {name for name, cached in CACHES.items() if cached.cache_info()[:2] != before.get(name)}


def saving(name: str, work: Work) -> float:
    """Percent of some work's CPU that a cache saves."""

    def prepare() -> Run:
        run = work.prepare()

        def run_without() -> None:
            with switch_off(name):
                run()

        return run_without

    off, on = slices(prepare, work.prepare, rounds=ROUNDS)
    return 100 * (off / on - 1)


def line_of(each: CacheStatistics, saved: Mapping[str, float]) -> str:
    """What a cache has done, and where it saves most."""
    counts = f"{each.hits} hits, {each.misses} misses, {each.entries} entries, {each.size} bytes"
    most = sorted(saved.items(), key=lambda found: -found[1])[:3]
    where = ", ".join(f"{page} {percent:.1f}" for page, percent in most) or "not measured"
    few = f" UNDER {GOAL:.0f}" if most and most[0][1] < GOAL else ""
    return f"{each.name}: {counts}; saves % {where}{few}"


def main() -> None:
    """Print a line for each cache, or for those that are named: ``python -m benchmarks.caches _spot width``."""
    redis = RedisServer().start()
    ledger = Ledger(redis.url)
    try:
        app = application(redis.url)
        warm(app)
        works = [home_of(app)]
        for game_id, name in records_for("pages").items():
            works += works_of(app, ledger, game_id, name)
        used = {work.name: set(filter(can_switch, uses(work))) for work in works}
        for each in statistics():
            if not sys.argv[1:] or any(each.name.endswith(name) for name in sys.argv[1:]):
                saved = {
                    work.name: saving(each.name, work)
                    for work in works
                    if each.name in used[work.name] and can_switch(each.name)
                }
                print(line_of(each, saved), flush=True)
    finally:
        ledger.close()
        redis.close()


if __name__ == "__main__":
    main()
