"""Forecasts in every game: their order, who leads, and what would decide at equal points."""

from __future__ import annotations

import pytest

import rules
from rules.effects import TOTAL
from rules.forecasts import AT_EQUAL_POINTS, LEADS, LEVEL, TIE, by_points
from rules.kernel import Forecast, Line
from rules.ranking import ByPoints, Standing, Tiebreak, totals
from tests.rules.play import EVERY_GAME, AnyGame, every_nth_step
from tests.support.case_states import stage
from tests.support.loops import over

games = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)


def points_rank(game: AnyGame) -> bool:
    """Whether points decide places in the game."""
    return TOTAL in rules.load(game.id, "text/en")["ranking"]


@games
def test_ends_come_first_and_only_ends_come_soon(game: AnyGame) -> None:
    """Forecasts of the end come first, then who is ahead, then what is short; only an end can be `soon`."""
    order = ("end", "standing", "short")
    for state in over(state for state, move in every_nth_step(game, 7) if move is not None):
        places = [order.index(each.about) for each in game.forecasts(state)]
        assert places == sorted(places)
        assert not any(each.soon for each in game.forecasts(state) if each.about != "end")


@games
def test_who_leads_is_told_by_the_score_sheet(game: AnyGame) -> None:
    """Forecast leaders and leads match the totals; a game that does not rank by points has no such forecast."""
    seen = 0
    for state, move in every_nth_step(game, 7):
        told = [each for each in game.forecasts(state) if each.facts.code in (LEADS, LEVEL)] if move else []
        for each in told:
            sums = totals(game, state)
            best, *others = sorted(sums.values(), reverse=True)
            leaders = tuple(seat for seat, total in sums.items() if total == best)
            n = best - others[0] if len(leaders) == 1 else best
            assert each.facts.values == {"leaders": leaders, "n": n}
            assert each.facts.code == (LEADS if len(leaders) == 1 else LEVEL)
        seen += len(told)
    assert (seen > 0) == points_rank(game)


@games
def test_the_ties_of_the_worked_cases_are_told(game: AnyGame) -> None:
    """If points are level in a worked case and the game goes on, the forecast names the case's winner."""
    book, seen = rules.load(game.id, "cases"), 0
    for case in book["case"]:
        if len(set(case.get("score", {}).values())) != 1 or "winner" not in case:
            continue
        state = stage(game, case, book)
        told = [each for each in game.forecasts(state) if each.facts.code in AT_EQUAL_POINTS]
        for each in told if game.due(state).ended is None else ():
            named = each.facts.values["winners"] if each.facts.code == TIE else ()
            assert named == ((case["winner"],) if case["winner"] else ()), case["id"]
            seen += 1
    assert (seen > 0) == points_rank(game)


def forecasts_for(points: dict[str, int], keys: dict[str, int]) -> list[Forecast]:
    """The forecasts at these points, with a tie-break that compares `keys`."""
    lines = tuple(Line(seat, "P", n) for seat, n in points.items())
    tie: Tiebreak[None] = Tiebreak("T", lambda _, seat, __: Standing((keys[seat],)))
    return list(by_points(ByPoints(lambda _: tuple(points), lambda _: lines, (tie,), "S"), None))


def test_a_tie_is_between_the_first_and_the_next() -> None:
    """The tie-break compares the leaders and those with the next total, nobody behind; several may share the place."""
    assert [
        (each.rule, each.facts.code, each.facts.values)
        for each in forecasts_for({"a": 5, "b": 7, "c": 5, "d": 1}, {"a": 3, "b": 1, "c": 2, "d": 9})
    ] == [
        ("T", "leads", {"leaders": ("b",), "n": 2}),
        ("T", "tie", {"winners": ("a",), "seats": ("a", "b", "c"), "n": 1}),
    ]
    shared = forecasts_for({"a": 5, "b": 5, "c": 1}, {"a": 2, "b": 2, "c": 9})
    assert [(each.rule, each.facts.code) for each in shared] == [("T", "level"), ("S", "shared")]
    draw = forecasts_for({"a": 5, "b": 4}, {"a": 2, "b": 2})
    assert [(each.rule, each.facts.code) for each in draw] == [("T", "leads"), ("S", "draw")]
