"""Accessibility of every page: WCAG 2.2 AA by axe, touch targets, narrow screens, large text, keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Page, expect

from service.referee.use_cases import NewTable
from tests.e2e.conftest import AWAY, HIGH, Phone, Server
from tests.support.accessibility import COVERED_FOCUS, colours, examine, find_faults, measure, violations
from tests.support.every_page import (
    COUNTS,
    DOCS,
    FORMS,
    PUBLIC_VIEWS,
    REMEDY_PAGES,
    RESULTS,
    RULES,
    TABLE,
    OpenedPlaces,
    open_all,
)

WORDS: Mapping[str, Any] = {
    "runOnly": [f"cat.{of}" for of in ("text-alternatives", "name-role-value", "forms", "language", "semantics")]
}
"""The rules of axe that depend on words: names, labels, titles, languages, headings, landmarks."""
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
NARROWEST, USUAL, WIDEST, A4, DESK = 320, 390, 412, 718, 1280
"""Widths in CSS pixels: of phones, of paper within its margins, and of a computer."""
UNFOLD = "document.querySelectorAll('details:not([open])').forEach(one => { one.open = true; })"
PHOTO = Path(__file__).parents[2] / "web/static/icon-192.png"


@pytest.fixture(scope="module")
def every(server: Server) -> OpenedPlaces:
    """The tables and the group with all pages."""
    return open_all(server.referee, server.groups)


@pytest.fixture(scope="module")
def tables(every: OpenedPlaces) -> Mapping[str, NewTable]:
    """The tables of `every`."""
    return every.tables


def hold(made: Phone, every: OpenedPlaces) -> None:
    """Give a phone the keys of all tables and of the group."""
    cookies: list[Any] = [
        {"name": name, "value": value, "domain": "127.0.0.1", "path": path} for name, value, path in every.cookies()
    ]
    made.context.add_cookies(cookies)


Views = Iterator[tuple[str, Page]]


def refused_forms(made: Phone, _every: OpenedPlaces) -> Views:
    """Yield the refused forms that open tables."""
    for name, path in FORMS.items():
        made.open(path)
        made.page.get_by_role("textbox").first.fill("\u202e")
        made.page.locator("#opening > button").click()
        expect(made.page.locator(".note.trouble")).to_be_visible()
        yield f"refused {name}", made.page


def lost_connection(made: Phone, every: OpenedPlaces) -> Views:
    """Yield a table's page without a connection."""
    page = made.open(TABLE["idle"].format(**every.ids))
    expect(page.locator("#outbox-known option")).not_to_have_count(0)
    made.context.set_offline(True)
    expect(page.locator("#outbox")).to_be_visible()
    yield "without a connection", page
    made.context.set_offline(False)


def refused_results(made: Phone, every: OpenedPlaces) -> Views:
    """Yield a group's page with a refused result, and with a refused file."""
    page = made.open(RESULTS["write a result"].format(**every.ids))
    page.locator("#game").fill("Go")
    page.locator("[name=name-1]").fill("Ada")
    page.locator("[name=points-1]").fill("x")
    page.locator("main button.good").click()
    expect(page.locator(".note.trouble")).to_be_visible()
    yield "refused result", page
    made.open(RESULTS["group"].format(**every.ids)).evaluate(UNFOLD)
    page.locator("#file").set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": b"{}"})
    page.get_by_role("button", name=re.compile("^Import")).click()
    expect(page.locator("#file-wrong")).to_be_visible()
    yield "not imported", page


def strangers(made: Phone, every: OpenedPlaces) -> Views:
    """Yield a count with a photo, and pages for phones that watch or have no key."""
    page = made.open("/count/villefranche")
    page.locator("#photo-file").set_input_files(PHOTO)
    expect(page.locator(".corner")).to_have_count(4)
    yield "photo", page
    ended = every.tables["ended"]
    made.context.clear_cookies()
    expect(made.open(f"/t/{ended.table.id}#{ended.keys.host}").locator("#board")).to_be_visible()
    yield "recent", made.open("/")
    yield "watching", made.sit(every.tables["going"], role="watch")
    yield "no table", made.open("/t/" + "A" * 22 + "/share")
    made.context.clear_cookies()
    yield "no key", made.open(f"/t/{ended.table.id}")


def test_axe_finds_what_is_amiss(phone: Callable[..., Phone]) -> None:
    """The control: axe finds a nameless button and pale text; text on a gradient is undecided."""
    page = examine(phone()).open("/")
    page.evaluate("""() => {
        document.querySelector("main").append(document.createElement("button"));
        document.querySelectorAll("main p").forEach(one => { one.style.color = "#dddddd"; });
    }""")
    assert violations(page).keys() >= {"button-name", "color-contrast"}
    page.reload()
    page.evaluate("document.querySelector('h1').style.background = 'linear-gradient(red, blue)'")
    assert colours(page).keys() == {"undecided contrast"}


def test_what_looks_otherwise_is_examined_again(phone: Callable[..., Phone]) -> None:
    """The control of known looks: no element is checked twice, unless its style, its parent's style, or its place over
    others changes.
    """
    page = examine(phone()).open("/")
    known: set[int] = set()
    assert colours(page, known) == {}
    looks = len(known)
    assert colours(page, known) == {} and len(known) == looks
    paint = "([names, style]) => document.querySelectorAll(names).forEach(one => { one.style.cssText = style; })"
    for names, style in (("main p", "color: #dddddd"), ("main", "opacity: .3")):
        page.evaluate(paint, [names, style])
        assert colours(page, set(known)).keys() == {"color-contrast"}, names
        page.evaluate(paint, [names, ""])
    page.evaluate(paint, ["main h1", "position: fixed; inset: 9rem auto auto 0"])
    colours(page, known)
    assert len(known) > looks


def resize(page: Page, *widths: int) -> Iterator[int]:
    """Resize the screen to each width; no script reacts to the width, only the style sheet."""
    for wide in widths:
        page.set_viewport_size({"width": wide, "height": HIGH})
        yield wide


TITLES: Final = "main.text :is(h1, .games .button, .entries .what), .bar h1, .tab"
BROKEN_WORDS = """titles => {
    const root = document.documentElement;
    root.style.fontSize = "200%";
    const broken = [...document.querySelectorAll(titles)].flatMap((title) => {
        const texts = document.createTreeWalker(title, NodeFilter.SHOW_TEXT), range = document.createRange();
        const found = [];
        while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
            range.setStart(texts.currentNode, word.index);
            range.setEnd(texts.currentNode, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map(({top}) => top)).size > 1) found.push(word[0]);
        }
        return found;
    });
    return [getComputedStyle(root).fontSize, root.scrollWidth <= innerWidth, broken];
}"""
"""With text of twice the size: its size, whether the page fits its screen, and the words in titles, names of games and
tabs that break over two lines.
"""


def narrow(page: Page, name: str) -> list[tuple[Any, ...]]:
    """Where a page is wider than its screen, or a target is too small for a finger. With text of twice the size, the
    page must also fit the narrowest phone; there, and on the usual one, no title or tab may break within a word.
    """
    found: list[tuple[Any, ...]] = []
    for wide in resize(page, DESK, WIDEST, USUAL):
        found += misfits(page, name, wide)
    found += misfits_of_large_text(page, name, USUAL)
    for wide in resize(page, NARROWEST):  # the text is still large, which saves one layout
        found += misfits_of_large_text(page, name, wide)
        page.evaluate("document.documentElement.style.fontSize = ''")
        found += misfits(page, name, wide)
    return found


def misfits(page: Page, name: str, wide: int) -> Iterator[tuple[Any, ...]]:
    """Whether a page is wider than its screen, and, on the widest and narrowest phone, its small targets."""
    fits, small = measure(page, zoomed="zoomed" in name)
    if not fits:
        yield name, wide
    if wide in (WIDEST, NARROWEST):
        yield from ((name, wide, *box) for box in small)


def misfits_of_large_text(page: Page, name: str, wide: int) -> Iterator[tuple[Any, ...]]:
    """The same with text of twice the size, when a page need not fit the usual phone."""
    large, fits, broken = page.evaluate(BROKEN_WORDS, TITLES)
    assert large == "32px"
    if not fits and wide == NARROWEST:
        yield name, "large text"
    yield from ((name, "large text", wide, word) for word in broken)


def guest(phone: Callable[..., Phone], every: OpenedPlaces, views: Callable[..., Views], language: str) -> Phone:
    """A phone in a language with all keys; for `refused_forms` with none, as on a first visit."""
    made = examine(phone(NARROWEST, language=language, has_touch=True))
    made.expected_complaints = ("404", "401", "422", *AWAY)
    if views is not refused_forms:
        hold(made, every)
    return made


VIEWS: Final[Mapping[Callable[[Phone, OpenedPlaces], Views], Mapping[str, str]]] = {
    refused_forms: {"home": "/", **FORMS},
    lost_connection: TABLE,
    refused_results: {**REMEDY_PAGES, **RESULTS},
    strangers: {**COUNTS, **RULES, **DOCS, **{name: f"{path}?lang=fr" for name, path in PUBLIC_VIEWS.items()}},
}
"""Views without an address of their own -> pages with an address, to check in the same test."""


def addresses(made: Phone, every: OpenedPlaces, pages: Mapping[str, str]) -> Views:
    """Yield the pages with an address; the check for a connection fails on them."""
    made.page.route("**/offline", lambda it: it.abort() if it.request.method == "HEAD" else it.continue_())
    for name, path in pages.items():
        yield name, made.open(path.format(**every.ids))
    made.page.unroute("**/offline")


@pytest.mark.parametrize("views", VIEWS)
def test_every_page_is_for_everybody(
    phone: Callable[..., Phone],
    every: OpenedPlaces,
    looks: set[int],
    views: Callable[[Phone, OpenedPlaces], Views],
) -> None:
    """No page, with all folds open, light or dark, violates WCAG 2.2 AA or axe's best practices, and every contrast is
    decided. In French, the longer language, every page fits its screen.
    """
    made = guest(phone, every, views, "fr")
    amiss: list[tuple[Any, ...]] = []
    for number, (name, page) in enumerate(chain(addresses(made, every, VIEWS[views]), views(made, every))):
        page.evaluate(UNFOLD)
        now, other = SCHEMES[number % 2], SCHEMES[1 - number % 2]
        amiss += [(name, now, *violation) for violation in violations(page, looks).items()]
        page.emulate_media(color_scheme=other)
        amiss += [(name, other, *violation) for violation in colours(page, looks).items()]
        amiss += narrow(page, name) if name not in DOCS else []
    assert not amiss


@pytest.mark.parametrize("views", VIEWS)
def test_every_page_speaks_to_everybody(
    phone: Callable[..., Phone], every: OpenedPlaces, views: Callable[[Phone, OpenedPlaces], Views]
) -> None:
    """In English, views without an address keep the rules that depend on words. For pages with an address,
    `tests/web/test_every_page.py` holds both languages to the same elements, names and landmarks.
    """
    amiss: list[tuple[Any, ...]] = []
    for name, page in views(guest(phone, every, views, "en"), every):
        assert page.evaluate(f"{UNFOLD}; document.documentElement.lang") == "en", name
        amiss += [(name, *violation) for violation in find_faults(page, WORDS).items()]
    assert not amiss


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_printed_can_be_read(phone: Callable[..., Phone], every: OpenedPlaces, scheme: str) -> None:
    """Printed pages have sufficient contrast, even from a phone in dark mode."""
    made = examine(phone(A4, scheme=scheme, language="fr"))
    hold(made, every)
    made.page.emulate_media(media="print")
    for path in (RESULTS["many on a sheet"], REMEDY_PAGES["dispute"]):
        assert colours(made.open(path.format(**every.ids))) == {}, path


def test_cells_fill_the_width(phone: Callable[..., Phone], tables: Mapping[str, NewTable]) -> None:
    """The board is as wide as the phone; after a tap, buttons move the choice to the next cell."""
    made = phone()
    page = made.sit(tables["going"], "?at=d4")
    assert page.locator("#squares").bounding_box() == pytest.approx(
        {"x": 0, "y": page.locator("#squares").bounding_box()["y"], "width": 390, "height": 390}  # type: ignore[index]
    )
    for direction, cell in (("up", "d5"), ("right", "e5"), ("down", "e4"), ("left", "d4")):
        page.locator(f"#go-{direction}").click()
        expect(page.locator("a.cell[aria-current]")).to_have_id(f"c-{cell}")


def test_the_keyboard_alone(phone: Callable[..., Phone], server: Server) -> None:
    """The board has one tab stop and arrow keys; keys alone place a piece."""
    page = phone().sit(server.table())
    expect(page.locator("a.cell[tabindex='0']")).to_have_count(1)
    here = page.url
    page.locator("a.skip").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#c-e5")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#panel")).to_be_focused()
    assert page.url == here
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#c-e5")).to_be_focused()
    for key, cell in (("ArrowUp", "e6"), ("ArrowUp", "e7"), ("ArrowLeft", "d7"), ("ArrowUp", "d8"), ("ArrowUp", "d9")):
        page.keyboard.press(key)
        expect(page.locator(f"#c-{cell}")).to_be_focused()
    assert page.locator("a.cell[tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    expect(page.locator(".chosen-head h2")).to_contain_text("d9")
    expect(page.locator("#c-d9")).to_be_focused()
    page.locator("#o-d9e9").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#panel")).to_be_focused()
    page.locator("#place").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_contain_text("placed")
    expect(page.locator("#panel")).to_be_focused()


def test_every_cell_is_a_link_with_its_name(phone: Callable[..., Phone], tables: Mapping[str, NewTable]) -> None:
    """Each cell is a link, named by its contents."""
    page = phone().sit(tables["ended"])
    expect(page.get_by_role("group", name="Board").get_by_role("link")).to_have_count(81)
    for name in ("e5, market square", "d4, Anne’s shop", "b9, Bruno’s rampart", "a9, corner tower of Bruno"):
        assert page.get_by_role("link", name=name).count() == 1, name


def test_colours_that_the_system_forces(phone: Callable[..., Phone], tables: Mapping[str, NewTable]) -> None:
    """With forced colours the two players' pieces still differ, and the chosen cell still shows."""
    page = phone(forced_colors="active").sit(tables["ended"], "?at=d4")
    fills = [
        page.evaluate(
            "name => getComputedStyle(document.querySelector(name)).fill", f"symbol#{shade}-cube .{shade}-front"
        )
        for shade in ("dark", "light")
    ]
    assert len(set(fills)) == 2
    stroke = page.evaluate("getComputedStyle(document.querySelector('.mark.chosen')).stroke")
    assert stroke not in fills[1:]


def test_back_never_shows_a_part(phone: Callable[..., Phone], tables: Mapping[str, NewTable]) -> None:
    """A choice is one step of the history; Back and Forward show whole pages with their style sheet."""
    made = phone()
    page = made.open("/")
    page = made.sit(tables["going"])
    page.locator("#c-d4").click()
    expect(page.locator(".chosen-head h2")).to_contain_text("d4")
    page.locator("#to-score").click()
    expect(page.locator(".sheet")).to_be_visible()
    assert page.url.endswith("/score")
    page.locator("#to-log").click()
    expect(page.locator("ul.log").first).to_be_visible()
    chosen, back, forward = ".chosen-head", page.go_back, page.go_forward
    for step, seen in ((back, ".sheet"), (back, chosen), (back, ".kinds"), (forward, chosen), (forward, ".sheet")):
        step()
        page.wait_for_load_state()
        expect(page.locator(seen)).to_be_visible()
        expect(page.locator("header.bar")).to_have_count(1)
        expect(page.locator("link[rel=stylesheet][href*='/app.css']")).to_have_count(1)
    for seen in (chosen, ".kinds"):
        page.go_back()
        page.wait_for_load_state()
        expect(page.locator(seen)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Open a table")).to_be_visible()


@pytest.mark.parametrize(("table", "section"), [("phases", ""), ("going", "/moves")])
def test_what_the_keyboard_comes_to_is_seen(
    phone: Callable[..., Phone], tables: Mapping[str, NewTable], table: str, section: str
) -> None:
    """Neither bars nor the pinned board cover the focused element (WCAG 2.4.11)."""
    page = phone().sit(tables[table], section)
    for key in ("Tab", "Shift+Tab"):
        for _ in range(40):
            page.keyboard.press(key)
            assert page.evaluate(COVERED_FOCUS) is None
