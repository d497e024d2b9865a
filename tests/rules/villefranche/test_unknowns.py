"""Villefranche with unknown cells: worked cases, and small neighbourhoods against an enumeration of the test's own.

The enumeration is of positions as JSON: each building of either colour on each unknown cell. It shares no code with
the one of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

import pytest

from rules.forms import plain
from rules.kernel import Ruling, hear
from rules.villefranche import GAME
from tests.rules.play import SEED, often, shared_game
from tests.rules.villefranche.positions import BORDER, COLUMNS, RULES, SETUP, ask, house, piece, read, tower
from tests.support.json_forms import read_position

KINDS = ("house", "roof", "noble_storey", "bell_tower")
QUESTIONS = often(24)


HOUSE, SHOP = ["cube"], ["cube", "pyramid"]
BUILDINGS = (HOUSE, SHOP, *(["cylinder"] * n for n in (1, 2, 3)))


# --- worked cases ------------------------------------------------------------------------------------------------


def test_a_majority_that_nothing_can_turn() -> None:
    """Black has six pieces around c5 and White at most three on the unknown cell."""
    said = ask({"b4": tower("black"), "b6": tower("black"), "d4": "?"}, "h c5")
    assert (said.verdict.ruling, said.needs) == (Ruling.LEGAL, ())


def test_the_cell_that_decides_a_majority() -> None:
    """One white house, one unknown cell beside the site, and one far away that has no part in it."""
    said = ask({"b4": house("white"), "b5": "?", "g7": "?"}, "h c5")
    assert (said.verdict.ruling, said.needs) == (Ruling.UNPROVEN, ("b5",))


def test_the_site_itself_may_be_unknown() -> None:
    """Nobody knows whether the cell is free: that is what to look at."""
    said = ask({"c5": "?"}, "h c5")
    assert (said.verdict.ruling, said.needs) == (Ruling.UNPROVEN, ("c5",))
    assert ask({"c5": "?", "g7": house("white")}, "s c5").verdict.ruling is Ruling.UNPROVEN


def test_a_taken_site_is_illegal_whatever_lies_around() -> None:
    """A house on a house: the unknown cells around it are not even looked at."""
    around = {f"{x}{y}": "?" for x in "bcd" for y in "456" if x + y != "c5"}
    said = ask({**around, "c5": house("white")}, "h c5")
    assert (said.verdict.ruling, said.verdict.broken_rules, said.checks) == (Ruling.ILLEGAL, ("VF-30",), 1)


def test_half_a_brick_tells_of_the_other_cell() -> None:
    """A nave that is known on one cell lies on the unknown one, too."""
    said = ask({"c4": [piece("brick", "black", "d4")], "d4": "?"}, "h d4")
    assert (said.verdict.ruling, said.verdict.broken_rules) == (Ruling.ILLEGAL, ("VF-30",))
    entered = read({"c4": [piece("brick", "black", "d4")] * 2, "d4": "?"})
    assert RULES.cells(SETUP, entered) == ("d4",), "its bell tower may stand there"


def test_shops_elsewhere_pay_for_a_church() -> None:
    """One shop is needed for a nave, and it may stand on any unknown cell."""
    said = ask({"g7": "?", "h3": house("white")}, "e c4c5")
    assert (said.verdict.ruling, said.needs) == (Ruling.UNPROVEN, ("g7",))


def test_the_supply_is_a_fact_where_the_rest_is_unknown() -> None:
    """Whether Black has a cube left cannot be seen on nine cells."""
    around: dict[str, list[Any]] = {f"{x}{y}": [] for x in "bcd" for y in "456"}
    assert ask(around, "h c5", rest="unknown").needs == ("in_hand black cube",)
    for some, ruling in ((True, Ruling.LEGAL), (False, Ruling.ILLEGAL)):
        said = ask(around, "h c5", rest="unknown", in_hand={"black": {"cube": some}})
        assert said.verdict.ruling is ruling


def test_whether_the_enclosure_is_whole_is_a_fact() -> None:
    """Without it nobody knows what may be placed."""
    around: dict[str, list[Any]] = {f"{x}{y}": [] for x in "bcd" for y in "456"}
    told = {"in_hand": {"black": {"cube": True}}, "rest": "unknown", "placement": 1}
    said = ask(around, "h c5", enclosed="?", **told)
    assert (said.verdict.ruling, said.needs) == (Ruling.UNPROVEN, ("enclosed",))
    assert ask(around, "h c5", enclosed=True, **told).verdict.ruling is Ruling.LEGAL


def test_in_front_of_a_known_rampart_is_no_gate() -> None:
    """Site 1 of figure 3, of which only the cells around are known: no gate can open there, so the bell tower decides.

    White has two cells of a rampart, a house and a shop, 5; Black one cell and two naves each on two, and the bell.
    """
    naves = {at: [piece("brick", "black", other)] * 2 for at, other in (("c8", "c7"), ("c7", "c8"))}
    walls = {"c9": [piece("brick", "black", "b9")]}
    walls |= {at: [piece("brick", "white", other)] for at, other in (("d9", "e9"), ("e9", "d9"))}
    built = {"e8": house("white"), "e7": [*house("white"), piece("pyramid", "white")], "d7": [], "d8": []}
    around = {**walls, **naves, **built}
    told = {"rest": "unknown", "due": "white", "in_hand": {"white": {"cube": True}}}
    said = ask({**around, "c7": "?"}, "h d8", **told)
    assert (said.verdict.ruling, said.needs, said.exact) == (Ruling.UNPROVEN, ("c7",), True)
    said = ask({**around, "c7": [*naves["c7"], piece("pyramid", "black")]}, "h d8", **told)
    assert (said.verdict.ruling, said.verdict.broken_rules) == (Ruling.ILLEGAL, ("VF-22",))
    assert ask(around, "h d8", **told).verdict.ruling is Ruling.LEGAL, "5 to 5 is enough"


def test_the_cells_beside_the_site_are_named_first() -> None:
    """Where nothing is known: the site, then from there on; facts of the whole table come last."""
    said = ask({}, "h c4", rest="unknown", enclosed=None)
    assert said.needs[:9] == ("c4", "b4", "c3", "c5", "d4", "b3", "b5", "d3", "d5")
    assert [" " in str(need) for need in said.needs[-1:]] == [True]


# --- small neighbourhoods, one by one ----------------------------------------------------------------------------


def contents(cell: str, unknown: tuple[str, ...]) -> Iterator[list[dict[str, str]]]:
    """What can be built on a cell of the town, as JSON; churches only with another unknown cell."""
    yield []
    x, y = COLUMNS.index(cell[0]), int(cell[1])
    beside = {f"{COLUMNS[a]}{b}" for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if 0 < a < 8}
    for colour in ("black", "white"):
        yield from ([piece(name, colour) for name in names] for names in BUILDINGS)
        for other in sorted(beside & set(unknown)):
            for naves in (1, 2):
                yield [piece("brick", colour, other)] * naves
            yield [*[piece("brick", colour, other)] * 2, piece("pyramid", colour)]


def is_church(cells: Mapping[str, Any], cell: str) -> bool:
    """Whether a church on a cell has its other half, of the same stage, and one bell tower at most."""
    here = cells[cell]
    if not here or here[0]["piece"] != "brick":
        return True
    there = cells.get(here[0]["second"], [])
    bricks = [[each for each in stack if each["piece"] == "brick"] for stack in (here, there)]
    bells = len(here) + len(there) - sum(map(len, bricks))
    return len(bricks[0]) == len(bricks[1]) and bells <= 1 and all(each["second"] == cell for each in bricks[1])


def enumerate_fillings(position: dict[str, Any], unknown: tuple[str, ...], move: Any) -> dict[tuple[int, ...], Ruling]:
    """Every filling that can stand, by its numbers -> the ruling on the move."""
    found = {}
    every = [list(contents(cell, unknown)) for cell in unknown]
    for numbers in product(*(range(len(each)) for each in every)):
        stacks = {cell: every[n][numbers[n]] for n, cell in enumerate(unknown)}
        cells = {**position["cells"], **stacks}
        if not all(is_church(cells, cell) for cell in unknown):
            continue
        entered = read_position(GAME, {**position, "cells": cells})
        state = GAME.enter(SETUP, entered)
        if GAME.problems(SETUP, entered) or GAME.phase(state) == "over":
            continue
        found[numbers] = hear(GAME.book[GAME.phase(state), type(move)], state, move).ruling
    return found


def decides(found: Mapping[tuple[int, ...], Ruling], chosen: list[int]) -> bool:
    """Whether the ruling is known once these cells are."""
    seen: dict[tuple[int, ...], Ruling] = {}
    return all(seen.setdefault(tuple(n[c] for c in chosen), ruling) is ruling for n, ruling in found.items())


def questions(chance: Random) -> Iterator[tuple[dict[str, Any], tuple[str, ...], Any]]:
    """Positions of random games in the town, with a move, and one or two unknown cells beside it or on it."""
    number = 0
    while number < QUESTIONS:
        played = shared_game(GAME.id, chance.randrange(3))
        state, _ = chance.choice(played.steps[len(played.steps) // 3 :])
        position = plain(GAME.position(state))
        if GAME.phase(state) != "town":
            continue
        legal = [move for move in GAME.moves(state) if not set("".join(map(str, GAME.cells_of(move)))) & set("28bh")]
        if not legal:
            continue
        move = chance.choice(legal)
        cell = str(GAME.cells_of(move)[-1])
        x, y = COLUMNS.index(cell[0]), int(cell[1])
        if chance.random() < 0.3:
            move = GAME.kinds[chance.choice(KINDS)](cell)
        near = [f"{COLUMNS[a]}{b}" for a in (x - 1, x, x + 1) for b in (y - 1, y, y + 1)]
        near = [each for each in near if each != "e5" and not set(each) & set(BORDER)]
        unknown = tuple(sorted(chance.sample(near, chance.choice((1, 2)))))
        told = {second["second"] for at in unknown for second in position["cells"].get(at, ()) if "second" in second}
        if told <= set(unknown):  # the other half would tell what lies there
            number += 1
            yield position, unknown, move


def test_small_neighbourhoods_are_decided_as_by_enumeration(capsys: pytest.CaptureFixture[str]) -> None:
    """Unproven just where two fillings differ; what is needed suffices, and none of it is idle."""
    unproven = fillings = 0
    for position, unknown, move in questions(Random(f"{SEED} neighbourhoods")):
        found = enumerate_fillings(position, unknown, move)
        said = ask({**position["cells"], **dict.fromkeys(unknown, "?")}, GAME.write(move), **_but_cells(position))
        rulings = set(found.values())
        expected = rulings.pop() if len(rulings) == 1 else Ruling.UNPROVEN
        where = (GAME.write(move), unknown, position)
        assert said.verdict.ruling is expected, where
        chosen = [unknown.index(str(need)) for need in said.needs]
        assert decides(found, chosen), where
        assert all(not decides(found, [each for each in chosen if each != idle]) for idle in chosen), where
        fillings += len(found)
        unproven += expected is Ruling.UNPROVEN
    with capsys.disabled():
        print(f"\n{QUESTIONS} neighbourhoods, {fillings} fillings, {unproven} unproven")  # noqa: T201  # the figures
    assert 0 < unproven < QUESTIONS


def _but_cells(position: dict[str, Any]) -> dict[str, Any]:
    return {"enclosed": None, **{name: value for name, value in position.items() if name != "cells"}}


def test_six_unknown_cells_never_contradict_what_lies_there() -> None:
    """Beside the piece, on it and at the corners, where combinations are too many for all of them to be heard."""
    chance, decided = Random(f"{SEED} six"), 0
    for number in range(often(20)):
        played = shared_game(GAME.id, number % 3)
        state, move = chance.choice(played.steps[len(played.steps) // 2 : -1])
        position = plain(GAME.position(state))
        names = sorted({*position["cells"], *GAME.cells_of(move)} - {"e5"}, key=lambda cell: far(cell, move))
        unknown = dict.fromkeys([*chance.sample(names[:10], 4), *chance.sample(["a1", "i1", "a9", "i9"], 2)], "?")
        said = ask({**position["cells"], **unknown}, GAME.write(move), **_but_cells(position))
        real = hear(GAME.book[GAME.phase(state), type(move)], state, move)
        assert said.verdict.ruling in (real.ruling, Ruling.UNPROVEN), (position, unknown, GAME.write(move))
        assert said.verdict.ruling is not Ruling.UNPROVEN or said.needs
        decided += said.exact
    assert decided > often(10)


def far(cell: Any, move: Any) -> int:
    """How far a cell lies from those of a move."""
    column, row = COLUMNS.index(cell[0]), int(cell[1])
    return min(
        abs(column - COLUMNS.index(str(other)[0])) + abs(row - int(str(other)[1])) for other in GAME.cells_of(move)
    )
