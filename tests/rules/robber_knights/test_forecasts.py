"""Robber Knights: what is told ahead comes true when one plays on, and on tables made level by hand."""

from __future__ import annotations

from typing import Any

import pytest

from rules.robber_knights import GAME
from rules.robber_knights.moves import Knights, Tile, route
from rules.robber_knights.state import Position, Setup, StandingTile
from rules.robber_knights.tiles import Face
from tests.rules.forecasts_in_play import ahead, assert_tie, assert_told_before_the_end

TABLES = (
    (
        # RK-32: Red leads 2 to 1 and has used two knights, Yellow four, and one more for the second point.
        ["red (2,0) plain castle >. 1", "red (2,1) plain castle >. 1", "yellow (2,2) plain castle >. 4"],
        ["yellow (2,3) plain castle >. 1"],
        "RK-32",
        "red",
    ),
)
"""Pieces that are put down, those that make points level, the rule that decides then, and for whom."""


@pytest.mark.parametrize(("put", "level", "rule", "winner"), TABLES)
def test_a_tie_told_comes_out_so(put: list[str], level: list[str], rule: str, winner: str) -> None:
    """Who would be first at equal points, told while somebody leads, is first once points are level."""
    assert_tie(GAME, put, level, rule, winner)


def test_what_may_end_a_game_is_told() -> None:
    """Before the move that ends a game, the rule that ends it has told that it may come soon."""
    assert_told_before_the_end(GAME, sudden=set())


def test_it_ends_with_the_last_tile() -> None:
    """So many tiles end the game, no fewer and no more; those without tiles or knights lay and leave none."""
    seen = set()
    names = ("RK-30.next", "RK-30.left", "RK-4.out", "RK-26.none", "RK-22.few")
    for told, steps in ahead(GAME, *names, cases=["RK-26"], nth=3):
        values: Any = told.facts.values
        code = told.facts.code
        seen.add(f"{told.rule}.{code}")
        later = [(state.colours[state.player], state, move) for state, move in steps if isinstance(move, Tile)]
        if told.rule == "RK-30":
            assert len(later) == values.get("n", 1)
            assert code != "next" or later[0][0] == values["colour"]
        elif code == "out":
            assert not {colour for colour, _, _ in later} & set(values["colours"])
        else:
            own = [(state, move) for colour, state, move in later if colour == values["colour"] and move.knights]
            closed = ("plain", "forest", "mountain")[max(values.get("n", 0) - 1, 0) :]
            assert values.get("faces", closed) == closed
            reached = [state.tiles[cell].split()[0] for state, move in own for cell in route(move)[1:]]
            assert not set(reached) & set(closed)
            assert code != "none" or not own
    assert seen == set(names)


@pytest.mark.parametrize(
    ("left", "closed"),
    [(4, ()), (3, ("mountain",)), (2, ("forest", "mountain")), (1, ("plain", "forest", "mountain"))],
)
def test_a_march_needs_the_knights_of_its_castle_too(left: int, closed: tuple[str, ...]) -> None:
    """`RK-22`: one knight stays on the castle and 1, 2 or 3 on the plain, the forest or the mountain beyond."""
    beside: tuple[Face, ...] = ("plain", "forest village", "mountain")
    tiles = [StandingTile((x, 0), face) for x, face in enumerate(beside)]
    state = GAME.enter(Setup(), Position(tiles=tuple(tiles), supply={"blue": left}))
    told: list[Any] = [each.facts.values for each in GAME.forecasts(state) if each.rule == "RK-22"]
    assert [(each["n"], each["faces"]) for each in told] == ([(left, closed)] if closed else [])
    for x, face in enumerate(beside):
        marches = [Tile((x, 1), "plain castle", None, Knights((1, n), "s")) for n in range(1, left + 1)]
        assert any(GAME.check(state, march).legal for march in marches) == (face.split()[0] not in closed)
