"""Fief: the villages that a move touches, and the legal moves that are nearest to a refused one."""

from __future__ import annotations

from dataclasses import fields
from heapq import nsmallest
from typing import Any

from rules.fief.legal_moves import moves
from rules.fief.moves import March, Move
from rules.fief.state import State
from rules.kernel import Cell

NEAREST = 3


def cells_of(move: Move) -> tuple[Cell, ...]:
    """The villages that a move touches."""
    if isinstance(move, March):
        return tuple(dict.fromkeys(move.path))
    village = getattr(move, "village", None) or getattr(move, "at", None)
    return () if village is None else (village,)


def nearest(state: State, move: Move) -> tuple[Move, ...]:
    """The three legal moves of the same kind that differ least from a refused one."""
    names = [field.name for field in fields(move)]

    def unlike(other: Move) -> tuple[int, ...]:
        return tuple(_unlike(getattr(other, name), getattr(move, name)) for name in names)

    found = list(moves(state, (move.kind,)))
    return tuple(nsmallest(NEAREST, found, key=lambda other: (sum(map(bool, unlike(other))), unlike(other))))


def _unlike(one: Any, other: Any) -> int:
    """How many names of a list are not in the other one; of anything else whether it differs."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(set(one) ^ set(other)) + (one != other)
    return int(one != other)
