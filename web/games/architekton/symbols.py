"""Symbols of Architekton: the tiles with their landscapes, the houses, and the icons made from them.

A cell is a square of 100 units. The ink, the drawing and the letter of a tile each suffice to recognize it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from rules.architekton.moves import Building, Land, Move, UpBuilding, UpLandscape
from rules.architekton.state import COLOURS
from rules.architekton.tiles import LANDSCAPE, LETTER
from rules.caches import cache
from rules.kernel import Seat
from web.board.shapes import MAX_ICONS, Shape, Symbol, path

Marks: TypeAlias = "tuple[tuple[str, str], ...]"
"""The letter of each landscape; none in a picture beside words, which every language shares."""
MOST: Final = 1_000
"""The maximum number of cached drawings of tiles. A move leaves most tiles where they are."""
EXAMPLE = "FWME"
"""An example of a building."""
SHADES: Mapping[Seat, str] = {"light": "light", "dark": "dark"}
SIDES = ((50, 18), (82, 50), (50, 82), (18, 50))
"""The places of the drawing and the letter of each side of a building: north, east, south, west."""

Place = tuple[float, float, float]
"""The upper left corner of a tile, and its scale."""


# --- tiles -------------------------------------------------------------------------------------------------------


MOTIFS: Mapping[str, tuple[Shape, ...]] = {
    # within 10 units of the origin: furrows, tufts of grass, waves, a fir
    "E": (path("motif", "M-10 -6H10M-10 0H10M-10 6H10"),),
    "M": (path("motif", "M-9 6l-3 -8M-9 6v-10M-9 6l3 -8M3 6l-3 -8M3 6v-10M3 6l3 -8"),),
    "W": (path("motif", "M-10 -3q5 -6 10 0t10 0M-10 5q5 -6 10 0t10 0"),),
    "F": (path("motif-full", "M0 -11L9 5H2.5V10H-2.5V5H-9Z"),),
}
SPREAD = ((26, 26), (74, 26), (26, 74), (74, 74))
"""The places where a landscape repeats its drawing, around its letter."""


def _symbols() -> tuple[Symbol, ...]:
    """The drawings of the landscapes, a landscape tile, a side of a building, and the houses."""
    found = [Symbol(f"motif-{letter}", shapes) for letter, shapes in MOTIFS.items()]
    for letter, name in LANDSCAPE.items():
        square = Shape("rect", name, {"x": 2, "y": 2, "width": 96, "height": 96, "rx": 6})
        found.append(Symbol(f"tile-{letter}", (square, *(_motif(letter, x, y, 1.4) for x, y in SPREAD))))
        found.append(Symbol(f"side-{letter}", (path(name, "M2 2H98L66 34H34Z"),)))
    for shade in SHADES.values():
        walls = path(f"{shade}-front", "M36 66V50L50 36 64 50V66Z")
        roof = path(f"{shade}-top", "M31 53L50 33 69 53 64 57 50 43 36 57Z")
        found.append(Symbol(f"house-{shade}", (walls, roof, path(f"{shade}-mark", "M46 66V56H54V66Z"))))
    return tuple(found)


def _motif(letter: str, x: float, y: float, scale: float = 1) -> Shape:
    return Shape("use", "", {"href": f"#motif-{letter}", "transform": f"translate({x} {y}) scale({scale})"})


def use(name: str, place: Place, turn: int = 0, *, ghost: bool = False) -> Shape:
    """A symbol in its place, turned by a number of degrees."""
    x, y, scale = place
    turned = f" rotate({turn} 50 50)" if turn else ""
    where = f"translate({x:g} {y:g}) scale({scale:g}){turned}"
    return Shape("use", "", {"href": f"#{name}", "transform": where}, ghost=ghost)


def _within(place: Place, x: float, y: float) -> tuple[float, float]:
    return place[0] + x * place[2], place[1] + y * place[2]


def _letter(letter: str, place: Place, x: float, y: float, size: int, *, ghost: bool) -> Shape:
    left, top = _within(place, x, y)
    bold = {"text-anchor": "middle", "font-weight": "bold"}
    at: dict[str, float | str] = {"x": left, "y": top, "font-size": size * place[2], **bold}
    return Shape("text", "letter", at, letter, ghost=ghost)


@cache(MOST)
def tile(
    text: str, place: Place, house: Seat | None = None, marks: Marks = (), *, ghost: bool = False
) -> tuple[Shape, ...]:
    """A tile, with the house on it, and with the letters of its landscapes if `marks` has them."""
    return tuple(_tile(text, place, house, dict(marks), ghost=ghost))


def _tile(text: str, place: Place, house: Seat | None, marks: Mapping[str, str], *, ghost: bool) -> Iterator[Shape]:
    if len(text) == 1:
        yield use(f"tile-{text}", place, ghost=ghost)
        if text in marks:
            yield _letter(marks[text], place, 50, 61, 32, ghost=ghost)
        return
    x, y, scale = place
    square = {"x": x + 2 * scale, "y": y + 2 * scale, "width": 96 * scale, "height": 96 * scale}
    yield Shape("rect", "plot", square, ghost=ghost)
    for number, (letter, (across, down)) in enumerate(zip(text, SIDES, strict=True)):
        yield use(f"side-{letter}", place, 90 * number, ghost=ghost)
        left, top = _within(place, across - (13 if number % 2 == 0 else 0), down - (0 if number % 2 == 0 else 12))
        yield use(f"motif-{letter}", (left, top, scale), ghost=ghost)
        aside = (13, 7) if number % 2 == 0 else (0, 21)
        if letter in marks:
            yield _letter(marks[letter], place, across + aside[0], down + aside[1], 20, ghost=ghost)
    if house is not None:
        yield use(f"house-{SHADES[house]}", place, ghost=ghost)


SYMBOLS = _symbols()


# --- icons -------------------------------------------------------------------------------------------------------


@cache(MAX_ICONS)  # the stock of a player is remembered by which icon it has
def icon(kind: str, seat: Seat | None) -> tuple[Shape, ...]:
    """A kind of move, or a piece, in a square of 100 units."""
    whole: Place = (0, 0, 1)
    shade = SHADES[seat or COLOURS[0]]
    if kind == "chips":
        return (
            Shape("circle", "chip", {"cx": 50, "cy": 50, "r": 32}),
            Shape("circle", "line", {"cx": 50, "cy": 50, "r": 22}),
        )
    if kind in ("building", "up_building"):
        return tile(EXAMPLE, whole, seat if kind == "building" else None)
    if kind in ("landscape", "up_landscape"):
        return tile("W", whole)
    if kind == "pass":
        return (path("label", "M20 44H58V28L82 50 58 72V56H20Z"),)
    house = use(f"house-{shade}", (-20, -20, 1.4), ghost=kind == "take")
    return (house,)


def sketch(move: Move, seat: Seat | None) -> tuple[Shape, ...]:
    """The tile of a move, in its orientation; any other move as its kind."""
    whole: Place = (0, 0, 1)
    if isinstance(move, Building):
        return tile(move.sides, whole, seat)
    if isinstance(move, UpBuilding):
        return tile(move.sides, whole)
    if isinstance(move, Land | UpLandscape):
        return tile(LETTER[move.landscape], whole)
    return icon(move.kind, seat)
