"""Villefranche: the fillings by which a placement is ruled on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from math import prod
from typing import Final

from rules.kernel import Cell
from rules.unknowns import MOST_CHECKS, Filling, TooMany, deviations
from rules.villefranche.board import CORNERS, ENCLOSURE, INDEX, NAMES
from rules.villefranche.moves import Move
from rules.villefranche.pieces import DIRECTION, STEP
from rules.villefranche.state import State
from rules.villefranche.unknowns.contents import Contents, lead
from rules.villefranche.unknowns.fill import BRICKS
from rules.villefranche.unknowns.look import Look

WALLS: Final = "walls"
"""All ramparts of a filling, as if they were one cell."""
FEW: Final = 400
"""So many combinations are heard one by one; of more, only the extremes, and each other content beside them.

Twice as many where there may be too few pieces for all unknown cells: then the extremes cannot all stand."""
MOST_EXTREMES: Final = 1_500
"""Beyond so many combinations of the extremes, nothing is decided."""
MOST_RARE: Final = 243
FEW_RARE: Final = 9
"""Beside a church or tower so many combinations of the extremes, else those that are alike; at the site more."""
MOST_WALLS: Final = 16
"""Nor beyond so many cells of the enclosure on which ramparts may be."""


def fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Filling]:
    """Every combination; where they are too many, of the extremes, and each other content beside them."""
    look = Look(state, move, unknown)
    if (look.unknown & ENCLOSURE & ~CORNERS).bit_count() > MOST_WALLS:
        raise TooMany
    found = Contents(look)
    every: dict[Cell, Sequence[object]] = {cell: found.of(cell) for cell in unknown if not found.joint(cell)}
    usual = {cell: [there for there in each if not found.special(cell, there)] or each for cell, each in every.items()}
    walls = tuple(islice(found.walls(), MOST_CHECKS + 1))
    extremes = _extremes(found, walls, tuple(every))
    if len(walls) * prod(map(len, usual.values())) <= (2 * FEW if look.scarce else FEW):
        ways = deviations({WALLS: walls, **usual}, {}, 2 * FEW)
    else:
        ways = deviations(extremes, usual, MOST_EXTREMES)
        if look.scarce:
            ways = chain(ways, _beside(_within_supply(look, walls[0], usual), usual))
    rare = {cell: [there for there in each if found.special(cell, there)] for cell, each in every.items()}
    ways = chain(ways, _rare(look, extremes, rare))
    return ({**way[WALLS], **{cell: content for cell, content in way.items() if cell != WALLS}} for way in ways)


def _extremes(
    found: Contents, walls: tuple[dict[Cell, str], ...], cells: Sequence[Cell]
) -> dict[Cell, Sequence[object]]:
    """The extremes of each cell, as many as can be combined. Raises `TooMany`."""
    for more in (2, 1, 0):
        extremes: dict[Cell, Sequence[object]] = {cell: found.extremes(cell, more=more) for cell in cells}
        if len(walls) * prod(map(len, extremes.values())) <= MOST_EXTREMES:
            return {WALLS: walls, **extremes}
    raise TooMany


def _within_supply(look: Look, walls: Filling, usual: Mapping[Cell, Sequence[object]]) -> Iterator[dict[Cell, object]]:
    """As many pieces of either player as there are, on one cell after the other, from the first and from the last."""
    cells = [cell for cell in usual if cell in INDEX]
    for letters in (look.own, look.own.swapcase()):
        for order in (cells, cells[::-1]):
            left, found = dict(look.left), {cell: True if cell not in INDEX else "" for cell in usual}
            for cell in order:
                stacks = [str(each) for each in usual[cell]]
                fair = [stack for stack in stacks if all(stack.count(x) <= left.get(x, 0) for x in stack)]
                best = found[cell] = max(fair, key=lambda stack: lead(stack, letters), default=stacks[0])
                left.update((x, left.get(x, 0) - best.count(x)) for x in best)
            yield {WALLS: walls, **found}


def _beside(rows: Iterable[Filling], alone: Mapping[Cell, Sequence[object]]) -> Iterator[Filling]:
    """Some fillings, and each of them with one cell otherwise."""
    for row in rows:
        yield row
        yield from ({**row, cell: content} for cell, contents in alone.items() for content in contents)


def _rare(
    look: Look, extremes: Mapping[Cell, Sequence[object]], rare: Mapping[Cell, Sequence[object]]
) -> Iterator[Filling]:
    """Each tower, and each church on two cells, beside the extremes of others; of those at the site, in every way."""
    towers: Iterator[Filling] = (
        {cell: there} for cell, each in rare.items() for there in each if str(there)[:1] not in BRICKS
    )
    for some in chain(towers, _joined(rare)):
        rest = {cell: each for cell, each in extremes.items() if cell not in some}
        suits = look.goes_on(str(cell) for cell in some)
        yield from ({**some, **filling} for filling in deviations(rest, {}, most=MOST_RARE if suits else FEW_RARE))


def _joined(every: Mapping[Cell, Sequence[object]]) -> Iterator[Filling]:
    """Each church on two unknown cells of which the placement may depend: both halves."""
    for cell, contents in every.items():
        for stack in map(str, contents):
            if stack and stack[0] in "NEne":
                other, half = _half(str(cell), stack)
                if other in every:
                    yield {cell: stack, other: half}
                    if len(stack.rstrip("Pp")) > 1:
                        bell = "P" if stack.isupper() else "p"
                        yield {cell: stack.rstrip("Pp"), other: half + bell}


def _half(cell: str, stack: str) -> tuple[str, str]:
    """The other half of what stands on a cell and the next one."""
    step = STEP[stack[0].upper()]
    back = DIRECTION[-step] if stack[0].isupper() else DIRECTION[-step].lower()
    return NAMES[INDEX[cell] + step], back * len(stack.rstrip("Pp"))
