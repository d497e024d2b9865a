"""Draws a chart of points: a line for each player, with dashes, markers and a name at its end to tell it apart.

No information depends on colour alone. Lengths are in units of the drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from rules.kernel import Seat
from rules.records import dataclass
from web.board.shapes import Shape, path
from web.browser.bidi import close_isolates, strip_isolates

WIDTH: Final = 360
LEFT_EDGE: Final = 24
RIGHT: Final = 272
TOP: Final = 10
BOTTOM: Final = 150
LABEL: Final = 15
"""The height of a line of words."""
LANE: Final = 16
"""The height of a lane of marks below the lines."""
APART: Final = 14
"""The minimum distance between the markers on a line."""
MAX_POINTS: Final = 500
"""The maximum number of drawn steps, give or take one: more would lie closer than a line is wide."""
MAX_TICKS: Final = 5
MAX_NUMBERS: Final = 10
NAME: Final = 8
"""The maximum number of letters of a name at the end of a line."""
BESIDE: Final = 1.5
"""The distance between lines of the same points."""
DASHES: Final = ("", "7 3", "2 3", "10 3 2 3", "4 2", "14 4")
MARKERS: Final = (
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "m-3.5-3.5h7v7h-7z",
    "m0-4.500l4.500 8h-9z",
    "m0-5l5 5l-5 5l-5-5z",
    "m-1.500-4.500h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "m-4.500-4h9l-4.500 8z",
)
"""A circle, a square, a triangle, a rhomb, a cross, a triangle upside down; as many as players at any table."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The points of a player after each step, and the player's name."""

    seat: Seat
    name: str
    points: tuple[int, ...]


@dataclass(frozen=True)  # without slots: `range` is cached
class Chart:
    """Curves over all steps up to the `last`, the first steps of the `rounds`, and steps that are marked in `lanes`."""

    curves: tuple[Curve, ...]
    last: int
    rounds: Sequence[int]
    lanes: Mapping[str, Sequence[int]]
    """Name of a lane -> the steps that are marked in it."""

    @property
    def height(self) -> int:
        """The height of the whole chart."""
        return BOTTOM + LABEL + 3 + LANE * len(self.lanes)

    @cached_property
    def range(self) -> tuple[int, int]:
        """The lowest and the highest number of points on the chart, which includes zero."""
        every = [0, 1, *(points for curve in self.curves for points in curve.points)]
        return min(every), max(every)

    def x(self, step: int) -> float:
        """The horizontal position of a step."""
        return round(LEFT_EDGE + (RIGHT - LEFT_EDGE) * step / max(self.last, 1), 1)

    def y(self, points: int) -> float:
        """The vertical position of a number of points."""
        least, most = self.range
        return round(BOTTOM - (BOTTOM - TOP) * (points - least) / (most - least), 1)

    def shapes(self) -> Iterator[Shape]:
        """The whole chart, without the mark of the selected step."""
        yield from self._scale()
        for number, curve in enumerate(self.curves):
            yield from self._line(number, curve)
        yield from self._labels()
        for number, (name, steps) in enumerate(self.lanes.items()):
            yield from self._lane(BOTTOM + LABEL + LANE * number + LANE / 2, name, steps)

    def _scale(self) -> Iterator[Shape]:
        """The points at the left, with a line across, and the rounds below, or else the steps."""
        for points in ticks(*self.range):
            yield path("grid", f"M{LEFT_EDGE} {self.y(points):g}H{RIGHT}")
            yield _text("scale end", LEFT_EDGE - 5, self.y(points) + 4, str(points))
        numbered = list(enumerate(self.rounds, start=1)) if len(self.rounds) > 1 else [(n, n) for n in (0, self.last)]
        every = -(-len(numbered) // MAX_NUMBERS)
        for number, step in numbered[::every]:
            yield path("tick", f"M{self.x(step):g} {BOTTOM}v4")
            yield _text("scale", self.x(step), BOTTOM + 14, str(number))

    def _line(self, number: int, curve: Curve) -> Iterator[Shape]:
        """The line of a curve, with markers where it rises or falls, and one at its end."""
        beside = BESIDE * (number - (len(self.curves) - 1) / 2)
        d = f"M{self.x(0):g} {self.y(curve.points[0]) + beside:g}"
        marked: list[int] = []
        for step, points, before in _segments(curve.points):
            if points != before:
                d += f"H{self.x(step):g}V{self.y(points) + beside:g}"
                if not marked or self.x(step) - self.x(marked[-1]) >= APART:
                    marked.append(step)
        end = len(curve.points) - 1
        dash = DASHES[number % len(DASHES)]
        yield Shape("path", "course", {"d": f"{d}H{self.x(end):g}", **({"stroke-dasharray": dash} if dash else {})})
        for step in dict.fromkeys((*marked, end)):
            yield _marker(number, curve.seat, self.x(step), self.y(curve.points[step]) + beside)

    def _labels(self) -> Iterator[Shape]:
        """The name and the points of each curve at its end, without overlaps."""
        places = spread([self.y(curve.points[-1]) for curve in self.curves], LABEL, TOP, BOTTOM)
        for number, (curve, y) in enumerate(zip(self.curves, places, strict=True)):
            end, name = self.x(len(curve.points) - 1), curve.name
            yield path("leader", f"M{end + 5:g} {self.y(curve.points[-1]):g}L{RIGHT + 6} {y:g}")
            yield _marker(number, curve.seat, RIGHT + 12, y)
            short = name if len(strip_isolates(name)) <= NAME else close_isolates(f"{name[: NAME - 1]}…")
            yield _text("name", RIGHT + 20, y + 4, f"{short} {curve.points[-1]}")

    def _lane(self, y: float, name: str, steps: Sequence[int]) -> Iterator[Shape]:
        yield path("grid", f"M{LEFT_EDGE} {y:g}H{RIGHT}")
        for step in steps:
            yield path("moment", f"M{self.x(step):g} {y - 5:g}v10")
        yield _text("name", RIGHT + 6, y + 4, name)


def ticks(least: int, most: int) -> range:
    """A few round numbers from `least` to `most`, zero among them.

    >>> list(ticks(0, 33)), list(ticks(-3, 4)), list(ticks(0, 1))
    ([0, 10, 20, 30], [-2, 0, 2, 4], [0, 1])
    """
    step = next(each for each in _steps() if (most - least) // each < MAX_TICKS)
    return range(-(-least // step) * step, most + 1, step)


def _steps() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50, and so on."""
    ten = 1
    while True:
        yield from (ten, 2 * ten, 5 * ten)
        ten *= 10


def spread(targets: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Places as near to the `targets` as possible, at least `gap` apart, in the same order.

    >>> spread([50, 52, 10], 15, 10, 150), spread([150, 150], 15, 10, 150)
    ([50, 65, 10], [135, 150])
    """
    order = sorted(range(len(targets)), key=lambda each: targets[each])
    found = list(targets)
    free = top
    for each in order:
        found[each] = max(found[each], free)
        free = found[each] + gap
    free = bottom
    for each in reversed(order):
        found[each] = min(found[each], free)
        free = found[each] - gap
    return found


def _segments(points: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """The drawn steps after the first, each with the points there and at the drawn step before."""
    every = -(-len(points) // MAX_POINTS)
    steps = dict.fromkeys((*range(0, len(points), every), len(points) - 1))
    for before, step in pairwise(steps):
        yield step, points[step], points[before]


def _marker(number: int, seat: Seat, x: float, y: float) -> Shape:
    return path(f"piece-{seat} marker", f"M{x:g} {y:g}{MARKERS[number % len(MARKERS)]}")


def _text(ink: str, x: float, y: float, text: str) -> Shape:
    return Shape("text", ink, {"x": x, "y": y}, text)
