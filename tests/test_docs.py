"""The documents and the problem texts are plain and true, as far as a machine can check."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rules

ROOT = Path(__file__).parents[1]
DOCUMENTS = [path for folder in ("", "docs", "deploy") for path in sorted((ROOT / folder).glob("*.md"))]
TEXTS = sorted((ROOT / "service" / "i18n").glob("*.toml"))
MAX_WORDS = 30
LONGEST_LAYOUT = 60
LONGEST_README = 150
"""Lines of the README, at most."""
HEAVIEST = 120_000
"""Bytes of the README's picture, at most."""

# --- sentences ---------------------------------------------------------------------------------------------------


def prose(markdown: str) -> Iterator[str]:
    """The texts of a document, without markup and code: paragraphs, items of lists, cells of tables."""
    text = re.sub(r"^```.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^ {4}.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"<[^>]+>", "", text)
    text = re.sub(r"`[^`]+`", "code", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    for block in re.split(r"\n\s*\n|^#+ .*$|^ *(?:[-*]|\d+\.) |\||\n(?=\|)", text, flags=re.MULTILINE):
        if words(block):
            yield " ".join(block.split())


def strings(value: Any) -> Iterator[str]:
    """Every text of a TOML file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)


def words(text: str) -> list[str]:
    """The words of a text; a punctuation mark that stands alone, as in French, is none."""
    return [word for word in text.split() if re.search(r"\w", word)]


def too_long(texts: Iterator[str]) -> list[str]:
    """The sentences of more than `MAX_WORDS` words; a colon or a semicolon does not end one."""
    sentences = (sentence for text in texts for sentence in re.split(r"(?<=[.!?…])[*”»)]*\s+", text))
    return [sentence for sentence in sentences if len(words(sentence)) > MAX_WORDS]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_no_sentence_of_a_document_is_long(path: Path) -> None:
    """No sentence of a document has more than `MAX_WORDS` words."""
    assert too_long(prose(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_no_sentence_of_the_service_is_long(path: Path) -> None:
    """No sentence of the service's texts has more than `MAX_WORDS` words, in any language."""
    assert too_long(strings(tomllib.loads(path.read_text(encoding="utf-8")))) == []


LONG = " ".join(["word"] * (MAX_WORDS + 1))


@pytest.mark.parametrize(
    "document",
    [
        f"{LONG}.",
        f"Short. {LONG}. Short.",
        f"- item\n- {LONG}\n- item",
        f"1. {LONG}\n2. item",
        f"| head |\n|---|\n| {LONG} |",
        LONG.replace(" ", "\n"),
        LONG.replace("word word", "[word word](link.md)"),
        f"> **{LONG}**",
    ],
)
def test_a_long_sentence_is_found(document: str) -> None:
    """The control: a sentence with one word too many is found anywhere; with one fewer it passes."""
    assert len(too_long(prose(document))) == 1
    assert too_long(prose(document.replace("word", "", 1))) == []


@pytest.mark.parametrize(
    "document",
    [f"```\n{LONG}\n```", f"    {LONG}", f"| {LONG[:70]} | {LONG[70:]} |", f"`{LONG}`"],
)
def test_code_and_rows_are_no_long_sentences(document: str) -> None:
    """Code is no sentence, and a row of short cells is several."""
    assert too_long(prose(document)) == []


def test_a_long_sentence_of_the_service_is_found() -> None:
    """The control for texts: a long sentence in a nested table is found; French punctuation does not count."""
    assert too_long(strings({"problems": {"x": {"detail": "Short.", "about": f"{LONG} ; word : word."}}})) != []
    assert too_long(strings({"x": f"{LONG[10:]} : word."})) == []


# --- what documents point to -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(path: Path) -> None:
    """Every link within the project leads to an existing file."""
    text = path.read_text(encoding="utf-8")
    links = {*re.findall(r"\]\(([^)#]+)", text), *re.findall(r'src="([^"]+)"', text)}
    assert not [link for link in links if "://" not in link and not (path.parent / link).exists()]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_are_targets(path: Path) -> None:
    """Every `make …` of a document is a target of the Makefile."""
    named = set(re.findall(r"(?:`|^ {4})make ([a-z-]+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert named <= targets


def layout() -> set[str]:
    """The paths in the layout of docs/architecture.md, without those of a game's own files."""
    _, _, text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Layout\n\n```text\n")
    text = text.partition("```")[0]
    assert len(text.splitlines()) <= LONGEST_LAYOUT
    paths, folder = set(), ""
    for indent, name in re.findall(r"^(| {2})(\S+)", text, re.MULTILINE):
        folder = folder if indent else name
        paths.add(f"{folder}{name}" if indent else name)
    return paths - {"rules/<game>/"}


def test_the_layout_is_that_of_the_tree() -> None:
    """Every path of the layout exists, and the layout names every folder of the packages but the games."""
    named = layout()
    assert [path for path in named if not (ROOT / path).exists()] == []
    ours = (path for package in ("rules", "service", "web") for path in (ROOT / package).iterdir())
    there = {f"{path.relative_to(ROOT)}/" for path in ours if path.name[0] != "_" and any(path.glob("*.*"))}
    assert there - {f"rules/{game}/" for game in rules.GAMES} - named == set()


def settings_in(document: str) -> set[str]:
    """The variables that a document names as settings."""
    named = re.findall(r"`([A-Z_]{4,})`", (ROOT / document).read_text(encoding="utf-8"))
    return {name for name in named if name.startswith(("BASTIDE_", "REDIS_", "PORT"))}


def test_the_page_on_operation_lists_every_setting() -> None:
    """The page on operation names exactly the variables that Bastide reads; the README names no others."""
    read = set(re.findall(r'"((?:BASTIDE|REDIS|PORT)[A-Z_]*)"', (ROOT / "service/config.py").read_text("utf-8")))
    assert settings_in("docs/operation.md") == read
    assert settings_in("README.md") <= read
    assert "(docs/operation.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_is_short() -> None:
    """The README has at most `LONGEST_README` lines; longer texts are in `docs/`."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= LONGEST_README


def test_the_picture_is_light() -> None:
    """The picture of the README is a PNG of at most `HEAVIEST` bytes."""
    picture = (ROOT / "docs" / "table.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) <= HEAVIEST
