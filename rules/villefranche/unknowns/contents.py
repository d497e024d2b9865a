"""Villefranche: what can lie on unknown cells: what the rules let be built there, of either colour, at any stage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.kernel import Cell
from rules.villefranche.board import BIT, CORNER_NUMBER, ENCLOSURE, INDEX, LAND, pair_of
from rules.villefranche.enclosure import SIDE_OF_RAMPART
from rules.villefranche.pieces import STEP
from rules.villefranche.state import State

LONE: Final = ("C", "CP", "Y", "YY", "YYY")
"""The buildings of one cell, as Black has them: house, shop, noble tower."""
CHURCHES: Final = ("{0}", "{0}{0}", "{0}{0}P")
"""The stages of a church on one of its cells; the bell tower is on one of the two."""
CORNER: Final = ("", "Y", "y", "Yy", "YY", "yy", "YYy", "yyY")
"""The storeys of a corner tower, as far as their numbers and their owner go."""


def contents(state: State, unknown: int, cell: Cell) -> tuple[object, ...]:
    """All that can be on a cell, or what a fact can be; a brick lies towards another unknown cell only."""
    return tuple(_stacks(state, unknown, INDEX[str(cell)])) if cell in INDEX else (True, False)


def _stacks(state: State, unknown: int, index: int) -> Iterator[str]:
    standing = state.stacks.get(index, "")
    if standing:
        yield from (standing, standing + ("P" if standing.isupper() else "p"))
    elif index in CORNER_NUMBER:
        yield from CORNER
    else:
        yield ""
        built = tuple(_built(state, unknown, index))
        yield from built
        yield from map(str.lower, built)


def _built(state: State, unknown: int, index: int) -> Iterator[str]:
    """What can be built on a cell of the town or of a side, as Black has it."""
    wall = bool(BIT[index] & ENCLOSURE)
    if not wall:
        yield from LONE
    for letter, step in STEP.items():
        other = index + step
        if not unknown & (BIT[other] if 0 <= other < len(BIT) else 0) or other in state.stacks:
            continue
        if wall and pair_of(index, other) in SIDE_OF_RAMPART:
            yield letter
        elif not wall and BIT[other] & LAND:
            yield from (form.format(letter) for form in CHURCHES)
