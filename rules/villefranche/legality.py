"""Villefranche: one small function for each rule that can object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rules.kernel import LEGAL, Fact, Facts, Value, counted_facts
from rules.villefranche.board import (
    BIT,
    CORNER_NUMBER,
    ENCLOSURE,
    ENCLOSURE_BESIDE,
    GRID,
    LAND,
    MARKET,
    NAMES,
    names_of,
)
from rules.villefranche.counting import (
    SITE_NAMES,
    around,
    church_cells,
    cuts_nothing,
    fronts_of,
    gates_of,
    influence,
    noble_cells,
    shops_needed,
    unfinished_towers,
)
from rules.villefranche.enclosure import AGAIN, SIDE_OF_RAMPART
from rules.villefranche.grid import each_pair, members
from rules.villefranche.moves import BellTower, CornerStorey, House, Move, Nave, NobleStorey, Rampart, Roof
from rules.villefranche.state import COLOURS, PieceName, State, Town

PIECES: dict[type[Move], PieceName] = {
    Rampart: "brick",
    CornerStorey: "cylinder",
    House: "cube",
    Roof: "pyramid",
    NobleStorey: "cylinder",
    Nave: "brick",
    BellTower: "pyramid",
}


# --- the kinds due (VF-1 to VF-4), the supply (VF-6), the end ----------------------------------------------------


def supply(state: State, move: Move) -> Facts | None:
    """`VF-6`: the piece must be in the player's supply."""
    if pieces_left_of(state.towns[state.player], move):
        return None
    return Facts("", {"piece": PIECES[type(move)], "colour": COLOURS[state.player]})


def supply_count(state: State, move: Move) -> Facts:
    """`VF-6`: the number of pieces of the kind that the player has."""
    colour, n = COLOURS[state.player], pieces_left_of(state.towns[state.player], move)
    return counted_facts({"piece": PIECES[type(move)], "colour": colour, "n": n})


def pieces_left_of(town: Town, move: Move) -> int:
    """The pieces that a player has left, of the kind of a move."""
    piece = PIECES[type(move)]
    return {"brick": town.bricks, "cube": town.cubes, "pyramid": town.pyramids, "cylinder": town.cylinders}[piece]


# --- the enclosure (VF-10 to VF-12) ------------------------------------------------------------------------------


def rampart_site(state: State, move: Rampart) -> Facts | None:
    """`VF-10`: two adjacent cells of one side, no corner, both free."""
    pair = move.pair
    evidence = (Fact(move.cells),)
    if not pair:
        return Facts("apart", {"cells": move.cells}, evidence)
    if pair not in SIDE_OF_RAMPART:
        return Facts("outside", {"cells": move.cells}, evidence)
    taken_cells = names_of(state.taken_cells & move.bits)
    return Facts("taken", {"cells": taken_cells}, (Fact(taken_cells),)) if taken_cells else None


def one_gate(state: State, move: Rampart) -> Facts | None:
    """`VF-11`: the side's ramparts stay part of a finished side with three ramparts and one gate."""
    pair = move.pair
    side = SIDE_OF_RAMPART[pair]
    side_walls = state.walls & side.mask
    if side_walls | pair in side.gates:
        return None
    standing = [k for k, rampart in enumerate(side.ramparts) if (side_walls | side_walls >> AGAIN) & rampart]
    cells = {cell for k in standing for cell in side.cells[k : k + 2]} | set(move.site)
    gaps = tuple(NAMES[cell] for cell in side.cells if cell not in cells)
    code = "" if side_walls in side.gates else "broken"
    return Facts(code, {"side": side.name, "n": len(standing) + 1, "cells": gaps}, (Fact(move.cells), Fact(gaps)))


def corner_site(state: State, move: CornerStorey) -> Facts | None:
    """`VF-12`: a corner whose tower nobody owns yet."""
    index = move.site[0]
    if index not in CORNER_NUMBER:
        return Facts("not_corner", {"cell": move.cell}, (Fact((move.cell,)),))
    owner = state.corners[CORNER_NUMBER[index]]
    if owner is None:
        return None
    stack = state.stacks[index]
    storeys = {"black": stack.count("Y"), "white": stack.count("y")}
    return Facts("owned", {"cell": move.cell, "owner": COLOURS[owner]}, (Fact((move.cell,), storeys),))


# --- every building (VF-20 to VF-23) -----------------------------------------------------------------------------


def on_building_land(state: State, move: Move) -> Facts | None:
    """`VF-20`: never on the market square, never on the enclosure."""
    cells = move.bits
    if cells & MARKET:
        return Facts("market", {"cell": names_of(MARKET)[0]}, (Fact(names_of(MARKET)),))
    outside = names_of(cells & ENCLOSURE)
    return Facts("enclosure", {"cells": outside}, (Fact(outside),)) if outside else None


def circulation(state: State, move: Move) -> Facts | None:
    """`VF-21`: a new building takes no possible gate's last way to the market square."""
    site = move.bits
    if state.taken_cells & site:
        return None
    free = LAND & ~state.taken_cells
    if cuts_nothing(free, fronts_of(state), move.site, site):
        return None
    before = GRID.reach(MARKET, free)
    after = GRID.reach(MARKET, free & ~site)
    lost = [gate for gates in gates_of(state) for gate in gates if before & ~after & BIT[gate.front]]
    if not lost:
        return None
    values = {"gates": tuple(NAMES[gate.cell] for gate in lost)}
    return Facts("", values, tuple(_pockets([(gate.cell, gate.front) for gate in lost], free & ~site)))


def _pockets(gates: Iterable[tuple[int, int]], free: int) -> Iterator[Fact]:
    """Each gate with the cell before it, and once after them the closed area: the free land that is shut in there, or
    the land around the market square if that is smaller.
    """
    inner, told_cells = GRID.reach(MARKET, free), 0
    for gate, front in gates:
        outer = GRID.reach(BIT[front], free) if free & BIT[front] else BIT[front]
        closed = min(outer, inner, key=int.bit_count) if free & outer else 0
        yield Fact((NAMES[gate], NAMES[front], *names_of(closed & ~told_cells & ~BIT[front])))
        told_cells |= closed


def majority(state: State, move: Move) -> Facts:
    """`VF-22`: around the site the player has at least as many pieces as the opponent."""
    site = move.site
    own, opponent = influence(state, site)
    player = state.player
    values: dict[str, Value] = {
        "cells": SITE_NAMES[site],
        "own": own,
        "opponent": opponent,
        "colour": COLOURS[player],
        "opponent_colour": COLOURS[1 - player],
    }
    if own >= opponent:
        return Facts("legal" if own > opponent else "equal", values, around(state, site), LEGAL)
    return Facts("", values, around(state, site))


def under_walls(state: State, move: Move) -> Facts | None:
    """`VF-23`: a rampart stands on every cell of the enclosure in front of the site."""
    wanted = 0
    for index in move.site:
        wanted |= ENCLOSURE_BESIDE[index]
    if not wanted:
        return None
    open_cells = names_of(wanted & ~(state.towns[0].ramparts | state.towns[1].ramparts))
    return Facts("", {"cells": open_cells}, (Fact(open_cells),)) if open_cells else None


# --- houses, shops, noble towers (VF-30 to VF-35) ----------------------------------------------------------------


def house_site(state: State, move: House) -> Facts | None:
    """`VF-30`: a free cell."""
    if not state.taken_cells & move.bits:
        return None
    return Facts("taken", {"cell": move.cell}, (Fact((move.cell,)),))


def roof_site(state: State, move: Roof) -> Facts | None:
    """`VF-31`: a house of one's own without a roof."""
    cell = move.bits
    own, other = state.towns[state.player], state.towns[1 - state.player]
    if own.houses & cell:
        return None
    code = "roofed" if own.shops & cell else "not_yours" if (other.houses | other.shops) & cell else "no_house"
    return Facts(code, {"cell": move.cell}, (Fact((move.cell,)),))


def noble_site(state: State, move: NobleStorey) -> Facts | None:
    """`VF-32`, the site: a free cell, or one's own unfinished noble tower."""
    cell = move.bits
    own = state.towns[state.player]
    if not state.taken_cells & cell or unfinished_towers(own) & cell:
        return None
    return Facts("finished" if own.towers & cell else "taken", {"cell": move.cell}, (Fact((move.cell,)),))


def noble_shop(state: State, move: NobleStorey) -> Facts | None:
    """`VF-32`, the shop: the site shares an edge with a shop of one's own."""
    if GRID.edges(move.bits) & state.towns[state.player].shops:
        return None
    return Facts("no_shop", {"cell": move.cell}, (Fact((move.cell,)),))


def shop_for_each(state: State, move: NobleStorey) -> Facts | None:
    """`VF-33`: each noble tower of the player, with this one, can get a shop of its own beside it.

    If `shared_shop` is ``refused``, only the new one needs a shop that touches no other of them.
    """
    cell = move.bits
    own = state.towns[state.player]
    if state.taken_cells & cell:
        return None
    if state.readings["shared_shop"] == "refused":
        return _shop_of_its_own(state, move)
    towers = tuple(members(noble_cells(own) | cell))
    choices = {tower: tuple(members(GRID.edges(BIT[tower]) & own.shops)) for tower in towers}
    if _can_match(choices):
        return None
    shops = names_of(sum({BIT[shop] for beside in choices.values() for shop in beside}))
    evidence = (Fact(names_of(noble_cells(own) | cell)), Fact(shops))
    return Facts("", {"n": len(towers), "shops": shops}, evidence)


def _shop_of_its_own(state: State, move: NobleStorey) -> Facts | None:
    """`VF-33`, ``refused``: one of the shops beside a new noble tower touches no other of the player's."""
    own = state.towns[state.player]
    beside, towers = GRID.edges(move.bits) & own.shops, noble_cells(own)
    if beside & ~GRID.edges(towers):
        return None
    shops, others = names_of(beside), names_of(GRID.edges(beside) & towers)
    values: dict[str, Value] = {"cell": move.cell, "colour": COLOURS[state.player], "shops": shops, "towers": others}
    return Facts("shared", values, (Fact(shops), Fact(others)))


def _can_match(choices: dict[int, tuple[int, ...]]) -> bool:
    """Whether every tower gets a shop, no shop twice (augmenting paths)."""
    tower_of_shop: dict[int, int] = {}

    def settle(tower: int, visited: set[int]) -> bool:
        for shop in choices[tower]:
            if shop not in visited:
                visited.add(shop)
                if shop not in tower_of_shop or settle(tower_of_shop[shop], visited):
                    tower_of_shop[shop] = tower
                    return True
        return False

    return all(settle(tower, set()) for tower in choices)


def apart(code: str) -> Callable[[State, NobleStorey | Nave], Facts | None]:
    """`VF-34`: a noble tower or church that is begun neighbours no other one, of either colour."""

    def objects(state: State, move: NobleStorey | Nave) -> Facts | None:
        site = move.bits
        if state.taken_cells & site:
            return None
        black, white = state.towns
        others = noble_cells(black) | noble_cells(white) | church_cells(black) | church_cells(white)
        touching = names_of(GRID.ring(site) & others)
        return Facts(code, {"cells": touching}, (Fact(touching),)) if touching else None

    return objects


def tower_to_continue(state: State, move: NobleStorey) -> Facts | None:
    """`VF-35`: another noble tower is begun only if the majority lets none of one's unfinished ones continue."""
    if state.taken_cells & move.bits:
        return None
    unfinished = unfinished_towers(state.towns[state.player])
    for index in members(unfinished):
        own, opponent = influence(state, (index,))
        if own >= opponent:
            name = NAMES[index]
            return Facts("", {"cell": name, "own": own, "opponent": opponent}, (Fact((name,)),))
    cells = names_of(unfinished)
    return _none_goes_on(state, len(cells), (Fact(cells),)) if cells else None


def _none_goes_on(state: State, n: int, evidence: tuple[Fact, ...]) -> Facts:
    """`VF-35`, `VF-43`: another may be begun, as the majority lets none of these continue now: that is a decision."""
    return Facts("now", {"colour": COLOURS[state.player], "n": n}, evidence, LEGAL)


# --- churches (VF-40 to VF-43) -----------------------------------------------------------------------------------


def nave_site(state: State, move: Nave) -> Facts | None:
    """`VF-40`: two adjacent free cells, or the same two cells as one's own church of one nave."""
    pair = move.pair
    evidence = (Fact(move.cells),)
    if not pair:
        return Facts("apart", {"cells": move.cells}, evidence)
    cells = move.bits
    own, other = state.towns[state.player], state.towns[1 - state.player]
    if not state.taken_cells & cells or own.naves & pair:
        return None
    if church_cells(own) & cells:
        return Facts("other_church", {"cells": move.cells}, evidence)
    for church in each_pair(other.naves | other.doubles | other.churches):
        church_site = GRID.cells_of_pairs(church)
        if church_site & cells:
            return Facts("not_yours", {"cells": names_of(church_site)}, (Fact(names_of(church_site)),))
    taken_cells = names_of(state.taken_cells & cells)
    return Facts("taken", {"cells": taken_cells}, (Fact(taken_cells),))


def bell_site(state: State, move: BellTower) -> Facts | None:
    """`VF-41`: a cell of one's own church of two naves."""
    cell = move.bits
    own = state.towns[state.player]
    if GRID.cells_of_pairs(own.doubles) & cell:
        return None
    if GRID.cells_of_pairs(own.naves) & cell:
        code = "unfinished"
    else:
        code = "finished" if GRID.cells_of_pairs(own.churches) & cell else "no_church"
    return Facts(code, {"cell": move.cell}, (Fact((move.cell,)),))


def funding(state: State, move: Nave | BellTower) -> Facts | None:
    """`VF-42`: the k-th element of a church needs k shops of the player (reading `church_funding`)."""
    own = state.towns[state.player]
    element = 3 if isinstance(move, BellTower) else 2 if state.taken_cells & move.bits else 1
    needed = shops_needed(state, own, element)
    shops = own.shops.bit_count()
    values = {"element": element, "shops": shops, "needed": needed}
    evidence = (Fact(names_of(own.shops)),) if shops else ()
    return Facts("legal", values, evidence, LEGAL) if shops >= needed else Facts("", values, evidence)


def church_to_continue(state: State, move: Nave) -> Facts | None:
    """`VF-43`: another church is begun only if the majority lets none of one's unfinished ones continue."""
    if state.taken_cells & move.bits:
        return None
    begun = []
    for cells, sites in unfinished_churches(state.towns[state.player]):
        begun.append(Fact(cells))
        for site in sites:
            own, opponent = influence(state, site)
            if own >= opponent:
                return Facts("", {"cells": cells, "own": own, "opponent": opponent}, (Fact(cells),))
    return _none_goes_on(state, len(begun), tuple(begun)) if begun else None


def unfinished_churches(town: Town) -> Iterator[tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]]:
    """The cells of each unfinished church, and the sites where its next element may go."""
    for pairs, two_naves in ((town.naves, False), (town.doubles, True)):
        for pair in each_pair(pairs):
            cells = tuple(members(GRID.cells_of_pairs(pair)))
            yield names_of(GRID.cells_of_pairs(pair)), tuple((cell,) for cell in cells) if two_naves else (cells,)
