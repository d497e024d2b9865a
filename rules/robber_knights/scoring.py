"""Robber Knights: the score of each player and the tie-break."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.kernel import Bounds, Fact, Line, Seat
from rules.ranking import ByPoints, Standing, Tiebreak
from rules.robber_knights.legality import INITIAL, supply_of
from rules.robber_knights.play import seats_of
from rules.robber_knights.state import Colour, State
from rules.robber_knights.tiles import BUILDINGS, POINTS


def score(state: State) -> tuple[Line, ...]:
    """`RK-31`: for each player a line for castles, one for villages and one for towns, with their tiles.

    The knights left (`RK-32`) stand beside them in a line without points.
    """
    evidence: dict[tuple[str, str], list[Fact]] = {}
    for cell in sorted(state.stacks.keys() & state.tiles.keys()):
        face = state.tiles[cell]
        if POINTS[face]:
            key = state.stacks[cell][-1], face.split()[-1]
            evidence.setdefault(key, []).append(Fact((cell,), {"points": POINTS[face]}))
    return tuple(
        line
        for number, colour in enumerate(state.colours)
        for line in (
            *(_points(colour, building, evidence) for building in BUILDINGS),
            Line(colour, "RK-32", 0, (Fact((), {"points": 0, **_knights_in_supply(state, number)}),)),
        )
    )


def points(state: State) -> dict[tuple[Seat, str], int]:
    """The points of each player, as on the lines."""
    tiles, points_of_top = state.tiles, dict.fromkeys(map(INITIAL.__getitem__, state.colours), 0)
    for cell, stack in state.stacks.items():
        if cell in tiles and stack[-1] in points_of_top:
            points_of_top[stack[-1]] += POINTS[tiles[cell]]
    return {(colour, "RK-31"): points_of_top[INITIAL[colour]] for colour in state.colours}


def _points(colour: Colour, building: str, evidence: Mapping[tuple[str, str], list[Fact]]) -> Line:
    facts = tuple(evidence.get((INITIAL[colour], building), ()))
    return Line(colour, "RK-31", sum(fact.counts["points"] for fact in facts), facts, building)


def _knights_in_supply(state: State, player: int) -> Mapping[str, int]:
    """`RK-32`: the knights in the supply, or their bounds if some may lie hidden."""
    fewest, most = supply_of(state, player)
    return {"knights_left": most} if fewest == most else {"fewest_left": fewest, "most_left": most}


def knights_left(state: State, seat: Seat, tied: Sequence[Seat]) -> Standing:
    """`RK-32`: the knights in the supply. If knights that may lie hidden under others matter, nothing is decided."""
    numbers: dict[Seat, int] = {colour: number for number, colour in enumerate(state.colours)}
    left = {colour: supply_of(state, numbers[colour]) for colour in tied}
    order = sorted(left, key=lambda colour: -left[colour][1])
    level, lowest = 0, left[order[0]][0]
    levels = {}
    for colour in order:
        fewest, most = left[colour]
        if most < lowest:
            level, lowest = level - 1, fewest
        lowest = min(lowest, fewest)
        levels[colour] = level
    fewest, most = left[seat]
    if fewest < most:
        return Standing((levels[seat],), (), Bounds(fewest, most))
    return Standing((levels[seat],), (Fact((), {seat: most}),), most)


ranking = ByPoints(seats_of, score, (Tiebreak("RK-32", knights_left),), shared_by="RK-32")
