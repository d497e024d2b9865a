"""Reads a client's socket: it lets other clients run before every read, and enforces a time limit.

A greenlet whose socket always has data would never return to gevent's hub. Then no other client and no timer could run
while the client sends. So every read first yields to the other greenlets, and checks the clock itself.
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
"""The most bytes that are read and discarded when a client sends more than the service needs."""
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
AT_ONCE: Final = 65_536
"""The most bytes of one read."""


class ClientSocket:
    """A client's socket (gevent's) with pauses between reads and with a deadline; otherwise the same socket."""

    def __init__(self, client: Any) -> None:
        self._socket = client
        self._deadline = math.inf
        self.has_ended = False
        """Whether the client has closed its sending side."""
        self.lingers = False
        """Whether the client may still be sending when the connection is closed."""
        self.requests = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)

    def set_deadline(self, seconds: float) -> None:
        """Set the deadline: all further data has to arrive within these seconds."""
        self._deadline = monotonic() + seconds

    def recv(self, size: int) -> bytes:
        """Yield to other clients, then read at most `size` bytes. Raises `TimeoutError` after the deadline."""
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
        """Close the connection; a client that may still be sending can read its response first (RFC 9112, 9.6)."""
        if self.lingers:
            with suppress(OSError):
                self._linger()
        self._socket.close()

    def _linger(self) -> None:
        """Close the sending side, and discard what arrives for `LINGER_SECONDS`."""
        self._socket.shutdown(socket.SHUT_WR)
        self.set_deadline(LINGER_SECONDS)
        left = LINGER_BYTES
        while left > 0 and (part := self.recv(AT_ONCE)):
            left -= len(part)


class TimedBody:
    """The body of a request. All of it has to arrive within `BODY_SECONDS` of the first read."""

    def __init__(self, request: Any, client: ClientSocket) -> None:
        self._request = request
        self._body = request.body
        self._client = client
        self._has_begun = False
        self._close_after_body: bool | None = None
        """If the client waits for `CONTINUE`: whether the connection closes after the body in any case. Else None."""
        self.bytes_left = _length(request)
        """Bytes that have not been read; infinite for a chunked body."""
        self.has_failed = False
        """Whether the body broke off, so that no other request can follow on the connection; gunicorn reads this."""

    def delay_continue(self) -> None:
        """Send a client the interim response that it expects (RFC 9110, 10.1.1) only when the application reads the
        body.

        gunicorn would send it at once, even to a request that is refused for its headers. A body that the application
        does not read may still arrive and look like another request, so the connection closes.
        """
        request = self._request
        if request._expected_100_continue:  # noqa: SLF001  # gunicorn has no other word for it
            request._expected_100_continue = False  # noqa: SLF001  # see above
            if self.bytes_left:
                self._close_after_body = request.must_close
                request.force_close()

    def read(self, size: int | None = None) -> bytes:
        """Read like a file. Raises `RequestTimeout` after the deadline, `ClientDisconnected` if the body ends early."""
        return self._read_in_time(self._body.read, size)

    def readline(self, size: int | None = None) -> bytes:
        """Read a line. Raises as `read` does."""
        return self._read_in_time(self._body.readline, size)

    def skip(self) -> bool:
        """Read and discard the rest of the body. Returns whether another request can follow."""
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
    """Bytes of a request's body by its headers, which gunicorn has checked; infinite if chunked."""
    head = dict(request.headers)
    return math.inf if "TRANSFER-ENCODING" in head else int(head.get("CONTENT-LENGTH", 0))
