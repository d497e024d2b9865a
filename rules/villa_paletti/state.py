"""Villa Paletti: the state of a table, and the forms of moves, setups and positions in the players' own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, NamedTuple, TypeAlias

from rules.forms import Between, Malformed, Reading
from rules.villa_paletti.columns import (
    COLOURS,
    COLUMNS,
    FIRST_FLOOR,
    NEUTRAL,
    RED_FLOOR,
    CellName,
    Colour,
    Count,
    Group,
    Level,
    Shape,
)

# --- moves -------------------------------------------------------------------------------------------------------
# `locked` names a locked column where a like one beside it is not: the star of the notation. `crash` says that the
# attempt brought the villa down; then nothing else of the entry happens (`VP-16`).


@dataclass(frozen=True, slots=True)
class Column:
    """A column moved up to the top level (`VP-10`)."""

    colour: Colour
    shape: Shape
    level: Level
    locked: bool = False
    crash: bool = False
    cell: CellName = field(init=False, repr=False, compare=False)
    kind: ClassVar[str] = "column"

    def __post_init__(self) -> None:
        object.__setattr__(self, "cell", f"{self.colour} {self.shape} {self.level}")


@dataclass(frozen=True, slots=True)
class Abort:
    """A column that was tried and put back, and is locked from now on (`VP-11`)."""

    colour: Colour
    shape: Shape
    level: Level
    locked: bool = False
    crash: bool = False
    cell: CellName = field(init=False, repr=False, compare=False)
    kind: ClassVar[str] = "abort"

    def __post_init__(self) -> None:
        object.__setattr__(self, "cell", f"{self.colour} {self.shape} {self.level}")


@dataclass(frozen=True, slots=True)
class Taken:
    """The column of the objector that the asker takes out of the game (`VP-14`)."""

    colour: Colour
    shape: Shape
    level: Level
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Objection:
    """Who objected to a floor, with which column, and how it went (`VP-13`).

    `taken` is what the asker took after a failure, if anything.
    """

    by: Colour
    colour: Colour
    shape: Shape
    level: Level
    result: Literal["ok", "fail", "crash"]
    locked: bool = False
    taken: Taken | None = None

    def __post_init__(self) -> None:
        """Refuse a column taken where the objection did not fail."""
        if self.taken is not None and self.result != "fail":
            raise Malformed("taken", "/taken")


@dataclass(frozen=True, slots=True)
class Floor:
    """The next floor asked for (`VP-12`), and `laid` or given up (`VP-15`)."""

    laid: bool = True
    objection: Objection | None = None
    crash: bool = False
    kind: ClassVar[str] = "floor"

    def __post_init__(self) -> None:
        """Refuse a collapse beside anything else, and a floor given up after an objection that worked."""
        if self.crash and (self.objection is not None or not self.laid):
            raise Malformed("crash_alone", "/crash")
        if not self.laid and self.objection is not None and self.objection.result != "fail":
            raise Malformed("given_up", "/laid")


@dataclass(frozen=True, slots=True)
class Neutral:
    """A neutral column moved up to the top level (`VP-20`)."""

    shape: Shape
    level: Level
    locked: bool = False
    crash: bool = False
    cell: CellName = field(init=False, repr=False, compare=False)
    kind: ClassVar[str] = "neutral"

    def __post_init__(self) -> None:
        object.__setattr__(self, "cell", f"{NEUTRAL} {self.shape} {self.level}")


@dataclass(frozen=True, slots=True)
class Challenge:
    """Who challenged a neutral attempt, with which neutral column, and how it went (`VP-21`)."""

    by: Colour
    shape: Shape
    level: Level
    result: Literal["ok", "fail", "crash"]
    locked: bool = False


@dataclass(frozen=True, slots=True)
class NeutralAbort:
    """A neutral column that was tried and put back, challenged or not (`VP-21`)."""

    shape: Shape
    level: Level
    locked: bool = False
    challenge: Challenge | None = None
    crash: bool = False
    cell: CellName = field(init=False, repr=False, compare=False)
    kind: ClassVar[str] = "neutral_abort"

    def __post_init__(self) -> None:
        """Refuse a collapse that the player caused, beside a challenge."""
        if self.crash and self.challenge is not None:
            raise Malformed("crash_alone", "/crash")
        object.__setattr__(self, "cell", f"{NEUTRAL} {self.shape} {self.level}")


@dataclass(frozen=True, slots=True)
class Done:
    """No own column after the neutral one: the turn is over (`VP-20`)."""

    kind: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class Crash:
    """The villa fell (`VP-16`): by a player's hand, or by nobody's."""

    by: Colour | None = None
    kind: ClassVar[str] = "crash"


@dataclass(frozen=True, slots=True)
class End:
    """The table says that nobody can build (`VP-17`)."""

    kind: ClassVar[str] = "end"


Move: TypeAlias = Column | Abort | Floor | Neutral | NeutralAbort | Done | Crash | End
KINDS: Mapping[str, type[Move]] = {
    form.kind: form for form in (Column, Abort, Floor, Neutral, NeutralAbort, Done, Crash, End)
}


# --- setups and positions ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Player:
    """A player: the colour of the columns, two of them where two play, and a name, if given."""

    colours: tuple[Colour, ...]
    name: str | None = None

    @property
    def colour(self) -> Colour | None:
        """The colour that names the player: the first one."""
        return self.colours[0] if self.colours else None


@dataclass(frozen=True, slots=True)
class Setup:
    """The players in turn order, the first begins; the colour that is left over with three; and the readings."""

    players: tuple[Player, ...] = tuple(Player((colour,)) for colour in COLOURS)
    neutral: Colour | None = None
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Columns:
    """Like columns on one level: how many, and how many of them are locked."""

    colour: Colour
    shape: Shape
    level: Level
    n: Annotated[int, Between(1, COLUMNS)] = 1
    locked: Annotated[int, Between(0, COLUMNS)] = 0


@dataclass(frozen=True, slots=True)
class OutColumns:
    """Like columns that are out of the game."""

    colour: Colour
    shape: Shape
    n: Annotated[int, Between(1, COLUMNS)] = 1


@dataclass(frozen=True, slots=True)
class Ending:
    """What ended the game: `VP-16` with the hand that did it, if any, or `VP-17`.

    `asker` is whose turn it was, where the villa fell at an objection or a challenge.
    """

    rule: Literal["VP-16", "VP-17"]
    by: Colour | None = None
    asker: Colour | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """What stands on the table, whose turn it is, and who has the seal.

    `columns` and those out of the game, `out`, are all twenty. `due` is the player in turn (the first one who
    has something to do where none is given); with three players `part` is ``own`` once the neutral part is over.
    `asked` says that the player has asked for a floor in this turn, an objection worked, and the turn goes on (reading
    `after_objection`).
    """

    columns: tuple[Columns, ...] = ()
    out: tuple[OutColumns, ...] = ()
    top: Annotated[int, Between(FIRST_FLOOR, RED_FLOOR)] = FIRST_FLOOR
    due: Colour | None = None
    part: Literal["turn", "own"] = "turn"
    asked: bool = False
    holder: Colour | None = None
    previous: Colour | None = None
    ended: Ending | None = None


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
    """What was entered to end the game; players by their number."""

    rule: Literal["VP-16", "VP-17"]
    by: int | None = None
    asker: int | None = None


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
    return next((number for number, colours in enumerate(state.players) if colour in colours), None)


def name_of(state: State, player: int) -> Colour:
    """The colour that names a player."""
    return state.players[player][0]


def named_by(state: State, colour: Colour) -> Colour:
    """The colour that names the player who has this one; a colour that is nobody's names itself."""
    player = player_of(state, colour)
    return colour if player is None else name_of(state, player)
