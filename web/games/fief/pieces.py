"""Villages, what is built there, and lords, in units of a village's corner.

What a village is shows without colour: its fief by name, its bishopric by number (the seat dark, below a cross), its
controller by the letter on the flag. Men stand on shields, women on lozenges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rules.kernel import Seat
from web.board.shapes import Shape
from web.games.fief.geography import SIDE

FIEF_INKS: Final = 8
ROMAN: Final = ("", "I", "II", "III", "IV", "V")
BUILDINGS: Final[Mapping[str, tuple[str, str]]] = {
    "village": ("M36 72V57L48 46L60 57V72ZM58 72V61L68 52L78 61V72Z", "M45 72V62h7V72ZM65 72V65h6V72Z"),
    "castle": ("M38 72V38h8v7h8v-7h8v7h8v-7h8V72Z", "M52 72V62a6 6 0 0 1 12 0V72Z"),
    "city": (
        "M28 72V46h6v-6h6v6h5V36h5v6h5v-6h5v6h5v-6h5V46h6v-6h6v6h6V72Z",
        "M53 72V61a5 5 0 0 1 10 0V72ZM33 54h6v7h-6ZM74 54h6v7h-6Z",
    ),
}
"""What stands in a village -> its outline, and what is drawn on it."""
SHIELD: Final = "M0 0H32V18C32 28 24 33 16 37C8 33 0 28 0 18Z"
LOZENGE: Final = "M16 -3L36 17L16 39L-4 17Z"
CROWN: Final = "M3 0V-12L9 -6L16 -14L23 -6L29 -12V0Z"
CROSS: Final = "M13 -2V-5H8V-9H13V-14H19V-9H24V-5H19V-2Z"
SIZE: Final = 32
"""How wide a lord stands."""


def path(ink: str, d: str, x: float = 0, y: float = 0) -> Shape:
    """A path, moved to a corner."""
    return Shape("path", ink, {"d": d} | ({"transform": f"translate({x:g} {y:g})"} if x or y else {}))


def text(ink: str, said: str, x: float, y: float, size: int, anchor: str = "middle") -> Shape:
    """Text whose middle, or beginning, is at a point."""
    return Shape("text", ink, {"x": x, "y": y, "font-size": size, "text-anchor": anchor}, said)


# --- the ground --------------------------------------------------------------------------------------------------


def village(x: float, y: float, fief: tuple[str, int], bishopric: int, *, seat: bool) -> Iterator[Shape]:
    """The square of a village: its fief (name and number) and its bishopric."""
    name, number = fief
    frame = {"x": x + 3, "y": y + 3, "width": SIDE - 6, "height": SIDE - 6, "rx": 14}
    yield Shape("rect", f"domain-{number % FIEF_INKS + 1}", frame)
    yield text("domain-name", name[:4], x + 56, y + 27, 20 if len(name) < 3 else 14)
    kind = "seat" if seat else "see"
    yield Shape("rect", kind, {"x": x + 69, "y": y + 8, "width": 35, "height": 26, "rx": 5})
    yield text(f"{kind}-number", ROMAN[bishopric], x + 86.5, y + 28, 20)
    if seat:
        yield path("seat", "M84 9V4h-5V0h5V-6h6V0h5V4h-5V9Z", x, y)


def road(a: tuple[float, float], b: tuple[float, float]) -> Shape:
    """A road between the middles of two villages."""
    return Shape("path", "road", {"d": f"M{a[0]:g} {a[1]:g}L{b[0]:g} {b[1]:g}"})


def label(name: str, x: float, y: float, within: float) -> Iterator[Shape]:
    """A village's name below it, in two lines where it is long, and not over the edge of the board."""
    lines, size = _lines(name), 27
    for number, line in enumerate(lines):
        half = len(line) * size * 0.28
        middle = min(max(x, half + 4), within - half - 4)
        yield text("village-name", line, round(middle), y + (number + 1) * size - 3, size)


def _lines(name: str) -> tuple[str, ...]:
    blanks = [place for place, letter in enumerate(name) if letter == " "]
    if len(name) <= 12 or not blanks:
        return (name,)
    cut = min(blanks, key=lambda place: abs(place - len(name) / 2))
    return name[:cut], name[cut + 1 :]


# --- what stands there -------------------------------------------------------------------------------------------


def building(kind: str, x: float, y: float) -> Iterator[Shape]:
    """A village, a castle or a city."""
    outline, marks = BUILDINGS[kind]
    yield path("building", outline, x, y)
    yield path("building-mark", marks, x, y)


def flag(seat: Seat, letter: str, x: float, y: float) -> Iterator[Shape]:
    """The flag of a controller, with the letter of the colour."""
    yield path("flagpole", "M9 8V44", x, y)
    yield path(f"piece-{seat}", "M10 8H42V34H10Z", x, y)
    yield text(f"piece-letter-{seat}", letter, x + 26, y + 29, 23)


def lord(seat: Seat, initial: str, marks: frozenset[str], x: float, y: float) -> Iterator[Shape]:
    """A lord; `marks`: woman, fief, church, crown, out (excommunicated)."""
    yield path(f"piece-{seat}", LOZENGE if "woman" in marks else SHIELD, x, y)
    if "fief" in marks:
        yield path("crown", "M8 31H24V35H8Z" if "woman" not in marks else "M7 27H25V31H7Z", x, y)
    yield text(f"piece-letter-{seat}", initial, x + 16, y + 25, 22)
    if "crown" in marks:
        yield path("crown", CROWN, x, y)
    if "church" in marks:
        yield path("church", CROSS, x, y)
    if "out" in marks:
        yield path("struck", "M-2 34L34 0", x, y)


def army(seat: Seat, x: float, y: float) -> Iterator[Shape]:
    """The army of a dead lord."""
    yield path(f"piece-{seat}", SHIELD, x, y)
    yield text(f"piece-letter-{seat}", "†", x + 16, y + 25, 22)


def arrival(seat: Seat, village: tuple[float, float], by: tuple[float, float]) -> Shape:
    """A mark on the road by which lords have come: who stands there may not leave that way."""
    across, down = by[0] - village[0], by[1] - village[1]
    far = max((across**2 + down**2) ** 0.5, 1)
    out = 1.12 * SIDE / 2 * far / max(abs(across), abs(down), 1)
    x, y = village[0] + across * out / far, village[1] + down * out / far
    return Shape("circle", f"piece-{seat}", {"cx": round(x), "cy": round(y), "r": 11})
