"""Describes a cell of Robber Knights by its neighbours, since no cell has a name."""

from __future__ import annotations

from collections.abc import Mapping

from rules.kernel import Value
from rules.robber_knights.moves import STEP, Cell, Move, Tile
from rules.robber_knights.state import State
from rules.robber_knights.tiles import Face


def beside(state: State, move: Move) -> Mapping[str, Value]:
    """The faces of the tiles that share an edge with a new one, each once."""
    return {"beside": faces_beside(state.tiles, move.cell)} if isinstance(move, Tile) else {}


def faces_beside(tiles: Mapping[Cell, Face], cell: Cell) -> tuple[Face, ...]:
    """The faces of the tiles that share an edge with a cell, each once."""
    x, y = cell
    near = [tiles[at] for dx, dy in STEP.values() if (at := (x + dx, y + dy)) in tiles]
    return tuple(dict.fromkeys(near))
