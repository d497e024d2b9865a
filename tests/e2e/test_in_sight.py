"""After a tap, its result is in sight, and the tapped control is where it was.

A walk taps one of each kind of link, button and fold that it meets, wherever it leads. At each size it visits the pages
that all games share in one game or two, so that each game has its turn, and each game's own in every game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.e2e.conftest import ON_ITS_SIDE, SCREENS, SHORT, USUAL, Phone, Server
from tests.support.browser_gestures import await_scripts
from tests.support.tables import open_table

SIZES: Final = (ON_ITS_SIDE, USUAL, SHORT)
RECORDS: Final = {
    "villefranche/stood_and_cut": 30,
    "architekton/box_and_series": 30,
    "robber_knights/two_at_seven": 14,
    "villa_paletti/nobody_can_build": 16,
    "fief/three_alone": 60,
}
"""A record of each game -> the number of moves played."""
NEAR: Final = 1
"""Tolerance in pixels, which nobody sees."""
STEPS: Final = 60
"""The most taps of a walk from one address."""
ENOUGH: Final = 70
"""The least number of taps of all walks of a size; with fewer, they went astray."""
WALK: Final = """([known, game]) => {
    const seen = (one) => one.getBoundingClientRect().height > 0 && one.checkVisibility({visibilityProperty: true});
    const all = (names, within = document) => [...within.querySelectorAll(names)].filter(seen);
    const box = (one) => one.getBoundingClientRect();
    const kind = ({id, className, tagName}) => (tagName === "SUMMARY" ? "fold" : "") +
        id.replace(/\\d+/g, "#").replace(/^c-.*/, "cell").replace(/^o-.*/, "row") +
        String(className.baseVal ?? className).replace(/ ?(chosen|lit|fresh)/g, "");
    const below = () => document.querySelector(".below");
    const panelScrolls = () => getComputedStyle(below()).overflowY === "auto";
    const page = () => document.querySelector("#table").className.match(/on-[a-z-_]+/g) +
        document.querySelector("#panel").ariaLabel;

    // What can be tapped here, and swaps the page: the first of each kind that was not tapped on such a page yet.
    const tapped = new Set(known);
    const folds = (one) => one.matches("summary");
    const leads = (one) => folds(one) ? !one.parentElement.open : one.id && !one.closest("[hx-boost=false], .skip") &&
        (one.href ? !one.getAttribute("href").startsWith("#") : one.type === "submit" && !one.disabled);
    // What a game asks in its own way is tapped in each game.
    const ofGame = (one) => one.closest("#squares, #panel :is(.question, .kinds, .rows, .answers)") ? game : "";
    const next = () => all("#table :is(a, button, summary)").filter(leads).find((one) => {
        const name = ofGame(one) + page() + kind(one);
        return !tapped.has(name) && tapped.add(name);
    });
    window.tapped = () => [...tapped];

    // Whether a line of it is on the screen, with nothing over its first words.
    const inSight = (one) => {
        const {left, top, width, height} = box(one);
        const y = top + Math.min(height / 2, 12);
        return [4, 12, Math.min(width / 2, 40)].some((x) => {
            const there = document.elementFromPoint(left + x, y);
            return there && one.contains(there);
        });
    };
    const CHOICES = "#panel :is(.ask, .kind, .take, .answer, .onward .button)";
    // What was asked for: each list is of things of which the first one that is there is to be seen.
    const wanted = (gone) => {
        const found = all("[data-next]").at(0);
        if (found) return {question: [found], "first answer": all(".answers > li", found.parentElement).slice(0, 1)};
        const told = all(".below :is(.toast, .trouble[role=alert], .log .fresh)");
        if (told.length) return {told: told.slice(0, 1)};
        if (all("#panel .verdict").length) return {
            outcome: all("#panel .verdict h2"),
            reason: [...all(".in-short"), ...all("#panel .reasons .says"), ...all("#why")].slice(0, 1),
        };
        const [entry] = all("#panel .entry");
        if (entry) return {
            head: [...all(".log .lit .what"), ...all("h2", entry)],
            ...(all(".on-log, .on-replay").length
                ? {actions: [...all(".actions", entry), ...all("a, button", entry)].slice(0, 1)}
                : {actions: all(".actions", entry).slice(0, 1)}),
        };
        if (!gone) return {};
        const choices = all(CHOICES).slice(0, 1);
        return choices.length ? {choice: choices} : {beginning: all("#panel > :not(.skip, .unseen)").slice(0, 1)};
    };
    // Whether all of it would be on the screen, above the bars, if the page were moved by so much.
    const lowest = (from = innerHeight / 2) => {
        const panel = box(below());
        const beside = all(".tabs, .onward, .actions").map(box).filter(({left, right, top}) =>
            left < panel.right && right > panel.left && top > from);
        return Math.min(innerHeight, ...beside.map(({top}) => top));
    };
    const fits = (wants, by) => {
        const boxes = Object.values(wants).filter((found) => found.length).map(([one]) => box(one));
        return boxes.every(({top, bottom}) => top + by > -1 && bottom + by < lowest() + 1);
    };

    const frame = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    // The style sheet that a panel brings may come after it; then everything is put in its place once more.
    const styled = async () => {
        const unstyled = () => [...document.querySelectorAll("link[rel=stylesheet]")].some(({sheet}) => !sheet);
        do await frame(); while (unstyled());
        await frame();
    };

    // What is unfolded: the head stays, and the first lines below it are in sight.
    const unfold = async (one) => {
        const before = box(one).top, strip = box(document.querySelector("#players, #board")).top;
        document.querySelector("#menu:popover-open")?.hidePopover();
        one.click();
        await styled();
        const [head, first] = [one, [...one.parentElement.children].slice(1).find(seen)];
        const moved = box(head).top - before;
        return {
            what: `${location.pathname}${location.search} ${one.textContent}`,
            asked: true,
            panelScrolls: panelScrolls(),
            moved,
            due: Math.min(box(one).bottom + 144, box(one.parentElement).bottom) - moved > lowest() - 1,
            strip: box(document.querySelector("#players, #board")).top - strip,
            high: document.scrollingElement.scrollHeight,
            hidden: [head, ...first ? [first] : []].filter((part) => !inSight(part)).map(({tagName}) => tagName),
        };
    };

    window.walk = async () => {
        const one = next();
        if (!one) return null;
        if (folds(one)) {
            one.scrollIntoView({block: "center", behavior: "instant"});
            return unfold(one);
        }
        const {id} = one;
        for (const field of one.form?.querySelectorAll("[required]") ?? []) field.value ||= "Is it so?";
        one.scrollIntoView({block: "center", behavior: "instant"});
        const drawing = document.querySelector("#squares").getAttribute("viewBox");
        const before = box(one).top, strip = box(document.querySelector("#players, #board")).top;
        let asked = false;
        const asks = ({detail}) => { asked ||= !detail.requestConfig.news; };
        document.addEventListener("htmx:beforeRequest", asks);
        const answered = new Promise((done) => {
            const after = ({detail}) => {
                if (detail.requestConfig?.news) return;
                document.removeEventListener("htmx:afterRequest", after);
                styled().then(done);
            };
            document.addEventListener("htmx:afterRequest", after);
        });
        const what = `${location.pathname.split("/").slice(3).join("/")}${location.search} ${id}`;
        one.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
        document.removeEventListener("htmx:beforeRequest", asks);
        if (!asked) return {what, asked};
        await answered;
        if (!below()) return {what, asked: false};
        const there = document.getElementById(id);
        const stays = there && seen(there);
        const wants = wanted(!stays || there.matches(".cell, .tab"));
        // Of a board that is drawn otherwise, no cell is where it was.
        const drawn = document.querySelector("#squares").getAttribute("viewBox") === drawing;
        const bar = stays && there.closest(".tabs, .onward, .actions");
        const pinned = bar && getComputedStyle(bar).position === "sticky"; // it keeps to the edge of the screen
        const moved = stays && !pinned && (drawn || !there.matches(".cell")) ? box(there).top - before : 0;
        return {
            what,
            moved,
            // It had to move, or the page ends there.
            due: !fits(wants, -moved) || (moved > 0
                ? scrollY + innerHeight > document.scrollingElement.scrollHeight - 1 : scrollY < 1),
            strip: box(document.querySelector("#players, #board")).top - strip,
            panelScrolls: panelScrolls(),
            high: document.scrollingElement.scrollHeight,
            hidden: Object.keys(wants).filter((name) => wants[name].length && !wants[name].some(inSight)),
            wants: Object.keys(wants),
            asked,
        };
    };
}"""


SECTIONS: Final = (
    *("", "/score", "/log", "/log?entry=9", "/replay?step=9", "/readings", "/turns", "/disputes/new?entry=9"),
    *("/amend?entry=9&do=insert", "/amend/preview?entry=9&do=delete", "/then?entry=9", "/what-if", "/here"),
)
"""The sections of a table whose parts are swapped."""
OWN: Final = ("", "/what-if")
"""The sections that differ by game."""


def walk_taps(made: Phone, path: str, known: list[str], game: str) -> Iterator[dict[str, Any]]:
    """Yield the result of each tap of a walk from `path`; kinds of controls in `known` are not tapped again."""
    page = made.open(path)
    await_scripts(page)
    page.evaluate(WALK, [known, game])
    for _ in range(STEPS):
        came = page.evaluate("walk()")
        if came is None:
            break
        if came["asked"]:
            yield {"path": path, **came}
    known[:] = page.evaluate("tapped()")


def is_amiss(came: dict[str, Any], screen: ViewportSize) -> bool:
    """Whether a tap's result is out of sight, or something moved. On the usual screen only the panel scrolls; on others
    the tapped control stays in place, to a pixel, unless it has to move.
    """
    fits = screen == USUAL
    assert came["panelScrolls"] == fits, came
    if fits:
        return bool(came["hidden"]) or abs(came["strip"]) > NEAR or came["high"] != screen["height"]
    return bool(came["hidden"]) or (abs(came["moved"]) > NEAR and not came["due"])


@pytest.mark.parametrize(("screen", "language"), SCREENS)
def test_what_was_asked_for_is_in_sight(
    phone: Callable[..., Phone], server: Server, screen: ViewportSize, language: str
) -> None:
    """On all sections of one game or two, and on each other game's own, every tap's result is in sight."""
    made = phone(screen["width"], high=screen["height"], language=language)
    made.expected_complaints = ("422", "409")
    whole = list(RECORDS)[SIZES.index(screen) :: len(SIZES)]
    taps: list[dict[str, Any]] = []
    known: list[str] = []
    for record in sorted(RECORDS, key=whole.__contains__, reverse=True):
        game = record.partition("/")[0]
        table = open_table(server.referee, record, RECORDS[record])
        made.sit(table)
        at_table = [f"/t/{table.table.id}{section}" for section in (SECTIONS if record in whole else OWN)]
        for path in (*at_table, f"/ask/{game}", f"/count/{game}"):
            taps += walk_taps(made, path, known, game)
    assert len(taps) > ENOUGH
    amiss = [came for came in taps if is_amiss(came, screen)]
    assert not amiss, "\n".join(map(str, [len(taps), *amiss]))


@pytest.mark.parametrize("script", [True, False])
def test_a_tap_opens_the_board(phone: Callable[..., Phone], server: Server, script: bool) -> None:
    """Beside score, log and readings the board is about a third as high. A tap or a key makes it full size, another
    tap small again.
    """
    made = phone(script=script)
    table = server.table("r i7i8")
    whole = made.sit(table).locator("#board").bounding_box()
    for section in ("/score", "/moves", "/readings"):
        page = made.sit(table, section)
        heights = []
        for tap in (None, "click", "click", "key"):
            if tap == "key":
                page.locator("#unfold").press("Space")
            elif tap:
                page.locator("#unfold").click()
            box = page.locator("#board").bounding_box()
            heights.append(box["height"] if box else 0)
        assert whole
        small, large = 0.36 * whole["height"], whole["height"]
        assert heights[0] == heights[2] < small and heights[1] == heights[3] == large, (section, heights)
        page.locator("#c-e5").click()
        expect(page.locator("a.cell[aria-current]")).to_have_id("c-e5")


def test_what_is_unfolded_at_the_lower_edge_is_in_sight(phone: Callable[..., Phone], server: Server) -> None:
    """*Why?* of a legal move, and a fold of the log, stay in sight when opened, with their first line."""
    made = phone()
    table = open_table(server.referee, "villa_paletti/nobody_can_build", 20)
    made.sit(table)
    for asked, fold in (("?move=green+small+0", "#why"), ("/moves?entry=9", "#amends")):
        page = made.open(f"/t/{table.table.id}{asked}")
        await_scripts(page)
        head = page.locator(fold)
        expect(head).to_be_in_viewport()
        head.dispatch_event("click")
        expect(page.locator(f"{fold} + * > :first-child")).to_be_in_viewport(ratio=0.1)
        assert page.evaluate(
            """([name]) => { const {left, top, height} = document.querySelector(name).getBoundingClientRect();
                return document.elementFromPoint(left + 20, top + height / 2)?.closest("summary") !== null; }""",
            [fold],
        )


def test_an_outcome_is_in_sight_where_its_first_reason_is_in_the_bar(
    phone: Callable[..., Phone], server: Server
) -> None:
    """With the first reason in the bar, the ruling is in sight, too; other reasons may be below."""
    made = phone()
    table = open_table(server.referee, "villefranche/five_buildings", 25)
    made.sit(table)
    page = made.open(f"/t/{table.table.id}?at=e5")
    await_scripts(page)
    page.locator(".rows a:visible").first.click()
    expect(page.locator(".in-short.illegal")).to_be_in_viewport(ratio=1)
    expect(page.locator("#panel .verdict h2")).to_be_in_viewport(ratio=1)


def test_what_is_said_beside_the_button_moves_nothing(phone: Callable[..., Phone], server: Server) -> None:
    """A tile without its sides gets its warning beside *Go on from here*, so the panel does not scroll."""
    table = open_table(server.referee, "architekton/box_and_series", 30)
    page = phone().sit(table, "/here")
    await_scripts(page)
    page.locator("#b-1-1").click()
    expect(page.locator("#brush")).to_be_visible()
    page.locator("a.cell[aria-label^='free']").first.click()
    expect(page.locator(".onward .trouble")).to_be_in_viewport()
    assert page.locator(".below").evaluate("(one) => one.scrollTop") == 0


def test_the_piece_in_hand_is_in_sight(phone: Callable[..., Phone], server: Server) -> None:
    """The line about the brush stands above the chosen piece and does not cover it."""
    page = phone().sit(server.table("r b9c9"), "/here")
    await_scripts(page)
    page.locator("#b-1-2").click()
    expect(page.locator("#brush")).to_be_visible()
    hand, chosen = (page.locator(part).bounding_box() for part in ("#brush", "#b-1-2"))
    assert hand and chosen and hand["y"] + hand["height"] <= chosen["y"] + NEAR


@pytest.mark.parametrize("screen", [SHORT, ON_ITS_SIDE], ids=["short", "on its side"])
def test_a_link_to_an_entry_shows_its_head_and_its_first_action(
    phone: Callable[..., Phone], server: Server, screen: ViewportSize
) -> None:
    """A link to an entry shows its row and its first action, even where not all actions fit the screen.

    The form of a dispute is in sight with its move, its question and its button.
    """
    table = open_table(server.referee, "robber_knights/two_at_seven", 14)
    page = phone(screen["width"], high=screen["height"], language="fr").sit(table, "/moves?entry=3")
    await_scripts(page)
    expect(page.locator(".log .lit .what")).to_be_in_viewport(ratio=1)
    free = page.locator("#dispute").evaluate(
        """(one) => { const {left, bottom} = one.getBoundingClientRect();
            return one.contains(document.elementFromPoint(left + 20, bottom - 4)); }"""
    )
    assert free
    page.goto(f"{server.url}/t/{table.table.id}/disputes/new?entry=9")
    await_scripts(page)
    for asked in (".verdict .what", "#question", "#raise"):
        expect(page.locator(asked)).to_be_in_viewport(ratio=1)
