"""What axe finds on a page in a browser, and which controls are too small to tap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Page

from tests.e2e.conftest import Phone

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS: Mapping[str, Any] = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules that light and dark mode can break differently."""
NAMES: Mapping[str, Any] = {
    "runOnly": WCAG,
    # A control must be larger than `target-size` asks for, wherever it is: see `measure`.
    "rules": {name: {"enabled": False} for name in ("target-size", *COLOURS["runOnly"])},
}
"""All other rules."""
LOOK: Mapping[str, Any] = {
    "resultTypes": ["violations", "incomplete"],
    "preload": False,
    # Axe's defaults, but it checks the contrast of signs such as ✓, too.
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
"""The options of axe. None of these rules needs a preloaded style sheet."""
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
"""Runs axe; returns the elements that violate each rule, or whose contrast it could not decide. The words of drawings
are not among them: what lies under these it never knows, and `tests/web/test_boards.py` reckons with it.
"""
DECIDABLE = """select { background-image: none !important }
    .squares > *, .unseen { display: none !important }
    .tabs, .actions, .onward, .outbox, .trouble-bar { position: static !important }
    .board { position: relative !important }
    .table { flex: none !important }
    .below { overflow: visible !important }
    .id.quiet { margin-block: 0 !important }"""
"""Hides or moves what axe cannot look behind when it checks colours. It concerns the arrow at the end of a list, places
of an enlarged board beyond its edge, and text for screen readers. It also concerns what stays on the screen over the
text, the edge of a panel that scrolls, and a link's room for a finger.
"""
PRIMARY, LEAST = 44, 24
"""The least size, in CSS pixels, of a control (WCAG 2.5.5), and of anything at all (2.5.8)."""
CONTROLS: Final = "a:not(.cell):not(.skip), button:not(.place), input, select, textarea, summary"
CELLS: Final = "a.cell, button.place"
MEASURE = """names => [document.documentElement.scrollWidth <= innerWidth, ...names.map(name =>
    [...document.querySelectorAll(name)].filter(one => one.checkVisibility({visibilityProperty: true})).map(one => {
        const label = ['radio', 'checkbox'].includes(one.type) && one.closest('label');
        const box = (label || one).getBoundingClientRect();
        return [one.id || one.textContent.trim(), box.width, box.height];
    }).filter(([, width, height]) => width > 1 && height > 1))]"""
"""Returns whether the page fits its screen, and the name, width and height of each visible control."""


def examine(made: Phone) -> Phone:
    """Load axe into all pages of a phone: faster than to send it to each of them."""
    made.context.add_init_script(AXE_SCRIPT)
    return made


def violations(page: Page, known: set[int] | None = None) -> dict[str, list[str]]:
    """The elements that violate each rule of axe."""
    return find_faults(page, NAMES) | colours(page, known)


def colours(page: Page, known: set[int] | None = None) -> dict[str, list[str]]:
    """The violations that can differ by day and by night; see `find_faults`."""
    return find_faults(page, COLOURS, DECIDABLE, known)


def find_faults(
    page: Page, rules: Mapping[str, Any], style: str = "", known: set[int] | None = None
) -> dict[str, list[str]]:
    """The violations of some rules, on a page with this extra style. If there are any, axe runs again after layout.

    The contrast of an element follows from its look and that of all around it. With `known` looks, axe examines one
    element of each other look, and adds that look to `known`.
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
    """Whether the page fits its screen, and what is too small. These are controls below 44 pixels; and cells and
    places of a whole board below 24, or of a zoomed one below 44.
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
"""Returns the element with the focus if no part of it is visible, else null."""
