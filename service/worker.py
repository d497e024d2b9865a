"""gunicorn's worker: a greenlet for each connection, and a limit on everything that a client may be slow at.

A phone that asks for news waits for up to a minute, and anybody may open a connection and say nothing. A thread for
each would run out of threads; a greenlet costs some kilobytes. What a client takes its time over is limited:

- a request's head, and the pause between two requests: ``keepalive`` seconds;
- its body, as a whole: `BODY_SECONDS`;
- each part of the answer: `STALL_SECONDS`;
- the connections of one address: ``worker_connections`` over `ADDRESS_SHARE`, unless proxies stand in front.
"""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

import gevent
from gevent import monkey, socket
from gunicorn.http import errors
from gunicorn.workers.ggevent import GeventWorker
from werkzeug.exceptions import RequestTimeout

from service import drain
from service.config import Settings

BODY_SECONDS: Final = 10
STALL_SECONDS: Final = 30
SPARE_SECONDS: Final = 5
"""So long after its `graceful_timeout` a worker that ends is alive at most, whatever it does."""
ADDRESS_SHARE: Final = 4
"""One address gets the worker's connections over this."""
KINDS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (errors.LimitRequestLine, "uri-too-long"),
    (errors.LimitRequestHeaders, "headers-too-large"),
    (errors.ParseException, "bad-request"),
    (RequestTimeout, "too-slow"),
)
"""What gunicorn finds wrong with a request -> its kind of problem."""


class TimedBody:
    """The body of a request, of which the whole has to arrive in `BODY_SECONDS` from the first look at it."""

    def __init__(self, request: Any) -> None:
        self._request = request
        self._body = request.body
        self._end: float | None = None
        self.failed = False
        """gunicorn asks this: after a body that broke off, no other request can follow on the connection."""

    def read(self, size: int | None = None) -> bytes:
        """Read as a file does. Raises `RequestTimeout` when the time is over."""
        return self._in_time(self._body.read, size)

    def readline(self, size: int | None = None) -> bytes:
        """Read a line. Raises `RequestTimeout` when the time is over."""
        return self._in_time(self._body.readline, size)

    def _in_time(self, read: Callable[[int | None], bytes], size: int | None) -> bytes:
        now = time.monotonic()
        if self._end is None:
            self._end = now + BODY_SECONDS
        limit = gevent.Timeout.start_new(max(0.001, self._end - now))
        try:
            part: bytes = read(size)
        except gevent.Timeout as over:
            self.failed = True
            if over is not limit:  # the pause between two requests, in which the rest of a body is thrown away
                raise
            self._request.force_close()
            raise RequestTimeout from None
        finally:
            limit.close()
        return part


class Worker(GeventWorker):
    """The worker; see the module."""

    @classmethod
    def setup(cls) -> None:
        """Make sockets, locks and the like cooperative before the application is loaded, once for all workers.

        gunicorn calls this in its own process, which goes on to look after its children by signals: those stay.
        """
        monkey.patch_all(os=False, signal=False, subprocess=False)

    def patch(self) -> None:
        """Leave all as `setup` made it: to do it again takes a third of a second. Only the listeners become our own."""
        listeners: list[Any] = self.sockets
        self.sockets = [socket.socket(each.FAMILY, socket.SOCK_STREAM, fileno=each.sock.detach()) for each in listeners]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._open: Counter[str] = Counter()
        # All clients of a proxy have its address.
        share = 1 if Settings.of().proxies else ADDRESS_SHARE
        self._most_of_one = max(1, self.worker_connections // share)

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve a connection until it ends, or close it where its address has too many."""
        address = addr[0] if isinstance(addr, tuple) else ""
        if address and self._open[address] >= self._most_of_one:
            client.close()
            return
        self._open[address] += 1
        try:
            super().handle(listener, client, addr)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> bool:
        """Answer a request. While the worker ends, each answer is the last on its connection."""
        if drain.begun():
            req.force_close()
        req.body = TimedBody(req)
        sock.settimeout(STALL_SECONDS)
        try:
            return super().handle_request(listener_name, req, sock, addr)
        except TimeoutError:  # the client does not read its answer
            raise StopIteration from None
        finally:
            sock.settimeout(None)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take no more connections, and let those that are open have their answers."""
        drain.begin()
        signal.alarm(self.cfg.graceful_timeout + SPARE_SECONDS)  # nobody else looks after one that was replaced
        super().handle_exit(sig, frame)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:  # noqa: ARG002 - gunicorn's
        """Answer a request that gunicorn could not read, as every other problem is answered."""
        from service import problem_details  # noqa: PLC0415  # gunicorn imports this module before it patches the sockets

        kind = next((kind for known, kind in KINDS if isinstance(exc, known)), None)
        if kind is None:
            self.log.exception("Error handling a request")
        else:
            self.log.warning("Invalid request: %s", type(exc).__name__)
        try:
            client.sendall(problem_details.raw(kind or "internal"))
        except OSError:
            self.log.debug("The client had gone.")
