"""Villefranche with many unknown cells: what counts as one filling, and what is told of all."""

from __future__ import annotations

from collections.abc import Sequence

from rules.kernel import Bounds, Effect, Ruling
from tests.rules.villefranche.positions import around, ask, house, piece, tower


def effect(effects: Sequence[Effect], rule: str) -> Effect | None:
    """The effect of a rule."""
    return next((each for each in effects if each.rule == rule), None)


def test_as_many_of_either_colour_may_be_around() -> None:
    """On four cells two towers of each may stand: six to six. And three of White's beside a known house are as many."""
    said = ask({"b4": "?", "b5": "?", "b6": "?", "c4": "?"}, "h c5")
    assert effect(said.effects, "VF-22") is None, "it may be as many, or more"
    lead = {f"d{row}": tower("black") for row in (4, 6)} | {"d5": house("black"), "c6": tower("black")}
    told = effect(ask({**lead, "b4": "?", "b5": "?", "b6": "?"}, "h c5").effects, "VF-22")
    assert told is not None
    assert (told.facts.values["own"], told.facts.values["opponent"]) == (Bounds(10, 17), Bounds(0, 7))


def test_pieces_left_are_told_where_none_can_be_on_what_is_unknown() -> None:
    """On a corner stand cylinders only: the cubes are counted; not where a cell of the town is unknown."""
    told = effect(ask({"a1": "?", "g7": house("black")}, "h c5").effects, "VF-6")
    assert told is not None
    assert told.facts.values["n"] == 8
    told = effect(ask({"g8": "?", "g7": house("black")}, "h c5").effects, "VF-6")
    assert told is not None
    assert told.facts.values["n"] == Bounds(7, 8)
    many = dict.fromkeys(("g8", "f8", "h8"), "?")
    assert effect(ask({**many, "g7": house("black")}, "h c5").effects, "VF-6") is None


def test_the_gates_are_told_where_the_town_is_unknown() -> None:
    """Who holds a gate depends on the enclosure alone."""
    bricks = {"c1": "d1", "e1": "f1", "g1": "h1"}
    halves = {**bricks, **{there: here for here, there in bricks.items()}}
    walls = {cell: [piece("brick", "black", other)] for cell, other in halves.items()}
    told = {**walls, "i1": [piece("cylinder", "black")] * 2, "a1": [piece("cylinder", "black")]}
    more = {"enclosed": None, "placement": 2}
    held = effect(ask({**told, "c5": "?"}, "t a1", **more).effects, "VF-60")
    assert held is not None
    assert held.facts.values["gate"] == "b1"
    far = [f"{x}{y}" for x in "ai" for y in range(2, 9)]
    assert effect(ask({**told, **dict.fromkeys(far, "?")}, "t a1", **more).effects, "VF-60") is None


def test_four_cells_are_decided_where_only_the_majority_is_asked() -> None:
    """Whatever stands around the house: each of them may decide, and nothing is left undecided. Of more, nothing is
    said to be exact.
    """
    around_it = dict.fromkeys(sorted(set(around(9)) - {"c5"}), "?")
    told = ask({**around_it, "c5": house("black"), "g7": house("white")}, "s c5")
    assert (told.exact, told.verdict.ruling, set(told.needs)) == (False, Ruling.UNPROVEN, set(around_it))
    around_it = dict.fromkeys(sorted(around_it)[:4], "?")
    told = ask({**around_it, "c5": house("black"), "g7": house("white")}, "s c5")
    assert (told.exact, told.verdict.ruling, set(told.needs)) == (True, Ruling.UNPROVEN, set(around_it))
