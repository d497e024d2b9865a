"""Villa Paletti: what the score sheet says of winners, and of other readings."""

from __future__ import annotations

import pytest

import rules
from rules.villa_paletti import GAME
from rules.villa_paletti.state import Setup
from service.rulings.judge import sheet
from tests.rules.villa_paletti.tables import CONTESTED_SEAL, FOUR, THREE, TWO, play


def test_a_collapse_at_an_objection_is_sensitive_to_its_reading() -> None:
    """The score under the other reading is another winner's; of a collapse that names its causer alone it is not."""
    turn = (*CONTESTED_SEAL, "floor -", "floor -", "floor -")  # it is Yellow's, who holds the seal
    fell = play(FOUR, *turn, "floor ! green yellow small 1 crash")
    [change] = sheet(rules.GAMES[GAME.id], fell).sensitivity
    assert (change.value, change.winner_changes) == ("asker", True)
    assert [place.seats for place in GAME.ranking(fell)] == [("yellow",), ("red", "blue"), ("green",)]
    other = GAME.with_readings(fell, {"collapse_by_objector": "asker"})
    assert [place.seats for place in GAME.ranking(other)] == [("blue",), ("red", "green"), ("yellow",)]
    [change] = sheet(rules.GAMES[GAME.id], play(FOUR, *turn, "crash green")).sensitivity
    assert not change.changes


@pytest.mark.parametrize(
    ("form", "last", "places"),
    [
        (FOUR, "crash", [("red", "blue", "yellow", "green")]),
        (FOUR, "crash blue", [("red", "yellow", "green"), ("blue",)]),
        (THREE, "crash red", [("blue", "yellow"), ("red",)]),
        (TWO, "crash red", [("blue",), ("red",)]),
        (TWO, "end", [("red", "blue")]),
    ],
)
def test_where_nobody_wins_nobody_has_a_place(form: Setup, last: str, places: list[tuple[str, ...]]) -> None:
    """`VP-40`, `VP-41`: before anybody had the seal; the points, and who brought the villa down, are told."""
    state = play(form, "red small 0", last)
    assert [(place.place, place.seats) for place in GAME.ranking(state)] == [(None, seats) for seats in places]
    told = sheet(rules.GAMES[GAME.id], state)
    assert told.winners == () and told.totals["red"] == 1


def test_the_sheet_names_the_winner_once_there_is_one() -> None:
    """While the villa stands the holder only leads; with its fall the winner is named."""
    for moves, winners in ((CONTESTED_SEAL, ()), ((*CONTESTED_SEAL, "crash red"), ("yellow",))):
        state = play(FOUR, *moves)
        assert GAME.ranking(state)[0].seats == ("yellow",)
        assert sheet(rules.GAMES[GAME.id], state).winners == winners
