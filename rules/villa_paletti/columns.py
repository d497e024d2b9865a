"""Villa Paletti: the columns, their levels, and their points. All of it is data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, TypeAlias

from rules.forms import Between, Pattern

Colour: TypeAlias = Literal["red", "blue", "yellow", "green"]
COLOURS: tuple[Colour, ...] = ("red", "blue", "yellow", "green")
Shape: TypeAlias = Literal["small", "hex", "big"]
SUPPLY: Mapping[Shape, int] = {"small": 3, "hex": 1, "big": 1}
"""The number of columns of each shape in a colour."""
Kind: TypeAlias = tuple[Colour, Shape]
KINDS: tuple[Kind, ...] = tuple((colour, shape) for colour in COLOURS for shape in SUPPLY)
"""The kinds of columns, in reading order."""
COLUMNS = 20
"""The number of all columns."""
VALUE: Mapping[Shape, int] = {"small": 1, "hex": 2, "big": 3}
"""The points of a column on the top level (`VP-31`)."""
FIRST_FLOOR, RED_FLOOR = 1, 5
"""The levels on the blue floor, the first one, and on the red floor, the last one."""
CONTEST = 2
"""The seal is contested from this level on, the green floor (`VP-30`)."""
Level: TypeAlias = Annotated[int, Between(0, RED_FLOOR)]
"""The level of a column: the base plate is 0, then the floors in order."""
CellName: TypeAlias = Annotated[
    str, Pattern("(?:n|red|blue|yellow|green) (?:small|hex|big) [0-5]|level [0-5]", "red big 0", "cell")
]
"""Equal columns on one level, those of the neutral colour by ``n``; or a whole level."""
NEUTRAL = "n"


class Group(NamedTuple):
    """Equal columns on one level."""

    colour: Colour
    shape: Shape
    level: int


class Count(NamedTuple):
    """The number of columns in a group, and of locked ones."""

    n: int
    locked: int
