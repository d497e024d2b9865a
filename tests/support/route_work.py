"""The work of each route in a worker that has just started, and when it is asked again.

The rows are those of `tests.support.every_route`. A process that has loaded what a server loads before it takes
requests forks a child for each of them, as gunicorn forks its workers. So no row finds what another one cached.
"""

from __future__ import annotations

import gc
import io
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from time import process_time
from typing import Any, Final, TypeVar

from flask import Flask, request, request_started
from werkzeug.test import Client

from rules.steps import REST, Effort
from service.app import warm
from service.http import openapi
from service.i18n.languages import LANGUAGES
from service.runtime.budget import EFFORT
from tests.support.api import application
from tests.support.every_route import Opening, Request, Row
from tests.support.redis_server import RedisServer
from tests.support.worst import spans

T = TypeVar("T")
FORK: Final = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Work:
    """The work of an answer: function calls or, where these are not counted, seconds of CPU.

    `steps` are those of the request; `steps_to_last_rest` those after which it paused for other requests.
    """

    status: int
    calls: int
    steps: int
    steps_to_last_rest: int
    seconds: float


@dataclass(frozen=True, slots=True)
class RouteWork:
    """A row, its request, and the work when it was sent first and again."""

    row: Row
    request: Request
    first: Work
    again: Work


def never(_number: int) -> bool:
    """No row shares the child of another."""
    return False


def in_child(do: Callable[[], T]) -> T:
    """The result of a function in a process of its own. Raises `EOFError` if that ends without one."""
    receiver, sender = FORK.Pipe(duplex=False)
    child = FORK.Process(target=lambda: sender.send(do()))
    child.start()
    sender.close()
    try:
        found: T = receiver.recv()
    finally:
        child.join()
    return found


def every_work(rows: Sequence[Row], *, counted: bool, share: Callable[[int], bool] = never) -> Iterator[RouteWork]:
    """Measure the rows, each in a new child: calls if `counted`, else time, as counting takes time.

    `share`: whether a row, by its number, shares the child of the row before it, if both only read. Every second
    request is in French.
    """
    redis = RedisServer().start()
    try:
        app = application(redis.url)
        warm(app)
        openapi.description.cache_clear()  # the tests have read it, a new server has not
        gc.collect()
        gc.freeze()
        requests, cookies = in_child(partial(prepare, app, rows))
        there = snapshot(redis)
        for some in batches(rows, share):
            asked = [requests[number] for number in some]
            works = in_child(partial(twice, app, cookies, asked, counted=counted))
            yield from (
                RouteWork(rows[number], each, *work) for number, each, work in zip(some, asked, works, strict=True)
            )
            if rows[some[-1]].method != "GET":
                restore(redis, there)
    finally:
        redis.close()


def batches(rows: Sequence[Row], share: Callable[[int], bool]) -> Iterator[list[int]]:
    """The numbers of the rows, grouped by child."""
    some: list[int] = []
    for number, row in enumerate(rows):
        if some and not (share(number) and row.method == rows[some[-1]].method == "GET"):
            yield some
            some = []
        some.append(number)
    yield some


def prepare(app: Flask, rows: Sequence[Row]) -> tuple[list[Request], Sequence[tuple[str, str, str]]]:
    """The request of each row, and the cookies of the browser that sends it."""
    opening = Opening(app)
    requests = [opening.request(row, language) for row, language in zip(rows, cycle(LANGUAGES), strict=False)]
    return requests, opening.cookies()


def twice(
    app: Flask, cookies: Sequence[tuple[str, str, str]], asked: Sequence[Request], *, counted: bool
) -> list[tuple[Work, Work]]:
    """The work of each request, and of the same request again."""
    client = app.test_client()
    for name, value, path in cookies:
        client.set_cookie(name, value, path=path)
    efforts: list[Effort] = []

    def note(*_: object, **__: object) -> None:
        efforts.append(request.environ[EFFORT])

    with request_started.connected_to(note, app):
        return [
            (work(client, each, efforts, counted=counted), work(client, each, efforts, counted=counted))
            for each in asked
        ]


def work(client: Client, asked: Request, efforts: list[Effort], *, counted: bool) -> Work:
    """The work of a request."""
    statuses: list[int] = []
    gc.collect()
    start = process_time()
    found = [0]
    if counted:
        found = spans(lambda: statuses.append(send(client, asked)))
    else:
        statuses.append(send(client, asked))
    seconds = process_time() - start
    return Work(statuses[0], sum(found), efforts[-1].steps, REST * (len(found) - 1), seconds)


def send(client: Client, asked: Request) -> int:
    """Send a request; returns the status of its answer."""
    fields: dict[str, Any] = dict(asked.fields)
    if "file" in fields:
        fields["file"] = io.BytesIO(fields["file"].encode()), "results.json"
    with client.open(asked.path, method=asked.method, data=asked.body or fields, headers=asked.headers) as answer:
        return answer.status_code


def snapshot(redis: RedisServer) -> Mapping[str, tuple[int, bytes]]:
    """All keys of a server: the milliseconds that each has left, and its value."""
    keys = [key.decode() for key in redis.ask("KEYS", "*")]
    return {key: (redis.ask("PTTL", key), redis.ask("DUMP", key)) for key in keys}


def restore(redis: RedisServer, there: Mapping[str, tuple[int, bytes]]) -> None:
    """Replace all keys of a server by a snapshot."""
    redis.ask("FLUSHALL")
    for key, (lives, value) in there.items():
        redis.ask("RESTORE", key, max(lives, 0), value)
