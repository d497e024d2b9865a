"""Villefranche: the ways from the gates to the market square that a building closes, and the last ones (`VF-21`)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.effects import effect
from rules.kernel import Effect, Fact, Value
from rules.villefranche.board import BIT, GRID, LAND, MARKET, NAMES, names_of
from rules.villefranche.counting import cuts_nothing, fronts_of, gates_of
from rules.villefranche.grid import members
from rules.villefranche.moves import Move
from rules.villefranche.state import State


def ways(before: State, move: Move, after: State) -> Iterator[Effect]:
    """`VF-21`: the gates that have lost their way, and the cells over which every way of a gate leads from now on.

    Where the free cells around the building are joined, it cuts nothing off, and closes a way round only beside itself.
    """
    was, now = (LAND & ~state.taken_cells for state in (before, after))
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
    """The effect on the gates in front of which these cells lie: known gates, or some that are only possible."""
    found = [gates for gates in gates_of(state) if any(BIT[gate.front] & fronts for gate in gates)]
    names = tuple(NAMES[gate.cell] for gates in found for gate in gates if BIT[gate.front] & fronts)
    values: dict[str, Value] = {"gates": names, "cells": names_of(cells), "n": len(names)}
    evidence = (Fact(names_of(cells)),) if cells else ()
    is_known = all(len(gates) == 1 for gates in found)
    return effect("VF-21", code if is_known else f"{code}_possible", values, (Fact(names), *evidence))
