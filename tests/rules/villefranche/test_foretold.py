"""Villefranche: what is told ahead comes true when one plays on, and on tables made level by hand."""

from __future__ import annotations

from typing import Any

import pytest

from rules import load
from rules.villefranche import GAME
from rules.villefranche.board import INDEX
from rules.villefranche.legality import PIECES
from rules.villefranche.play import finished
from rules.villefranche.state import COLOURS
from service.cases import stage
from service.texts import LANGUAGES, words
from tests.rules.play import AnyGame
from tests.rules.told import ahead, assert_tie, assert_told_before_the_end, end_of

FINISHED = 3
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


@pytest.mark.parametrize(("put", "level", "rule", "winner"), TABLES)
def test_a_tie_told_comes_out_so(put: list[str], level: list[str], rule: str, winner: str) -> None:
    """Who would be first at equal points, told while somebody leads, is first once points are level."""
    assert_tie(GAME, put, level, rule, winner)


def test_what_may_end_a_game_is_told() -> None:
    """Before the move that ends a game, the rule that ends it has told that it may come soon."""
    assert_told_before_the_end(GAME, sudden={"VF-52"}, cases=["VF-51"])


def test_it_ends_with_the_fifth_building() -> None:
    """*Ends with the next*: every legal placement that finishes a building ends the game, and no other does so."""
    seen = 0
    for told, steps in ahead(GAME, "VF-50.next", "VF-50.left", cases=["VF-50"]):
        state, n = steps[0][0], told.facts.values["n"]
        assert finished(state) == n
        if told.facts.code == "left":
            assert end_of(GAME, steps).rule != "VF-50" or finished(steps[-1][0]) - n == told.facts.values["left"]
            continue
        for move in GAME.moves(state):
            after = GAME.apply(state, move)
            ended = GAME.due(after).ended
            assert (finished(after) > n) == (ended is not None and ended.rule == "VF-50")
            seen += finished(after) > n
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
            assert max(len(steps[-1][0].stacks[INDEX[cell]]) for cell in cells) < FINISHED
    assert seen["used_up"] and seen["tower"] and seen["church"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_are_called_by_name(language: str) -> None:
    """Who leads is said by the name that the player gave."""
    game: AnyGame = GAME
    state = stage(game, {"put": ["white t a1", "white t a1"]}, load(game.id, "cases"))
    said = [words(language, game.id).among({"white": "Zoé"}).foretold(each) for each in game.foretold(state)]
    assert said[0].startswith("Zoé ")
