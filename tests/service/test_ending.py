"""How a server ends: at any moment, in time, and with no process left running.

The tests choose moments by the server's output; `make chaos` (R9t) chooses random ones, by a clock.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

import service
from service.storage.private_redis.supervisor import PrivateRedis
from tests.support.redis_server import free_ports, until
from tests.support.service_process import Client, ServiceProcess, runs

Start = Callable[[type[ServiceProcess]], ServiceProcess]
PLAYING = "Booting worker"
NEW = 8
"""Connections that are opened while a server ends."""


class Starting(ServiceProcess):
    """`bastide serve`, not waited for."""

    def await_play(self) -> None:
        """Skip the wait until it is ready."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder that no server uses yet."""
    return tmp_path / "data"


@pytest.fixture
def start(folder: Path) -> Iterator[Start]:
    """Starts a service of a kind on the data folder, and kills one that a failed test leaves running."""
    started: list[ServiceProcess] = []

    def start(kind: type[ServiceProcess]) -> ServiceProcess:
        started.append(kind(folder))
        return started[-1]

    yield start
    for served in started:
        if served.process.poll() is None:
            served.end(signal.SIGKILL)


def end_by(served: ServiceProcess, signals: Sequence[int]) -> int:
    """Send the signals one after another; returns the server's status once nothing of it is left."""
    for number in signals[:-1]:
        served.process.send_signal(number)
    return served.end(signals[-1])


@pytest.mark.parametrize(
    ("moment", "signals"),
    [
        ("", [signal.SIGTERM]),
        ("Games are kept", [signal.SIGTERM]),
        ("Listening at", [signal.SIGTERM]),
        ("Listening at", [signal.SIGHUP, signal.SIGHUP, signal.SIGTERM]),
        (PLAYING, [signal.SIGHUP]),
        (PLAYING, [signal.SIGHUP, signal.SIGHUP, signal.SIGTERM]),
    ],
)
def test_it_ends_at_any_moment(moment: str, signals: Sequence[int], folder: Path, start: Start) -> None:
    """A signal ends the server while it starts, loads or serves, and its Redis with it."""
    served = start(Starting)
    if moment:
        served.until(moment)
    assert end_by(served, signals) in (0, *(-number for number in signals))
    assert not (folder.exists() and runs(folder))


def test_a_tender_whose_server_has_gone_ends_its_redis(folder: Path) -> None:
    """A keeper whose server ended before Redis was ready ends Redis, without an error."""
    ended, pipe = os.pipe()
    read, write = os.pipe()
    with ExitStack() as stack:
        command = [sys.executable, "-P", "-m", "service.storage.private_redis.keeper", str(folder)]
        keeper = stack.enter_context(
            subprocess.Popen(command, stdin=ended, stdout=write, stderr=subprocess.PIPE, text=True)
        )
        for each in (ended, pipe, read, write):
            os.close(each)
        assert keeper.communicate()[1] == ""
    assert keeper.returncode == 0
    assert (folder / "server.pid").exists(), "it has started one"
    assert not runs(folder)


DEAF = """
import os, signal
from service.app import create_app
application = create_app()
os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGTERM))
"""


TURNING = """
import os, signal
import gevent
from service.app import create_app
from service.runtime import shutdown
application = create_app()
served = application.wsgi_app

def answer(environ, start_response):
    if environ["PATH_INFO"] != "/turn":
        yield from served(environ, start_response)
        return
    start_response("200 OK", [("Content-Length", "2")])
    yield b"a"
    os.kill(os.getpid(), signal.SIGTERM)
    while not shutdown.has_begun():
        gevent.sleep(0)
    yield b"b"

application.wsgi_app = answer
"""


@pytest.fixture
def served_by(tmp_path: Path, redis_url: str, request: pytest.FixtureRequest) -> Iterator[int]:
    """The port of a server that runs an application given as source text."""
    [port] = free_ports(1)
    (tmp_path / "written.py").write_text(request.param)
    own = {"PORT": str(port), "REDIS_URL": redis_url, "BASTIDE_HOSTS": "127.0.0.1", "BASTIDE_LIMITS": "off"}
    own |= {"PYTHONPATH": f"{tmp_path}:{Path(service.__file__).parents[1]}", "BASTIDE_SERVED": "1"}
    command = ["-P", "-m", "gunicorn", "--config", "python:service.gunicorn_conf", "written:application"]
    process = subprocess.Popen(
        [sys.executable, *command], env=os.environ | own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until(lambda: process.poll() is None and accepts(port))
    yield port
    process.terminate()
    process.wait()


def accepts(port: int) -> bool:
    """Whether a server listens on the port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("served_by", [DEAF], ids=["told in the making"], indirect=True)
def test_a_worker_hears_in_the_moment_in_which_it_is_made(served_by: int) -> None:
    """A signal that reaches a new worker before it has its own handlers is not lost."""
    with closing(Client(served_by)) as client:
        assert client.ask("/readyz") == (503, True)


@pytest.mark.parametrize("served_by", [TURNING], ids=["told in an answer"], indirect=True)
def test_a_connection_that_was_told_to_stay_has_one_more_answer(served_by: int) -> None:
    """A worker that must end after sending `keep-alive` still answers one more request, with `close`."""
    with closing(Client(served_by)) as client:
        assert client.ask("/turn") == (200, False)
        assert client.ask("/readyz") == (503, True)


def test_streams_end_whole_and_newcomers_are_answered_while_it_ends(start: Start) -> None:
    """While the server ends, it still answers new connections, with `close`, until load balancers notice.

    A stream ends whole, with the time to reconnect.
    """
    served = start(ServiceProcess)
    path, keys = served.table()
    with closing(Client(served.port)) as program:
        program.send(f"{path}/events?after=0", Authorization=f"Bearer {keys['watch']}")
        response = program.connection.getresponse()
        begin = [response.readline() for _ in range(4)]
        assert (response.status, begin[:3], begin[3]) == (200, [b"retry: 2000\n", b"id: 0\n", b"\n"], b"id: 1\n")
        served.process.send_signal(signal.SIGTERM)
        until(lambda: newcomer(served.port, "/readyz") != (200, False))
        assert [newcomer(served.port, "/readyz")] == [(503, True)]
        assert [newcomer(served.port, "/livez") for _ in range(NEW)] == [(200, True)] * NEW
        assert newcomer(served.port, "/readyz?for=rulings") == (503, True)
        rest = response.read()  # it raises if the response is incomplete
        assert rest.startswith(b"event: opened\ndata: ")
        assert rest.endswith(b"}\n\nretry: 2000\n\n")
    assert served.end(signal.SIGTERM) == 0
    assert not accepts(served.port)


def newcomer(port: int, path: str) -> tuple[int, bool]:
    """The response to a new connection, and whether it closes the connection."""
    with closing(Client(port)) as client:
        return client.ask(path)


def test_an_interrupt_ends_it_without_a_pause(folder: Path, start: Start) -> None:
    """Ctrl-C ends the server at once, without finishing requests: the control of the tests above."""
    served = start(ServiceProcess)
    path, keys = served.table()
    with closing(Client(served.port)) as phone:
        phone.send(f"{path}?wait=25", **{"Authorization": f"Bearer {keys['watch']}", "If-None-Match": '"1"'})
        assert served.end(signal.SIGINT) == 0
        with pytest.raises(OSError, match=r".*"):
            phone.answer()
    assert not runs(folder)
    assert PrivateRedis(folder).log.exists()
