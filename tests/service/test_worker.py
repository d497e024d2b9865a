"""Slow clients and the end of a worker, seen from outside: nobody is silenced, and nobody's request fails."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import service
from service import drain, renewal, worker
from service.responses import SECURITY_HEADERS
from service.startup import SERVED
from tests.chaos.victim import children
from tests.redis_server import free_ports
from tests.rules.play import often
from tests.service.siege import Siege
from tests.service.test_serve import Served

ADDRESSES = [f"127.0.0.{number}" for number in range(2, 52)]
"""Where the phones are that look on: all of 127.0.0.0/8 is this machine (on Linux)."""
POST = b"POST /api/v1/tables HTTP/1.1\r\nHost: localhost\r\n"
PATIENCE = 120
"""Seconds for an answer that has to come. One that is silenced never comes."""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="one machine has many addresses on Linux only")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service for all tests that leave it as it is; they open more tables than a phone would."""
    service = Served(tmp_path_factory.mktemp("served") / "data", BASTIDE_LIMITS="9")
    yield service
    service.end()


def lives(port: int, patience: float) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
    try:
        connection.request("GET", "/livez")
        return connection.getresponse().status == 200
    except TimeoutError:
        return False
    finally:
        connection.close()


def poll(port: int, path: str, key: str, address: str) -> int:
    """The status of a poll that waits for what follows version 1."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=(address, 0))
    try:
        connection.request("GET", f"{path}?wait=25", headers={"Authorization": f"Bearer {key}", "If-None-Match": '"1"'})
        return connection.getresponse().status
    finally:
        connection.close()


def play(served: Served, path: str, keys: dict[str, str]) -> int:
    change = {"Authorization": f"Bearer {keys['host']}", "If-Match": '"1"'}
    return served.ask("POST", f"{path}/moves", {"move": "r b9c9"}, **change)[0]


def follow(siege: Siege, path: str, key: str, address: str) -> int:
    """What a phone sees at last that waits for what follows version 1, again and again, as phones do."""
    status = 0
    while status != 200 and not siege.over.is_set():
        status = poll(siege.port, path, key, address)
    return status


def test_slow_clients_silence_nobody(shared: Served) -> None:
    """400 slow connections, three that flood, phones that wait: the service answers; moves reach all the phones."""
    tables = [shared.table() for _ in range(10)]
    count = often(300)
    with ThreadPoolExecutor(count) as phones, Siege(shared.port) as siege:
        waiting = [
            phones.submit(follow, siege, path, keys["watch"], ADDRESSES[number % 50])
            for number, (path, keys) in enumerate(tables * (count // 10))
        ]
        assert all(lives(shared.port, PATIENCE) for _ in range(often(40)))
        for path, keys in tables:
            assert play(shared, path, keys) == 201
        assert [phone.result() for phone in waiting] == [200] * count


def test_threads_would_be_silenced(tmp_path: Path, redis_url: str) -> None:
    """The control: the same connections silence a server that has a thread for each of few clients."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    command = ["-m", "gunicorn", "--config", "python:service.gunicorn_conf", "service.app:create_app()"]
    process = subprocess.Popen(
        [sys.executable, *command, "--worker-class", "gthread", "--threads", "8"],
        env=os.environ | {"PORT": str(port), "REDIS_URL": redis_url, SERVED: "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        assert any("Booting worker" in line for line in process.stderr)
        assert lives(port, PATIENCE)
        with Siege(port):
            assert not lives(port, 1)
    finally:
        process.kill()
        process.communicate()


def test_polls_that_wait_are_counted(shared: Served) -> None:
    """32 wait with one key; the next is told to come again. So it is with 64 at one address. Others still wait."""
    path, keys = shared.table()
    others = [shared.table() for _ in range(3)]
    with ThreadPoolExecutor(200) as phones:
        of_key = [phones.submit(poll, shared.port, path, keys["watch"], address) for address in ADDRESSES[:40]]
        of_place = [
            phones.submit(poll, shared.port, other, their["watch"], "127.0.0.99") for other, their in others * 24
        ]
        assert sum(answered(of_key, 8)) == 8 * 429
        assert sum(answered(of_place, 8)) == 8 * 429
        for each in ((path, keys), *others):
            assert play(shared, *each) == 201
        assert sorted(phone.result() for phone in of_key) == [200] * 32 + [429] * 8
        assert sorted(phone.result() for phone in of_place) == [200] * 64 + [429] * 8


def answered(polls: list[Any], count: int) -> list[int]:
    """The statuses of so many polls that were answered first."""
    found = []
    for done in as_completed(polls, timeout=60):
        found.append(done.result())
        if len(found) == count:
            break
    return found


def test_an_address_has_its_share_of_the_connections(tmp_path: Path) -> None:
    """A quarter of the connections: who has them all open is refused another, and others are not."""
    served = Served(tmp_path / "data", BASTIDE_CONNECTIONS="16")
    held = []
    try:
        for _ in range(4):
            connection = socket.create_connection(("127.0.0.1", served.port), source_address=("127.0.0.7", 0))
            connection.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 200")
            held.append(connection)
        refused = socket.create_connection(("127.0.0.1", served.port), source_address=("127.0.0.7", 0))
        held.append(refused)
        assert refused.recv(100) == b""
        assert lives(served.port, 20)
    finally:
        for each in held:
            each.close()
        served.end()


@pytest.mark.parametrize(
    ("sent", "status", "kind"),
    [
        (b"nonsense\r\n\r\n", 400, "bad-request"),
        (b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\n\r\n", 414, "uri-too-long"),
        (b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: 1\r\n" % n for n in range(80)) + b"\r\n", 431, "headers-too-large"),
        (b"GET /livez HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: what\r\n\r\n", 400, "bad-request"),
        (POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400, "bad-request"),
        (POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "bad-request"),
    ],
)
def test_what_is_not_http_is_answered_as_everything_else(shared: Served, sent: bytes, status: int, kind: str) -> None:
    """A problem, with the headers that every answer has, though the application never saw the request."""
    with socket.create_connection(("127.0.0.1", shared.port), timeout=30) as connection:
        connection.sendall(sent)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        body = json.loads(answer.read())
    assert answer.status == body["status"] == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert body["type"] == f"/problems/{kind}"
    assert body["title"]
    assert body["detail"]
    for name, value in SECURITY_HEADERS:
        assert answer.headers[name] == value


def cut(port: int, request: bytes) -> tuple[int, Any]:
    """The answer to a request after which nothing is sent any more."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        body = answer.read()
    return answer.status, json.loads(body) if "json" in answer.headers["Content-Type"] else body


MOVE = b'{"move": "r b9c9"}'


@pytest.mark.parametrize(
    ("framed", "status", "kind"),
    [
        (b"Content-Length: 40\r\n\r\n" + MOVE, 400, "bad-request"),
        (b"Transfer-Encoding: chunked\r\n\r\n12\r\n" + MOVE + b"\r\n", 411, "length-required"),
        (b"Content-Length: 18\r\n\r\n" + MOVE, 201, None),
    ],
)
def test_a_body_that_breaks_off_changes_nothing(shared: Served, framed: bytes, status: int, kind: str | None) -> None:
    """What came of it could be a move, and another than was meant. The control: the same move, and its whole body."""
    path, keys = shared.table()
    head = f"POST {path}/moves HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {keys['host']}\r\n"
    head += 'If-Match: "1"\r\nContent-Type: application/json\r\n'
    answered, body = cut(shared.port, head.encode() + framed)
    assert (answered, body.get("type")) == (status, kind and f"/problems/{kind}")
    table = shared.ask("GET", path, Authorization=f"Bearer {keys['watch']}")[1]
    assert table["version"] == (2 if status == 201 else 1)


def test_a_form_that_breaks_off_opens_no_table(shared: Served) -> None:
    """The control: the same form, and its whole body."""
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    head += b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
    assert cut(shared.port, head + b"17\r\n\r\ngame=villefranche")[0] == 303
    assert cut(shared.port, head + b"40\r\n\r\ngame=villefranche")[0] >= 400


class Client:
    """A client that keeps its connection, as browsers and libraries do."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, path: str, **headers: str) -> tuple[int, bool]:
        """The status of an answer, and whether it is the last on this connection."""
        self.send(path, **headers)
        return self.answer()

    def send(self, path: str, **headers: str) -> None:
        self.connection.request("GET", path, headers=headers)

    def answer(self) -> tuple[int, bool]:
        response = self.connection.getresponse()
        response.read()
        return response.status, response.will_close

    def close(self) -> None:
        self.connection.close()


def test_a_service_that_ends_lets_everybody_finish(tmp_path: Path) -> None:
    """SIGTERM: who waits is answered at once; an open connection has one more answer, and that says it is the last."""
    served = Served(tmp_path / "data")
    path, keys = served.table()
    with ExitStack() as stack:
        live, ready, phone = (stack.enter_context(closing(Client(served.port))) for _ in range(3))
        for each in (live, ready, phone):
            assert each.ask("/readyz") == (200, False)
        phone.send(f"{path}?wait=25", **{"Authorization": f"Bearer {keys['watch']}", "If-None-Match": '"1"'})
        served.process.send_signal(signal.SIGTERM)
        served.until("Handling signal: term")
        assert phone.answer()[0] == 304
        assert live.ask("/livez") == (200, True)
        assert ready.ask("/readyz") == (503, True)
    assert served.end() == 0


def test_a_worker_that_ends_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has its time; then the system ends it, whatever it does: who made it may know of it no more."""
    monkeypatch.setattr(drain, "_begun", False)
    old: Any = object.__new__(worker.Worker)
    old.cfg, old.alive = SimpleNamespace(graceful_timeout=8), True
    try:
        old.handle_exit(signal.SIGTERM, None)
    finally:
        left = signal.alarm(0)
    assert (old.alive, drain.begun()) == (False, True)
    assert 8 < left <= 8 + worker.SPARE_SECONDS


def test_code_that_is_never_loaded_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server would hear no signal for as long as it waits. The control ends at once, and says why."""
    monkeypatch.setattr(renewal, "LOADING", 0.1)
    assert renewal._wrong([sys.executable, "-c", "import signal; signal.pause()"], ".") == (
        "It was not loaded within 0.1 seconds."
    )
    monkeypatch.undo()
    assert renewal._wrong([sys.executable, "-c", "raise SystemExit('no')"], ".") == "no"
    assert renewal._wrong([sys.executable, "-c", ""], ".") is None


def test_new_workers_take_over_without_a_failed_request(shared: Served) -> None:
    """SIGHUP while eight clients ask and play: every request is answered, on connections that are kept."""
    done = threading.Event()

    def client(_: int) -> int:
        path, keys = shared.table()
        answered = 0
        with closing(Client(shared.port)) as caller:
            while not (done.is_set() and answered):
                assert caller.ask("/livez")[0] == 200
                assert caller.ask(path, Authorization=f"Bearer {keys['watch']}")[0] == 200
                answered += 1
        return answered

    with ThreadPoolExecutor(8) as clients:
        asking = [clients.submit(client, number) for number in range(8)]
        try:
            shared.process.send_signal(signal.SIGHUP)
            said = shared.until("Worker exiting")
            assert any("Booting worker" in line for line in said)
        finally:
            done.set()
        assert all(each.result() for each in asking)


VERSION = """
import os, socket
from flask import Flask
with open(os.environ["LOADED"], "a") as loaded:
    loaded.write("once more\\n")
application = Flask(__name__)
application.add_url_rule("/", view_func=lambda: "{} " + socket.socket.__module__)
"""


class Versions:
    """A server with the service's settings, for an application of which there are several versions."""

    def __init__(self, folder: Path, redis_url: str) -> None:
        [self.port] = free_ports(1)
        self.code, self.loaded = folder / "versions.py", folder / "loaded"
        self.write(VERSION.format("first"))
        own = {"PORT": str(self.port), "REDIS_URL": redis_url, SERVED: "1", "LOADED": str(self.loaded)}
        own |= {"PYTHONPATH": f"{folder}:{Path(service.__file__).parents[1]}", "PYTHONDONTWRITEBYTECODE": "1"}
        command = ["-P", "-m", "gunicorn", "--config", "python:service.gunicorn_conf", "versions:application"]
        self.process = subprocess.Popen(
            [sys.executable, *command],
            env=os.environ | own,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.until("Booting worker")

    def write(self, code: str) -> None:
        self.code.write_text(code)

    def renew(self) -> None:
        self.process.send_signal(signal.SIGHUP)

    def until(self, words: str) -> None:
        assert self.process.stdout is not None
        assert any(words in line for line in self.process.stdout), f"it ended without {words!r}"

    def now(self) -> tuple[str, int]:
        """What the application says, and how often it was loaded."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with closing(connection):
            connection.request("GET", "/")
            return connection.getresponse().read().decode(), len(self.loaded.read_text().splitlines())


@pytest.fixture
def versions(tmp_path: Path, redis_url: str) -> Iterator[Versions]:
    server = Versions(tmp_path, redis_url)
    yield server
    server.process.terminate()
    server.process.communicate()


def test_workers_are_made_at_once_and_sighup_brings_new_code(versions: Versions) -> None:
    """A worker that is killed is replaced by one that loads nothing. New code is taken; broken code is not, and said.

    The application finds sockets that are cooperative already. New code is loaded once to see whether that works.
    """
    assert versions.now() == ("first gevent._socket3", 1)
    [worker] = children(versions.process.pid)
    os.kill(worker, signal.SIGKILL)
    versions.until("Booting worker")
    assert versions.now() == ("first gevent._socket3", 1)
    versions.write(VERSION.format("second"))
    versions.renew()
    versions.until("Worker exiting")
    assert versions.now() == ("second gevent._socket3", 3)
    versions.write("this is no code")
    versions.renew()
    versions.until("SyntaxError")
    versions.until("Worker exiting")
    assert versions.now() == ("second gevent._socket3", 3)
    assert versions.process.poll() is None
