"""The entries of a table's log as they come: server-sent events, or lines of JSON.

A stream reads a page of the log when it has sent the page before, so a slow reader holds only one page in memory. The
worker closes the connection of a reader that stalls (`service.server.client_socket`). When a stream ends for any
reason, its client reconnects with the last id, and the response to that request reports the problem.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Final

from flask import Response, current_app, request

from service import schemas
from service.errors import Invalid
from service.http.api import api, words_of
from service.http.current import referee
from service.http.problems import HANDLED_ERRORS
from service.http.request import bearer, query
from service.http.responses import accepted_media, language
from service.http.serializers import tables
from service.referee.table_reader import LogPage
from service.runtime import shutdown
from service.runtime.budget import PART
from service.schemas import load
from service.schemas.parsing import encode
from service.tables import fault_log
from service.tables.table import Table
from service.types import JsonObject

SILENCE: Final = 15
"""Seconds of silence after which a stream sends a sign of life."""
LIFETIME: Final = 15 * 60
"""Seconds after which a stream ends."""
STREAM_SECONDS: Final = "BASTIDE_STREAM_SECONDS"
"""The key of `LIFETIME` in the configuration of an application."""
RETRY: Final = b"retry: 2000\n\n"
"""A client reconnects after these milliseconds."""
AT_ONCE: Final = 10
"""Entries per part."""


@dataclass(frozen=True, slots=True)
class Format:
    """The format of a stream: its beginning and end, an entry, and a sign of life."""

    begin: Callable[[int], bytes]
    event: Callable[[JsonObject], bytes]
    silence: bytes
    end: bytes


def _event(entry: JsonObject) -> bytes:
    head = f"id: {entry['version']}\nevent: {entry['type']}\n"
    return b"%bdata: %b\n\n" % (head.encode(), encode(entry))


def _line(entry: JsonObject) -> bytes:
    return encode({"id": entry["version"], "event": entry["type"], "data": entry}) + b"\n"


FORMATS: Final = {
    # An id without data is no event, but it tells the client at once where to resume.
    "text/event-stream": Format(lambda after: RETRY[:-1] + b"id: %d\n\n" % after, _event, b":\n\n", RETRY),
    "application/x-ndjson": Format(lambda _after: b"\n", _line, b"\n", b""),
}
"""Media type -> format."""


@api.get("/tables/<table_id>/events")
def read_events(table_id: str) -> Response:
    """Stream the entries of a table's log after a number, or from now on."""
    lang, key, after = language(), bearer(), asked_number(query(schemas.EVENTS_QUERY)["after"])
    use = referee()

    def read(after: int) -> LogPage:
        return use.new_entries(table_id, key, after, AT_ONCE)

    followed = use.follow(table_id, key, request.remote_addr or "")
    response = stream_response(followed, read, after, lang, lambda: use.time_left(table_id, key))
    response.vary.add("Authorization")
    return response


def stream_response(
    followed: AbstractContextManager[Table],
    read: Callable[[int], LogPage],
    after: int | None,
    lang: str,
    time_left: Callable[[], float] = lambda: math.inf,
) -> Response:
    """A stream of the entries of a followed table: those after a number, or from now on.

    `time_left`: the seconds for which the key still opens the table.
    """
    media = accepted_media(*FORMATS)
    with ExitStack() as stack:
        table = stack.enter_context(followed)
        start = table.version if after is None else after
        budget = partial(request.environ[PART], request.environ)
        wait = partial(referee().await_entry, table.id)
        stream = Stream(FORMATS[media], read, wait, table.game.id, lang, start, budget)
        headers = {
            "Content-Language": lang,
            "Vary": "Accept, Accept-Language",
            "Cache-Control": "no-store, no-transform",
            "X-Accel-Buffering": "no",
        }
        lifetime: float = min(current_app.config[STREAM_SECONDS], time_left())
        response = Response(stream.parts(lifetime), headers=headers, content_type=media)
        response.call_on_close(stack.pop_all().close)
    return response


def asked_number(after: int | None) -> int | None:
    """The number after which a client wants entries: `Last-Event-ID`, or else `after` of its query."""
    last = request.headers.get("Last-Event-ID")
    if not last:
        return after
    try:
        number: int = load(schemas.EVENTS_QUERY, {"after": last})["after"]
    except Invalid as error:
        raise Invalid([("/Last-Event-ID", fault) for _, fault in error.field_errors]) from None
    return number


@dataclass
class Stream:
    """The entries of a log after a number, in the words of a language.

    `read` returns the entries after a number; `wait` waits for new ones, at most these seconds. `budget` limits the
    work of each part.
    """

    form: Format
    read: Callable[[int], LogPage]
    wait: Callable[[int, float], bool]
    game_id: str
    lang: str
    after: int
    budget: Callable[[], AbstractContextManager[None]]

    def parts(self, lifetime: float) -> Iterator[bytes]:
        """Yield the parts of the response until its lifetime, the worker or the table ends, or the store is away.

        `lifetime` is in seconds.
        """
        yield self.form.begin(self.after)
        try:
            yield from self._entries(monotonic() + lifetime)
        except HANDLED_ERRORS:
            pass  # the next response reports it
        except Exception as error:  # the response has begun, so Flask cannot report a fault
            fault_log.report(error, f"GET api.read_events after {self.after}", self.game_id, b"")
        yield self.form.end

    def _entries(self, until: float) -> Iterator[bytes]:
        is_behind, is_silent = True, False
        while True:
            if is_behind:
                part, is_behind = self._part()
                if part:
                    yield part
            left = until - monotonic()
            if left <= 0 or shutdown.has_begun():
                return
            if is_silent:
                yield self.form.silence
            if not is_behind:
                is_behind = self.wait(self.after, min(left, SILENCE))
                is_silent = not is_behind

    def _part(self) -> tuple[bytes, bool]:
        """The next entries, and whether there are more."""
        with self.budget():
            page = self.read(self.after)
            part = b"".join(map(self.form.event, tables.log_entries(page, words_of(page.table, self.lang))))
        self.after = page.last
        return part, page.next is not None
