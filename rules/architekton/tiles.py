"""Architekton: tiles and the cells they lie on.

A tile is text: one letter is a landscape, four letters are the sides of a building, north, east, south, west. Two
buildings that differ by a rotation only are one tile; it is named by the rotation that comes first in the alphabet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Literal, TypeAlias

from rules.caches import cache

Square: TypeAlias = "tuple[int, int]"
Landscape: TypeAlias = Literal["earth", "meadow", "water", "forest"]
Letter: TypeAlias = Literal["E", "M", "W", "F"]

LETTER: Mapping[Landscape, Letter] = {"earth": "E", "meadow": "M", "water": "W", "forest": "F"}
LANDSCAPE: Mapping[str, Landscape] = {letter: name for name, letter in LETTER.items()}
OPPOSITE = (2, 3, 0, 1)
"""Side number -> the opposite side."""


class _Around(dict[Square, tuple[Square, Square, Square, Square]]):
    """Cell -> the cells north, east, south and west of it, computed at the first use."""

    def __missing__(self, cell: Square) -> tuple[Square, Square, Square, Square]:
        x, y = cell
        self[cell] = found = ((x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y))
        return found


AROUND: Mapping[Square, tuple[Square, Square, Square, Square]] = _Around()


def corners(cell: Square) -> tuple[Square, Square, Square, Square]:
    """The cells that touch a cell by a corner, from the north-east clockwise."""
    x, y = cell
    return ((x + 1, y + 1), (x + 1, y - 1), (x - 1, y - 1), (x - 1, y + 1))


def rotations(sides: str) -> tuple[str, ...]:
    """The orientations of a building, each once, in the order of the alphabet."""
    return tuple(sorted({sides[turn:] + sides[:turn] for turn in range(4)}))


def canonical(sides: str) -> str:
    """The name of a building in any rotation."""
    return rotations(sides)[0]


EVERY_LIE: tuple[str, ...] = tuple(map("".join, product("EFMW", repeat=4)))
"""Every orientation of every building."""
EVERY_BUILDING: tuple[str, ...] = tuple(sorted({canonical(sides) for sides in EVERY_LIE}))
"""Every building that a box could have."""


@cache()  # a list of legal moves without a box asks for hundreds
def matching_lies(facing: tuple[str, str, str, str]) -> tuple[str, ...]:
    """Every orientation of every building with a side that matches the landscape it faces; "": a side faces nothing."""
    return fits(EVERY_LIE, facing)


def fits(lies: Iterable[str], facing: tuple[str, str, str, str]) -> tuple[str, ...]:
    """The `lies` with a side that matches the landscape it faces (`AR-12`)."""
    north, east, south, west = facing
    return tuple(lie for lie in lies if lie[0] == north or lie[1] == east or lie[2] == south or lie[3] == west)


def landscapes(tile: str) -> tuple[Landscape, ...]:
    """The value of a tile in sentences: its landscape, or those of its sides."""
    return tuple(LANDSCAPE[letter] for letter in tile)


def tile_text(tile: str) -> str:
    """A tile in the notation: ``F W M E``."""
    return " ".join(tile)
