"""Fief: the effects of changed villages and points: whole fiefs, and what each player is short of."""

from __future__ import annotations

from collections.abc import Iterator

from rules.effects import effect
from rules.fief.data import Colour
from rules.fief.effects.sentence_values import evidence_of, in_order
from rules.fief.lords import city_of, controls_all, pairs
from rules.fief.state import State
from rules.fief.style import title
from rules.fief.victory import ALONE, TOGETHER, can_win_alone, points, together
from rules.kernel import Effect, Value

# --- fiefs and bishoprics ----------------------------------------------------------------------------------------


def villages(before: State, after: State) -> Iterator[Effect]:
    """`FI-52`, `FI-20`, `FI-22`: the player who gains or loses control of a whole fief; bishoprics likewise."""
    land, places = before.land, before.control.keys() | after.control.keys()
    changed = in_order(before, (each for each in places if before.control.get(each) != after.control.get(each)))
    for fief in dict.fromkeys(land.fief_of[village] for village in changed):
        theirs = land.fiefs[fief]
        for player in _former_controller(before, after, theirs):
            yield effect("FI-52", "fief_lost", {"fief": title(after, fief), "colour": player}, evidence_of(*theirs))
        for player in _former_controller(after, before, theirs):
            if city_of(after, fief) is None:
                yield effect(
                    "FI-52", "fief_whole", {"fief": title(after, fief), "colour": player}, evidence_of(*theirs)
                )
    for number in sorted({land.bishopric_of[village] for village in changed}):
        yield from _bishopric(before, after, number)


def _former_controller(before: State, after: State, places: tuple[str, ...]) -> Iterator[Colour]:
    """The player who controlled all of these villages, and no longer does."""
    whose = before.control.get(places[0])
    if whose and controls_all(before, whose, places) and not controls_all(after, whose, places):
        yield whose


def _bishopric(before: State, after: State, number: int) -> Iterator[Effect]:
    places = before.land.bishoprics[number]
    values: dict[str, Value] = {"n": number, "village": before.land.seats[number]}
    for player in _former_controller(before, after, places):
        yield effect("FI-22", "bishopric_lost", {**values, "colour": player}, evidence_of(*places))
    free = [village for village in places if village not in before.control]
    if free and number not in after.bishops and all(village in after.control for village in places):
        yield effect("FI-20", "controlled", values, evidence_of(*places))


# --- points (FI-81, FI-82) ---------------------------------------------------------------------------------------


def short_of(before: State, after: State) -> Iterator[Effect]:
    """`FI-81`, `FI-82`: the points that each player and each pair is short of, if the number has changed."""
    was, now = dict(_alone(before)), dict(_alone(after))
    for player, n in now.items():
        if was.get(player) != n:
            yield effect("FI-81", "short" if n else "enough", {"colour": player, "n": n})
    both, pair = dict(_pairs(before)), dict(_pairs(after))
    for (one, other), n in pair.items():
        if both.get((one, other)) != n:
            yield effect("FI-82", "short" if n else "enough", {"one": one, "other": other, "n": n})


def _alone(state: State) -> Iterator[tuple[Colour, int]]:
    for player in state.colours:
        if can_win_alone(state, player):
            yield player, max(ALONE - points(state, player), 0)


def _pairs(state: State) -> Iterator[tuple[tuple[Colour, Colour], int]]:
    for pair in pairs(state):
        yield pair.players, max(TOGETHER - together(state, pair), 0)
