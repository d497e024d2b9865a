"""Fingers on a screen."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.e2e.conftest import Phone

Place = tuple[float, float]
LARGER = "() => new DOMMatrix(getComputedStyle(document.getElementById('squares')).transform).a"
"""Returns the board's zoom factor."""
TWICE = """cell => ["pointerdown", "pointerup", "pointerdown", "pointerup"].forEach(name => cell.dispatchEvent(
    new PointerEvent(name, {pointerId: 9, clientX: 100, clientY: 100, bubbles: true})))"""
"""Taps a cell twice at once: how fast a driver taps depends on what else runs."""


def touch(made: Phone, *steps: tuple[Place, ...]) -> None:
    """Put fingers on the screen, move them step by step, and lift them."""
    driver = made.context.new_cdp_session(made.page)
    for number, points in enumerate(steps):
        kind = "touchStart" if number == 0 else "touchMove"
        at = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        driver.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
    driver.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    driver.detach()


TAP = "(it) => it.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))"
"""Taps without waiting for anything, as a finger does."""


def await_scripts(page: Page) -> None:
    """Wait for the scripts of a page with a board: from then on it hears a touch, and silence, and its clock runs."""
    page.wait_for_function("() => document.adoptedStyleSheets.length")


def touch_until(page: Page, what: str) -> None:
    """Touch a page until an element appears: the script that handles touches may load later."""
    for _ in range(5_000):
        if page.locator(what).count():
            return
        page.dispatch_event("body", "pointerdown")
    raise AssertionError(f"no touch brings {what}")
