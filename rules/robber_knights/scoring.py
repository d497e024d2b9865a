"""Robber Knights: the score of each player and what decides a tie."""

from __future__ import annotations

from rules.kernel import Fact, Line, Seat
from rules.ranking import Standing
from rules.robber_knights.legality import INITIAL, supply_of
from rules.robber_knights.state import State
from rules.robber_knights.tiles import POINTS


def score(state: State) -> tuple[Line, ...]:
    """`RK-31`: each player's line, with every tile of which the top knight is the player's and its points."""
    evidence: dict[str, list[Fact]] = {INITIAL[colour]: [] for colour in state.colours}
    for cell in sorted(state.stacks):
        points = POINTS[state.tiles[cell]]
        if points:
            evidence[state.stacks[cell][-1]].append(Fact((cell,), {"points": points}))
    lines = []
    for colour in state.colours:
        facts = tuple(evidence[INITIAL[colour]])
        lines.append(Line(colour, "RK-31", sum(fact.counts["points"] for fact in facts), facts))
    return tuple(lines)


def knights_left(state: State, seat: Seat) -> Standing:
    """`RK-32`: the knights in the supply. Those that may lie hidden under others decide nothing where they matter."""
    totals = {line.seat: line.points for line in score(state)}
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
