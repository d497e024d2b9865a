"""Fief: the villages that a move touches, and the distance between two moves."""

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
    """The distance between two moves of a kind: the number of fields that differ, then how much each differs."""
    unlike = tuple(_unlike(getattr(other, field.name), getattr(move, field.name)) for field in fields(move))
    return sum(map(bool, unlike)), unlike


def _unlike(one: object, other: object) -> int:
    """For lists, the number of names that are missing in the other one; for other values, whether they differ."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(set(one) ^ set(other)) + (one != other)
    return int(one != other)
