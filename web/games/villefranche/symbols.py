"""Symbols of Villefranche: its wooden blocks and its gate, in units of 100 a cell.

The view is from the front and from above, so it shows the top, the front, and the sides of a pyramid. The outline alone
identifies the block, without any colour; windows, doors and merlons show what it has become.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.caches import cache
from rules.kernel import Seat
from rules.villefranche.state import COLOURS
from web.board.shapes import MAX_ICONS, Shape, Symbol, path

CELL = 100
"""The side of a cell, in units."""
SHADES: Mapping[str, str] = {"black": "dark", "white": "light"}
"""Colour of a piece -> its shade."""
HEIGHTS: Mapping[str, int] = {
    "brick": 20,
    "cube": 28,
    "pyramid": 40,
    "cylinder": 19,
    "nave": 20,
    "nave-upright": 20,
    "rampart": 28,
    "rampart-upright": 28,
}
"""The height of each piece, at which the next one stands."""


def _cube(shade: str) -> Iterator[Shape]:
    yield path(f"{shade}-top", "M21 26H79V56H21Z")
    yield path(f"{shade}-front", "M21 56H79V84H21Z")
    yield path(f"{shade}-mark", "M43 84V69a7 7 0 0 1 14 0V84Z")


def _pyramid(shade: str) -> Iterator[Shape]:
    yield path(f"{shade}-side", "M15 86L24 54 50 24Z")
    yield path(f"{shade}-side", "M85 86L76 54 50 24Z")
    yield path(f"{shade}-front", "M15 86H85L50 24Z")
    yield path(f"{shade}-seam", "M32 70H68M41 54H59")


def _cylinder(shade: str) -> Iterator[Shape]:
    yield path(f"{shade}-front", "M22 54V73A28 13 0 0 0 78 73V54Z")
    yield Shape("ellipse", f"{shade}-top", {"cx": 50, "cy": 54, "rx": 28, "ry": 13})
    yield path(f"{shade}-mark", "M46 71H54V81H46Z")


def _windows(y: int, *xs: int) -> str:
    return "".join(f"M{x - 5} {y}v-8a5 5 0 0 1 10 0v8Z" for x in xs)


def _nave(shade: str, length: int) -> Iterator[Shape]:
    right = length - 10
    yield path(f"{shade}-top", f"M10 36H{right}V64H10Z")
    yield path(f"{shade}-seam", f"M10 50H{right}")
    yield path(f"{shade}-front", f"M10 64H{right}V84H10Z")
    yield path(f"{shade}-mark", _windows(81, *range(30, right, 40)))


def _nave_upright(shade: str) -> Iterator[Shape]:
    yield path(f"{shade}-top", "M27 12H73V164H27Z")
    yield path(f"{shade}-seam", "M50 12V164")
    yield path(f"{shade}-front", "M27 164H73V184H27Z")
    yield path(f"{shade}-mark", _windows(181, 50))


def _crenels(length: float, teeth: int) -> str:
    """The upper edge of a wall, from left to right: a tooth, a gap, and so on."""
    step = f"h{length / teeth:.2f}"
    return "".join(step + ("v10" if n % 2 == 0 else "v-10") for n in range(teeth - 1)) + step


def _rampart(shade: str, length: int) -> Iterator[Shape]:
    right = length - 3
    joints = "".join(f"M{x} 50v11" for x in range(24, right, 44)) + "".join(f"M{x} 63v11" for x in range(46, right, 44))
    yield path(f"{shade}-top", f"M3 26H{right}V42H3Z")
    yield path(f"{shade}-front", f"M3 76V32{_crenels(length - 6, 13 if length > CELL else 7)}V76Z")
    yield path(f"{shade}-seam", f"{joints}M5 62H{right - 2}")


def _rampart_upright(shade: str) -> Iterator[Shape]:
    notches = "".join(f"M31 {y}h8v13h-8ZM61 {y}h8v13h-8Z" for y in range(-4, 160, 26))
    yield path(f"{shade}-front", "M31 170H69V194H31Z")
    yield path(f"{shade}-top", "M31 -9H69V170H31Z")
    yield path(f"{shade}-front", notches)
    yield path(f"{shade}-seam", "M50 172V182M33 182H67")


def _forms(shade: str) -> Mapping[str, Iterator[Shape]]:
    """Every block in a shade. The halves are for icons, which have room for one cell only."""
    return {
        "cube": _cube(shade),
        "pyramid": _pyramid(shade),
        "cylinder": _cylinder(shade),
        "nave": _nave(shade, 200),
        "nave-upright": _nave_upright(shade),
        "nave-half": _nave(shade, 100),
        "rampart": _rampart(shade, 200),
        "rampart-upright": _rampart_upright(shade),
        "rampart-half": _rampart(shade, 100),
    }


GATE = Symbol(
    "gate",
    (
        Shape("path", "gate", {"d": "M16 84V46A34 34 0 0 1 84 46V84Z"}),
        Shape("path", "gateway", {"d": "M33 84V50A17 17 0 0 1 67 50V84Z"}),
    ),
)
SYMBOLS = (
    GATE,
    *(Symbol(f"{shade}-{form}", tuple(shapes)) for shade in SHADES.values() for form, shapes in _forms(shade).items()),
)


# --- icons -------------------------------------------------------------------------------------------------------

ICONS: Mapping[str, tuple[tuple[str, float, float], ...]] = {
    # form, and its offset to the right and down, in a square of 100 units
    "rampart": (("rampart-half", 0, 8),),
    "corner_storey": (("cylinder", 0, -8),),
    "house": (("cube", 0, -4),),
    "roof": (("cube", 0, 8), ("pyramid", 0, 8 - HEIGHTS["cube"])),
    "noble_storey": tuple(("cylinder", 0.0, 10.0 - HEIGHTS["cylinder"] * n) for n in range(3)),
    "nave": (("nave-half", 0, 0),),
    "bell_tower": (("nave-half", 0, 10), ("pyramid", 0, 10 - HEIGHTS["nave"])),
    "brick": (("nave-half", 0, -8),),
    "cube": (("cube", 0, -6),),
    "pyramid": (("pyramid", 0, -6),),
    "cylinder": (("cylinder", 0, -10),),
}


@cache(MAX_ICONS)  # the stock of a player is remembered by which icon it has
def icon(kind: str, seat: Seat | None) -> tuple[Shape, ...]:
    """A kind of move, or a piece, in a square of 100 units."""
    shade = SHADES[seat or COLOURS[0]]
    return tuple(Shape("use", "", {"href": f"#{shade}-{form}", "x": x, "y": y}) for form, x, y in ICONS[kind])
