"""A request that is refused by its head takes no memory: its body is read only after the limits and the key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from flask import Flask
from werkzeug.exceptions import RequestTimeout
from werkzeug.test import TestResponse

from service.errors import RateLimited
from service.http.api import WITH_BODY
from service.http.current import LIMITER
from service.limits.endpoints import ENDPOINTS
from service.limits.rate_limits import Kind, Limit, Limiter, Per
from service.storage.ledger import Ledger
from tests.support.api import Api
from tests.support.limit_clock import Clock
from tests.web.conftest import ORIGIN, Visitor
from web.blueprint import KEYLESS
from web.request_kinds import PAGES

WRONG = "0" * 22
NAMES = {"game_id": "villefranche", "dispute": 1, "number": 1, "role": "watch"}
FORM = "application/x-www-form-urlencoded"
KINDS = {Kind.READ, Kind.LOOK, Kind.ASK, Kind.MOVE, Kind.POLL, Kind.CREATE}


class CountingBody:
    """A body that does not come; counts the attempts to read it."""

    read_count = 0

    def read(self, *_: object) -> bytes:
        """Raise a timeout, as the worker does."""
        self.read_count += 1
        raise RequestTimeout


class Routes:
    """All routes of the API and of the pages that take a body, with an existing table and group."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        guest = Visitor(app.test_client())
        self.table = guest.open().removeprefix("/t/")
        self.group = guest.post("/g", {"name": "Ours", "key": "A" * 22}).headers["Location"].removeprefix("/g/")
        cookies = {path: guest.client.get_cookie(name, path=path) for name, path in self._cookies().items()}
        self.right = {path: cookie.value for path, cookie in cookies.items() if cookie}

    def _cookies(self) -> dict[str, str]:
        return {"keys": f"/t/{self.table}", "groups": "/"}

    def each(self) -> Iterator[tuple[str, str, str]]:
        """Endpoint, method and path."""
        adapter = self.app.url_map.bind("localhost")
        named = NAMES | {"table_id": self.table, "group_id": self.group}
        for rule in self.app.url_map.iter_rules():
            for method in WITH_BODY & (rule.methods or set()):
                given = {name: named[name] for name in rule.arguments}
                yield rule.endpoint, method, adapter.build(rule.endpoint, given, method)

    def send(self, endpoint: str, method: str, path: str, *, right: bool) -> tuple[TestResponse, int]:
        """Send a request whose body does not come; returns the answer, and the attempts to read the body."""
        client, body = self.app.test_client(), CountingBody()
        headers = {"Origin": ORIGIN, "If-Match": '"1"', "Authorization": f"Bearer {WRONG}"}
        for name, there in self._cookies().items():
            wrong = f"host.{WRONG}" if name == "keys" else f"{self.group}.{WRONG}"
            client.set_cookie(name, self.right[there] if right else wrong, path=there)
            held = self.right[there].split(":")[0].partition(".")[2]
            named = self.table if name == "keys" else self.group
            if right and named in path:
                headers["Authorization"] = f"Bearer {held}"
        kind = "application/json" if endpoint.startswith("api.") else FORM
        sent = {"CONTENT_LENGTH": "900", "wsgi.input": body}
        answer = client.open(path, method=method, headers=headers, content_type=kind, environ_overrides=sent)
        return answer, body.read_count


@pytest.fixture
def routes(app: Flask) -> Routes:
    """The routes on an empty Redis, without limits."""
    return Routes(app)


def needs_key(path: str, endpoint: str) -> bool:
    """Whether an address is that of a table or a group, and needs its key."""
    return path.startswith(("/t/", "/g/", "/api/v1/tables/", "/api/v1/groups/")) and endpoint not in KEYLESS


def test_no_body_is_read_before_the_key(routes: Routes) -> None:
    """With a wrong key each route answers 404 and reads no body. The control: with the right one it reads."""
    seen = dict.fromkeys(("api", "web"), 0)
    for endpoint, method, path in routes.each():
        if not needs_key(path, endpoint) or endpoint == "web.keep_played":
            continue
        answer, wanted = routes.send(endpoint, method, path, right=False)
        assert (answer.status_code, wanted) == (404, 0), endpoint
        answer, wanted = routes.send(endpoint, method, path, right=True)
        assert wanted > 0, endpoint
        assert answer.status_code == 408, endpoint
        seen[endpoint.partition(".")[0]] += 1
    assert seen["api"] >= 11
    assert seen["web"] >= 17


def test_no_body_is_read_over_the_limit(limited_app: Callable[..., Flask], ledger: Ledger, clock: Clock) -> None:
    """Where one request of each kind is admitted, the next is answered 429, and its body is not read."""
    app = limited_app()
    routes = Routes(app)
    one = [Limit(kind, Per.ADDRESS, 1, 60) for kind in KINDS]
    limiter = app.extensions[LIMITER] = Limiter(ledger, limits=one, now=clock)
    for kind in KINDS:
        with suppress(RateLimited):  # opening the table was one
            limiter.admit(kind, "127.0.0.1")
    found = list(routes.each())
    assert {{**ENDPOINTS, **PAGES}[endpoint] for endpoint, _, _ in found} <= KINDS
    for endpoint, method, path in found:
        answer, wanted = routes.send(endpoint, method, path, right=False)
        assert (answer.status_code, wanted) == (429, 0), endpoint


def test_no_form_of_another_site_is_read(routes: Routes) -> None:
    """A form of another site is answered 403, and its body is not read."""
    pages = [each for each in routes.each() if each[0].startswith("web.")]
    assert len(pages) > 20
    for endpoint, _, path in pages:
        body = CountingBody()
        there = {"CONTENT_LENGTH": "900", "wsgi.input": body}
        answer = routes.app.test_client().post(
            path, headers={"Origin": "http://evil.example"}, content_type=FORM, environ_overrides=there
        )
        assert (answer.status_code, body.read_count) == (403, 0), endpoint


@pytest.mark.parametrize("head", [{"If-Match": "1"}, {"Idempotency-Key": "a b"}], ids=["version", "name"])
def test_no_body_is_read_under_a_head_that_cannot_be_read(head: dict[str, str], api: Api) -> None:
    """A malformed header is answered 400 before the body is read, though the key is right."""
    table, body = api.open(), CountingBody()
    answer = api.app.test_client().post(
        f"{table.path}/moves",
        headers={"Authorization": f"Bearer {table.host}", "If-Match": '"1"'} | head,
        content_type="application/json",
        environ_overrides={"CONTENT_LENGTH": "900", "wsgi.input": body},
    )
    assert (answer.status_code, body.read_count) == (400, 0)


def test_what_was_typed_at_a_table_is_handed_back(limited_app: Callable[..., Flask]) -> None:
    """Over the limit, a guest at the table gets the form back as typed; a stranger's form is not read."""
    app = limited_app()
    guest, stranger = Visitor(app.test_client()), Visitor(app.test_client())
    table = guest.open()
    form = guest.see(f"{table}?move=r+b9c9").form("/play")
    for who, back in ((guest, True), (stranger, False)):
        answers = [who.post(form[0], {**form[1], "version": ""}) for _ in range(61)]
        assert answers[-1].status_code == 429
        assert ("r b9c9" in answers[-1].text) is back
