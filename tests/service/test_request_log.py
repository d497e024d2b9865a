"""The server's log has a line for each request, without anything that a client entered."""

from __future__ import annotations

import hashlib
import json
import logging
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import greenlet
import pytest
import redis
from gunicorn.config import Config
from redis.exceptions import OutOfMemoryError, ReadOnlyError

from service.errors import Ending, NoTable, StoreAway, StoreFull
from service.server import turns
from service.server.request_facts import cause_of
from service.server.request_log import RequestLog, _formatter
from service.tables.entries import BrokenLog, Unreadable
from tests.support.redis_server import RedisServer
from tests.support.service_process import ServiceProcess

V1: Final = "/api/v1"
TRACE: Final = "0af7651916cd43dd8448eb211c80319c"
CANARIES: Final = tuple(f"canary{number:02}" for number in range(50))
PLACES: Final = ("Referer", "User-Agent", "Cookie", "X-Forwarded-For", "Accept-Language", "Origin", "If-Match")


@pytest.fixture
def own_service(tmp_path: Path) -> Any:
    """A service whose log is read."""
    process = ServiceProcess(tmp_path / "data")
    yield process
    if process.process.poll() is None:
        process.end()


def send(served: ServiceProcess, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
    """Send a request; a body that is not bytes is sent as JSON."""
    content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    return served.send(method, path, content, **headers)


def requests(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in log if line["event"] == "request"]


def test_each_request_has_a_line(own_service: ServiceProcess) -> None:
    """The line has route, status, times, steps and bytes, a hash of the table's id, the client's id and trace, and the
    name of a limit that was hit.
    """
    path, keys = own_service.table()
    bearer = {"Authorization": f"Bearer {keys['black']}"} if "black" in keys else {}
    sent = send(
        own_service, "GET", path, X_Request_Id="mine-1", traceparent=f"00-{TRACE}-b7ad6b7169203331-01", **bearer
    )
    assert send(own_service, "GET", "/livez", traceparent=f"00-{TRACE.upper()}-b7ad6b7169203331-01")[0] == 200
    assert send(own_service, "GET", "/nowhere/at/all")[0] == 404
    statuses = [send(own_service, "GET", path, Authorization="Bearer x")[0] for _ in range(40)]
    assert own_service.end() == 0
    opened, read, lives, nowhere, *refused = lines = requests(own_service.log())
    assert (opened["method"], opened["route"], opened["status"]) == ("POST", f"{V1}/tables", 201)
    assert opened["steps"] > 0
    assert (read["id"], read["trace"], read["bytes"]) == ("mine-1", TRACE, len(sent[1]))
    assert read["route"] == f"{V1}/tables/<table_id>"
    assert read["table"] == hashlib.sha256(path.rpartition("/")[2].encode()).hexdigest()[:8]
    assert all(line["cpu_ms"] > 0 and line["wall_ms"] > 0 for line in (opened, read, lives, nowhere))
    assert (lives["route"], "trace" in lives) == ("/livez", False)
    assert (nowhere["status"], "route" in nowhere) == (404, False)
    assert [line["status"] for line in refused] == statuses
    assert 429 in statuses
    assert all(("limit" in line) is (line["status"] == 429) for line in lines)


def test_a_store_that_fails_is_named(tmp_path: Path) -> None:
    """Each 503's line has its cause: `redis-frozen`, then `redis-away`."""
    store = RedisServer.durable().start()
    served = ServiceProcess(tmp_path / "data", REDIS_URL=store.url)
    served.table()
    store.freeze()
    frozen = send(served, "POST", f"{V1}/tables", {"game": "villefranche"})
    store.thaw()
    store.close()
    away = send(served, "POST", f"{V1}/tables", {"game": "villefranche"})
    assert (frozen[0], away[0]) == (503, 503)
    assert served.end() == 0
    causes = [line.get("cause") for line in requests(served.log())]
    assert causes == [None, "redis-frozen", "redis-away"]


def away(cause: Exception) -> StoreAway:
    error = StoreAway(str(cause))
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (away(OutOfMemoryError("OOM command not allowed")), "memory-full"),
        (away(ReadOnlyError("READONLY")), "redis-read-only"),
        (away(redis.TimeoutError("Timeout reading")), "redis-frozen"),
        (away(redis.ConnectionError("refused")), "redis-away"),
        (away(redis.ResponseError("MISCONF errors writing")), "disk-full"),
        (StoreAway("NOREPLICAS 0 of 1 replicas have confirmed the entry"), "too-few-replicas"),
        (StoreAway("write-broke-off"), "write-broke-off"),
        (StoreFull(), "memory-full"),
        (Unreadable("entry 3 is 'canary'"), "newer-log"),
        (BrokenLog("entry 3 cannot be replayed"), "broken-log"),
        (Ending(), "ending"),
        (NoTable("canary"), None),
    ],
)
def test_each_503_has_a_cause(error: Exception, cause: str | None) -> None:
    assert cause_of(error) == cause


def test_no_line_has_what_a_client_sent(own_service: ServiceProcess) -> None:
    """Fifty made-up words in names, paths, headers and bodies, and all keys: none appears in the log."""
    words = iter(CANARIES)
    players = [{"player": player, "name": next(words)} for player in ("black", "white")]
    opening = {"game": "villefranche", "setup": {"players": players}}
    status, table = own_service.ask("POST", f"{V1}/tables", opening)
    assert status == 201, table
    path, keys = f"{V1}/tables/{table['id']}", table["keys"]
    host = {"Authorization": f"Bearer {keys['host']}"}
    for place in PLACES:
        send(own_service, "GET", path, **host | {place: next(words)})
    for target in (path, f"/t/{table['id']}/join", f"{V1}/games"):
        send(own_service, "GET", f"{target}?key={next(words)}&{next(words)}={next(words)}")
        send(own_service, "GET", f"{target}/{next(words)}")
    send(own_service, "GET", path, Authorization=f"Bearer {next(words)}")
    send(own_service, "GET", f"/t/{table['id']}", Cookie=f"keys=host.{keys['host']}:{next(words)}")
    send(own_service, "POST", f"{path}/moves", {"move": next(words)}, If_Match='"1"', **host)
    send(own_service, "POST", f"{path}/moves", f'{{"move": "{next(words)}'.encode(), **host)
    send(own_service, "POST", f"{V1}/games/villefranche/rulings", {"move": next(words), next(words): 1})
    send(own_service, "PATCH", path, {"names": {"black": next(words)}}, If_Match='"1"', **host)
    send(own_service, "POST", f"{V1}/tables", opening, Idempotency_Key=next(words) * 4)
    for word in words:
        send(own_service, "POST", f"/t/{table['id']}/{word}", word.encode(), X_Request_Id=f"{word} ü")
    own_service.end()
    log = json.dumps(own_service.log())
    assert "/api/v1/tables/<table_id>" in log
    secrets = (*CANARIES, keys["host"], keys["watch"], *keys["seats"].values(), table["id"])
    found = [word for word in secrets if word in log]
    assert found == []


def test_a_message_names_the_places_of_an_exception() -> None:
    """The log has an exception's type and place, but not its message, which may quote a request."""
    try:
        int("canary")
    except ValueError as error:
        raised = (ValueError, error, None)
        record = logging.LogRecord("a.logger", logging.ERROR, __file__, 1, "It %s", ("failed",), raised)
        line = json.loads(_formatter().format(record))
    assert line["event"] == "It failed"
    assert (line["level"], line["logger"]) == ("error", "a.logger")
    assert line["fault"].startswith("ValueError at tests/service/test_request_log.py:")
    assert "canary" not in json.dumps(line)


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_terminal_shows_no_requests(is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal, requests are not logged, so that addresses and warnings stay visible."""
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: is_terminal, buffer=BytesIO()))
    assert (RequestLog(Config())._requests is None) is is_terminal


BLOCKING_SCRIPT: Final = """
from gevent import monkey; monkey.patch_all()
import gevent, logging
from service.server.turns import TurnClock, Watchdog

seen = []
class Note(logging.Handler):
    def emit(self, record): seen.append(record.getMessage())
logging.getLogger().handlers[:] = [Note()]
clock = TurnClock(); clock.start(); Watchdog(clock).start()

def yields():
    for _ in range(3): gevent.sleep(0.5)

def does_not_yield():
    while not seen: pass

gevent.spawn(yields).join()
assert not seen
gevent.spawn(does_not_yield).join()
print(seen[0])
"""


def test_a_worker_that_does_not_yield_is_logged_with_its_stack() -> None:
    """A greenlet that does not yield for a second is logged with its stack; one that sleeps is not."""
    done = subprocess.run([sys.executable, "-c", BLOCKING_SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("A turn takes more than a second: ")
    assert "does_not_yield" in done.stdout


def test_the_time_of_a_greenlet_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A greenlet's time excludes that of other greenlets."""
    now = iter(range(0, 1000, 10))
    monkeypatch.setattr(turns, "perf_counter_ns", lambda: next(now))
    clock = turns.TurnClock()  # at 0
    me, other = greenlet.getcurrent(), object()
    clock.begin()  # at 10
    clock._switch("switch", (me, other))  # at 20
    clock._switch("switch", (other, me))  # at 30
    assert clock.read() == 10 + 10  # at 40
    clock.end()
    assert clock.read() == 0
