"""A game of Fief entered by taps, three rounds with every phase; on a narrow phone from the second round on."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from playwright.sync_api import Locator, Page, expect

from rules import GAMES
from service import schemas
from service.judgements import AttemptedMove
from service.referee.use_cases import NewTable, Referee
from tests.e2e.conftest import SHORT, Phone, Server
from tests.e2e.text_browser import TextBrowser, text_of

GAME = GAMES["fief"]
NARROW = 360
VILLAGES = (
    ("Nord", "N", 1, True, [20, 10]),
    ("Neige", "N", 1, False, [70, 10]),
    ("Sud", "S", 2, True, [80, 50]),
    ("Sable", "S", 2, False, [60, 90]),
    ("Ouest", "O", 3, True, [15, 85]),
    ("Orme", "O", 3, False, [10, 45]),
)
SETUP = {
    "players": [
        {"colour": "red", "lord": "Henri", "village": "Nord", "name": "Ada"},
        {"colour": "blue", "lord": "Blanche", "village": "Sud", "name": "Bruno"},
        {"colour": "green", "lord": "Othon", "village": "Ouest", "name": "Chloé"},
    ],
    "data": {
        "map": {
            "villages": [
                dict(zip(("name", "fief", "bishopric", "seat", "at"), each, strict=True)) for each in VILLAGES
            ],
            "roads": [[one[0], other[0]] for one, other in pairwise((*VILLAGES, VILLAGES[0]))],
        },
        "prices": {"castle": 1, "cardinal": 1, "baron": 1},
    },
    "readings": {"cardinal": "unmarried_man"},
}
"""Three players in a small ring of villages with low prices: three rounds are enough to win."""
ON: tuple[str, ...] = ("next", "End of the phase or turn")
"""The end of a phase, or of a player's part of it."""
ENTRY_TAPS: tuple[tuple[str, ...], ...] = (
    ("marry Othon Blanche", "Marriage", "Othon"),
    *[ON] * 4,
    ("cardinal Henri", "Cardinal’s card"),
    ("lord Arthur Nord", "Lord’s card", "Arthur"),
    ("lord Philippe Nord", "Lord’s card", "Philippe"),
    ("buy card", "Buying a card"),
    ON,
    ("lord Guenièvre Sud", "Lord’s card", "Guenièvre"),
    ("buy castle Sud", "Buying a castle"),
    ON,
    ("lord Charles Ouest", "Lord’s card", "Charles"),
    ("buy castle Ouest", "Buying a castle"),
    ON,
    ("move Arthur Nord>Neige", "Move", "#nord", "Arthur", "#neige"),
    ON,
    ("move Guenièvre Sud>Sable", "Move", "Guenièvre", "Sable"),
    ON,
    ("move Charles Ouest>Orme", "Move", "#ouest", "Charles", "Orme"),
    *[ON] * 5,
    ("bishop 1: Arthur,Charles; Red>Arthur", "Election of a bishop", "Arthur", "Charles", "Ada: 6 votes|Arthur"),
    ("bishop 2: Charles", "Election of a bishop", "Charles"),
    ("bishop 3: -", "Election of a bishop", "nobody stands"),
    *[ON] * 2,
    ("king: -", "Election of the king"),
    ON,
    ("buy title S Blanche", "Buying a fief’s title", "Blanche"),
    ("lord Jeanne Sud", "Lord’s card", "Jeanne", "#sud"),
    ("darc Jeanne", "D’Arc’s card", "Jeanne"),
    ON,
    ("buy title O Othon", "Buying a fief’s title", "Othon"),
    ("lord Quentin Ouest", "Lord’s card", "Quentin", "Ouest"),
    ON,
    ("buy cardinal Arthur", "Buying the cardinal’s title", "Monsignor Arthur, Bishop of Nord"),
    ("cede Neige Green", "Ceding a village", "#neige", "Chloé"),
    ON,
    (
        "move Jeanne Sud>Neige>Nord !Green",
        *("Move", "#sud", "Jeanne", "#neige", "#nord", "Does Chloé let them pass?|yes, let them"),
    ),
    *[ON] * 2,
    ("move Arthur Neige>Sud", "Move", "#neige", "#sud"),
    (
        "move Philippe Nord>Neige>Sud !Blue,Green",
        *("Move", "#nord", "Philippe", "#neige", "Does Bruno let them pass?|yes, let them"),
        *("#sud", "Does Chloé let them pass?|yes, let them"),
    ),
    *[ON] * 3,
    ("attack Sud Red>Blue 6:1", "Attack", "The attack rolls|6", "The defence rolls|1"),
    ("take S Philippe", "Taking a title", "Philippe"),
    (
        "assassin Othon by Guenièvre",
        *("Murder", "Who is murdered?|Othon, Baron of Ouest (Chloé)", "Which lord is behind it?|Guenièvre (Bruno)"),
    ),
    ("heir Othon Quentin", "Heir", "Quentin"),
    ("justice Guenièvre", "Justice"),
    *[ON] * 2,
    ("bishop 3: -", "Election of a bishop", "nobody stands"),
    ON,
    (
        "pope: Arthur,Henri; Arthur>Henri Henri>Henri",
        *("Election of the pope", "His Eminence Cardinal Arthur, Bishop of Nord", "His Eminence Cardinal Henri"),
        "His Eminence Cardinal Arthur, Bishop of Nord: 1 vote|His Eminence Cardinal Henri",
        "His Eminence Cardinal Henri: 1 vote|His Eminence Cardinal Henri",
    ),
    ("excommunicate Charles", "Excommunication", "Monsignor Charles, Bishop of Sud"),
    ON,
    (
        "king: Philippe; Arthur>Philippe Henri>Philippe Philippe>Philippe",
        *("Election of the king", "Who stands for king?|Philippe, Baron of Sud"),
        "His Eminence Cardinal Arthur, Bishop of Nord: 1 vote|Philippe, Baron of Sud",
        "His Holiness Pope Henri, Cardinal: 1 vote|Philippe, Baron of Sud",
        "Philippe, Baron of Sud: 1 vote|Philippe, Baron of Sud",
    ),
    ("absolve Charles", "Lifting an excommunication"),
    *[ON] * 2,
    ("give S Henri", "Giving a fief", "His Holiness Pope Henri, Cardinal"),
    *[ON] * 8,
)
"""Each move of the game, and its taps: the kind, then answers, or villages (with a #).

Where several questions have the same answer, the question stands before it.
"""


ONE_ROUND = 33
"""The number of moves in the first round and in the second up to its first purchase."""


def open_table(referee: Referee, played: int = 0) -> NewTable:
    """A table with `SETUP`, after the first `played` moves."""
    tries = [AttemptedMove(GAME.read(move)) for move, *_ in ENTRY_TAPS[:played]]
    return referee.open(GAME.id, schemas.load(schemas.of(GAME).setup, SETUP), tries)


def follow(page: Page, link: Locator) -> None:
    """Tap a link, and wait until the page shows its address."""
    href = link.get_attribute("href")
    assert href
    link.click()
    expect(page.locator("#table > [hx-get]")).to_have_attribute("hx-get", re.compile(f"^{re.escape(href)}"))


def control_named(scope: Page | Locator, selector: str, label: str) -> Locator:
    """The controls with exactly this text."""
    whole = re.compile(f"^{re.escape(label)}$")
    return scope.locator(selector).filter(
        has=scope.page.get_by_text(whole) if isinstance(scope, Locator) else scope.get_by_text(whole)
    )


def tap(page: Page, text: str) -> None:
    """Tap a village or an answer."""
    if text.startswith("#"):
        follow(page, page.locator(f"#c-{text[1:]}"))
        return
    question, _, label = text.rpartition("|")
    asked = page.locator(".question", has_text=question).first if question else page.locator("#panel")
    follow(page, control_named(asked, "a.answer", label).first)


def enter(page: Page, kind: str, *answers: str) -> None:
    """Choose the kind of move, unfolding seldom ones, answer, and enter it; the button to go on takes one tap."""
    if page.locator("#onward").count() and (kind, *answers) == ON[1:]:
        page.locator("#onward").press("Enter")  # at first the button ignores a finger, to prevent double taps
        return
    chip = control_named(page, "a.kind", kind)
    if not chip.is_visible():
        page.locator("#seldom").click()
    follow(page, chip)
    for answer in answers:
        tap(page, answer)
    expect(page.locator(".verdict h2")).to_have_text("Legal")
    page.get_by_role("button", name="Enter", exact=True).click()


def test_a_game_up_to_its_end(phone: Callable[..., Phone], server: Server) -> None:
    """After two rounds by taps, the score says who wins, by which rule, and how many points the others lack."""
    table = open_table(server.referee, ONE_ROUND)
    page = phone(wide=NARROW).sit(table)
    for number, (_, kind, *answers) in enumerate(ENTRY_TAPS[ONE_ROUND:], ONE_ROUND + 2):
        enter(page, kind, *answers)
        expect(page.locator("#table")).to_have_attribute("data-version", str(number))
    played, _ = server.referee.table(table.table.id, table.keys.host)
    assert [entry.notation for entry in played.last_moves(len(ENTRY_TAPS) + 1)] == [move for move, *_ in ENTRY_TAPS]
    expect(page.locator(".ended")).to_contain_text("Ada")
    page.locator("#to-score").click()
    expect(page.locator(".result")).to_have_text("Ada wins, 3–1–0")
    expect(page.locator(".points.total")).to_have_text(["3", "0", "1"])
    said: Any = page.locator(".sheet tbody", has_text="FI-81").locator(".said")
    expect(said).to_contain_text(["✓", "3 short", "2 short"])


def test_a_double_tap_skips_once(phone: Callable[..., Phone], server: Server) -> None:
    """A double tap on the button to skip enters its moves once, and one Undo takes all of them back. The button's hint
    is not cut.
    """
    table = open_table(server.referee, 1)
    page = phone(wide=NARROW, has_touch=True).sit(table)
    page.set_viewport_size(SHORT)
    for note in page.locator(".onward .hint").all():
        assert note.evaluate("(one) => one.scrollHeight <= one.clientHeight")
    page.get_by_role("button", name="Skip to Ada’s purchases").dblclick()
    expect(page.locator(".toast")).to_contain_text("On to the purchases: Ada begins (4 entries)")
    expect(page.locator("#table")).to_have_attribute("data-version", "6")
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("button", name="Skip to Ada’s purchases")).to_be_visible()
    played, _ = server.referee.table(table.table.id, table.keys.host)
    assert played.version == 7 and played.line == (2,)


def tap_as_text(browser: TextBrowser, text: str) -> None:
    """Tap a village or an answer, without a script."""
    if text.startswith("#"):
        browser.tap(browser.one(f"#c-{text[1:]}"))
        return
    question, _, label = text.rpartition("|")
    asked = browser.one(".question", question) if question else browser.one("#panel")
    browser.tap(browser.one_named("a.answer", label, within=asked))


def enter_as_text(browser: TextBrowser, kind: str, *answers: str) -> None:
    """Choose the kind of move, answer, and enter it, without a script."""
    if browser.all("#onward") and (kind, *answers) == ON[1:]:
        browser.tap(browser.one("#onward"))
        return
    browser.tap(browser.one_named("a.kind", kind))
    for answer in answers:
        tap_as_text(browser, answer)
    assert browser.says(".verdict h2") == "Legal"
    browser.tap(browser.one_named("button", "Enter"))


def test_a_whole_game_without_a_script(text_browser: TextBrowser) -> None:
    """Without a script, the whole game can be entered, with the same end and score."""
    browser, table = text_browser, open_table(text_browser.referee)
    browser.sit(table)
    for number, (_, kind, *answers) in enumerate(ENTRY_TAPS, 2):
        enter_as_text(browser, kind, *answers)
        assert browser.one("#table").attributes["data-version"] == str(number)
    played, _ = browser.referee.table(table.table.id, table.keys.host)
    assert [entry.notation for entry in played.last_moves(len(ENTRY_TAPS) + 1)] == [move for move, *_ in ENTRY_TAPS]
    assert "Ada" in browser.says(".ended")
    browser.tap(browser.one("#to-score"))
    assert browser.says(".result") == "Ada wins, 3–1–0"
    assert list(map(text_of, browser.all(".points.total"))) == ["3", "0", "1"]
    said = browser.one(".sheet tbody", "FI-81").css(".said")
    assert [mark in text_of(node) for mark, node in zip(["✓", "3 short", "2 short"], said, strict=True)] == [True] * 3


VICTORY_TAPS = (
    ("Who controls it?/Red", 0),
    ("What is built there?/city", 0),
    ("Which lord comes there?/Henri", 0),
    ("Fief titles (fiefs with a city)/the county of Sigy", 1),
    ("Other titles/king", 2),
)
"""Taps for the points of a victory: group/name, and the points after each."""
CITY = re.compile("city of Red.*His Majesty King Henri, Count of Sigy")


def test_what_victory_needs_is_entered_and_counted(phone: Callable[..., Phone]) -> None:
    """A count's taps enter a city, its title's lord and the crown; each updates the points."""
    page = phone(NARROW, high=740).open(f"/count/{GAME.id}")
    page.locator("#c-sigy").click()
    expect(page.locator("#c-sigy")).to_have_attribute("aria-current", "true")  # before, these names are brushes
    for pick, points in VICTORY_TAPS:
        group, name = pick.split("/")
        before = page.locator("#link").input_value()
        page.get_by_role("list", name=group, exact=True).get_by_role("link", name=name, exact=True).click()
        expect(page.locator("#link")).not_to_have_value(before)
        expect(page.locator(".totals .points").first).to_have_text(str(points))
    expect(page.locator("#c-sigy")).to_have_accessible_name(CITY)
    expect(page.locator(".sheet tbody", has_text="FI-81").locator(".said").first).to_contain_text("1 short")


def test_what_victory_needs_is_counted_without_a_script(text_browser: TextBrowser) -> None:
    """The same taps and points without a script."""
    browser = text_browser
    browser.open(f"/count/{GAME.id}")
    browser.tap(browser.one("#c-sigy"))
    for pick, points in VICTORY_TAPS:
        before = browser.one("#link").attributes["value"]
        browser.pick(*pick.split("/"))
        assert browser.one("#link").attributes["value"] != before
        assert browser.says(".totals .points") == str(points)
    assert CITY.search(browser.one("#c-sigy").attributes["aria-label"] or "")
    assert "1 short" in text_of(browser.one(".sheet tbody", "FI-81").css(".said")[0])
