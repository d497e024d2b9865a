"""Symbols of Robber Knights: landscapes, buildings, knights, and the icons made from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from rules.caches import cache
from rules.kernel import Seat
from rules.robber_knights.moves import Move, Tile
from rules.robber_knights.state import COLOURS
from rules.robber_knights.tiles import FACES, Face
from web.board.shapes import MAX_ICONS, Shape, Symbol, path

Place: TypeAlias = tuple[int, int]


def _land(ink: str, *shapes: Shape) -> tuple[Shape, ...]:
    square = Shape("rect", f"tile-{ink}", {"x": 1.5, "y": 1.5, "width": 97, "height": 97, "rx": 7})
    return (square, *shapes)


LANDS: Mapping[str, tuple[Shape, ...]] = {
    "lake": _land(
        "lake", path("tile-wave", "M12 44q9-9 19 0t19 0t19 0t19 0M12 62q9-9 19 0t19 0t19 0t19 0M31 80q9-9 19 0t19 0")
    ),
    "mountain": _land(
        "mountain",
        path("tile-peak", "M6 92L32 40L46 66L62 30L94 92Z"),
        path("tile-snow", "M62 30L53 50L62 45L70 50Z"),
    ),
    "plain": _land("plain", path("tile-grass", "M14 88v-8m5 8v-10m5 10v-7M40 92v-7m5 7v-9m5 9v-6M28 74v-6m5 6v-7")),
    "forest": _land(
        "forest", *(path("tile-tree", f"M{x} 92V84H{x - 11}L{x} 58L{x + 11} 84H{x}") for x in (16, 38, 60))
    ),
}
BUILDINGS: Mapping[str, tuple[Shape, ...]] = {
    "castle": (
        path("building", "M20 66V22h9v9h9v-9h9v9h9v-9h9V66Z"),
        path("building-mark", "M36 66V53a6.500 6.500 0 0 1 13 0V66Z"),
    ),
    "village": (
        path("building", "M14 66V48L28 35L42 48V66ZM44 66V52L56 41L68 52V66Z"),
        path("building-mark", "M24 66V55h8V66ZM52 66V57h8V66Z"),
    ),
    "town": (
        path("building", "M8 66V46L19 36L30 46V66ZM30 66V34L39 12L48 34V66ZM48 66V46L59 36L70 46V66Z"),
        path("building-mark", "M15 66V56h8V66ZM35 66V52h8V66ZM55 66V56h8V66ZM36 40h6v6h-6Z"),
    ),
}


SYMBOLS = (
    *(Symbol(f"land-{name}", shapes) for name, shapes in LANDS.items()),
    *(Symbol(f"building-{name}", shapes) for name, shapes in BUILDINGS.items()),
    *(Symbol(f"knight-{c}", (Shape("circle", f"piece-{c}", {"cx": 80, "cy": 82, "r": 15}),)) for c in COLOURS),
)


def use(symbol: str, x: float = 0, y: float = 0, *, ghost: bool = False, at: Place | None = None) -> Shape:
    """A symbol in its place, on a tile at a point of the board."""
    offset = {name: value for name, value in (("x", x), ("y", y)) if value}
    return Shape("use", "", {"href": f"#{symbol}", **offset}, ghost=ghost, at=at)


def draw_face(face: Face, at: Place | None = None, *, ghost: bool = False) -> Iterator[Shape]:
    """A tile by its face."""
    land, *building = face.split()
    yield use(f"land-{land}", ghost=ghost, at=at)
    for name in building:
        yield use(f"building-{name}", ghost=ghost, at=at)


# --- icons -------------------------------------------------------------------------------------------------------


def sketch(move: Move, seat: Seat | None) -> tuple[Shape, ...]:
    """The tile that is laid, or the end of the turn."""
    return icon(move.face if isinstance(move, Tile) else move.kind, seat)


@cache(MAX_ICONS)  # the stock of a player is remembered by which icon it has
def icon(kind: str, seat: Seat | None) -> tuple[Shape, ...]:
    """A tile, a knight, or the end of the turn, in a square of 100 units."""
    if kind == "stop":
        return (Shape("rect", "march", {"x": 28, "y": 28, "width": 44, "height": 44, "rx": 6}),)
    if kind == "knight":
        return (use(f"knight-{seat or COLOURS[0]}", -30, -32),)
    face: Face = next((face for face in FACES if face == kind), "plain castle")
    return tuple(draw_face(face))
