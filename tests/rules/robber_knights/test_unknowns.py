"""Tables of Robber Knights of which not everything is known: cases by hand, and every filling tried one by one."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from rules.effects import OF_EVERY_GAME, effects_of
from rules.forms import Malformed
from rules.kernel import Bounds, Cell, Effect, Ruling
from rules.robber_knights import GAME
from rules.robber_knights.moves import Move, Tile
from rules.robber_knights.state import Player, Setup, StandingTile
from rules.robber_knights.tiles import FACES
from rules.unknowns import NoFilling, PartialRuling, judge
from tests.rules.partial import figures, held_to_needs
from tests.rules.play import random_game
from tests.rules.robber_knights.positions import (
    SETUP,
    Json,
    Place,
    below,
    fill,
    read,
    rule_on,
    some_move,
    some_position,
    tile,
    what_can_lie,
)
from tests.support.json_forms import read_position

# --- by hand -----------------------------------------------------------------------------------------------------

FAR = 5
"""Cells from the tile: no rule looks so far but that of the rectangle (`RK-11`)."""


ROW = [tile(0, 0, "plain"), tile(1, 0, "plain village", "blue")]
COVERED_TILE = tile(1, 0, "plain", "blue", covered=True)
TWO_COVERED = [tile(0, 0, "plain", "blue", covered=True), COVERED_TILE]
SPARSE = [tile(1, 2, "plain"), tile(0, 3, "plain")]
CORNERS = [tile(0, 0, "plain"), tile(4, 4, "plain")]
BESIDE = ((2, 2), (1, 1), (3, 1), (2, 0))
WALL = [tile(x, 1, "plain", *["red"] * 4) for x in range(7)]
LAKE = "(-1,0) plain castle >e 1 1"
MARCH = "(-1,0) plain castle >e 1 1 1 1"


@pytest.mark.parametrize(
    ("position", "move", "ruling", "needs"),
    [
        # A cell that nobody looks at decides nothing.
        ({"tiles": [*ROW, tile(1, 1, "?")]}, "(-1,0) plain castle >e 1 1 1", "legal", ()),
        # The march ends on a cell that nobody has looked at; it may be a lake, or no tile.
        ({"tiles": [*ROW, tile(2, 0, "?")]}, MARCH, "unproven", ((2, 0),)),
        # Whatever lies there, two knights would have to stay in the forest.
        ({"tiles": [ROW[0], tile(1, 0, "forest castle"), tile(2, 0, "?")]}, MARCH, "illegal", ()),
        # Three are seen on the village, so that one more has room; but nobody knows what lies below one.
        ({"tiles": [ROW[0], tile(1, 0, "plain", *["blue"] * 3)], "placed": "?"}, MARCH[:-2], "legal", ()),
        ({"tiles": [ROW[0], COVERED_TILE, tile(5, 5, "?")]}, MARCH[:-2], "unproven", ((1, 0),)),
        ({"tiles": [ROW[0], tile(1, 0, "plain", covered=True)]}, MARCH[:-2], "unproven", ((1, 0),)),
        # The supplies tell how many are hidden below one: any number, none, one, or three, for which there is no room.
        ({"tiles": [ROW[0], COVERED_TILE]}, MARCH[:-2], "unproven", ("stack",)),
        ({"tiles": [ROW[0], COVERED_TILE], "supply": {"red": 30}}, MARCH[:-2], "unproven", ("stack",)),
        ({"tiles": [ROW[0], COVERED_TILE], "supply": {"red": 30, "blue": 29}}, MARCH[:-2], "legal", ()),
        ({"tiles": [ROW[0], COVERED_TILE], "supply": {"red": 29, "blue": 29}}, MARCH[:-2], "legal", ()),
        ({"tiles": [ROW[0], COVERED_TILE], "supply": {"red": 27, "blue": 29}}, MARCH[:-2], "illegal", ()),
        # Below two there are four, perhaps two each, so that both have room; of five, one has three.
        ({"tiles": TWO_COVERED, "supply": {"red": 26, "blue": 28}}, MARCH[:-2], "unproven", ("stack",)),
        ({"tiles": TWO_COVERED, "supply": {"red": 25, "blue": 28}}, MARCH[:-2], "illegal", ()),
        # Knights stand on a tile, be it a lake.
        ({"tiles": [tile(0, 0, "?", "blue")]}, "(0,1) lake", "legal", ()),
        ({"tiles": [*ROW, tile(2, 0, "?", *["blue"] * 4)]}, MARCH, "illegal", ()),
        # A tile needs another one beside it, and its cell free.
        ({"tiles": [tile(0, 0, "?")]}, "(0,1) lake", "unproven", ((0, 0),)),
        ({"tiles": [tile(0, 0, "?"), tile(1, 1, "plain")]}, "(0,1) lake", "legal", ()),
        ({"tiles": [tile(0, 1, "?"), tile(1, 1, "plain")]}, "(0,1) lake", "unproven", ((0, 1),)),
        ({"tiles": [tile(0, 1, "free"), *CORNERS], "rest": "unknown"}, "(0,1) lake", "legal", ()),
        ({"tiles": [tile(2, 1, "free"), *CORNERS], "rest": "unknown"}, "(2,1) lake", "unproven", BESIDE),
        # Seven columns are allowed: with a tile far to the right there is no room to the left.
        ({"tiles": [tile(0, 0, "plain"), tile(6, 0, "?")]}, "(-1,0) lake", "unproven", ((6, 0),)),
        ({"tiles": [tile(0, 0, "plain"), tile(5, 0, "?")]}, "(-1,0) lake", "legal", ()),
        # Of thirty knights two may be left, or none: they may stand where nobody looked.
        ({"tiles": [*ROW, tile(4, 4, "?")], "supply": {"red": "?"}}, MARCH[:-2], "legal", ()),
        ({"tiles": [ROW[0], tile(4, 4, "?")], "supply": {"red": 26}}, "(-1,0) plain castle >e 1 1", "legal", ()),
        ({"tiles": [*WALL, tile(4, 4, "?")]}, "(0,0) plain castle >. 2", "unproven", ("knights red",)),
        # How many tiles were laid in the turn is asked for by its end only.
        ({"tiles": [tile(x, 0, "plain") for x in range(5)], "placed": "?"}, "stop", "unproven", ("placed",)),
        ({"tiles": [tile(x, 0, "plain") for x in range(5)], "placed": "?"}, "(5,0) lake", "legal", ()),
    ],
)  # fmt: skip
def test_what_is_not_known_decides_or_does_not(position: Json, move: str, ruling: str, needs: tuple[Cell, ...]) -> None:
    """The ruling, and what to look at."""
    ruled_on = rule_on(position, move)
    assert (ruled_on.verdict.ruling.value, ruled_on.needs, ruled_on.exact) == (ruling, needs, True)


THREE = [tile(x, 0, "plain") for x in range(3)]
SEVEN = [tile(x, 0, "plain") for x in range(7)]
PAST_WEST = [(-4, y) for y in range(-6, 7)]
"""With a tile on one of these, and one on (3,0), the rectangle would have eight columns."""


@pytest.mark.parametrize(
    ("tiles", "move", "needs"),
    [
        # The cell of the tile itself, and that of the march; a tile there leaves no room for one too far to the west.
        (THREE, "(3,0) plain castle >e 1 1", {(3, 0), (4, 0)}),
        ([*THREE, tile(3, 0, "free")], "(3,0) plain castle >e 1 1", {(4, 0)}),
        ([*THREE, tile(4, 0, "plain"), tile(3, 0, "free")], "(3,0) plain castle >e 1 1", set()),
        # The march goes back, and only a tile too far away could forbid it.
        (THREE, "(3,0) plain castle >w 1 1", {(3, 0), *PAST_WEST}),
        ([*THREE, *(tile(*cell, "free") for cell in [(3, 0), *PAST_WEST])], "(3,0) plain castle >w 1 1", set()),
        # Nobody has entered where the table is.
        ([], "(3,0) lake", {(3, 0), (2, 0), (4, 0), (3, 1), (3, -1)}),
    ],
)  # fmt: skip
def test_beyond_what_is_entered_nobody_knows_either(tiles: list[Json], move: str, needs: set[Cell]) -> None:
    """As far as the rules look: the cell, its sides, the line of the march, and how large the rectangle may be."""
    said = rule_on({"tiles": tiles, "rest": "unknown", "supply": {"red": 28}}, move)
    assert said.verdict.ruling is (Ruling.UNPROVEN if needs else Ruling.LEGAL)
    assert {*said.needs} == needs if tiles else {*said.needs} >= needs
    assert all(effect.rule != "RK-11" for effect in said.effects)


def test_how_large_the_rectangle_is_has_bounds() -> None:
    """Seven columns are full: an eighth is refused, however many rows there are; to the north there is room."""
    [finding] = rule_on({"tiles": SEVEN, "rest": "unknown"}, "(7,0) lake").verdict.findings
    assert (finding.rule, finding.facts.values) == ("RK-11", {"width": 8, "height": Bounds(1, 7), "most": 7})
    assert rule_on({"tiles": SEVEN, "rest": "unknown"}, "(3,0) lake").verdict.broken_rules == ("RK-10",)


def test_points_are_told_where_every_cell_is_known() -> None:
    """Nobody knows how many tiles Red has laid in this turn: the castle and the village are one and two points all the
    same; of a table with a cell unknown nobody knows the points.
    """
    tiles = [*ROW, *(tile(x, 0, "plain") for x in range(2, 5))]
    [points] = [
        each for each in rule_on({"tiles": tiles, "placed": "?"}, LAKE + " 1").effects if each.facts.code == "points"
    ]
    assert points.facts.values == {"seats": ("red", "blue"), "was": (0, 2), "now": (3, 0)}
    told = rule_on({"tiles": [*tiles, tile(3, 3, "?")], "placed": "?"}, LAKE + " 1").effects
    assert all(each.facts.code != "points" for each in told)


def test_knights_that_are_missing_may_have_stood_on_a_lake() -> None:
    """One of Blue's is not seen: it stands on the one cell that nobody has looked at, be that a lake (`RK-24`)."""
    said = rule_on({"tiles": [tile(0, 0, "?"), ROW[0] | {"cell": [0, 1]}], "supply": {"red": 30, "blue": 29}}, LAKE)
    assert {finding.rule for finding in said.verdict.findings} >= {"RK-22", "RK-24", "RK-25"}
    assert (said.verdict.ruling, said.needs) == (Ruling.UNPROVEN, ((0, 0),))


def test_knights_may_stand_beyond() -> None:
    """All that are not seen; and how many tiles were laid in this turn nobody knows."""
    position: Json = {"tiles": SEVEN, "rest": "unknown"}
    assert "knights red" in rule_on(position, "(3,1) plain castle >s 1 1").needs
    assert rule_on(position, "stop").needs == ("placed",)


def test_a_tile_of_the_layout_keeps_its_face() -> None:
    """The plain castle is all that was laid, and lies on one of two cells that nobody looked at; the other one is the
    layout's mountain, on which at least three knights have to stay.
    """
    layout = [((0, 0), "mountain"), ((1, 0), "plain"), ((0, 1), "plain"), ((1, 1), "mountain")]
    setup = {**SETUP, "layout": [{"cell": list(cell), "tile": face} for cell, face in layout]}
    tiles = [tile(*cell, face) for cell, face in layout[:3]] + [tile(0, -1, "?"), tile(1, 1, "?")]
    told = {"laid": {"red": [{"face": "plain castle"}], "blue": []}, "due": "red", "placed": 1}
    said = rule_on({"tiles": tiles, **told}, "(2,1) plain castle >w 1 1", setup)
    assert (said.verdict.ruling, said.verdict.broken_rules, said.needs) == (Ruling.ILLEGAL, ("RK-22",), ())


def test_what_is_nearest_to_the_march_is_looked_at_first() -> None:
    """The cells of the march, then from there on; supplies come last."""
    form, entered = read({"tiles": ROW})
    rules, state, move = GAME.unknowns, GAME.enter(form, entered), GAME.read(MARCH)
    assert rules
    unknown: list[Cell] = ["knights red", (5, 5), (3, 1), (3, 0), (2, 0)]
    assert [rules.distance(state, move, cell) for cell in unknown[1:]] == [34, 2, 1, 0]
    assert rules.distance(state, move, unknown[0]) > 34


def test_what_is_certain_is_told() -> None:
    """The village is taken whatever lies beyond; how many are left is known, for the supply was entered."""
    position = {"tiles": [*ROW, tile(2, 0, "?")], "supply": {"red": 28, "blue": 29}}
    told = {(each.rule, each.facts.code) for each in rule_on(position, MARCH).effects}
    assert {("RK-31", "taken"), ("RK-26", "left")} <= told


def test_tiles_laid_in_order_tell_what_can_lie_there() -> None:
    """Blue laid a castle: it is the one tile that is missing on the table; how many knights it has, nobody knows."""
    layout = [
        {"cell": [x, y], "tile": face}
        for (x, y), face in zip(product((0, 1), (0, 1)), ("plain", "mountain", "plain", "mountain"), strict=True)
    ]
    position = {"tiles": [tile(2, 0, "?")], "laid": {"red": [], "blue": [{"face": "plain castle"}]}, "due": "red"}
    setup = SETUP | {"layout": layout}
    march = rule_on(position, "(2,1) plain castle >s 1 1", setup)
    assert (march.needs, {f.rule for f in march.verdict.findings}) == (((2, 0),), {"RK-23", "RK-25"})
    form, entered = read(position, setup)
    assert GAME.unknowns
    assert not GAME.problems(form, GAME.unknowns.known_part(form, entered))
    assert rule_on(position, "(2,0) plain village", setup).verdict.broken_rules == ("RK-10",)


def test_no_knights_where_no_tile_is_told() -> None:
    """Knights where no tile lies are refused; so is a back where nobody knows what it is the back of."""
    with pytest.raises(Malformed, match="no_tile"):
        read({"tiles": [tile(0, 0, "free", "red")]})
    form, entered = read({"tiles": [tile(0, 0, "?", colour="red")]})
    assert GAME.unknowns
    with pytest.raises(Malformed, match="back_of_unknown"):
        GAME.unknowns.cells(form, entered)


# --- every filling, one by one -----------------------------------------------------------------------------------


def lying(cell: Place, contents: Iterable[Json | None]) -> list[Any]:
    """What can lie on a cell, read of its JSON."""
    found = [None if each is None else {"tiles": [{"cell": list(cell), **each}]} for each in contents]
    return [None if each is None else read_position(GAME, each).tiles[0] for each in found]


def stands(form: Any, entered: Any, move: Move) -> bool:
    """Whether a position can be, with the tile that is laid still in the player's hand."""
    shown = [each.face for each in entered.tiles]
    in_hand = not isinstance(move, Tile) or shown.count(move.face) < 2 * FACES[move.face]
    return in_hand and not GAME.problems(form, entered)


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


def held_to_fillings(position: Json, unknown: dict[Place, Json], move: Move, chance: Random) -> PartialRuling | None:
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
    can = [
        lying(cell, below(known) if known.get("covered") else what_can_lie(chance, all_of_it=len(unknown) < 2))
        for cell, known in unknown.items()
    ]
    form, rest = read(fill(position, dict.fromkeys(unknown)))
    seen: dict[tuple[Any, ...], Ruling] = {}
    for at in product(*can):
        whole = replace(rest, tiles=(*rest.tiles, *(there for there in at if there)))
        if not stands(form, whole, move):
            continue
        assert said, (position, GAME.write(move), at)
        full = GAME.enter(form, whole)
        verdict = GAME.check(full, move)
        if said.verdict.ruling is not Ruling.UNPROVEN:
            assert verdict.ruling is said.verdict.ruling, (position, GAME.write(move), at)
            assert {f.rule for f in said.verdict.findings if f.ruling is Ruling.ILLEGAL} <= {*verdict.broken_rules}
        if verdict.legal:
            told = effects_of(GAME, full, move, GAME.apply(full, move))
            for effect in said.effects:
                assert holds(effect, told), (position, GAME.write(move), at, effect, told)
        stacks = tuple(sorted(full.stacks.items()))
        looked: dict[Cell, Any] = dict(zip(unknown, map(repr, at), strict=True))
        looked |= {"knights red": full.supply[0], "supply": full.supply[0], "placed": full.placed, "stack": stacks}
        seen[tuple(looked[cell] for cell in said.needs), tuple(looked.items())] = verdict.ruling
    if said is None:
        return None
    assert seen, (position, GAME.write(move))
    assert (said.verdict.ruling is Ruling.UNPROVEN) == (len(set(seen.values())) > 1), (position, GAME.write(move))
    held_to_needs(seen, len(said.needs), (position, GAME.write(move), said.needs))
    return said


@pytest.mark.parametrize(("number", "times"), [(1, 25), (2, 14)])
def test_no_filling_contradicts_and_what_is_needed_decides(
    number: int, times: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Soundness, completeness, and needs that suffice without an idle one; the figures are printed."""
    chance = Random(19 * number)
    rulings = dict.fromkeys(Ruling, 0)
    for _ in range(times):
        position, unknown = some_position(chance, number)
        said = held_to_fillings(position, unknown, some_move(chance), chance)
        if said is not None:
            assert said.exact
            rulings[said.verdict.ruling] += 1
    with capsys.disabled():
        sys.stdout.write(figures("robber_knights", number, rulings))
    assert all(rulings.values())


def some_covered_row(chance: Random) -> tuple[Json, dict[Place, Json], Move]:
    """Three tiles with knights, under two or one of which others may be hidden; the supplies of a table that can be,
    or one of them; and a march over the row.
    """
    row = [tile(x, 0, chance.choice(("plain", "plain town", "forest village")), "blue") for x in range(3)]
    row[2]["knights"] += chance.choices(("red", "blue"), k=chance.randrange(3))
    covered: dict[Place, Json] = {}
    for x in chance.sample(range(3), chance.choice((1, 2, 2))):
        covered[x, 0] = row[x] = row[x] | {"covered": True}
    whole = fill({"tiles": row}, {cell: chance.choice([*below(known)]) for cell, known in covered.items()})
    knights = [colour for each in whole["tiles"] for colour in each.get("knights", ())]
    supply = {colour: 30 - knights.count(colour) for colour in ("red", "blue")[: chance.choice((1, 2, 2))]}
    left = " ".join(str(chance.choice((1, 1, 2))) for _ in range(3))
    return {"tiles": row, "supply": supply}, covered, GAME.read(f"(-1,0) plain castle >e 1 {left}")


def rooms(effects: tuple[Effect, ...]) -> set[tuple[Any, ...]]:
    """The tiles told closed, and those told open with their room, one by one."""
    told = [each for each in effects if each.rule in ("RK-23", "RK-25")]
    said = [(each.rule, each.facts.code, each.facts.values["n"], each.facts.evidence) for each in told]
    return {(rule, code, n, *fact.cells) for rule, code, n, evidence in said for fact in evidence}


def test_supplies_tell_how_many_knights_are_hidden() -> None:
    """`RK-23`, `RK-25`: broken where every table that has these supplies breaks them, and open where only some do. No
    effect is told that such a table lacks.
    """
    chance, seen = Random(1), set()
    for _ in range(60):
        position, covered, move = some_covered_row(chance)
        form, entered = read(position)
        state = GAME.enter(form, entered)
        verdict, told = GAME.check(state, move), effects_of(GAME, state, move, GAME.apply(state, move))
        assert (move in {*GAME.moves(state)}) == (verdict.ruling is Ruling.LEGAL)
        broken: list[set[str]] = []
        for stacks in product(*[[*below(known)] for known in covered.values()]):
            form, whole = read(fill(position, dict(zip(covered, stacks, strict=True))))
            if GAME.problems(form, whole):
                continue
            full = GAME.enter(form, whole)
            broken.append({*GAME.check(full, move).broken_rules})
            if not broken[-1]:
                effects = effects_of(GAME, full, move, GAME.apply(full, move))
                assert all(holds(each, effects) for each in told if each.rule not in ("RK-23", "RK-25"))
                assert rooms(told) <= rooms(effects), (position, GAME.write(move), stacks)
        assert broken
        for rule in ("RK-23", "RK-25"):
            said = {finding.ruling for finding in verdict.findings if finding.rule == rule} - {Ruling.LEGAL}
            breaks = {rule in each for each in broken}
            right = {Ruling.UNPROVEN} if len(breaks) > 1 else {Ruling.ILLEGAL} if True in breaks else set()
            assert said == right, (position, GAME.write(move))
            seen.add((rule, tuple(breaks), len(state.supply) - state.supply.count(None)))
    assert len(seen) == 10


@pytest.mark.parametrize("seed", range(4))
def test_the_end_is_told_beside_an_unknown_cell(seed: int) -> None:
    """`RK-30`: with the last of all tiles no tile is left for a cell that nobody looked at. A tile before, one is."""
    steps = [step for step in random_game(GAME, Random(seed)) if isinstance(step[1], Tile)]
    for (state, move), ends in ((steps[-1], True), (steps[-2], False)):
        free = next(
            cell
            for cell in product(range(-8, 9), repeat=2)
            if cell not in state.tiles and abs(cell[0] - move.cell[0]) + abs(cell[1] - move.cell[1]) > FAR
        )
        position = GAME.position(state)
        unseen: Any = {"cell": free, "face": "?"}
        partial = replace(position, tiles=(*position.tiles, StandingTile(**unseen)))
        form = Setup(players=tuple(Player(colour) for colour in state.colours))
        assert GAME.unknowns
        known = GAME.enter(form, GAME.unknowns.known_part(form, partial))
        said = judge(GAME, known, tuple(GAME.unknowns.cells(form, partial)), move)
        of_end = [each for each in said.effects if each.facts.code in OF_EVERY_GAME]
        whole = effects_of(GAME, state, move, GAME.apply(state, move))
        assert of_end == ([each for each in whole if each.facts.code in OF_EVERY_GAME] if ends else [])
