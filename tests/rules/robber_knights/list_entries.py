"""Robber Knights: the one move of the list that stands for a legal move."""

from __future__ import annotations

from rules.robber_knights.moves import Move, Tile
from rules.robber_knights.state import State


def stand_in(_: State, move: Move) -> Move:
    """The same tile without its letter."""
    return Tile(move.cell, move.face, None, move.knights) if isinstance(move, Tile) and move.letter else move
