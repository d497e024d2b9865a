"""Robber Knights with many unknown cells: a ruling takes few checks, and no more steps than a request may."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from rules.kernel import Ruling
from rules.robber_knights import GAME
from rules.robber_knights.moves import FARTHEST
from rules.steps import TooMuch, at_most
from service.runtime.budget import BUDGET
from tests.rules.robber_knights.positions import read, rule_on, tile
from tests.support.worst import CALLS_A_STEP, WITHOUT_STEPS, calls

MARCH = "(-1,0) plain castle >e 1 1 1 1"
KNOWN_TILES = [tile(-1, y, "plain", "red", "blue") for y in (1, -1)]
SUPPLIES: tuple[dict[str, int], ...] = ({}, {"red": 27, "blue": 27})


def unknown(number: int) -> list[dict[str, Any]]:
    """This many unknown cells, first those of the march, then those around; the march's other cells are known."""
    cells = [(x, 0) for x in range(3)] + [(x, y) for y in (1, -1, 2, -2) for x in range(5)]
    rest = [tile(*cell, "plain village") for cell in cells[number:3]]
    return [*rest, *(tile(*cell, "?") for cell in cells[:number])]


@pytest.mark.parametrize("supply", SUPPLIES, ids=["untold", "told"])
@pytest.mark.parametrize(("number", "most"), [(1, 40), (2, 160), (6, 1_000), (9, 1_000), (20, 1_000)])
def test_many_unknown_cells_take_few_checks(number: int, most: int, supply: dict[str, int]) -> None:
    """Unknown cells on, beside and far from the march take few checks, whether the knights left are counted or not."""
    with at_most(BUDGET // 2):
        said = rule_on({"tiles": [*KNOWN_TILES, *unknown(number)], "supply": supply}, MARCH)
    assert said.checks <= most
    assert (said.verdict.ruling, bool(said.needs)) == (Ruling.UNPROVEN, True)


def test_a_whole_table_may_be_unknown() -> None:
    """With two tiles entered and the rest unknown, the ruling is `unproven` and needs the march's cells."""
    corners = [tile(-1, -3, "plain"), tile(5, 3, "plain", "red")]
    with at_most(BUDGET // 2):
        said = rule_on({"tiles": corners, "rest": "unknown"}, MARCH)
    assert said.verdict.ruling is Ruling.UNPROVEN
    assert {(0, 0), (1, 0), (2, 0)} <= {*said.needs}


@pytest.mark.parametrize("far", [(7, 7), (9, 6), (12, 12), (44, 1), (400, 400), (FARTHEST, FARTHEST)])
@pytest.mark.parametrize("move", ["(2,2) plain castle >. 3", "(1,0) forest", "(-1,0) plain castle >e 1 1"])
def test_fillings_that_cannot_stand_are_counted_too(move: str, far: tuple[int, int]) -> None:
    """With two tiles any distance apart and the rest unknown, the work is within the counted steps."""
    corners = {"tiles": [tile(0, 0, "plain"), tile(*far, "?")], "rest": "unknown"}

    def ask() -> None:
        with suppress(TooMuch):
            rule_on(corners, move)

    with at_most(BUDGET) as effort:
        work = calls(ask)
    assert work <= WITHOUT_STEPS + CALLS_A_STEP * effort.steps


def test_the_rest_of_a_table_has_an_end() -> None:
    """With the unknown tile as far away as possible, the rest is six cells each way around the known one (`RK-11`)."""
    corners = [tile(-FARTHEST, -FARTHEST, "plain"), tile(FARTHEST, FARTHEST, "?")]
    form, entered = read({"tiles": corners, "rest": "unknown"})
    rules = GAME.unknowns
    assert rules is not None
    assert len([cell for cell in rules.cells(form, entered) if not isinstance(cell, str)]) == 13 * 13


@pytest.mark.parametrize("number", [1, 2, 3])
def test_effects_take_few_fillings(number: int) -> None:
    """Effects are checked with at most 24 fillings for each unknown cell of the march, none twice."""
    form, entered = read({"tiles": [*KNOWN_TILES, *unknown(number)], "supply": SUPPLIES[1]})
    rules, move = GAME.unknowns, GAME.read(MARCH)
    assert rules is not None
    assert rules.effect_fillings is not None
    state = GAME.enter(form, rules.known_part(form, entered))
    ways = [*rules.effect_fillings(state, move, rules.cells(form, entered))]
    assert len(ways) == len({frozenset(way.items()) for way in ways})
    assert 1 < len(ways) <= 24 * number


def test_what_is_too_far_away_is_tried_as_far_as_it_is_little_work() -> None:
    """In a country for four, a move away from the one known tile is `unproven` without trying fillings."""
    players = {"players": [{"colour": colour} for colour in ("red", "blue", "yellow", "green")]}
    position = {"tiles": [tile(0, 0, "plain")], "rest": "unknown"}
    with at_most(BUDGET // 2):
        away, beside = (rule_on(position, f"({x},0) plain castle >e 1 1 1 1", players) for x in (2, 1))
    assert (away.verdict.ruling, away.exact, away.checks) == (Ruling.UNPROVEN, False, 0)
    assert (beside.verdict.ruling, beside.exact) == (Ruling.UNPROVEN, True)
