"""Without a connection: moves wait on the phone, and are entered once, in order, or shown as conflicts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from service.judgements import AttemptedMove
from service.referee.repository import ChangeRequest
from tests.e2e.conftest import AWAY, GAME, Phone, Server, is_poll
from tests.support.browser_game import choose, ready
from tests.support.browser_gestures import TAP, await_scripts, touch_until
from tests.support.tables import open_table


def unfold(page: Page) -> None:
    """Unfold the list of waiting moves."""
    if not page.locator("#outbox details[open]").count():
        page.locator("#outbox summary").click()


def keep(page: Page, move: str) -> None:
    """Type a move and keep it."""
    unfold(page)
    page.get_by_label("The move in notation").fill(move)
    page.get_by_role("button", name="Keep it").click()


@pytest.mark.parametrize("touched", [False, True])
def test_silence_is_said_within_three_seconds(touched: bool, phone: Callable[..., Phone], server: Server) -> None:
    """After three seconds without an answer the page says that there is no connection, until the first answer.

    This holds before the first touch, when the connection's script is not yet loaded, and after it.
    """
    made = phone()
    made.page.clock.install(time=0)
    made.page.clock.pause_at(1)  # no request before the script has loaded, however slowly
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    made.page.route(lambda url: "since=" in url, hold)
    page = made.sit(server.table())
    await_scripts(page)
    expect(page.locator("#outbox")).to_have_count(0)
    if touched:
        touch_until(page, "#outbox")
    with page.expect_request(is_poll):
        page.clock.run_for(3_000)
    expect(page.locator("#trouble")).to_contain_text("No connection")
    held[0].fulfill(status=204)
    expect(page.locator("#trouble")).to_be_hidden()


def test_moves_wait_over_a_reload_and_are_entered_once_in_order(phone: Callable[..., Phone], server: Server) -> None:
    """Three moves made without a connection, with a reload between them, are each in the log once, in order.

    Rolls do not wait: a tap shows the result, or that there is no connection.
    """
    table = server.table()
    made = phone(service_workers="allow")
    made.expected_complaints = AWAY
    page = made.sit(table)
    choose(page, "r i7i8")
    expect(page.locator("#place")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    ready(page)
    made.context.set_offline(True)
    page.locator("#place").click()
    waiting = page.locator("#outbox ol li")
    expect(waiting).to_have_count(1)
    expect(waiting).to_contain_text("Anne")
    expect(waiting).to_contain_text("not yet ruled")
    expect(page.locator("#place")).to_be_disabled()
    line, names, bar = (page.locator(part).bounding_box() for part in ("#outbox", "#players", ".verdict ~ .actions"))
    assert line and names and bar and names["y"] + names["height"] <= line["y"]
    assert line["y"] + line["height"] <= bar["y"] + 1 or bar["y"] + bar["height"] <= line["y"] + 1, "neither hides any"
    expect(page.locator("#outbox summary")).to_have_text("Offline · Waiting to be sent: 1")
    expect(page.locator("#outbox details[open]")).to_have_count(0)
    page.locator("#c-b9").click()
    page.locator("#outbox-moves button", has_text="b9–c9").click()
    expect(waiting.nth(1)).to_contain_text("Bruno")
    page.reload()
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(waiting).to_have_count(2)
    expect(waiting.nth(1)).to_contain_text("Bruno")
    keep(page, "h g6")
    expect(waiting).to_have_count(3)
    made.context.set_offline(False)
    expect(page.locator("#table")).to_have_attribute("data-version", "4")
    expect(waiting).to_have_count(0)
    now, _ = server.referee.table(table.table.id, table.keys.host)
    assert [move.notation for move in now.last_moves(9)] == ["r i7i8", "r b9c9", "h g6"]
    page.locator("#more").click()
    page.locator("#to-dice").click()
    expect(page.locator("#dice-2")).to_be_visible()
    made.context.set_offline(True)
    page.locator("#dice-2").click()
    expect(page.locator("#trouble")).to_be_visible()
    expect(waiting).to_have_count(0)
    made.context.set_offline(False)
    expect(page.locator("#trouble")).to_be_hidden()
    page.locator("#dice-2").click()
    expect(page.locator(".log .fresh")).to_contain_text("2 ordinary dice")
    expect(page.locator("#table")).to_have_attribute("data-version", "5")


def test_what_waits_lies_on_the_board_also_after_a_reload(phone: Callable[..., Phone], server: Server) -> None:
    """A kept move has a ghost per cell; after a reload the page shows the last board with them and keeps more moves.

    A move that was only asked about is not among them.
    """
    made = phone(service_workers="allow")
    made.expected_complaints = AWAY
    page = made.sit(server.table("r i7i8"))
    ready(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    choose(page, "r b1c1")
    expect(page.locator("#pieces .ghost")).not_to_have_count(0)
    made.context.set_offline(True)
    ghosts = page.locator("#ghosts > svg")
    expect(ghosts).to_have_count(0)
    page.locator("#c-b9").click()
    page.locator("#outbox-moves button", has_text="b9–c9").click()
    expect(ghosts).to_have_count(2)
    parts = "['#c-b9', '#ghosts > svg'].map((part) => document.querySelector(part).getBoundingClientRect().toJSON())"
    cell, ghost = page.evaluate(parts)  # both at once, as ghosts are redrawn
    assert abs(cell["x"] - ghost["x"]) < 0.2 * cell["width"]
    page.reload()
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.locator("#pieces use")).not_to_have_count(0)
    expect(page.locator(".ghost")).to_have_count(2)
    expect(page.locator("#outbox summary")).to_have_text("Offline · Waiting to be sent: 1")
    page.locator("#c-d9").click()
    page.locator("#outbox-moves button", has_text="d9–e9").click()
    expect(ghosts).to_have_count(4)
    unfold(page)
    page.locator("#outbox ol li").last.get_by_role("button", name="Delete").click()
    expect(ghosts).to_have_count(2)


CUT = """() => [...document.querySelectorAll("#outbox, #outbox *, #trouble")].filter(
    (one) => one.checkVisibility() && !one.matches(".unseen") && getComputedStyle(one).overflow !== "visible"
        && getComputedStyle(one).overflowY !== "auto" && one.clientWidth > 1
        && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
).map((one) => one.outerHTML)"""
"""Elements that cut their text."""
HALF = """() => {
    const {top, bottom, left, right} = document.querySelector("#outbox").getBoundingClientRect();
    const found = [], texts = document.createTreeWalker(document.querySelector(".main"), NodeFilter.SHOW_TEXT);
    for (let one; (one = texts.nextNode());) {
        if (!one.parentElement.checkVisibility({visibilityProperty: true}) || !one.data.trim()) continue;
        if (one.parentElement.closest(".unseen, svg")) continue;
        const range = document.createRange();
        range.selectNodeContents(one);
        for (const line of range.getClientRects())
            if (line.right > left && line.left < right && [top, bottom].some((y) => line.top < y && y < line.bottom))
                found.push(one.data);
    }
    return found;
}"""
"""Lines of text that the drawer partly covers."""
HIGH = """(one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect().height / parseFloat(getComputedStyle(one).fontSize);
}"""
"""A text's height, in units of its font size."""


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("wide", "high"), [(390, 844), (320, 568), (844, 390)])
def test_the_queue_is_one_line_and_none_is_cut(
    wide: int, high: int, language: str, phone: Callable[..., Phone], server: Server
) -> None:
    """The queue is one line, with or without moves; folded or not, it cuts no text; the banner does not repeat it.

    Once all moves are sent, the panel is back.
    """
    made = phone(wide, language=language, high=high)
    made.expected_complaints = AWAY
    page = made.sit(server.table())
    ready(page)
    made.context.set_offline(True)
    line = page.locator("#outbox summary span").first
    expect(line).to_be_visible()
    assert line.evaluate(HIGH) < 2
    for cell, way in (("b9", "b9–c9"), ("b1", "b1–c1")):
        page.locator(f"#c-{cell}").click()
        page.locator("#outbox-moves button", has_text=way).click()
    expect(page.locator("#outbox ol li")).to_have_count(2)
    expect(page.locator("#outbox details[open]")).to_have_count(0)
    assert line.evaluate(HIGH) < 2
    banner = page.locator("#trouble").bounding_box()
    assert banner is None or banner["height"] <= 1
    assert page.evaluate(CUT) == []
    unfold(page)
    assert page.evaluate(CUT) == page.evaluate(HALF) == []
    made.context.set_offline(False)
    expect(page.locator("#outbox")).to_be_hidden()
    expect(page.locator("#panel .kind").first).to_be_visible()


def test_what_is_not_entered_is_shown_with_both_boards(phone: Callable[..., Phone], server: Server) -> None:
    """A late move is shown on a board beside the present one, until the player decides; later moves wait."""
    table = server.table()
    made = phone()
    made.expected_complaints = (*AWAY, "412", "422")
    page = made.sit(table)
    ready(page)
    made.context.set_offline(True)
    page.locator("#c-b9").click()
    page.locator("#outbox-moves button", has_text="b9–c9").click()
    keep(page, "r i2i3")
    server.referee.play(ChangeRequest(table.table.id, table.keys.host, 1), [AttemptedMove(GAME.read("r i7i8"))])
    made.context.set_offline(False)
    conflict = page.get_by_role("dialog", name="Not entered")
    expect(conflict).to_contain_text("Another phone was faster")
    expect(conflict.locator("svg.squares")).to_have_count(2)
    expect(conflict.get_by_role("button", name="Send it again")).to_be_focused()
    assert server.referee.table(table.table.id, table.keys.host)[0].version == 2
    conflict.get_by_role("button", name="Send it again").click()
    expect(conflict).to_contain_text("Earlier moves have changed")
    conflict.get_by_role("button", name="Send it again").click()
    expect(conflict).to_contain_text("Until all ramparts stand, the second piece is a corner storey or a house")
    expect(conflict.get_by_role("button", name="Change it")).to_be_focused()
    conflict.get_by_role("button", name="Delete it").click()
    expect(page.locator("#outbox")).to_be_hidden()
    now, _ = server.referee.table(table.table.id, table.keys.host)
    assert [move.notation for move in now.last_moves(9)] == ["r i7i8", "r b9c9"]


def test_what_follows_a_move_thrown_away_is_never_sent_unseen(phone: Callable[..., Phone], server: Server) -> None:
    """After a move is deleted, later ones wait, as they would count for another player; the page says who is due.

    While the connection fails, a tap on a cell still chooses a move; for the log, or an undo beside waiting moves, the
    page says that it needs a connection, until the next cell is chosen.
    """
    table = server.table("r i7i8")
    made = phone()
    made.expected_complaints = AWAY
    page = made.sit(table)
    ready(page)
    page.route("**/t/**", lambda route: route.abort())
    page.locator("#c-b9").click()
    page.locator("#outbox-moves button", has_text="b9–c9").click()
    expect(page.locator("#outbox details[open]")).to_have_count(0)
    page.locator("#to-log").click()
    expect(page.locator("#outbox details[open] #outbox-says")).to_have_text("This page needs a connection.")
    page.locator("#c-d9").click()
    expect(page.locator("#outbox-says")).to_be_empty()
    made.context.set_offline(True)
    page.unroute_all()
    for move in ("h g6", "h c3"):
        keep(page, move)
    waiting = page.locator("#outbox ol li")
    unfold(page)
    waiting.filter(has_text="g6").get_by_role("button", name="Delete").click()
    expect(waiting.last).to_contain_text("Earlier moves have changed")
    made.context.set_offline(False)
    conflict = page.get_by_role("dialog", name="Not entered")
    expect(conflict).to_contain_text("Earlier moves have changed")
    expect(conflict).to_contain_text("To play now: Bruno")
    page.keyboard.press("Escape")
    expect(conflict).to_be_hidden()
    page.route("**/rewind", lambda route: route.abort())
    page.locator("#undo").click()
    expect(page.locator("#outbox-says")).to_contain_text("Undo needs a connection.")
    made.sit(server.table())
    expect(page.locator("#waits").get_by_role("link", name="h c3")).to_be_visible()
    made.sit(table)
    expect(conflict).to_be_visible()
    now, _ = server.referee.table(table.table.id, table.keys.host)
    assert [move.notation for move in now.last_moves(9)] == ["r i7i8", "r b9c9"]


def test_an_undo_waits_for_the_kept_move_that_is_sent(phone: Callable[..., Phone], server: Server) -> None:
    """An undo during sending takes back the kept move once it is in the log, without blaming another phone.

    If the move cannot be entered now, nothing is undone. Choices made during sending do not matter, nor does a sending
    script that failed to load at first.
    """
    made = phone()
    made.expected_complaints = AWAY
    made.page.add_init_script("AbortSignal.timeout = undefined")  # wait for held requests, however slow the machine
    made.page.route("**/sending.js*", lambda route: route.abort(), times=1)
    page = made.sit(server.table("r i7i8"))
    ready(page)
    held: list[Route] = []
    silent = True
    made.context.set_offline(True)
    expect(page.locator("#outbox")).to_be_visible()
    page.locator("#c-b9").click()
    page.locator("#outbox-moves button", has_text="b9–c9").click()
    with page.expect_request("**/play"):  # held only from here on: a request without a connection fails
        page.route("**/play", lambda route: held.append(route) if silent else route.continue_())
        made.context.set_offline(False)
    page.locator("#undo").evaluate(TAP)
    expect(page.locator("#undo")).to_have_attribute("aria-busy", "true")
    with page.expect_request("**/play"):  # the phone sends it again, and it is held again
        held.pop().fulfill(status=503, headers={"Retry-After": "1"}, body="")
    expect(page.locator("[aria-busy]")).to_have_count(0)
    away = page.locator("#outbox [data-slot=away]")
    expect(away).to_be_hidden()  # until the server answers, this phone handles taps
    page.locator("#c-g6").evaluate(TAP)
    expect(page).to_have_url(re.compile("at=g6"))
    page.locator("#undo").evaluate(TAP)
    expect(page.locator("#undo")).to_have_attribute("aria-busy", "true")
    silent, looks = False, list[Route]()
    page.route(re.compile("at=g6.*done="), lambda route: looks.append(route))  # noqa: PLW0108  # it takes no built-in
    with page.expect_request(re.compile("at=g6.*done=")):
        held.pop().continue_()
    page.evaluate("dispatchEvent(new Event('online'))")  # another round, with nothing left to send
    looks.pop().continue_()
    expect(page.locator("#table")).to_have_attribute("data-version", "4")
    expect(page.locator("#redo")).to_be_enabled()
    expect(page.locator(".toast")).to_contain_text("Undone")


def test_a_move_of_many_is_chosen_step_by_step(phone: Callable[..., Phone], server: Server) -> None:
    """Of many marches the player chooses one by cell and words, with a way back; it is kept, then entered.

    The first tap, made while the connection fails, is not lost.
    """
    table = open_table(server.referee, "robber_knights/four_and_much_stood", 48)
    made = phone()
    made.expected_complaints = AWAY
    page = made.sit(table)
    ready(page)
    page.route("**/t/**", lambda route: route.abort())
    page.locator(".kind", has_text="Tile").click()
    ways = page.locator("#outbox-moves button")
    expect(ways).to_have_text([re.compile(f"^{face}") for face in ("Village", "Mountain", "Plain", "Town", "Castle")])
    made.context.set_offline(True)
    page.unroute_all()
    page.locator('[id="c-3,7"].may').click()
    march = ways.filter(has_text="knights to the left")
    march.click()
    expect(page.locator("#outbox-choosing")).to_contain_text("beside castle in the forest, knights to the left …")
    expect(ways).to_have_text(["1, 2", "1, 2, 2", "2, 2", "3, 2"])
    page.locator("#outbox-back").click()
    march.click()
    page.get_by_role("button", name="knights to the left: 2, 2").click()
    waiting = page.locator("#outbox ol li")
    expect(waiting).to_contain_text("Castle in the plain beside castle in the forest, knights to the left: 2, 2")
    expect(waiting).to_contain_text("Yann")
    made.context.set_offline(False)
    expect(page.locator("#table")).to_have_attribute("data-version", "50")
    now, _ = server.referee.table(table.table.id, table.keys.host)
    assert [move.notation for move in now.last_moves(1)] == ["(3,7) plain castle >w 2 2"]


def test_a_move_kept_for_one_player_is_not_entered_for_another(phone: Callable[..., Phone], server: Server) -> None:
    """A kept move counts for the expected player unless the user changes that; a move for the wrong player asks first.

    A failed request for news does not cancel a tap in progress.
    """
    table = server.table()
    made = phone()
    made.expected_complaints = AWAY
    page = made.sit(table)
    ready(page)
    made.context.set_offline(True)
    for move in ("r i7i8", "r i2i3"):
        keep(page, move)
    second = page.locator("#outbox ol li").last
    unfold(page)
    second.get_by_role("button", name="Whose move: Bruno").hover()
    page.mouse.down()
    page.evaluate("dispatchEvent(new Event('offline'))")  # redraws the list, as a failed request does
    page.mouse.up()
    second.get_by_role("button", name="Whose move: ?").click()
    expect(second).to_contain_text("Anne")
    made.context.set_offline(False)
    conflict = page.get_by_role("dialog", name="Not entered")
    expect(conflict).to_contain_text("It is another player’s turn now")
    expect(conflict).to_contain_text("To play now: Bruno")
    assert server.referee.table(table.table.id, table.keys.host)[0].version == 2
    conflict.get_by_role("button", name="Send it again").click()
    expect(page.locator("#table")).to_have_attribute("data-version", "3")


def test_a_move_that_another_phone_entered_meanwhile_is_done(phone: Callable[..., Phone], server: Server) -> None:
    """Waiting moves that another phone has entered for the same players leave the list, and a line says so.

    The page offers neither again, and enters the moves after them.
    """
    table = server.table()
    made = phone()
    made.expected_complaints = (*AWAY, "412")
    page = made.sit(table)
    ready(page)
    made.context.set_offline(True)
    page.locator("#c-b9").click()
    page.locator("#outbox-moves button", has_text="b9–c9").click()
    for move in ("r i2i3", "h g6"):
        keep(page, move)
    for version, move in enumerate(("r b9c9", "r i2i3"), start=1):
        server.referee.play(ChangeRequest(table.table.id, table.keys.host, version), [AttemptedMove(GAME.read(move))])
    shown: list[str] = []
    page.expose_function("shown", lambda text: shown.append(text))  # noqa: PLW0108  # the driver sets a mark on it
    page.evaluate("""void new MutationObserver(() => {
        const dialog = document.querySelector("dialog[open]");
        if (dialog) window.shown(dialog.textContent);
    }).observe(document.body, {subtree: true, childList: true, attributes: true})""")
    made.context.set_offline(False)
    expect(page.locator("#table")).to_have_attribute("data-version", "4")
    expect(page.locator(".toast")).to_contain_text("Already in the log, from another phone: Anne’s rampart on b9–c9")
    expect(page.locator("#outbox")).to_be_hidden()
    now, _ = server.referee.table(table.table.id, table.keys.host)
    assert [move.notation for move in now.last_moves(9)] == ["r b9c9", "r i2i3", "h g6"]
    assert shown == []


def test_a_conflict_that_another_phone_has_settled_is_not_offered(phone: Callable[..., Phone], server: Server) -> None:
    """A late move that waits for a decision needs none once another phone has entered it."""
    table = server.table("r i7i8")
    made = phone(service_workers="allow")
    made.expected_complaints = (*AWAY, "412")
    page = made.sit(table)
    ready(page)
    made.context.set_offline(True)
    page.locator("#c-b9").click()
    page.locator("#outbox-moves button", has_text="b9–c9").click()
    server.referee.play(ChangeRequest(table.table.id, table.keys.host, 2), [AttemptedMove(GAME.read("r b1c1"))])
    made.context.set_offline(False)
    conflict = page.get_by_role("dialog", name="Not entered")
    expect(conflict.get_by_role("button", name="Send it again")).to_be_visible()
    page.keyboard.press("Escape")
    expect(conflict).to_have_count(0)
    server.referee.rewind(ChangeRequest(table.table.id, table.keys.host, 3), 2)
    server.referee.play(ChangeRequest(table.table.id, table.keys.host, 4), [AttemptedMove(GAME.read("r b9c9"))])
    unfold(page)
    page.get_by_role("button", name="See why").click()
    expect(page.locator(".toast")).to_contain_text("Already in the log, from another phone: Bruno’s rampart on b9–c9")
    expect(page.locator("#outbox")).to_be_hidden()
    expect(conflict).to_have_count(0)
    assert server.referee.table(table.table.id, table.keys.host)[0].version == 5


def test_a_page_without_its_late_scripts_says_what_works(phone: Callable[..., Phone], server: Server) -> None:
    """If the connection fails before the scripts that keep moves have loaded, the page says that taps do not wait. Once
    it is back, these scripts load, and taps work.
    """
    made = phone()
    made.expected_complaints = (*AWAY, "net::ERR_INTERNET_DISCONNECTED")
    made.page.clock.install(time=0)
    made.page.clock.pause_at(1)  # the page fetches nothing before a touch
    page = made.sit(server.table(), "?move=r+i7i8")
    await_scripts(page)
    made.context.set_offline(True)
    expect(page.locator("#trouble")).to_have_text("No connection. Taps do not wait here: tap again once it is back.")
    made.context.set_offline(False)
    with page.expect_response("**/touch.js*"), page.expect_response("**/outbox_list.js*"):
        page.clock.run_for(3_000)
    expect(page.locator("#trouble")).to_be_hidden()
    page.locator("#place").click()
    expect(page.locator("#table")).to_have_attribute("data-version", "2")
