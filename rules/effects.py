"""What a move brings about: what its game tells, the end, and the points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from rules.kernel import NOTHING, Effect, Fact, Facts, Game, Line, Ruling, Seat, Value
from rules.ranking import first

S = TypeVar("S")
M = TypeVar("M")
ENDED: Final = "ended"
WON: Final = "won"
NOBODY: Final = "nobody"
POINTS: Final = "points"
"""The codes of what every game's moves can bring about; their words are the service's, or those of the end."""
OF_EVERY_GAME: Final = frozenset({ENDED, WON, NOBODY, POINTS})


def effect(rule: str, code: str = "", values: Mapping[str, Value] = NOTHING, evidence: Sequence[Fact] = ()) -> Effect:
    """Something that a move brings about; its facts are not an objection."""
    return Effect(rule, Facts(code, values, evidence, Ruling.LEGAL))


def effects_of(game: Game[S, M], before: S, move: M, after: S) -> tuple[Effect, ...]:
    """All that a move brings about: what the game tells, the end and who has won, and whose points change."""
    return (*game.effects(before, move, after), *in_every_game(game, before, after))


def in_every_game(game: Game[S, Any], before: S, after: S) -> tuple[Effect, ...]:
    """The end and who has won, and the points that change."""
    return (*_end(game, before, after), *_points(game, before, after))


def _end(game: Game[S, Any], before: S, after: S) -> Iterator[Effect]:
    """The rule that ends the game now, and who has won by what: alone, with others, or nobody."""
    ended = game.due(after).ended
    if ended is None or game.due(before).ended is not None:
        return
    yield effect(ended.rule, ENDED, ended.values)
    places = game.ranking(after)
    best, decided = first(places), places[0].decided_by
    if len(best) < len(game.seats_of(after)):
        rule = ended.rule if decided == "total" else decided
        yield effect(rule, WON if best else NOBODY, {"winners": best, "n": len(best), "decided_by": decided})


def _points(game: Game[S, Any], before: S, after: S) -> Iterator[Effect]:
    """The totals that change, of all players in one, by the first rule that changes them."""
    was, now = _by_rule(game.score(before)), _by_rule(game.score(after))
    changed = [line for line in now | was if was[line] != now[line]]
    if not changed:
        return
    sums = {seat: (_total(was, seat), _total(now, seat)) for seat in game.seats_of(after)}
    differing = {seat: both for seat, both in sums.items() if both[0] != both[1]}
    if differing:
        seats = tuple(differing)
        old, new = zip(*differing.values(), strict=True)
        yield effect(changed[0][1], POINTS, {"seats": seats, "was": old, "now": new})


def _total(sums: Counter[tuple[Seat, str]], seat: Seat) -> int:
    return sum(points for (whose, _), points in sums.items() if whose == seat)


def _by_rule(lines: Iterable[Line]) -> Counter[tuple[Seat, str]]:
    found: Counter[tuple[Seat, str]] = Counter()
    for line in lines:
        found[line.seat, line.rule] += line.points
    return found
