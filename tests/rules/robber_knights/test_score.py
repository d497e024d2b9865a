"""The knights left, which stand beside the points of every player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rules.robber_knights import GAME
from rules.robber_knights.state import Position, Setup, StandingTile, State
from tests.rules.play import every_nth_step
from tests.support.loops import over


def knights_left(state: State) -> Mapping[str, Any]:
    """What the sheet says of the knights left of each player; it gives no points."""
    lines = [line for line in GAME.score(state) if line.rule == "RK-32"]
    assert [line.seat for line in lines] == list(GAME.seats_of(state))
    assert not any(line.points for line in lines)
    return {line.seat: {name: n for name, n in line.evidence[0].counts.items() if name != "points"} for line in lines}


def test_the_knights_left_are_those_that_are_not_on_the_table() -> None:
    """`RK-32`: of thirty, all but those that lie in the stacks; at any time, tie or not."""
    for state, _ in over(every_nth_step(GAME, 4)):
        placed = Counter(colour for tile in GAME.position(state).tiles for colour in tile.knights)
        assert knights_left(state) == {colour: {"knights_left": 30 - placed[colour]} for colour in state.colours}


def test_knights_that_may_lie_hidden_leave_it_open() -> None:
    """`RK-32`: under the top one there may be three more of either colour, until a supply is entered."""
    top = StandingTile((1, 0), "plain village", ("yellow",), covered=True)
    full = StandingTile((1, 1), "plain village", ("blue",) * 4)
    state = GAME.enter(Setup(), Position(tiles=(top, full)))
    assert knights_left(state) == {
        "blue": {"fewest_left": 23, "most_left": 26},
        "yellow": {"fewest_left": 26, "most_left": 29},
    }
    known = GAME.enter(Setup(), Position(tiles=(top, full), supply={"blue": 25, "yellow": 27}))
    assert knights_left(known) == {"blue": {"knights_left": 25}, "yellow": {"knights_left": 27}}
