"""Questions on a phone without a table: in few taps, with and without a script, by link, by *What if*."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from rules import GAMES
from tests.e2e.conftest import Phone, Server
from tests.e2e.game import MOVES
from tests.support.browser_count import choose


def beginning(made: Phone) -> Page:
    """Open a question about Architekton from the first page."""
    page = made.open("/")
    page.get_by_role("navigation", name="Game").get_by_role("link", name="Ask Architekton").click()
    expect(page.get_by_role("link", name="Is this allowed?")).to_be_visible()
    return page


def enter_water(page: Page) -> Page:
    """Enter a water, and choose the cell beside it."""
    page.locator("[id='c-0,0']").click()
    expect(page.locator("a.cell[aria-current]")).to_have_id("c-0,0")  # before that, a choice would take up a brush
    choose(page, "Landscape/water")
    page.locator("[id='c-1,0']").click()
    expect(page.locator("a.cell[aria-current]")).to_have_id("c-1,0")
    return page


def write(page: Page, notation: str) -> None:
    """Type a move and request its ruling."""
    page.get_by_text("Type it").click()
    page.get_by_label("The move in notation").fill(notation)
    page.get_by_role("button", name="Rule on it").click()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_question_without_a_table(phone: Callable[..., Phone], script: bool) -> None:
    """Game, neighbouring tiles and move lead to the whole ruling; the position can be changed and asked about again."""
    page = beginning(phone(390, script=script))
    page.locator("#rest").click()
    expect(page.locator("#rest")).to_have_text("All else is unknown")
    page = enter_water(page)
    page.get_by_role("link", name="Is this allowed?").click()
    expect(page.locator("a.cell[aria-current]")).to_have_id("c-1,0")
    write(page, "(1,0) building E E E E")
    expect(page.locator(".verdict.illegal")).to_contain_text("Not legal")
    expect(page.locator(".reasons")).to_contain_text("AR-12")
    expect(page.locator("form[method=post]")).to_have_count(0)
    link = page.locator("#link").input_value()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#cancel").click()
    expect(page.locator("#undo")).to_be_visible()
    page.locator("[id='c-0,0']").click()
    expect(page.locator("a.cell[aria-current]")).to_have_id("c-0,0")
    choose(page, "Landscape/earth")
    page.locator("#undo").click()
    expect(page.locator("#p-2-3[aria-current]")).to_have_count(1)
    choose(page, "Landscape/earth")
    page.locator("#ask").click()
    write(page, "(1,0) building E E E E")
    expect(page.locator(".verdict.legal")).to_be_visible()
    other = phone(360, language="fr").page
    other.goto(link)
    expect(other.locator(".verdict.illegal")).to_contain_text("Interdit")


def test_the_answers_are_taps(phone: Callable[..., Phone]) -> None:
    """Each answer changes the address, and Back undoes one tap."""
    page = enter_water(beginning(phone(390)))
    page.locator("#ask").click()
    expect(page.locator(".question").first).to_be_visible()
    before = page.url
    page.locator(".answer").first.click()
    expect(page).not_to_have_url(before)
    page.go_back()
    expect(page).to_have_url(before)


OUT_OF_SIGHT = """() => {
    const shown = (one) => one.getClientRects().length && one.checkVisibility();
    const all = (names) => [...document.querySelectorAll(names)].filter(shown);
    const covered = (one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const there = document.elementFromPoint((left + right) / 2, bottom - 3);
        return top < 0 || bottom > innerHeight || !(one.contains(there) || there?.contains(one));
    };
    const cut = (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2;
    const seen = (one) => getComputedStyle(one).clipPath === "none";
    const labels = all(".take > span, .tab span, .bar h1, #panel summary").filter(seen);
    const tight = (one) => one.getBoundingClientRect().left < one.closest(".tab").getBoundingClientRect().left + 4;
    const onRail = matchMedia("(orientation: landscape)").matches ? all(".tab span").filter(tight) : [];
    const things = all("#squares, #panel .take, #panel summary, #panel label, .tab");
    const found = [...things.filter(covered), ...labels.filter(cut), ...onRail];
    return found.map((one) => `${one.id} ${one.textContent.trim()}`);
}"""
"""The parts of board, panel and tabs that are out of sight, and labels that are cut or touch the rail's edge."""
SIZES = ((390, 844), (320, 568), (844, 390))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_a_question_needs_is_in_sight(phone: Callable[..., Phone], language: str) -> None:
    """In each game, on each screen, the board, all pieces, the fold of the facts and the tabs are in sight."""
    made = phone(390, language=language)
    for game in GAMES:
        page = made.open(f"/ask/{game}")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator("#facts")).to_be_visible()
            assert page.evaluate(OUT_OF_SIGHT) == [], (game, width)
    page.set_viewport_size({"width": 390, "height": 844})
    page = made.open("/ask/villefranche?at=c4")
    expect(page.locator(".take")).to_have_count(20)
    assert page.evaluate(OUT_OF_SIGHT) == []
    page = made.open("/ask/fief?at=sigy")
    for width, height in ((320, 568), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OUT_OF_SIGHT) == [], width
        lords = page.locator("label:visible")
        lords.click()
        expect(page.locator("#p-3-18")).to_be_visible()
        assert page.evaluate(OUT_OF_SIGHT) == [], width
        lords.click()


def test_what_has_changed_leaves_room_for_the_pieces(phone: Callable[..., Phone], server: Server) -> None:
    """On the smallest phone the page names the first removed piece; a tap unfolds the others and the reason."""
    page = phone(320, high=568).sit(server.table(*MOVES[:24]), "/here")
    page.goto(f"{page.url}?brush=eraser")
    for cell in ("b9", "e9", "e8"):
        before = page.url
        page.locator(f"#c-{cell}").click()
        expect(page).not_to_have_url(before)
    expect(page.locator("#led")).to_contain_text("cannot have come to this")
    assert page.evaluate(OUT_OF_SIGHT) == []
    changes = page.locator(".told .changes").first.locator("li")
    expect(changes.first).to_be_in_viewport(ratio=1)
    expect(changes.nth(1)).to_be_hidden()
    page.locator(".told label").click()
    expect(changes.nth(1)).to_be_visible()


def test_what_if_at_a_table(phone: Callable[..., Phone], server: Server) -> None:
    """*What if* leads from a verdict to the same question, which places nothing and which anybody can open."""
    table = server.table(*MOVES[:24])
    page = phone(390).sit(table, "?move=h+d4")
    expect(page.locator(".verdict.legal")).to_be_visible()
    page.locator("#more").click()
    page.locator("#what-if").click()
    expect(page.get_by_role("heading", name="What if: nothing is entered")).to_be_visible()
    expect(page.locator(".verdict.legal")).to_be_visible()
    expect(page.locator("#place")).to_have_count(0)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".tab")).to_have_text(["Back", "Is this allowed?", "Count", "Go on from here"])
        assert page.evaluate(OUT_OF_SIGHT) == [], width
        expect(page.locator("#outcome")).to_be_in_viewport()
    stranger = phone(390).page
    stranger.goto(page.url)
    expect(stranger.locator(".verdict.legal")).to_be_visible()
    stranger.locator("#cancel").click()
    expect(stranger.locator(".verdict")).to_have_count(0)
    stranger.locator("#ask").click()
    stranger.get_by_text("A move that is not due").click()
    rampart = stranger.get_by_role("link", name="Rampart", exact=True)
    rampart.click()
    expect(rampart).to_have_attribute("aria-current", "true")
    stranger.locator("#c-b9").click()
    expect(stranger.locator(".reasons")).to_contain_text("VF-3")
    page.goto(f"{server.url}/t/{table.table.id}")
    expect(page.locator("#table")).to_have_attribute("data-version", str(table.table.version))


def free(page: Page) -> None:
    """Enter the chosen cell as free, and wait for the page."""
    before = page.locator("#link").input_value()
    page.locator("a.take", has_text="nothing").click()
    expect(page.locator("#link")).not_to_have_value(before)


def test_a_question_with_an_unknown_cell(phone: Callable[..., Phone]) -> None:
    """With one cell around the site unknown, the ruling names and links it; entering it decides."""
    page = phone(390).open("/ask/villefranche")
    for cell in ("b5", "c3", "c4", "c5", "d3", "d4", "d5"):
        page.locator(f"#c-{cell}").click()
        expect(page.locator("a.cell[aria-current]")).to_have_id(f"c-{cell}")
        free(page)
    page.locator("#c-b3").click()
    expect(page.locator("a.cell[aria-current]")).to_have_id("c-b3")
    choose(page, "White/house")
    page.locator("#ask").click()
    write(page, "h c4")
    expect(page.locator(".verdict.unproven")).to_be_visible()
    expect(page.locator("#outcome")).to_have_text("To decide it, look at b4.")
    expect(page.locator("#squares .mark.needed")).to_have_count(1)
    page.locator("#look-1").click()
    expect(page.locator("a.cell[aria-current]")).to_have_id("c-b4")
    choose(page, "Black/house")
    page.locator("#ask").click()
    write(page, "h c4")
    expect(page.locator(".verdict.legal")).to_be_visible()
