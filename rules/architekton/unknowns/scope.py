"""Architekton: the unknown cells and facts on which an entry can depend."""

from __future__ import annotations

from collections.abc import Sequence

from rules.architekton.legal_moves import has_lay
from rules.architekton.moves import Building, Land, Lay, Move, Pass
from rules.architekton.state import COLOURS, State
from rules.architekton.tiles import AROUND, Square
from rules.architekton.unknowns.gaps import HOUSES_OF, in_order
from rules.kernel import Cell


def relevant_cells(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """The tile's cell and those beside it; for a landscape, also those that surround a building with it.

    All, if houses may have run out, or if some tile may fit somewhere else; beyond the entered cells, only those that
    the move depends on.
    """
    if isinstance(move, Pass):
        settled = state.display is None or has_sure_lay(state, unknown)
        return () if settled else tuple(unknown)
    if not isinstance(move, Building | Land):
        return ()
    if isinstance(move, Building) and houses_may_be_out(state, unknown):
        return tuple(unknown)
    found = {move.cell, *AROUND[move.cell]}
    if isinstance(move, Building) and move.house_from is not None:
        found.add(move.house_from)
    if isinstance(move, Land):
        for cell in AROUND[move.cell]:
            if state.hides(cell) or cell in state.houses:
                found.update(outer(move, cell))
    counted = (fact for fact in unknown if isinstance(move, Building) and fact == houses_of(state))
    return (*sorted(filter(state.hides, found), key=in_order), *counted)


def outer(move: Lay, cell: Square) -> list[Square]:
    """The cells beside a neighbour of a tile, without the tile's own."""
    return [near for near in AROUND[cell] if near != move.cell]


def houses_may_be_out(state: State, unknown: Sequence[Cell]) -> bool:
    """Whether all houses that the player seems to have left may stand on unknown cells (`AR-13`)."""
    if state.player in state.players_with_known_supply or houses_of(state) in unknown:
        return False
    return 0 < state.supply[state.player] <= len(unknown)


def houses_of(state: State) -> str:
    """The name of the fact: the number of houses that the player has left."""
    return HOUSES_OF + COLOURS[state.player]


def has_sure_lay(state: State, unknown: Sequence[Cell]) -> bool:
    """Whether a tile of the display fits somewhere among known cells."""
    blocked = {near for cell in unknown if isinstance(cell, tuple) for near in (cell, *AROUND[cell])}
    # The known town, with a tile of no kind on every uncertain cell.
    tiles = {**state.tiles, **dict.fromkeys(blocked - state.tiles.keys(), "")}
    return has_lay(state._replace(tiles=tiles))
