"""Villefranche, phase 1: the effects of a rampart or a corner storey (`VF-4`, `VF-10` to `VF-12`, `VF-60`)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.effects import effect
from rules.kernel import Effect, Fact, Value
from rules.villefranche import scoring
from rules.villefranche.board import CORNER_NUMBER, NAMES
from rules.villefranche.effects.ties import of_both
from rules.villefranche.enclosure import SIDE_OF_RAMPART, SIDES, Gate, Side
from rules.villefranche.moves import CornerStorey, Nave, NobleStorey, Rampart
from rules.villefranche.play import stage
from rules.villefranche.state import COLOURS, RAMPARTS, State


def rampart(before: State, move: Rampart | Nave, after: State) -> Iterator[Effect]:
    """`VF-10`, `VF-11`: the number of ramparts, and the remaining candidates for the side's gate."""
    yield from _town_begins(before, after)
    side = SIDE_OF_RAMPART.get(move.pair)
    if side is not None:
        yield from _holders(before, after, side)
        yield from _gate(before, after, side)
    yield effect("VF-10", "count", {"n": after.rampart_count, "all": RAMPARTS})


def _gate(before: State, after: State, side: Side) -> Iterator[Effect]:
    was, now = (side.gates.get(state.walls & side.mask, ()) for state in (before, after))
    if len(now) == len(was):
        return
    names = tuple(NAMES[gate.cell] for gate in now)
    evidence = (Fact(names),) if names else ()
    if len(now) == 1:
        yield effect("VF-11", "known", {"side": side.name, "gate": names[0]}, evidence)
    else:
        yield effect("VF-11", "possible" if names else "none", {"side": side.name, "cells": names}, evidence)


def storey(before: State, move: CornerStorey | NobleStorey, after: State) -> Iterator[Effect]:
    """`VF-12`: the owner of the tower, or its number of storeys; and the gates that it decides."""
    yield from _town_begins(before, after)
    number = CORNER_NUMBER[move.site[0]]
    stack = after.stacks[move.site[0]]
    storeys = {"black": stack.count("Y"), "white": stack.count("y")}
    both, owner = of_both(**storeys), after.corners[number]
    evidence = (Fact((move.cell,), storeys),)
    if owner is None:
        yield effect("VF-12", "storeys", {"cell": move.cell, **both}, evidence)
    elif before.corners[number] is None:
        points = int(after.readings["corner_tower_points"])
        values: dict[str, Value] = {"cell": move.cell, "colour": COLOURS[owner], **both, "n": points}
        yield effect("VF-12", "owned", values, evidence)
        for side in SIDES:
            yield from _holders(before, after, side)


def _town_begins(before: State, after: State) -> Iterator[Effect]:
    """`VF-4`: the enclosure is complete."""
    if stage(after) == "town" and stage(before) != "town":
        yield effect("VF-4", "this_turn" if after.placement == 2 else "next_turn")


def _holders(before: State, after: State, side: Side) -> Iterator[Effect]:
    """`VF-60`: who holds the gate of a side, or why nobody does, if that is new."""
    now = _gate_with_flanks(after, side)
    if now is None or now == _gate_with_flanks(before, side):
        return
    gate, (left, right) = now
    values: dict[str, Value] = {"gate": NAMES[gate.cell]}
    evidence = (Fact((NAMES[gate.cell], *(NAMES[cell] for cell in gate.sides))),)
    if left is None or right is None:
        [corner] = (NAMES[cell] for cell, who in zip(gate.sides, now[1], strict=True) if who is None)
        yield effect("VF-60", "open", {**values, "corner": corner}, evidence)
    else:
        values |= {"colour": COLOURS[left], "other": COLOURS[right]}
        yield effect("VF-60", "held" if left == right else "divided", values, evidence)


def _gate_with_flanks(state: State, side: Side) -> tuple[Gate, tuple[int | None, int | None]] | None:
    """The gate of a side, once it is known, and the players on both sides of it."""
    gate = scoring.known_gate(state, side)
    if gate is None:
        return None
    left, right = gate.sides
    return gate, (scoring.holder(state, left), scoring.holder(state, right))
