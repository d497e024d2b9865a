"""Streams of a table's entries: their content, their start and their end. No test waits for a clock."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from werkzeug.test import TestResponse

from service.app import create_app
from service.config import Settings
from service.errors import StoreAway
from service.http import current, events
from service.http.events import AT_ONCE, LIFETIME, SILENCE
from service.limits.rate_limits import Measure
from service.referee import table_reader
from service.referee.places import OF_KEY, STREAMS, Places
from service.referee.use_cases import Referee
from service.referee.watcher import END, Watcher
from service.runtime import shutdown
from service.storage.ledger import Ledger
from service.tables.entries import BrokenLog, Unreadable
from service.tables.table import Table
from tests.support.api import V1, Api, OpenTable

Act = Callable[[], object]
RETRY = b"retry: 2000\n\n"
SSE, LINES = "text/event-stream", "application/x-ndjson"


class Script(Watcher):
    """Runs one planned act of the test per wait; without any left, it advances the clock by the wait."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger.versions)
        self.acts: list[Act] = []
        self.clock = 0.0
        self.waits: list[float] = []
        self.reads = 0

    def wait(self, table_id: str, after: int, seconds: float) -> bool:
        self.waits.append(seconds)
        if not self.acts:
            self.clock += seconds
            return False
        self.acts.pop(0)()
        version = self._look([table_id])[table_id]
        return version == END or version > after


class Service:
    """An application with a scripted watcher, and a table."""

    def __init__(self, redis_url: str, monkeypatch: pytest.MonkeyPatch, places: int, limits: str = "off") -> None:
        self.ledger = Ledger(redis_url)
        self.script = Script(self.ledger)
        self.places = Places(places)
        self.referee = Referee(self.ledger, watcher=self.script, places=self.places)
        settings = {"REDIS_URL": redis_url, "BASTIDE_HOSTS": "localhost", "BASTIDE_LIMITS": limits}
        self.app = create_app(Settings.of(settings), self.referee)
        monkeypatch.setattr(events, "monotonic", lambda: self.script.clock)
        self.api = Api(self.app)
        self.table: OpenTable = self.api.open(["r b1c1", "r b9c9"])

    def ask(self, query: str = "", accept: str = SSE, address: str = "192.0.2.1", **headers: str) -> TestResponse:
        """A stream for a client at an address, not yet read."""
        sent = {"Authorization": f"Bearer {self.table.watch}", "Accept": accept}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        path = f"{self.table.path}/events{query}"
        return self.app.test_client().get(path, headers=sent, environ_base={"REMOTE_ADDR": address})

    def parts(self, *acts: Act, query: str = "", **headers: str) -> list[bytes]:
        """All parts of a stream while these acts are done; then it ends soon."""
        self.script.acts = [*acts, self.end_soon]
        with closing(self.ask(query, **headers)) as response:
            assert response.status_code == 200
            return list(bytes_of(response))

    def end_soon(self) -> None:
        self.script.clock += LIFETIME

    def roll(self, version: int) -> None:
        """Add an entry on top of a version."""
        body = {"for": "dice", "dice": 1}
        response = self.api.post(f"{self.table.path}/rolls", body, key=self.table.host, version=version)
        assert response.status_code == 201


@pytest.fixture
def service(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A service with 100 places."""
    service = Service(redis_url, monkeypatch, 100)
    yield service
    service.ledger.close()


def read_events(parts: Sequence[bytes]) -> list[tuple[int, str, Any]]:
    """Id, event and data of the events of a stream, as a client reads them."""
    found = []
    for each in b"".join(parts).decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in each.split("\n") if ": " in line)
        if "data" in fields:
            found.append((int(fields["id"]), fields["event"], orjson.loads(fields["data"])))
    return found


def read_lines(parts: Sequence[bytes]) -> list[tuple[int, str, Any]]:
    lines = [orjson.loads(line) for line in b"".join(parts).splitlines() if line]
    assert all(list(line) == ["id", "event", "data"] for line in lines)
    return [tuple(line.values()) for line in lines]


def bytes_of(response: TestResponse) -> Iterator[bytes]:
    """The parts of a response, read one by one."""
    for part in response.response:
        assert isinstance(part, bytes)
        yield part


READ = {SSE: read_events, LINES: read_lines}


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("media", READ)
def test_an_event_is_an_entry_as_the_log_gives_it(media: str, lang: str, service: Service) -> None:
    """A stream has each entry once and in order, old and new, as the log gives it in that language."""
    table, api = service.table, service.api
    dispute = {"about": {"move": "h e4"}, "question": "May one?"}
    parts = service.parts(
        lambda: api.post(f"{table.path}/disputes", dispute, key=table.host, version=3),
        lambda: api.post(f"{table.path}/rewind", {"to": 1}, key=table.host, version=4),
        query="?after=0",
        accept=media,
        Accept_Language=lang,
    )
    log: Any = api.get(f"{table.path}/log", key=table.watch, headers={"Accept-Language": lang}).json
    assert [entry["type"] for entry in log["entries"]] == ["opened", "played", "played", "disputed", "rewound"]
    assert READ[media](parts) == [(entry["version"], entry["type"], entry) for entry in log["entries"]]
    assert parts[0] == (RETRY[:-1] + b"id: 0\n\n" if media == SSE else b"\n")


def ids(parts: Sequence[bytes]) -> list[int]:
    return [number for number, _, _ in read_events(parts)]


def test_a_stream_goes_on_where_a_client_was(service: Service) -> None:
    """A stream starts after `Last-Event-ID`, else after `after`, else now; then its first id says where."""
    assert ids(service.parts(query="?after=1")) == [2, 3]
    assert ids(service.parts(query="?after=1", Last_Event_ID="2")) == [3]
    assert ids(service.parts(query="?after=1", Last_Event_ID="")) == [2, 3]
    parts = service.parts(lambda: service.roll(3))
    assert ids(parts) == [4]
    assert parts[0] == RETRY[:-1] + b"id: 3\n\n"
    assert ids(service.parts(lambda: service.roll(4), query="?after=5")) == []


@pytest.mark.parametrize(
    ("query", "headers", "wrong"),
    [("?after=x", {}, "after"), ("?since=1", {}, "since"), ("?after=1", {"Last_Event_ID": "x"}, "Last-Event-ID")],
)
def test_a_place_in_the_log_is_a_number(query: str, headers: dict[str, str], wrong: str, service: Service) -> None:
    """A position that is no number, or another parameter, gets an error that names it, and takes no place."""
    response = service.ask(query, **headers)
    assert response.status_code == 422
    assert [each["pointer"] for each in response.get_json()["errors"]] == [f"/{wrong}"]
    assert service.places._free_streams == 50


@pytest.mark.parametrize(
    ("accept", "media"),
    [("*/*", SSE), ("text/*", SSE), (LINES, LINES), (f"{SSE};q=0.5, {LINES}", LINES), ("application/json", None)],
)
def test_the_client_chooses_the_format(accept: str, media: str | None, service: Service) -> None:
    """Server-sent events by default, JSON lines on request; any other type is 406."""
    with closing(service.ask(accept=accept)) as response:
        assert (response.status_code, response.mimetype) == (
            (406, "application/problem+json") if media is None else (200, media)
        )


@pytest.mark.parametrize("media", READ)
def test_nobody_stores_compresses_or_buffers_a_stream(media: str, service: Service) -> None:
    """The headers tell proxies not to store, buffer or change a stream, and the service does not compress it."""
    with closing(service.ask("?after=0", accept=media, Accept_Encoding="gzip, br, zstd")) as response:
        assert "Content-Encoding" not in response.headers
        assert "Content-Length" not in response.headers
        assert response.headers["X-Accel-Buffering"] == "no"
        assert response.headers["Cache-Control"] == "no-store, no-transform"
        assert {"Accept", "Accept-Language", "Authorization"} <= set(response.headers["Vary"].split(", "))


@pytest.mark.parametrize(("media", "silence", "end"), [(SSE, b":\n\n", RETRY), (LINES, b"\n", b"")])
def test_a_quiet_stream_says_that_it_is_there_and_ends(
    media: str, silence: bytes, end: bytes, service: Service
) -> None:
    """A quiet stream sends a sign of life each 15 seconds and ends after 15 minutes, with the time to reconnect."""
    with closing(service.ask(accept=media)) as response:
        _, *parts = bytes_of(response)
    assert parts == [silence] * (LIFETIME // SILENCE - 1) + [end]
    assert service.script.waits == [SILENCE] * (LIFETIME // SILENCE) == [15] * 60
    assert service.places._free_streams == 50


def test_a_stream_ends_with_its_worker(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams end when the worker ends; a new one gets the existing entries, and the time to reconnect."""
    begin = lambda: monkeypatch.setattr(shutdown, "_is_ending", True)  # noqa: E731  # an act like the others
    assert service.parts(begin)[-1] == RETRY
    assert service.script.clock == 0
    parts = service.parts(query="?after=2")
    assert (ids(parts), parts[-1]) == ([3], RETRY)
    assert service.script.clock == 0


def test_a_stream_ends_with_its_table(service: Service) -> None:
    """Deleting the table ends the stream; the next request is 410."""
    parts = service.parts(lambda: service.api.send("DELETE", service.table.path, key=service.table.host))
    assert parts[1:] == [RETRY]
    assert service.script.clock == 0
    assert service.ask().status_code == 410


def test_a_stream_ends_with_its_key(service: Service) -> None:
    """Renewing a key ends its streams: they report neither the renewal nor anything later."""

    def renew() -> None:
        answer = service.api.post(f"{service.table.path}/keys/watch/renewal", {}, key=service.table.host)
        assert answer.status_code == 201
        service.roll(5)

    assert service.parts(renew)[1:] == [RETRY]
    assert service.script.clock == 0
    assert service.ask().status_code == 410


def test_a_stream_ends_with_the_time_of_its_key(service: Service) -> None:
    """A stream of a derived key ends with the key. The control: another key's stream goes on until its own end."""
    until = datetime.now(UTC) + timedelta(seconds=60)
    body = {"role": "watch", "until": until.isoformat()}
    made: Any = service.api.post(f"{service.table.path}/keys", body, key=service.table.host).json
    later = lambda: setattr(service.script, "clock", service.script.clock + 61)  # noqa: E731  # an act like the others
    derived = service.parts(later, lambda: service.roll(4), Authorization=f"Bearer {made['secret']}")
    assert (ids(derived), derived[-1]) == ([], RETRY)
    assert ids(service.parts(later, lambda: service.roll(4))) == [5]


def test_a_view_has_streams_for_as_many_addresses_as_come(service: Service) -> None:
    """A public view can have more streams than one key can. The control: one address has its share."""
    made: Any = service.api.post(f"{service.table.path}/views", {"label": "Club"}, key=service.table.host).json

    def follow(address: str) -> TestResponse:
        there, where = f"{V1}/views/{made['id']}/events", {"REMOTE_ADDR": address}
        return service.app.test_client().get(there, environ_base=where)

    streams = [follow(f"192.0.2.{number}") for number in range(OF_KEY + 5)]
    assert {each.status_code for each in streams} == {200}
    more = [follow("192.0.2.1") for _ in range(3)]
    assert more[-1].status_code == 429
    for each in (*streams, *more):
        each.close()
    assert service.places._free_streams == 50


def test_a_stream_ends_with_its_view(service: Service) -> None:
    """Revoking a view ends its streams at once; revoking another view neither ends nor appears in them."""
    there, key = f"{service.table.path}/views", service.table.host
    made: list[Any] = [service.api.post(there, {"label": "Club"}, key=key).json for _ in range(2)]
    service.script.acts += [
        lambda: service.api.send("DELETE", f"{there}/2", key=key),
        lambda: service.roll(6),
        lambda: service.api.send("DELETE", f"{there}/1", key=key),
    ]
    watching = service.app.test_client()
    with closing(watching.get(f"{V1}/views/{made[0]['id']}/events", headers={"Accept": SSE})) as response:
        parts = list(bytes_of(response))
    assert (ids(parts), parts[-1]) == ([7], RETRY)
    assert service.script.clock == 0
    assert watching.get(f"{V1}/views/{made[0]['id']}/events").status_code == 410
    assert service.places._free_streams == 50


@pytest.mark.parametrize("fault", [StoreAway("away"), Unreadable("newer"), BrokenLog("broken")])
@pytest.mark.parametrize("at", ["wait", "read"])
def test_a_stream_ends_where_the_log_cannot_be_read(
    at: str, fault: Exception, service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A stream ends if the log cannot be read, without logging a fault. Until it can be read again the client gets a
    problem; then it continues after its last id.
    """

    def refuse(*_: object) -> Any:
        raise fault

    def break_() -> None:
        service.roll(3)
        monkeypatch.setattr(service.referee._store, "cached_table", lambda _: None)
        monkeypatch.setattr(service.referee._store, "current_table", refuse)

    parts = service.parts(refuse if at == "wait" else break_, query="?after=1")
    assert ids(parts) == [2, 3]
    assert parts[-1] == RETRY
    assert "fault in" not in caplog.text
    if at == "read":
        assert service.ask(Last_Event_ID="3").status_code == 503
        monkeypatch.undo()
        monkeypatch.setattr(events, "monotonic", lambda: service.script.clock)
        assert ids(service.parts(Last_Event_ID="3")) == [4]


def test_a_fault_ends_a_stream_and_is_logged(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    """An exception ends the stream properly. The log has its type and place, but not its message."""

    def fail() -> None:
        raise ValueError("a secret")

    with caplog.at_level(logging.ERROR):
        assert service.parts(fail)[1:] == [RETRY]
    assert "ValueError at" in caplog.text
    assert "secret" not in caplog.text
    assert service.places._free_streams == 50


def test_streams_take_half_of_the_places(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams fill half of a worker's places; the next one gets 429 with the limit, and a poll still waits."""
    service = Service(redis_url, monkeypatch, 2)
    first, refused = (service.ask(address=f"192.0.2.{number}") for number in (1, 2))
    assert (refused.status_code, refused.json and refused.json["limit"]) == (429, STREAMS)
    assert "Retry-After" in refused.headers
    path = f"{service.table.path}?wait=1"
    assert service.api.get(path, key=service.table.watch, headers={"If-None-Match": '"3"'}).status_code == 304
    assert service.script.waits == [1]
    first.close()
    with closing(service.ask()) as again:
        assert again.status_code == 200


def test_the_limit_of_streams_is_listed(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`/limits` lists the maximum of streams per worker."""
    service = Service(redis_url, monkeypatch, 100, limits="1")
    listed: Any = service.api.get(f"{V1}/limits").json
    [found] = [each for each in listed["limits"] if each["limit"] == STREAMS]
    assert (found["per"], found["most"], found["seconds"]) == ("worker", 50, None)


@pytest.mark.parametrize("method", ["HEAD", "GET"])
def test_who_reads_nothing_leaves_no_place_behind(method: str, service: Service) -> None:
    """A client that asks for the head only, or leaves at once, frees its place."""
    headers = {"Authorization": f"Bearer {service.table.watch}"}
    service.app.test_client().open(f"{service.table.path}/events", method=method, headers=headers).close()
    assert (service.places._free_streams, service.places._free_places) == (50, 100)


def test_a_slow_reader_holds_a_part_of_the_log(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow reader of a stream makes the server read no more of the log than it takes."""
    made: list[int] = []
    page = table_reader._page

    def count(table: Table, after: int, limit: int) -> Any:
        found = page(table, after, limit)
        made.append(len(found.entries))
        return found

    monkeypatch.setattr(table_reader, "_page", count)
    for version in range(3, 28):
        service.roll(version)
    service.script.acts = [service.end_soon]
    with closing(service.ask("?after=0")) as response:
        parts = bytes_of(response)
        assert (next(parts), made) == (RETRY[:-1] + b"id: 0\n\n", [])
        for number in (1, 2):
            assert len(read_events([next(parts)])) == AT_ONCE
            assert made == [AT_ONCE] * number
        assert ids(list(parts)) == list(range(2 * AT_ONCE + 1, 29))


def test_the_work_of_a_stream_is_charged_to_its_address(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each later part of a stream is charged to the client's address, like a request."""
    service = Service(redis_url, monkeypatch, 100, limits="1")
    charged: list[int] = []
    limiter = current.limiter(service.app)
    monkeypatch.setattr(
        limiter,
        "charge",
        lambda measure, _address, amount: charged.append(amount) if measure is Measure.STEPS else None,
    )
    with closing(service.ask("?after=1")) as response:
        parts = bytes_of(response)
        next(parts)
        before = len(charged)
        service.referee._store._tables.forget(service.table.id)
        assert ids([next(parts)]) == [2, 3]
        assert len(charged) == before + 1
        assert charged[-1] > 0
