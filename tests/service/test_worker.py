"""Slow clients and the end of a worker, seen from outside: no client is starved, and no request fails."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import service
from service.http.responses import SECURITY_HEADERS
from service.runtime import shutdown
from service.server import worker
from service.startup import SERVED_VARIABLE
from tests.chaos.victim import children
from tests.rules.play import often
from tests.service.siege import Siege
from tests.support.redis_server import free_ports
from tests.support.service_process import Client, ServiceProcess

ADDRESSES = [f"127.0.0.{number}" for number in range(2, 52)]
"""Addresses of watching phones: all of 127.0.0.0/8 is this machine (on Linux)."""
POST = b"POST /api/v1/tables HTTP/1.1\r\nHost: localhost\r\n"
PATIENCE = 120
"""Seconds to wait for a response; a starved client never gets one."""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="one machine has many addresses on Linux only")


@pytest.fixture(scope="module")
def shared_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    """A service shared by all tests that do not change it, with nine times the limits, as they open many tables."""
    service = ServiceProcess(tmp_path_factory.mktemp("served") / "data", BASTIDE_LIMITS="9")
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
    """The status of a poll for news after version 1."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=(address, 0))
    try:
        connection.request("GET", f"{path}?wait=25", headers={"Authorization": f"Bearer {key}", "If-None-Match": '"1"'})
        return connection.getresponse().status
    finally:
        connection.close()


def play(served: ServiceProcess, path: str, keys: dict[str, str]) -> int:
    change = {"Authorization": f"Bearer {keys['host']}", "If-Match": '"1"'}
    return served.ask("POST", f"{path}/moves", {"move": "r b9c9"}, **change)[0]


def follow(siege: Siege, path: str, key: str, address: str) -> int:
    """Poll as a phone does until there is news after version 1; returns the last status."""
    status = 0
    while status != 200 and not siege.over.is_set():
        status = poll(siege.port, path, key, address)
    return status


def test_slow_clients_silence_nobody(shared_service: ServiceProcess) -> None:
    """With 400 slow connections and three that flood, the service still answers, and moves reach all waiting phones."""
    tables = [shared_service.table() for _ in range(10)]
    count = often(300)
    with ThreadPoolExecutor(count) as phones, Siege(shared_service.port) as siege:
        waiting = [
            phones.submit(follow, siege, path, keys["watch"], ADDRESSES[number % 50])
            for number, (path, keys) in enumerate(tables * (count // 10))
        ]
        assert all(lives(shared_service.port, PATIENCE) for _ in range(often(40)))
        for path, keys in tables:
            assert play(shared_service, path, keys) == 201
        assert [phone.result() for phone in waiting] == [200] * count


def test_threads_would_be_silenced(tmp_path: Path, redis_url: str) -> None:
    """The control: the same connections starve a server with eight threads."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    command = ["-m", "gunicorn", "--config", "python:service.gunicorn_conf", "service.app:create_app()"]
    process = subprocess.Popen(
        [sys.executable, *command, "--worker-class", "gthread", "--threads", "8"],
        env=os.environ | {"PORT": str(port), "REDIS_URL": redis_url, SERVED_VARIABLE: "1"},
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


def test_polls_that_wait_are_counted(shared_service: ServiceProcess) -> None:
    """32 polls may wait with one key, and 64 at one address; the next gets 429. Other addresses can still wait."""
    path, keys = shared_service.table()
    others = [shared_service.table() for _ in range(3)]
    with ThreadPoolExecutor(200) as phones:
        of_key = [phones.submit(poll, shared_service.port, path, keys["watch"], address) for address in ADDRESSES[:40]]
        of_place = [
            phones.submit(poll, shared_service.port, other, their["watch"], "127.0.0.99")
            for other, their in others * 24
        ]
        assert sum(poll_statuses(of_key, 8)) == 8 * 429
        assert sum(poll_statuses(of_place, 8)) == 8 * 429
        for each in ((path, keys), *others):
            assert play(shared_service, *each) == 201
        assert sorted(phone.result() for phone in of_key) == [200] * 32 + [429] * 8
        assert sorted(phone.result() for phone in of_place) == [200] * 64 + [429] * 8


def poll_statuses(polls: list[Any], count: int) -> list[int]:
    """The statuses of the first `count` polls that are answered."""
    found = []
    for done in as_completed(polls, timeout=60):
        found.append(done.result())
        if len(found) == count:
            break
    return found


def test_an_address_has_its_share_of_the_connections(tmp_path: Path) -> None:
    """An address that holds a quarter of the connections gets no more; other addresses do."""
    served = ServiceProcess(tmp_path / "data", BASTIDE_CONNECTIONS="16")
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
def test_what_is_not_http_is_answered_as_everything_else(
    shared_service: ServiceProcess, sent: bytes, status: int, kind: str
) -> None:
    """A request that is not valid HTTP gets a problem with the usual headers, though the application never sees it."""
    with socket.create_connection(("127.0.0.1", shared_service.port), timeout=30) as connection:
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


def send_half(port: int, request: bytes) -> tuple[int, Any]:
    """The response to a request after which the client sends nothing more."""
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
def test_a_body_that_breaks_off_changes_nothing(
    shared_service: ServiceProcess, framed: bytes, status: int, kind: str | None
) -> None:
    """A body that breaks off is not played as a move. The control: the same move with its whole body."""
    path, keys = shared_service.table()
    head = f"POST {path}/moves HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {keys['host']}\r\n"
    head += 'If-Match: "1"\r\nContent-Type: application/json\r\n'
    answered, body = send_half(shared_service.port, head.encode() + framed)
    assert (answered, body.get("type")) == (status, kind and f"/problems/{kind}")
    table = shared_service.ask("GET", path, Authorization=f"Bearer {keys['watch']}")[1]
    assert table["version"] == (2 if status == 201 else 1)


def test_a_form_that_breaks_off_opens_no_table(shared_service: ServiceProcess) -> None:
    """A form that breaks off opens no table. The control: the whole form."""
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    head += b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
    assert send_half(shared_service.port, head + b"17\r\n\r\ngame=villefranche")[0] == 303
    assert send_half(shared_service.port, head + b"40\r\n\r\ngame=villefranche")[0] >= 400


class Waiting:
    """A client that sends its body only after `100 Continue` (RFC 9110, 10.1.1)."""

    def __init__(self, port: int) -> None:
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.reader = self.connection.makefile("rb")

    def begin(self, path: str, *fields: str, framed: str = "Content-Length: 18") -> bytes:
        """The first line of the response to a request's head."""
        fields = ("Host: localhost", "Content-Type: application/json", "Expect: 100-continue", framed, *fields)
        self.connection.sendall("\r\n".join((f"POST {path} HTTP/1.1", *fields, "", "")).encode())
        return self.reader.readline()

    def rest(self) -> dict[str, str]:
        """The other header fields of a response."""
        fields = {}
        while line := self.reader.readline().strip():
            name, _, value = line.decode().partition(": ")
            fields[name.lower()] = value
        return fields

    def close(self) -> None:
        self.reader.close()
        self.connection.close()


def test_who_is_refused_is_not_told_to_send_the_body(shared_service: ServiceProcess) -> None:
    """A request refused by its head gets its error without `100 Continue`: a wrong key, a bad version, a bad length."""
    path, keys = shared_service.table()
    right, version = f"Authorization: Bearer {keys['host']}", 'If-Match: "1"'
    wrong = f"Authorization: Bearer {'0' * 22}"
    moves = f"{path}/moves"
    for status, *fields, framed in (
        (404, wrong, version, "Content-Length: 18"),
        (400, right, "If-Match: 1", "Content-Length: 18"),
        (413, right, version, "Content-Length: 99999999"),
        (411, right, version, "Transfer-Encoding: chunked"),
    ):
        with closing(Waiting(shared_service.port)) as client:
            assert client.begin(moves, *fields, framed=framed).startswith(f"HTTP/1.1 {status}".encode())
            assert client.rest()["connection"] == "close"


def test_who_is_admitted_is_told_to_send_the_body(shared_service: ServiceProcess) -> None:
    """`100 Continue` comes once limits and key are checked, and the connection stays open."""
    path, keys = shared_service.table()
    right, version = f"Authorization: Bearer {keys['host']}", 'If-Match: "1"'
    with closing(Waiting(shared_service.port)) as client:
        assert client.begin(f"{path}/moves", right, version) == b"HTTP/1.1 100 Continue\r\n"
        assert client.rest() == {}
        client.connection.sendall(MOVE)
        assert client.reader.readline().startswith(b"HTTP/1.1 201")
        fields = client.rest()
        assert fields["connection"] == "keep-alive"
        client.reader.read(int(fields["content-length"]))
        client.connection.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.reader.readline().startswith(b"HTTP/1.1 200")


def test_a_service_that_ends_lets_everybody_finish(tmp_path: Path) -> None:
    """On SIGTERM, waiting polls are answered at once, and an open connection gets one last response, with `close`."""
    served = ServiceProcess(tmp_path / "data")
    path, keys = served.table()
    with ExitStack() as stack:
        live, ready, phone = (stack.enter_context(closing(Client(served.port))) for _ in range(3))
        for each in (live, ready, phone):
            assert each.ask("/readyz") == (200, False)
        phone.send(f"{path}?wait=25", **{"Authorization": f"Bearer {keys['watch']}", "If-None-Match": '"1"'})
        served.process.send_signal(signal.SIGTERM)
        served.until("Handling signal: term")
        assert phone.answer() == (304, True), "who waited since before the end is told that it is the last answer"
        assert live.ask("/livez") == (200, True)
        assert ready.ask("/readyz") == (503, True)
    assert served.end(signal.SIGTERM) == 0


def test_a_worker_that_ends_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """After its time to finish, the system ends the worker by an alarm, whatever it does.

    A second signal gives it no more time.
    """
    monkeypatch.setattr(shutdown, "_is_ending", False)
    old: Any = object.__new__(worker.Worker)
    old.cfg, old.alive, old.ppid = SimpleNamespace(graceful_timeout=8), True, os.getppid()
    old.tmp = SimpleNamespace(notify=lambda: None)
    try:
        old.handle_exit(signal.SIGTERM, None)
        closing = old._closing
        old.handle_exit(signal.SIGHUP, None)
        old.notify()
        assert (old.alive, shutdown.has_begun(), old._closing) == (True, True, closing)
        monkeypatch.setattr(worker, "monotonic", lambda: closing)
        old.notify()
    finally:
        left = signal.alarm(0)
    assert not old.alive
    assert 8 < left <= 8 + worker.SPARE_SECONDS


LOADED_MODULES = """
import os, socket
from flask import Flask
with open(os.environ["LOADED"], "a") as loaded:
    loaded.write("once more\\n")
application = Flask(__name__)
application.add_url_rule("/", view_func=lambda: socket.socket.__module__)
"""


def test_workers_are_made_at_once(tmp_path: Path, redis_url: str) -> None:
    """A killed worker is replaced without loading the application again.

    The application finds sockets already patched by gevent.
    """
    [port] = free_ports(1)
    loaded = tmp_path / "loaded"
    (tmp_path / "counted.py").write_text(LOADED_MODULES)
    own = {"PORT": str(port), "REDIS_URL": redis_url, SERVED_VARIABLE: "1", "LOADED": str(loaded)}
    own |= {"PYTHONPATH": f"{tmp_path}:{Path(service.__file__).parents[1]}", "PYTHONDONTWRITEBYTECODE": "1"}
    command = ["-P", "-m", "gunicorn", "--config", "python:service.gunicorn_conf", "counted:application"]
    process = subprocess.Popen(
        [sys.executable, *command], env=os.environ | own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        for kills in range(2):
            assert process.stdout is not None
            assert any("Booting worker" in line for line in process.stdout)
            with closing(Client(port)) as client:
                client.send("/")
                assert client.connection.getresponse().read() == b"gevent._socket3"
            assert loaded.read_text().splitlines() == ["once more"]
            if not kills:
                [worker] = children(process.pid)
                os.kill(worker, signal.SIGKILL)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()
