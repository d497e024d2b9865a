"""After a change, the browser computes the style of the changed elements, not of the whole page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

STYLES = Path(__file__).parents[2] / "web" / "static"
NAME_IN_SELECTOR = re.compile(r"(:(is|where)\()?[.#\[\w&]")


def selectors(css: str) -> Iterator[str]:
    """Each selector of a style sheet; a nested one follows its outer selectors."""
    above: list[list[str]] = []
    for found in re.finditer(r"([^{};]*)([{};])", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        said, mark = found[1].strip(), found[2]
        if mark == "}":
            above.pop()
        elif mark == "{":
            outer = above[-1] if above else [""]
            own = outer if said.startswith("@") else [f"{one} {it}" for one in outer for it in parts_of(said, ",")]
            above.append(own)
            yield from () if said.startswith("@") else own


def parts_of(text: str, at: str) -> list[str]:
    """The parts of a selector between these characters, outside brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if depth == 0 and sign in at:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def wide(selector: str) -> bool:
    """Whether a selector with `:has()` has a nameless subject, or a nameless last part."""
    compounds = parts_of(selector, " >+~")
    asks = [compound for compound in compounds if ":has(" in compound]
    return bool(asks) and not all(NAME_IN_SELECTOR.match(compound) for compound in [*asks, compounds[-1]])


@pytest.mark.parametrize("file", sorted(STYLES.glob("*.css")), ids=lambda file: file.stem)
def test_has_names_whom_it_concerns(file: Path) -> None:
    """Each `:has()` names its element; otherwise every swapped part restyles the whole page."""
    assert [it for it in selectors(file.read_text()) if wide(it)] == []


@pytest.mark.parametrize("selector", [":has(.step-1) .squares", ".table:has(.onward) :focus-visible:not(.cell)"])
def test_what_concerns_the_whole_page_is_found(selector: str) -> None:
    """The control: the test finds two selectors that took half of an undo's time on a slow phone."""
    assert [it for it in selectors(f"@media print {{ {selector} {{ margin: 0 }} }}") if wide(it)] == [f" {selector}"]
