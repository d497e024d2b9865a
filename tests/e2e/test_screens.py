"""Small screens: in every game the due player and the choices are in sight beside or below the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import ViewportSize, expect

from rules import GAMES
from service import schemas
from service.judgements import AttemptedMove
from service.referee.use_cases import NewTable
from tests.e2e.conftest import AWAY, Phone, Server
from tests.support.accessibility import COVERED_FOCUS, PRIMARY
from tests.support.browser_game import ready
from tests.support.records import record_of
from tests.support.tables import open_table

LATE = {
    "villefranche/five_buildings": 60,
    "architekton/box_and_series": 48,
    "robber_knights/four_and_much_stood": 80,
    "villa_paletti/nobody_can_build": 24,
    "fief/six_together": 42,
}
"""A record of each game, with many players or a large board -> the number of moves played."""
CROWDED_TABLES = {
    "fief/three_alone": (7, 60),
    "fief/four_as_a_pair": (60,),
    "fief/six_together": (90, 150),
    "robber_knights/drawn": (19,),
    "villefranche/five_buildings": (45, 69),
}
"""Crowded tables -> the numbers of moves played; most have one or two buttons pinned above the tabs."""
NAMES = ("Ada", "Jean-Christophe Maximilian-Alexandre", "Elsa", "Alexandra-Marie", "Yann", "Bartholomäus Wilhelm")
CUT = 5
"""The length up to which names are not cut."""
ON_ITS_SIDE: ViewportSize = {"width": 844, "height": 390}
SHORT: ViewportSize = {"width": 320, "height": 568}
HIGHER: tuple[ViewportSize, ...] = ({"width": 320, "height": 700}, {"width": 360, "height": 641})
"""Sizes that a browser's own bars leave of short phones."""
USUAL: ViewportSize = {"width": 390, "height": 844}
LOOK = """text => {
    document.documentElement.style.fontSize = text;
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    const inSight = (names) => [...document.querySelectorAll(names)].filter((one) => {
        const {left, top, width, height} = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }).length;
    return {
        wide: document.documentElement.scrollWidth,
        high: box("#board").height,
        due: inSight(".state p, .player.due .token"),
        offers: inSight(".kind:not(.none), .onward .button"),
        cut: [...document.querySelectorAll(".player .name")].filter((one) =>
            one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right,
        ).map((one) => one.textContent),
        lines: new Set([...document.querySelectorAll(".player")].map((one) => one.getBoundingClientRect().top)).size,
        below: [...document.querySelectorAll(".kinds > .chips:not(.listed) .kind")].filter((one) =>
            one.getBoundingClientRect().bottom > box("#tabs").top,
        ).map((one) => one.textContent),
        beside: box("#tabs").right <= box("#board").left && box("#board").right <= box("#panel").left,
    };
}"""
"""Measures of the page with text of a size. An element is in sight if its middle is on the screen and uncovered;
`below` has the choices that reach under the tabs.
"""
VERDICT_PARTS = ("#players", "#board", ".verdict h2", ".verdict .what", ".in-short", "#cancel")
HIDDEN_PARTS = """names => names.filter((name) => {
    const one = document.querySelector(name);
    const {left, top, height} = one.getBoundingClientRect();
    return !one.contains(document.elementFromPoint(left + 24, top + height / 2));
})"""
"""The given elements whose beginning is covered."""

PINNED_PARTS = """() => {
    const whole = (one) => {
        const {left, top, width, height} = one.getBoundingClientRect();
        const parts = [.1, .3, .5, .7, .9];
        return parts.every(x => parts.every(y =>
            one.contains(document.elementFromPoint(left + x * width, top + y * height))));
    };
    const shown = (names) => [...document.querySelectorAll(names)].filter((one) => one.offsetWidth > 1);
    const buttons = [...document.querySelectorAll(".onward .button")];
    const kinds = document.querySelectorAll(".kinds > .chips > :first-child .kind, .kinds > .chips:not(.listed) .kind");
    const needed = [document.querySelector(".state p"), ...kinds, ...buttons];
    return {
        cut: needed.filter((one) => !whole(one)).map((one) => one.textContent.trim()),
        lowest: Math.min(...buttons.map((one) => one.getBoundingClientRect().height)),
        wide: document.documentElement.scrollWidth,
        stocks: Math.max(...shown(".stock").map((stock) => new Set(
            shown(".left").filter((one) => stock.contains(one)).map((one) => one.getBoundingClientRect().top)).size)),
        left: [...document.querySelectorAll(".player")].filter((one) => shown(".left").some((each) =>
            one.contains(each))).length,
        due: [...document.querySelectorAll(".player.due .left")].filter((one) => !whole(one)).length,
    };
}"""
"""`cut`: parts of headline, choices and pinned buttons that are not wholly visible. `stocks`: the most lines of a
player's supplies. `left`: the players with visible supplies. `due`: the due player's hidden ones.
"""


def late_tables(server: Server) -> Iterator[NewTable]:
    """A table in the middle of each game, with long names."""
    for name, played in LATE.items():
        record = record_of(name)
        game: Any = GAMES[name.partition("/")[0]]
        moves = [{"move": move} if isinstance(move, str) else move for move in record["moves"][:played]]
        tries = [AttemptedMove(game.read(move["move"]), bool(move.get("stands"))) for move in moves]
        for player, called in zip(record["setup"]["players"], NAMES, strict=False):
            player["name"] = called
        yield server.referee.open(game.id, schemas.load(schemas.of(game).setup, record["setup"]), tries)


def test_all_is_in_sight_on_small_screens(phone: Callable[..., Phone], server: Server) -> None:
    """A phone on its side has tabs, board and panel side by side, unless the text is large. A short one has the players
    in one line, and all unlisted choices above the tabs. Waiting moves cover no verdict.
    """
    made = phone(language="fr")
    for table in late_tables(server):
        page = made.sit(table)
        page.set_viewport_size(ON_ITS_SIDE)
        seen = page.evaluate(LOOK, "")
        assert (seen["beside"], seen["wide"], seen["due"]) == (True, ON_ITS_SIDE["width"], 2), seen
        assert seen["offers"] and seen["high"] <= ON_ITS_SIDE["height"], seen
        assert all(len(name) > CUT for name in seen["cut"]), seen
        seen = page.evaluate(LOOK, "200%")
        assert (seen["beside"], seen["wide"]) == (False, ON_ITS_SIDE["width"]), seen
        page.set_viewport_size(SHORT)
        seen = page.evaluate(LOOK, "")
        assert (seen["lines"], seen["wide"], seen["due"]) == (1, SHORT["width"], 2), seen
        assert seen["offers"] and all(len(name) > CUT for name in seen["cut"]), seen
        assert seen["below"] == [], seen
    made.expected_complaints = AWAY
    page = made.sit(server.table(), "?move=r+i7i8")
    ready(page)
    made.context.set_offline(True)
    page.locator("#place").click()
    expect(page.locator("#outbox summary")).to_contain_text("1")
    assert page.evaluate(HIDDEN_PARTS, VERDICT_PARTS) == []
    page.locator("#outbox summary").click()
    expect(page.locator("#outbox-move")).to_be_in_viewport()


def test_the_buttons_that_stay_cover_nothing(phone: Callable[..., Phone], server: Server) -> None:
    """On short phones headline, choices (of a list, the first) and buttons to go on are wholly visible, with supplies
    in one line. So is the first choice after an entry. No button covers the focus (WCAG 2.4.11).
    """
    made = phone(language="fr", wide=SHORT["width"], high=SHORT["height"])
    for name, numbers in CROWDED_TABLES.items():
        for number in numbers:
            page = made.sit(open_table(server.referee, name, number))
            for size in (*HIGHER, SHORT):
                page.set_viewport_size(size)
                seen = page.evaluate(PINNED_PARTS)
                assert (seen["cut"], seen["wide"]) == ([], size["width"]), (name, number, seen)
                assert seen["lowest"] >= PRIMARY and seen["stocks"] <= 1, (name, number, seen)
                assert (seen["left"], seen["due"]) == (page.locator(".player").count(), 0), (name, number, seen)
            page.set_viewport_size(ON_ITS_SIDE)
            assert page.evaluate(PINNED_PARTS)["stocks"] <= 1, (name, number)
    page = made.sit(open_table(server.referee, "fief/three_alone", 9))
    page.locator("#onward").click()
    expect(page.locator(".toast")).to_be_visible()
    first, buttons = page.locator(".kind").first.bounding_box(), page.locator(".onward").bounding_box()
    assert first and buttons and first["y"] + first["height"] <= buttons["y"] + 1
    page = made.sit(open_table(server.referee, "fief/three_alone", 60))
    for size in (SHORT, USUAL):
        page.set_viewport_size(size)
        page.evaluate("scrollTo(0, 0)")
        page.locator("a.cell").last.focus()
        for key in ("Tab", "Shift+Tab"):
            for _ in range(12):
                page.keyboard.press(key)
                assert page.evaluate(COVERED_FOCUS) is None
