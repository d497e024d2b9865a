"""What all tests share: a real Redis.

Each fixture imports the service by itself, as the tests of the rules do not need it.
"""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

import rules
from tests.rules.play import SEARCH, SEED, often
from tests.support.limit_clock import Clock

if TYPE_CHECKING:
    from flask import Flask

    from service.storage.ledger import Ledger
    from tests.chaos.cluster import ClusterServers
    from tests.support.api import Api
    from tests.support.redis_server import RedisServer


# No test asserts a time: a busy machine is not a failure. What a search finds becomes a case of its own.
# A run tries the same examples each time, so few are enough; a search tries others, and more of them.
settings.register_profile(
    "untimed",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not SEARCH,
    max_examples=often(45),
)
settings.load_profile("untimed")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two processes more than cores: for a third of the time, tests wait for a browser or for servers."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_finish() -> None:
    """Freeze what was loaded for the tests, so that the garbage collector does not scan it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def pytest_report_header() -> str:
    """Print the seed of this run's random games."""
    return f"random games: GAMES_SEED={SEED}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """If a test failed, print how to play the same random games again."""
    if terminalreporter.stats.get("failed"):
        terminalreporter.line(f"The same random games again: GAMES_SEED={SEED}")


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """One Redis for the session. Tests that harm a Redis use `own_redis`."""
    from tests.support.redis_server import RedisServer

    server = RedisServer().start()
    yield server
    server.close()


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """The address of an empty Redis."""
    from service.storage.ledger import Ledger
    from tests.support.redis_call import redis_call

    with closing(Ledger(redis_server.url)) as ledger:
        redis_call(ledger, "FLUSHALL")
    return redis_server.url


@pytest.fixture
def ledger(redis_url: str) -> Iterator[Ledger]:
    """A ledger without a table."""
    from service.storage.ledger import Ledger

    ledger = Ledger(redis_url)
    yield ledger
    ledger.close()


@pytest.fixture
def own_redis() -> Iterator[Callable[..., RedisServer]]:
    """Starts the test's own servers, to freeze, kill and restart: durable ones, or with the given options."""
    from tests.support.redis_server import RedisServer

    servers: list[RedisServer] = []

    def start(*options: str) -> RedisServer:
        server = RedisServer(*options) if options else RedisServer.durable()
        servers.append(server)
        return server.start()

    yield start
    for server in servers:
        server.close()


@pytest.fixture(scope="session")
def cluster() -> Iterator[ClusterServers]:
    """Six nodes; a test that harms one must restore it."""
    from tests.chaos.cluster import ClusterServers

    servers = ClusterServers()
    try:
        yield servers.start()
    finally:
        servers.close()


@pytest.fixture(scope="session")
def application(redis_server: RedisServer) -> Flask:
    """The application on the Redis of the session."""
    from tests.support.api import application

    return application(redis_server.url)


@pytest.fixture
def app(application: Flask, redis_url: str) -> Flask:
    """The application on an empty Redis."""
    return application


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copies of the files of all worked cases, which the service uses instead."""
    from service.cases import numbering
    from service.i18n.languages import DEFAULT_LANGUAGE

    files_of, record_of, sentences_of = numbering.files_of, numbering.record_of, numbering.sentences_of
    for game in rules.GAMES.values():
        (tmp_path / game.id).mkdir()
        for path in (*files_of(game), record_of(game)):
            shutil.copy(path, tmp_path / game.id)
        shutil.copytree(sentences_of(game, DEFAULT_LANGUAGE).parent, tmp_path / game.id / "case_text")
    monkeypatch.setattr(numbering, "files_of", lambda game: [tmp_path / game.id / each.name for each in files_of(game)])
    monkeypatch.setattr(numbering, "record_of", lambda game: tmp_path / game.id / record_of(game).name)
    monkeypatch.setattr(
        numbering, "sentences_of", lambda game, code: tmp_path / game.id / "case_text" / sentences_of(game, code).name
    )
    return tmp_path


@pytest.fixture
def clock() -> Clock:
    """The clock of the limits."""
    return Clock()


@pytest.fixture
def limited_app(redis_url: str, ledger: Ledger, clock: Clock) -> Callable[..., Flask]:
    """Makes applications with limits, on that clock; keywords are settings, by the names of their variables."""
    from service.http.current import LIMITER
    from service.limits.rate_limits import Limiter
    from tests.support.api import application

    def make(**environment: str) -> Flask:
        app = application(redis_url, "1", **environment)
        app.extensions[LIMITER] = Limiter(ledger, now=clock)
        return app

    return make


@pytest.fixture
def api(app: Flask) -> Api:
    """A client of the API on an empty Redis."""
    from tests.support.api import Api

    return Api(app)
