"""A phone that is told to wait: it asks for news less often, and keeps the move that was too much."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import Phone, Server
from tests.support.browser_game import choose
from tests.support.browser_gestures import touch_until

REFUSAL = "Response Status Error Code 429"
"""What htmx says of the answer."""


def refuse(page: Page, part: str, seconds: int) -> list[str]:
    """Answer with 429 whatever has this in its address; the addresses that were asked for so far."""
    asked: list[str] = []

    def too_many(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=429, headers={"Retry-After": str(seconds)})

    page.route(lambda url: part in url, too_many)
    return asked


def test_a_page_that_asks_too_often_rests(phone: Callable[..., Phone], server: Server) -> None:
    """Questions for news stop for as long as the answer says, without a word to the player, and then go on."""
    made = phone()
    made.expected = ("429",)
    made.page.clock.install(time=0)
    made.page.clock.pause_at(1)  # no question before the script is there that hears the answer, however long that takes
    asked = refuse(made.page, "since=", 600)
    with made.page.expect_event("console", lambda message: REFUSAL in message.text):
        page = made.sit(server.table())
        touch_until(page, "#outbox")  # the script that looks after the connection is there
        page.clock.run_for(1_600)
    page.clock.run_for(300_000)
    assert len(asked) == 1
    expect(page.locator("#trouble")).to_be_hidden()
    with page.expect_event("console", lambda message: REFUSAL in message.text):
        page.clock.run_for(310_000)
    assert len(asked) == 2


def test_a_move_too_many_is_sent_again(phone: Callable[..., Phone], server: Server) -> None:
    """The page says that the move is kept, and sends it again once the server takes it; it counts once."""
    table = server.table()
    made = phone()
    made.expected = ("429",)
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
