"""Robber Knights: every kind of move, in the players' own words. Their annotations are their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, TypeAlias

from rules.forms import Between, Malformed, Most, NumberedCell
from rules.records import dataclass
from rules.robber_knights.tiles import TILES, Face, Letter

FARTHEST = 2**53 - 1
"""The farthest cell that can be named: the largest whole number that every JSON parser reads exactly."""
Coordinate: TypeAlias = Annotated[int, Between(-FARTHEST, FARTHEST)]
Cell: TypeAlias = Annotated[tuple[Coordinate, Coordinate], NumberedCell()]
Direction: TypeAlias = Literal["n", "e", "s", "w"]
MAX_LEFT = 99
"""The maximum number of knights on a tile in the notation; a player has 30 in all."""

LONGEST = 4 * TILES
"""The maximum number of tiles in the notation of a march, or on a table: a game has no more."""
KNIGHTS = 30
"""The number of a player's knights."""

MAX_ON_A_TILE = 4
MAX_BROUGHT = 5
MAX_IN_A_TURN = 3

STEP: Mapping[Direction, tuple[int, int]] = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}


@dataclass(frozen=True, slots=True)
class Knights:
    """The knights that a tile brings, all of them to the tile that is laid; from there some may march.

    `left`: how many knights are left on the tile that is laid, then on each tile of the march.
    `march`: where the march goes: ``n``, ``e``, ``s`` or ``w``; without one all stay.
    """

    left: Annotated[tuple[Annotated[int, Between(0, MAX_LEFT)], ...], Most(LONGEST)]
    march: Direction | None = None

    def __post_init__(self) -> None:
        """Reject an invalid deployment: no knights, or a march that leads nowhere or ends without a knight."""
        if self.march is None and (len(self.left) != 1 or not self.left[0]):
            raise Malformed("stay", "/left")
        if self.march is not None and (not 2 <= len(self.left) <= LONGEST or not self.left[-1]):
            raise Malformed("march", "/left")


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile with the knights that it brings.

    `face`: what it shows: a landscape, and a building or none.
    `letter`: the letter on its back, if somebody read it.
    `knights`: the knights that it brings, if any.
    """

    cell: Cell
    face: Face
    letter: Letter | None = None
    knights: Knights | None = None
    kind: ClassVar[str] = "tile"


@dataclass(frozen=True, slots=True)
class Stop:
    """The player lays no further tile in this turn (`RK-3`)."""

    kind: ClassVar[str] = "stop"


Move: TypeAlias = Tile | Stop
KINDS: Mapping[str, type[Move]] = {Tile.kind: Tile, Stop.kind: Stop}


def route(move: Tile) -> list[Cell]:
    """The cell of a tile that brings knights and the cells of their march, in order."""
    x, y = cell = move.cell
    cells, knights = [cell], move.knights
    if knights is not None and knights.march is not None:
        dx, dy = STEP[knights.march]
        for _ in knights.left[1:]:
            x, y = cell = (x + dx, y + dy)
            cells.append(cell)
    return cells
