"""The knights left, which stand beside the points of every player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rules.robber_knights import GAME
from rules.robber_knights.effects import ties
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


def test_a_tie_that_hidden_knights_could_decide_is_open() -> None:
    """`RK-32`: two points each. Blue has 23 to 26 knights left, Yellow 26 to 29: if all three hidden ones are Yellow's,
    both have 26, else Yellow has more. So it is no draw yet; with every knight seen it is one, or Yellow is ahead.
    """
    full = StandingTile((1, 1), "plain village", ("blue",) * 4)
    for knights, covered, code, evidence in (
        (("yellow",), True, "open", []),
        (("yellow",) * 4, False, "draw", [{"blue": 26}, {"yellow": 26}]),
        (("yellow",), False, "decides", [{"blue": 26}, {"yellow": 29}]),
    ):
        top = StandingTile((1, 0), "plain village", knights, covered=covered)  # type: ignore[arg-type]  # colours
        state = GAME.enter(Setup(), Position(tiles=(top, full)))
        [tie] = ties(state)
        assert (tie.facts.code, [fact.counts for fact in tie.facts.evidence]) == (code, evidence)
        assert sum(len(place.seats) for place in GAME.ranking(state) if place.place == 1) == 1 + (code != "decides")


def test_a_tie_that_hidden_knights_cannot_decide_claims_no_number() -> None:
    """`RK-32`: Blue has 22 to 25 left and Yellow 26 to 29: Yellow is ahead, but nobody knows with how many."""
    top = StandingTile((1, 0), "plain village", ("yellow",), covered=True)
    full, more = StandingTile((1, 1), "plain village", ("blue",) * 4), StandingTile((0, 0), "plain", ("blue",))
    [tie] = ties(state := GAME.enter(Setup(), Position(tiles=(top, full, more))))
    assert (tie.facts.code, [*tie.facts.evidence]) == ("decides", [])
    assert [(place.seats, place.evidence) for place in GAME.ranking(state)] == [(("yellow",), ()), (("blue",), ())]
