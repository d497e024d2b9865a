"""A tap has a visible effect at once, before the server's answer."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Route, expect

from service.judgements import AttemptedMove
from service.referee.repository import ChangeRequest
from tests.e2e.conftest import AWAY, GAME, Phone, Server, is_poll
from tests.e2e.game import MOVES
from tests.support.browser_gestures import TAP
from tests.support.tables import open_table

Phones = Callable[..., Phone]
LINE = (
    "(({content, position, animationDelay}) => [content, position, animationDelay])"
    "(getComputedStyle(document.body, '::before'))"
)
"""The style of the progress line."""
RING = "node => [getComputedStyle(node.firstElementChild).strokeWidth, getComputedStyle(node).outlineStyle]"
CELL, BUTTON = ["9px", "none"], ["2px", "solid"]


def test_a_tap_answers_before_the_server(server: Server, phone: Phones) -> None:
    """Until the server answers, a ring marks the tapped control and no other; then it disappears."""
    page = phone().sit(server.table("r b9c9", "r g1h1"))
    held: list[Route] = []
    silent = True

    def answer(route: Route) -> None:
        """Hold a request while the server is silent; the driver may report one only later."""
        if silent and not is_poll(route.request):
            held.append(route)
        else:
            route.continue_()

    page.route(lambda _: True, answer)
    assert page.evaluate(LINE)[0] == "none"
    for tapped, ring in (("#c-c4", CELL), ("#go-down", BUTTON), ("#undo", BUTTON), ("#to-score", BUTTON)):
        control = page.locator(tapped)
        assert control.evaluate(RING) != ring
        control.click()
        busy = "node => [node.ariaBusy, document.querySelectorAll('[aria-busy]').length]"
        assert control.evaluate(busy) == ["true", 1]
        assert control.evaluate(RING) == ring
        assert page.evaluate(LINE)[1] == "fixed"
        assert "0.3s" in page.evaluate(LINE)[2]
        silent = False
        while held:
            held.pop().continue_()
        expect(page.locator("[aria-busy], .waiting")).to_have_count(0)
        silent = True


def test_a_tap_waits_for_what_is_being_entered(server: Server, phone: Phones) -> None:
    """Three taps on Undo take back three moves, however late the answers; a move tapped twice is entered once."""
    table = server.table(*MOVES[:4])
    page = phone().sit(table)
    held: list[Route] = []
    silent = True

    def answer(route: Route) -> None:
        """Hold a form while the server is silent; the driver may report one only later."""
        if silent and route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    page.route(lambda _: True, answer)
    for _ in range(3):
        page.locator("#undo").evaluate(TAP)
    expect(page.locator("[aria-busy]")).to_have_count(1)
    silent = False
    while held:
        held.pop().continue_()
    expect(page.locator("#table")).to_have_attribute("data-version", "8")
    expect(page.locator("#said")).to_contain_text("Undone")
    page.goto(f"{page.url}?move={MOVES[1].replace(' ', '+')}")
    silent = True
    for name in ("place", "place", "to-score"):
        page.locator(f"#{name}").evaluate(TAP)
    silent = False
    while held:
        held.pop().continue_()
    expect(page.locator("#to-score[aria-current]")).to_be_visible()
    expect(page.locator("#table")).to_have_attribute("data-version", "9")


def test_what_was_painted_is_there_before_the_next_tap(phone: Phones) -> None:
    """Putting the brush down before the server has answered loses no painted cell.

    Nor does a 503 for the first request.
    """
    window = phone()
    window.expected_complaints = (*AWAY, "htmx:responseError", "Response Status Error")
    page = window.open("/count/villefranche")
    page.locator(".brush", has_text="shop").first.click()
    expect(page.locator("#brush")).to_contain_text("Black’s shop")
    held: list[Route] = []
    silent = True
    page.route("**paint=**", lambda route: held.append(route) if silent else route.continue_())
    for cell in ("b3", "c3", "d3"):
        page.locator(f"#c-{cell}").evaluate(TAP)
    page.locator("#down").evaluate(TAP)
    expect(page.locator("#down")).to_have_attribute("aria-busy", "true")
    silent = False
    held.pop().fulfill(status=503, body="")
    for cell in ("b3", "c3", "d3"):
        expect(page.get_by_role("link", name=f"{cell}, Black’s shop", exact=True)).to_be_visible()
    expect(page.locator("#brush")).to_have_count(0)


def test_news_take_nothing_away_that_is_begun(server: Server, phone: Phones) -> None:
    """News from another phone update the board but keep the text and focus of a form."""
    table = server.table(*MOVES[:1])
    page = phone().sit(table, "/disputes/new?entry=2")
    page.locator("#question").press_sequentially("May it l")
    server.referee.play(ChangeRequest(table.table.id, table.keys.host, 2), [AttemptedMove(GAME.read(MOVES[1]))])
    expect(page.locator("#table")).to_have_attribute("data-version", "3")
    page.keyboard.type("ie there?")
    expect(page.locator("#question")).to_have_value("May it lie there?")


def test_htmx_is_held_to_the_policy(phone: Phones) -> None:
    """Htmx writes no style, evaluates nothing, requests only this origin, caches no page, and shows refusals.

    New parts handle taps at once.
    """
    page = phone().open()
    settings = page.evaluate("htmx.config")
    assert settings["includeIndicatorStyles"] is False
    assert settings["allowEval"] is False
    assert settings["selfRequestsOnly"] is True
    assert settings["historyCacheSize"] == 0
    assert settings["defaultSettleDelay"] == 0, "what has come would have the looks of what it takes the place of"
    for status, swapped in (
        ("200", True),
        ("204", False),
        ("304", False),
        ("409", True),
        ("412", True),
        ("422", True),
        ("503", False),
    ):
        rule = next(rule for rule in settings["responseHandling"] if re.search(rule["code"], status))
        assert rule["swap"] is swapped, status


def test_a_button_enters_only_what_it_said(server: Server, phone: Phones) -> None:
    """A button tapped during an undo enters nothing if its text has changed after the undo.

    Nor does one tapped during an undo that then fails; a tapped tab is still shown.
    """
    window = phone()
    window.expected_complaints = (*AWAY, "htmx:responseError", "Response Status Error")
    page = window.sit(open_table(server.referee, "fief/own_map", 49))
    held: list[Route] = []
    silent = True
    page.route("**/rewind", lambda route: held.append(route) if silent else route.continue_())
    said = page.locator("#onward").text_content()
    page.locator("#undo").evaluate(TAP)
    page.locator("#onward").evaluate(TAP)
    expect(page.locator("#onward")).to_have_attribute("aria-busy", "true")
    silent = False
    held.pop().continue_()
    expect(page.locator("#redo")).to_be_enabled()
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert page.locator("#onward").text_content() != said
    expect(page.locator("#table")).to_have_attribute("data-version", "51")
    silent = True
    for name in ("undo", "onward", "to-score"):
        page.locator(f"#{name}").evaluate(TAP)
    expect(page.locator("#to-score")).to_have_attribute("aria-busy", "true")
    held.pop().fulfill(status=503, body="")
    expect(page.locator("#to-score[aria-current]")).to_be_visible()
    expect(page.locator("#table")).to_have_attribute("data-version", "51")
