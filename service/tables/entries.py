"""The entries of a table's log.

Every entry has a number (the table's version after it), a time (UTC), and the name of the role whose key made it.
A move is in the line of play, and so may be an entry of another type: `InLine`. New types of entry follow the same
pattern: renamed, closed.

These declarations are all that the log and the API need: `service.tables.codec` and
`service.http.serializers.entries` derive from the fields, and a test compares `openapi.yaml` with them. A field that is
added later has a default, so that every old entry can still be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from rules.changes import Reachability
from rules.kernel import ORDINARY, Finding, Ruling, Seat
from service.tables.entry_fields import Names
from service.types import Json, Move

MisfitPolicy: TypeAlias = Literal["leave_out", "stop", "stand"]
LEAVE_OUT: Final[MisfitPolicy] = "leave_out"
"""An entry that does not fit any more is left out, and the next one is tried without it."""
STOP: Final[MisfitPolicy] = "stop"
"""Only the entries before the first that does not fit are repeated."""
STAND: Final[MisfitPolicy] = "stand"
"""A move that the rules forbid now stands if it can lie on the table."""
MISFIT_POLICIES: Final[tuple[MisfitPolicy, ...]] = (LEAVE_OUT, STOP, STAND)
ChangeKind: TypeAlias = Literal["replace", "insert", "delete"]
REPLACE: Final[ChangeKind] = "replace"
INSERT: Final[ChangeKind] = "insert"
DELETE: Final[ChangeKind] = "delete"
CHANGES: Final[tuple[ChangeKind, ...]] = (REPLACE, INSERT, DELETE)
"""Changes of the log: another move in place of an entry, moves after an entry, or the removal of an entry."""


class Unreadable(Exception):
    """An entry that this version cannot read: a newer worker wrote it, or a game is not installed here."""


class BrokenLog(Exception):
    """A log whose entries this version knows but cannot replay: it is damaged, or the service has a fault."""


class NoEntry(LookupError):
    """A table has no entry of this number, or the entry has another type than requested."""


class Opened(NamedTuple):
    """The first entry. `keys`: SHA-256 of a key, in hex -> name of its role; never shown.

    `imported`: the number of entries, this one first, that came with an export at `imported_at`. This service has not
    ruled on their moves, nor rolled their dice.
    """

    number: int
    at: datetime
    by: str
    game: str
    setup: Mapping[str, Json]
    rules_version: str
    keys: Annotated[Mapping[str, str], Names(is_hidden=True)]
    imported: Annotated[int | None, Names(is_hidden=True)] = None
    imported_at: Annotated[datetime | None, Names(is_hidden=True)] = None


class Played(NamedTuple):
    """A move with its ruling at that time. `stands`: the rules forbade it and the table let it stand.

    `dispute`: the settlement of this dispute replayed it.
    """

    number: int
    at: datetime
    by: str
    notation: Annotated[str, Names(log="move")]
    seat: Annotated[Seat | None, Names(api="by")]
    ruling: Ruling = Ruling.LEGAL
    stands: bool = False
    findings: tuple[Finding, ...] = ()
    rules_version: str = ""
    dispute: int | None = None


class Rewound(NamedTuple):
    """Back to how the table was at version `to`, or forward again to it.

    `dispute`: the settlement of this dispute went back, or was taken back or put back.
    """

    number: int
    at: datetime
    by: str
    to: int
    dispute: int | None = None


class ReadingsSet(NamedTuple):
    """Other values of some readings from here on, by the host. Earlier moves are not judged again.

    It stands in the line of play, and is undone and redone as a move is. `dispute`: the settlement of this dispute
    repeated it.
    """

    number: int
    at: datetime
    by: str
    readings: Mapping[str, str]
    rules_version: str = ""
    dispute: int | None = None

    @property
    def seat(self) -> None:
        """It is no player's own, so that only the host takes it back."""


class Checkpoint(NamedTuple):
    """The position on the players' table, entered by the host (its JSON): play continues from there.

    The comparison at that time: whether play can have `led` there from the log's position, by which `way` (notations),
    or `why` not, or how many moves were `looked` at. It stands in the line of play, and is undone and redone as a move
    is. `dispute`: the settlement of this dispute entered it.
    """

    number: int
    at: datetime
    by: str
    position: Mapping[str, Json]
    led: Reachability = Reachability.UNDECIDED
    way: tuple[str, ...] = ()
    why: tuple[Finding, ...] = ()
    looked: int = 0
    rules_version: str = ""
    dispute: int | None = None

    @property
    def seat(self) -> None:
        """It is no player's own, so that only the host takes it back."""

    def without_comparison(self) -> Checkpoint:
        """The same position after other moves, without a comparison."""
        return self._replace(led=Reachability.UNDECIDED, way=(), why=(), looked=0)


class Disputed(NamedTuple):
    """A dispute about the effect of the entry `entry`, or about a move that was not played (None).

    `notation`: the move, whose ruling at that time follows; None if the entry is not a move.
    """

    number: int
    at: datetime
    by: str
    entry: int | None
    notation: Annotated[str | None, Names(log="move")]
    question: str
    ruling: Ruling = Ruling.LEGAL
    findings: tuple[Finding, ...] = ()
    rules_version: str = ""

    @property
    def version(self) -> int:
        """The version whose position the move is judged on, or the version before the entry."""
        return max((self.entry or self.number) - 1, 1)


class LateMove(NamedTuple):
    """A move entered late, by an amendment. `stands`: even if the rules forbid it."""

    notation: str
    stands: bool = False


class LogChange(NamedTuple):
    """A change at an entry, or after one (1: before any move); `misfits`: the policy for entries that do not fit."""

    do: ChangeKind
    entry: int
    moves: tuple[LateMove, ...] = ()
    misfits: MisfitPolicy = LEAVE_OUT


class Confirmed(NamedTuple):
    """A seat agrees to a remedy for a dispute, or, if `dispute` is None, to a change of the log."""

    number: int
    at: datetime
    by: str
    dispute: int | None
    remedy: str
    change: LogChange | None = None


class Settled(NamedTuple):
    """The host, or all seats (`by`: the last of them), settled a dispute. The following entries carry it out."""

    number: int
    at: datetime
    by: str
    dispute: int
    remedy: str
    text: str = ""


class Amended(NamedTuple):
    """The host, or all seats (`by`: the last of them), amended the log: another line of entries holds from here.

    The line is that of version `to`, then the entries that follow this one. For each of them, `line` has the number of
    the entry that it repeats, or 0 for a new move. `changed`: the entries that now have another ruling or player.
    """

    number: int
    at: datetime
    by: str
    change: LogChange
    to: int
    line: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()


Purpose: TypeAlias = Literal["battle", "begins", "dice"]
BATTLE: Final[Purpose] = "battle"
"""For the sum of a camp's dice, in a move that needs it."""
BEGINS: Final[Purpose] = "begins"
"""To decide who begins: a die for each player, and again for those who are level."""
DICE: Final[Purpose] = "dice"
"""For any purpose of the table."""
Source: TypeAlias = Literal["server"]
SERVER: Final[Source] = "server"
"""The random numbers of the server's operating system."""


MAX_DICE: Final = 6
"""The most dice of one roll for any purpose (`DICE`)."""


MAX_SHOWN: Final = 100
"""The highest number on any die."""


class Die(NamedTuple):
    """A die that was thrown: its kind, and what it shows."""

    kind: str
    shows: int


class Throw(NamedTuple):
    """Dice that were thrown together, in order; `seat`: the player who throws, if each player does."""

    dice: tuple[Die, ...]
    seat: Seat | None = None

    @property
    def total(self) -> int:
        """The sum of the dice."""
        return sum(die.shows for die in self.dice)


class ToRoll(NamedTuple):
    """A roll to make: for a battle the dice of a camp in a move, else `n` dice of a kind."""

    purpose: Purpose
    move: Move | None = None
    camp: str = ""
    n: int = 0
    kind: str = ORDINARY


class Rolled(NamedTuple):
    """Dice that the service rolled for a table. It records what they showed; no move follows from it by itself.

    `faces`: the faces of each thrown kind at that time. In a battle, `camp` threw for the move `notation`, in which
    the sums are still 0.
    """

    number: int
    at: datetime
    by: str
    purpose: Annotated[Purpose, Names(log="for", api="for")]
    throws: tuple[Throw, ...]
    faces: Annotated[Mapping[str, tuple[int, ...]], Names(is_hidden=True)]
    notation: Annotated[str | None, Names(log="move", null=True)] = None
    camp: str = ""
    source: Annotated[Source, Names(log="with", api="with")] = SERVER
    rules_version: str = ""

    @property
    def rounds(self) -> tuple[tuple[Throw, ...], ...]:
        """The rounds of throws that decide who begins: all players, then those who were level, and so on."""
        found, left, size = [], self.throws, len({throw.seat for throw in self.throws})
        while left and size:
            found.append(left[:size])
            left, best = left[size:], max(throw.total for throw in found[-1])
            size = sum(throw.total == best for throw in found[-1])
        return tuple(found)

    @property
    def begins(self) -> Seat | None:
        """The player who begins, if the roll was for that; else None."""
        return max(self.rounds[-1], key=lambda throw: throw.total).seat if self.purpose == BEGINS else None


class Renamed(NamedTuple):
    """Some players get other names, in all texts about the table. `names`: an empty one removes a name."""

    number: int
    at: datetime
    by: str
    names: Mapping[Seat, str]


class ViewMade(NamedTuple):
    """The host made a public view. `hash`: SHA-256 of the secret in its id, in hex; never shown.

    `label`: the host's name for it. `names`: it names the players. `since`: it shows nothing before this version; 0 for
    the whole game.
    """

    number: int
    at: datetime
    by: str
    hash: Annotated[str, Names(is_hidden=True)]
    label: str
    names: bool = False
    since: int = 0


class ViewRevoked(NamedTuple):
    """The host revoked the public view of a number: its id is invalid from now on."""

    number: int
    at: datetime
    by: str
    view: int


class KeyMade(NamedTuple):
    """The host made a key, for itself or for others. `hash`: its SHA-256, in hex; never shown.

    `role`: the name of its role. `label`: the host's name for it. A derived key opens the table
    `until` a time, and ends with its `parent`, the number of the key that made it.
    """

    number: int
    at: datetime
    by: str
    hash: Annotated[str, Names(is_hidden=True)]
    role: str
    label: str = ""
    until: datetime | None = None
    parent: int | None = None


class KeyRevoked(NamedTuple):
    """The host revoked the key of a number, and with it the keys derived from it."""

    number: int
    at: datetime
    by: str
    key: int


RuledEntry: TypeAlias = Played | Disputed
"""An entry with a ruling on a move."""
InLine: TypeAlias = Played | ReadingsSet | Checkpoint
"""An entry in the line of play: it turns one state into the next, and can be undone and redone."""
Disputable: TypeAlias = Opened | InLine | Rewound | Amended
"""An entry that affects the state of the table, so that it can be disputed. The others only comment on it."""
Unlisted: TypeAlias = ViewMade | ViewRevoked | KeyMade | KeyRevoked
"""An entry about access to the table: feeds, exports and public views omit it."""
AnyEntry: TypeAlias = Opened | InLine | Rewound | Disputed | Confirmed | Settled | Amended | Rolled | Renamed | Unlisted
