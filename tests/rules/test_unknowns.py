"""Rulings on partial positions, in every game that has them: no filling ever contradicts what is certain.

Each ruling is compared with fillings (`tests.rules.trials`) that do not use the engine's own list of contents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from rules.agreement import DIFFERS, facts_in_both
from rules.fillings import Extremes
from rules.kernel import Bounds, Effect, Facts, Finding, Rule, Ruling, Verdict
from rules.sums import Sums
from rules.unknowns import NoFilling, UnknownRules, judge
from tests.rules.play import SEED, AnyGame, often
from tests.rules.trials import (
    Trials,
    enter,
    trials_of,
    violations,
    with_one_taken_out,
)
from tests.support.loops import over
from tests.support.partial_games import OPEN_GAMES, out_of_games

every_open_game = pytest.mark.parametrize("game", OPEN_GAMES, ids=lambda game: game.id)
EXAMPLES = often(24)
TRIALS = often(60)
CONTROLS = 10 * TRIALS
"""Trials of which at least one must fail in the control; it stops at the first."""
OWN = [pytest.param(game, own, id=game.id) for game in OPEN_GAMES if (own := trials_of(game)) is not None]
"""The games with trials of their own, and these trials."""


# --- rulings compared with fillings ---------------------------------------------------------------------------------


@every_open_game
def test_no_filling_contradicts_what_is_said(game: AnyGame, capsys: pytest.CaptureFixture[str]) -> None:
    """For positions out of random games, every filling agrees with the ruling, its findings, effects and needs."""
    tally: Counter[str] = Counter()
    for trial in over(out_of_games(game, Random(f"{SEED} unknown {game.id}"), EXAMPLES)):
        assert violations(game, trial, tally) == []
    show(capsys, game, tally)
    assert tally["fillings"] > EXAMPLES // 2


@pytest.mark.parametrize(("game", "trials"), OWN)
def test_what_is_said_is_what_all_fillings_say(
    game: AnyGame, trials: Trials, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same for the game's own positions; and an exact answer is no more cautious than the fillings."""
    tally: Counter[str] = Counter()
    for trial in over(trials(Random(f"{SEED} trials {game.id}"), TRIALS)):
        assert violations(game, trial, tally) == []
    show(capsys, game, tally)
    assert tally["fillings"] > tally["trials"]
    assert all(tally[ruling.value] for ruling in Ruling), tally


@pytest.mark.parametrize(("game", "trials"), OWN)
def test_a_content_that_is_taken_out_is_found(game: AnyGame, trials: Trials) -> None:
    """The control: an engine that misses a content of a cell contradicts some filling."""
    fewer = with_one_taken_out(game)
    found = (violations(fewer, trial) for trial in trials(Random(f"{SEED} trials {game.id}"), CONTROLS))
    assert any(found)


def show(capsys: pytest.CaptureFixture[str], game: AnyGame, tally: Mapping[str, int]) -> None:
    """Print the figures, which are part of the result."""
    with capsys.disabled():
        print(f"\n{game.id}: {dict(tally)}, violations 0", end=" ")  # noqa: T201  # as above


@every_open_game
def test_what_is_needed_is_unknown(game: AnyGame) -> None:
    """A ruling has needs exactly if it is unproven."""
    for trial in over(out_of_games(game, Random(f"{SEED} needs {game.id}"), EXAMPLES)):
        said = judge(game, *enter(game, trial.form, trial.partial), trial.move)
        assert bool(said.needs) == (said.verdict.ruling is Ruling.UNPROVEN), (game.id, game.write(trial.move), said)
        for finding in said.verdict.findings:
            assert finding.facts.code != DIFFERS or finding.facts.needs or finding.ruling is Ruling.ILLEGAL


# --- the engine, on a game of heaps ----------------------------------------------------------------------------------


def heaps(**more: Any) -> Any:
    """Nobody may take more than all heaps hold; each unknown heap holds 0 to 2 stones."""
    few: Rule[Any, int] = Rule(
        "N-1",
        lambda heaps, n: Facts("few", {"left": sum(heaps.values())}) if n > sum(heaps.values()) else None,
    )
    rules = {
        "cells": lambda *_: (),
        "known_part": lambda _, position: position,
        "relevant_cells": lambda _, __, unknown: tuple(unknown),
        "contents": lambda *_: (0, 1, 2),
        "fill": lambda state, filling: {**state, **filling},
        **more,
    }

    class Heaps:
        """The part of a game that the engine uses."""

        unknowns: UnknownRules[Any, int] = UnknownRules(**rules)
        book = {("play", int): (few,)}  # noqa: RUF012  # nobody changes it

        @staticmethod
        def phase(_: Any) -> str:
            return "play"

        @staticmethod
        def apply(state: Any, _: int) -> Any:
            return state

        @staticmethod
        def effects(state: Any, n: int, _: Any) -> tuple[Effect, ...]:
            return (Effect("N-2", Facts("left", {"n": sum(state.values()) - n}, (), Ruling.LEGAL)),)

    return Heaps


def test_what_every_filling_says_is_certain() -> None:
    said = judge(heaps(), {"a": 1}, ("b", "c"), 1)
    assert (said.verdict.ruling, said.needs, said.exact, said.checks) == (Ruling.LEGAL, (), True, 9)
    assert [effect.facts.values for effect in said.effects] == [{"n": Bounds(0, 4)}]
    said = judge(heaps(), {"a": 1}, ("b", "c"), 6)
    assert said.verdict.findings == (Finding("N-1", Facts("few", {"left": Bounds(1, 5)})),)


def test_needs_are_those_that_decide_and_no_others() -> None:
    said = judge(
        heaps(relevant_cells=lambda *_: ("b", "c", "d"), contents=lambda _, __, cell: (0,) if cell == "d" else (0, 2)),
        {"a": 1},
        ("b", "c", "d"),
        3,
    )
    assert (said.verdict.ruling, said.needs) == (Ruling.UNPROVEN, ("b", "c"))
    assert said.verdict.findings == (Finding("N-1", Facts(DIFFERS, {}, (), Ruling.UNPROVEN, ("b", "c"))),)


def test_what_is_nearest_is_needed_first() -> None:
    """Needs of the ruling and of each finding are sorted by the game's distance, then in reading order."""
    far = {"b": 2, "c": 1, "d": 2, "e": 0}
    unknown, near = ("b", "c", "d", "e"), ("e", "c", "b", "d")
    said = judge(heaps(distance=lambda _, __, cell: far[cell]), {"a": 1}, unknown, 9)
    assert (said.needs, [finding.facts.needs for finding in said.verdict.findings]) == (near, [near])
    assert judge(heaps(), {"a": 1}, unknown, 9).needs == unknown


def test_fillings_that_cannot_stand_are_none() -> None:
    def one(state: Any, filling: Any) -> Any:
        return {**state, **filling} if sum(filling.values()) == 1 else None

    assert judge(heaps(fill=one), {"a": 1}, ("b", "c"), 2).verdict.ruling is Ruling.LEGAL
    with pytest.raises(NoFilling):
        judge(heaps(fill=lambda *_: None), {"a": 1}, ("b", "c"), 2)


def test_of_fillings_of_one_sort_one_is_heard() -> None:
    """Of nine fillings the engine judges one for each of five sums; findings and needs are as if it judged all."""

    class Stones:
        """The fillings, grouped by their number of stones."""

        exact = True

        def __init__(self, state: Any, _: int, cells: Any, __: Any, hear: Any) -> None:
            contents = [[(n, n) for n in (0, 1, 2)] for _ in cells]
            self.sums = Sums(tuple(cells), contents, 0, 0)
            totals, filling = self.sums.all_sums()
            self.places = [{**state, **filling(total)} for total in totals]
            self.number = {total: number for number, total in enumerate(totals)}
            self.verdicts = [hear(place) for place in self.places]

        def groups(self, chosen: Any) -> Any:
            return self.sums.groups(chosen, self.number.get)

        def states(self) -> Any:
            return ()

        def tells(self, _: Effect) -> bool:
            return True

    for n in (1, 3, 6):
        each = judge(heaps(), {"a": 1}, ("b", "c"), n)
        one = judge(heaps(sorts=Stones), {"a": 1}, ("b", "c"), n)
        assert (each.checks, one.checks) == (9, 5)
        assert (one.needs, one.verdict.findings) == (each.needs, each.verdict.findings)


def test_too_many_fillings_are_not_decided() -> None:
    unknown = tuple(f"h{n}" for n in range(12))
    said = judge(heaps(), {"a": 1}, unknown, 1)
    assert (said.verdict.ruling, said.exact, said.needs) == (Ruling.UNPROVEN, False, unknown)


def test_extremes_show_the_ruling_and_not_what_decides() -> None:
    def extremes(_: Any, __: int, cells: Any) -> Any:
        yield dict.fromkeys(cells, 0)
        yield dict.fromkeys(cells, 2)
        raise Extremes

    unknown = tuple(f"h{n}" for n in range(12))
    for n, ruling in ((1, Ruling.LEGAL), (2, Ruling.UNPROVEN), (26, Ruling.ILLEGAL)):
        said = judge(heaps(fillings=extremes), {"a": 1}, unknown, n)
        assert (said.verdict.ruling, said.exact) == (ruling, False)
        assert said.needs == (unknown if ruling is Ruling.UNPROVEN else ())


def test_a_game_may_say_by_itself_what_its_rules_say() -> None:
    """With `judged_fillings`, one filling is made, for effects; cells alike in all fillings are not needed."""
    asked: list[Any] = []

    def values(_: Any, n: int, cells: Any) -> Any:
        for left in (0, 2):
            objects = Finding("N-1", Facts("few", {"left": 1 + left}))
            legal = n <= 1 + left
            yield (
                {**dict.fromkeys(cells), "b": left},
                Verdict(Ruling.LEGAL if legal else Ruling.ILLEGAL, () if legal else (objects,), ()),
            )

    def fill(state: Any, filling: Any) -> Any:
        asked.append(filling)
        return {**state, **filling}

    game = heaps(judged_fillings=values, fill=fill, effect_fillings=lambda *_: [{"b": 2}])
    answer = judge(game, {"a": 1}, ("b", "c", "d"), 2)
    assert (answer.verdict.ruling, answer.needs, answer.checks) == (Ruling.UNPROVEN, ("b",), 2)
    assert asked == [{"b": 2}]
    assert [effect.facts.values for effect in answer.effects] == [{"n": 1}]


def test_another_sentence_is_not_the_same() -> None:
    assert facts_in_both(Facts("a", {"n": 1}), Facts("b", {"n": 1})) is None
    assert facts_in_both(Facts("a", {"c": "c5"}), Facts("a", {"c": "d5"})) is None
    assert facts_in_both(Facts("a", {"n": Bounds(1, 2)}), Facts("a", {"n": 4})) == Facts("a", {"n": Bounds(1, 4)})
