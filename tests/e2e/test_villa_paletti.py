"""Whole games of Villa Paletti entered by taps on a narrow phone, with a script and without."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from rules import GAMES
from service import schemas
from service.judgements import AttemptedMove
from service.referee.use_cases import NewTable, Referee
from tests.e2e.conftest import Phone, Server
from tests.e2e.text_browser import TextBrowser, text_of
from tests.support.records import record_of, said_of

GAME = GAMES["villa_paletti"]
NARROW = 360
KINDS = {"column": "Column moved up", "abort": "Column put back", "neutral": "Neutral column moved up"}
ROW = ".ask, .together a"
"""A kind of move at a cell, also within a group refused for one reason."""
CALLED_OF_THREE = {"blue": "Bill", "green": "Gaby", "red": "Ruth"}
CALLED_OF_FOUR = {"red": "Rita", "green": "Gil", "blue": "Bea", "yellow": "Yann"}
"""The players' names in the two recorded games."""
LAST = 3
"""The number of last moves: a column, a floor with an objection, a challenge."""
MOST = 12
"""The most presses of a key to reach a control."""
TOWARDS = """one => {
    if (one === document.activeElement) return null;
    const [to, here] = [one, document.activeElement].map(each => each.getBoundingClientRect());
    const across = to.left + to.width / 2 - here.left - here.width / 2;
    const down = to.top + to.height / 2 - here.top - here.height / 2;
    if (Math.abs(down) > Math.abs(across)) return down > 0 ? "ArrowDown" : "ArrowUp";
    return across > 0 ? "ArrowRight" : "ArrowLeft";
}"""
"""The arrow key that leads nearer to a cell; null once it has the focus."""
WAY = """one => {
    if (one === document.activeElement) return null;
    return document.activeElement.compareDocumentPosition(one) & 2 ? "Shift+Tab" : "Tab";
}"""
"""The key that leads to a control; null once it has the focus."""
SKIP = """to => {
    const here = document.querySelector(".question:focus-within") ?? document.getElementById("panel");
    const leads = there => (there.matches(".asked-for") ? there.parentElement : there).contains(to);
    const skips = [...document.querySelectorAll("a.skip")];
    return skips.findIndex(skip => here.contains(skip) && leads(document.querySelector(skip.hash)));
}"""
"""The index of the skip link near the focus that leads to a control or its question, or -1."""
RESULTS = {"ok": "it worked", "fail": "it failed", "crash": "the villa fell"}


def record_with_cases(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A recorded game, and its recorded rulings."""
    path = f"{GAME.id}/{name}"
    return record_of(path), said_of(path)


def tap_cell(page: Page, cell: str) -> None:
    """Tap a column on the board."""
    page.locator(f"[id='c-{cell.replace(' ', '.')}']").click()


def answer(page: Page, text: str) -> None:
    """Choose an answer by its text."""
    page.locator(".answer", has_text=text).first.click()
    expect(page.locator(".answer.chosen", has_text=text).first).to_be_visible()


def reach(control: Locator, way: str) -> None:
    """Press the key that leads to a control until it has the focus."""
    for _ in range(MOST):
        key = control.evaluate(way)
        if key is None:
            return
        control.page.keyboard.press(key)
    expect(control).to_be_focused()


def by_keyboard(control: Locator) -> None:
    """Press a control by keys: cells by arrows, questions and buttons by their skip links."""
    page = control.page
    expect(control).to_be_visible()
    expect(page.locator("body.waiting")).to_have_count(0)
    skip = control.evaluate(SKIP)
    if control.evaluate("one => one.matches('a.cell')"):
        reach(page.locator("a.cell[tabindex='0']"), WAY)
        reach(control, TOWARDS)
    elif skip >= 0:
        reach(page.locator("a.skip").nth(skip), WAY)
        page.keyboard.press("Enter")
    reach(control, WAY)
    page.keyboard.press("Enter")


def label_of(column: Any) -> str:
    """The label of a column to choose."""
    names = {"small": "small column", "hex": "hexagonal column", "big": "big column"}
    words = (column.colour.capitalize(), names[column.shape], f"level {column.level}")
    return ", ".join((*words, "locked") if getattr(column, "locked", False) else words)


def pick(page: Page, title: str, column: Any) -> None:
    """Choose a column by its picture, if the page asks."""
    label = label_of(column)
    question = page.locator(".question", has_text=title)
    if not question.count():
        return
    question.get_by_role("link", name=label).and_(question.locator(f":text('{label}')").locator("..")).first.click()
    expect(question.locator(".answer.chosen")).to_contain_text(f"level {column.level}")


def try_on_page(page: Page, attempt: Any, who: str, which: str, column: Any) -> None:
    """Answer for an objection or a challenge: its player, its column and its result."""
    answer(page, f"{CALLED_OF_THREE[attempt.by]} {who}")
    pick(page, which, column)
    page.locator(".question", has_text="How did it go?").locator(".answer", has_text=RESULTS[attempt.result]).click()


def ask_floor(page: Page, move: Any) -> None:
    """Choose the next floor, and answer its questions."""
    page.locator(".kind", has_text="Floor").click()
    expect(page.locator(".asked-for", has_text="What came of it?")).to_be_visible()
    if move.objection is None:
        answer(page, "laid" if move.laid else "given up")
        return
    try_on_page(page, move.objection, "objects", "is tried?", move.objection)
    if move.objection.result == "fail":
        if move.objection.taken is None:
            answer(page, "none")
        else:
            pick(page, "is taken out?", move.objection.taken)
        page.locator(".question", has_text="And the floor?").locator(
            ".answer", has_text="laid" if move.laid else "given up"
        ).click()


def challenged_column(move: Any, neutral: str) -> Any:
    """The neutral column of a challenge."""
    return SimpleNamespace(colour=neutral, shape=move.challenge.shape, level=move.challenge.level)


def put_back(page: Page, move: Any, neutral: str) -> None:
    """Choose a neutral column to put back, with or without a challenge."""
    tap_cell(page, move.cell)
    page.locator(".ask", has_text="Neutral column put back").click()
    expect(page.locator(".asked-for", has_text="challenge")).to_be_visible()
    if move.challenge is None:
        answer(page, "nobody")
        return
    try_on_page(page, move.challenge, "does", "Which neutral column", challenged_column(move, neutral))


def enter(page: Page, move: Any, neutral: str, *, stands: bool) -> None:
    """Enter a move by taps, and check its verdict first."""
    if move.kind == "floor":
        ask_floor(page, move)
    elif move.kind == "neutral_abort":
        put_back(page, move, neutral)
    else:
        tap_cell(page, move.cell)
        crash = getattr(move, "crash", False)
        if crash:
            page.get_by_text("Something else").click()
        page.locator(ROW, has_text="The villa fell" if crash else KINDS[move.kind]).first.click()
    expect(page.locator(".verdict h2")).to_have_text("Not legal" if stands else "Legal")
    page.get_by_role("button", name="Let it stand" if stands else "Enter", exact=True).click()


def winner_of(record: dict[str, Any], said: dict[str, Any]) -> str:
    """The winner's name."""
    winner = next(place for place in said["end"]["ranking"] if place[0] == 1)[1]
    assert len(winner) == 1, "the game has one winner"
    names = {player["colours"][0]: player["name"] for player in record["setup"]["players"]}
    return str(names[winner[0]])


def moves_of(record: dict[str, Any]) -> list[str]:
    """The moves of a record in notation."""
    return [entry if isinstance(entry, str) else entry["move"] for entry in record["moves"]]


def notations(referee: Referee, table: NewTable) -> list[str]:
    """The moves of a table in notation."""
    played, _ = referee.table(table.table.id, table.keys.host)
    return [entry.notation for entry in played.last_moves(1_000)]


def play(page: Page, record: dict[str, Any], begun: int = 0) -> None:
    """Enter the moves of a record from `begun` on; the page announces each one alone."""
    neutral = GAME.setup(schemas.load(schemas.of(GAME).setup, record["setup"])).neutral
    for number, entry in enumerate(record["moves"][begun:], begun + 2):
        notation = entry if isinstance(entry, str) else entry["move"]
        enter(page, GAME.read(notation), neutral, stands=not isinstance(entry, str))
        expect(page.locator("#table")).to_have_attribute("data-version", str(number))
        expect(page.locator("#said")).to_have_text(page.locator(".toast").inner_text())


def test_a_whole_game(phone: Callable[..., Phone], server: Server) -> None:
    """A game of three players, with floors, objections and challenges, can be entered until somebody wins."""
    record, said = record_with_cases("a_challenger_brings_it_down")
    setup = schemas.load(schemas.of(GAME).setup, record["setup"])
    table = server.referee.open(GAME.id, setup, [])
    page = phone(wide=NARROW).sit(table)
    play(page, record)
    assert notations(server.referee, table) == moves_of(record)
    expect(page.locator(".ended strong")).to_contain_text(f"{winner_of(record, said)} wins")


def test_the_end_of_a_game_by_the_keyboard_alone(
    phone: Callable[..., Phone], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few presses of keys reach cells, questions and buttons, and enter the last moves of a game."""
    record, said = record_with_cases("a_challenger_brings_it_down")
    begun = len(record["moves"]) - LAST
    setup = schemas.load(schemas.of(GAME).setup, record["setup"])
    before = [AttemptedMove(GAME.read(move), False) for move in record["moves"][:begun]]
    table = server.referee.open(GAME.id, setup, before)
    page = phone(wide=NARROW).sit(table)
    expect(page.locator("a.cell[tabindex='0']")).to_have_count(1)
    monkeypatch.setattr(Locator, "click", by_keyboard)
    play(page, record, begun)
    assert notations(server.referee, table) == moves_of(record)
    expect(page.locator(".ended strong")).to_contain_text(f"{winner_of(record, said)} wins")


# --- without a script ------------------------------------------------------------------------------------------------


def give_answer(browser: TextBrowser, text: str, question: str = "") -> None:
    """Choose an answer by its text, and check that it is shown as chosen."""
    asked = browser.one(".question", question) if question else browser.one("#panel")
    browser.tap(browser.one("a.answer", text, within=asked))
    assert any(text in text_of(chosen) for chosen in browser.all(".answer.chosen"))


def pick_column(browser: TextBrowser, title: str, column: Any) -> None:
    """Choose a column by its picture."""
    browser.tap(browser.one("a.answer", label_of(column), within=browser.one(".question", title)))
    assert f"level {column.level}" in text_of(browser.one(".answer.chosen", within=browser.one(".question", title)))


def try_by_text(browser: TextBrowser, attempt: Any, who: str, which: str, column: Any) -> None:
    """Answer for an objection or a challenge: its player, its column and its result."""
    give_answer(browser, f"{CALLED_OF_FOUR[attempt.by]} {who}")
    pick_column(browser, which, column)
    give_answer(browser, RESULTS[attempt.result], "How did it go?")


def tell_floor(browser: TextBrowser, move: Any) -> None:
    """Choose the next floor, and answer its questions."""
    laid = "laid" if move.laid else "given up"
    browser.tap(browser.one("a.kind", "Floor"))
    browser.one(".asked-for", "What came of it?")
    if move.objection is None:
        give_answer(browser, laid)
        return
    try_by_text(browser, move.objection, "objects", "is tried?", move.objection)
    if move.objection.result == "fail":
        if move.objection.taken is None:
            give_answer(browser, "none")
        else:
            pick_column(browser, "is taken out?", move.objection.taken)
        give_answer(browser, laid, "And the floor?")


def tell(browser: TextBrowser, move: Any, neutral: str) -> None:
    """Enter a move up to its verdict."""
    if move.kind == "floor":
        tell_floor(browser, move)
        return
    browser.tap(browser.one(f"[id='c-{move.cell.replace(' ', '.')}']"))
    if move.kind == "neutral_abort":
        browser.tap(browser.one(".ask", "Neutral column put back"))
        browser.one(".asked-for", "challenge")
        if move.challenge is None:
            give_answer(browser, "nobody")
        else:
            try_by_text(browser, move.challenge, "does", "Which neutral column", challenged_column(move, neutral))
        return
    browser.tap(browser.one(ROW, "The villa fell" if getattr(move, "crash", False) else KINDS[move.kind]))


def test_a_whole_game_without_a_script(text_browser: TextBrowser) -> None:
    """Without a script, a game of four players can be entered until somebody wins."""
    record, said = record_with_cases("holder_brings_it_down")
    setup = schemas.load(schemas.of(GAME).setup, record["setup"])
    browser, neutral = text_browser, GAME.setup(setup).neutral
    browser.sit(browser.referee.open(GAME.id, setup, []))
    for number, entry in enumerate(record["moves"], 2):
        stands = not isinstance(entry, str)
        tell(browser, GAME.read(entry["move"] if stands else entry), neutral)
        assert browser.says(".verdict h2") == ("Not legal" if stands else "Legal")
        browser.tap(browser.one_named("button", "Let it stand" if stands else "Enter"))
        assert browser.one("#table").attributes["data-version"] == str(number)
    assert f"{winner_of(record, said)} wins" in browser.says(".ended strong")
