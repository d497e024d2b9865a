"""Villefranche: the ways from the gates to the market square that a building closes, and the last ways (`VF-21`)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.effects import effect
from rules.kernel import Effect, Fact, Value
from rules.villefranche.board import BIT, GRID, LAND, MARKET, NAMES, names_of
from rules.villefranche.counting import fronts_of, gates_of, leaves_joined
from rules.villefranche.grid import members
from rules.villefranche.moves import Move
from rules.villefranche.state import State


def ways(before: State, move: Move, after: State) -> Iterator[Effect]:
    """`VF-21`: the gates that have lost their way, and the cells that every way of a gate needs from now on.

    If the free cells around the building are joined, it cuts off nothing, and closes a way round only beside itself.
    """
    was, now = (LAND & ~state.taken_cells for state in (before, after))
    fronts, is_joined = fronts_of(after), not move.bits & ~LAND and leaves_joined(was, move.site)
    if not is_joined or fronts & move.bits:
        fronts &= GRID.reach(MARKET, was)
    if is_joined and not fronts & move.bits:
        cells = _bends(now, GRID.ring(move.bits) & ~fronts)
    else:
        if lost := fronts & ~GRID.reach(MARKET, now):
            yield _of_gates("cut", after, lost)
            fronts ^= lost
        cells = _bends(now, GRID.trails(GRID.waves(MARKET, now, fronts) or [], fronts) & ~fronts)
    found: dict[int, int] = {}
    for cell in cells:
        behind = fronts & ~GRID.reach(MARKET, now & ~cell)
        if behind and (new := behind & GRID.reach(MARKET, was & ~cell)):
            found[new] = found.get(new, 0) | cell
    for behind, cells_before in found.items():
        yield _of_gates("last_way", after, behind, cells_before)


def _bends(free: int, cells: int) -> list[int]:
    """The free cells among some whose free neighbours are not surely joined: only they can be the last way.

    Callers leave out cells in front of a gate, where nothing is ever built (`VF-23`).
    """
    return [BIT[cell] for cell in members(free & cells) if not leaves_joined(free, (cell,))]


def _of_gates(code: str, state: State, fronts: int, cells: int = 0) -> Effect:
    """The effect on the gates behind these front cells: known gates, or only possible ones."""
    found = [gates for gates in gates_of(state) if any(BIT[gate.front] & fronts for gate in gates)]
    names = tuple(NAMES[gate.cell] for gates in found for gate in gates if BIT[gate.front] & fronts)
    values: dict[str, Value] = {"gates": names, "cells": names_of(cells), "n": len(names)}
    evidence = (Fact(names_of(cells)),) if cells else ()
    is_known = all(len(gates) == 1 for gates in found)
    return effect("VF-21", code if is_known else f"{code}_possible", values, (Fact(names), *evidence))
