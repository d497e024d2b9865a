"""Villa Paletti: the state of a table, and the forms of setups and positions in the players' own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Literal, NamedTuple

from rules.forms import SAYS_PLAYER, Between, Most, OnTable, OrUnknown, Reading, Rest
from rules.kernel import with_quick_replace
from rules.records import dataclass
from rules.villa_paletti.columns import (
    COLOURS,
    COLUMNS,
    FIRST_FLOOR,
    RED_FLOOR,
    SUPPLY,
    Colour,
    Count,
    Group,
    Level,
    Shape,
)

MAX_GROUPS = len(COLOURS) * len(SUPPLY) * (RED_FLOOR + 1)
"""The maximum number of groups: one of each colour and shape on each level."""

# --- setups and positions ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Player:
    """A player: the colour of the columns, two of them where two play, and a name, if given.

    `colours`: the colours of the player's columns; the first one names the player.
    """

    colours: Annotated[tuple[Colour, ...], Most(len(COLOURS))]
    name: str | None = None

    @property
    def colour(self) -> Colour | None:
        """The colour that names the player: the first one."""
        return self.colours[0] if self.colours else None


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays, which colour is left over with three players, and the readings.

    `players`: the players in turn order; the first one begins.
    `neutral`: the colour that nobody plays, with three players; it need not be given.
    """

    players: Annotated[tuple[Player, ...], Most(len(COLOURS))] = tuple(Player((colour,)) for colour in COLOURS)
    neutral: Colour | None = None
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Columns:
    """Like columns on one level: how many, and how many of them are locked.

    `n`: how many they are; ``?`` if unknown.
    `locked`: how many of them are locked; ``?`` if unknown, as it always is where `n` is.
    """

    colour: Colour
    shape: Shape
    level: Level
    n: Annotated[int, Between(0, COLUMNS), OrUnknown()] = 1
    locked: Annotated[int, Between(0, COLUMNS), OrUnknown()] = 0


@dataclass(frozen=True, slots=True)
class OutColumns:
    """Like columns that are out of the game.

    `n`: how many they are; ``?`` if unknown.
    """

    colour: Colour
    shape: Shape
    n: Annotated[int, Between(0, COLUMNS), OrUnknown()] = 1


@dataclass(frozen=True, slots=True)
class Ending:
    """What ended the game.

    `rule`: the rule that ended it: ``VP-16`` where the villa fell, ``VP-17`` where nobody could build.
    `by`: whose hand brought the villa down, if anybody's.
    `asker`: whose turn it was, where the villa fell at an objection or a challenge.
    """

    rule: Literal["VP-16", "VP-17"]
    by: Colour | None = field(default=None, metadata=SAYS_PLAYER)
    asker: Colour | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """What stands on the table, whose turn it is, and who has the seal.

    `columns`: the columns on the villa; with those out of the game they are all twenty.
    `out`: the columns out of the game.
    `top`: the top level: 1 is the blue floor, 5 the red one.
    `due`: the player in turn; left out, the first one who has something to do; ``?`` if unknown.
    `part`: ``own`` once the neutral part of a turn of three players is over, else ``turn``; ``?`` if unknown.
    `asked`: whether a floor was asked for in this turn, an objection worked, and the turn goes on; ``?`` if unknown.
    `holder`: who has the seal, if anybody; ``?`` if unknown.
    `previous`: who had the seal before its holder, if anybody; ``?`` if unknown.
    `ended`: what ended the game, if it is over.
    `rest`: where columns left out are: out of the game (``empty``), or there or on any level untold (``unknown``).

    A turn goes on after an objection that worked by the reading `after_objection`. Where the rest is unknown, whose
    turn it is and who has the seal is as entered.
    """

    columns: Annotated[tuple[Columns, ...], Most(MAX_GROUPS), OnTable()] = ()
    out: Annotated[tuple[OutColumns, ...], Most(MAX_GROUPS), OnTable()] = ()
    top: Annotated[int, Between(FIRST_FLOOR, RED_FLOOR)] = FIRST_FLOOR
    due: Annotated[Colour, OrUnknown()] | None = None
    part: Annotated[Literal["turn", "own"], OrUnknown()] = "turn"
    asked: Annotated[bool, OrUnknown()] = False
    holder: Annotated[Colour, OrUnknown()] | None = None
    previous: Annotated[Colour, OrUnknown()] | None = None
    ended: Ending | None = None
    rest: Rest = None


@dataclass(frozen=True, slots=True)
class KnownPosition(Position):
    """The known part of a position, with the names of what is unknown: what that may mend is no problem of it."""

    unknown: frozenset[str] = field(default=frozenset(), init=False, compare=False)


# --- the state ---------------------------------------------------------------------------------------------------

READINGS = (
    Reading("supports", ("three", "two_from_orange")),
    Reading("floor_after_failed_objection", ("laid", "not_laid")),
    Reading("failed_column", ("free", "locked")),
    Reading("collapse_by_objector", ("objector", "asker"), scores=True),
    Reading("objection_column", ("askers", "any")),
    Reading("own_after_neutral", ("may", "must"), before="must"),
    Reading("after_objection", ("turn_over", "asker_moves")),
)


class Over(NamedTuple):
    """The entered end of the game; players by their number."""

    rule: Literal["VP-16", "VP-17"]
    by: int | None = None
    asker: int | None = None


@with_quick_replace
class State(NamedTuple):
    """A table of Villa Paletti. Players are numbered in turn order, from 0."""

    players: tuple[tuple[Colour, ...], ...]
    """The colours of each player; the first one names the player."""
    neutral: Colour | None
    columns: Mapping[Group, Count]
    """The groups on the villa; none is empty."""
    out: Mapping[tuple[Colour, Shape], int]
    """The columns out of the game."""
    top: int
    player: int
    own: bool
    """With three players: the neutral part of the turn is over."""
    asked: bool
    """A floor was asked for in this turn, and an objection worked."""
    holder: int | None
    previous: int | None
    ended: Over | None
    readings: Mapping[str, str]


def player_of(state: State, colour: Colour | None) -> int | None:
    """The number of the player with a colour, or None."""
    for number, colours in enumerate(state.players):
        if colour in colours:
            return number
    return None


def name_of(state: State, player: int) -> Colour:
    """The colour that names a player."""
    return state.players[player][0]


def player_colour_of(state: State, colour: Colour) -> Colour:
    """The colour that names the player with this colour; a colour of nobody names itself."""
    player = player_of(state, colour)
    return colour if player is None else name_of(state, player)
