"""A tap in a form, a search or a fold does not move the page: the tapped control stays under the finger, and an opened
fold is in sight.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.conftest import HIGH, SCREENS, Phone, Server
from tests.support.browser_gestures import TAP
from tests.support.every_page import ASTRAY, RESULTS, RULES, TABLE, open_all
from tests.support.loops import over
from web.games import all_pages

Phones = Callable[..., Phone]
MANY: Final = 5
"""The least number of kinds of folds."""
NEAR = 1
"""Tolerance in pixels, which nobody sees."""
MIDDLE = "(one) => (one.closest('label') ?? one).scrollIntoView({block: 'center', behavior: 'instant'})"
TOP = "(one) => (one.closest('label') ?? one).getBoundingClientRect().top"
ASKING = """() => [...document.querySelectorAll(
    '#opening :is(button[hx-post]:not([disabled]), [hx-trigger] input, [hx-trigger]:is(input, select, textarea))'
)].map((one) => one.id)"""
"""The ids of the controls that request the form again."""
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
"""Change a control by a tap; false where nothing can change, and undefined for fields of text."""
WAIT_FOR_FORM = """void (window.settled = new Promise((done) => document.addEventListener(
    'htmx:afterSettle', () => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), {once: true}
)))"""
"""Wait until the new form is swapped in and drawn, as the browser may then move the page again."""


def top_after(page: Page, one: Locator, tap: str) -> float | None:
    """An element's distance from the screen's top after a tap on it; None where the tap changed nothing."""
    page.evaluate(WAIT_FOR_FORM)
    if not one.evaluate(tap):
        return None
    page.evaluate("window.settled")
    return float(one.evaluate(TOP)) if one.count() else None


def shifts(page: Page) -> Iterator[tuple[str, float]]:
    """Each control that requests the form again, tapped in mid-screen, and the pixels that it moved by."""
    for name in one_of_each(page.evaluate(ASKING)):
        one = page.locator(f"[id='{name}']")
        if not one.count():  # an earlier tap has removed it
            continue
        one.evaluate(MIDDLE)
        before = one.evaluate(TOP)
        after = top_after(page, one, CHOICE)
        if after is not None:
            yield name, after - before


def one_of_each(names: list[str]) -> Iterator[str]:
    """The first two controls of those whose ids differ only in numbers, as the first may be chosen already."""
    for _, alike in groupby(sorted(names, key=_kind), _kind):
        yield from islice(alike, 2)


def _kind(name: str) -> str:
    return re.sub(r"\d+", "#", name)


@pytest.mark.parametrize(("screen", "language"), SCREENS)
def test_a_tap_in_an_opening_form_moves_nothing(phone: Phones, screen: ViewportSize, language: str) -> None:
    """Each control of an opening form, from players to portraits, stays where it was tapped, to a pixel."""
    made = phone(screen["width"], high=screen["height"], language=language)
    for game in over(all_pages()):
        page = made.open(f"/?game={game}")
        page.evaluate("document.querySelectorAll('#opening details').forEach((fold) => { fold.open = true; })")
        found = dict(shifts(page))
        assert found
        assert {name: far for name, far in found.items() if abs(far) > NEAR} == {}, game


FOLDS = """async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const low = (one) => one.getBoundingClientRect().top + 12 > innerHeight;
    const kinds = new Set();
    const amiss = [];
    for (const head of document.querySelectorAll("main.text summary")) {
        const fold = head.parentElement, kind = fold.className + head.id.replace(/\\d+/g, "#");
        if (!head.checkVisibility() || fold.open || kinds.has(kind)) continue;
        kinds.add(kind);
        head.scrollIntoView({block: "end", behavior: "instant"});
        const before = head.getBoundingClientRect().top;
        head.click();
        await frame();
        const first = [...fold.children].find((one) => one !== head && one.checkVisibility());
        const moved = before - head.getBoundingClientRect().top;
        const needed = fold.getBoundingClientRect().bottom + moved > innerHeight;
        if (low(first) || head.getBoundingClientRect().top < -1 || (Math.abs(moved) > 1 && !needed))
            amiss.push([location.pathname, head.textContent, moved]);
    }
    return [kinds.size, amiss];
}"""
"""Open each kind of fold at the screen's lower edge; returns their number, and those out of sight or moved too far."""


@pytest.mark.parametrize(("screen", "language"), SCREENS)
def test_what_is_unfolded_is_in_sight(phone: Phones, server: Server, screen: ViewportSize, language: str) -> None:
    """On pages of results, links and rules, a fold opened at the lower edge moves only to show its first lines."""
    made = phone(screen["width"], high=screen["height"], language=language)
    opened = open_all(server.referee, server.groups)
    made.context.add_cookies(
        [{"name": name, "value": value, "domain": "127.0.0.1", "path": path} for name, value, path in opened.cookies()]
    )
    found = 0
    pages = {"home": "/", "share": TABLE["share"], **RESULTS, **RULES}
    for path in (pages[name] for name in pages.keys() - ASTRAY - {"no connection"}):
        page = made.open(path.format(**opened.ids))
        kinds, amiss = page.evaluate(FOLDS)
        assert not amiss
        found += kinds
    assert found > MANY


@pytest.mark.parametrize(("screen", "language"), SCREENS)
def test_a_search_moves_nothing(phone: Phones, screen: ViewportSize, language: str) -> None:
    """The search field of the rules stays in place during a search, and the first result is in sight."""
    page = phone(screen["width"], high=screen["height"], language=language).open("/rules/fief")
    field = page.locator("#q")
    before = field.evaluate(TOP)
    with page.expect_response(lambda response: "q=" in response.url):
        field.fill("pape")
    expect(page.locator("#results")).to_be_in_viewport()
    expect(page.locator("#found .entries a").first).to_be_in_viewport()
    assert field.evaluate(TOP) == before


def test_portraits_and_villages_are_among_what_is_tapped(phone: Phones) -> None:
    """The control: the form of Fief has both, below the first screen."""
    page = phone(390, high=HIGH).open("/?game=fief")
    names = [name.rpartition("-")[0] for name in page.evaluate(ASKING)]
    assert min(names.count(kind) for kind in ("pick-lord", "pick-village")) > 1
    page.locator("#pick-village-1").evaluate(MIDDLE)
    assert page.evaluate("scrollY") > HIGH


@pytest.mark.parametrize("kind", ["count", "ask"])
@pytest.mark.parametrize("game", all_pages())
def test_a_piece_that_is_chosen_to_paint_moves_nothing(phone: Phones, game: str, kind: str) -> None:
    """Taking a piece as brush changes the lines above the pieces, but the tapped piece stays in place."""
    page = phone(390, high=HIGH).open(f"/{kind}/{game}")
    page.evaluate("document.querySelector('.below').scrollTo({top: 200, behavior: 'instant'})")
    one = page.locator("#b-1-1")
    before = one.evaluate(TOP)
    after = top_after(page, one, f"(one) => ({TAP})(one) || true")
    assert after is not None
    assert abs(after - before) <= NEAR
    assert one.get_attribute("aria-current") == "true"
