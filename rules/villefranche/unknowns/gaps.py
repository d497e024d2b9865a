"""Villefranche: the unknown cells and facts of a position, and its known part.

The facts are ``enclosed``, and ``in_hand black cube`` and the like.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Final

from rules.forms import is_unknown, rest_is_unknown
from rules.kernel import Cell
from rules.unknowns import squared_distance
from rules.villefranche.board import BIT, ENCLOSURE, GRID, INDEX, MARKET, NAMES
from rules.villefranche.grid import members
from rules.villefranche.legal_moves import cells_of
from rules.villefranche.moves import Move
from rules.villefranche.state import SUPPLY, PartialPosition, Piece, Position, Setup, State

ENCLOSURE_FACT: Final = "enclosed"
IN_HAND: Final = "in_hand"


def cells(_: Setup, position: Position) -> tuple[Cell, ...]:
    """The unknown cells, then the unknown facts of the whole table.

    On the first turn there are none: nothing can stand, and all pieces are in hand (`VF-1`).
    """
    if position.first_turn:
        return ()
    halves = _brick_halves(position)
    unseen = [
        name
        for name in sorted(_unknown_cells(position))
        if name not in halves or _may_have_a_bell(position, halves[name])
    ]
    return (*unseen, *_facts(position, unseen))


def _unknown_cells(position: Position) -> set[str]:
    """The cells that are unknown, or omitted while the rest is unknown. Nothing ever stands on the market square."""
    unseen = {name for name, pieces in position.cells.items() if is_unknown(pieces)}
    if rest_is_unknown(position):
        unseen |= INDEX.keys() - position.cells.keys()
    return unseen - {NAMES[index] for index in members(MARKET)}


def _facts(position: Position, unseen: Sequence[str]) -> Iterator[str]:
    """The unknown facts: entered as unknown, or not deducible from the cells, since the rest is unknown."""
    rest = rest_is_unknown(position)
    walls = any(BIT[INDEX[name]] & ENCLOSURE for name in unseen)
    if is_unknown(position.enclosed) or (position.enclosed is None and rest and walls):
        yield ENCLOSURE_FACT
    known_hand = (position.in_hand or {}).get(position.due, {})
    for piece in SUPPLY:
        if is_unknown(known_hand.get(piece)) or (rest and unseen and piece not in known_hand):
            yield f"{IN_HAND} {position.due} {piece}"


def known_part(setup: Setup, position: Position) -> Position:
    """The known part of a position; unknown cells have the halves of bricks that known cells show."""
    unseen = _unknown_cells(position) | {
        NAMES[index] for index in members(MARKET) if is_unknown(position.cells.get(NAMES[index]))
    }
    stacks = {name: pieces for name, pieces in position.cells.items() if name not in unseen}
    in_hand = {
        colour: {piece: some for piece, some in known_stacks.items() if not is_unknown(some)}
        for colour, known_stacks in (position.in_hand or {}).items()
    }
    enclosed = None if is_unknown(position.enclosed) else position.enclosed
    known_stacks = {**stacks, **_brick_halves(position)}
    form = PartialPosition if cells(setup, position) else Position
    return form(known_stacks, position.due, position.placement, position.first_turn, enclosed, in_hand or None)


def _brick_halves(position: Position) -> dict[str, tuple[Piece, ...]]:
    """The halves of bricks on unknown cells that known cells show."""
    unseen = _unknown_cells(position)
    found: dict[str, tuple[Piece, ...]] = {}
    for name in sorted(position.cells.keys() - unseen):
        for piece in () if is_unknown(position.cells[name]) else position.cells[name]:
            if piece.piece == "brick" and piece.second in unseen:
                found[piece.second] = (*found.get(piece.second, ()), Piece("brick", piece.colour, name))
    return found


def _may_have_a_bell(position: Position, halves: tuple[Piece, ...]) -> bool:
    """Whether a church's bell tower may stand on the cell with only its naves known."""
    other = halves[0].second or ""
    wall = BIT[INDEX[other]] & ENCLOSURE
    return not wall and len(halves) > 1 and all(piece.piece == "brick" for piece in position.cells[other])


def distance(_: State, move: Move, cell: Cell) -> float:
    """The distance of an unknown cell from the piece; facts of the whole table come last."""
    return squared_distance(map(_place, cells_of(move)), _place(cell)) if cell in INDEX else inf


def _place(cell: Cell) -> tuple[int, int]:
    return divmod(INDEX[str(cell)], GRID.stride)
