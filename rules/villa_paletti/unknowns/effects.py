"""Villa Paletti: the fillings by which the effects of a move are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from rules.kernel import Cell
from rules.unknowns import Filling
from rules.villa_paletti.moves import Floor, Move
from rules.villa_paletti.state import State
from rules.villa_paletti.unknowns.combinations import Hearing, corners
from rules.villa_paletti.unknowns.contents import Spread
from rules.villa_paletti.unknowns.scope import Table, told_of

TOLD: Final = 256
"""Of so many combinations the effects are told. Of more, a few stand for all, …"""
MAX_TOLD: Final = 320
"""… and of more of these than that, no effect is told."""


def effect_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Filling]:
    """To tell its effects: every combination, or those with the fewest and the most of everything.

    None where these are many as well: what they all have, another might lack.
    """
    table = Table(state, unknown)
    spread, hearing = Spread(table, told_of(table, move), laid=isinstance(move, Floor)), Hearing(table, move)
    ways = spread.every() if spread.number <= TOLD else corners(spread)
    found = list(islice(ways, MAX_TOLD + 1))
    if len(found) > MAX_TOLD:
        return
    for hearing.over in (False, True):
        heard = zip(found, map(hearing.of, found), strict=True)
        legal = [filling for filling, verdict in heard if verdict is not None and verdict.legal]
        if hearing.went_on:
            break
    yield from legal
