"""Where a tile of Robber Knights goes, in words: no cell has a name, so one says beside what."""

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
    near = (tiles.get((x + dx, y + dy)) for dx, dy in STEP.values())
    return tuple(dict.fromkeys(face for face in near if face is not None))
