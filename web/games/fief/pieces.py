"""Draws villages, their buildings, and lords, in units of a village's corner.

Everything about a village can be read without colour: its fief by name, its bishopric by number (the seat dark, below a
cross), its controller by the letter on the flag. Men stand on shields, women on lozenges.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from rules.caches import cache
from rules.kernel import Seat
from web.board.shapes import Shape
from web.games.fief.geography import LINE, SIDE, Box, Label, Point

FIEF_INKS: Final = 8
NAME_SIZES: Final = (20, 20, 20, 17, 13)
"""The type size of a fief's name, by its letters: it has to fit between flag and bishopric."""
ROMAN: Final = ("", "I", "II", "III", "IV", "V")
BUILDINGS: Final[Mapping[str, tuple[str, str]]] = {
    "village": ("M36 72V57L48 46L60 57V72ZM58 72V61L68 52L78 61V72Z", "M45 72V62h7V72ZM65 72V65h6V72Z"),
    "castle": ("M38 72V38h8v7h8v-7h8v7h8v-7h8V72Z", "M52 72V62a6 6 0 0 1 12 0V72Z"),
    "city": (
        "M28 72V46h6v-6h6v6h5V36h5v6h5v-6h5v6h5v-6h5V46h6v-6h6v6h6V72Z",
        "M53 72V61a5 5 0 0 1 10 0V72ZM33 54h6v7h-6ZM74 54h6v7h-6Z",
    ),
}
"""Building -> its outline, and the drawing on it."""
SHIELD: Final = "M0 0H32V18C32 28 24 33 16 37C8 33 0 28 0 18Z"
LOZENGE: Final = "M16 -3L36 17L16 39L-4 17Z"
CROWN: Final = "M3 0V-12L9 -6L16 -14L23 -6L29 -12V0Z"
CROSS: Final = "M13 -2V-5H8V-9H13V-14H19V-9H24V-5H19V-2Z"
SIZE: Final = 32
"""The width of a lord."""
MARK: Final = 11
"""Half the width of a mark on a road."""
STEP: Final = 3
FURTHEST: Final = 0.65
"""The step by which a mark moves along a road, and the part of the road that it may be away from its village."""
MOST: Final = 500
"""The maximum number of cached drawings for each kind of piece. A move leaves most pieces where they are."""


def path(ink: str, d: str, x: float = 0, y: float = 0, scale: float = 1) -> Shape:
    """A path, moved to a corner."""
    moved = f"translate({x:g} {y:g})" if x or y else ""
    if scale != 1:
        moved += f" scale({scale:g})"
    return Shape("path", ink, {"d": d} | ({"transform": moved} if moved else {}))


def text(ink: str, content: str, x: float, y: float, size: int, anchor: str = "middle") -> Shape:
    """Text whose middle, or beginning, is at a point."""
    return Shape("text", ink, {"x": x, "y": y, "font-size": size, "text-anchor": anchor}, content)


# --- the ground --------------------------------------------------------------------------------------------------


def village(x: float, y: float, fief: tuple[str, int], bishopric: int, *, seat: bool) -> Iterator[Shape]:
    """The square of a village: its fief (name and number) and its bishopric."""
    name, number = fief
    frame = {"x": x + 3, "y": y + 3, "width": SIDE - 6, "height": SIDE - 6, "rx": 14}
    yield Shape("rect", f"domain-{number % FIEF_INKS + 1}", frame)
    yield text("domain-name", name[:4], x + 55, y + 27, NAME_SIZES[min(len(name), 4)])
    kind = "seat" if seat else "see"
    yield Shape("rect", kind, {"x": x + 75, "y": y + 8, "width": 30, "height": 26, "rx": 5})
    yield text(f"{kind}-number", ROMAN[bishopric], x + 90, y + 28, 19)
    if seat:
        yield path("seat", "M87 9V4h-5V0h5V-6h6V0h5V4h-5V9Z", x, y)


def road(a: tuple[float, float], b: tuple[float, float]) -> Shape:
    """A road between the middles of two villages."""
    return Shape("path", "road", {"d": f"M{a[0]:g} {a[1]:g}L{b[0]:g} {b[1]:g}"})


def label(at: Label) -> Iterator[Shape]:
    """A village's name."""
    for number, line in enumerate(at.lines):
        yield text("village-name", line, at.x, at.y + (number + 1) * LINE - 3, LINE)


# --- the pieces --------------------------------------------------------------------------------------------------


@cache(MOST)
def building(kind: str, x: float, y: float) -> tuple[Shape, ...]:
    """A village, a castle or a city."""
    outline, marks = BUILDINGS[kind]
    return path("building", outline, x, y), path("building-mark", marks, x, y)


def flag(seat: Seat, letter: str, x: float, y: float) -> tuple[Shape, ...]:
    """The flag of a controller, with the letter of the colour."""
    pole, cloth = path("flagpole", "M6 8V44", x, y), path(f"piece-{seat}", "M7 8H35V34H7Z", x, y)
    return pole, cloth, text(f"piece-letter-{seat}", letter, x + 21, y + 28, 22 if len(letter) == 1 else 17)


def lord(seat: Seat, initial: str, marks: frozenset[str], x: float, y: float, scale: float = 1) -> tuple[Shape, ...]:
    """A lord; `marks`: woman, fief, church, crown, out (excommunicated)."""
    woman = "woman" in marks
    found = [path(f"piece-{seat}", LOZENGE if woman else SHIELD, x, y, scale)]
    if "fief" in marks:
        found.append(path("crown", "M7 27H25V31H7Z" if woman else "M8 31H24V35H8Z", x, y, scale))
    found.append(_initial(seat, initial, x, y, scale))
    if "crown" in marks:
        found.append(path("crown", CROWN, x, y, scale))
    if "church" in marks:
        found.append(path("church", CROSS, x, y, scale))
    if "out" in marks:
        found.append(path("struck", "M-2 34L34 0", x, y, scale))
    return tuple(found)


def _initial(seat: Seat, initial: str, x: float, y: float, scale: float) -> Shape:
    return text(f"piece-letter-{seat}", initial, x + 16 * scale, y + 25 * scale, round(22 * scale))


def army(seat: Seat, x: float, y: float, scale: float = 1) -> tuple[Shape, ...]:
    """The army of a dead lord."""
    return path(f"piece-{seat}", SHIELD, x, y, scale), _initial(seat, "†", x, y, scale)


def arrival(seat: Seat, village: Point, by: Point, names: Collection[Box]) -> Shape:
    """A mark on the road by which lords have come: the lords there may not leave that way.

    It is beside the village, or further along the road if it would hide any of the `names`.
    """
    across, down = by[0] - village[0], by[1] - village[1]
    far = max((across**2 + down**2) ** 0.5, 1)
    beside = 1.12 * SIDE / 2 * far / max(abs(across), abs(down), 1)
    ways = [beside + step for step in range(0, int(max(far * FURTHEST - beside, 0)) + 1, STEP)]
    places = [(village[0] + across * out / far, village[1] + down * out / far) for out in ways]
    x, y = next((place for place in places if not any(_touches(place, name) for name in names)), places[0])
    return Shape("circle", f"piece-{seat}", {"cx": round(x), "cy": round(y), "r": MARK})


def _touches(mark: Point, name: Box) -> bool:
    """Whether a mark on the road covers a part of a name."""
    left, top, right, bottom = name
    return left - MARK < mark[0] < right + MARK and top - MARK < mark[1] < bottom + MARK
