"""Architekton: the possible contents of unknown cells together, within the supply of tiles and houses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import eq
from typing import NamedTuple, TypeAlias

from rules.architekton.box import BUILDINGS, HOUSES, OF_EACH_LANDSCAPE
from rules.architekton.legal_moves import left_in_box, seen_buildings, seen_landscapes, unseen_buildings
from rules.architekton.moves import Land, Lay, Move, Pass
from rules.architekton.state import COLOURS, State
from rules.architekton.tiles import canonical, rotations
from rules.architekton.unknowns.gaps import HOUSES_OF
from rules.fillings import Filling


class There(NamedTuple):
    """A tile as text, and the owner of its house."""

    tile: str
    owner: int | None = None


Content: TypeAlias = There | None
"""The content of a cell; None: no tile."""


def fill(state: State, filling: Filling) -> State | None:
    """The state with these cells filled; None if the box has too few tiles, or a player too few houses."""
    tiles, houses = dict(state.tiles), dict(state.houses)
    new_tiles: dict[str, int] = {}
    supply_of = {player: state.supply[player] for player in state.players_with_known_supply}
    for cell, there in filling.items():
        if isinstance(cell, str):
            supply_of[COLOURS.index(cell.removeprefix(HOUSES_OF))] = there
        elif there is not None:
            tiles[cell] = there.tile
            new_tiles[there.tile] = new_tiles.get(there.tile, 0) + 1
            if there.owner is not None:
                houses[cell] = there.owner
    if not new_tiles and not supply_of:
        return state
    owners = list(houses.values())
    standing = [owners.count(player) for player in (0, 1)]
    supply = [supply_of.get(player, HOUSES - number) for player, number in enumerate(standing)]
    if any(left < 0 or left + number > HOUSES for left, number in zip(supply, standing, strict=True)):
        return None
    if not _has_enough_tiles(state, new_tiles):
        return None
    built = sum(number for tile, number in new_tiles.items() if len(tile) > 1)
    return state._replace(
        tiles=tiles, houses=houses, building_count=state.building_count + built, supply=(supply[0], supply[1])
    )


def _has_enough_tiles(state: State, new_tiles: dict[str, int]) -> bool:
    """Whether the box has these tiles beside the known ones, ignoring kinds that exceed it without them."""
    lands = seen_landscapes(state)
    if any(lands[tile] + number > OF_EACH_LANDSCAPE for tile, number in new_tiles.items() if len(tile) == 1):
        return False
    built = {tile: number for tile, number in new_tiles.items() if len(tile) > 1}
    if not built:
        return True
    if seen_buildings(state) + sum(built.values()) > BUILDINGS:
        return False
    left = Counter(left_in_box(state)) if state.box is not None else None
    for tile, number in built.items():
        if left is not None:
            left[canonical(tile)] -= number
    return left is None or all(left[canonical(tile)] >= 0 for tile in built)


class Hand:
    """The tile that a move lays, if no display shows it: which fillings leave it in the player's hand (`AR-3`)."""

    def __init__(self, state: State, move: Lay) -> None:
        self.move, self.has_display, self.box = move, state.display is not None, state.box is not None
        if isinstance(move, Land):
            self.seen_count = seen_landscapes(state)[move.tile]
        else:
            self.seen_count, self.name = seen_buildings(state), canonical(move.sides)
            self.copies_left = left_in_box(state)[self.name] if self.box else 0

    def has_tile(self, filling: Filling) -> bool:
        """Whether a filling leaves a copy of the tile, unless none is left even without the filling."""
        if self.has_display:
            return True
        tiles = [there.tile for there in filling.values() if isinstance(there, There)]
        if isinstance(self.move, Land):
            return (
                self.seen_count >= OF_EACH_LANDSCAPE
                or self.seen_count + tiles.count(self.move.tile) < OF_EACH_LANDSCAPE
            )
        built = [tile for tile in tiles if len(tile) > 1]
        if self.seen_count < BUILDINGS <= self.seen_count + len(built):
            return False
        return (
            not self.box
            or self.copies_left <= 0
            or sum(canonical(tile) == self.name for tile in built) < self.copies_left
        )


def unique_fillings(fillings: Iterable[Filling]) -> Iterator[Filling]:
    """Fillings of the same cells, each once."""
    keys = set()
    for filling in fillings:
        key = tuple(filling.values())
        if key not in keys:
            keys.add(key)
            yield filling


def letters_left(state: State) -> list[str]:
    """The landscapes that may lie on unknown cells, the most frequent first."""
    seen_counts = seen_landscapes(state)
    return sorted(
        (letter for letter in "EFMW" if seen_counts[letter] < OF_EACH_LANDSCAPE), key=lambda letter: seen_counts[letter]
    )


def tiles_on_cell(state: State) -> list[There]:
    """Tiles on the cell itself: a building, and a landscape of either of two kinds."""
    return [There(any_building(state)), *map(There, letters_left(state)[:2])]


def any_building(state: State) -> str:
    """Any building that may lie on an unknown cell."""
    return "EFMW" if state.box is None else next(iter(unseen_buildings(state)), "EFMW")


def most_similar_building(state: State, wanted: str, arm_side: int) -> str:
    """The building in the box that is most similar to a wanted one, first on the side that faces the tile."""
    every = [lie for name in unseen_buildings(state) for lie in rotations(name)]
    alike = [(lie[arm_side] == wanted[arm_side], sum(map(eq, lie, wanted)), lie) for lie in every]
    return max(alike)[2] if alike else wanted


def uniform_rows(every: Sequence[Sequence[Content]]) -> Iterator[tuple[Content, ...]]:
    """The first of each cell's contents, the second, and so on; and one cell other than nothing."""
    for row in range(max(map(len, every), default=1)):
        yield tuple(each[min(row, len(each) - 1)] for each in every)
    for number, each in enumerate(every):
        yield from ((*[None] * number, there, *[None] * (len(every) - number - 1)) for there in each[1:])


def contents_anywhere(state: State, move: Move) -> tuple[Content, ...]:
    """The contents that may make room for a tile of the display, or take it."""
    letters = "EFMW" if isinstance(move, Pass) else ""
    built = [There(letter * 4) for letter in letters] or [There(any_building(state), state.player)]
    return (None, *map(There, letters_left(state)), *built)
