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
    """The end and who has won, and whose points change."""
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
    """The total of each player whose points change, by the first rule that changes them."""
    was, now = _by_rule(game.score(before)), _by_rule(game.score(after))
    changed = {seat: rule for seat, rule in reversed(list(now | was)) if was[seat, rule] != now[seat, rule]}
    for seat in game.seats_of(after):
        if seat in changed:
            old, new = (sum(points for (whose, _), points in each.items() if whose == seat) for each in (was, now))
            yield effect(changed[seat], POINTS, {"seat": seat, "was": old, "now": new, "n": abs(new)})


def _by_rule(lines: Iterable[Line]) -> Counter[tuple[Seat, str]]:
    found: Counter[tuple[Seat, str]] = Counter()
    for line in lines:
        found[line.seat, line.rule] += line.points
    return found
