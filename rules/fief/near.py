"""Fief: the villages that a move touches, and how far one is from another."""

from __future__ import annotations

from dataclasses import fields

from rules.fief.moves import March, Move
from rules.kernel import Cell


def cells_of(move: Move) -> tuple[Cell, ...]:
    """The villages that a move touches."""
    if isinstance(move, March):
        return tuple(dict.fromkeys(move.path))
    village = getattr(move, "village", None) or getattr(move, "at", None)
    return () if village is None else (village,)


def move_distance(other: Move, move: Move) -> tuple[int, tuple[int, ...]]:
    """How far from a move another one of its kind is: by the fields that differ, then by how much each does."""
    unlike = tuple(_unlike(getattr(other, field.name), getattr(move, field.name)) for field in fields(move))
    return sum(map(bool, unlike)), unlike


def _unlike(one: object, other: object) -> int:
    """How many names of a list are not in the other one; of anything else whether it differs."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(set(one) ^ set(other)) + (one != other)
    return int(one != other)
