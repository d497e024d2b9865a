"""A tap answers at once, before the server has spoken."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Route, expect

from tests.e2e.conftest import Phone, Server, is_poll

Phones = Callable[..., Phone]
LINE = (
    "(({content, position, animationDelay}) => [content, position, animationDelay])"
    "(getComputedStyle(document.body, '::before'))"
)
"""The line of progress."""
RING = "node => [getComputedStyle(node.firstElementChild).strokeWidth, getComputedStyle(node).outlineStyle]"
CELL, BUTTON = ["9px", "none"], ["2px", "solid"]


def test_a_tap_answers_before_the_server(server: Server, phone: Phones) -> None:
    """What was tapped is ringed while the server is silent, and nothing else is; then nothing is."""
    page = phone().sit(server.table("r b9c9", "r g1h1"))
    held: list[Route] = []
    silent = True

    def answer(route: Route) -> None:
        """Hold a request while the server is silent. The driver may tell of one only after that."""
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
