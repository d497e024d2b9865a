"""The files fetched by a first visit to a table, by brotli: those not needed at once come later."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request

from tests.e2e.conftest import Phone, Server, is_poll
from tests.support.browser_gestures import await_scripts
from tests.support.tables import open_table

MOST = 45_000
"""The most bytes of a table's page and all that it fetches within five seconds."""
LATER = {
    "/assets/touch.js",
    "/assets/offline.js",
    "/assets/offline.css",
    "/assets/outbox_list.js",
    "/assets/sending.js",
}
"""The files fetched by the first touch, or after five seconds."""
TABLES = {
    "architekton/box_and_series": 40,
    "fief/five_and_much_stood": 60,
    "robber_knights/four_and_much_stood": 48,
    "villa_paletti/nobody_can_build": 12,
    "villefranche/five_buildings": 40,
}


def arrive(made: Phone, server: Server, name: str) -> tuple[Page, list[Request]]:
    """Visit a crowded table for the first time, with a stopped clock; returns the page and its requests."""
    made.page.clock.install(time=0)
    made.page.clock.pause_at(1)
    asked: list[Request] = []

    def ask(request: Request) -> None:
        asked.append(request)

    made.context.on("request", ask)
    made.page.add_init_script(
        "window.answers = 0; addEventListener('htmx:afterRequest', () => { window.answers += 1; })"
    )
    page = made.sit(open_table(server.referee, name, TABLES[name]))
    await_scripts(page)
    return page, asked


def sizes(asked: list[Request]) -> dict[str, int]:
    """Path -> the bytes of its compressed body."""
    found = {}
    for request in asked:
        answer = request.response()
        assert answer is not None
        answer.finished()
        if not is_poll(request):
            assert answer.header_value("Content-Encoding") == "br", request.url
            found[urlsplit(request.url).path] = request.sizes()["responseBodySize"]
    return found


@pytest.mark.parametrize("name", TABLES)
def test_a_first_view_is_small_for_five_seconds(name: str, phone: Callable[..., Phone], server: Server) -> None:
    """In French, with requests for news, a visit's first five seconds keep to the limit by brotli.

    The control: after five seconds the page fetches the rest and starts the service worker.
    """
    made = phone(language="fr", service_workers="allow")
    page, asked = arrive(made, server, name)
    for number in range(1, 4):  # wait for each answer: else the page would report silence
        page.clock.run_for(1_500)
        page.wait_for_function(f"() => window.answers === {number}")
    page.clock.run_for(490)
    first = sizes([*asked])
    assert {"/assets/app.js", "/assets/app.css"} < set(first)
    assert not LATER & set(first)
    assert not made.context.service_workers
    assert sum(first.values()) <= MOST
    with made.context.expect_event("serviceworker"), page.expect_request("**/offline.css*"):
        page.clock.run_for(10)
    assert {urlsplit(request.url).path for request in asked} >= LATER


def test_a_touch_fetches_the_rest_from_the_service_worker(phone: Callable[..., Phone], server: Server) -> None:
    """On a second visit, the first touch fetches the late files, all from the service worker."""
    made = phone(service_workers="allow")
    page, asked = arrive(made, server, "villefranche/five_buildings")
    with made.context.expect_event("serviceworker"):
        page.dispatch_event("body", "pointerdown")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    asked.clear()
    page.reload()
    await_scripts(page)
    assert not {urlsplit(request.url).path for request in asked} & LATER
    with page.expect_request("**/offline.css*"):
        page.dispatch_event("body", "pointerdown")
    found = {urlsplit(request.url).path: request.response() for request in asked}
    assert all(answer and answer.from_service_worker for path, answer in found.items() if path in LATER)
    assert {*found} >= LATER
