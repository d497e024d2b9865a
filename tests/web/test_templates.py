"""What templates may not contain, and the exact script library."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

import web
from tests.support.loops import over
from web.app import MACROS
from web.assets import inks_sheet
from web.board.inks import GRASS, PAVING, merge_inks
from web.games import all_pages

WEB = Path(web.__file__).parent
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
HTMX = "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717"
"""SHA-256 of ``dist/htmx.min.js`` in the package htmx.org 2.0.11."""

FORBIDDEN_WORDS = {
    "text that is not escaped": r"\|\s*safe|autoescape|Markup",
    "a style of its own": r"\sstyle=|<style",
    "a script within": r"<script(?![^>]*\bsrc=)|\son[a-z]+=|javascript:",
    "what htmx would have to evaluate": r"hx-on|hx-vals|hx-vars|js:|hx-headers|hx-trigger=\"[^\"]*\[",
    "a file from elsewhere": r"(src|href)=\"(https?:)?//",
}


@pytest.mark.parametrize("pattern", FORBIDDEN_WORDS.values(), ids=FORBIDDEN_WORDS)
def test_templates_stay_within_the_policy(pattern: str) -> None:
    """No template contains what the content security policy forbids, or what could turn a name into markup."""
    for template in over(TEMPLATES):
        assert not re.search(pattern, template.read_text(encoding="utf-8")), template


def test_no_page_calls_anything_else_by_the_name_of_a_macro() -> None:
    """No template and no view sets a variable with a macro's name, which its included parts would then find."""
    macros = {name for names in MACROS.values() for name in names} | {"icon", "mark", "stock"}
    for template in over(TEMPLATES):
        given = re.findall(r"\{% set (\w+)", template.read_text(encoding="utf-8"))
        assert macros.isdisjoint(given), template
    for view in over(WEB.rglob("*.py")):
        given = re.findall(r"\b(\w+)=", "".join(re.findall(r"\bpage\(\s*\"[^)]*", view.read_text(encoding="utf-8"))))
        assert macros.isdisjoint(given), view


def test_every_attribute_is_quoted() -> None:
    """Templates quote the value of every attribute, so no value can end its attribute."""
    for template in over(TEMPLATES):
        assert not re.search(r"=\{\{", template.read_text(encoding="utf-8")), template


def test_htmx_is_the_one_that_was_read() -> None:
    """The htmx library equals the released file, byte for byte."""
    files = list((WEB / "static").glob("htmx*.js"))
    assert [file.name for file in files] == ["htmx-2.0.11.min.js"]
    assert hashlib.sha256(files[0].read_bytes()).hexdigest() == HTMX


def test_the_style_sheets_know_every_ink() -> None:
    """Every ink of the boards has a rule in the style sheet, also for forced colours."""
    by_day, forced, _ = inks_sheet().split("@media (forced-colors: active)")  # the last one is that of the marks
    for ink in over(merge_inks(pages.inks for pages in all_pages().values())):
        assert re.search(rf"\.{ink}\b", by_day), ink
        assert re.search(rf"\.{ink}\b", forced), ink


def test_every_property_of_the_style_is_set_once() -> None:
    """Every custom property in use is set somewhere; the colours of boards' grounds stand only in the inks."""
    sheets = "".join(file.read_text(encoding="utf-8") for file in (WEB / "static").glob("*.css"))
    named = set(re.findall(r"var\((--[\w-]+)", sheets))
    scripts = "".join(file.read_text(encoding="utf-8") for file in (WEB / "static").glob("*.js"))
    by_scripts = re.findall(r"setProperty\(\"(--[\w-]+)\"", scripts)
    assert named <= {*by_scripts, *re.findall(r"(--[\w-]+):", sheets + inks_sheet())}
    assert "--paving" in named
    assert [colour for colour in (*GRASS, *PAVING) if colour in sheets] == []
