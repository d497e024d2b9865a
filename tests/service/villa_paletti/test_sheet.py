"""Villa Paletti: winners and other readings on the score sheet."""

from __future__ import annotations

import pytest

import rules
from rules.villa_paletti import GAME
from rules.villa_paletti.state import Setup
from service.rulings.judge import sheet
from tests.rules.villa_paletti.tables import CONTESTED_SEAL, FOUR, THREE, TWO, play


def test_a_collapse_at_an_objection_is_sensitive_to_its_reading() -> None:
    """After a collapse at an objection, the other reading has another winner. If the causer is named, it changes
    nothing.
    """
    turn = (*CONTESTED_SEAL, "floor -", "floor -", "floor -")  # it is the turn of Yellow, who holds the seal
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
    """`VP-40`, `VP-41`: if nobody had the seal, there is no winner and no place, but points, and the causer apart."""
    state = play(form, "red small 0", last)
    assert [(place.place, place.seats) for place in GAME.ranking(state)] == [(None, seats) for seats in places]
    told = sheet(rules.GAMES[GAME.id], state)
    assert told.winners == () and told.totals["red"] == 1


def test_the_sheet_names_the_winner_once_there_is_one() -> None:
    """While the villa stands, the seal's holder only leads; after its fall, they are the winner."""
    for moves, winners in ((CONTESTED_SEAL, ()), ((*CONTESTED_SEAL, "crash red"), ("yellow",))):
        state = play(FOUR, *moves)
        assert GAME.ranking(state)[0].seats == ("yellow",)
        assert sheet(rules.GAMES[GAME.id], state).winners == winners
