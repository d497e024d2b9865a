"""The gate counts every request, whatever its result, except health checks."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_network
from logging import getLogger
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from gunicorn.http.errors import LimitRequestHeaders
from werkzeug.test import TestResponse

from service.addresses import within
from service.http.openapi import description
from service.http.responses import SECURITY_HEADERS
from service.limits import rate_limits
from service.limits.rate_limits import ANYTHING, LIMITS, Per
from service.server.worker import Worker
from tests.support.api import V1, application
from tests.support.limit_clock import Clock

MANY = 30
FAULTS: dict[str, tuple[int, dict[str, Any]]] = {
    "a foreign host": (400, {"path": "/", "base_url": "http://evil.example"}),
    "a form of another site": (403, {"path": "/", "method": "POST", "headers": {"Origin": "http://evil.example"}}),
    "an origin that cannot be read": (403, {"path": "/", "method": "POST", "headers": {"Origin": "http://["}}),
    "no such page": (404, {"path": "/nothing"}),
    "no such operation": (404, {"path": f"{V1}/nothing"}),
    "another method": (405, {"path": f"{V1}/games", "method": "POST"}),
    "a health that is set": (405, {"path": "/livez", "method": "POST"}),
    "a long head": (431, {"path": f"{V1}/games", "headers": {"X-Long": "x" * 17_000}}),
    "a portrait": (200, {"path": "/assets/games/fief.svg"}),
    "no portrait": (404, {"path": "/assets/games/chess.svg"}),
    "the inks": (200, {"path": "/assets/inks.css"}),
    "a file": (200, {"path": "/assets/board.css"}),
}


@pytest.fixture
def client(limited_app: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """A client of an application whose gate admits few requests."""
    monkeypatch.setattr(rate_limits, "ANYTHING", (MANY, 10))
    return limited_app().test_client()


def ask(client: FlaskClient, address: str = "192.0.2.1", **asked: Any) -> TestResponse:
    """A response to a request from an address, read to its end."""
    sent = b"{}" if asked.get("method") == "POST" else None
    return client.open(environ_overrides={"REMOTE_ADDR": address}, data=sent, buffered=True, **asked)


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_becomes_of_a_request_it_is_counted(fault: str, client: FlaskClient, clock: Clock) -> None:
    """The gate counts every request of an address, rejected ones too, and answers 429 above the limit. Another address
    has its own count, and the health checks always answer.
    """
    status, asked = FAULTS[fault]
    assert [ask(client, **asked).status_code for _ in range(MANY + 5)] == [status] * MANY + [429] * 5
    assert ask(client, "192.0.2.2", **asked).status_code == status
    assert {ask(client, path=path).status_code for path in ("/livez", "/readyz")} == {200}
    clock.advance(1)
    assert [ask(client, **asked).status_code for _ in range(4)] == [status] * 3 + [429]


def test_who_asks_after_the_health_is_never_counted(client: FlaskClient) -> None:
    """The gate never counts requests to the health checks."""
    for path in ("/livez", "/readyz"):
        assert {ask(client, path=path).status_code for _ in range(2 * MANY)} == {200}
    assert [ask(client, path="/nothing").status_code for _ in range(MANY)] == [404] * MANY


@pytest.mark.parametrize(
    ("path", "accept", "media"),
    [
        (f"{V1}/games", "*/*", "application/problem+json"),
        (f"{V1}/games", "text/html", "application/problem+json"),
        ("/", "text/html,*/*;q=0.8", "text/html"),
        ("/rules", "", "application/problem+json"),
    ],
)
@pytest.mark.parametrize(("spoken", "word"), [("en", "Too many requests"), ("fr", "Trop de demandes")])
def test_the_answer_is_a_problem_or_a_page(
    path: str, accept: str, media: str, spoken: str, word: str, client: FlaskClient
) -> None:
    """The gate's 429 is a problem or a page in the client's language, with the time to wait and the usual headers."""
    headers = {"Accept": accept, "Accept-Language": spoken}
    assert [ask(client, path="/nothing").status_code for _ in range(MANY)] == [404] * MANY
    for _ in range(2):
        answer = ask(client, path=path, headers=headers)
        assert (answer.status_code, answer.mimetype, answer.headers["Retry-After"]) == (429, media, "1")
        assert word in answer.text
        assert answer.headers["Content-Language"] == spoken
        assert all(answer.headers.getlist(name) == [value] for name, value in SECURITY_HEADERS)
        if media != "text/html":
            told: Any = answer.json
            assert (told["type"], told["instance"]) == ("/problems/too-many-requests", path)


def test_the_factor_is_for_the_gate_too_and_off_is_off(
    limited_app: Callable[..., Flask], redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``BASTIDE_LIMITS`` multiplies the gate's limit; ``off`` removes it."""
    monkeypatch.setattr(rate_limits, "ANYTHING", (MANY, 10))
    for word, most in (("3", 3 * MANY), ("off", 4 * MANY)):
        client = application(redis_url, word).test_client()
        answers = [ask(client, path="/nothing").status_code for _ in range(4 * MANY)]
        assert answers.index(429) >= most if 429 in answers else most == 4 * MANY


def test_a_home_never_meets_the_gate() -> None:
    """The gate's limit is above twenty phones loading at once, and above all limits of a home's keys together."""
    most, seconds = ANYTHING
    assert most > 4 * 20 * 20
    assert sum(limit.many / limit.seconds for limit in LIMITS if limit.per is Per.HOME) < most / seconds


def test_every_operation_that_is_counted_tells_of_it() -> None:
    """The contract lists 429 with each operation, except the health checks."""
    without = {
        path
        for path, item in description()["paths"].items()
        for method, operation in item.items()
        if method in ("get", "post", "put", "delete") and "429" not in operation["responses"]
    }
    assert without == {"/livez", "/readyz"}


class CatchingSocket:
    """A connection that records what is sent."""

    def __init__(self) -> None:
        self.sent_bytes = b""

    def sendall(self, content: bytes) -> None:
        self.sent_bytes += content


@pytest.mark.parametrize("proxied", [False, True])
def test_what_gunicorn_refuses_is_counted(
    proxied: bool, limited_app: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A malformed request counts for its address like any other; through a proxy, for the proxy."""
    monkeypatch.setattr(rate_limits, "ANYTHING", (MANY, 10))
    worker: Any = Worker.__new__(Worker)
    worker.wsgi, worker.log = limited_app(), getLogger("gunicorn")
    worker._is_proxy = within((ip_network("192.0.2.0/24"),) if proxied else ())
    for _ in range(MANY - 1):
        ask(worker.wsgi.test_client(), path="/nothing")
    lines = []
    for _ in range(3):
        client = CatchingSocket()
        worker.handle_error(None, client, ("192.0.2.1", 4711), LimitRequestHeaders("too long"))
        head, _, body = client.sent_bytes.partition(b"\r\n\r\n")
        lines.append((head.split()[1], b"\r\nRetry-After: 1\r\n" in head, b"too-many-requests" in body))
    counted = (b"431", False, False)
    assert lines == [counted] + [(b"429", True, True)] * 2
