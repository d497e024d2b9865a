"""Rankings: points first, then each tie-break in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Generic, TypeAlias, TypeVar

from rules.game import Game
from rules.kernel import Fact, Line, Place, Seat, TiebreakFigures, Value
from rules.old_names import accept_old_members
from rules.records import dataclass

S = TypeVar("S")
M = TypeVar("M")
Key: TypeAlias = "tuple[float, ...]"
"""A tie-break's measure: the greater one is ahead."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's measure under a tie-break, the cells that show it, and the figure for its sentence."""

    key: Key
    evidence: tuple[Fact, ...] = ()
    figure: Value = None


@dataclass(frozen=True, slots=True)
class Tiebreak(Generic[S]):
    """A criterion for players whose points are equal."""

    rule: str
    standing: Callable[[S, Seat, Sequence[Seat]], Standing]
    """(state, a player, all whose points are equal) -> the player's measure."""


def totals(game: Game[S, M], state: S) -> dict[Seat, int]:
    """The points of each player."""
    return _sums(game.seats_of(state), game.score(state))


def _sums(seats: Iterable[Seat], lines: Iterable[Line]) -> dict[Seat, int]:
    sums = dict.fromkeys(seats, 0)
    for line in lines:
        sums[line.seat] += line.points
    return sums


def first(places: Iterable[Place]) -> tuple[Seat, ...]:
    """The players in the first place; empty if nobody has a place."""
    return tuple(seat for place in places if place.place == 1 for seat in place.seats)


def is_draw(places: Sequence[Place]) -> bool:
    """Whether a game is a draw of all: no criterion separates anybody."""
    return len(places) == 1 and places[0].level


def winners(places: Sequence[Place]) -> tuple[Seat, ...]:
    """The winners of a finished game: empty at a draw of all, and if nobody has a place."""
    return () if is_draw(places) else first(places)


@accept_old_members(untied="break_tie")
@dataclass(frozen=True, slots=True)
class ByPoints(Generic[S]):
    """Ranks by points, then by each tie-break in order; those equal in all share the place, by the rule `shared_by`."""

    seats_of: Callable[[S], tuple[Seat, ...]]
    score: Callable[[S], tuple[Line, ...]]
    tiebreaks: Sequence[Tiebreak[S]]
    shared_by: str

    def __call__(self, state: S) -> tuple[Place, ...]:
        """The places."""
        sums = self.totals(state)
        places: list[Place] = []
        for points in sorted(set(sums.values()), reverse=True):
            tied = tuple(seat for seat, total in sums.items() if total == points)
            places += self.break_tie(state, Place(_next(1, places), tied, "total"))
        return tuple(places)

    def totals(self, state: S) -> dict[Seat, int]:
        """The points of each player."""
        return _sums(self.seats_of(state), self.score(state))

    def break_tie(self, state: S, shared: Place) -> list[Place]:
        """The places of players with equal points, after the tie-breaks."""
        return _break_tie(state, shared, self.tiebreaks, self.shared_by)


def _next(first: int, places: Iterable[Place]) -> int:
    """The number of the place after some; a shared place counts once for each player."""
    return first + sum(len(place.seats) for place in places)


def _break_tie(state: S, shared: Place, tiebreaks: Sequence[Tiebreak[S]], shared_by: str) -> list[Place]:
    """The places of players who would share one, after the tie-breaks."""
    if len(shared.seats) == 1:
        return [shared]
    if not tiebreaks:
        return [replace(shared, decided_by=shared_by, evidence=(), level=True)]
    tiebreak, *others = tiebreaks
    standings = {seat: tiebreak.standing(state, seat, shared.seats) for seat in shared.seats}
    tied = (*shared.tiebreak_figures, *_figures(tiebreak.rule, standings))
    keys = sorted({standing.key for standing in standings.values()}, reverse=True)
    if len(keys) == 1:
        return _break_tie(state, replace(shared, tiebreak_figures=tied), others, shared_by)
    evidence = tuple(fact for standing in standings.values() for fact in standing.evidence)
    places: list[Place] = []
    for key in keys:
        level = tuple(seat for seat, standing in standings.items() if standing.key == key)
        place = Place(_next(shared.place or 1, places), level, tiebreak.rule, evidence, tiebreak_figures=tied)
        places += _break_tie(state, place, others, shared_by)
    return places


def _figures(rule: str, standings: Mapping[Seat, Standing]) -> Iterator[TiebreakFigures]:
    """The figures of a tie-break, if it counts anything."""
    if any(standing.figure is not None for standing in standings.values()):
        yield TiebreakFigures(rule, tuple((seat, standing.figure) for seat, standing in standings.items()))
