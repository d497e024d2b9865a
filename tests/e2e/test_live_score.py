"""The example of a live score: a page of another origin shows a public view and follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from bastide_client import Bastide
from playwright.sync_api import Route, expect

from tests.e2e.conftest import Phone, Server

EXAMPLES = Path(__file__).parents[2] / "examples"


class Quiet(SimpleHTTPRequestHandler):
    """A file server without a log."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's name
        """Log nothing."""


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The address of another origin, which serves the examples."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(EXAMPLES))) as files:
        thread = Thread(target=files.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{files.server_port}"
        files.shutdown()
        thread.join()


def test_a_page_from_elsewhere_follows_a_table(phone: Callable[..., Phone], server: Server, elsewhere: str) -> None:
    """The page shows the view's names and board, updates after a move, and says if the view was revoked."""
    made = phone()
    made.expected_complaints = ("410",)
    with Bastide(f"{server.url}/") as bastide:
        table = bastide.open_table(
            "villefranche", {"players": [{"player": "black", "name": "Ada"}, {"player": "white"}]}
        )
        view = table.request("POST", "/views", json={"label": "Club", "names": True})
        page = made.page
        page.goto(f"{elsewhere}/live_score.html?bastide={server.url}&view={view['id']}")
        expect(page.locator("#players th")).to_have_text(["Ada", "white"])
        expect(page.locator("#players td")).to_have_text(["0", "0"])
        expect(page.locator("#due")).to_contain_text("Ada")
        page.wait_for_function("document.getElementById('board').naturalWidth > 0")
        before = page.locator("#board").get_attribute("src")
        table.read()
        table.play("r b9c9")
        expect(page.locator("#board")).not_to_have_attribute("src", before or "")
        table.request("DELETE", f"/views/{view['view']}")
        page.reload()
        expect(page.locator("#due")).to_contain_text("view")


def test_a_refused_stream_is_asked_for_again(phone: Callable[..., Phone], server: Server, elsewhere: str) -> None:
    """A browser gives up a stream refused with a status; the page requests it again."""
    made = phone()
    made.expected_complaints = ("429",)
    page = made.page
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        refused.append(route.request.url)
        if len(refused) == 1:
            route.fulfill(status=429, headers={"Access-Control-Allow-Origin": "*"})
        else:
            route.continue_()

    with Bastide(f"{server.url}/") as bastide:
        table = bastide.open_table("villefranche")
        view = table.request("POST", "/views", json={"label": "Club"})
        page.route("**/events", refuse_once)
        page.clock.install()
        page.goto(f"{elsewhere}/live_score.html?bastide={server.url}&view={view['id']}")
        expect(page.locator("#players td")).to_have_text(["0", "0"])
        with page.expect_response("**/events"):
            page.clock.run_for(6000)
    assert len(refused) == 2


def test_it_is_short() -> None:
    """The example has at most 60 lines."""
    assert len((EXAMPLES / "live_score.html").read_text("utf-8").splitlines()) <= 60
