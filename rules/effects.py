"""The effects of a move: its game's own, the end, and the points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar

from rules.game import Game
from rules.kernel import LEGAL, NOTHING, Due, Effect, Fact, Facts, Seat, Value
from rules.ranking import is_draw, winners

S = TypeVar("S")
M = TypeVar("M")
Points: TypeAlias = "Mapping[tuple[Seat, str], int]"
"""A player and a rule -> points."""
ENDED: Final = "ended"
WON: Final = "won"
NOBODY: Final = "nobody"
POINTS: Final = "points"
"""The codes of the effects of every game; their words are the service's, or those of the end."""
TOTAL: Final = "total"
"""What decides a ranking without a tie-break."""
OF_EVERY_GAME: Final = frozenset({ENDED, WON, NOBODY, POINTS})


def effect(rule: str, code: str = "", values: Mapping[str, Value] = NOTHING, evidence: Sequence[Fact] = ()) -> Effect:
    """An effect of a move; its facts are no objection."""
    return Effect(rule, Facts(code, values, evidence, LEGAL))


def effects_of(
    game: Game[S, M],
    before: S,
    move: M,
    after: S,
    points: tuple[Points, Points] | None = None,
    due: Due | None = None,
) -> tuple[Effect, ...]:
    """All effects of a move: the game's own, the end with the winners, and the changed points.

    `points` (before and after the move) and `due` (after it) may be given if they are known already.
    """
    was, now = points or (points_of(game, before), points_of(game, after))
    end = end_of(game, before, after, due or game.due(after))
    return (*game.effects(before, move, after), *end, *change_of(game.seats_of(after), was, now))


def points_of(game: Game[S, M], state: S) -> Points:
    """The points of each player by each rule."""
    if game.points is not None:
        return MappingProxyType(game.points(state))
    found: dict[tuple[Seat, str], int] = {}
    for line in game.score(state):
        of = line.seat, line.rule
        found[of] = found.get(of, 0) + line.points
    return MappingProxyType(found)


def end_of(game: Game[S, M], before: S, after: S, due: Due) -> Iterator[Effect]:
    """The rule that ends the game now, and the winners, if any, with the rule that decided; except at a draw.

    `due` is what is due after the move. If the sentence on the end names the winner, it is the only effect.
    """
    ended = due.ended
    if ended is None or game.due(before).ended is not None:
        return
    places = game.ranking(after)
    best, decided = winners(places), places[0].decided_by
    yield effect(ended.rule, ENDED, {**ended.values, "winners": best, "decided_by": decided})
    if not is_draw(places) and not ended.tells_winner:
        rule = ended.rule if decided == TOTAL else decided
        yield effect(rule, WON if best else NOBODY, {"winners": best, "n": len(best), "decided_by": decided})


def change_of(seats: Sequence[Seat], was: Points, now: Points) -> Iterator[Effect]:
    """One effect for the changed totals of all players, by the first rule that changes any."""
    if was == now:
        return
    sums = [(seat, _total(was, seat), _total(now, seat)) for seat in seats]
    changed_sums = [each for each in sums if each[1] != each[2]]
    if changed_sums:
        first = next(rule for seat, rule in {**now, **was} if was.get((seat, rule), 0) != now.get((seat, rule), 0))
        changed_seats, old, new = zip(*changed_sums, strict=True)
        yield effect(first, POINTS, {"seats": changed_seats, "was": old, "now": new})


def _total(points: Points, seat: Seat) -> int:
    return sum([n for (whose, _), n in points.items() if whose == seat])
