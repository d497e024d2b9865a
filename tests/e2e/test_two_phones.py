"""Two phones at one table see each other's moves; the second of a race reads what happened."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from service.judgements import AttemptedMove
from service.referee.repository import ChangeRequest
from tests.e2e.conftest import GAME, Phone, Server, is_poll
from tests.e2e.game import MOVES
from tests.support.browser_game import choose, place
from tests.support.loops import over

HEADER_IGNORED = "Cross-Origin-Opener-Policy header has been ignored"
"""The browser's message about a header that needs https."""
POLL = 2_000
"""The most milliseconds between requests for news."""


def attempt(notation: str) -> AttemptedMove:
    """A move to play without the pages."""
    return AttemptedMove(GAME.read(notation))


def without_news(page: Page) -> None:
    """Answer each request for news of this page with 204 from now on."""
    page.route(lambda url: "since=" in url, lambda route: route.fulfill(status=204))


def join(phone: Callable[..., Phone], host: Page, role: str, **more: object) -> Phone:
    """A second phone, which joins by a link from the first."""
    host.locator("#more").click()
    host.locator("#to-share").click()
    link = host.locator(f"#link-{role}").input_value()
    host.go_back()
    second = phone(**more)
    second.expected_complaints = ("401",)
    second.page.goto(link)
    expect(second.page.get_by_role("heading", name="Villefranche")).to_be_visible()
    return second


def test_each_sees_the_moves_of_the_other(phone: Callable[..., Phone], server: Server) -> None:
    """A phone joins by a link; both poll within two seconds, and show and announce each other's moves."""
    first = phone().sit(server.table())
    second = join(phone, first, "white").page
    assert "#" not in second.url
    for page in (first, second):
        every = re.fullmatch(r"every (\d+)ms", page.locator("#poll").get_attribute("hx-trigger") or "")
        assert every and int(every[1]) < POLL
    place(first, "r b9c9")
    expect(second.locator("#c-b9")).to_have_accessible_name("b9, Anne’s rampart")
    expect(second.locator("#said")).to_have_text("Anne’s rampart on b9–c9 placed")
    place(second, "r i2i3")
    expect(first.locator("#c-i2")).to_have_accessible_name("i2, Bruno’s rampart")
    expect(first.locator("#said")).to_have_text("Bruno’s rampart on i2–i3 placed")


def test_two_tables_on_one_phone_keep_their_keys(phone: Callable[..., Phone], server: Server) -> None:
    """A phone at two tables has access to both: each table's cookie is sent to that table only."""
    made, tables = phone(), (server.table(), server.table())
    for table in tables:
        made.sit(table)
    for table in over(tables):
        assert made.context.request.get(f"{server.url}/t/{table.table.id}").ok


def test_the_second_of_a_race_reads_what_happened(phone: Callable[..., Phone], server: Server) -> None:
    """A phone that places on an old board reads what the other placed, and sees the present board."""
    table = server.table("r b9c9")
    first, second = phone().sit(table), phone()
    second.expected_complaints = ("412",)
    late = second.sit(table, role="white")
    without_news(late)
    choose(late, "r i2i3")
    expect(late.locator(".verdict h2")).to_have_text("Legal")
    place(first, "r g1h1")
    expect(first.locator(".toast")).to_be_visible()
    late.get_by_role("button", name="Place", exact=True).click()
    told = late.locator(".note.trouble")
    expect(told).to_contain_text("Bruno’s rampart on g1–h1 placed")
    expect(told).to_contain_text("Not placed: rampart on i2–i3. Here is the board now.")
    expect(late.locator("#c-g1")).to_have_accessible_name("g1, Bruno’s rampart")
    expect(late.locator("#c-i2")).to_have_accessible_name("i2, enclosure, free")


def test_the_second_of_a_race_without_a_script(phone: Callable[..., Phone], server: Server) -> None:
    """The same without a script: the answer to the form is the page that says so."""
    table = server.table("r b9c9")
    second = phone(script=False)
    second.expected_complaints = ("412",)
    late = second.sit(table)
    choose(late, "r i2i3")
    server.referee.play(ChangeRequest(table.table.id, table.keys.host, 2), [attempt("r g1h1")])
    late.get_by_role("button", name="Place", exact=True).click()
    expect(late.locator(".note.trouble")).to_contain_text("Bruno’s rampart on g1–h1 placed")
    expect(late.locator("#c-g1")).to_have_accessible_name("g1, Bruno’s rampart")


UNDER = """([x, y]) => {
    window.under = () => document.elementFromPoint(x, y).closest("button")?.id;
    window.came = new Promise((done) => new MutationObserver(() => {
        if (document.querySelector(".toast")) done(window.under());
    }).observe(document.body, {subtree: true, childList: true}));
}"""
"""The button under the finger at the moment of the first tap's answer."""


def test_two_taps_are_oneattempt(phone: Callable[..., Phone], server: Server) -> None:
    """A double tap places one piece, and does not undo it by the button that comes under the finger."""
    for script in (True, False):
        table = server.table()
        page = phone(script=script).sit(table)
        choose(page, "r b9c9")
        button = page.get_by_role("button", name="Place", exact=True)
        box = button.bounding_box()
        assert box
        middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        if script:
            page.evaluate(UNDER, middle)
        button.dblclick()
        expect(page.locator(".toast")).to_contain_text("Anne’s rampart on b9–c9 placed")
        if script:
            assert page.evaluate("window.came") != "undo"
            page.wait_for_function("() => window.under() === 'undo'")  # the control: after a moment, it is there
        now, _ = server.referee.table(table.table.id, table.keys.host)
        assert [move.notation for move in now.last_moves(9)] == ["r b9c9"]


def test_a_seat_plays_its_own_side_only(phone: Callable[..., Phone], server: Server) -> None:
    """A player's phone gets rulings at any time but places only in turn; a watcher's never places."""
    table = server.table("r b9c9")
    for role, words in (
        ("black", "It is Bruno’s turn. This phone plays Anne’s side."),
        ("watch", "You only watch. To play, ask the host for a link."),
    ):
        page = phone().sit(table, role=role)
        choose(page, "r g1h1")
        expect(page.locator(".verdict h2")).to_have_text("Legal")
        expect(page.locator("#panel").get_by_text(words)).to_be_visible()
        expect(page.get_by_role("button", name="Place", exact=True)).to_have_count(0)


def test_a_lost_connection_is_said_and_the_move_sent_once_it_is_back(
    phone: Callable[..., Phone], server: Server
) -> None:
    """Without a connection, a banner says that the move waits; once it is back, the move is sent, once."""
    table = server.table()
    made = phone()
    made.expected_complaints = ("Failed to load resource", "htmx:sendError", "htmx:afterRequest")
    page = made.sit(table)
    choose(page, "r b9c9")
    expect(page.locator("#place")).to_be_visible()
    made.context.set_offline(True)
    page.locator("#place").click()
    expect(page.locator("#trouble")).to_contain_text("Your move waits")
    made.context.set_offline(False)
    expect(page.locator(".toast")).to_contain_text("Anne’s rampart on b9–c9 placed")
    expect(page.locator("#trouble")).to_be_hidden()
    now, _ = server.referee.table(table.table.id, table.keys.host)
    assert now.in_play_count == 1


def test_the_focus_stays_while_the_page_asks_for_news(phone: Callable[..., Phone], server: Server) -> None:
    """A cell keeps the focus through requests for news, and when a new board arrives."""
    table = server.table()
    page = phone().sit(table)
    page.locator("#c-c4").focus()
    for _ in range(3):
        with page.expect_response(lambda answer: is_poll(answer.request)) as answer:
            pass
        assert answer.value.status == 204
    assert page.evaluate("document.activeElement.id") == "c-c4"
    server.referee.play(ChangeRequest(table.table.id, table.keys.host, 1), [attempt(MOVES[0])])
    expect(page.locator("#table")).to_have_attribute("data-version", "2")
    assert page.evaluate("document.activeElement.id") == "c-c4"


def test_joining_needs_a_key_of_the_table(phone: Callable[..., Phone], server: Server) -> None:
    """The page asks for a key, refuses another table's, and accepts a pasted link, without a script."""
    table, other = server.table(), server.table()
    second = phone(script=False)
    second.expected_complaints = ("401", "404")
    page = second.open(f"/t/{table.table.id}")
    field = page.get_by_label("Link or key")
    field.fill(other.keys.host)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert")).to_contain_text("This key does not open the table")
    field.fill(f"{server.url}/t/{table.table.id}#{table.keys.watch}")
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".chip")).to_have_text("Watching")


def test_a_link_does_not_take_a_place_away(phone: Callable[..., Phone], server: Server) -> None:
    """A phone at the table that opens another link is asked first."""
    table = server.table()
    host = phone()
    host.sit(table)
    page = host.page
    page.goto(f"{server.url}/t/{table.table.id}/join#{table.keys.watch}")
    expect(page.get_by_text("This phone is already at the table: host.")).to_be_visible()
    expect(page.get_by_label("Link or key")).to_have_value(table.keys.watch)
    assert "#" not in page.url
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".chip")).to_have_text("Watching")


def test_in_the_house_without_https(phone: Callable[..., Phone], server: Server) -> None:
    """Players can open, join and play a table over plain http at a local address, where browsers disable some
    functions.
    """
    for script in (True, False):
        made = phone(script=script)
        made.url = server.url.replace("127.0.0.1", "table.test")
        made.expected_complaints = (HEADER_IGNORED,)
        page = made.open("/?game=villefranche")
        page.get_by_role("button", name="Open the table").click()
        place(page, "r b9c9")
        expect(page.locator(".toast")).to_contain_text("Black’s rampart on b9–c9 placed")
        page.locator("#more").click()
        page.locator("#to-share").click()
        link = page.locator("#link-white").input_value()  # once it is there, so would be the button beside it
        expect(page.get_by_role("button", name="Send or copy the link")).to_have_count(0)
        second = phone(script=script)
        second.expected_complaints = ("401", HEADER_IGNORED)
        second.page.goto(link)
        if not script:
            second.page.get_by_label("Link or key").fill(link)
            second.page.get_by_role("button", name="Join").click()
        expect(second.page.locator(".chip")).to_have_text("White")


def test_the_screen_stays_on_at_a_table(phone: Callable[..., Phone], server: Server) -> None:
    """At a table the page asks the phone to keep its screen on, and again when it becomes visible."""
    made = phone()
    made.context.add_init_script(
        "window.asked = []; const lock = {request: async kind => asked.push(kind)};"
        "Object.defineProperty(navigator, 'wakeLock', {value: lock})"
    )
    page = made.open()
    assert page.evaluate("asked") == []
    page = made.sit(server.table())
    page.wait_for_function("() => asked.length")
    assert page.evaluate("asked") == ["screen"]
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("asked") == ["screen", "screen"]


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_phone_joins_by_a_code(phone: Callable[..., Phone], server: Server, script: bool) -> None:
    """The host's page shows a code, which the other phone types on its first page to join."""
    opened = server.table()
    host = phone(script=script).sit(opened, "/share")
    fold = host.locator("details", has=host.locator("#link-white"))
    fold.locator("summary").click()
    fold.get_by_role("button", name="Code for this seat").click()
    code = host.locator(".join-code").inner_text()
    expect(host.locator(".join-code")).to_be_in_viewport()
    guest = phone(script=script).open()
    guest.get_by_label("Code from the host").fill(code.replace("-", "").lower())
    guest.locator("#join-code").get_by_role("button", name="Join").click()
    expect(guest.get_by_role("heading", name="Villefranche")).to_be_visible()
    assert guest.url == f"{server.url}/t/{opened.table.id}"
