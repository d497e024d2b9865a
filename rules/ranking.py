"""Who is where: points first, then each tie-break in its order."""

from __future__ import annotations

from typing import TypeVar

from rules.kernel import Fact, Game, Place, Seat

S = TypeVar("S")
M = TypeVar("M")


def totals(game: Game[S, M], state: S) -> dict[Seat, int]:
    """The points of each player."""
    sums = dict.fromkeys(game.seats_of(state), 0)
    for line in game.score(state):
        sums[line.seat] += line.points
    return sums


def by_points(game: Game[S, M], state: S) -> tuple[Place, ...]:
    """Rank by points, then by each tie-break in order; who is equal in all shares the place."""
    sums = totals(game, state)
    places: list[Place] = []
    for points in sorted(set(sums.values()), reverse=True):
        tied = tuple(seat for seat, total in sums.items() if total == points)
        first = 1 + sum(len(place.seats) for place in places)
        places += _untie(game, state, tied, 0, first, "total", ())
    return tuple(places)


def _untie(
    game: Game[S, M],
    state: S,
    tied: tuple[Seat, ...],
    criterion: int,
    first: int,
    decided_by: str,
    evidence: tuple[Fact, ...],
) -> list[Place]:
    if len(tied) == 1:
        return [Place(first, tied, decided_by, evidence)]
    if criterion == len(game.tiebreaks):
        return [Place(first, tied, game.shared_by)]
    tiebreak = game.tiebreaks[criterion]
    standings = {seat: tiebreak.standing(state, seat) for seat in tied}
    keys = sorted({standing.key for standing in standings.values()}, reverse=True)
    if len(keys) == 1:
        return _untie(game, state, tied, criterion + 1, first, decided_by, evidence)
    places: list[Place] = []
    for key in keys:
        level = tuple(seat for seat in tied if standings[seat].key == key)
        shown = tuple(fact for seat in tied for fact in standings[seat].evidence)
        places += _untie(
            game, state, level, criterion + 1, first + sum(len(p.seats) for p in places), tiebreak.rule, shown
        )
    return places
