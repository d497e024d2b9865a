"""Fief: the elections as moves, with their candidates and votes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, TypeAlias

from rules.fief.data import MAX_LORDS, BishopricNumber, Colour, LordName
from rules.forms import Malformed, Most
from rules.records import dataclass

SomeLords: TypeAlias = Annotated[tuple[LordName, ...], Most(MAX_LORDS)]


def require_few(items: Sequence[object], pointer: str) -> None:
    """Raise `Malformed` for more items than there can be lords."""
    if len(items) > MAX_LORDS:
        raise Malformed("too_many", pointer, text=str(MAX_LORDS))


def require_each_once(names: Sequence[str], pointer: str) -> None:
    """Raise `Malformed` for a name that occurs twice, and for more names than there can be lords."""
    require_few(names, pointer)
    for number, name in enumerate(names):
        if name in names[:number]:
            raise Malformed("twice", f"{pointer}/{number}", text=name)


@dataclass(frozen=True, slots=True)
class PlayersVote:
    """All votes of a player, for one candidate or for nobody.

    `voter`: whose votes they are.
    `choice`: the candidate; left out for nobody.
    """

    voter: Colour
    choice: LordName | None = None


@dataclass(frozen=True, slots=True)
class LordsVote:
    """The vote of a lord, for one candidate or for nobody.

    `voter`: the lord who votes.
    `choice`: the candidate; left out for nobody.
    """

    voter: LordName
    choice: LordName | None = None


@dataclass(frozen=True, slots=True)
class Bishop:
    """The election of the bishop of a bishopric (`FI-20`).

    `bishopric`: the number of the bishopric.
    `ballots`: the votes of each player; who is not listed abstains.
    """

    bishopric: BishopricNumber
    candidates: SomeLords = ()
    ballots: Annotated[tuple[PlayersVote, ...], Most(MAX_LORDS)] = ()
    kind: ClassVar[str] = "bishop"

    def __post_init__(self) -> None:
        require_each_once(self.candidates, "/candidates")
        require_few(self.ballots, "/ballots")


@dataclass(frozen=True, slots=True)
class Pope:
    """The election of the pope (`FI-30`): a vote for each cardinal.

    `ballots`: the vote of each cardinal.
    """

    candidates: SomeLords = ()
    ballots: Annotated[tuple[LordsVote, ...], Most(MAX_LORDS)] = ()
    kind: ClassVar[str] = "pope"

    def __post_init__(self) -> None:
        require_each_once(self.candidates, "/candidates")
        require_few(self.ballots, "/ballots")


@dataclass(frozen=True, slots=True)
class King:
    """The election of the king (`FI-40`): a vote for each titled lord.

    `ballots`: the vote of each titled lord.
    """

    candidates: SomeLords = ()
    ballots: Annotated[tuple[LordsVote, ...], Most(MAX_LORDS)] = ()
    kind: ClassVar[str] = "king"

    def __post_init__(self) -> None:
        require_each_once(self.candidates, "/candidates")
        require_few(self.ballots, "/ballots")
