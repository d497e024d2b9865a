"""Villa Paletti: the fillings for the effects of a move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from rules.fillings import Filling
from rules.kernel import Cell
from rules.villa_paletti.moves import Floor, Move
from rules.villa_paletti.state import State
from rules.villa_paletti.unknowns.combinations import FillingJudge, corners
from rules.villa_paletti.unknowns.contents import Spread
from rules.villa_paletti.unknowns.scope import Table, effect_scope

MAX_COMBINATIONS: Final = 256
"""The maximum number of combinations for the effects. Of more, a few represent all, …"""
MAX_TOLD: Final = 320
"""… and if these exceed this number, the move has no effects."""


def effect_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Filling]:
    """The fillings for the effects: every combination, or those with the fewest and the most of everything.

    None if these are too many as well: another filling might lack an effect that they share.
    """
    table = Table(state, unknown)
    spread, judge = (
        Spread(table, effect_scope(table, move), adds_floor=isinstance(move, Floor)),
        FillingJudge(table, move),
    )
    ways = spread.every() if spread.number <= MAX_COMBINATIONS else corners(spread)
    found = list(islice(ways, MAX_TOLD + 1))
    if len(found) > MAX_TOLD:
        return
    for judge.over in (False, True):
        filling_verdicts = zip(found, map(judge.verdict_of, found), strict=True)
        legal = [filling for filling, verdict in filling_verdicts if verdict is not None and verdict.legal]
        if judge.went_on:
            break
    yield from legal
