"""Forecasts, each with the rest of its game: for the tests that play on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, TypeAlias

import rules
from rules.forecasts import AT_EQUAL_POINTS, TIE
from rules.kernel import Ended, Forecast
from rules.ranking import totals
from tests.rules.play import AnyGame, played_on, shared_games
from tests.support.case_states import stage

Steps: TypeAlias = "Sequence[tuple[Any, Any]]"
"""States, each with the move that was played there (None in the last)."""


def playthroughs(game: AnyGame, *about: str) -> Iterator[Steps]:
    """The shared games, and random games from the worked cases about some rules, where rare situations occur."""
    yield from (played.steps for played in shared_games(game))
    yield from _from_cases(game.id, *about)


@cache
def _from_cases(game_id: str, *about: str) -> Sequence[Steps]:
    game = rules.GAMES[game_id]
    return [tuple(played_on(game, state, Random(game_id))) for state in case_states(game, *about)]


def case_states(game: AnyGame, *about: str) -> Iterator[Any]:
    """The states of the worked cases about some rules."""
    book = rules.load(game.id, "cases")
    for case in book["case"]:
        if case["id"].split("/")[0] in about and "problems" not in case:
            yield stage(game, case, book)


def ahead(game: AnyGame, *names: str, cases: Sequence[str] = (), nth: int = 1) -> Iterator[tuple[Forecast, Steps]]:
    """The forecasts with one of these names (rule and code), each with all steps from its state on.

    `cases`: play on from the worked cases about these rules, too; `nth`: look only at every nth move.
    """
    for steps in playthroughs(game, *cases):
        for number, (state, move) in enumerate(steps):
            if move is not None and number % nth == 0:
                for told in game.forecasts(state):
                    if f"{told.rule}.{told.facts.code}" in names:
                        yield told, steps[number:]


def end_of(game: AnyGame, steps: Steps) -> Ended:
    """How a game ended."""
    ended = game.due(steps[-1][0]).ended
    assert ended is not None
    return ended


def assert_told_before_the_end(game: AnyGame, sudden: Collection[str], cases: Sequence[str] = ()) -> None:
    """Before the last move of each game, a forecast of the rule that ends it says that the end may come soon.

    `sudden`: rules by which one move, or a hand, ends a game without a sign; `cases`: as in `ahead`.
    """
    for steps in playthroughs(game, *cases):
        rule = end_of(game, steps).rule
        if rule not in sudden and len(steps) > 1:
            told = game.forecasts(steps[-2][0])
            assert any(each.rule == rule and each.about == "end" and each.soon for each in told), rule


def assert_tie(game: AnyGame, put: Sequence[str], level: Sequence[str], rule: str, winner: str) -> None:
    """The forecast at equal points names the rule and the winner that decide once `level` makes points equal.

    `put` may name one of the positions of the worked cases instead; `winner` is empty at a draw.
    """
    book = rules.load(game.id, "cases")
    start = {"from": put[0].removeprefix("from ")} if put[0].startswith("from ") else {"put": list(put)}
    uneven = stage(game, start, book)
    [told] = [each for each in game.forecasts(uneven) if each.facts.code in AT_EQUAL_POINTS]
    assert not level or len(set(totals(game, uneven).values())) > 1
    even = stage(game, {**start, "put": [*start.get("put", ()), *level]}, book)
    assert len(set(totals(game, even).values())) == 1
    first, won = game.ranking(even)[0], (winner,) if winner else ()
    assert (first.decided_by, () if first.level else first.seats) == (rule, won)
    assert (told.rule, told.facts.values["winners"] if told.facts.code == TIE else ()) == (rule, won)
