"""Villefranche: the tie-breaks at the end of a game, step by step (`VF-70`, `VF-71`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from rules.effects import effect
from rules.kernel import Effect, Seat, Value
from rules.ranking import Standing
from rules.villefranche import scoring
from rules.villefranche.state import COLOURS, State


def ties(state: State) -> Iterator[Effect]:
    """The result of each tie-break at equal points, up to the one that decides; or the draw (`VF-72`)."""
    sums: Counter[Seat] = Counter()
    for line in scoring.score(state):
        sums[line.seat] += line.points
    if len({sums[colour] for colour in COLOURS}) > 1:
        return
    for rule, standing in (("VF-70", scoring.nearest_tower), ("VF-71", scoring.nearest_gates)):
        step = _step(state, rule, standing)
        yield step
        if step.facts.code != "level":
            return
    yield effect("VF-72", "", {"colours": COLOURS, "n": sums[COLOURS[0]]})


def of_both(black: Value, white: Value) -> dict[str, Value]:
    """A value of each player, with the players, whom the sentence calls by name."""
    first, second = COLOURS
    return {"first": first, "second": second, "black": black, "white": white}


def _step(state: State, rule: str, standing: Callable[[State, Seat], Standing]) -> Effect:
    """Both colours' distances from the market square, the nearest first, and the player ahead."""
    found = {colour: standing(state, colour) for colour in COLOURS}
    distances = [tuple(fact.counts["distance"] for fact in each.evidence) or "none" for each in found.values()]
    values = of_both(*distances)
    evidence = [fact for each in found.values() for fact in each.evidence]
    black, white = (found[colour].key for colour in COLOURS)
    if black == white:
        return effect(rule, "level", values, evidence)
    return effect(rule, "ahead", {**values, "colour": COLOURS[black < white]}, evidence)
