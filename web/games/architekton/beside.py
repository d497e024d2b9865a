"""Describes a cell of Architekton by its tile or its neighbours, since no cell has a name."""

from __future__ import annotations

from collections.abc import Mapping

from rules.architekton.moves import Building, Keep, Land, Move, Take, UpBuilding
from rules.architekton.state import COLOURS, State
from rules.architekton.tiles import AROUND, LANDSCAPE, Landscape, Square, landscapes
from rules.kernel import Seat, Value


def beside(state: State, move: Move) -> Mapping[str, Value]:
    """The sides of the building that a move is about, the neighbours of a new one, and the origin of its house."""
    if isinstance(move, Building):
        found = lands_beside(state, move.cell)
        return {"sides": landscapes(move.sides), "beside": found, "source": _sides(state, move.house_from)}
    if isinstance(move, Land):
        return {"beside": owners_beside(state, move.cell)}
    if isinstance(move, Keep | Take):
        return {"sides": _sides(state, move.cell)}
    return {"sides": landscapes(move.sides)} if isinstance(move, UpBuilding) else {}


def lands_beside(state: State, cell: Square) -> tuple[Landscape, ...]:
    """The landscapes that share an edge with a cell, each once."""
    tiles = state.tiles
    near = [tiles[at] for at in AROUND[cell] if at in tiles]
    return tuple(dict.fromkeys([LANDSCAPE[tile] for tile in near if len(tile) == 1]))


def owners_beside(state: State, cell: Square) -> tuple[Seat, ...]:
    """The owners of houses that share an edge with a cell, each player once."""
    houses = state.houses
    return tuple(dict.fromkeys([COLOURS[houses[at]] for at in AROUND[cell] if at in houses]))


def _sides(state: State, cell: Square | None) -> tuple[Landscape, ...]:
    """The sides of the building on a cell, if any."""
    tile = "" if cell is None else state.tiles.get(cell, "")
    return landscapes(tile) if len(tile) > 1 else ()
