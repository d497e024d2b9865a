"""Villefranche: what unknown shops and towers let another noble tower begin, under each reading of `VF-33`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from rules.kernel import Ruling
from rules.unknowns import judge
from rules.villefranche import GAME
from tests.rules.play import SEED, often
from tests.rules.trials import Trial, WholeFilling, enter, list_fillings
from tests.support.json_forms import read_setup
from tests.support.loops import over

COLOURS = ("black", "white")
STOREYS = (["cube"], ["cube", "pyramid"], ["cylinder"], ["cylinder"] * 2, ["cylinder"] * 3)
CELLS = ("c4", "c5", "d3", "d4", "d5", "e3", "f4", "g4", "f5")
"""Around e4, where the new tower is to begin, and a cell further on."""
APART = [
    (one, other)
    for one, other in combinations(CELLS, 2)
    if abs(ord(one[0]) - ord(other[0])) + abs(int(one[1]) - int(other[1])) > 1
]
"""Two of them that no church stands on."""
TRIALS = often(30)


def stack(colour: str, names: list[str]) -> list[dict[str, str]]:
    """Pieces of one colour on a cell, as JSON."""
    return [{"piece": name, "colour": colour} for name in names]


def position(cells: Mapping[str, Any]) -> dict[str, Any]:
    """A position in the town, as JSON; Black is due."""
    return {"cells": dict(cells), "enclosed": True}


def form(value: str) -> Any:
    """A setup with a value of the reading."""
    return read_setup(GAME, {"readings": {"shared_shop": value}})


def rule_on(value: str, cells: Mapping[str, Any], move: str) -> Any:
    """The ruling on a move in a position with unknown cells."""
    return judge(GAME, *enter(GAME, form(value), position(cells)), GAME.read(move))


@pytest.mark.parametrize(
    ("value", "ruling", "needs"), [("matched", Ruling.UNPROVEN, ("c5",)), ("refused", Ruling.ILLEGAL, ())]
)
def test_a_second_shop_frees_the_first_only_where_towers_are_matched(
    value: str, ruling: Ruling, needs: tuple[str, ...]
) -> None:
    """The tower c4 touches the shop d4. A shop on c5, which is unknown, would do for c4; d4 touches it all the same."""
    cells = {"c4": stack("black", ["cylinder"] * 3), "d4": stack("black", ["cube", "pyramid"]), "c5": "?"}
    said = rule_on(value, cells, "n e4")
    assert (said.verdict.ruling, said.needs) == (ruling, needs)


def towns(chance: Random, times: int) -> Iterator[tuple[dict[str, Any], tuple[str, str]]]:
    """Some cells of a town, and two of them that are unknown: a shop, towers and others around e4."""
    for _ in range(times):
        unknown = chance.choice(APART)
        cells = {cell: stack("black" if chance.random() < 0.8 else "white", chance.choice(STOREYS)) for cell in CELLS}
        kept = {cell: there for cell, there in cells.items() if cell not in unknown and chance.random() < 0.25}
        yield kept, unknown


@pytest.mark.parametrize("value", ["matched", "refused"])
def test_towers_and_shops_are_ruled_on_as_by_all_that_can_stand(value: str) -> None:
    """Two unknown cells, each free or with a building of either colour: the ruling is that of all, or is open."""
    told: Counter[Ruling] = Counter()
    every = [[], *(stack(colour, names) for colour in COLOURS for names in STOREYS)]
    move = GAME.read("n e4")
    for cells, unknown in over(towns(Random(f"{SEED} towers"), TRIALS)):
        answer = rule_on(value, {**cells, **dict.fromkeys(unknown, "?")}, "n e4")
        said = answer.verdict.ruling
        ways = (dict(zip(unknown, each, strict=True)) for each in product(every, repeat=2))
        fillings = [WholeFilling(position({**cells, **way})) for way in ways]
        real = {
            each.verdict.ruling for each in list_fillings(GAME, Trial(form(value), None, move, fillings), over=False)
        }
        assert said is Ruling.UNPROVEN or real <= {said}, (cells, unknown)
        assert said is not Ruling.UNPROVEN or len(real) == 2 or not answer.exact, (cells, unknown)
        told[said] += 1
    assert told
