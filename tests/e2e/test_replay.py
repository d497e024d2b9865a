"""The features of the log and of turns that need a script: the slider, the clock, vibration."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from service.judgements import AttemptedMove
from service.referee.repository import ChangeRequest
from tests.e2e.conftest import GAME, Phone, Server
from tests.e2e.game import MOVES

Phones = Callable[..., Phone]
MOVE_SLIDER = """(slider, steps) => steps.forEach((step) => {
    slider.value = step;
    for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name, { bubbles: true }));
})"""
"""Move the slider by hand: each value is its own step."""


def test_the_slider_leads_through_the_game(server: Server, phone: Phones) -> None:
    """A key on the slider shows the adjacent step at once; links, rounds and chart move the slider, too.

    The page shows the slider's last value, however fast it moves and however late answers come.
    """
    made = phone()
    page = made.sit(server.table(*MOVES[:20]), "/moves?entry=11&do=chart")
    page.evaluate("window.same = true")
    slider, where = page.locator("#step"), page.locator(".where")
    expect(page.locator("#to-step")).to_be_hidden()
    slider.press("ArrowLeft")
    expect(where).to_contain_text("move 9 of 20")
    assert "/moves?entry=10" in page.url
    expect(slider).to_have_attribute(
        "aria-valuetext", f"{where.inner_text()}. {page.locator('.log .lit .what').inner_text()}"
    )
    expect(slider).to_be_focused()
    page.locator("#later").click()
    expect(where).to_contain_text("move 10 of 20")
    expect(slider).to_have_value("10")
    page.locator("#round").select_option("2")
    expect(where).to_contain_text("Round 2")
    page.locator("#chart").click(position={"x": 150, "y": 40})
    expect(where).not_to_contain_text("Round 2")
    expect(where).to_contain_text(f"move {slider.input_value()} of 20")
    assert page.evaluate("window.same")
    held: list[Route] = []  # the answers come after the slider has moved on
    page.route(re.compile("step=1[45]"), lambda route: held.append(route))  # noqa: PLW0108  # the driver sets a mark on it
    with page.expect_request(re.compile("step=1[45]")):
        slider.evaluate(MOVE_SLIDER, [15, 14])
    slider.evaluate(MOVE_SLIDER, [13, 12])
    held[0].continue_()
    expect(where).to_contain_text("move 12 of 20")
    slider.evaluate(MOVE_SLIDER, [9, 8, 7, 6])  # faster than requests are sent
    expect(where).to_contain_text("move 6 of 20")
    expect(slider).to_have_value("6")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("move 6 of 20. "))
    slider.evaluate(MOVE_SLIDER, [9, 8])
    page.locator("#first").click()  # a tap on a link overrides the slider
    expect(where).to_contain_text("move 0 of 20")
    expect(slider).to_have_value("0")
    made.expected_complaints = ("ERR_INTERNET_DISCONNECTED", "htmx:sendError")
    made.context.set_offline(True)
    slider.evaluate(MOVE_SLIDER, [3])
    expect(slider).to_have_value("0")  # the slider returns to the step shown


def test_a_clock_that_was_open_in_a_pause_shows_what_one_shows_that_is_loaded(server: Server, phone: Phones) -> None:
    """An open clock runs until a pause counts as one, then shows only the time before it, like a reloaded page."""
    made = phone()
    made.page.clock.install()
    page = made.sit(server.table(*MOVES[:2]), "/turns")
    page.check("#signal-clock")
    page.click("#set-signals")
    clock = page.locator("#turn .runs .clock")
    expect(clock).to_have_text(re.compile("^0:0?[1-9]"))  # before, no script has read the turn's start
    page.clock.fast_forward(29 * 60_000)
    expect(clock).to_have_text(re.compile("^29:"))
    page.clock.fast_forward(90 * 60_000)
    expect(clock).to_have_text("0:00")


MINE = "JSON.parse(document.getElementById('page-data').textContent).signals.mine"
"""Whether it is this phone's turn, from the page data."""


def test_a_turn_is_felt_when_another_phone_ends_its_own(server: Server, phone: Phones) -> None:
    """A player's phone vibrates once when its turn comes, and not at its own moves."""
    table = server.table(*MOVES[:2])
    page = phone().sit(table, "/turns", "black")
    page.check("#signal-vibration")
    page.click("#set-signals")
    page.wait_for_function(f"() => {MINE} === false")
    page.evaluate("void (window.felt = 0, Navigator.prototype.vibrate = () => void (window.felt += 1))")
    page.locator("#to-board").click()
    server.referee.play(ChangeRequest(table.table.id, table.keys.host, 3), [AttemptedMove(GAME.read(MOVES[2]))])
    page.wait_for_function(f"() => {MINE} === true")
    page.wait_for_function("() => window.felt")  # the new part may be there before its event
    assert page.evaluate("window.felt") == 1
    page.goto(f"{page.url.partition('?')[0]}?move={MOVES[3].replace(' ', '+')}")
    page.evaluate("void (window.felt = 0, Navigator.prototype.vibrate = () => void (window.felt += 1))")
    page.evaluate("void (window.told = new Promise(done => document.addEventListener('htmx:afterSettle', done)))")
    page.get_by_role("button", name="Place", exact=True).click()
    expect(page.locator("#table")).to_have_attribute("data-version", "5")
    page.evaluate("window.told.then(() => null)")
    assert page.evaluate("window.felt") == 0


def test_undo_of_an_ended_game_asks_once(server: Server, phone: Phones) -> None:
    """Undo of a finished game shows a question, which Back and *Cancel* leave, so a stray tap undoes nothing."""
    table = server.table(*MOVES)
    last = table.table.version
    page = phone().sit(table)
    page.locator("#undo").click()
    question = page.get_by_role("group", name="This reopens the game. Redo ends it again.")
    expect(question).to_be_in_viewport(ratio=1)
    page.go_back()
    expect(question).to_have_count(0)
    page.locator("#undo").click()
    page.get_by_role("link", name="Cancel").click()
    expect(question).to_have_count(0)
    assert server.referee.table(table.table.id, table.keys.host)[0].version == last
    page.locator("#undo").click()
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("#table")).to_have_attribute("data-version", str(last + 1))
    expect(page.locator(".toast")).to_contain_text("Undone")
    page.locator("#redo").click()
    expect(page.locator("#table")).to_have_attribute("data-version", str(last + 2))


@pytest.mark.parametrize("script", [True, False])
def test_an_entry_unfolds_in_its_place(server: Server, phone: Phones, script: bool) -> None:
    """A tap on a row of the log opens its entry below it, with its actions; another tap closes it."""
    page = phone(script=script).sit(server.table(*MOVES[:20]))
    page.locator("#to-log").click()
    expect(page.locator("#step")).to_have_value("20")
    row = page.locator("#e-12")
    row.click()
    expect(row).to_have_attribute("aria-expanded", "true")
    expect(page.locator("li:has(> #e-12) > .entry #dispute")).to_be_visible()
    expect(page.locator(".entry")).to_have_count(1)
    expect(row).to_be_in_viewport()
    expect(page.locator("#step")).to_have_value("11")
    if script:
        page.locator("#amends").click()
        expect(page.locator("#delete")).to_be_in_viewport(ratio=0.9)
        page.locator("#unfold").check()  # the larger board leaves the row in sight
        expect(row).to_be_in_viewport(ratio=0.9)
        page.locator("#unfold").uncheck()
    row.click()
    expect(page.locator(".entry")).to_have_count(0)


@pytest.mark.parametrize("script", [True, False])
def test_what_has_happened_does_not_part_slider_and_arrows(server: Server, phone: Phones, script: bool) -> None:
    """After an amendment, its news stand above slider and arrows."""
    page = phone(script=script).sit(server.table(*MOVES[:20]), "/amend/preview?entry=21&do=delete")
    page.locator("#save").click()
    expect(page.locator(".toast")).to_contain_text("Amended")
    tops = [box["y"] for one in (".toast", "#reel", ".ways") if (box := page.locator(one).bounding_box())]
    assert len(tops) == 3 and tops == sorted(tops)
