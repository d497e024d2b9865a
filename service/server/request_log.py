"""The server's log: a line of JSON for each request on standard output, and for each other message on standard error.

On a terminal, messages are plain lines, and requests are not logged. No line has a key, a name, a question or an
address, nor the message of an exception, which may quote one. `docs/operation.md` lists the fields.
"""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import orjson
import structlog
from gunicorn import glogging

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from _typeshed.wsgi import WSGIEnvironment
    from gunicorn.config import Config
    from gunicorn.http.wsgi import Response

    from service.server.turns import TurnClock
    from service.types import JsonObject

_stamp: Final = structlog.processors.TimeStamper(fmt="iso", utc=True, key="time")


def _to_json(event: object, **_: object) -> bytes:
    return orjson.dumps(event, option=orjson.OPT_UTC_Z)


class RequestLog(glogging.Logger):
    """gunicorn's logger. `access` logs a request, and the other methods log messages."""

    worker: tuple[TurnClock, Callable[[WSGIEnvironment, int, float], JsonObject]] | None = None
    """In a worker: its clock of turns, and `service.server.request_facts.count`.

    gunicorn imports this module before it patches the sockets, so it imports nothing that would use the old ones.
    """

    def setup(self, cfg: Config) -> None:
        """Open both outputs."""
        super().setup(cfg)
        self._requests = None if sys.stdout.isatty() else _requests()
        if not sys.stderr.isatty():
            handler = logging.StreamHandler()
            handler.setFormatter(_formatter())
            logging.getLogger().handlers[:] = self.error_log.handlers[:] = [handler]

    def access(  # type: ignore[override]  # gunicorn passes a dictionary
        self, resp: Response, _req: object, environ: WSGIEnvironment, request_time: timedelta
    ) -> None:
        """Log and count a request that was answered, or whose client left."""
        if self.worker is None:
            return
        turns, count = self.worker
        seconds = request_time.total_seconds()
        facts = count(environ, resp.status_code or 0, seconds)
        if self._requests is None:
            return
        self._requests.info(
            "request",
            time=datetime.now(UTC),
            status=resp.status_code,
            cpu_ms=turns.read() // 1000 / 1000,
            wall_ms=round(seconds * 1000, 3),
            bytes=resp.sent,
            **facts,
        )


def _requests() -> structlog.typing.FilteringBoundLogger:
    log: structlog.typing.FilteringBoundLogger = structlog.wrap_logger(
        structlog.BytesLogger(sys.stdout.buffer),
        processors=[structlog.processors.JSONRenderer(_to_json)],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    ).bind()
    return log


def _formatter() -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.add_log_level, structlog.stdlib.add_logger_name, _stamp],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            _name_places,
            structlog.processors.JSONRenderer(),
        ],
        use_get_message=True,
    )


def _name_places(_log: object, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Log where an exception was raised in place of its message."""
    from service.tables import fault_log  # noqa: PLC0415  # see `access`

    error = event.pop("exc_info", None)
    if isinstance(error, tuple) and error[1] is not None:
        event["fault"] = fault_log.places(error[1])
    return event
