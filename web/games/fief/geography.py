"""Where the villages of a map are drawn, and what they are called in addresses.

A village is a square of `SIDE` units. Where the map says where its villages lie, they lie there, drawn as far apart as
they must be to be touched one by one; else they stand in a circle, so that no road runs through a village.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import cos, pi, sin
from typing import Final, TypeAlias

from rules.kernel import Cell

Point: TypeAlias = "tuple[float, float]"

SIDE: Final = 110
"""The side of a village, in units."""
WIDE, HIGH = 10.0, 10.0
"""Units for a hundredth of the board, across and down."""
MARGIN: Final = 48
"""Room for names beside and below the villages at the edge."""
MOST_STRETCH: Final = 3
"""A map that had to be drawn larger than so many times is drawn as a circle instead."""
RING: Final = 160
"""From village to village on the circle."""
LETTER: Final = 17
"""How wide a letter of a village's name is, about."""


@lru_cache(maxsize=32)
def centres(at: tuple[tuple[str, Point | None], ...]) -> Mapping[str, Point]:
    """The middle of each village, from what the map says of it."""
    given = [(name, point) for name, point in at if point is not None]
    stretch = _stretch([point for _, point in given])
    if len(given) < len(at) or stretch > MOST_STRETCH:
        return _circle([name for name, _ in at])
    return _to_corner({name: (x * WIDE * stretch, y * HIGH * stretch) for name, (x, y) in given})


def _stretch(points: Sequence[Point]) -> float:
    """How many times as large as usual a map is drawn so that no two villages lie on each other."""
    needed = 1.0
    for one, other in combinations(points, 2):
        apart = max(abs(one[0] - other[0]) * WIDE, abs(one[1] - other[1]) * HIGH)
        needed = max(needed, SIDE / apart if apart else MOST_STRETCH + 1)
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
    return {name: (round(x - left), round(y - top)) for name, (x, y) in points.items()}


def corner(point: Point) -> Point:
    """The upper left corner of a village, from its middle."""
    return point[0] - SIDE / 2, point[1] - SIDE / 2


def label_at(name: str, points: Mapping[str, Point]) -> tuple[float, float, float]:
    """Where the name of a village goes: its middle, its upper edge, and how much room there is to the right at most.

    It is below the village, and moved aside as far as a village beside it needs.
    """
    x, y = points[name]
    half, below = len(name) * LETTER / 2, y + SIDE / 2
    for other, (left, top) in points.items():
        if other != name and abs(below + LETTER - top) < SIDE / 2 + LETTER:
            over = half + SIDE / 2 - abs(left - x)
            if over > 0 and abs(left - x) > SIDE:
                x += over if left < x else -over
    return round(x), below, box(points)[2]


def box(points: Mapping[str, Point]) -> tuple[float, float, float, float]:
    """The board around all villages."""
    right = max(x for x, _ in points.values()) + SIDE / 2 + MARGIN / 2
    below = max(y for _, y in points.values()) + SIDE / 2 + MARGIN
    return 0, 0, right, below


# --- names -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def keys(names: tuple[str, ...]) -> Mapping[str, str]:
    """Village -> its key in addresses: its name in plain letters, or its number where that is no key of its own."""
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
