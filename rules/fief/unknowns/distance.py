"""Fief: how far something unknown is from a move."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from math import inf
from typing import Final

from rules.fief.data import Land
from rules.fief.moves import Move
from rules.fief.near import cells_of
from rules.fief.state import State
from rules.fief.unknowns.doubts import Doubt
from rules.kernel import Cell

NEAREST: Final = -1


def distance(state: State, move: Move, unknown: Cell) -> float:
    """How many roads a village is from the move's; what the move names is nearer, and all else is looked at last."""
    name = Doubt(unknown).name
    if name and name in _named(move):
        return NEAREST
    return _roads(state.land, name, cells_of(move)) if name in state.land.roads else inf


def _named(move: Move) -> set[object]:
    """The lords and players whom a move names, and the villages that it touches."""
    named: set[object] = {*cells_of(move)}
    for each in fields(move):
        value = getattr(move, each.name)
        named.update(value if isinstance(value, tuple) else (value,) if isinstance(value, str) else ())
    return named


def _roads(land: Land, village: str, wanted: Collection[Cell]) -> float:
    """How many roads lead from a village to the nearest of others; none at all where no village is asked for."""
    seen, front, steps = {village}, {village}, 0
    while front and wanted and front.isdisjoint(wanted):
        front = {near for at in front for near in land.roads[at]} - seen
        seen |= front
        steps += 1
    return steps if front else inf
