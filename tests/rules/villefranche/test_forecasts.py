"""Villefranche: what is told ahead comes true when one plays on, and on tables made level by hand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rules import load
from rules.forms import plain
from rules.villefranche import GAME
from rules.villefranche.board import INDEX
from rules.villefranche.legality import PIECES
from rules.villefranche.play import finished_count
from rules.villefranche.state import COLOURS, SUPPLY, State
from tests.rules.forecasts_in_play import ahead, assert_tie, assert_told_before_the_end, end_of, playthroughs
from tests.rules.play import SEED, AnyGame, often, shared_game
from tests.support.case_states import stage
from tests.support.json_forms import read_position, read_setup
from tests.support.loops import over

FULL_HEIGHT = 3
"""The storeys of a noble tower, and the pieces on the choir of a church."""
LAST_PIECES = ("VF-51.pieces", "VF-51.none", "VF-51.pieces_cut", "VF-51.none_cut")
TABLES = (
    (
        # VF-70: the distances of the printed answer: Black's tower at 3 cells, White's at 4.
        [
            "black n c3",
            "black n c3",
            "black n c3",
            "white n h7",
            "white n h7",
            "white n h7",
            "white t a1",
            "white t a1",
        ],
        ["black t i9", "black t i9"],
        "VF-70",
        "black",
    ),
    (
        # VF-71: no towers; Black's gate d1 at 4 cells, White's a2 and i8 at 6, and two shops to make up for one gate.
        ["from walls"],
        ["black h c4", "black s c4", "black h d4", "black s d4"],
        "VF-71",
        "black",
    ),
    (
        # VF-72: a tower at 3 cells each, no gates: a draw.
        [
            "black n c3",
            "black n c3",
            "black n c3",
            "white n g7",
            "white n g7",
            "white n g7",
            "white t a1",
            "white t a1",
        ],
        ["black t i9", "black t i9"],
        "VF-72",
        "",
    ),
)
"""Pieces that are put down, those that make points level, the rule that decides then, and for whom."""


TWO_CHURCHES = "b cp h3, b cp h4, b cp h5, b b c3d3, b b c6d6"
TWO_WAYS = (
    "w yyy c3, b yyy c5, w cp d5, b c b5, w cp e3, w cp c7, w cp e7, w cp g7, w cp g5, w cp g3, w y d8, w y b6, "
    "w c e2, w c h7"
)
NONE_LEFT = (
    # A nave between two houses touches both: White has three there then, and Black two.
    ("w cp d3, w cp e3, b cp b4, b cp g4, b c c4, b c f4", "white", 2, "black pyramid", "per_church", "e d4e4"),
    # Black's own next nave, of either church, needs the shop of the other one: where shops are not shared, the last.
    (TWO_CHURCHES, "black", 1, "black brick", "cumulative", "e c3d3, e c6d6"),
    (TWO_CHURCHES, "black", 1, "black brick", "per_church", ""),
    # From the gate a2 two ways lead to d4, by b4 and by c2. Black can build on b4 only: not once the other is closed.
    (TWO_WAYS, "white", 2, "black cube", "per_church", "h c2, h b3, h d3, h b4, h c4"),
)
"""Pieces inside the walls, whose placement is due, the next player with the pieces left, the reading of `VF-42`, and
the placements that leave that player none."""


@pytest.mark.parametrize(("put", "level", "rule", "winner"), TABLES)
def test_a_tie_told_comes_out_so(put: list[str], level: list[str], rule: str, winner: str) -> None:
    """Who would be first at equal points, told while somebody leads, is first once points are level."""
    assert_tie(GAME, put, level, rule, winner)


def test_what_may_end_a_game_is_told() -> None:
    """Before the move that ends a game, the rule that ends it has told that it may come soon."""
    assert_told_before_the_end(GAME, sudden=(), cases=["VF-51", "VF-52"])


def assert_none_left_is_told(state: State) -> str:
    """`VF-52` is told just where some legal placement ends the game so: of how many, of whom, and on which cells."""
    legal = list(GAME.moves(state))
    ends = {move: GAME.due(GAME.apply(state, move)).ended for move in legal}
    last = {move: end.values for move, end in ends.items() if end and end.rule == "VF-52"}
    told = [each for each in GAME.forecasts(state) if each.rule == "VF-52"]
    code = "" if not last else "every" if len(last) == len(legal) else "some"
    assert [each.facts.code for each in told] == [code] * bool(last)
    for each in told:
        [colour] = {values["colour"] for values in last.values()}
        assert each.facts.values == {"colour": colour, "n": len(last), "all": len(legal)}
        assert {fact.cells for fact in each.facts.evidence} == set(map(GAME.cells_of, last))
    return code


def test_no_placement_left_is_told_of_the_last_ones() -> None:
    """Towards the end of random games: of every placement that ends the game, and of no other."""
    seen = dict.fromkeys(("some", "every", ""), 0)
    for steps in over(playthroughs(GAME, "VF-51", "VF-52", "VF-42", "VF-33")):
        for state, _ in steps[-12:-1]:
            seen[assert_none_left_is_told(state)] += 1
    assert all(seen.values()), seen


def test_no_placement_left_is_told_where_few_are() -> None:
    """The same of towns in which whoever is next has pieces of one or two kinds only, and few houses to roof."""
    seen, chance = dict.fromkeys(("some", "every", ""), 0), Random(f"{SEED} few")
    for _ in range(often(900)):
        state = few_left(chance)
        if GAME.phase(state) == "town" and GAME.due(state).ended is None:
            seen[assert_none_left_is_told(state)] += 1
    assert all(seen.values()), seen


@pytest.mark.parametrize(("put", "due", "placement", "only", "funding", "last"), NONE_LEFT)
def test_what_is_put_elsewhere_may_take_the_last_placement(
    put: str, due: str, placement: int, only: str, funding: str, last: str
) -> None:
    """What is told of a placement that is no longer possible is so, also where it is not right beside."""
    [colour, piece] = only.split()
    case = {"from": "walls", "put": shorthand(put), "due": due, "readings": {"church_funding": funding}}
    game: AnyGame = GAME
    staged = stage(game, case, load(game.id, "cases"))
    gone = {colour: {name: False for name in SUPPLY if name != piece}}
    entered = {**plain(game.position(staged)), "placement": placement, "in_hand": gone}
    setup = read_setup(GAME, {"readings": case["readings"]})
    state = GAME.enter(setup, read_position(GAME, entered))
    assert_none_left_is_told(state)
    told = {GAME.cells_of(GAME.read(move)) for move in last.split(", ") if move}
    assert told == {
        fact.cells for each in GAME.forecasts(state) if each.rule == "VF-52" for fact in each.facts.evidence
    }


def shorthand(put: str) -> list[str]:
    """Pieces as worked cases have them: ``w cp e3`` is a white house on e3 with its roof, and so on."""
    kinds = {"c": "h", "p": "s", "y": "n", "b": "e"}
    named = {"b": "black", "w": "white"}
    found = []
    for each in put.split(", "):
        colour, letters, cell = each.split(" ")
        found += [f"{named[colour]} {kinds[letter]} {cell}" for letter in letters]
    return found


def few_left(chance: Random) -> State:
    """A town of a random game with fewer buildings and kinds of pieces."""
    played = shared_game(GAME.id, chance.randrange(3))
    state, _ = chance.choice(played.steps[len(played.steps) // 2 :])
    position = plain(GAME.position(state))
    cells = {
        cell: there
        for cell, there in position["cells"].items()
        if there[0]["piece"] != "cube" or len(there) > 1 or chance.random() < 0.7
    }
    gone = {colour: dict.fromkeys(chance.sample(tuple(SUPPLY), chance.choice((2, 3))), False) for colour in COLOURS}
    given = {**position, "cells": cells, "in_hand": gone, "enclosed": True, "first_turn": False}
    readings = {reading.key: chance.choice(reading.values) for reading in GAME.readings}
    form = read_setup(GAME, {"readings": readings})
    return GAME.enter(form, read_position(GAME, given | {"placement": chance.choice((1, 2))}))


def test_it_ends_with_the_fifth_building() -> None:
    """*Ends with the next*: every legal placement that finishes a building ends the game, and no other does so."""
    seen = 0
    for told, steps in ahead(GAME, "VF-50.next", "VF-50.left", cases=["VF-50"]):
        state, n = steps[0][0], told.facts.values["n"]
        assert finished_count(state) == n
        if told.facts.code == "left":
            assert end_of(GAME, steps).rule != "VF-50" or finished_count(steps[-1][0]) - n == told.facts.values["left"]
            continue
        for move in GAME.moves(state):
            after = GAME.apply(state, move)
            ended = GAME.due(after).ended
            assert (finished_count(after) > n) == (ended is not None and ended.rule == "VF-50")
            seen += finished_count(after) > n
    assert seen


def test_it_ends_at_the_latest_without_pieces() -> None:
    """A player whose pieces are counted places no more than these, and is never to place, or to begin, without one."""
    seen = 0
    for told, steps in ahead(GAME, *LAST_PIECES, cases=["VF-51"]):
        values: Any = told.facts.values
        player, cut = COLOURS.index(values["colour"]), told.facts.code.endswith("_cut")
        assert cut == (steps[0][0].readings["stuck"] == "turn_is_cut")
        placed = sum(state.player == player for state, move in steps if move is not None)
        assert placed <= values["n"]
        for state, move in steps:
            if state.player == player and not state.towns[player].supply and (state.placement == 1 or not cut):
                assert move is None
                seen += 1
    assert seen


def test_it_never_finishes_what_lacks_pieces() -> None:
    """A building that can no longer be finished is not; a kind that is used up is not placed any more."""
    seen = {"tower": 0, "church": 0, "used_up": 0}
    for told, steps in ahead(GAME, "VF-6.tower", "VF-6.church", "VF-6.used_up", cases=["VF-6", "VF-43"], nth=3):
        values: Any = told.facts.values
        code = told.facts.code
        player = COLOURS.index(values["colour"])
        seen[code] += 1
        if code == "used_up":
            pieces = values["pieces"]
            later = {PIECES[type(move)] for state, move in steps if move is not None and state.player == player}
            assert not later & set(pieces)
        else:
            cells = values["cells"]
            assert max(len(steps[-1][0].stacks[INDEX[cell]]) for cell in cells) < FULL_HEIGHT
    assert seen["used_up"] and seen["tower"] and seen["church"]
