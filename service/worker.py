"""gunicorn's worker: a greenlet for each connection, and a limit on everything that a client may be slow at.

A phone that asks for news waits for up to a minute, and anybody may open a connection and say nothing. A thread for
each would run out of threads; a greenlet costs some kilobytes. What a client takes its time over is limited:

- a request's head, and the pause between two requests: ``keepalive`` seconds;
- its body, as a whole: `BODY_SECONDS`, and `MAX_BODY` bytes, whether anybody reads it or not;
- each part of the answer: `STALL_SECONDS`;
- the requests of a connection: `REQUESTS`, and after each step the others have their turn (`service.client_socket`);
- the connections of one address: ``worker_connections`` over `ADDRESS_SHARE`, unless proxies stand in front.
"""

from __future__ import annotations

import signal
from collections import Counter
from contextlib import AbstractContextManager, suppress
from types import FrameType
from typing import Any, Final

import gevent
from gevent import monkey, socket
from gunicorn.http import errors
from gunicorn.workers.ggevent import GeventWorker
from werkzeug.exceptions import RequestTimeout

from service import drain
from service.client_socket import STALL_SECONDS, ClientSocket, TimedBody
from service.config import MAX_BODY, Settings

REQUESTS: Final = 1000
"""The last answer of a connection says that it is the last; whoever asks for more opens another."""
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
            timed: Any = ClientSocket(client)
            timed.give(self.cfg.keepalive)
            super().handle(listener, timed, addr)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def timeout_ctx(self) -> AbstractContextManager[None]:  # type: ignore[override]  # it is entered, whatever its stub says
        """What ends a head that takes too long: the connection looks at the clock, so no timer is needed."""
        return suppress(TimeoutError)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> bool:
        """Answer a request, after the others had their turn. While the worker ends, each answer is the last."""
        gevent.sleep(0)
        sock.requests += 1
        body = req.body = TimedBody(req, sock)
        if drain.begun() or body.left > MAX_BODY or sock.requests >= REQUESTS:
            req.force_close()
        sock.settimeout(STALL_SECONDS)
        try:
            super().handle_request(listener_name, req, sock, addr)
            if not body.skip():
                raise StopIteration
        except TimeoutError:  # the client does not read its answer
            raise StopIteration from None
        finally:
            sock.lingers = req.must_close or body.left > 0
            sock.give(self.cfg.keepalive)
        return True

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
            client.lingers = True
        try:
            client.sendall(problem_details.raw(kind or "internal"))
        except OSError:
            self.log.debug("The client had gone.")
