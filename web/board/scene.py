"""A board with its highlights: the chosen cell, lit cells with their counts, and where a piece may go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, TypeAlias

from rules.kernel import Cell, Fact, Seat
from rules.records import dataclass
from web.board.drawing import Drawing
from web.board.layers import Layer, mark
from web.board.markup import LONGEST, cell_link
from web.board.shapes import Board, Spot

BADGE_HIGH: Final = 40
WINDOW: Final = 5
"""Spots across an enlarged board: at least 44 pixels each on the narrowest phone."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A number on a cell: a count of a player's (`seat`), or another one."""

    text: str
    seat: Seat | None = None
    x: float = 0
    y: float = 0
    width: float = 0


@dataclass(frozen=True, slots=True)
class Light:
    """The highlights of a board.

    `chosen_cells`: the cells in question. `ruling`: how the move on them was ruled, if it was. `facts`: what a rule or
    a score line shows. `open_cells`: where a piece may go. `last_cells`: what was placed last. `points`: counts that
    light no cell. `seats`: whose counts are shown. `unknown_cells`: where something is unknown. `deciding_cells`: on
    which of them a ruling depends.
    """

    chosen_cells: frozenset[Cell] = frozenset()
    ruling: str = ""
    facts: Sequence[Fact] = ()
    open_cells: frozenset[Cell] = frozenset()
    last_cells: frozenset[Cell] = frozenset()
    points: Sequence[Fact] = ()
    seats: Sequence[Seat] = ()
    unknown_cells: frozenset[Cell] = frozenset()
    deciding_cells: frozenset[Cell] = frozenset()


@dataclass(frozen=True, slots=True)
class Target:
    """A cell that can be tapped, and how it is marked."""

    spot: Spot
    marks: tuple[str, ...]
    badges: tuple[Badge, ...]
    current: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The link to what lies beside the chosen cell or the visible part; `href` is None at the edge."""

    direction: str
    href: str | None


@dataclass(frozen=True, slots=True)
class Scene:
    """A board ready to be laid out. `targets` are the highlighted cells, `cells` all that can be tapped.

    `turn`: the quarter turns of the board, clockwise.
    """

    box: str
    row: int
    is_zoomed: bool
    drawing: Drawing = field(repr=False)
    targets: tuple[Target, ...]
    cells: Layer = field(repr=False)
    turn: int = 0

    @property
    def view_box(self) -> str:
        """The visible part of the turned board: left, top, width and height."""
        x, y, width, height = map(float, self.box.split())
        if self.turn % 2:
            x, y, width, height = x + (width - height) / 2, y + (height - width) / 2, height, width
        return f"{x:g} {y:g} {width:g} {height:g}"

    @property
    def pivot(self) -> str:
        """The centre of the rotation: the middle of the visible part."""
        x, y, width, height = map(float, self.box.split())
        return f"{x + width / 2:g} {y + height / 2:g}"

    @property
    def frame(self) -> str:
        """The mark of the frame around the board."""
        return mark(self.box, self.row, self.is_zoomed, self.turn)

    @property
    def chosen_ids(self) -> str:
        """The ids of the chosen cells."""
        return " ".join(f"c-{target.spot.key}" for target in self.targets if target.current)


Box: TypeAlias = "tuple[float, float, float, float]"
"""The visible part: left, top, width, height."""
NOWHERE: Final[Mapping[Cell, str]] = {}
STEPS: Final[Mapping[str, tuple[int, int]]] = {"left": (-1, 0), "up": (0, -1), "down": (0, 1), "right": (1, 0)}


CLOCKWISE: Final = ("up", "right", "down", "left")


def beside(board: Board, spot: Spot, direction: str, steps: int = 1) -> Spot | None:
    """The spot beside another one, a number of steps away."""
    across, down = STEPS[direction]
    if not board.row:
        other = _towards(board, spot, across, down)
        return other if steps == 1 or other is None else beside(board, other, direction, steps - 1)
    x, y = spot.x + across * steps * spot.width, spot.y + down * steps * spot.height
    return next((other for other in board.spots if (other.x, other.y) == (x, y)), None)


def _towards(board: Board, spot: Spot, across: int, down: int) -> Spot | None:
    """The nearest spot that lies more in this direction than in any other."""

    def ahead(other: Spot) -> float:
        return (other.x - spot.x) * across + (other.y - spot.y) * down

    def aside(other: Spot) -> float:
        return abs((other.x - spot.x) * down) + abs((other.y - spot.y) * across)

    found = [other for other in board.spots if 0 < ahead(other) >= aside(other)]
    return min(found, key=lambda other: ahead(other) + aside(other), default=None)


def neighbours(board: Board, spot: Spot, href: Callable[[Spot], str]) -> tuple[Neighbour, ...]:
    """The links from a chosen spot to the spots beside it."""
    near = ((direction, beside(board, spot, direction)) for direction in STEPS)
    return tuple(Neighbour(direction, href(other) if other else None) for direction, other in near)


def rotate_neighbours(ways: Sequence[Neighbour], quarters: int) -> tuple[Neighbour, ...]:
    """The same links, named by their direction on a board turned clockwise by a number of quarters."""
    found = {CLOCKWISE[(CLOCKWISE.index(way.direction) + quarters) % 4]: way.href for way in ways}
    return tuple(Neighbour(direction, found[direction]) for direction in STEPS if direction in found)


def middle(board: Board) -> Spot:
    """The spot in the middle of a board."""
    left, top, width, height = board.box
    return min(
        board.spots,
        key=lambda spot: (
            abs(spot.x + spot.width / 2 - left - width / 2) + abs(spot.y + spot.height / 2 - top - height / 2)
        ),
    )


def window(board: Board, centre: Spot) -> tuple[float, float, float, float]:
    """The visible part of a board that is enlarged at a spot."""
    left, top, width, height = board.box
    across, down = min(width, WINDOW * centre.width), min(height, WINDOW * centre.height)
    x = centre.x - (across - centre.width) / 2
    y = centre.y - (down - centre.height) / 2
    return (
        max(left, min(x, left + width - across)),
        max(top, min(y, top + height - down)),
        across,
        down,
    )


def _is_within(spot: Spot, box: tuple[float, float, float, float]) -> bool:
    left, top, width, height = box
    return left <= spot.x <= left + width - spot.width + 1 and top <= spot.y <= top + height - spot.height + 1


def scene(
    drawing: Drawing,
    light: Light,
    zoom: Spot | None,
    href_of: Callable[[str], str],
    cell_links: Mapping[Cell, str] = NOWHERE,
) -> Scene:
    """Lay out a board: its visible part, its highlights, and the link of each cell.

    `href_of`: key of a spot -> its link; `cell_links`: the links of cells that lead elsewhere.
    """
    board = drawing.board
    box = window(board, zoom) if zoom else board.box
    return Scene(
        " ".join(f"{part:g}" for part in box), board.row, zoom is not None, drawing,
        tuple(_targets(board, light, box)), _cells(drawing, light, box, href_of, cell_links),
    )  # fmt: skip


def badges_of(board: Board, light: Light) -> Iterator[Badge]:
    """The numbers that the light puts on a whole board, with their places."""
    yield from (badge for target in _targets(board, light, board.box) for badge in target.badges)


def _targets(board: Board, light: Light, box: Box) -> Iterator[Target]:
    """The visible cells that the light highlights, with their marks and badges."""
    badges = _badges(light)
    cells = {
        *light.unknown_cells,
        *light.last_cells,
        *light.deciding_cells,
        *light.open_cells,
        *light.chosen_cells,
        *badges,
    }
    cells.update(cell for fact in light.facts for cell in fact.cells)
    for spot in board.spots:
        if spot.cell in cells and _is_within(spot, box):
            yield Target(
                spot,
                tuple(_marks(spot.cell, light)),
                tuple(_badge_row(spot, badges.get(spot.cell, ()), board.badges)),
                spot.cell in light.chosen_cells,
            )


def _cells(
    drawing: Drawing, light: Light, box: Box, href_of: Callable[[str], str], cell_links: Mapping[Cell, str]
) -> Layer:
    """The cells that can be tapped. Most taps reuse the last layout."""
    key = box, href_of("")
    lasting = not cell_links and len(key[1]) <= LONGEST
    layer = drawing.cells.get(key) if lasting else None
    visible_spots = [spot for spot in drawing.board.spots if _is_within(spot, box)]
    if layer is None:
        layer = Layer.of(
            "cells", (cell_link(spot, cell_links.get(spot.cell) or href_of(spot.key)) for spot in visible_spots)
        )
        if lasting:
            drawing.cells.put(key, layer)
    return layer.with_current([f"c-{spot.key}" for spot in visible_spots if spot.cell in light.chosen_cells])


def _marks(cell: Cell, light: Light) -> Iterable[str]:
    if cell in light.unknown_cells:
        yield "unknown"
    if cell in light.last_cells:
        yield "last"
    if cell in light.deciding_cells:
        yield "needed"
    if any(cell in fact.cells for fact in light.facts):
        yield "lit"
    if cell in light.open_cells:
        yield "open"
    if cell in light.chosen_cells:
        yield light.ruling or "chosen"


def _badges(light: Light) -> dict[Cell, list[Badge]]:
    """The numbers on each cell. A count for several cells together stands on the first of them."""
    badges: dict[Cell, list[Badge]] = {}
    for fact in (*light.facts, *light.points):
        if not fact.cells:
            continue
        found = badges.setdefault(fact.cells[0], [])
        for name, count in fact.counts.items():
            if name in light.seats:
                if count:
                    found.append(Badge(str(count), name))
            else:
                found.append(Badge(f"+{count}" if name == "points" else str(count)))
    return badges


def _badge_row(spot: Spot, badges: Iterable[Badge], corner: str) -> Iterable[Badge]:
    """Badges in a row that starts at a corner of their cell."""
    left, right = spot.x + 2, spot.x + spot.width
    for badge in badges:
        width = 24 + 18 * len(badge.text)
        if corner == "lower left":
            yield Badge(badge.text, badge.seat, left, spot.y + spot.height - BADGE_HIGH - 2, width)
        else:
            yield Badge(badge.text, badge.seat, right - width, spot.y + 2, width)
        left, right = left + width + 2, right - width - 2


# --- zooming in -----------------------------------------------------------------------------------------------------


def zoom_centre(board: Board, zoom: str | None, chosen: str | None) -> Spot | None:
    """The centre of an enlarged board, by the keys of the address: the chosen cell if it would be out of sight."""
    if zoom is None:
        return None
    centre = board.spot(zoom) or middle(board)
    at = board.spot(chosen)
    if at is None:
        return centre
    left, top, width, height = window(board, centre)
    is_visible = left <= at.x < left + width and top <= at.y < top + height
    return centre if is_visible else at


def pan_neighbours(board: Board, zoom: Spot | None, href: Callable[[Spot], str]) -> tuple[Neighbour, ...]:
    """The links that move the visible part of an enlarged board."""
    if zoom is None:
        return ()
    now = window(board, zoom)
    found = []
    for direction in STEPS:
        far = beside(board, zoom, direction, 2) or beside(board, zoom, direction)
        moved = far is not None and window(board, far) != now
        found.append(Neighbour(direction, href(far) if far and moved else None))
    return tuple(found)
