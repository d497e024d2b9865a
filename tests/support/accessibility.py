"""What axe finds on a page in a browser, and what there is too small to be tapped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Page

from tests.e2e.conftest import Phone

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS: Mapping[str, Any] = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules by which light and dark can differ."""
NAMES: Mapping[str, Any] = {
    "runOnly": WCAG,
    # What is tapped must be larger here than its rule asks for, wherever it stands: see `measured`.
    "rules": {name: {"enabled": False} for name in ("target-size", *COLOURS["runOnly"])},
}
"""All others."""
LOOK: Mapping[str, Any] = {
    "resultTypes": ["violations", "incomplete"],
    "preload": False,
    # As axe has them, but that the contrast of signs such as ✓ is looked at, too.
    "checks": {
        "color-contrast": {
            "options": {
                "ignoreUnicode": False,
                "ignoreLength": True,
                "ignorePseudo": False,
                "boldValue": 700,
                "boldTextPt": 14,
                "largeTextPt": 18,
                "contrastRatio": {"normal": {"expected": 4.5}, "large": {"expected": 3}},
                "pseudoSizeThreshold": 0.25,
                "shadowOutlineEmMax": 0.2,
                "textStrokeEmMin": 0.03,
            }
        }
    },
}
"""What axe is asked for. No rule of these needs a preloaded style sheet."""
AXE = """async ([options, style, known]) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets.push(sheet);
    const looks = new Set(known);
    const drawn = ["color", "backgroundColor", "backgroundImage", "opacity", "fontSize", "fontWeight", "textShadow",
        "webkitTextStroke", "filter", "mixBlendMode", "position"];
    const read = (style) => drawn.map((name) => style[name]).join();
    const hash = (text) => {
        let so = 7;
        for (let at = 0; at < text.length; at++) so = (so * 31 + text.charCodeAt(at)) % 281474976710597;
        return so;
    };
    const mark = (one, above) => {
        const style = getComputedStyle(one);
        const says = [...one.childNodes].some(({nodeType, data}) => nodeType === Node.TEXT_NODE && data.trim());
        const look = hash([
            above, one.tagName, one.type, says, one.disabled, one.ariaDisabled, read(style),
            one.checkVisibility({visibilityProperty: true}),
            ...["::before", "::after"].map((name) => getComputedStyle(one, name)).map((style) =>
                style.content === "none" || read(style)),
            // What is out of the flow can lie over anything: there it counts where it is.
            ["absolute", "fixed", "sticky"].includes(style.position) && JSON.stringify(one.getBoundingClientRect()),
        ].join());
        if (!looks.has(look)) {
            looks.add(look);
            one.dataset.fresh = "";
        }
        for (const each of one.matches("svg") ? one.querySelectorAll("text") : one.children) mark(each, look);
    };
    if (known) mark(document.documentElement, 0);
    axe.configure({rules: [{id: "color-contrast", selector: known ? "[data-fresh]" : "*"}]});
    const {violations, incomplete} = await axe.run(options);
    document.querySelectorAll("[data-fresh]").forEach((one) => delete one.dataset.fresh);
    document.adoptedStyleSheets.pop();
    const contrast = incomplete.find(({id}) => id === "color-contrast") ?? {nodes: []};
    const undecided = {id: "undecided contrast", nodes: contrast.nodes.filter(({html}) => !html.startsWith("<text "))};
    return [[...looks], Object.fromEntries([...violations, undecided].filter(({nodes}) => nodes.length).map(
        ({id, nodes}) => [id, nodes.map(({html, any}) => `${html.slice(0, 200)} ${any[0]?.message ?? ""}`)]))];
}"""
"""Runs axe, and tells the elements that violate each rule, or whose contrast it could not decide. The words of drawings
are not among them: what lies under these it never knows, and `tests/web/test_boards.py` reckons with it.
"""
DECIDABLE = """select { background-image: none !important }
    .squares > *, .unseen { display: none !important }
    .tabs, .actions, .onward, .outbox, .trouble-bar { position: static !important }
    .board { position: relative !important }
    .table { flex: none !important }
    .below { overflow: visible !important }
    .id.quiet { margin-block: 0 !important }"""
"""What axe cannot look behind is away while it looks at colours: the arrow at the end of a list, places of an enlarged
board that are beyond its edge, what is only heard, what stays on the screen over what is read, the edge of a panel that
scrolls, and a link's room for a finger.
"""
PRIMARY, LEAST = 44, 24
"""CSS pixels: of what is there to be tapped (WCAG 2.5.5), and of anything at all (2.5.8)."""
CONTROLS: Final = "a:not(.cell):not(.skip), button:not(.place), input, select, textarea, summary"
CELLS: Final = "a.cell, button.place"
MEASURE = """names => [document.documentElement.scrollWidth <= innerWidth, ...names.map(name =>
    [...document.querySelectorAll(name)].filter(one => one.checkVisibility({visibilityProperty: true})).map(one => {
        const label = ['radio', 'checkbox'].includes(one.type) && one.closest('label');
        const box = (label || one).getBoundingClientRect();
        return [one.id || one.textContent.trim(), box.width, box.height];
    }).filter(([, width, height]) => width > 1 && height > 1))]"""
"""Whether the page fits its screen, and what there is to tap and can be seen: its name, its width, its height."""


def examine(made: Phone) -> Phone:
    """A phone whose pages come with axe: so it is read faster than when it is sent to each of them."""
    made.context.add_init_script(AXE_SCRIPT)
    return made


def violations(page: Page, known: set[int] | None = None) -> dict[str, list[str]]:
    """What axe finds: the elements that violate each rule."""
    return find_faults(page, NAMES) | colours(page, known)


def colours(page: Page, known: set[int] | None = None) -> dict[str, list[str]]:
    """What it finds that can differ by day and by night; see `find_faults`."""
    return find_faults(page, COLOURS, DECIDABLE, known)


def find_faults(
    page: Page, rules: Mapping[str, Any], style: str = "", known: set[int] | None = None
) -> dict[str, list[str]]:
    """What is amiss by some rules, on a page with this style besides. What is so while it is still laid out is none.

    The contrast of an element follows from how it is drawn, and all that it is in. Where the looks that are `known` are
    given, one of each other look is examined, and known then.
    """
    asked = [{**LOOK, **rules}, style, None if known is None else list(known)]
    looks, amiss = page.evaluate(AXE, asked)
    if amiss:
        page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        looks, amiss = page.evaluate(AXE, asked)
    if known is not None:
        known.update(looks)
    found: dict[str, list[str]] = amiss
    return found


def measure(page: Page, zoomed: bool) -> tuple[bool, list[tuple[str, float, float]]]:
    """Whether the page fits its screen; and the controls below 44 pixels, cells and places of a whole board below 24,
    those of a zoomed one below 44.
    """
    fits, controls, cells = page.evaluate(MEASURE, [CONTROLS, CELLS])
    least = PRIMARY if zoomed else LEAST
    small = [box for box in controls if min(box[1:]) < PRIMARY - 0.01] + [box for box in cells if min(box[1:]) < least]
    return fits, small


COVERED_FOCUS = """() => {
    const one = document.activeElement;
    if (one === document.body || one.closest("#squares")) return null;
    const {left, top, width, height} = one.getBoundingClientRect();
    const parts = [.2, .5, .8];
    const at = parts.flatMap(x => parts.map(y => document.elementFromPoint(left + x * width, top + y * height)));
    const label = one.closest("label");
    const seen = at.some(there => there && (one.contains(there) || label?.contains(there)));
    return seen ? null : one.id || one.textContent.trim();
}"""
"""What has the focus and of which nothing is seen, if that is so."""
