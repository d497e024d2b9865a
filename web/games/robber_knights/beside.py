"""Where a tile of Robber Knights goes, in words: no cell has a name, so one says beside what."""

from __future__ import annotations

from collections.abc import Mapping

from rules.kernel import Value
from rules.robber_knights.moves import STEP, Move, Tile
from rules.robber_knights.state import State


def beside(state: State, move: Move) -> Mapping[str, Value]:
    """The faces of the tiles that share an edge with a new one, each once."""
    if not isinstance(move, Tile):
        return {}
    x, y = move.cell
    near = (state.tiles.get((x + dx, y + dy)) for dx, dy in STEP.values())
    return {"beside": tuple(dict.fromkeys(face for face in near if face is not None))}
