"""Towns of Architekton of which not every cell is known: cases by hand, and every filling tried one by one."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from rules.architekton import GAME
from rules.architekton.moves import Building, Land, Move
from rules.effects import ENDED, effects_of
from rules.forms import Malformed
from rules.kernel import Bounds, Cell, Effect, Ruling
from rules.unknowns import NoFilling, PartialRuling, judge
from tests.rules.architekton.positions import LANDS, Json, Place, read, rule_on, some_position, town
from tests.rules.partial import figures, held_to_needs
from tests.support.json_forms import read_position

# --- by hand -----------------------------------------------------------------------------------------------------

AROUND_HOUSE = {(0, 1): "earth", (1, 0): "meadow", (0, -1): "water"}
"""Landscapes north, east and south of a building on (0,0)."""

OPEN_HOUSE = {**AROUND_HOUSE, (0, -1): "?"}
PENDING = town({**AROUND_HOUSE, (-1, 0): "earth", (5, 5): "?"}, {(0, 0): "EEWEd"}, pending=[{"cell": [0, 0]}], laid=1)
AROUND = "(-1,0) landscape E"
SPARSE = {(0, 0): "earth", (2, 2): "earth"}
SOME_LEFT: Json = {"supply": {"light": 3}}
WEST, NORTH, EARTH = "(-1,0) building F E F F", "(0,1) building F F E F", "(0,0) landscape E"
AROUND_NINE = (
    *[(9, 9), (9, 10), (8, 9), (10, 9), (9, 8), (8, 10), (10, 10), (8, 8), (10, 8)],
    *[(9, 11), (7, 9), (11, 9), (9, 7)],
)
"""A cell, the four beside it, and those beside these."""
FREE_AROUND = dict.fromkeys([(-1, 0), (1, 0), (0, -1)], "free")
NOTHING_BETWEEN = dict.fromkeys([(0, 1), (0, 2), (1, 1)], "free")


@pytest.mark.parametrize("cell", [(9, 9), (1, 1)])
@pytest.mark.parametrize(("answer", "price"), [("keep (0,0)", 3), ("take (0,0)", 2)])
def test_who_cannot_pay_has_lost_whatever_lies_elsewhere(cell: Place, answer: str, price: int) -> None:
    """`AR-22`: three sides of the building differ, and Dark has no chip. With three chips nothing ends."""
    around = {(0, 1): "earth", (1, 0): "earth", (0, -1): "earth", (-1, 0): "forest", cell: "?"}
    on: Json = {"pending": [{"cell": [0, 0]}], "laid": 1}
    for chips, ends in ((0, True), (3, False)):
        said = rule_on(town(around, {(0, 0): "FFFFd"}, chips={"dark": chips, "light": 3}, **on), answer)
        ended = [effect for effect in said.effects if effect.facts.code == ENDED]
        assert [effect.rule for effect in ended] == ["AR-22"] * ends
        assert [effect.facts.values["winner"] for effect in ended] == ["light"] * ends
        assert [effect.facts.values["n"] for effect in ended] == [price] * ends


@pytest.mark.parametrize(
    ("position", "move", "ruling", "needs"),
    [
        # A building matches the earth south of it; to its north there may be a building.
        (town({(0, 0): "earth", (0, 2): "?"}), "(0,1) building F F E F", "unproven", ((0, 2),)),
        (town({(0, 0): "earth", (1, 2): "?"}), "(0,1) building F F E F", "legal", ()),
        (town({(0, 0): "earth", (0, 1): "?"}), "(0,1) building F F E F", "unproven", ((0, 1),)),
        # What does not match on the known side may match on another.
        (town({(0, 0): "water", (0, 2): "?"}), "(0,1) building F F E F", "unproven", ((0, 2),)),
        (town({(0, 0): "water", (1, 1): "forest"}), "(0,1) building F F E F", "legal", ()),
        # A building beside a building, whatever else is there.
        (town({(0, 2): "?"}, {(0, 0): "EFMWl"}), "(0,1) building F F E F", "illegal", ()),
        # The landscape surrounds the own building, unless nothing lies south of it; its sides do not all match.
        (town(OPEN_HOUSE, {(0, 0): "EEWEl"}), "(-1,0) landscape E", "unproven", ((0, -1),)),
        # Where two cells are open, both have to be looked at.
        (town({(0, 1): "earth", (1, 0): "?", (0, -1): "?"}, {(0, 0): "EEWEl"}), AROUND, "unproven", ((0, -1), (1, 0))),
        # They do if it is water that lies there.
        (town(OPEN_HOUSE, {(0, 0): "EMWEl"}), "(-1,0) landscape E", "unproven", ((0, -1),)),
        # Of the other player's building nothing has to be said.
        (town(OPEN_HOUSE, {(0, 0): "EEWEd"}), "(-1,0) landscape E", "legal", ()),
        # The answer is needed only if it is surrounded.
        (town(OPEN_HOUSE, {(0, 0): "EEWEl"}), "(-1,0) landscape E keep (0,0)", "unproven", ((0, -1),)),
        # What is not entered is not known, between the tiles and beyond them: the cell itself, and those beside it.
        (town(SPARSE, rest="unknown", **SOME_LEFT), WEST, "unproven", ((-1, 0), (-1, 1), (-2, 0), (-1, -1))),
        (town(SPARSE, rest="unknown", **SOME_LEFT), NORTH, "unproven", ((0, 1), (0, 2), (-1, 1), (1, 1))),
        (town({**SPARSE, **NOTHING_BETWEEN}, rest="unknown", **SOME_LEFT), NORTH, "unproven", ((-1, 1),)),
        (town({**SPARSE, **NOTHING_BETWEEN, (-1, 1): "free"}, rest="unknown", **SOME_LEFT), NORTH, "legal", ()),
        # All houses may stand there.
        (town({**SPARSE, **NOTHING_BETWEEN, (-1, 1): "free"}, rest="unknown"), NORTH, "unproven", ("houses light",)),
        # However far away, a tile may lie beside the cell; on one that is known none goes.
        (town({(0, 0): "earth"}, rest="unknown"), "(9,9) landscape E", "unproven", AROUND_NINE),
        (town({(0, 0): "earth"}, rest="unknown"), "(0,0) landscape E", "illegal", ()),
        # A landscape surrounds an own building beyond, if one lies there: then the move has to answer for it.
        (town({**FREE_AROUND, (0, 0): "?"}, {(0, 1): "EEEE"}, rest="unknown"), EARTH, "unproven", ((0, 0),)),
        (town(FREE_AROUND, {(0, 1): "EEEEl"}, rest="unknown"), EARTH, "unproven", ((0, 0), (-1, 1), (1, 1), (0, 2))),
        # An answer is for the building that is asked about, whatever lies elsewhere.
        (PENDING, "keep (0,0)", "legal", ()),
    ],
)  # fmt: skip
def test_what_is_not_known_decides_or_does_not(position: Json, move: str, ruling: str, needs: tuple[Cell, ...]) -> None:
    """The ruling, and what to look at."""
    said = rule_on(position, move)
    assert (said.verdict.ruling.value, said.needs, said.exact) == (ruling, needs, True)


def test_who_pays_is_told_whatever_lies_elsewhere() -> None:
    """Dark's meadow surrounds Light's building, of which one side differs; what lies beside others does not matter."""
    lands = {(0, 0): "earth", (1, 1): "forest", (2, 0): "water"}
    lands |= dict.fromkeys([(1, -1), (0, -1), (2, -1), (1, -2)], "free")
    position = town(lands, {(1, 0): "FWMMl"}, turn="dark", rest="unknown")
    said = rule_on(position, "(1,-1) landscape M")
    [asked] = [effect for effect in said.effects if effect.rule == "AR-21"]
    assert (asked.facts.code, asked.facts.values["n"], asked.facts.values["less"]) == ("asked", 1, 0)
    assert asked.facts.values["chips"] == 1


@pytest.mark.parametrize("turn", ["light", "dark"])
def test_houses_may_have_run_out(turn: str) -> None:
    """Eleven of a player's houses are seen; the twelfth may stand on a cell that nobody has looked at (`AR-13`).

    The control: ten are seen.
    """
    row = {(2 * x, 0): f"EEEE{turn[0]}" for x in range(11)}
    said = rule_on(town({(1, 0): "earth", (41, 0): "?"}, row, turn=turn), "(1,1) building F F E F")
    assert (said.verdict.ruling, said.needs) == (Ruling.UNPROVEN, ((41, 0),))
    assert [finding.rule for finding in said.verdict.findings] == ["AR-13"]
    row.pop((20, 0))
    said = rule_on(town({(1, 0): "earth", (41, 0): "?"}, row, turn=turn), "(1,1) building F F E F")
    assert (said.verdict.ruling, said.needs) == (Ruling.LEGAL, ())


@pytest.mark.parametrize(
    ("unknown", "more", "problems"),
    [(10, {}, ["AR-13"]), (11, {}, []), (0, {"rest": "unknown"}, []), (0, {"supply": {}}, [])],
)
def test_houses_that_are_nowhere_may_stand_on_unknown_cells_only(unknown: int, more: Json, problems: list[str]) -> None:
    """One house is seen, and none is said to be left: the other eleven have to stand somewhere (`AR-13`)."""
    lands = {(1, 0): "earth", **{(2 * x, 9): "?" for x in range(unknown)}}
    form, entered = read(town(lands, {(0, 0): "EEEEl"}, **{"supply": {"light": 0}, **more}))
    assert [finding.rule for finding in GAME.problems(form, entered)] == problems


def test_points_are_told_where_every_cell_is_known() -> None:
    """Light's building is surrounded and all sides match: a chip. With a cell unknown nobody knows the groups."""
    house = {(0, 0): "EMWEl"}
    for lands, told in ((AROUND_HOUSE, True), ({**AROUND_HOUSE, (9, 9): "?"}, False)):
        said = rule_on(town(lands, house, supply={"light": "?"}), AROUND)
        seats = [each.facts.values["seats"] for each in said.effects if each.facts.code == "points"]
        assert seats == [("light",)] * told


def test_beside_a_landscape_nobody_asks_what_is_kept() -> None:
    """Light keeps a house that is not surrounded with nothing south (`AR-25`); beside a landscape that is no matter."""
    lands = {(-1, -1): "meadow", (1, -1): "meadow", (1, 0): "?", (0, -2): "?"}
    said = rule_on(town(lands, {(0, -1): "EMMEl"}), "(0,0) landscape E keep (0,-1)")
    needs = {finding.rule: {*finding.facts.needs} for finding in said.verdict.findings}
    assert needs["AR-11"] == {(1, 0)}
    assert needs["AR-25"] == {(1, 0), (0, -2)}


SHORT = town(
    {(-2, 0): "earth", (0, -2): "earth", (0, 2): "meadow", (9, 9): "earth", (9, 8): "earth"}
    | dict.fromkeys([(-1, 1), (1, 1), (0, -1), (-1, -1), (1, -1)], "?"),
    {(0, 1): "EEEEl", (1, 0): "EEEEl", (-1, 0): "EEEEl"},
)
"""Two landscapes of earth are left, and one of them is laid."""


def test_landscapes_that_run_out_are_made_up_for_by_others() -> None:
    """With one more landscape of earth a building south would be surrounded by it and another one."""
    said = rule_on(SHORT, "(0,0) landscape E")
    assert (said.verdict.ruling, said.exact) == (Ruling.UNPROVEN, True)
    assert said.needs == ((0, -1), (-1, 1), (1, 1), (-1, -1), (1, -1))


def test_a_turn_ends_only_where_nothing_fits() -> None:
    """A landscape of the display fits beside the building, unless something lies there already (`AR-34`)."""
    display = {"buildings": ["FFFF"] * 3, "landscapes": ["E"] * 3}
    sure = town({(5, 5): "?"}, {(0, 0): "EFFF"}, display=display)
    assert rule_on(sure, "pass").verdict.broken_rules == ("AR-34",)
    open_ = town({(0, 1): "?"}, {(0, 0): "EFFF"}, display=display)
    assert (rule_on(open_, "pass").verdict.ruling, rule_on(open_, "pass").needs) == (Ruling.UNPROVEN, ((0, 1),))


def test_what_lies_around_a_pending_payment_is_known() -> None:
    """Else it would not be known that it is due."""
    form, entered = read(town({(0, 1): "?"}, {(0, 0): "EEWEd"}, pending=[{"cell": [0, 0]}], laid=1))
    assert GAME.unknowns
    with pytest.raises(Malformed, match="near_unknown"):
        GAME.unknowns.cells(form, entered)


# --- every filling, one by one -----------------------------------------------------------------------------------


def what_can_lie(chance: Random, *, all_of_it: bool) -> list[Json | None]:
    """What can lie on a cell: no tile, each landscape, buildings with each house; not every one unless `all_of_it`."""
    sides = ["".join(each) for each in product("EFMW", repeat=4)]
    houses: tuple[Json, ...] = ({}, {"house": "light"}, {"house": "dark"})
    some = chance.sample(sides, 120) if all_of_it else ["EEEE", "MMMM", "FFFF", "WWWW", *chance.sample(sides, 4)]
    built = [{"sides": each, **house} for each in some for house in houses]
    return [None, *({"landscape": name} for name in LANDS), *built]


def lying(cell: Place, contents: Iterable[Json | None]) -> list[Any]:
    """What can lie on a cell, read of its JSON."""
    found: list[Any] = []
    for each in contents:
        kind = "landscapes" if each and "landscape" in each else "buildings"
        tiles: Json = {} if each is None else {kind: [{"cell": list(cell), **each}]}
        read_ = read_position(GAME, tiles)
        found.append((read_.landscapes, read_.buildings))
    return found


def in_hand(entered: Any, move: Move) -> bool:
    """Whether the tile that is laid can be one that does not lie there."""
    if isinstance(move, Land):
        return [tile.landscape for tile in entered.landscapes].count(move.landscape) < 6
    return not isinstance(move, Building) or len(entered.buildings) < 22


def holds(effect: Effect, told: tuple[Effect, ...]) -> bool:
    """Whether an effect is among those of a filling; a number within its bounds."""
    return any(
        (each.rule, each.facts.code) == (effect.rule, effect.facts.code)
        and all(
            value.least <= each.facts.values[name] <= value.most  # type: ignore[operator]  # bounds are of numbers
            if isinstance(value, Bounds)
            else each.facts.values[name] == value
            for name, value in effect.facts.values.items()
        )
        for each in told
    )


def held_to_fillings(position: Json, unknown: list[Place], move: Move, chance: Random) -> PartialRuling | None:
    """Hold a ruling against every filling: none contradicts it, and what it needs decides, all of it.

    None where nothing can lie there.
    """
    assert GAME.unknowns
    form, entered = read(position)
    state = GAME.enter(form, GAME.unknowns.known_part(form, entered))
    try:
        said = judge(GAME, state, GAME.unknowns.cells(form, entered), move)
    except NoFilling:
        said = None
    can = [lying(cell, what_can_lie(chance, all_of_it=len(unknown) < 2)) for cell in unknown]
    landscapes = tuple(tile for tile in entered.landscapes if tile.cell not in unknown)
    seen: dict[tuple[Any, ...], Ruling] = {}
    for at in product(*can):
        lands, built = ([tile for each in at for tile in each[kind]] for kind in (0, 1))
        whole = replace(entered, landscapes=(*landscapes, *lands), buildings=(*entered.buildings, *built))
        if GAME.problems(form, whole) or not in_hand(whole, move):
            continue
        told_by_all = (position, GAME.write(move), at)
        assert said, told_by_all
        full = GAME.enter(form, whole)
        verdict = GAME.check(full, move)
        if said.verdict.ruling is not Ruling.UNPROVEN:
            assert verdict.ruling is said.verdict.ruling, told_by_all
            assert {f.rule for f in said.verdict.findings if f.ruling is Ruling.ILLEGAL} <= {*verdict.broken_rules}
        if verdict.legal:
            told = effects_of(GAME, full, move, GAME.apply(full, move))
            for effect in said.effects:
                assert holds(effect, told), (*told_by_all, effect, told)
        looked: dict[Cell, Any] = dict(zip(unknown, map(repr, at), strict=True))
        seen[tuple(looked[cell] for cell in said.needs), tuple(looked.items())] = verdict.ruling
    if said is None:
        return None
    assert (said.verdict.ruling is Ruling.UNPROVEN) == (len(set(seen.values())) > 1), (position, GAME.write(move))
    held_to_needs(seen, len(said.needs), (position, GAME.write(move), said.needs))
    return said


SETTLED_TOWN = town(
    {(-1, -1): "earth", (-1, 1): "meadow", (0, 2): "earth", (1, -1): "earth", (-2, 0): "?", (0, -2): "?"},
    {(0, 1): "EEEEd", (1, 0): "EMEEd", (0, -1): "EEEEl", (-1, 0): "MMMEl"},
)
CLOSED_TOWN = town(
    {(-2, 0): "earth", (0, -2): "earth", (0, 2): "meadow"}
    | {(1, -1): "meadow", (1, 1): "meadow", (-1, 1): "?", (1, 0): "?"},
    {(0, 1): "MEEEl", (-1, 0): "EMEEl"},
)


@pytest.mark.parametrize(
    ("position", "move"),
    [
        # West one landscape is missing, unless a building lies there: that is no effect of every filling.
        (SETTLED_TOWN, "(0,0) landscape E keep (0,-1)"),
        (SETTLED_TOWN, "(0,0) landscape E"),
        (CLOSED_TOWN, "(0,0) landscape E keep (1,0)"),
        (CLOSED_TOWN, "(0,0) landscape E order (1,0)"),
        (CLOSED_TOWN, "(0,0) landscape E keep (1,0) keep (0,1)"),
    ],
)
def test_what_the_move_says_is_settled_is_held_to_every_filling(position: Json, move: str) -> None:
    """As below, with answers and an order."""
    unknown = [(x, y) for tile in position["landscapes"] if tile["landscape"] == "?" for x, y in [tile["cell"]]]
    said = held_to_fillings(position, unknown, GAME.read(move), Random(move))
    assert said and said.exact


@pytest.mark.parametrize(("number", "times"), [(1, 24), (2, 14)])
def test_no_filling_contradicts_and_what_is_needed_decides(
    number: int, times: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Soundness, completeness, and needs that suffice without an idle one; the figures are printed."""
    chance = Random(23 * number)
    rulings = dict.fromkeys(Ruling, 0)
    for _ in range(times):
        position, unknown, move = some_position(chance, number)
        said = held_to_fillings(position, unknown, move, chance)
        if said is not None:
            assert said.exact
            rulings[said.verdict.ruling] += 1
    with capsys.disabled():
        sys.stdout.write(figures("architekton", number, rulings))
    assert all(rulings.values())
