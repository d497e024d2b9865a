"""A tap in a form leaves the page where it was: what was tapped stays under the finger, whatever it brings or takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page

from tests.e2e.conftest import HIGH, Phone
from tests.support.browser_gestures import TAP
from web.games import all_pages

Phones = Callable[..., Phone]
NEAR = 1
"""Pixels: nobody sees less."""
MIDDLE = "(one) => (one.closest('label') ?? one).scrollIntoView({block: 'center', behavior: 'instant'})"
TOP = "(one) => (one.closest('label') ?? one).getBoundingClientRect().top"
ASKING = """() => [...document.querySelectorAll(
    '#opening :is(button[hx-post]:not([disabled]), [hx-trigger] input, [hx-trigger]:is(input, select, textarea))'
)].map((one) => one.id)"""
"""The ids of what asks for the form anew."""
CHOICE = """(one) => ({
    radio: () => !one.checked && (one.closest('label').click(), true),
    submit: () => !one.disabled && (one.focus(), one.click(), true),
    'select-one': () => {
        const other = [...one.options].find((option) => !option.selected && !option.disabled);
        if (!other) return false;
        one.focus();
        one.value = other.value;
        return one.dispatchEvent(new Event('change', {bubbles: true}));
    },
})[one.type] ?.()"""
"""A tap that changes something; false where there is nothing to change, and nothing where one types."""
SETTLED = """void (window.settled = new Promise((done) => document.addEventListener(
    'htmx:afterSettle', () => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), {once: true}
)))"""
"""What is waited for: the form has come, and the browser has drawn it, which may move the page once more."""


def top_after(page: Page, one: Locator, tap: str) -> float | None:
    """How far from the screen's upper edge something stands after it was tapped; None where the tap changed nothing."""
    page.evaluate(SETTLED)
    if not one.evaluate(tap):
        return None
    page.evaluate("window.settled")
    return float(one.evaluate(TOP)) if one.count() else None


def moved(page: Page) -> Iterator[tuple[str, float]]:
    """Each control of the form that asks for it anew, in the middle of the screen, and how far a tap on it moved it."""
    for name in page.evaluate(ASKING):
        one = page.locator(f"[id='{name}']")
        if not one.count():  # a tap before has taken it away
            continue
        one.evaluate(MIDDLE)
        before = one.evaluate(TOP)
        after = top_after(page, one, CHOICE)
        if after is not None:
            yield name, after - before


@pytest.mark.parametrize("game", all_pages())
def test_a_tap_in_an_opening_form_moves_nothing(phone: Phones, game: str) -> None:
    """Players, colours, swaps, tiles, portraits, places of a map: each stays where it was tapped, to a pixel."""
    page = phone(390, high=HIGH).open(f"/?game={game}")
    for fold in page.locator("#opening details > summary").all():
        fold.click()
    found = dict(moved(page))
    assert found
    assert {name: far for name, far in found.items() if abs(far) > NEAR} == {}


def test_portraits_and_villages_are_among_what_is_tapped(phone: Phones) -> None:
    """The control: the form of Fief has both, and they stand so low that the page is scrolled to them."""
    page = phone(390, high=HIGH).open("/?game=fief")
    names = [name.rpartition("-")[0] for name in page.evaluate(ASKING)]
    assert min(names.count(kind) for kind in ("pick-lord", "pick-village")) > 1
    page.locator("#pick-village-1").evaluate(MIDDLE)
    assert page.evaluate("scrollY") > HIGH


@pytest.mark.parametrize("kind", ["count", "ask"])
@pytest.mark.parametrize("game", all_pages())
def test_a_piece_that_is_chosen_to_paint_moves_nothing(phone: Phones, game: str, kind: str) -> None:
    """What stands above the pieces goes when one is taken in hand; that one stays put, where the panel can move."""
    page = phone(390, high=HIGH).open(f"/{kind}/{game}")
    page.evaluate("document.querySelector('.below').scrollTo({top: 200, behavior: 'instant'})")
    one = page.locator("#b-1-1")
    before = one.evaluate(TOP)
    after = top_after(page, one, f"(one) => ({TAP})(one) || true")
    assert after is not None
    assert abs(after - before) <= NEAR
    assert one.get_attribute("aria-current") == "true"
