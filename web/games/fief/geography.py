"""Places the villages of a map on the drawing, and names them in addresses.

A village is a square of `SIDE` units. If the map has positions for its villages, the drawing uses them, enlarged until
each village can be tapped separately. Otherwise the villages are in a circle, so that no road crosses a village.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import cos, pi, sin
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from rules.caches import cache
from rules.kernel import Cell

Point: TypeAlias = "tuple[float, float]"
Box: TypeAlias = "tuple[float, float, float, float]"

SIDE: Final = 110
"""The side of a village, in units."""
WIDE, HIGH = 10.0, 10.0
"""Units for a hundredth of the board, across and down."""
MARGIN: Final = 48
"""The room for names beside and below the villages at the edge."""
MAX_STRETCH: Final = 3
"""The maximum enlargement of a map; beyond, it is drawn as a circle instead."""
RING: Final = 160
"""The distance of neighbouring villages on the circle."""
LETTER, LINE = 16, 27
"""The approximate width of a letter of a village's name, and the height of a line."""
LONGEST_LINE: Final = 12
"""The maximum letters of a name in one line."""
ASIDE: Final = (0, *(sign * far for far in range(8, 105, 8) for sign in (1, -1)))
"""The possible offsets of a name to the side."""
ABOVE: Final = 8
"""The room above a village for pieces that extend beyond it."""
NEAR: Final = 4 * SIDE
OVER: Final = 1000
PASSES: Final = 2
"""Each name is placed twice: the second time, the places of all others are known."""


@cache(32)
def centres(at: tuple[tuple[str, Point | None], ...]) -> Mapping[str, Point]:
    """The middle of each village, from its position in the map, if any."""
    known_points = [(name, point) for name, point in at if point is not None]
    stretch = _stretch([point for _, point in known_points])
    if len(known_points) < len(at) or stretch > MAX_STRETCH:
        return _circle([name for name, _ in at])
    return _to_corner({name: (x * WIDE * stretch, y * HIGH * stretch) for name, (x, y) in known_points})


def _stretch(points: Sequence[Point]) -> float:
    """The enlargement of a map at which no two villages overlap."""
    needed = 1.0
    for one, other in combinations(points, 2):
        apart = max(abs(one[0] - other[0]) * WIDE, abs(one[1] - other[1]) * HIGH)
        needed = max(needed, SIDE / apart if apart else MAX_STRETCH + 1)
    return needed


def _circle(names: Sequence[str]) -> Mapping[str, Point]:
    """All villages in a circle, in the order of the map, the first one at the top."""
    radius = RING / 2 / sin(pi / max(len(names), 3))
    turns = {name: 2 * pi * number / len(names) for number, name in enumerate(names)}
    return _to_corner({name: (radius * sin(turn), -radius * cos(turn)) for name, turn in turns.items()})


def _to_corner(points: Mapping[str, Point]) -> Mapping[str, Point]:
    """The same points with the margin to the left and above them, in whole units."""
    left = min(x for x, _ in points.values()) - SIDE / 2 - MARGIN / 2
    top = min(y for _, y in points.values()) - SIDE / 2 - MARGIN / 4
    return MappingProxyType({name: (round(x - left), round(y - top)) for name, (x, y) in points.items()})


def corner(point: Point) -> Point:
    """The upper left corner of a village, from its middle."""
    return point[0] - SIDE / 2, point[1] - SIDE / 2


class Label(NamedTuple):
    """A placed name of a village: the middle of its lines, and their upper edge."""

    x: float
    y: float
    lines: tuple[str, ...]

    @property
    def frame(self) -> Box:
        """Left, top, right and bottom."""
        half = max(map(len, self.lines)) * LETTER / 2
        return self.x - half, self.y, self.x + half, self.y + len(self.lines) * LINE


@cache(32)
def labels(at: tuple[tuple[str, Point], ...]) -> Mapping[str, Label]:
    """The places of the villages' names, from the middle of each village.

    A name is below its village, or moved aside or above it as far as necessary: it overlaps no village and no other
    name, if there is room for all.
    """
    squares = {name: (x - SIDE / 2, y - SIDE / 2, x + SIDE / 2, y + SIDE / 2) for name, (x, y) in at}
    right = box(dict(at))[2]
    found: dict[str, Label] = {}
    for _ in range(PASSES):
        for name, point in at:
            near = [frame for other, frame in squares.items() if other != name and _near(frame, point)]
            near += [label.frame for other, label in found.items() if other != name and _near(label.frame, point)]
            found[name] = min(_places(name, point, right), key=lambda place: place[0] + _overlap_cost(place[1], near))[
                1
            ]
    return MappingProxyType(found)


def _places(name: str, point: Point, right: float) -> Iterator[tuple[float, Label]]:
    """The possible places of a name, each with its distance from the usual one."""
    lines = lines_of(name)
    half = max(map(len, lines)) * LETTER / 2
    below = point[1] + SIDE / 2
    above = point[1] - SIDE / 2 - len(lines) * LINE - ABOVE
    for y, odd in ((below, 0), (above, SIDE)):
        for aside in ASIDE if y >= 0 else ():
            x = min(max(point[0] + aside, half), max(right - half, half))
            yield abs(aside) + odd, Label(round(x), round(y), lines)


def _overlap_cost(label: Label, others: Sequence[Box]) -> float:
    """The overlap of a name with something else: any overlap is worse than another place."""
    left, top, right, bottom = label.frame
    return sum(
        OVER + across * down
        for one in others
        if (across := min(right, one[2]) - max(left, one[0])) > 0
        and (down := min(bottom, one[3]) - max(top, one[1])) > 0
    )


def _near(frame: Box, point: Point) -> bool:
    """Whether a frame could be in the way of a name."""
    left, top, right, bottom = frame
    return abs((left + right) / 2 - point[0]) < NEAR and abs((top + bottom) / 2 - point[1]) < NEAR


def lines_of(name: str) -> tuple[str, ...]:
    """The lines of a name: two if it is long."""
    blanks = [place for place, letter in enumerate(name) if letter == " "]
    if len(name) <= LONGEST_LINE or not blanks:
        return (name,)
    cut = min(blanks, key=lambda place: abs(place - len(name) / 2))
    return name[:cut], name[cut + 1 :]


def box(points: Mapping[str, Point]) -> tuple[float, float, float, float]:
    """The board around all villages."""
    right = max(x for x, _ in points.values()) + SIDE / 2 + MARGIN / 2
    below = max(y for _, y in points.values()) + SIDE / 2 + MARGIN
    return 0, 0, right, below


# --- names -------------------------------------------------------------------------------------------------------


def keys(names: tuple[str, ...]) -> Mapping[str, str]:
    """Village -> its key in addresses: its name in plain letters, or its number if that key is not unique."""
    slugs = [_slug(name) for name in names]
    return {
        name: slug if slug and slugs.count(slug) == 1 else f"village-{number}"
        for number, (name, slug) in enumerate(zip(names, slugs, strict=True), 1)
    }


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:20].rstrip("-")


def village_of(cell: Cell, names: tuple[str, ...]) -> str | None:
    """A village by its name or by the key of its spot."""
    if cell in names:
        return str(cell)
    return next((name for name, key in keys(names).items() if key == cell), None)
