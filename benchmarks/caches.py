"""Each cache switched off and on, in turn: pages of a late board in each game, moves, rulings and questions.

A cache without a hit here has no figure, nor has one that is filled once for a process (`Once`).
"""

from __future__ import annotations

import gc
import re
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from math import ceil
from time import process_time
from typing import Final, NamedTuple

import orjson
from flask import Flask
from werkzeug.test import Client, TestResponse

from benchmarks import cache_switch  # before any module with a cache
from benchmarks.bench_unknowns import questions
from benchmarks.games import RecordedGame, records_for
from benchmarks.measure import Run
from rules import GAMES
from rules.unknowns import judge
from service.app import warm
from service.runtime.memory import CacheStatistics
from service.schemas import plain
from service.storage.ledger import Ledger
from service.types import JsonObject
from tests.support.api import V1, application
from tests.support.every_route import rows
from tests.support.records import entries_of, record_of, records_of
from tests.support.redis_server import RedisServer
from tests.support.route_work import prepare, send
from tests.web.conftest import Visitor, having

MOVES_LEFT: Final = 8
"""The number of moves after the measured position."""
UNKNOWNS: Final = 20
"""The number of unknown things in an open question: some caches are for long questions."""
MOVES: Final = 4
"""The number of moves at a table."""
VISITS: Final = 8
"""The minimum number of pages in a slice."""
ROUNDS: Final = 21
"""The number of pairs of slices."""
SLICE: Final = 0.015
"""The minimum CPU seconds of a slice."""
MANY: Final = 50
"""The maximum repetitions of a request in a slice."""
PLAIN: Final = 50.0
"""The estimated saving, in percent, from which one pair of slices is enough."""
ENOUGH: Final = 5.0
"""The saving, in percent, from which no other work is measured."""
MOST: Final = 3
"""The maximum number of works for a cache: those where it seems to save most."""
GOAL: Final = 2.0
"""The minimum percentage of a page or a move that a cache has to save: else remove it."""
NUMBERS: Final = count()


class Work(NamedTuple):
    """Some work to measure: the function that `prepare` returns, not `prepare` itself."""

    name: str
    prepare: Callable[[], Run]


def check(answer: TestResponse, *good: int) -> TestResponse:
    """The response, if its status is good. Raises `RuntimeError` for any other."""
    if answer.status_code not in (good or (200, 201)):
        raise RuntimeError(answer.text)
    return answer


def gets(name: str, visitor: Visitor, paths: Sequence[str], **headers: str) -> Work:
    """Pages read one after another, several times: a few milliseconds alone are all noise."""

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
    number, visitor = len(played.moves) - MOVES_LEFT, Visitor(app.test_client())
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
    yield rulings(app.test_client(), played, record)
    yield from moves(app, ledger, record, f"{game_id}/{name}", number)


def key_of(visitor: Visitor, table: str) -> dict[str, str]:
    """The header with the key of a table."""
    cookie = visitor.client.get_cookie("keys", path=table)
    return {"Authorization": f"Bearer {cookie.value.partition('.')[2] if cookie else ''}"}


def rulings(client: Client, played: RecordedGame, record: JsonObject) -> Work:
    """Rulings of the API on some moves, each in its position."""
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
    """Moves at a new table: by the API, and on its page, which is read after each."""
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


def refusals(redis_url: str) -> Work:
    """Requests from an address that has sent too many."""
    client = application(redis_url, limits="1").test_client()
    look = partial(client.get, "/", headers={"Accept": "text/html"})

    def prepare() -> Run:
        while look().status_code != 429:
            pass
        return lambda: [look() for _ in range(MANY)]

    return Work("refusals", prepare)


def rules_of(game_id: str) -> Iterator[Work]:
    """The rules without the service: positions with unknown cells, and all moves in the middle of each game."""
    game, played = GAMES[game_id], RecordedGame.of(game_id, records_for("rulings")[game_id])
    open_questions = list(questions(played, UNKNOWNS)) if game.unknowns else []
    halves = [
        each.states[len(each.moves) // 2]
        for each in (RecordedGame.of(game_id, path.stem) for path in records_of(game_id))
    ]

    def ask() -> None:
        for each in open_questions:
            judge(game, each.known_part, each.unknown, each.move)

    def list_moves() -> None:
        for state in halves:
            deque(game.moves(state), maxlen=0)

    yield Work(f"{game_id} open questions", lambda: ask)
    yield Work(f"{game_id} legal moves", lambda: list_moves)


def routes(app: Flask) -> Iterator[Work]:
    """An ordinary request to each route that changes nothing."""
    every = list(rows())
    requests, cookies = prepare(app, every)
    client = app.test_client()
    for name, secret, path in cookies:
        client.set_cookie(name, secret, path=path)
    for row, request in zip(every, requests, strict=True):
        if row.method == "GET" or f"{V1}/games/" in row.path:
            yield Work(row.name, partial(again, partial(send, client, request)))


def again(do: Run) -> Run:
    """Work repeated until it takes long enough to measure."""
    do()
    seconds = seconds_of(do)
    many = min(MANY, ceil(SLICE / max(seconds, 0.0001)))
    return lambda: [do() for _ in range(many)]


def seconds_of(run: Run) -> float:
    """The CPU seconds of a run."""
    start = process_time()
    run()
    return process_time() - start


class Use(NamedTuple):
    """Some work that uses a cache, with its hits, and the percentage that they may save."""

    work: Work
    hits: int
    percent: float


def works_by_cache(works: Iterable[Work]) -> Mapping[str, list[Use]]:
    """Cache -> the works with hits, sorted by what these save, the most first."""
    found: dict[str, list[Use]] = defaultdict(list)
    for work in works:
        work.prepare()()
        seconds = min(seconds_of(work.prepare()) for _ in range(2))
        hits, saved = cache_switch.repeat(work.prepare())
        for name, many in hits.items():
            percent = 100 * saved[name] / seconds if name in saved else many / seconds / 1000
            found[name].append(Use(work, many, percent))
    for some in found.values():
        some.sort(key=lambda asked: -asked.percent)
    return found


def saving(name: str, asked: Use) -> list[float]:
    """The percentages of some work's CPU that a cache saves, from pairs of slices, sorted."""
    percents: list[float] = []
    gc.collect()
    gc.disable()
    try:
        for turn in range(ROUNDS if asked.percent < PLAIN else 1):
            seconds = {}
            for off in (name, "nothing")[:: 1 if turn % 2 else -1]:
                run = asked.work.prepare()
                with cache_switch.switch_off(off):
                    seconds[off] = seconds_of(run)
            percents.append(100 * (seconds[name] / seconds["nothing"] - 1))
    finally:
        gc.enable()
    return sorted(percents)


def line_of(name: str, asked: Sequence[Use], counted: CacheStatistics | None) -> str:
    """The hits of a cache, and the works where it saves most, until one is enough.

    For each work: the median, the quartiles, and the time to compute the cached values again, in percent.
    """
    counts = f"{counted.hits} hits, {counted.misses} misses, {counted.size} bytes" if counted else "in a value"
    most, where = -1.0, []
    for each in asked[:MOST]:
        if most < ENOUGH:
            found = saving(name, each)
            low, middle, high = (found[len(found) * part // 4] for part in (1, 2, 3))
            most = max(most, middle)
            where.append(f"{each.work.name[:60]} {middle:.1f} [{low:.1f} to {high:.1f}] ({each.percent:.1f})")
    few = f" UNDER {GOAL:.0f}" if where and most < GOAL else ""
    return f"{name}: {counts}; saves % {', '.join(where) or 'never asked'}{few}"


def main() -> None:
    """Print a line for each cache, or only for some: ``python -m benchmarks.caches _spot width``."""
    redis = RedisServer().start()
    ledger = Ledger(redis.url)
    try:
        works = [refusals(redis.url)]
        app = application(redis.url)
        warm(app)
        works += [home_of(app), *routes(app)]
        for game_id, name in records_for("pages").items():
            works += rules_of(game_id)
            works += works_of(app, ledger, game_id, name)
        asked, counted = works_by_cache(works), cache_switch.statistics()
        for name in sorted(cache_switch.names()):
            if not sys.argv[1:] or any(name.endswith(each) for each in sys.argv[1:]):
                print(line_of(name, asked.get(name, ()), counted.get(name)), flush=True)
    finally:
        ledger.close()
        redis.close()


if __name__ == "__main__":
    main()
