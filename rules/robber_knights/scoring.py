"""Robber Knights: the score of each player and what decides a tie."""

from __future__ import annotations

from rules.kernel import Fact, Line, Seat
from rules.ranking import Standing
from rules.robber_knights.legality import INITIAL, seen
from rules.robber_knights.state import BELOW, KNIGHTS, Colour, State
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
    """`RK-32`: the knights in the supply. Where those of a tied player are not known, they decide nothing."""
    totals = {line.seat: line.points for line in score(state)}
    tied = [colour for colour in state.colours if totals[colour] == totals[seat]]
    left = {str(colour): _left(state, colour) for colour in tied}
    own = left[seat]
    if own is None or None in left.values():
        return Standing(())
    return Standing((own,), (Fact((), {seat: own}),))


def _left(state: State, colour: Colour) -> int | None:
    """The supply as entered; or what is not on the table, where every stack is known to the bottom."""
    left = state.supply[state.colours.index(colour)]
    if left is None and not any(stack.startswith(BELOW) for stack in state.stacks.values()):
        return KNIGHTS - seen(state, colour)
    return left
