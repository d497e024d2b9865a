"""Villa Paletti: every kind of move, in the players' own words. Their annotations are their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar, Literal, TypeAlias

from rules.forms import SAYS_PLAYER, Malformed
from rules.records import dataclass
from rules.villa_paletti.columns import NEUTRAL, CellName, Colour, Level, Shape


@dataclass(frozen=True, slots=True)
class _OwnColumn:
    """What a player does with a column of their own, or how the villa falls with it."""

    colour: Colour
    shape: Shape
    level: Level
    locked: bool = False
    crash: bool = False
    cell: CellName = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cell", f"{self.colour} {self.shape} {self.level}")


@dataclass(frozen=True, slots=True)
class Column(_OwnColumn):
    """A column moved up to the top level (`VP-10`)."""

    kind: ClassVar[str] = "column"


@dataclass(frozen=True, slots=True)
class Abort(_OwnColumn):
    """A column that was tried and put back, and is locked from now on (`VP-11`)."""

    kind: ClassVar[str] = "abort"


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

    `by`: who objected.
    `result`: ``ok`` if it worked, ``fail`` if it failed, ``crash`` if the villa fell.
    `taken`: the column that the asker took out of the game after a failure, if any.
    """

    by: Colour = field(metadata=SAYS_PLAYER)
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
    """The next floor asked for (`VP-12`), and laid or given up (`VP-15`).

    `laid`: false if the floor is given up; else it is laid, unless an objection works.
    `objection`: the objection to the floor, if there was one.
    """

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
    """Who challenged a neutral attempt, with which neutral column, and how it went (`VP-21`).

    `by`: who challenged it.
    `result`: ``ok`` if it worked, ``fail`` if it failed, ``crash`` if the villa fell.
    """

    by: Colour = field(metadata=SAYS_PLAYER)
    shape: Shape
    level: Level
    result: Literal["ok", "fail", "crash"]
    locked: bool = False


@dataclass(frozen=True, slots=True)
class NeutralAbort:
    """A neutral column that was tried and put back, challenged or not (`VP-21`).

    `challenge`: the challenge of the attempt, if there was one.
    """

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
    """The villa fell (`VP-16`): by a player's hand, or by nobody's.

    `by`: whose hand brought the villa down, if anybody's.
    """

    by: Colour | None = field(default=None, metadata=SAYS_PLAYER)
    kind: ClassVar[str] = "crash"


@dataclass(frozen=True, slots=True)
class End:
    """The table says that nobody can build (`VP-17`)."""

    kind: ClassVar[str] = "end"


Move: TypeAlias = Column | Abort | Floor | Neutral | NeutralAbort | Done | Crash | End
KINDS: Mapping[str, type[Move]] = {
    form.kind: form for form in (Column, Abort, Floor, Neutral, NeutralAbort, Done, Crash, End)
}
