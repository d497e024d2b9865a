"""Villefranche: what a placement brings about.

What a piece becomes is read off the table after it, not off the kind of the move: that holds of moves that stood too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.effects import effect
from rules.kernel import Effect, Fact, Value
from rules.villefranche import scoring
from rules.villefranche.board import BIT, CORNER_NUMBER, ENCLOSURE, GRID, LAND, MARKET, NAMES, names_of
from rules.villefranche.counting import (
    around,
    cuts_nothing,
    fronts_of,
    gates_of,
    influence,
    shops_needed,
    unfinished_towers,
)
from rules.villefranche.enclosure import SIDE_OF_RAMPART, SIDES, Gate, Side
from rules.villefranche.grid import cell_set, members
from rules.villefranche.legal_moves import NOBLE_STOREYS, BoardView
from rules.villefranche.legality import PIECES, shop_for_each, unfinished_churches
from rules.villefranche.moves import BellTower, CornerStorey, House, Move, Nave, NobleStorey, Rampart, Roof
from rules.villefranche.play import FINISHED_BUILDINGS, finished, stage
from rules.villefranche.state import COLOURS, RAMPARTS, State, Town

STOREYS = 3
ELEMENTS = ("first_nave", "second_nave", "bell_tower")
FEW = 3
"""Of so few pieces of a kind it is told how many are left."""
Told = Iterator[Effect]


def effects(before: State, move: Move, after: State) -> tuple[Effect, ...]:
    """What a placement brings about: on the enclosure the new phase and gates first, in the town what was built."""
    return (*_BY_KIND[type(move)](before, move, after), *_for_all(before, move, after))


# --- the enclosure -----------------------------------------------------------------------------------------------


def _brick(before: State, move: Rampart | Nave, after: State) -> Told:
    """A rampart on two cells of the enclosure, else a nave."""
    return _nave(before, move, after) if move.bits & ~ENCLOSURE else _rampart(before, move, after)


def _rampart(before: State, move: Rampart | Nave, after: State) -> Told:
    """`VF-10`, `VF-11`: how many stand, and where the gate of the side can still be."""
    yield from _town_begins(before, after)
    side = SIDE_OF_RAMPART.get(move.pair)
    if side is not None:
        yield from _holders(before, after, side)
        yield from _gate(before, after, side)
    yield effect("VF-10", "count", {"n": after.laid, "all": RAMPARTS})


def _gate(before: State, after: State, side: Side) -> Told:
    was, now = (side.gates.get(state.walls & side.mask, ()) for state in (before, after))
    if len(now) == len(was):
        return
    names = tuple(NAMES[gate.cell] for gate in now)
    shown = (Fact(names),) if names else ()
    if len(now) == 1:
        yield effect("VF-11", "known", {"side": side.name, "gate": names[0]}, shown)
    else:
        yield effect("VF-11", "possible" if names else "none", {"side": side.name, "cells": names}, shown)


def _cylinder(before: State, move: CornerStorey | NobleStorey, after: State) -> Told:
    """A storey of a corner tower on a corner, else of a noble tower."""
    return _storey(before, move, after) if move.site[0] in CORNER_NUMBER else _noble(before, move, after)


def _storey(before: State, move: CornerStorey | NobleStorey, after: State) -> Told:
    """`VF-12`: whose the tower is, or how many storeys it has; and the gates that it decides."""
    yield from _town_begins(before, after)
    number = CORNER_NUMBER[move.site[0]]
    stack = after.stacks[move.site[0]]
    storeys = {"black": stack.count("Y"), "white": stack.count("y")}
    owner = after.corners[number]
    shown = (Fact((move.cell,), storeys),)
    if owner is None:
        yield effect("VF-12", "storeys", {"cell": move.cell, **storeys}, shown)
    elif before.corners[number] is None:
        points = int(after.readings["corner_tower_points"])
        values: dict[str, Value] = {"cell": move.cell, "colour": COLOURS[owner], **storeys, "n": points}
        yield effect("VF-12", "owned", values, shown)
        for side in SIDES:
            yield from _holders(before, after, side)


def _town_begins(before: State, after: State) -> Told:
    """`VF-4`: the enclosure is complete."""
    if stage(after) == "town" and stage(before) != "town":
        yield effect("VF-4", "this_turn" if after.placement == 2 else "next_turn")


def _holders(before: State, after: State, side: Side) -> Told:
    """`VF-60`: who holds the gate of a side, or why nobody does, where that is new."""
    now = _flanked(after, side)
    if now is None or now == _flanked(before, side):
        return
    gate, (left, right) = now
    values: dict[str, Value] = {"gate": NAMES[gate.cell]}
    shown = (Fact((NAMES[gate.cell], *(NAMES[cell] for cell in gate.sides))),)
    if left is None or right is None:
        [corner] = (NAMES[cell] for cell, who in zip(gate.sides, now[1], strict=True) if who is None)
        yield effect("VF-60", "open", {**values, "corner": corner}, shown)
    else:
        values |= {"colour": COLOURS[left], "other": COLOURS[right]}
        yield effect("VF-60", "held" if left == right else "divided", values, shown)


def _flanked(state: State, side: Side) -> tuple[Gate, tuple[int | None, int | None]] | None:
    """The gate of a side, once it is known, and who stands on either side of it."""
    gate = scoring.known_gate(state, side)
    if gate is None:
        return None
    left, right = gate.sides
    return gate, (scoring.holder(state, left), scoring.holder(state, right))


# --- the town ----------------------------------------------------------------------------------------------------


def _cube(_before: State, _move: House, _after: State) -> Told:
    """A house is only itself; what it joins or closes is told of every piece."""
    return iter(())


def _pyramid(before: State, move: Roof | BellTower, after: State) -> Told:
    """A roof on a house, which becomes a shop, or the bell tower of a church."""
    was, own = (state.towns[before.player] for state in (before, after))
    if own.churches & ~was.churches:
        values = {"cell": move.cell, "colour": COLOURS[before.player]}
        yield effect("VF-41", "finished", values, (Fact((move.cell,)),))
    yield from _corporations(before, after)
    if own.shops & ~was.shops:
        yield from _shop(before, move, after)


def _corporations(before: State, after: State) -> Told:
    """`VF-62`: the lines of shops that count now, with their points, and those that no longer do."""
    if [town.shops for town in before.towns] == [town.shops for town in after.towns]:
        return
    for player, colour in enumerate(COLOURS):
        was, now = (list(scoring.corporations(state, player)) for state in (before, after))
        for line in now:
            if line not in was:
                values = {"colour": colour, "n": line.counts["points"], "cells": line.cells}
                yield effect("VF-62", "corporation", values, (line,))
        for line in was:
            if not any(set(line.cells) <= set(other.cells) for other in now):
                yield effect("VF-62", "lost", {"colour": colour, "cells": line.cells}, (line,))


def _shop(before: State, move: Roof | BellTower, after: State) -> Told:
    """`VF-42`, `VF-33`: what a new shop pays for, and where it can carry a noble tower."""
    own = after.towns[before.player]
    n = own.shops.bit_count()
    values: dict[str, Value] = {"colour": COLOURS[before.player], "n": n}
    shown = (Fact(names_of(own.shops)),)
    if _several_churches(own) and after.readings["church_funding"] == "cumulative":
        yield effect("VF-42", "shared", {**values, "paid": shops_needed(after, own, 1) - 1}, shown)
    elif n <= len(ELEMENTS):
        yield effect("VF-42", ELEMENTS[n - 1], values, shown)
    cells = names_of(_tower_sites(before.player, move, after))
    if cells:
        yield effect("VF-33", "carries", {"cell": move.cell, "cells": cells}, (Fact(cells),))


def _several_churches(town: Town) -> bool:
    """Whether churches beside the one that is being built use shops too: else the reading makes no difference yet."""
    return bool(town.churches) or (town.naves | town.doubles).bit_count() > 1


def _tower_sites(player: int, move: Roof | BellTower, after: State) -> int:
    """The free cells beside a shop where only the majority could keep its player from a noble tower, or `VF-35`."""
    seen = after._replace(player=player)
    view = BoardView(seen)
    sites = (NOBLE_STOREYS[cell] for cell in members(GRID.edges(move.bits) & view.free & view.apart & view.walled))
    kept = (site for site in sites if view.keeps_ways(site.site, site.bits))
    return cell_set(site.site[0] for site in kept if shop_for_each(seen, site) is None)


def _noble(before: State, move: CornerStorey | NobleStorey, after: State) -> Told:
    """`VF-32`, `VF-35`: finished, or how many storeys, and whether the majority lets it go on now."""
    colour, town = COLOURS[before.player], after.towns[before.player]
    if town.towers & ~before.towns[before.player].towers:
        yield effect("VF-32", "finished", {"cell": move.cell, "colour": colour}, (Fact((move.cell,)),))
    elif unfinished_towers(town) & move.bits:
        n = 2 if town.raised & move.bits else 1
        yield effect("VF-32", "storeys", {"cell": move.cell, "n": n, "all": STOREYS}, (Fact((move.cell,)),))
        yield _going_on("VF-35", before.player, after, (move.cell,), (move.site,))


def _nave(before: State, move: Rampart | Nave, after: State) -> Told:
    """`VF-40`, `VF-42`, `VF-43`: what is missing, shops too, and whether the majority lets the church go on now."""
    town = after.towns[before.player]
    for cells, sites in unfinished_churches(town):
        if cells != move.cells:
            continue
        naves = 2 if town.doubles & move.pair else 1
        yield effect("VF-40", ELEMENTS[naves - 1], {"cells": cells}, (Fact(cells),))
        needed, n = shops_needed(after, town, naves + 1), town.shops.bit_count()
        if n < needed:
            values: dict[str, Value] = {"cells": cells, "needed": needed, "colour": COLOURS[before.player], "n": n}
            yield effect("VF-42", "wanting", values, (Fact(names_of(town.shops)),) if n else ())
        yield _going_on("VF-43", before.player, after, cells, sites)


def _going_on(
    rule: str, player: int, after: State, cells: tuple[str, ...], sites: tuple[tuple[int, ...], ...]
) -> Effect:
    """Whether a player's building could go on now: at the site that suits the player best."""
    seen = after._replace(player=player)
    counts = [(*influence(seen, site), site) for site in sites]
    own, opponent, site = max(counts, key=lambda each: each[0] - each[1])
    values: dict[str, Value] = {"cells": cells, "colour": COLOURS[player], "own": own, "opponent": opponent}
    values["other"] = COLOURS[1 - player]
    return effect(rule, "goes_on" if own >= opponent else "waits", values, around(after, site))


# --- whatever was placed -----------------------------------------------------------------------------------------


def _for_all(before: State, move: Move, after: State) -> Told:
    """What every kind can bring about: parishes, buildings of the five, the last ways, a cut turn, pieces left."""
    yield from _parishes(before, after)
    n = finished(after)
    if n != finished(before):
        yield effect("VF-50", "count", {"n": n, "all": FINISHED_BUILDINGS})
    if after.taken & ~before.taken & LAND:
        yield from _ways(before, move, after)
    if before.placement == 1 and after.placement == 1 and not before.first_turn:
        rule = "VF-52" if after.towns[before.player].supply else "VF-51"
        yield effect(rule, "cut", {"colour": COLOURS[before.player]})
    yield from _left(before, move, after)


def _parishes(before: State, after: State) -> Told:
    """`VF-64`: the points that the player's parishes give now, and gave before."""
    player = before.player
    if not after.towns[player].churches:
        return
    facts = tuple(scoring.parishes(after, player))
    was = sum(fact.counts["points"] for fact in scoring.parishes(before, player))
    n = sum(fact.counts["points"] for fact in facts)
    if n != was:
        yield effect("VF-64", "parish", {"colour": COLOURS[player], "n": n, "was": was}, facts)


def _ways(before: State, move: Move, after: State) -> Told:
    """`VF-21`: the gates that have lost their way, and the cells over which every way of a gate leads from now on.

    Where the free cells around the building are joined, it cuts nothing off, and closes a way round only beside itself.
    """
    was, now = (LAND & ~state.taken for state in (before, after))
    fronts = fronts_of(after) & GRID.reach(MARKET, was)
    where = GRID.ring(move.bits)
    if move.bits & ~LAND or not cuts_nothing(was, fronts, move.site, move.bits):
        where = LAND
        if lost := fronts & ~GRID.reach(MARKET, now):
            fronts ^= lost
            yield _of_gates("cut", after, lost)
    found: dict[int, int] = {}
    for cell, behind in _narrow(now, fronts, where).items():
        if new := behind & GRID.reach(MARKET, was & ~cell):
            found[new] = found.get(new, 0) | cell
    for behind, cells in found.items():
        yield _of_gates("last_way", after, behind, cells)


def _narrow(free: int, fronts: int, where: int) -> dict[int, int]:
    """Each free cell that cuts possible gates off when it is built on, and the cells in front of those gates.

    `fronts` are the cells in front of the gates that have a way. Nothing is ever built there (`VF-23`): those cells
    are left out.
    """
    trail = GRID.trails(GRID.waves(MARKET, free, fronts) or [], fronts) & ~fronts & where
    cells = [BIT[cell] for cell in members(trail) if not cuts_nothing(free, fronts, (cell,), BIT[cell])]
    cut = {cell: fronts & ~GRID.reach(MARKET, free & ~cell) for cell in cells}
    return {cell: behind for cell, behind in cut.items() if behind}


def _of_gates(code: str, state: State, fronts: int, cells: int = 0) -> Effect:
    """What is told of the gates that have these cells in front of them: known ones, or some that are only possible."""
    found = [gates for gates in gates_of(state) if any(BIT[gate.front] & fronts for gate in gates)]
    names = tuple(NAMES[gate.cell] for gates in found for gate in gates if BIT[gate.front] & fronts)
    values: dict[str, Value] = {"gates": names, "cells": names_of(cells), "n": len(names)}
    shown = (Fact(names_of(cells)),) if cells else ()
    known = all(len(gates) == 1 for gates in found)
    return effect("VF-21", code if known else f"{code}_possible", values, (Fact(names), *shown))


def _left(before: State, move: Move, after: State) -> Told:
    """`VF-6`: the pieces of a kind that a player has left, when they get few."""
    piece = PIECES[type(move)]
    own = after.towns[before.player]
    n = {"brick": own.bricks, "cube": own.cubes, "pyramid": own.pyramids, "cylinder": own.cylinders}[piece]
    if n <= FEW:
        yield effect("VF-6", piece if n else "last", {"piece": piece, "colour": COLOURS[before.player], "n": n})


_BY_KIND: Mapping[type[Move], Callable[[State, Any, State], Told]] = {
    Rampart: _brick,
    CornerStorey: _cylinder,
    House: _cube,
    Roof: _pyramid,
    NobleStorey: _cylinder,
    Nave: _brick,
    BellTower: _pyramid,
}
