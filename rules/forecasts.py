"""Constructors for forecasts of a game that continues; and who is ahead, in a game that ranks by points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from rules.kernel import LEGAL, NOTHING, Fact, Facts, Forecast, Place, Value
from rules.old_names import old_attributes
from rules.ranking import ByPoints

S = TypeVar("S")
LEADS: Final = "leads"
LEVEL: Final = "level"
"""The codes of the forecasts in every game that ranks by points. The service has their words."""
IN_EVERY_GAME: Final = frozenset({LEADS, LEVEL})
TIE: Final = "tie"
SHARED_VICTORY: Final = "shared"
DRAW: Final = "draw"
"""The codes for the decision at equal points: their words are the game's, under the rule that decides."""
AT_EQUAL_POINTS: Final = frozenset({TIE, SHARED_VICTORY, DRAW})


def end_forecast(
    rule: str,
    code: str = "",
    values: Mapping[str, Value] = NOTHING,
    evidence: Sequence[Fact] = (),
    *,
    soon: bool = False,
) -> Forecast:
    """A forecast of how near an end of the game is."""
    return Forecast("end", rule, Facts(code, values, evidence, LEGAL), soon)


def leader_forecast(
    rule: str, code: str, values: Mapping[str, Value] = NOTHING, evidence: Sequence[Fact] = ()
) -> Forecast:
    """A forecast of who is ahead, or would win, in the present state."""
    return Forecast("standing", rule, Facts(code, values, evidence, LEGAL))


def shortage_forecast(
    rule: str, code: str, values: Mapping[str, Value] = NOTHING, evidence: Sequence[Fact] = ()
) -> Forecast:
    """A forecast of what a player, or the table, is short of."""
    return Forecast("short", rule, Facts(code, values, evidence, LEGAL))


def by_points(ranking: ByPoints[S], state: S) -> Iterator[Forecast]:
    """Who leads and by how much, and who would be first if the leaders and the next players had equal points."""
    sums = ranking.totals(state)
    best, *others = sorted(set(sums.values()), reverse=True)
    ahead = tuple(seat for seat, total in sums.items() if total == best)
    rule = ranking.tiebreaks[0].rule if ranking.tiebreaks else ranking.shared_by
    rivals = ahead
    if len(ahead) == 1 and others:
        rivals = tuple(seat for seat, total in sums.items() if total >= others[0])
        yield leader_forecast(rule, LEADS, {"leaders": ahead, "n": best - others[0]})
    else:
        yield leader_forecast(rule, LEVEL, {"leaders": ahead, "n": best})
    if len(rivals) > 1:
        first = ranking.break_tie(state, Place(1, rivals, "total"))[0]
        code = TIE if not first.level else DRAW if len(first.seats) == len(sums) else SHARED_VICTORY
        values: dict[str, Value] = {"winners": first.seats, "seats": rivals, "n": len(first.seats)}
        yield leader_forecast(first.decided_by, code, values, first.evidence)


if not TYPE_CHECKING:  # else any name would do
    __getattr__ = old_attributes(
        __name__,
        end="end_forecast",
        short="shortage_forecast",
        standing="leader_forecast",
    )
