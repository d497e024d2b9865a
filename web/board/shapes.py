"""The parts of a drawn board: shapes, which are SVG elements with a named ink, and the cells to tap.

A style sheet of the pages colours the inks (light, dark, forced colours); a stand-alone picture has the colours in its
shapes. Both come from `web.board.inks`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from markupsafe import escape

from rules.caches import cache
from rules.kernel import Cell, Seat
from rules.old_names import old_attributes
from rules.records import dataclass
from web.board.layers import Element, last

ICON: Final = 100
"""The side of the square that an icon is drawn in."""
MAX_ICONS: Final = 500
"""The maximum number of drawn icons that the cache of a game stores."""

Tag: TypeAlias = Literal["path", "rect", "circle", "ellipse", "text", "use"]
Number: TypeAlias = "int | float | str"
MOST: Final = 4_000
"""The maximum number of cached elements. A move leaves most of a board as it was."""
SPECIAL: Final = re.compile("[&<>\"']")


@dataclass(frozen=True)  # without slots: `element` is cached
class Shape:
    """An element of SVG. `ink` names its fill and stroke; `text` is the content of a text element.

    `at` is the origin of its coordinates. Consecutive shapes with the same origin are written together: then the pieces
    on a board are alike, wherever they lie, and compress well.
    """

    tag: Tag
    ink: str
    attributes: Mapping[str, Number]
    text: str = ""
    ghost: bool = False
    """Whether it belongs to a move that is only considered, and so is not on the table yet."""
    at: tuple[float, float] | None = None

    @cached_property
    def element(self) -> Element:
        """The shape as an element of a page. Its classes: its ink, `ghost` for a ghost, `words` for a text that is no
        sign or number. `data-ghost` marks a ghost for the scripts.
        """
        classes = f"{self.ink} ghost" if self.ghost else self.ink
        if len(self.text) > 1 and self.text != self.text.upper():
            classes += " words"
        attributes = {**self.attributes, "data-ghost": ""} if self.ghost else self.attributes
        return _element(self.tag, classes, self.text, tuple(attributes.items()))


@cache(MOST)
def _element(tag: str, classes: str, text: str, attributes: tuple[tuple[str, Number], ...]) -> Element:
    class_attribute = f' class="{escape_value(classes)}"' if classes else ""
    attribute_text = "".join([f' {name}="{escape_value(value)}"' for name, value in attributes])
    html = (
        f"<{tag}{class_attribute}{attribute_text}>{escape_value(text)}</{tag}>"
        if text
        else f"<{tag}{class_attribute}{attribute_text}/>"
    )
    return Element(html, last(html))


def escape_value(value: Number) -> str:
    """Escape a value for an attribute or a text."""
    text = value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
    return str(escape(text)) if SPECIAL.search(text) else text


def path(ink: str, d: str) -> Shape:
    """A path by its data."""
    return Shape("path", ink, {"d": d})


def group_by_place(shapes: Iterable[Shape]) -> Iterator[tuple[str, tuple[Shape, ...]]]:
    """Consecutive shapes with their common place as an SVG attribute; empty where the shapes have their own places."""
    for at, there in groupby(shapes, key=attrgetter("at")):
        yield "" if at is None else f"translate({at[0]:g} {at[1]:g})", tuple(there)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A drawing that is used in several places by its id."""

    id: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell to see and touch. `key`: its name in addresses; `name`: its name for screen readers; `title`: its name in
    a panel, if `name` also describes what lies beside it.

    `reach`: the left edge and the width of its touch area, if they differ from the visible ones. `above`: how far the
    touch area extends above it.
    """

    cell: Cell
    key: str
    name: str
    x: float
    y: float
    width: float
    height: float
    reach: tuple[float, float] | None = None
    above: float = 0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Stock:
    """What a player has left of one kind of piece; `icon` is drawn in a square of `ICON` units."""

    piece: str
    n: int
    icon: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A drawn state: the ground and the pieces on it, each in painter's order. `box`: left, top, width, height."""

    box: tuple[float, float, float, float]
    ground: tuple[Shape, ...]
    pieces: tuple[Shape, ...]
    spots: tuple[Spot, ...]
    stock: Mapping[Seat, tuple[Stock, ...]]
    row: int
    """The number of spots in a row, for the arrow keys; 0 where they lie in no rows."""
    badges: Literal["upper right", "lower left"] = "upper right"
    """The corner of a cell in which numbers hide nothing."""

    def spot(self, key: str | None) -> Spot | None:
        """The spot of this key, if there is one."""
        return next((spot for spot in self.spots if spot.key == key), None)


if not TYPE_CHECKING:  # else any name would do
    __getattr__ = old_attributes(
        __name__,
        MOST_ICONS="MAX_ICONS",
        placed="group_by_place",
        safe="escape_value",
    )
