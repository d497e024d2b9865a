"""Villefranche: the counts of rules without an objection (`Rule.counts`)."""

from __future__ import annotations

from rules.kernel import LEGAL, Fact, Facts, Value, counted_facts
from rules.villefranche.board import GRID, NAMES, names_of
from rules.villefranche.counting import noble_cells
from rules.villefranche.enclosure import SIDE_OF_RAMPART
from rules.villefranche.moves import Nave, NobleStorey, Rampart
from rules.villefranche.state import COLOURS, State


def gates(state: State, move: Rampart) -> Facts:
    """`VF-11`: the candidates for the side's gate after the rampart."""
    side = SIDE_OF_RAMPART[move.pair]
    cells = tuple(NAMES[gate.cell] for gate in side.gates[state.walls & side.mask | move.pair])
    return counted_facts({"side": side.name, "n": len(cells), "cells": cells}, (Fact(cells),))


def shops(state: State, move: NobleStorey) -> Facts | None:
    """`VF-33`: the noble towers with this one, and the shops beside them; or the shops that are free for this one."""
    cell, own = move.bits, state.towns[state.player]
    if state.taken_cells & cell:
        return None
    values: dict[str, Value]
    if state.readings["shared_shop"] == "refused":
        free = names_of(GRID.edges(cell) & own.shops & ~GRID.edges(noble_cells(own)))
        values = {"cell": move.cell, "colour": COLOURS[state.player], "shops": free}
        return Facts("free", values, (Fact(free),), LEGAL)
    towers = noble_cells(own) | cell
    beside = names_of(GRID.edges(towers) & own.shops)
    values = {"n": len(names_of(towers)), "shops": beside}
    return counted_facts(values, (Fact(names_of(towers)), Fact(beside)))


def none_unfinished(state: State, move: NobleStorey | Nave) -> Facts | None:
    """`VF-35`, `VF-43`: the player has no unfinished noble tower, or church; else the rule itself has a finding."""
    return None if state.taken_cells & move.bits else counted_facts({"colour": COLOURS[state.player]})
