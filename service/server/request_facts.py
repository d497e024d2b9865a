"""The facts of a request for the server's log and metrics: none could name a player, a key or a question."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

from service.errors import Ending, RateLimited, StoreAway, StoreFull
from service.http.problem_responses import REFUSAL
from service.http.responses import ROUTE, request_id
from service.runtime import metrics
from service.runtime.budget import EFFORT
from service.storage import readiness
from service.tables.entries import BrokenLog, Unreadable
from service.types import JsonObject

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

TRACE: Final = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
"""W3C Trace Context, `traceparent`: its second part is the id of the trace."""
CAUSES: Final = {Ending: "ending", Unreadable: "newer-log", BrokenLog: "broken-log", StoreFull: "memory-full"}
"""Error -> the cause by which the log and metrics name it."""


def cause_of(error: Exception) -> str | None:
    """The cause of a 503 or 507, named as readiness names it; None for other errors."""
    return readiness.name_of(error) if isinstance(error, StoreAway) else CAUSES.get(type(error))


def count(environ: WSGIEnvironment, status: int, seconds: float) -> JsonObject:
    """Count a request and its seconds, and return its facts."""
    found = facts(environ)
    metrics.count_request(found, status, seconds)
    return found


def facts(environ: WSGIEnvironment) -> JsonObject:
    """The facts that an answered request has; `docs/operation.md` explains them."""
    found: JsonObject = {"id": request_id(environ), "method": environ["REQUEST_METHOD"]}
    if trace := TRACE.fullmatch(environ.get("HTTP_TRACEPARENT", "")):
        found["trace"] = trace[1]
    if route := environ.get(ROUTE):
        found["route"], table_id = route
        if table_id:
            found["table"] = hashlib.sha256(table_id.encode()).hexdigest()[:8]
    if effort := environ.get(EFFORT):
        found["steps"] = effort.steps
    if refusal := environ.get(REFUSAL):
        if isinstance(refusal, RateLimited):
            found["limit"] = refusal.limit
        elif cause := cause_of(refusal):
            found["cause"] = cause
    return found
