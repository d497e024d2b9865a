"""Architekton: the effects of a move, from the settled buildings to the tiles that are turned up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.architekton import play
from rules.architekton.box import CHIPS, DISPLAY_SIZE, PILE, STARTING
from rules.architekton.legality import edges_match
from rules.architekton.moves import Building, Keep, Land, Lay, Move, Pass, Take
from rules.architekton.scoring import (
    FEWEST,
    buildings_to_remove,
    houses_left,
    largest_group,
    more_houses,
    ranking,
    series_points,
)
from rules.architekton.series import other, series_winner
from rules.architekton.settlement import (
    SIDES,
    SurroundedBuilding,
    add_to_pair,
    chips_after_gain,
    in_listed_order,
    is_surrounded,
    mismatch_count,
    price,
    unpaid_claim,
)
from rules.architekton.state import COLOURS, State
from rules.architekton.tiles import AROUND, LANDSCAPE, Square, landscapes
from rules.effects import effect
from rules.kernel import Effect, Fact, Value


def effects(before: State, move: Move, after: State) -> tuple[Effect, ...]:
    """The effects of a move: who has lost, settlements and questions, then the turn, the buildings, the houses."""
    if isinstance(move, Building | Land):
        closed = in_listed_order(play.settled_buildings(before, move), move.order)
        settled = (*_settlement_effects(before, closed, after), *_houseless_buildings(closed, move, after))
        tile = (*_beside(before, move, after), *_piles(before, move, after), *_house(before, move, after))
        return (*settled, *_turn(before, after), *tile, *_edge_matches(before, move), *_to_turn_up(before, after))
    if isinstance(move, Keep | Take):
        claimed = [_surrounded_at(before, claim.cell) for claim in before.pending]
        answered = (*_settlement_effects(before, claimed, after), *_turn(before, after))
        return (*answered, *_groups(before, after), *_to_turn_up(before, after))
    if isinstance(move, Pass):
        return (*_short_turn(before, after), *_turn(before, after), *_to_turn_up(before, after))
    return ()


# --- settlements (AR-20 to AR-25) --------------------------------------------------------------------------------


def _surrounded_at(state: State, cell: Square) -> SurroundedBuilding:
    return SurroundedBuilding(cell, state.houses[cell], mismatch_count(state.tiles, cell))


def _settlement_effects(before: State, closed: Sequence[SurroundedBuilding], after: State) -> Iterator[Effect]:
    """The failed payment, each settled building in order, and the payment that needs an answer.

    `closed` are the buildings as listed: gains come first, and the pending payments are the last ones.
    """
    if not closed:
        return
    if unpaid_claim(after) is not None:
        yield _failed_payment(after)
    chips = before.chips
    for building in closed:
        if not building.differ:
            was, chips = chips, chips_after_gain(chips, building.owner, limited=before.readings["pool"] == "limited")
            yield from _gain(after, building, was, chips)
    payments = [building for building in closed if building.differ]
    for building in payments[: len(payments) - len(after.pending)]:
        due = building.differ - (building.cell not in after.houses)
        chips = add_to_pair(chips, building.owner, -due)
        yield _payment(after, building, due, chips[building.owner])
    if after.pending and after.pending[0].answer is None:
        yield from _payment_question(after)


def _building_details(state: State, building: SurroundedBuilding) -> tuple[dict[str, Value], tuple[Fact, ...]]:
    """The values and the evidence of a building with its four sides, and the landscape beside each."""
    cell, owner, differ = building
    sides, tiles = state.tiles[cell], state.tiles
    counts = {"match": SIDES - differ, "differ": differ}
    beside = [
        Fact((near,), {"match": int(tiles[near] == side)}) for near, side in zip(AROUND[cell], sides, strict=True)
    ]
    values: dict[str, Value] = {"colour": COLOURS[owner], "sides": landscapes(sides), **counts}
    return values, (Fact((cell,), counts), *beside)


def _failed_payment(state: State) -> Effect:
    """`AR-22`: the amount due after the choice, and the chips to pay it."""
    claim = state.pending[0]
    values, evidence = _building_details(state, _surrounded_at(state, claim.cell))
    values |= {"n": price(state, claim), "chips": state.chips[state.houses[claim.cell]]}
    return effect("AR-22", "lost", values, evidence)


def _gain(state: State, building: SurroundedBuilding, was: tuple[int, int], chips: tuple[int, int]) -> Iterator[Effect]:
    """`AR-20`: a chip out of the pool; from an empty one it is owed, or lost by the reading `pool` (`AR-24`)."""
    values, evidence = _building_details(state, building)
    values |= {"chips": chips[building.owner], "pool": max(CHIPS - sum(chips), 0)}
    if chips == was:
        yield effect("AR-24", "lost", values, evidence)
        return
    yield effect("AR-20", "gain", values, evidence)
    if sum(chips) > CHIPS:
        yield effect("AR-24", "owed", {"colour": COLOURS[building.owner], "n": sum(chips) - CHIPS})


def _payment(state: State, building: SurroundedBuilding, due: int, chips: int) -> Effect:
    """A chip for each side that differs (`AR-20`), or one less with the house back in supply (`AR-21`)."""
    values, evidence = _building_details(state, building)
    values |= {"n": due, "chips": chips}
    if due == building.differ:
        return effect("AR-20", "pays", values, evidence)
    values["houses"] = state.supply[building.owner]
    return effect("AR-21", "takes" if due else "free", values, evidence)


def _payment_question(state: State) -> Iterator[Effect]:
    """`AR-21`: the cost of each answer, and which one loses; `AR-25`: the number of payments that wait for it."""
    building = _surrounded_at(state, state.pending[0].cell)
    values, evidence = _building_details(state, building)
    keep, chips = building.differ, state.chips[building.owner]
    take = keep - 1
    code = "asked" if chips >= keep else "keep_loses" if chips >= take else "both_lose"
    yield effect("AR-21", code, {**values, "n": keep, "less": take, "chips": chips}, evidence)
    waiting = tuple(claim.cell for claim in state.pending[1:])
    if waiting:
        yield effect("AR-25", "waiting", {"n": len(waiting)}, (Fact(waiting),))


# --- the turn and the end (AR-2, AR-30 to AR-34, AR-40) ----------------------------------------------------------


def _short_turn(before: State, after: State) -> Iterator[Effect]:
    """`AR-34`: a turn without a tile, the first or the second in a row; or one of a single tile."""
    colour = COLOURS[before.player]
    if before.laid:
        yield effect("AR-34", "cut", {"colour": colour})
    else:
        yield effect("AR-34", "nothing", {"colour": colour, "n": after.empty})


def _turn(before: State, after: State) -> Iterator[Effect]:
    """The effects of the end of the turn, or of the game."""
    end = play.game_end(after)
    if end is not None:
        if end.rule != "AR-22":
            yield from _count(after)
        yield from _series(after)
    elif before.player != after.player:
        yield from _last_turns(before, after)


def _last_turns(before: State, after: State) -> Iterator[Effect]:
    """`AR-30`: the last turns begin: how many, whose, and the buildings to remove (`AR-31`); or one turn is left."""
    if after.left is None:
        return
    first = COLOURS[after.player]
    if before.left is not None:
        yield effect("AR-30", "one_left", {"colour": first})
        return
    colours = (first, other(first))[: after.left]
    yield effect("AR-30", "last_turns", {"n": after.left, "colours": colours, "kinds": play.empty_piles(after)})
    yield from _removed_buildings(after, "would_go")


def _of_both(light: int, dark: int) -> dict[str, Value]:
    """A number of each player, with the players, whom the sentence calls by name."""
    first, second = COLOURS
    return {"first": first, "second": second, "light": light, "dark": dark}


def _removed_buildings(state: State, code: str) -> Iterator[Effect]:
    """`AR-31`: the buildings with too few landscapes, and the owners of their houses."""
    off = buildings_to_remove(state)
    if off:
        owners = [state.houses.get(cell) for cell in off]
        yield effect("AR-31", code, {"n": len(off), **_of_both(owners.count(0), owners.count(1))}, (Fact(off),))


def _count(state: State) -> Iterator[Effect]:
    """The final count: the removed buildings (`AR-31`), and the houses that decide a tie (`AR-33`)."""
    yield from _removed_buildings(state, "gone")
    best = ranking(state)[0]
    if best.decided_by == "AR-33":
        standings = [more_houses(state, colour) for colour in COLOURS]
        light, dark = (int(standing.key[0]) for standing in standings)
        evidence = [fact for standing in standings for fact in standing.evidence]
        yield effect("AR-33", "houses" if light != dark else "draw", _of_both(light, dark), evidence)


def _series(state: State) -> Iterator[Effect]:
    """`AR-40`: the points of the series with this game, and who has won it or begins the next game."""
    if state.series is None:
        return
    points = series_points(state, ranking(state))
    winner = series_winner(points)
    values = _of_both(points["light"], points["dark"])
    if winner is None:
        yield effect("AR-40", "goes_on", {**values, "colour": COLOURS[1 - state.starts]})
    else:
        yield effect("AR-40", "series_won", {**values, "colour": winner})


def _to_turn_up(before: State, after: State) -> Iterator[Effect]:
    """`AR-2`: the number of tiles of each kind that the display lacks at the end of a turn."""
    display = after.display
    if display is None or before.player == after.player or play.game_end(after) is not None:
        return
    lacking = {
        "up_building": DISPLAY_SIZE - len(display.buildings),
        "up_landscape": DISPLAY_SIZE - len(display.landscapes),
    }
    for form in play.kinds_to_turn_up(after):
        yield effect("AR-2", form.kind, {"n": lacking[form.kind]})


# --- the tile and the houses (AR-13, AR-20, AR-30 to AR-32) ------------------------------------------------------


def _near(move: Lay) -> tuple[Square, ...]:
    """The cells whose building a tile may change: its own, or those beside a landscape."""
    return (move.cell,) if isinstance(move, Building) else AROUND[move.cell]


def _edge_matches(before: State, move: Lay) -> Iterator[Effect]:
    """`AR-12`: the number of matching sides among those that touch; nothing if a tile stood beside one of its kind."""
    beside = [before.tiles[near] for near in AROUND[move.cell] if near in before.tiles]
    if beside and all((len(tile) > 1) != isinstance(move, Building) for tile in beside):
        _, values, evidence, *_ = edges_match(before, move)
        yield effect("AR-12", "", values, evidence)


def _houseless_buildings(closed: Sequence[SurroundedBuilding], move: Lay, after: State) -> Iterator[Effect]:
    """`AR-20`: the buildings that are surrounded now, but have no house and are not settled."""
    tiles, settled = after.tiles, [building.cell for building in closed]
    cells = tuple(
        cell
        for cell in _near(move)
        if len(tiles.get(cell, "")) > 1 and cell not in settled and is_surrounded(tiles, cell)
    )
    if cells:
        yield effect("AR-20", "no_house", {"n": len(cells)}, (Fact(cells),))


def _beside(before: State, move: Lay, after: State) -> Iterator[Effect]:
    """The buildings that lack one landscape now (`AR-20`), and those that stay for the count now (`AR-31`)."""
    tiles = after.tiles
    stay = []
    for cell in _near(move):
        if len(tiles.get(cell, "")) > 1:
            open_sides = [side for side, near in enumerate(AROUND[cell]) if len(tiles.get(near, "")) != 1]
            if len(open_sides) == SIDES - FEWEST:
                stay.append(cell)
                yield from _one_missing(after, cell, open_sides[0])
            elif not open_sides and cell == move.cell:
                stay.append(cell)
    if stay or before.houses.keys() - after.houses.keys():
        yield from _groups(before, after)
    if stay:
        yield effect("AR-31", "stays", {"n": len(stay)}, (Fact(tuple(stay)),))


def _one_missing(state: State, cell: Square, side: int) -> Iterator[Effect]:
    """`AR-20`: the missing landscape of a building with a house, and the number of its other sides that match."""
    free, letter, owner = AROUND[cell][side], state.tiles[cell][side], state.houses.get(cell)
    if owner is None or free in state.tiles:
        return
    match = SIDES - mismatch_count(state.tiles, cell)
    values = {"colour": COLOURS[owner], "landscape": LANDSCAPE[letter], "match": match, "beside": FEWEST}
    yield effect("AR-20", "one_missing", values, (Fact((cell,), {"match": match}), Fact((free,))))


def _groups(before: State, after: State) -> Iterator[Effect]:
    """`AR-32`: a change in the size of a largest group."""
    for player, colour in enumerate(COLOURS):
        was, now = (largest_group(houses_left(state, player)) for state in (before, after))
        if len(was) != len(now):
            values = {"colour": colour, "was": len(was), "n": len(now)}
            yield effect("AR-32", "group", values, (Fact(now, {"houses": len(now)}),) if now else ())


def _house(before: State, move: Lay, after: State) -> Iterator[Effect]:
    """`AR-13`: the house that is placed or moved, or that none is. `AR-21` reports one taken back at once."""
    if not isinstance(move, Building):
        return
    values: dict[str, Value] = {"colour": COLOURS[before.player], "n": after.supply[before.player]}
    if move.house_from is not None:
        sides = landscapes(before.tiles[move.house_from])
        yield effect("AR-13", "moved", {**values, "sides": sides}, (Fact((move.house_from,)),))
    elif not before.supply[before.player]:
        yield effect("AR-13", "none", values)
    elif move.cell in after.houses:
        yield effect("AR-13", "set", values)


def _piles(before: State, move: Lay, after: State) -> Iterator[Effect]:
    """`AR-30`: the tile that uses up a pile exactly, or that the pile cannot replace."""
    if after.left is not None:
        return
    tile_count = (
        after.building_count if isinstance(move, Building) else len(after.tiles) - after.building_count - STARTING
    )
    if tile_count == PILE:
        yield effect("AR-30", f"{move.kind}s", {"n": tile_count})
    elif tile_count > PILE and move.kind in play.empty_piles(after) and move.kind not in play.empty_piles(before):
        yield effect("AR-30", "short", {"kind": move.kind})
