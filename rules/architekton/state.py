"""Architekton: the state of a table, and the forms of setups and positions in the players' own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from rules.architekton.box import BUILDINGS, GAMES_OF_A_SERIES, HOUSES, LANDSCAPES, TILES
from rules.architekton.moves import CellName, Sides
from rules.architekton.tiles import Landscape, Letter, Square
from rules.forms import SAYS_PLAYER, Between, Most, OnTable, OrUnknown, Reading, Rest
from rules.kernel import with_quick_replace
from rules.records import dataclass

Colour: TypeAlias = Literal["light", "dark"]
COLOURS: tuple[Colour, Colour] = ("light", "dark")
FREE: Final = "free"
"""The word for a cell without a tile."""
Reply: TypeAlias = Literal["keep", "take"]


# --- setups and positions ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Player:
    """A player: the colour of the houses and, if given, a name."""

    colour: Colour = field(metadata=SAYS_PLAYER)
    name: str | None = None


@dataclass(frozen=True, slots=True)
class LayoutTile:
    """A landscape of the starting layout.

    `tile`: its landscape.
    """

    cell: CellName
    tile: Landscape


@dataclass(frozen=True, slots=True)
class LandscapeTile:
    """A landscape on the table, or what is known of a cell.

    `landscape`: the landscape that lies there, ``free`` where no tile does, ``?`` where nobody knows what does.
    """

    cell: CellName
    landscape: Annotated[Literal[Landscape, "free"], OrUnknown()]


@dataclass(frozen=True, slots=True)
class BuildingTile:
    """A building on the table, as it lies.

    `house`: the colour of its house, if it has one.
    """

    cell: CellName
    sides: Sides
    house: Colour | None = None


@dataclass(frozen=True, slots=True)
class Display:
    """The open tiles.

    `buildings`: the open buildings by their sides, clockwise, in any rotation.
    `landscapes`: the open landscapes: ``E`` earth, ``F`` forest, ``M`` meadow, ``W`` water.
    """

    buildings: Annotated[tuple[Sides, ...], Most(BUILDINGS)] = ()
    landscapes: Annotated[tuple[Letter, ...], Most(LANDSCAPES)] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """An earlier game of the series (`AR-40`).

    `winner`: who won; nobody at a draw.
    `early`: whether it was won by an early end.
    `started`: who began it, where that is known.
    """

    winner: Colour | None = None
    early: bool = False
    started: Colour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Who plays, what lies open at the start, and by which readings.

    `players`: both players; first who begins: the older one or, in a series, who did not begin the game before.
    `layout`: the two landscapes on the table.
    `display`: the open tiles, where the table keeps a display.
    `set`: the 22 buildings of the box by their sides, clockwise, where the table knows them.
    `series`: the games before it, where the game is one of a series.
    """

    players: Annotated[tuple[Player, ...], Most(len(COLOURS))] = (Player("light"), Player("dark"))
    layout: Annotated[tuple[LayoutTile, ...], Most(LANDSCAPES)]
    display: Display | None = None
    set: Annotated[tuple[Sides, ...], Most(TILES)] | None = None
    series: Annotated[tuple[Result, ...], Most(GAMES_OF_A_SERIES)] | None = None
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claim:
    """A payment that is not settled yet, and how its owner answered, if so.

    `cell`: the cell of the building that is paid for.
    `answer`: whether its owner will ``keep`` or ``take`` the house; none while the other player is asked.

    The other player has not answered: that is what is asked. The mover has, with the move. Where the first one is
    answered, its owner could not pay and has lost (`AR-22`).
    """

    cell: CellName
    answer: Reply | None = None


@dataclass(frozen=True, slots=True)
class Chips:
    """The chips of each player.

    `light`: the chips of Light.
    `dark`: the chips of Dark.
    """

    light: Annotated[int, Between(0, 40)] = 1
    dark: Annotated[int, Between(0, 40)] = 1


@dataclass(frozen=True, slots=True)
class Position:
    """What lies on the table, and where in the game it is.

    `landscapes`: the landscapes on the table, and the cells that are free or unknown.
    `buildings`: the buildings on the table.
    `chips`: the chips that each player has.
    `turn`: whose turn it is, also while the other player's answer is `pending`.
    `laid`: how many tiles that player has laid in the turn.
    `pending`: the payments that are not settled yet, in the order of settlement.
    `display`: the open tiles, where the table keeps a display.
    `left`: how many turns are still played, once the last ones began (`AR-30`).
    `empty`: in how many turns, just before, nothing was laid.
    `supply`: the houses that each player has left; counted off the table where left out; ``?`` if unknown.
    `rest`: what cells left out are, beyond those entered too: ``empty``, or ``unknown`` with the houses there.
    """

    landscapes: Annotated[tuple[LandscapeTile, ...], Most(TILES), OnTable()] = ()
    buildings: Annotated[tuple[BuildingTile, ...], Most(TILES), OnTable()] = ()
    chips: Annotated[Chips, OnTable()] = Chips()
    turn: Colour = "light"
    laid: Annotated[int, Between(0, 2)] = 0
    pending: Annotated[tuple[Claim, ...], Most(TILES)] = ()
    display: Display | None = None
    left: Annotated[int, Between(0, 2)] | None = None
    empty: Annotated[int, Between(0, 2)] = 0
    supply: Mapping[Colour, Annotated[int, Between(0, HOUSES), OrUnknown()]] = field(default_factory=dict)
    rest: Rest = None


# --- the state ---------------------------------------------------------------------------------------------------

READINGS = (
    Reading("tie_houses", ("after_removal", "before_removal"), scores=True),
    Reading("pool", ("unlimited", "limited")),
)


class OpenTiles(NamedTuple):
    """The display as tiles: buildings by name, landscapes by letter, both sorted."""

    buildings: tuple[str, ...]
    landscapes: tuple[Letter, ...]


@with_quick_replace
class State(NamedTuple):
    """A table of Architekton. Light is player 0, Dark player 1."""

    tiles: Mapping[Square, str]
    houses: Mapping[Square, int]
    """The owner of the house on each building with one."""
    building_count: int
    """The number of buildings among the tiles."""
    supply: tuple[int, int]
    """The houses that each player has left."""
    chips: tuple[int, int]
    starts: int
    player: int
    laid: int
    pending: tuple[Claim, ...]
    display: OpenTiles | None
    left: int | None
    empty: int
    box: tuple[str, ...] | None
    series: tuple[Result, ...] | None
    readings: Mapping[str, str]
    unknown: frozenset[Square] = frozenset()
    """The unknown cells, which every rule treats as free."""
    entered_cells: frozenset[Square] | None = None
    """The entered cells, if all others are unknown."""
    players_with_known_supply: frozenset[int] = frozenset()
    """The players whose houses left were entered."""

    @property
    def is_partial(self) -> bool:
        """Whether any cell is unknown."""
        return bool(self.unknown) or self.entered_cells is not None

    def hides(self, cell: Square) -> bool:
        """Whether a cell is unknown."""
        return cell in self.unknown or (self.entered_cells is not None and cell not in self.entered_cells)
