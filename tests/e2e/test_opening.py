"""The form opens a table of every game on a phone, with a script and without."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from rules.architekton.tiles import LANDSCAPE
from service.i18n.sentences import words
from tests.e2e.conftest import Phone, Server
from tests.e2e.game import MOVES
from tests.e2e.text_browser import TextBrowser
from tests.support.forms import FILLED_FIELDS
from web.games import all_pages
from web.games.architekton.questions.tile_answers import SIDES

NARROW = 360
either_way = pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])


def asks(field: Locator) -> bool:
    """Whether a change of a field requests the form again."""
    return bool(field.evaluate("one => Boolean(one.closest('[hx-post]'))"))


def asks_for_form(request: Request) -> bool:
    """Whether a request of htmx asks for the form."""
    return request.method == "POST" and "hx-request" in request.headers


def change(field: Locator, value: str) -> None:
    """Change a field as a user does."""
    match field.evaluate("one => one.type"):
        case "radio":
            field.check()
        case "select-one":
            field.select_option(value)
        case _:
            field.fill(value)
            field.blur()


def fill(page: Page, name: str, value: str) -> None:
    """Fill in a field, unfolding its group."""
    fields = page.locator(f"#opening [name='{name}']")
    fields.first.wait_for(state="attached")  # the answer arrives a moment before it is swapped in
    group = page.locator("details.folded:not([open])").filter(has=page.locator(f"[name='{name}']"))
    if group.count():
        group.locator("summary").click()
    radio = page.locator("#opening").get_by_role("radio").and_(page.locator(f"[value={json.dumps(value)}]"))
    field = fields.and_(radio) if fields.first.get_attribute("type") == "radio" else fields
    if field.evaluate("one => one.type") == "radio" and field.is_checked():
        return
    if name == "buildings":
        pick_buildings(page, value)
        return
    if name.startswith(("lord-", "village-")):
        card = json.dumps(f"{name.partition('-')[0]} {value}", ensure_ascii=False)
        with page.expect_request_finished(asks_for_form):
            page.locator(f"[name=pick][value={card}]").click()
        return
    if asks(field):
        with page.expect_request_finished(asks_for_form):
            change(field, value)
    else:
        change(field, value)


def pick_buildings(page: Page, buildings: str) -> None:
    """Tap the four sides of each building."""
    for number, building in enumerate(buildings.split(), 1):
        for side, letter in zip(SIDES, building, strict=True):
            tile = page.locator(f"[name=side-{side}][value={LANDSCAPE[letter]}]")
            tile.click()  # `check` would tap again on a form that arrives without the tap
            if side != SIDES[-1]:
                expect(tile).to_have_attribute("checked", "")  # the new form has it
        expect(page.locator("#buildings .read li")).to_have_count(number)


@pytest.mark.parametrize("game", all_pages())
def test_every_game_is_opened_on_a_phone(phone: Callable[..., Phone], game: str) -> None:
    """A phone chooses the game, fills in the form from top to bottom, and gets the board with its players."""
    page = phone(wide=NARROW).open()
    name = words("en", game).text["name"]
    page.get_by_role("navigation", name="Game").get_by_role("link", name=name, exact=True).click()
    for field, value in FILLED_FIELDS[game].items():
        fill(page, field, value)
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    names = players_of(game)
    expect(page.locator(".players .name")).to_have_count(len(names))
    for each in names:
        expect(page.locator(".players")).to_contain_text(each)


def players_of(game: str) -> list[str]:
    """The names in the form of a game."""
    return [value for field, value in FILLED_FIELDS[game].items() if field.startswith("name-")]


@pytest.mark.parametrize("game", all_pages())
def test_every_game_is_opened_without_a_script(text_browser: TextBrowser, game: str) -> None:
    """Without a script, a button requests the fields that depend on earlier ones."""
    browser, name = text_browser, words("en", game).text["name"]
    browser.open("/")
    browser.tap(browser.one_named("nav[aria-label='Game'] a", name))
    for field, value in FILLED_FIELDS[game].items():
        if not browser.all(f"#opening [name='{field}']"):
            browser.tap(browser.one_named("#opening button", "Update the form"))
        browser.fill(field, value)
    browser.tap(browser.one_named("#opening button", "Open the table"))
    assert browser.says("h1") == name
    names = players_of(game)
    assert len(browser.all(".players .name")) == len(names)
    for each in names:
        assert each in browser.says(".players")


@either_way
def test_the_same_players_play_again(phone: Callable[..., Phone], server: Server, script: bool) -> None:
    """At the end of a game, one tap opens the form with its players, and another their next table."""
    page = phone(wide=NARROW, script=script).sit(server.table(*MOVES))
    before = page.url
    page.get_by_role("link", name="Play again").click()
    expect(page.get_by_role("textbox", name="Black")).to_have_value("Anne")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".players")).to_contain_text("Bruno")
    expect(page.get_by_text("Anne starts with a single piece")).to_be_visible()
    assert page.url != before


def test_those_who_sat_together_open_a_table_in_four_taps(phone: Callable[..., Phone], server: Server) -> None:
    """Four taps open a table: the game, a line-up, a swap of names, and the table."""
    before, made = server.table(), phone(wide=NARROW)
    made.expected_complaints = ("401",)
    expect(made.open(f"/t/{before.table.id}#{before.keys.host}").locator("#board")).to_be_visible()
    page = made.open()
    page.get_by_role("navigation", name="Game").get_by_role("link", name="Villefranche", exact=True).click()
    page.get_by_role("button", name="Anne – Bruno").click()
    expect(page.get_by_label("White", exact=True)).to_have_value("Bruno")
    page.get_by_role("button", name="Swap with the name above").click()
    expect(page.get_by_label("White", exact=True)).to_have_value("Anne")
    expect(page.get_by_role("button", name="Swap with the name above")).to_be_focused()
    page.get_by_label("White", exact=True).press("Enter")
    expect(page.get_by_text("Bruno starts with a single piece")).to_be_visible()
    assert before.table.id not in page.url


@pytest.mark.parametrize("game", all_pages())
def test_words_to_choose_from_have_a_line_each(phone: Callable[..., Phone], game: str) -> None:
    """The values of a reading stand one below another, each wider than half of the screen."""
    page = phone(wide=NARROW).open(f"/?game={game}")
    page.locator("details.folded > summary").click()
    lines = (
        page.locator("details.folded .group")
        .last.locator("label")
        .evaluate_all("all => all.map(one => [one.getBoundingClientRect().left, one.getBoundingClientRect().width])")
    )
    assert len(lines) > 1
    assert all(line == lines[0] and line[1] > NARROW / 2 for line in lines)


AT_ONCE = """new MutationObserver(() => {
    if (window.gone || document.getElementById("name-4")) return;
    window.gone = true;
    document.getElementById("players-3").click();
}).observe(document.body, {subtree: true, childList: true})"""
"""Choose four players as soon as a form without the fourth arrives."""


def test_what_is_typed_meanwhile_is_kept(phone: Callable[..., Phone]) -> None:
    """Text typed while a change loads new fields is kept, with the focus.

    The new form handles taps at once.
    """
    page = phone(wide=NARROW).open("/?game=robber_knights")
    held: list[Route] = []
    silent = True

    def answer(route: Route) -> None:
        """Hold a request while the server is silent; the driver may report one only later."""
        if silent:
            held.append(route)
        else:
            route.continue_()

    page.route(lambda url: url.endswith("/"), answer)
    with page.expect_request(asks_for_form):
        page.locator("#players-3").check()
    page.locator("#name-1").fill("Anne")
    expect(page.locator("#name-4")).to_have_count(0)
    silent = False
    for route in held:
        route.continue_()
    expect(page.locator("#name-4")).to_be_visible()
    expect(page.locator("#name-1")).to_have_value("Anne")
    expect(page.locator("#name-1")).to_be_focused()
    expect(page.locator("#players-3")).to_be_checked()
    page.evaluate(AT_ONCE)
    page.locator("#players-2").click()  # not `check`, see above
    page.wait_for_function("() => window.gone")
    expect(page.locator("#name-4")).to_be_visible()
    expect(page.locator("#players-3")).to_be_checked()


def test_the_form_by_the_keyboard_alone(phone: Callable[..., Phone]) -> None:
    """Keys choose numbers and pictures; the focus stays when new fields arrive."""
    page = phone(wide=NARROW).open("/?game=robber_knights")
    page.locator("#players-1").focus()
    with page.expect_request_finished(asks_for_form):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#name-3")).to_be_visible()
    expect(page.locator("#players-2")).to_be_focused()
    page.locator("#tile-0-2-1").focus()
    with page.expect_request_finished(asks_for_form):
        page.keyboard.press("Space")
    expect(page.get_by_role("group", name="Tile 1: plain")).to_be_visible()
    expect(page.locator("#tile-0-2-1")).to_be_focused()
