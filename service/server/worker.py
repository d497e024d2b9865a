"""gunicorn's worker: a greenlet for each connection, and a time limit on every slow step of a client.

A poll waits for up to a minute, and anybody may open a connection and send nothing. With a thread for each client, the
worker would run out of threads; a greenlet costs a few kilobytes. The worker limits:

- the headers of a request, and the pause between two requests: ``keepalive`` seconds;
- the body as a whole: `BODY_SECONDS`, and `MAX_BODY` bytes, even if the application does not read it;
- each part of the response: `STALL_SECONDS`;
- the requests of a connection: `REQUESTS`; the worker yields to other clients after each step
  (`service.server.client_socket`);
- the connections of one home: ``worker_connections`` over `ADDRESS_SHARE`; a proxy may open all of them.
"""

from __future__ import annotations

import signal
from collections import Counter
from contextlib import AbstractContextManager, suppress
from functools import cache
from importlib import metadata
from time import monotonic
from types import FrameType
from typing import Any, Final, TypeAlias

import gevent
from gevent import monkey, socket
from gunicorn.http import Request, errors
from gunicorn.workers.ggevent import GeventWorker
from werkzeug.exceptions import RequestTimeout

from service.addresses import within
from service.config import MAX_BODY, Settings
from service.i18n.languages import DEFAULT_LANGUAGE
from service.runtime import metrics, shutdown
from service.server.client_socket import STALL_SECONDS, ClientSocket, TimedBody
from service.server.request_log import RequestLog
from service.server.turns import TurnClock, Watchdog

Address: TypeAlias = tuple[str, int] | str | int
"""The source of a connection: host and port, or the address of a local socket."""
REQUESTS: Final = 1000
"""The last response of a connection closes it; a client with more requests opens another."""
SPARE_SECONDS: Final = 5
"""Seconds after its `graceful_timeout` when an alarm kills a worker that is still shutting down."""
ADDRESS_SHARE: Final = 4
"""One home may open this fraction of the worker's connections, and the largest IPv6 network three times as many."""
KINDS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (errors.LimitRequestLine, "uri-too-long"),
    (errors.LimitRequestHeaders, "headers-too-large"),
    (errors.ParseException, "bad-request"),
    (RequestTimeout, "too-slow"),
)
"""Error of gunicorn's parser, or a timeout -> its kind of problem."""


class Worker(GeventWorker):
    """The worker; see the module."""

    @classmethod
    def setup(cls) -> None:
        """Make sockets, locks and the like cooperative before the application is loaded, once for all workers.

        gunicorn calls this in the master, which still manages its children by signals, so those are not patched.
        """
        # gevent searches all installed packages for plugins 25 times, which takes a tenth of the start.
        found, metadata.entry_points = metadata.entry_points, lambda **_: metadata.EntryPoints()  # type: ignore[assignment]  # overloaded
        try:
            monkey.patch_all(os=False, signal=False, subprocess=False)
        finally:
            metadata.entry_points = found

    def patch(self) -> None:
        """Replace only the listeners by gevent's sockets. `setup` patched the rest; that takes a third of a second."""
        listeners: list[Any] = self.sockets
        self.sockets = [socket.socket(each.FAMILY, socket.SOCK_STREAM, fileno=each.sock.detach()) for each in listeners]

    log: RequestLog
    _turns: Final = TurnClock()
    """One clock for the process: a process has one worker."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._open: Counter[str] = Counter()
        settings = Settings.of()
        self._is_proxy = within(settings.proxy_nets if settings.proxies else ())
        self._most_of_one = max(1, self.worker_connections // ADDRESS_SHARE)

    def handle(self, listener: socket.socket, client: socket.socket, addr: Address) -> None:
        """Serve a connection until it ends, or close it if its address has too many."""
        address = addr[0] if isinstance(addr, tuple) else ""
        from service.runtime.areas import areas_of  # noqa: PLC0415  # not before strangers named ``rules`` are refused

        # All clients of a proxy have its address.
        areas = areas_of(address) if address and not self._is_proxy(address) else ()
        if any(self._open[name] >= self._most_of_one * homes for name, homes in areas):
            client.close()
            return
        self._open.update(name for name, _ in areas)
        try:
            timed: Any = ClientSocket(client)
            timed.set_deadline(self.cfg.keepalive)
            super().handle(listener, timed, addr)
        finally:
            self._turns.end()
            for name, _ in areas:
                self._open[name] -= 1
                if not self._open[name]:
                    del self._open[name]

    def timeout_ctx(self) -> AbstractContextManager[None]:  # type: ignore[override]  # gunicorn enters it, whatever the stub says
        """Ignore a timeout while reading the headers: the socket has its own deadline, so no timer is needed."""
        return suppress(TimeoutError)

    def handle_request(self, listener_name: Address, req: Any, sock: Any, addr: Address) -> bool:
        """Yield to other requests, then answer one. While the worker shuts down, each response closes its connection.

        gunicorn first asks `should_close` when it sends the headers, since shutdown may begin while a request waits.
        The answer is cached: a client that was told to stay may send one more request.
        """
        gevent.sleep(0)
        self._turns.begin()
        sock.requests += 1
        body = req.body = TimedBody(req, sock)
        if body.bytes_left > MAX_BODY or sock.requests >= REQUESTS:
            req.force_close()
        asked_to_close, ending = req.should_close, cache(shutdown.has_begun)
        req.should_close = lambda: ending() or asked_to_close()
        body.delay_continue()
        sock.settimeout(STALL_SECONDS)
        try:
            super().handle_request(listener_name, req, sock, addr)
            if not body.skip():
                raise StopIteration
        except TimeoutError:  # the client does not read its answer
            raise StopIteration from None
        finally:
            sock.lingers = shutdown.has_begun() or req.must_close or body.bytes_left > 0
            sock.set_deadline(self.cfg.keepalive)
        return True

    def init_process(self) -> None:
        """Measure the turns of this process, and count its requests."""
        from service.server.request_facts import count  # noqa: PLC0415  # not before the sockets are cooperative

        metrics.start()
        self._turns.start()
        self.log.worker = self._turns, count
        super().init_process()

    def run(self) -> None:
        """Serve, and watch the turns now that the application is loaded."""
        Watchdog(self._turns).start()
        super().run()

    def init_signals(self) -> None:
        """Install the worker's signal handlers; SIGHUP too, which a closing terminal sends to every process."""
        super().init_signals()
        signal.signal(signal.SIGHUP, self.handle_exit)
        signal.siginterrupt(signal.SIGHUP, False)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, shutdown.ENDING_SIGNALS)  # blocked in `service.gunicorn_conf`

    def handle_exit(self, _sig: int, _frame: FrameType | None) -> None:
        """Begin to shut down: report not ready, and still answer the requests that arrive."""
        if not shutdown.has_begun():
            shutdown.begin()
            self._closing = monotonic() + shutdown.ACCEPT_SECONDS
            signal.alarm(self.cfg.graceful_timeout + SPARE_SECONDS)  # no other process may be left to kill it

    def notify(self) -> None:
        """Send the heartbeat, once a second. After `ACCEPT_SECONDS` of shutdown, accept no more connections."""
        super().notify()
        self._update_metrics()
        if shutdown.has_begun() and monotonic() >= self._closing:
            self.alive = False

    def _update_metrics(self) -> None:
        if meters := metrics.meters():
            from service.http import current  # noqa: PLC0415  # gunicorn imports this module before it patches the sockets

            application: Any = self.wsgi
            meters.update(*current.load_of(application))

    def handle_error(self, req: Request | None, client: Any, addr: Address, exc: BaseException) -> None:  # noqa: ARG002 - gunicorn's
        """Count a request that gunicorn could not parse, and answer it with a problem."""
        from service.http import problem_responses  # noqa: PLC0415  # gunicorn imports this module before it patches the sockets

        kind = next((kind for error_type, kind in KINDS if isinstance(exc, error_type)), None)
        problem = problem_responses.Problem(kind or "internal")
        if kind is None:
            self.log.exception("Error handling a request")
        else:
            client.lingers = True
            refusal = self._too_often(addr)
            if refusal is None:
                self.log.warning("Invalid request: %s", type(exc).__name__)
            else:
                problem = problem_responses.problem_of(refusal, DEFAULT_LANGUAGE)
        try:
            client.sendall(problem_responses.raw_response(problem))
        except OSError:
            self.log.debug("The client had gone.")

    def _too_often(self, addr: Address) -> Exception | None:
        """The rate limit's error for an unparsed request, if any. Behind a proxy, it counts for the proxy's address."""
        from service import errors  # noqa: PLC0415  # see above
        from service.http import current  # noqa: PLC0415  # see above

        if not isinstance(addr, tuple):
            return None
        application: Any = self.wsgi
        try:
            current.limiter(application).count_arrival(addr[0])
        except errors.RateLimited as refusal:
            return refusal
        return None
