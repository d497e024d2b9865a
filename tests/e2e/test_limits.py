"""A phone over the rate limit: it polls less often, and keeps the refused move."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import Phone, Server
from tests.support.browser_game import choose
from tests.support.browser_gestures import touch_until

REFUSAL = "Response Status Error Code 429"
"""The message of htmx about the answer."""


def refuse(page: Page, part: str, seconds: int) -> list[str]:
    """Answer 429 to each request with `part` in its address; returns the growing list of these addresses."""
    asked: list[str] = []

    def too_many(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=429, headers={"Retry-After": str(seconds)})

    page.route(lambda url: part in url, too_many)
    return asked


def test_a_page_that_asks_too_often_rests(phone: Callable[..., Phone], server: Server) -> None:
    """After a 429, requests for news stop as long as `Retry-After` says, silently, and then go on."""
    made = phone()
    made.expected_complaints = ("429",)
    made.page.clock.install(time=0)
    made.page.clock.pause_at(1)  # no request before the script that handles the answer has loaded, however slowly
    asked = refuse(made.page, "since=", 600)
    with made.page.expect_event("console", lambda message: REFUSAL in message.text):
        page = made.sit(server.table())
        touch_until(page, "#outbox")  # the connection's script has loaded
        page.clock.run_for(1_600)
    page.clock.run_for(300_000)
    assert len(asked) == 1
    expect(page.locator("#trouble")).to_be_hidden()
    with page.expect_event("console", lambda message: REFUSAL in message.text):
        page.clock.run_for(310_000)
    assert len(asked) == 2


def test_a_move_too_many_is_sent_again(phone: Callable[..., Phone], server: Server) -> None:
    """The page says that the move waits, and sends it again until the server accepts it, once."""
    table = server.table()
    made = phone()
    made.expected_complaints = ("429",)
    page = made.sit(table)
    choose(page, "r b9c9")
    refuse(page, "/play", 1)
    page.locator("#place").click()
    expect(page.locator("#trouble")).to_have_text("Too many moves at once. Yours waits and is sent in a moment.")
    page.unroute_all()
    expect(page.locator(".toast")).to_contain_text("Anne’s rampart on b9–c9 placed")
    expect(page.locator("#trouble")).to_be_hidden()
    now, _ = server.referee.table(table.table.id, table.keys.host)
    assert now.version == 2
