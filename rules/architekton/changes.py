"""Architekton: compares a table with an earlier one. No move removes a tile; houses and chips come and go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping

from rules.architekton.legal_moves import settlements, unseen_buildings, unseen_landscapes
from rules.architekton.moves import Building, Keep, Land, Move, Pass, Take, UpBuilding, UpLandscape
from rules.architekton.play import phase, settled_buildings
from rules.architekton.settlement import is_surrounded, mismatch_count
from rules.architekton.state import COLOURS, State
from rules.architekton.tiles import LANDSCAPE, Square, canonical, tile_text
from rules.defaults import missing_tiles
from rules.kernel import Changes, Fact, Facts, Finding, Piece


def pieces(state: State) -> Mapping[Piece, int]:
    """The tiles, the houses, and the chips."""
    found: Counter[Piece] = Counter()
    for cell, tile in state.tiles.items():
        if len(tile) == 1:
            found[Piece("landscape", (("landscape", LANDSCAPE[tile]),), (cell,))] += 1
        else:
            found[Piece("building", (("tile", tile_text(tile)),), (cell,))] += 1
    for cell, player in state.houses.items():
        found[Piece("house", (("colour", COLOURS[player]),), (cell,), by=COLOURS[player])] += 1
    for player, colour in enumerate(COLOURS):
        found[Piece("chip", (("colour", colour),))] += state.chips[player]
    return found


# --- objections --------------------------------------------------------------------------------------------------


def objections(before: State, after: State) -> Iterator[Finding]:
    """A tile that is missing (`AR-10`), a house on an old building (`AR-13`), chips without a source (`AR-20`)."""
    missing = tuple(sorted(cell for cell, tile in before.tiles.items() if after.tiles.get(cell) != tile))
    if missing:
        yield Finding("AR-10", Facts("gone", {"n": len(missing)}, (Fact(missing),)))
        return
    late = tuple(
        sorted(
            cell for cell, player in after.houses.items() if cell in before.tiles and before.houses.get(cell) != player
        )
    )
    if late:
        yield Finding("AR-13", Facts("late", {"n": len(late)}, (Fact(late),)))
    yield from _chips(before, after)


def _chips(before: State, after: State) -> Iterator[Finding]:
    """`AR-20`: a chip comes, or chips go, only for a building that was surrounded in between or is not paid yet."""
    settled = [cell for cell, tile in after.tiles.items() if len(tile) > 1 and is_surrounded(after.tiles, cell)]
    settled = [cell for cell in settled if cell not in before.tiles or not is_surrounded(before.tiles, cell)]
    paying = {*settled, *(claim.cell for claim in before.pending)}
    most = sum(mismatch_count(after.tiles, cell) for cell in paying)
    cells = (Fact(tuple(sorted(paying))),) if paying else ()
    for colour, had, has in zip(COLOURS, before.chips, after.chips, strict=True):
        values = {"colour": colour, "had": had, "has": has, "n": len(settled)}
        if has - had > len(settled):
            yield Finding("AR-20", Facts("gained", values, cells))
        elif had - has > most:
            yield Finding("AR-20", Facts("paid", {**values, "most": most}, cells))


# --- a way -------------------------------------------------------------------------------------------------------


def towards(state: State, target: State) -> Iterator[Move]:
    """The missing tiles with every order, answer and house; before them, tiles to turn up or answers; and to pass."""
    now = phase(state)
    if now == "answer":
        cell = state.pending[0].cell
        yield from (Keep(cell), Take(cell))
    elif now == "turn":
        for cell, tile in target.tiles.items():
            if cell not in state.tiles:
                yield from _tile_moves(state, target, cell, tile)
        yield Pass()
    elif now != "over":
        yield from _turn_up_moves(state, target)


def _tile_moves(state: State, target: State, cell: Square, tile: str) -> Iterator[Move]:
    if len(tile) == 1:
        land = LANDSCAPE[tile]
        for order, keep, take in _settlements(state, Land(cell, land)):
            yield Land(cell, land, order, keep, take)
        return
    out = not state.supply[state.player]
    moved = [at for at, owner in state.houses.items() if owner == state.player and at not in target.houses]
    for house in moved if out else (None,):
        for order, keep, take in _settlements(state, Building(cell, tile, house)):
            yield Building(cell, tile, house, order, keep, take)


def _settlements(
    state: State, move: Land | Building
) -> Iterator[tuple[tuple[Square, ...], tuple[Square, ...], tuple[Square, ...]]]:
    closed = settled_buildings(state, move)
    return settlements(closed, state.player) if closed else iter((((), (), ()),))


def _turn_up_moves(state: State, target: State) -> Iterator[Move]:
    """The tiles that may still be turned up, of those on the later table or in its display, if it has one."""
    buildings, landscapes = set(unseen_buildings(state)), set(unseen_landscapes(state))
    if target.display is not None:
        new_tiles = [tile for cell, tile in target.tiles.items() if cell not in state.tiles]
        buildings &= {*target.display.buildings, *(canonical(tile) for tile in new_tiles if len(tile) > 1)}
        landscapes &= {*target.display.landscapes, *(tile for tile in new_tiles if len(tile) == 1)}
    yield from map(UpBuilding, sorted(buildings))
    yield from (UpLandscape(LANDSCAPE[letter]) for letter in sorted(landscapes))


def key(state: State) -> Hashable:
    """All pieces, and the moment of the game."""
    lying = frozenset(state.tiles.items()), frozenset(state.houses.items())
    return *lying, state.chips, state.player, state.laid, state.pending, state.display, state.left, state.empty


def same(state: State, target: State) -> bool:
    """Whether the pieces and the moment are the same. A display that the later table lacks does not count."""
    display = target.display is None or state.display == target.display
    return display and state._replace(display=None, supply=(0, 0)) == target._replace(display=None, supply=(0, 0))


CHANGES: Changes[State, Move] = Changes(
    pieces=pieces, objections=objections, towards=towards, every_way=True, least=missing_tiles, same=same, key=key
)
