"""A style sheet sent without comments means the same to a browser as the written file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.e2e.conftest import Phone
from web import assets

# In a custom property's value spaces count, as a browser takes it as text.
RULES = """written => [...document.styleSheets].map(sheet => {
    const name = new URL(sheet.href).pathname.split("/").at(-1);
    const own = new CSSStyleSheet();
    own.replaceSync(written[name]);
    const close = text => text.replace(/\\s*([,()])\\s*/g, "$1");
    return [name, ...[own, sheet].map(from => [...from.cssRules].map(rule => close(rule.cssText)))];
})"""


def test_a_lean_style_sheet_has_the_same_rules(phone: Callable[..., Phone]) -> None:
    """A sent style sheet has exactly the rules of the written file, in the same order."""
    static = Path(assets.__file__).with_name("static")
    written = {path.name: path.read_text() for path in static.glob("*.css")} | {assets.INKS: assets.inks_sheet()}
    sheets = phone().open("/").evaluate(RULES, written)
    assert {name for name, _, _ in sheets} == {"app.css", "text.css", "home.css", assets.INKS}
    for name, own, sent in sheets:
        assert len(own) > 10, name
        assert sent == own, name
