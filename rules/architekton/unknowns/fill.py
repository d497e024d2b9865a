"""A table of Architekton with something on its unknown cells, where there are so many tiles and houses."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, TypeAlias

from rules.architekton.box import BUILDINGS, HOUSES, OF_EACH_LANDSCAPE
from rules.architekton.legal_moves import left_in_box, seen_buildings, seen_landscapes
from rules.architekton.moves import Building, Land, Move
from rules.architekton.state import State
from rules.architekton.tiles import canonical
from rules.unknowns import Filling


class There(NamedTuple):
    """A tile as text, and whose house is on it."""

    tile: str
    owner: int | None = None


Content: TypeAlias = There | None
"""What lies on a cell; None: no tile."""


def fill(state: State, filling: Filling) -> State | None:
    """The state with these cells so; None where the box has not so many tiles, or a player so many houses."""
    tiles, houses = dict(state.tiles), dict(state.houses)
    laid: dict[str, int] = {}
    for cell, there in filling.items():
        if there is not None and not isinstance(cell, str):
            tiles[cell] = there.tile
            laid[there.tile] = laid.get(there.tile, 0) + 1
            if there.owner is not None:
                houses[cell] = there.owner
    if not laid:
        return state
    owners = list(houses.values())
    standing = [owners.count(player) for player in (0, 1)]
    if max(standing) > HOUSES or not _enough(state, laid):
        return None
    built = sum(number for tile, number in laid.items() if len(tile) > 1)
    supply = (HOUSES - standing[0], HOUSES - standing[1])
    return state._replace(tiles=tiles, houses=houses, built=state.built + built, supply=supply)


def _enough(state: State, laid: dict[str, int]) -> bool:
    """Whether the box has these tiles beside those that are known; what is too many without them is no matter."""
    lands = seen_landscapes(state)
    if any(lands[tile] + number > OF_EACH_LANDSCAPE for tile, number in laid.items() if len(tile) == 1):
        return False
    built = {tile: number for tile, number in laid.items() if len(tile) > 1}
    if not built:
        return True
    if seen_buildings(state) + sum(built.values()) > BUILDINGS:
        return False
    left = Counter(left_in_box(state)) if state.box is not None else None
    for tile, number in built.items():
        if left is not None:
            left[canonical(tile)] -= number
    return left is None or all(left[canonical(tile)] >= 0 for tile in built)


def leaves_tile(state: State, move: Move, filling: Filling) -> bool:
    """Whether a filling leaves the tile that is laid in the player's hand, where no display shows it (`AR-3`)."""
    if state.display is not None or not isinstance(move, Building | Land):
        return True
    tiles = [there.tile for there in filling.values() if there is not None]
    if isinstance(move, Land):
        seen, most, more = seen_landscapes(state)[move.tile], OF_EACH_LANDSCAPE, tiles.count(move.tile)
        return seen >= most or seen + more < most
    seen, more = seen_buildings(state), sum(len(tile) > 1 for tile in tiles)
    if seen < BUILDINGS <= seen + more:
        return False
    name = canonical(move.sides)
    left = BUILDINGS if state.box is None else left_in_box(state)[name]
    return left <= 0 or sum(len(tile) > 1 and canonical(tile) == name for tile in tiles) < left or state.box is None


def letters_left(state: State) -> list[str]:
    """The landscapes that may lie on unknown cells, those of which there are most first."""
    seen = seen_landscapes(state)
    return sorted((letter for letter in "EFMW" if seen[letter] < OF_EACH_LANDSCAPE), key=lambda letter: seen[letter])
