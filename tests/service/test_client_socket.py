"""How a worker reads a client's connection: it yields after each step, and deadlines hold."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import gevent
import pytest
from gevent import socket
from gunicorn.config import Config
from gunicorn.http import get_parser
from gunicorn.workers.ggevent import GeventWorker
from werkzeug.exceptions import ClientDisconnected, RequestTimeout

from service.addresses import within
from service.server import client_socket, worker
from service.server.client_socket import LINGER_BYTES, ClientSocket, TimedBody
from tests.service.siege import BODY, FLOODS, HALF, LIVES

BodyOf = Callable[..., tuple[TimedBody, Any]]
ENOUGH = 2
"""How many reads the control gets; it would read for ever."""


class Flood:
    """A client's socket that always has data: `first`, then `again` without end."""

    def __init__(self, first: bytes, again: bytes, times: float = math.inf) -> None:
        self._parts = itertools.chain([first] if first else [], itertools.repeat(again))
        self._left, self._times = b"", times
        self.reads = self.bytes = self.answers = 0

    def recv(self, size: int) -> bytes:
        self.reads += 1
        if self.reads > self._times:
            return b""
        data = self._left or next(self._parts)
        part, self._left = data[:size], data[size:]
        self.bytes += len(part)
        return part

    def sendall(self, data: bytes) -> None:
        self.answers += data.startswith(b"HTTP/1.1 ")

    def __getattr__(self, name: str) -> Any:
        return lambda *_: None


def no_content(_: Any, start: Any) -> list[bytes]:
    start("204 No Content", [])
    return []


def make(of: type[GeventWorker], wsgi: Any = no_content) -> Any:
    """A worker that responds 204 to everything, or serves an application."""
    made: Any = object.__new__(of)
    made.cfg, made.wsgi, made.alive, made.nr, made.max_requests = Config(), wsgi, True, 0, math.inf
    made.log = SimpleNamespace(debug=lambda *_: None, access=lambda *_: None)
    made._open, made._most_of_one, made._is_proxy = Counter(), 1, within(())
    return made


def turns_beside(of: type[GeventWorker], client: Any) -> int:
    """How often another greenlet runs while a worker serves a client."""
    turns = 0

    def other() -> None:
        nonlocal turns
        while not served.ready():
            turns += 1
            gevent.sleep(0)

    listener = SimpleNamespace(getsockname=lambda: ("127.0.0.1", 8000))
    served: gevent.Greenlet[..., None] = gevent.spawn(make(of).handle, listener, client, ("127.0.0.1", 50000))
    beside = gevent.spawn(other)
    served.get()
    beside.get()
    return turns


@pytest.mark.parametrize("kind", FLOODS)
def test_who_sends_without_a_pause_gives_the_others_their_turn(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker yields after every read and every request. It discards unread data up to a limit, then disconnects."""
    monkeypatch.setattr(worker, "REQUESTS", 100)
    client = Flood(*FLOODS[kind])
    assert turns_beside(worker.Worker, client) >= client.reads + client.answers - 2
    assert client.answers == (worker.REQUESTS if kind == "pipelined" else 1)
    assert client.bytes < LINGER_BYTES + 1_000_000


@pytest.mark.parametrize("kind", FLOODS)
def test_gunicorn_alone_would_let_nobody_else_have_a_turn(kind: str) -> None:
    """The control: with gunicorn's own worker, the other greenlet waits until the client is done."""
    client = Flood(*FLOODS[kind], times=ENOUGH)
    assert turns_beside(GeventWorker, client) <= 2
    assert client.reads > ENOUGH


def test_the_time_is_over_while_something_always_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadline holds for a client that never pauses: the clock adds a second per look, and the fifth read fails."""
    monkeypatch.setattr(client_socket, "monotonic", itertools.count().__next__)
    client = ClientSocket(Flood(b"", b"x"))
    client.set_deadline(5)
    for _ in range(4):
        assert client.recv(10) == b"x"
    with pytest.raises(TimeoutError):
        client.recv(10)


class Deaf(Flood):
    """A client that sends one request, takes a few parts of the response and then stops reading."""

    def __init__(self, takes: int) -> None:
        super().__init__(LIVES + b"\r\n", b"", 1)
        self._takes = takes
        self.timeouts: list[float] = []
        self.is_closed = False

    def settimeout(self, seconds: float) -> None:
        self.timeouts.append(seconds)

    def sendall(self, _data: bytes) -> None:
        if not self._takes:
            raise TimeoutError
        self._takes -= 1

    def close(self) -> None:
        self.is_closed = True


def test_who_takes_nothing_of_a_stream_is_cut_off() -> None:
    """After its timeout, the worker ends the stream of a client that stops reading, and frees its place."""
    made, ended = 0, False

    def stream(_: Any, start: Any) -> Iterator[bytes]:
        nonlocal made, ended
        start("200 OK", [])
        try:
            while True:
                made += 1
                yield b"part"
        finally:
            ended = True

    client = Deaf(takes=4)
    listener = SimpleNamespace(getsockname=lambda: ("127.0.0.1", 8000))
    make(worker.Worker, stream).handle(listener, client, ("127.0.0.1", 50000))
    assert client.timeouts[-1] == client_socket.STALL_SECONDS
    assert 1 < made <= 5
    assert ended
    assert client.is_closed


def test_a_head_that_takes_too_long_ends_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker closes the connection when a request head takes too long, without a response or a log line."""
    monkeypatch.setattr(client_socket, "monotonic", itertools.count().__next__)
    client = Flood(HALF, b"1")
    turns_beside(worker.Worker, client)
    assert client.answers == 0
    assert client.reads < Config().keepalive


@pytest.fixture
def body_of() -> Iterator[BodyOf]:
    """Makes the body of a request that has sent this much and no more; returns body and request."""
    with ExitStack() as opened:

        def make(sent: bytes, *, ends: bool = False) -> tuple[TimedBody, Any]:
            ours, theirs = map(opened.enter_context, socket.socketpair())
            theirs.sendall(BODY + sent)
            if ends:
                theirs.shutdown(socket.SHUT_WR)
            client = ClientSocket(ours)
            request = next(get_parser(Config(), client, ("127.0.0.1", 50000)))
            return TimedBody(request, client), request

        yield make


def test_a_body_has_its_time(body_of: BodyOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker rejects a body that is late, and closes the connection."""
    body, request = body_of(b"{")
    monkeypatch.setattr(client_socket, "monotonic", itertools.count(step=client_socket.BODY_SECONDS).__next__)
    with pytest.raises(RequestTimeout):
        body.read(10)
    assert body.has_failed
    assert request.must_close


@pytest.mark.parametrize("read", ["read", "readline"])
def test_a_body_that_breaks_off_is_not_taken_for_whole(body_of: BodyOf, read: str) -> None:
    """A body that breaks off raises an error, by `read` and `readline`. The control: a whole body, then the end."""
    whole, request = body_of(b"x" * 900, ends=True)
    assert getattr(whole, read)(10_000) == b"x" * 900
    assert whole.skip()
    assert not request.must_close
    broken, request = body_of(b"x" * 899, ends=True)
    with pytest.raises(ClientDisconnected):
        getattr(broken, read)(10_000)
    assert broken.has_failed
    assert request.must_close


def test_a_body_that_nobody_reads_is_skipped(body_of: BodyOf) -> None:
    """The worker skips an unread body to find the next request; after a body that breaks off, there is none."""
    body, _ = body_of(b"x" * 900)
    assert body.skip()
    assert body.bytes_left == 0
    broken, _ = body_of(b"", ends=True)
    assert not broken.skip()
