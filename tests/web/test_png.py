"""Boards and results as PNG, drawn on the server with our own font, without the machine's fonts."""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, fromstring
from xml.sax.saxutils import escape

import pytest
from flask import Flask
from resvg_py import svg_to_bytes

from rules import GAMES
from rules.steps import TooMuch, at_most
from tests.support.loops import over
from tests.support.records import RECORD_PATHS
from tests.support.tables import table_of_record
from web.board.png import FAMILY, FONTS, PIXELS, png
from web.views.sheet import DOCUMENTS

ROOT: Final = Path(__file__).parents[2]
SVG: Final = '<svg xmlns="http://www.w3.org/2000/svg"'
PARTS: Final = ("board", "sheet")
LANGUAGES: Final = ("en", "fr")
TEXT: Final = re.compile(r"<text[^>]*>([^<]*)</text>")
NO_SIGN: Final = "\u0378"
"""An unassigned character, which no font has."""
FONT_FILES: Final = {
    "DejaVuSans-Bold.ttf": "966629153cf6217edc6909593bd0d27844b97d69360ec0bece3f7349e5a2a54a",
    "DejaVuSans.ttf": "39ed8eae4cd4c2fe999948a1977af391dfb2fdc8cfdd837feeb203de7d2f47e6",
}
"""Font file -> its SHA-256."""
Draw = Callable[[str, str, Path, str], str | bytes]


@pytest.fixture
def draw(app: Flask) -> Draw:
    """Draws a part of a recorded game, in a format and a language."""

    def draw_part(form: str, part: str, path: Path, language: str) -> str | bytes:
        with app.test_request_context("/", headers={"Accept-Language": language}):
            return DOCUMENTS[form, part](table_of_record(path))

    return draw_part


def svgs(draw: Draw) -> Iterator[str]:
    """Both parts of each recorded game, in both languages."""
    for path in over(RECORD_PATHS):
        for part in PARTS:
            for language in LANGUAGES:
                yield str(draw("svg", part, path, language))


def parse(svg: str | bytes) -> Element:
    """A drawing, parsed."""
    return fromstring(svg)  # noqa: S314  # it is ours


def size_of(picture: bytes) -> tuple[int, int]:
    """The width and height in a PNG's header."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def svg_of_text(text: str, weight: int = 400, family: str = "sans-serif") -> str:
    """A drawing of a text."""
    style = f'font-size="30" font-weight="{weight}" font-family="{family}"'
    return f'{SVG} width="99" height="40"><text y="30" {style}>{escape(text)}</text></svg>'


def sign(text: str, weight: int = 400) -> bytes:
    """The PNG of a text in our font."""
    svg = svg_of_text(text, weight)
    return svg_to_bytes(svg, skip_system_fonts=True, font_files=FONTS, serif_family=FAMILY, sans_serif_family=FAMILY)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("game", GAMES)
def test_a_picture_is_as_large_as_any_other(game: str, part: str, language: str, draw: Draw) -> None:
    """Each game's PNG has the same number of pixels, its SVG's proportions, and the same bytes each time."""
    path = next(each for each in RECORD_PATHS if each.parent.name == game)
    picture = draw("png", part, path, language)
    assert isinstance(picture, bytes)
    width, height = size_of(picture)
    svg = parse(draw("svg", part, path, language))
    assert PIXELS * 0.99 < width * height < PIXELS + width
    assert width / height == pytest.approx(float(svg.attrib["width"]) / float(svg.attrib["height"]), rel=0.01)
    assert len(picture) > 20_000
    assert draw("png", part, path, language) == picture


def test_a_long_and_a_flat_picture_are_no_larger() -> None:
    """The number of pixels is limited, whatever size the SVG states."""
    for width, height in ((1, 5_000), (5_000, 1), (30_000, 30_000)):
        wide, high = size_of(png(f'{SVG} width="{width}" height="{height}"></svg>'))
        assert wide * high <= PIXELS + wide


def test_the_pixels_are_paid_before_they_are_drawn() -> None:
    """A PNG costs at least 12,000 steps in advance; with fewer left, nothing is drawn."""
    svg = f'{SVG} width="10" height="10"></svg>'
    with at_most(None) as effort:
        png(svg)
    assert effort.steps >= 12_000
    with at_most(effort.steps - 1), pytest.raises(TooMuch):
        png(svg)


def test_our_font_has_every_sign_of_ours(draw: Draw) -> None:
    """Our font, also in bold, has each character of all boards, results and words in both languages."""
    texts = [unescape(text) for svg in svgs(draw) for text in TEXT.findall(svg)]
    folders = [*(ROOT / "rules").glob("*/text/*.toml"), *(ROOT / "service" / "i18n").glob("*.toml")]
    words = [path.read_text(encoding="utf-8") for path in (*folders, *(ROOT / "web").rglob("*.po"))]
    for character in over(sorted(set("".join([*texts, *words])) - {"\n", "\t"})):
        for weight in (400, 700):
            assert sign(character, weight) != sign(NO_SIGN, weight), (character, weight)


def test_a_name_in_another_script_is_drawn() -> None:
    """Our font draws Latin, Greek and Cyrillic letters; others are an empty box, and marks of direction invisible."""
    for name in ("Zoë", "Łukasz", "Nguyễn", "Ελένη", "Жанна", "Ґалина"):
        for letter in name:
            assert sign(letter) != sign(NO_SIGN), letter
    for other in "あ中א😀":
        assert sign(other) == sign(NO_SIGN), other
    assert sign("\u2068Zoë\u2069") == sign("Zoë")


def test_no_font_of_the_machine_is_used() -> None:
    """PNGs use our font files only, whatever font family the SVG names."""
    for family in ("DejaVu Serif", "Liberation Serif", "system-ui", "monospace, serif"):
        assert png(svg_of_text("Zoë", family=family)) == png(svg_of_text("Zoë")) != png(svg_of_text("")), family
    found = {Path(file).name: hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in FONTS}
    assert found == FONT_FILES


def test_our_drawings_refer_to_nothing_outside(draw: Draw) -> None:
    """A drawing contains no image, no style and no address, so drawing it as PNG opens no file."""
    known = {"svg", "title", "defs", "symbol", "g", "use", "path", "rect", "circle", "ellipse", "text"}
    for svg in over(svgs(draw)):
        for element in over(parse(svg).iter()):
            assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in known
            for name, value in element.attrib.items():
                assert "url(" not in value
                assert "href" not in name or value.startswith("#")


@pytest.mark.parametrize("game", GAMES)
def test_nothing_of_a_board_lies_beyond_its_box(game: str, draw: Draw) -> None:
    """A white frame around a board hides nothing, so other documents need not clip it."""
    frame = '<path fill="#fff" fill-rule="evenodd" d="M-999 -999h9999v9999h-9999zM-4 -4h{wide}v{high}h-{wide}z"/>'
    for path in over([each for each in RECORD_PATHS if each.parent.name == game]):
        board = str(draw("svg", "board", path, "en"))
        width, height = (float(parse(board).attrib[name]) for name in ("width", "height"))
        head = f'{SVG} viewBox="-200 -200 {width + 400} {height + 400}">'
        plain, framed = (
            svg_to_bytes(f"{head}{board}{over_it}</svg>", width=300, background="white", skip_system_fonts=True)
            for over_it in ("", frame.format(wide=width + 8, high=height + 8))
        )
        assert plain == framed, path.name
