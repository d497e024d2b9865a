"""Robber Knights: the state of a table, and the forms of setups and positions in the players' own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from rules.forms import SAYS_PLAYER, Between, Malformed, Most, OnTable, OrUnknown, Reading, Rest
from rules.kernel import with_quick_replace
from rules.records import dataclass
from rules.robber_knights.hands import Hands, PlayedTile
from rules.robber_knights.moves import KNIGHTS, LONGEST, Cell
from rules.robber_knights.tiles import TO_LAY, Face, Letter

Colour: TypeAlias = Literal["blue", "yellow", "green", "red"]
COLOURS: tuple[Colour, ...] = ("blue", "yellow", "green", "red")


Shown: TypeAlias = Literal[Face, "free"]
"""The face of the tile on a cell, or no tile."""
FREE: Final = "free"

# --- setups and positions ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Player:
    """A player: the colour of the knights and, if given, a name."""

    colour: Colour = field(metadata=SAYS_PLAYER)
    name: str | None = None


@dataclass(frozen=True, slots=True)
class LayoutTile:
    """A tile of the starting layout.

    `tile`: what it shows: a landscape, and a building or none.
    `colour`: whose tile it is, where its back is known.
    """

    cell: Cell
    tile: Face
    colour: Colour | None = None


UNTOLD = (Player("blue"), Player("yellow"))
"""The players of a setup without players. Only this very object means that: a position may show other colours."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays, the starting layout, and the readings.

    `players`: the players in turn order; left out, blue and yellow, or those whose colours the position shows.
    `layout`: the tiles of the starting layout as it lies on the table; beside a position it may be left out.
    """

    players: Annotated[tuple[Player, ...], Most(len(COLOURS))] = UNTOLD
    layout: Annotated[tuple[LayoutTile, ...], Most(LONGEST)] = ()
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StandingTile:
    """A tile on the table with its knights, or what is known of a cell.

    `face`: what the tile shows, ``free`` where none lies, ``?`` where nobody knows which does; or, without knights,
    whether any.
    `knights`: the colours of its knights, from the bottom up.
    `covered`: whether only the upper knights are given, if any, and others may lie below.
    `colour`: whose tile it is, where its back is known.
    """

    cell: Cell
    face: Annotated[Shown, OrUnknown()]
    knights: Annotated[tuple[Colour, ...], Most(KNIGHTS)] = ()
    covered: bool = False
    colour: Colour | None = None

    def __post_init__(self) -> None:
        """Reject knights and a back without a tile."""
        if self.face == FREE and (self.knights or self.covered or self.colour):
            raise Malformed("no_tile", "/face")


@dataclass(frozen=True, slots=True)
class LaidTile:
    """A tile that a player has laid.

    `face`: what it shows: a landscape, and a building or none.
    `letter`: the letter on its back, where it was read.
    `stood`: whether `RK-12` refused it when it was laid, and it stood all the same.
    """

    face: Face
    letter: Letter | None = None
    stood: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """What lies on the table, and whose turn it is.

    `tiles`: the tiles on the table; those of the setup's layout may be left out where no knight is on them.
    `laid`: the tiles that each player has laid after the start, in order; left out where they are unknown.
    `supply`: the knights that each player still has; counted off the table where left out; ``?`` if unknown.
    `left`: the tiles that each player still has; where left out, counted if those `laid` are known, else unknown.
    `due`: the player in turn; the first one where left out.
    `placed`: how many tiles the player has laid in this turn; ``?`` if unknown.
    `rest`: what cells left out are, beyond those entered too, as far as tiles may lie (`RK-11`): ``empty`` or
    ``unknown``.
    """

    tiles: Annotated[tuple[StandingTile, ...], Most(LONGEST), OnTable()] = ()
    laid: Mapping[Colour, Annotated[tuple[LaidTile, ...], Most(LONGEST)]] | None = None
    supply: Mapping[Colour, Annotated[int, Between(0, 30), OrUnknown()]] = field(default_factory=dict)
    left: Mapping[Colour, Annotated[int, Between(0, TO_LAY)]] = field(default_factory=dict)
    due: Colour | None = None
    placed: Annotated[Literal[0, 1, 2], OrUnknown()] | None = None
    rest: Rest = None


# --- the state ---------------------------------------------------------------------------------------------------

READINGS = (
    Reading("castle_minimum", ("terrain", "when_marching")),
    Reading("knights", ("optional", "compulsory")),
)
SIDE: Mapping[int, int] = {2: 7, 3: 9, 4: 10}
"""Number of players -> the longest side of the rectangle around all tiles (`RK-11`)."""
UNKNOWN = -1
"""A number of tiles, left or laid in this turn, that was not entered."""
BELOW = "?"
"""The bottom of a stack of which only the upper knights are known."""
SOMEBODY = "x"
"""A knight of unknown colour in a stack."""


Box: TypeAlias = tuple[int, int, int, int]
"""A rectangle of cells: least x, least y, greatest x, greatest y."""


@with_quick_replace
class State(NamedTuple):
    """A table of Robber Knights. Players are numbered in turn order, from 0.

    A stack is the first letters of its knights' colours, from the bottom up, after `BELOW` where more may lie below;
    a knight whose colour is not known is `SOMEBODY`.
    """

    colours: tuple[Colour, ...]
    tiles: Mapping[Cell, Face]
    stacks: Mapping[Cell, str]
    """The stack of each cell with knights."""
    backs: Mapping[Cell, Colour]
    """The owner of the tile on a cell, if known."""
    box: Box
    """The rectangle around all tiles."""
    supply: tuple[int | None, ...]
    """The knights that each player has left; None if they were not entered and some may lie hidden."""
    left: tuple[int, ...]
    """The tiles that each player has left, in hand and pile; `UNKNOWN` if they were not entered."""
    laid: tuple[tuple[PlayedTile, ...], ...] | None
    """The tiles that each player has laid after the start, in order; None if they were not entered."""
    hands: Hands | None
    """The hands that follow from them and the starting layout (`RK-12`); None if either is unknown."""
    player: int
    placed: int
    """The number of tiles that the player has laid in this turn; `UNKNOWN` if it was not entered."""
    readings: Mapping[str, str]
    unknown: frozenset[Cell] = frozenset()
    """The unknown cells, which every single rule treats as free."""
    rest: frozenset[Cell] = frozenset()
    """The unknown cells that were not entered: tiles may lie there within the limit of `RK-11`."""

    @property
    def unknown_cells(self) -> frozenset[Cell]:
        """All unknown cells."""
        return self.unknown | self.rest
