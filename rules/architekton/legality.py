"""Architekton: one small function for each rule that can object, and the counts that it shows otherwise."""

from __future__ import annotations

from collections import Counter

from rules.architekton import legal_moves
from rules.architekton.box import BUILDINGS, OF_EACH_LANDSCAPE
from rules.architekton.moves import Answer, Building, Keep, Land, Lay, Move, Pass, Take, UpBuilding, UpLandscape
from rules.architekton.play import kinds_to_turn_up, phase
from rules.architekton.settlement import SIDES, find_surrounded, in_listed_order, mismatch_count
from rules.architekton.state import COLOURS, State
from rules.architekton.tiles import AROUND, LANDSCAPE, LETTER, Square, canonical, landscapes, tile_text
from rules.kernel import LEGAL, Fact, Facts, Value, counted_facts

# --- the kinds due (AR-2, AR-21), the existing tiles (AR-3) ------------------------------------------------------


def answer_first(state: State, move: Move) -> Facts:
    """`AR-21`: nothing else happens before the other player has answered."""
    cell = state.pending[0].cell
    owner = COLOURS[state.houses[cell]]
    values: dict[str, Value] = {
        "kind": move.kind,
        "colour": owner,
        "cell": cell,
        "sides": landscapes(state.tiles[cell]),
    }
    return Facts("pending", values, (Fact((cell,)),))


def in_supply(state: State, tile: str) -> Facts | None:
    """`AR-3`: the table has no more tiles than the box, including the open ones."""
    if len(tile) == 1:
        seen_count = legal_moves.seen_of_landscape(state, tile)
        if seen_count < OF_EACH_LANDSCAPE:
            return None
        return Facts("landscapes", {"landscape": LANDSCAPE[tile], "n": seen_count})
    seen_count = legal_moves.seen_buildings(state)
    if seen_count >= BUILDINGS:
        return Facts("buildings", {"n": seen_count})
    if state.box is not None and legal_moves.left_in_box(state)[canonical(tile)] <= 0:
        return Facts("box", {"tile": tile_text(tile), "sides": landscapes(tile)})
    return None


def tile_there(state: State, move: Lay) -> Facts | None:
    """`AR-3`: the tile is in the display if the table has one, else in supply."""
    display, tile = state.display, move.tile
    if display is None:
        return in_supply(state, tile)
    if len(tile) == 1:
        if tile in display.landscapes:
            return None
        return Facts("no_landscape", {"landscape": LANDSCAPE[tile], "display": landscapes("".join(display.landscapes))})
    if canonical(tile) in display.buildings:
        return None
    tile_texts = tuple(map(tile_text, display.buildings))
    values: dict[str, Value] = {"tile": tile_text(tile), "sides": landscapes(tile), "display": tile_texts}
    return Facts("no_building", values)


def turn_up_in_supply(state: State, move: UpBuilding | UpLandscape) -> Facts | None:
    """`AR-3`: a tile that is turned up is one that was not seen before."""
    return in_supply(state, move.sides if isinstance(move, UpBuilding) else LETTER[move.landscape])


def tile_count(state: State, move: Lay) -> Facts:
    """`AR-3`: the number of tiles of its kind seen before it, and in all."""
    return _kind_count(state, move.tile)


def turn_up_count(state: State, move: UpBuilding | UpLandscape) -> Facts:
    """`AR-3`: the number of tiles of its kind seen before it is turned up."""
    return _kind_count(state, move.sides if isinstance(move, UpBuilding) else LETTER[move.landscape])


def _kind_count(state: State, tile: str) -> Facts:
    if len(tile) == 1:
        n = legal_moves.seen_of_landscape(state, tile)
        return counted_facts({"tile": LANDSCAPE[tile], "n": n, "most": OF_EACH_LANDSCAPE})
    return counted_facts({"tile": "building", "n": legal_moves.seen_buildings(state), "most": BUILDINGS})


# --- the cell of a tile (AR-10 to AR-13) -------------------------------------------------------------------------


def beside_a_tile(state: State, move: Lay) -> Facts | None:
    """`AR-10`: a free cell that shares an edge with a tile."""
    cell, tiles = move.cell, state.tiles
    if cell in tiles:
        lying = "building" if len(tiles[cell]) > 1 else LANDSCAPE[tiles[cell]]
        return Facts("taken", {"cell": cell, "lying": lying}, (Fact((cell,)),))
    north, east, south, west = AROUND[cell]
    if north in tiles or east in tiles or south in tiles or west in tiles:
        return None
    return Facts("apart", {"cell": cell}, (Fact((cell,)),))


def kinds_alternate(state: State, move: Lay) -> Facts | None:
    """`AR-11`: a building touches landscapes only, a landscape buildings only."""
    tiles, kind = state.tiles, len(move.tile)
    same = tuple([near for near in AROUND[move.cell] if near in tiles and len(tiles[near]) == kind])
    return Facts(move.kind, {"cells": same, "n": len(same)}, (Fact(same),)) if same else None


def edges_match(state: State, move: Lay) -> Facts:
    """`AR-12`: at least one of the touching edges matches."""
    tiles, tile = state.tiles, move.tile
    matches, evidence = 0, []
    for number, near in enumerate(AROUND[move.cell]):
        other = tiles.get(near)
        if other is None:
            continue
        match = tile[number] == other if len(tile) > 1 else tile == other[number - 2]
        matches += match
        evidence.append(Fact((near,), _MATCH if match else _DIFFER))
    values = {"n": matches, "touching": len(evidence)}
    return Facts("legal", values, evidence, LEGAL) if matches else Facts("", values, evidence)


_MATCH, _DIFFER = {"match": 1}, {"match": 0}


def house(state: State, move: Building) -> Facts | None:
    """`AR-13`: a house out of supply; with none there, one of the player's own from another tile."""
    player, cell = state.player, move.house_from
    left = state.supply[player]
    values = {"colour": COLOURS[player], "n": left}
    if left:
        return None if cell is None else Facts("in_supply", {**values, "cell": cell}, (Fact((cell,)),))
    if cell is None:
        return Facts("", values)
    if state.houses.get(cell) == player:
        return None
    return Facts("no_house", {**values, "cell": cell}, (Fact((cell,)),))


def house_count(state: State, _move: Building) -> Facts:
    """`AR-13`: the houses that the player has in supply."""
    return counted_facts({"colour": COLOURS[state.player], "n": state.supply[state.player]})


# --- settling (AR-23, AR-25) ------------------------------------------------------------------------------


def order(state: State, move: Lay) -> Facts | None:
    """`AR-23`: an order lists all the buildings that are settled, each once.

    For settled buildings, it shows the order, and the number of matching sides (`AR-20`).
    """
    closed = find_surrounded(state, move)
    if not closed and not move.order:
        return None
    cells = tuple([building.cell for building in closed])
    if move.order and sorted(cells) != sorted(move.order):
        return Facts("" if cells else "none", {"cells": cells, "n": len(cells)}, (Fact(cells),) if cells else ())
    listed = in_listed_order(closed, move.order)
    evidence = tuple([Fact((cell,), {"match": SIDES - differ, "differ": differ}) for cell, _, differ in listed])
    gains_first = sorted([building.differ for building in listed], key=bool)
    values: dict[str, Value] = {
        "n": len(listed),
        "cells": tuple([building.cell for building in listed]),
        "matches": tuple([SIDES - differ for differ in gains_first]),
    }
    return Facts("legal", values, evidence, LEGAL)


def answers(state: State, move: Lay) -> Facts | None:
    """`AR-25`: an answer for each of the mover's own buildings that pay, and for nothing else."""
    closed, player = find_surrounded(state, move), state.player
    own_payments = [cell for cell, owner, differ in closed if differ and owner == player] if closed else []
    if not own_payments and not move.keep and not move.take:
        return None
    answer_counts = Counter((*move.keep, *move.take))
    for code, cells in (
        ("missing", [cell for cell in own_payments if cell not in answer_counts]),
        ("doubled", [cell for cell, number in answer_counts.items() if number > 1]),
        ("extra", [cell for cell in answer_counts if cell not in own_payments]),
    ):
        if cells:
            return Facts(code, {"cells": tuple(cells), "n": len(cells)}, (Fact(tuple(cells)),))
    return None


def answer_count(state: State, move: Lay) -> Facts | None:
    """`AR-25`: the mover's own buildings that pay; the move answers for each."""
    own_payments = tuple(
        cell for cell, owner, differ in find_surrounded(state, move) if differ and owner == state.player
    )
    return (
        counted_facts({"cells": own_payments, "n": len(own_payments)}, (Fact(own_payments),)) if own_payments else None
    )


def what_is_asked(state: State, move: Answer) -> Facts | None:
    """`AR-25`: the answer is for the building that is asked about."""
    cell = state.pending[0].cell
    if move.cell == cell:
        return None
    values: dict[str, Value] = {"cell": move.cell, "asked": cell, "sides": landscapes(state.tiles[cell])}
    return Facts("other", values, (Fact((cell,)),))


def choice(state: State, move: Answer) -> Facts:
    """`AR-21`: never objects; shows the amount due after the choice, and the chips to pay it."""
    owner = state.houses[move.cell]
    differ = mismatch_count(state.tiles, move.cell)
    due, chips = differ - isinstance(move, Take), state.chips[owner]
    values = {"colour": COLOURS[owner], "n": due, "differ": differ, "chips": chips, "cell": move.cell}
    code = "legal" if chips >= due else "loses"
    return Facts(code, values, (Fact((move.cell,), {"differ": differ}),), LEGAL)


# --- the end -----------------------------------------------------------------------------------------------------


def nothing_fits(state: State, move: Pass) -> Facts | None:
    """`AR-34`: a turn ends early only if no tile of the display fits."""
    if state.display is None:
        return None
    fitting = legal_moves.first_lay(state)
    if fitting is None:
        return None
    values: dict[str, Value] = {"cell": fitting.cell, "kind": fitting.kind, "tile": landscapes(fitting.tile)}
    return Facts("fits", values, (Fact((fitting.cell,)),))


def cannot_stand(state: State, move: Move) -> Facts | None:
    """Why the log rejects an entry even if all agree: it would mean nothing on the table.

    A tile that is not in the box or has no free cell; a house from a cell where the player has none; an unrequested
    answer; a tile turned up although none is missing; any kind that is not due.
    """
    now = phase(state)
    if isinstance(move, Building | Land):
        return _cannot_lie(state, move) if now == "turn" else Facts(now)
    if isinstance(move, Pass):
        return None if now == "turn" else Facts(now)
    if isinstance(move, Keep | Take):
        return what_is_asked(state, move) if now == "answer" else Facts(now)
    return turn_up_in_supply(state, move) if "up" in now and type(move) in kinds_to_turn_up(state) else Facts(now)


def _cannot_lie(state: State, move: Lay) -> Facts | None:
    if move.cell in state.tiles:
        return Facts("taken", {"cell": move.cell})
    cell: Square | None = getattr(move, "house_from", None)
    if cell is not None and state.houses.get(cell) != state.player:
        return Facts("no_house", {"cell": cell})
    return in_supply(state, move.tile) if tile_there(state, move) else None
