"""Villefranche with many unknown cells: what counts as one filling, what is told of all, and how much it costs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rules.kernel import Bounds, Effect, Ruling
from rules.steps import at_most
from rules.unknowns import MAX_CHECKS
from service.runtime.budget import BUDGET
from tests.rules.play import often
from tests.rules.villefranche.positions import COLUMNS, ask, house, piece, tower

QUESTIONS = often(24)
MOST = 300
"""So many fillings of a question are heard one by one."""
LINE = [f"{x}{y}" for x in COLUMNS for y in range(1, 10)]


# --- what is told of all -----------------------------------------------------------------------------------------


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


# --- how much it costs -------------------------------------------------------------------------------------------


MOVES = ("h c5", "s c5", "n c5", "e c5c6", "b c5", "r b1c1", "t a1")


def around(number: int) -> list[str]:
    """So many cells, from c5 on, the nearest first."""
    far = {cell: max(abs(COLUMNS.index(cell[0]) - 2), abs(int(cell[1]) - 5)) for cell in LINE if cell != "e5"}
    return sorted(far, key=lambda cell: (far[cell], cell))[:number]


@pytest.mark.parametrize(("number", "most"), [(2, 60), (6, 800), (9, 1_200), (80, MAX_CHECKS // 2)])
@pytest.mark.parametrize("move", MOVES)
def test_many_unknown_cells_take_few_checks(move: str, number: int, most: int) -> None:
    """And so few steps that no request is refused for them, with the readings that may be tried."""
    with at_most(BUDGET // 2) as effort:
        told = ask(dict.fromkeys(around(number), "?"), move)
    assert told.checks <= most
    assert effort.spent <= 12 * most + 4_000
    assert bool(told.needs) == (told.verdict.ruling is Ruling.UNPROVEN)


@pytest.mark.parametrize("move", MOVES)
def test_a_whole_board_may_be_unknown(move: str) -> None:
    """Where nothing at all was entered, the answer names what to look at."""
    with at_most(BUDGET // 2):
        told = ask({}, move, rest="unknown")
    assert told.verdict.ruling is Ruling.UNPROVEN
    assert told.needs


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
