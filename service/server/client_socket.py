"""Reads a client's socket: it lets other clients run before every read, and enforces a time limit.

A greenlet whose socket always has something to read would never return to gevent's hub. Then no other client and no
timer could run while somebody sends. So every read lets the others run first, and checks the clock itself.
"""

from __future__ import annotations

import math
import socket
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, Final

import gevent
from werkzeug.exceptions import ClientDisconnected, RequestTimeout

BODY_SECONDS: Final = 10
STALL_SECONDS: Final = 30
LINGER_SECONDS: Final = 2
LINGER_BYTES: Final = 4_000_000
"""The bytes that are still read and discarded when a client sends more than anybody needs."""
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
AT_ONCE: Final = 65_536
"""Bytes that are read in one turn, at most."""


class ClientSocket:
    """A client's socket (gevent's) with pauses between reads and with a deadline; otherwise the same socket."""

    def __init__(self, client: Any) -> None:
        self._socket = client
        self._deadline = math.inf
        self.has_ended = False
        """Whether the client has said that it sends nothing more."""
        self.lingers = False
        """Whether the client may be sending yet when the connection is closed."""
        self.requests = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)

    def set_deadline(self, seconds: float) -> None:
        """Set the deadline: everything that is read from now on has to arrive within so many seconds."""
        self._deadline = monotonic() + seconds

    def recv(self, size: int) -> bytes:
        """Read at most so many bytes, after the others had their turn. Raises `TimeoutError` after the deadline."""
        gevent.sleep(0)
        left = self._deadline - monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(None if left == math.inf else left)
        try:
            part: bytes = self._socket.recv(min(size, AT_ONCE))
        finally:
            self._socket.settimeout(STALL_SECONDS)
        self.has_ended = not part
        return part

    def close(self) -> None:
        """Close the connection; one that may be sending yet has time to read its answer first (RFC 9112, 9.6)."""
        if self.lingers:
            with suppress(OSError):
                self._linger()
        self._socket.close()

    def _linger(self) -> None:
        """Say that this was all, and throw away what comes, for a while."""
        self._socket.shutdown(socket.SHUT_WR)
        self.set_deadline(LINGER_SECONDS)
        left = LINGER_BYTES
        while left > 0 and (part := self.recv(AT_ONCE)):
            left -= len(part)


class TimedBody:
    """The body of a request, of which the whole has to arrive in `BODY_SECONDS` from the first look at it."""

    def __init__(self, request: Any, client: ClientSocket) -> None:
        self._request = request
        self._body = request.body
        self._client = client
        self._has_begun = False
        self._close_after_body: bool | None = None
        """Whether the client waits for a word before it sends; then, whether the connection ends in any case."""
        self.bytes_left = _length(request)
        """Bytes that have not been read; of a body in chunks nobody knows."""
        self.has_failed = False
        """gunicorn asks this: after a body that broke off, no other request can follow on the connection."""

    def delay_continue(self) -> None:
        """Send a client the interim response that it expects (RFC 9110, 10.1.1) only when the application reads the
        body.

        gunicorn would send it at once, even to a request that its headers disqualify. If nobody reads the body, it may
        arrive or not. It could then look like another request, so the connection ends.
        """
        request = self._request
        if request._expected_100_continue:  # noqa: SLF001  # gunicorn has no other word for it
            request._expected_100_continue = False  # noqa: SLF001  # see above
            if self.bytes_left:
                self._close_after_body = request.must_close
                request.force_close()

    def read(self, size: int | None = None) -> bytes:
        """Read as a file does. Raises `RequestTimeout` when time is over, `ClientDisconnected` where it breaks off."""
        return self._read_in_time(self._body.read, size)

    def readline(self, size: int | None = None) -> bytes:
        """Read a line. Raises as `read` does."""
        return self._read_in_time(self._body.readline, size)

    def skip(self) -> bool:
        """Throw the rest away, which nobody asked for. Whether another request can follow."""
        with suppress(RequestTimeout, ClientDisconnected):
            while self.bytes_left and not self.has_failed:
                self.read(AT_ONCE)
        return not self.has_failed

    def _read_in_time(self, read: Callable[[int | None], bytes], size: int | None) -> bytes:
        if not self._has_begun:
            self._begin()
        try:
            part = read(size)
        except TimeoutError:
            self._break_off()
            raise RequestTimeout from None
        if self._client.has_ended:  # gunicorn reads no further than to the end of the body
            self._break_off()
            raise ClientDisconnected
        self.bytes_left -= len(part)
        return part

    def _begin(self) -> None:
        """Start the client's time limit, and send `CONTINUE` if the client waits for it."""
        self._has_begun = True
        if self._close_after_body is not None:
            self._request.must_close = self._close_after_body
            try:
                self._client.sendall(CONTINUE)
            except OSError:
                self._break_off()
                raise ClientDisconnected from None
        self._client.set_deadline(BODY_SECONDS)

    def _break_off(self) -> None:
        self.has_failed = True
        self._request.force_close()


def _length(request: Any) -> float:
    """Bytes of a request's body: what its head says, which gunicorn has looked at."""
    head = dict(request.headers)
    return math.inf if "TRANSFER-ENCODING" in head else int(head.get("CONTENT-LENGTH", 0))
