"""Villefranche: what a placement brings about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.effects import effect
from rules.kernel import Effect, Fact
from rules.villefranche import scoring
from rules.villefranche.board import (
    BIT,
    CORNER_NUMBER,
    GRID,
    LAND,
    NAMES,
    SIDE_OF_RAMPART,
    SIDES,
    Gate,
    Side,
    names_of,
)
from rules.villefranche.counting import around, influence, shops_needed
from rules.villefranche.legality import PIECES, unfinished_churches
from rules.villefranche.play import FINISHED_BUILDINGS, finished, stage
from rules.villefranche.state import (
    COLOURS,
    RAMPARTS,
    BellTower,
    CornerStorey,
    House,
    Move,
    Nave,
    NobleStorey,
    Rampart,
    Roof,
    State,
)

STOREYS = 3
ELEMENTS = (1, 2, 3)
FEW = 3
"""Of so few pieces of a kind it is told how many are left."""
Told = Iterator[Effect]


def effects(before: State, move: Move, after: State) -> tuple[Effect, ...]:
    """What a placement brings about, what is finished first."""
    return (*_BY_KIND[type(move)](before, move, after), *_for_all(before, move, after))


# --- the enclosure -----------------------------------------------------------------------------------------------


def _rampart(before: State, move: Rampart, after: State) -> Told:
    """`VF-10`, `VF-11`: how many stand, and where the gate of the side can still be."""
    side = SIDE_OF_RAMPART.get(move.pair)
    if side is not None:
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


def _storey(before: State, move: CornerStorey, after: State) -> Told:
    """`VF-12`: whose the tower is, or how many storeys it has."""
    number = CORNER_NUMBER.get(move.site[0])
    if number is None:
        return
    stack = after.stacks[move.site[0]]
    storeys = {"black": stack.count("Y"), "white": stack.count("y")}
    owner = after.corners[number]
    shown = (Fact((move.cell,), storeys),)
    if owner is None:
        yield effect("VF-12", "storeys", {"cell": move.cell, **storeys}, shown)
    elif before.corners[number] is None:
        points = int(after.readings["corner_tower_points"])
        yield effect("VF-12", "owned", {"cell": move.cell, "colour": COLOURS[owner], "n": points}, shown)


def _gates_held(before: State, after: State) -> Told:
    """`VF-60`: each gate whose two sides are now known to be somebody's, or nobody's."""
    for side in SIDES:
        was, now = (_flanked(state, side) for state in (before, after))
        if now is None or was is not None:
            continue
        gate, left, right = now
        values = {"gate": NAMES[gate.cell], "colour": COLOURS[left], "other": COLOURS[right]}
        shown = (Fact((NAMES[gate.cell], *(NAMES[cell] for cell in gate.sides))),)
        yield effect("VF-60", "held" if left == right else "nobody", values, shown)


def _flanked(state: State, side: Side) -> tuple[Gate, int, int] | None:
    """The gate of a side and who stands beside it, once all that is known."""
    gates = side.gates.get(state.walls & side.mask, ())
    if len(gates) != 1:
        return None
    left, right = (_holder(state, cell) for cell in gates[0].sides)
    return None if left is None or right is None else (gates[0], left, right)


def _holder(state: State, cell: int) -> int | None:
    """Whose rampart or corner tower stands there."""
    if cell in CORNER_NUMBER:
        return state.corners[CORNER_NUMBER[cell]]
    owners = [player for player, town in enumerate(state.towns) if town.ramparts & BIT[cell]]
    return owners[0] if len(owners) == 1 else None


# --- the town ----------------------------------------------------------------------------------------------------


def _nothing(_before: State, _move: House, _after: State) -> Told:
    """A house is only itself; what it joins is told of every piece."""
    return iter(())


def _roof(before: State, move: Roof, after: State) -> Told:
    """`VF-62`, `VF-42`, `VF-33`: the corporations, what the shops pay for, the noble tower that this one carries."""
    if GRID.edges(move.bits) & (before.towns[0].shops | before.towns[1].shops):
        yield from _corporations(before, after)
    own, colour = after.towns[before.player], COLOURS[before.player]
    shops = own.shops.bit_count()
    paid = tuple(element for element in ELEMENTS if shops_needed(after, own, element) <= shops)
    shown = (Fact(names_of(own.shops)),) if shops else ()
    yield effect("VF-42", "pays" if paid else "pays_nothing", {"colour": colour, "n": shops, "elements": paid}, shown)
    free = names_of(GRID.edges(move.bits) & LAND & ~after.taken)
    if free:
        yield effect("VF-33", "carries", {"cell": move.cell, "cells": free}, (Fact(free),))


def _corporations(before: State, after: State) -> Told:
    for player, colour in enumerate(COLOURS):
        was, now = (list(scoring.corporations(state, player)) for state in (before, after))
        for line in now:
            if line not in was:
                values = {"colour": colour, "n": line.counts["points"], "cells": line.cells}
                yield effect("VF-62", "corporation", values, (line,))
        for line in was:
            if not any(set(line.cells) <= set(other.cells) for other in now):
                yield effect("VF-62", "lost", {"colour": colour, "cells": line.cells}, (line,))


def _noble(before: State, move: NobleStorey, after: State) -> Told:
    """`VF-32`, `VF-35`: finished, or how many storeys, and whether the majority lets it go on now."""
    colour, town = COLOURS[before.player], after.towns[before.player]
    if town.towers & move.bits:
        yield effect("VF-32", "finished", {"cell": move.cell, "colour": colour}, (Fact((move.cell,)),))
        return
    n = 2 if town.raised & move.bits else 1
    yield effect("VF-32", "storeys", {"cell": move.cell, "n": n, "all": STOREYS}, (Fact((move.cell,)),))
    yield _going_on("VF-35", before.player, after, (move.site,))


def _nave(before: State, move: Nave, after: State) -> Told:
    """`VF-40`, `VF-43`: the first or the second element, and whether the majority lets the church go on now."""
    n = 2 if before.towns[before.player].naves & move.pair else 1
    yield effect("VF-40", "element", {"cells": move.cells, "n": n, "all": len(ELEMENTS)}, (Fact(move.cells),))
    for cells, sites in unfinished_churches(after.towns[before.player]):
        if cells == move.cells:
            yield _going_on("VF-43", before.player, after, sites)


def _going_on(rule: str, player: int, after: State, sites: tuple[tuple[int, ...], ...]) -> Effect:
    """Whether a player's building could go on now: at the site that suits the player best."""
    seen = after._replace(player=player)
    counts = [(*influence(seen, site), site) for site in sites]
    own, opponent, site = max(counts, key=lambda each: each[0] - each[1])
    code = "goes_on" if own >= opponent else "waits"
    values = {"colour": COLOURS[player], "own": own, "opponent": opponent, "other": COLOURS[1 - player]}
    return effect(rule, code, values, around(after, site))


def _bell(before: State, move: BellTower, after: State) -> Told:
    """`VF-41`: a church is finished; the choir is the cell with the bell tower."""
    if after.towns[before.player].churches == before.towns[before.player].churches:
        return
    values = {"cell": move.cell, "colour": COLOURS[before.player]}
    yield effect("VF-41", "finished", values, (Fact((move.cell,)),))


# --- whatever was placed -----------------------------------------------------------------------------------------


def _for_all(before: State, move: Move, after: State) -> Told:
    """What every kind can bring about: gates, the town, parishes, buildings of the five, a cut turn, pieces left."""
    if isinstance(move, Rampart | CornerStorey):
        yield from _gates_held(before, after)
        if stage(after) == "town" and stage(before) != "town":
            yield effect("VF-4", "this_turn" if after.placement == 2 else "next_turn")
    yield from _parishes(before, after)
    n = finished(after)
    if n != finished(before):
        yield effect("VF-50", "count", {"n": n, "all": FINISHED_BUILDINGS})
    if before.placement == 1 and after.placement == 1 and not before.first_turn:
        yield effect("VF-52", "cut", {"colour": COLOURS[before.player]})
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


def _left(before: State, move: Move, after: State) -> Told:
    """`VF-6`: the pieces of a kind that a player has left, when they get few."""
    piece = PIECES[type(move)]
    own = after.towns[before.player]
    n = {"brick": own.bricks, "cube": own.cubes, "pyramid": own.pyramids, "cylinder": own.cylinders}[piece]
    if n <= FEW:
        code = "left" if n else "last"
        yield effect("VF-6", code, {"piece": piece, "colour": COLOURS[before.player], "n": n})


_BY_KIND: Mapping[type[Move], Callable[[State, Any, State], Told]] = {
    Rampart: _rampart,
    CornerStorey: _storey,
    House: _nothing,
    Roof: _roof,
    NobleStorey: _noble,
    Nave: _nave,
    BellTower: _bell,
}
