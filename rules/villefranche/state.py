"""Villefranche: the state of a table, and the forms of setups and positions in the players' own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Literal, NamedTuple, TypeAlias

from rules.forms import SAYS_PLAYER, Most, OnTable, OrUnknown, Reading, Rest
from rules.kernel import with_quick_replace
from rules.records import dataclass
from rules.villefranche.board import INDEX
from rules.villefranche.moves import CellName

Colour: TypeAlias = Literal["black", "white"]
COLOURS: tuple[Colour, Colour] = ("black", "white")
PieceName: TypeAlias = Literal["brick", "cube", "pyramid", "cylinder"]
HIGHEST = 8
"""The maximum number of pieces that a position may enter on one cell; a game never has so many there."""


# --- setups and positions ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Player:
    """A player: the colour of the pieces and, if given, a name."""

    colour: Colour = field(metadata=SAYS_PLAYER)
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays, and by which readings.

    `players`: both players, in either order; Black starts.
    """

    players: Annotated[tuple[Player, ...], Most(len(COLOURS))] = (Player("black"), Player("white"))
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on a cell. A brick stands on two cells, and is listed on both.

    `piece`: what kind of piece it is.
    `colour`: the colour of its player.
    `second`: the other cell of a brick; nothing else has one.
    """

    piece: PieceName
    colour: Colour
    second: CellName | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """What stands on the table and whose placement is due.

    `cells`: the pieces of each cell that has any, from the bottom up; ``?`` where they are unknown.
    `due`: whose placement is due.
    `placement`: which placement of the turn is due; on the first turn there is only the first.
    `first_turn`: whether it is the first turn, which is one placement (`VF-1`).
    `enclosed`: whether the enclosure is whole, whatever of it is entered; left out, the cells say it; ``?`` if unknown.
    `in_hand`: whether a player has any piece of a kind left; counted off the cells where left out; ``?`` if unknown.
    `rest`: what the cells are that are left out: ``empty``, as where nothing is said, or ``unknown``.
    """

    cells: Annotated[
        Mapping[CellName, Annotated[tuple[Piece, ...], Most(HIGHEST), OrUnknown()]], Most(len(INDEX)), OnTable()
    ] = field(default_factory=dict)
    due: Colour = "black"
    placement: Literal[1, 2] = 1
    first_turn: bool = False
    enclosed: Annotated[bool, OrUnknown()] | None = None
    in_hand: Mapping[Colour, Mapping[PieceName, Annotated[bool, OrUnknown()]]] | None = None
    rest: Rest = None


class PartialPosition(Position):
    """What is known of a position with unknown cells."""

    __slots__ = ()


# --- the state ---------------------------------------------------------------------------------------------------

READINGS = (
    Reading("corporation", ("single_colour", "majority_takes_all", "majority_own"), scores=True),
    Reading("corner_tower_points", ("1", "2"), scores=True),
    Reading("stuck", ("ends", "turn_is_cut")),
    Reading("parish_church_cells", ("counted", "deducted"), scores=True),
    Reading("parish_walls", ("excluded", "included"), scores=True),
    Reading("parish_extent", ("area", "touching"), scores=True),
    Reading("shared_shop", ("matched", "refused")),
    Reading("church_funding", ("per_church", "cumulative")),
)
SUPPLY: Mapping[PieceName, int] = {"brick": 10, "cube": 10, "pyramid": 10, "cylinder": 10}
RAMPARTS = 12
"""The number of ramparts of the enclosure, both colours together."""


@with_quick_replace
class Town(NamedTuple):
    """One player's pieces: supply, counts, and buildings as sets of cells or of pairs (`rules.villefranche.grid`)."""

    bricks: int = SUPPLY["brick"]
    cubes: int = SUPPLY["cube"]
    pyramids: int = SUPPLY["pyramid"]
    cylinders: int = SUPPLY["cylinder"]
    counts: int = 0
    """The player's pieces on every cell (`VF-5`)."""
    houses: int = 0
    """Houses without a roof."""
    shops: int = 0
    begun_towers: int = 0
    """Noble towers of one storey."""
    raised_towers: int = 0
    """Noble towers of two storeys."""
    towers: int = 0
    """Finished noble towers."""
    naves: int = 0
    """Churches of one nave, as pairs."""
    doubles: int = 0
    """Churches of two naves and no bell tower, as pairs."""
    churches: int = 0
    """Finished churches, as pairs."""
    ramparts: int = 0
    """The cells of the player's ramparts."""

    @property
    def supply(self) -> int:
        """The number of pieces left."""
        return self.bricks + self.cubes + self.pyramids + self.cylinders


@with_quick_replace
class State(NamedTuple):
    """A table of Villefranche. Black is player 0, White player 1.

    `stacks` holds the pieces of each cell from the bottom up, a letter each, upper case for Black: C cube,
    P pyramid, Y cylinder, and for a brick the direction of its second cell: N, E, S or W. It is the truth; all
    else is kept beside it so that a rule reads it at once.
    """

    stacks: Mapping[int, str]
    towns: tuple[Town, Town]
    taken_cells: int
    """The cells on which anything stands."""
    walls: int
    """The ramparts of both players, as pairs."""
    rampart_count: int
    """The number of ramparts that stand."""
    corners: tuple[int | None, int | None, int | None, int | None]
    """The owner of each corner tower: a1, i1, a9, i9."""
    player: int
    placement: int
    first_turn: bool
    readings: Mapping[str, str]
    enclosed: bool = False
    """Whether the enclosure was entered as complete, whatever of it is known."""
    in_hand: frozenset[tuple[Colour, PieceName, bool]] = frozenset()
    """The entered facts whether a player has pieces of a kind left, whatever stands on the table."""
    partial: bool = False
    """Whether cells are unknown: then no turn is cut, since a piece without another site may go there."""
