"""Architekton: what is told ahead comes true when one plays on, and on tables made level by hand."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from rules.architekton import GAME
from rules.architekton.moves import Keep, Land, Take
from tests.rules.told import ahead, assert_tie, assert_told_before_the_end, end_of

TURNS = ("AR-30.turns", "AR-30.after_this", "AR-30.tiles", "AR-34.one")
TABLES = (
    (
        # AR-33: a chip each; Light has two houses apart, a point; Dark makes up for it with a single one.
        [
            "light (2,0) landscape W",
            "light (0,2) landscape E",
            "light (3,1) landscape F",
            "light (4,0) landscape E",
            "light (1,0) building F W M E",
            "light (3,0) building F E M W",
        ],
        ["dark (0,1) building E F E W"],
        "AR-33",
        "light",
    ),
)
"""Pieces that are put down, those that make points level, the rule that decides then, and for whom."""


@pytest.mark.parametrize(("put", "level", "rule", "winner"), TABLES)
def test_a_tie_told_comes_out_so(put: list[str], level: list[str], rule: str, winner: str) -> None:
    """Who would be first at equal points, told while somebody leads, is first once points are level."""
    assert_tie(GAME, put, level, rule, winner)


def test_what_may_end_a_game_is_told() -> None:
    """Before the move that ends a game, the rule that ends it has told that it may come soon."""
    assert_told_before_the_end(GAME, sudden={"AR-22"})


def test_it_ends_after_the_turns_told() -> None:
    """So many turns are left, unless somebody cannot pay or both lay nothing; tiles laid begin the last ones."""
    seen = set()
    for told, steps in ahead(GAME, *TURNS, cases=["AR-30", "AR-34"]):
        values: Any = told.facts.values
        code, rule = told.facts.code, end_of(GAME, steps).rule
        state = steps[0][0]
        seen.add(code)
        if code == "one":
            move = steps[0][1]
            assert move.kind != "pass" or rule in ("AR-34", "AR-30")
            continue
        turns = sum(one[0].player != other[0].player for one, other in pairwise(steps))
        last = next((after for after, _ in steps if after.left is not None), None)
        if code == "turns" and rule == "AR-30":
            assert turns == values["n"]
        elif code == "after_this" and last is not None:
            assert last.left == values["n"] and last.player != state.player
        elif code == "tiles" and last is not None:
            before = [after for after, _ in steps if after.left is None and after.laid == 0][-1:]
            for after, begun in (*((each, False) for each in before), (last, True)):
                laid = after.built - state.built, len(after.tiles) - after.built - (len(state.tiles) - state.built)
                reached = laid[0] >= values["buildings"] or laid[1] >= values["landscapes"]
                assert reached is begun, (values, laid)
    assert seen >= {"turns", "tiles", "after_this", "one"}, seen


def test_it_is_lost_with_the_landscape_told() -> None:
    """Whoever surrounds the building, with whatever may lie there, its owner has lost: whatever the answer."""
    seen = {"loses": 0, "must_match": 0}
    for told, steps in ahead(GAME, "AR-22.loses", "AR-22.must_match", cases=["AR-21", "AR-22", "AR-40"], nth=3):
        values: Any = told.facts.values
        state = steps[0][0]
        free = told.facts.evidence[1].cells[0]
        moves = GAME.moves(state, ("landscape",)) if GAME.phase(state) == "turn" else iter(())
        for move in moves:
            if not isinstance(move, Land) or move.cell != free:
                continue
            if told.facts.code == "must_match" and move.landscape == values["landscape"]:
                continue
            after = GAME.apply(state, move)
            cell = after.pending[0].cell
            asked = after.pending[0].answer is None
            for end in (GAME.apply(after, Keep(cell)), GAME.apply(after, Take(cell))) if asked else (after,):
                ended = GAME.due(end).ended
                assert ended is not None and (ended.rule, ended.values["colour"]) == ("AR-22", values["colour"])
            seen[told.facts.code] += 1
    assert all(seen.values()), seen
