"""Robber Knights: the score of each player and what decides a tie."""

from __future__ import annotations

from collections import Counter

from rules.kernel import Fact, Line, Seat
from rules.ranking import Standing
from rules.robber_knights.legality import INITIAL, supply_of
from rules.robber_knights.state import State
from rules.robber_knights.tiles import BUILDINGS, POINTS


def score(state: State) -> tuple[Line, ...]:
    """`RK-31`: of each player a line for castles, one for villages and one for towns, with the tiles that give it."""
    evidence: dict[tuple[str, str], list[Fact]] = {}
    for cell in sorted(state.stacks):
        face = state.tiles[cell]
        if POINTS[face]:
            key = state.stacks[cell][-1], face.split()[-1]
            evidence.setdefault(key, []).append(Fact((cell,), {"points": POINTS[face]}))
    return tuple(
        Line(colour, "RK-31", sum(fact.counts["points"] for fact in facts), facts, building)
        for colour in state.colours
        for building in BUILDINGS
        for facts in [tuple(evidence.get((INITIAL[colour], building), ()))]
    )


def knights_left(state: State, seat: Seat) -> Standing:
    """`RK-32`: the knights in the supply. Those that may lie hidden under others decide nothing where they matter."""
    totals: Counter[Seat] = Counter()
    for line in score(state):
        totals[line.seat] += line.points
    left = {str(colour): supply_of(state, number) for number, colour in enumerate(state.colours)}
    tied = sorted((colour for colour in left if totals[colour] == totals[seat]), key=lambda colour: -left[colour][1])
    level, lowest = 0, left[tied[0]][0]
    levels = {}
    for colour in tied:
        fewest, most = left[colour]
        if most < lowest:
            level, lowest = level - 1, fewest
        lowest = min(lowest, fewest)
        levels[colour] = level
    return Standing((levels[seat],), (Fact((), {seat: left[seat][0]}),))
