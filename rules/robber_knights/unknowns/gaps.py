"""Robber Knights: the unknown cells and facts of a position, and its known part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from rules.forms import Malformed, is_unknown, rest_is_unknown
from rules.kernel import Cell
from rules.robber_knights.legal_moves import cells_of
from rules.robber_knights.moves import Move
from rules.robber_knights.position import enter, rest_of
from rules.robber_knights.state import (
    BELOW,
    UNKNOWN,
    Position,
    Setup,
    StandingTile,
    State,
)
from rules.robber_knights.tiles import Face
from rules.unknowns import squared_distance

TILES_PLACED: Final = "placed"
"""The fact: the number of tiles laid in this turn."""
SUPPLY: Final = "knights "
"""The prefix of the facts, before the colour: the number of knights that a player has left."""
Place: TypeAlias = tuple[int, int]


def cells(form: Setup, position: Position) -> tuple[Cell, ...]:
    """The unknown cells, row by row from the upper left, then the supplies and the number of tiles laid in this turn.

    If every cell of a table is known, hidden knights under others are no gap: the rules allow for any.
    """
    partly = any(is_unknown(tile.face) or _is_bare(tile) for tile in position.tiles)
    numbers = (*position.supply.values(), position.placed)
    if not partly and not rest_is_unknown(position) and not any(map(is_unknown, numbers)):
        return ()
    for number, tile in enumerate(position.tiles):
        if is_unknown(tile.face) and tile.colour is not None and position.laid is None:
            raise Malformed("back_of_unknown", f"/tiles/{number}/colour", cell=tile.cell)
    state = enter(form, known_part(form, position))
    below = {cell for cell, stack in state.stacks.items() if stack.startswith(BELOW)}
    found: list[Cell] = [*sorted(below | state.unknown_cells, key=lambda cell: (-cell[1], cell[0]))]
    found += [SUPPLY + colour for colour, left in zip(state.colours, state.supply, strict=True) if left is None]
    return (*found, TILES_PLACED) if state.placed == UNKNOWN else tuple(found)


def _is_bare(tile: StandingTile) -> bool:
    """Whether not even the upper knights of a tile are given."""
    return tile.covered and not tile.knights


def known_part(form: Setup, position: Position) -> Position:
    """The position with its unknown cells, which the state contains: knights may stand there.

    On a tile of the starting layout, only the knights are unknown.
    """
    layout = {entry.cell: entry.tile for entry in form.layout}
    return replace(
        position,
        tiles=tuple(_known_tile(tile, layout) for tile in position.tiles),
        supply={colour: left for colour, left in position.supply.items() if not is_unknown(left)},
        placed=None if is_unknown(position.placed) else position.placed,
        rest=position.rest if rest_of(form, position) else None,
    )


def _known_tile(tile: StandingTile, layout: Mapping[Place, Face]) -> StandingTile:
    if is_unknown(tile.face):
        under = tile.covered or not tile.knights
        return replace(tile, face=layout[tile.cell], covered=under) if tile.cell in layout else tile
    return tile


def distance(_: State, move: Move, cell: Cell) -> float:
    """The distance of an unknown cell from the tile and its march; supplies come last."""
    return squared_distance(cells_of(move), cell)
