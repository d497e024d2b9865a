"""What the rulebook of every game says of a rule beside its text: related rules, and what it bears on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from rules import GAMES, load
from rules.forms import TrackedReadings
from rules.game import Game
from rules.kernel import Finding
from tests.support.case_states import stage

AnyGame = Game[Any, Any]
EACH_GAME = pytest.mark.parametrize("game", [pytest.param(game, id=name) for name, game in GAMES.items()])


def book_of(game: AnyGame) -> Mapping[str, Mapping[str, Any]]:
    """The rulebook of a game."""
    return load(game.id, "rulebook")


@cache
def case_moves(game_id: str) -> tuple[tuple[Any, Any], ...]:
    """The state and the move of every worked case of a game that asks about a move."""
    game, book = GAMES[game_id], load(game_id, "cases")
    return tuple((stage(game, case, book), game.read(case["move"])) for case in book["case"] if "move" in case)


@EACH_GAME
def test_related_rules_exist_and_are_others(game: AnyGame) -> None:
    """Every rule names other rules, each once, and every rule is named by another."""
    book = book_of(game)
    odd = {name: rule["see"] for name, rule in book.items() if not rule["see"] or not set(rule["see"]) < book.keys()}
    assert odd == {}
    assert [
        name for name, rule in book.items() if name in rule["see"] or len(set(rule["see"])) < len(rule["see"])
    ] == []
    assert book.keys() - {other for rule in book.values() for other in rule["see"]} == set()


@EACH_GAME
def test_what_a_rule_bears_on_is_known(game: AnyGame) -> None:
    """Phases and kinds of moves are the game's own; each of them has a rule that bears on it."""
    phases = {phase for phase, _ in game.book}
    borne = [rule["when"] for rule in book_of(game).values()]
    assert {phase for when in borne for phase in when["phases"]} | {"over"} == phases | {"over"}
    assert {kind for when in borne for kind in when["kinds"]} == game.kinds.keys()
    assert [
        when for when in borne if when.keys() != {"phases", "kinds"} or (when["kinds"] and not when["phases"])
    ] == []


def objections(game: AnyGame) -> list[tuple[Any, Any, Finding]]:
    """The findings on the due moves of worked cases: the state, the move, the finding."""
    return [
        (state, move, finding)
        for state, move in case_moves(game.id)
        if move.kind in game.due(state).kinds
        for finding in game.check(state, move).findings
    ]


@EACH_GAME
def test_a_rule_that_speaks_of_a_move_that_is_due_bears_on_it(game: AnyGame) -> None:
    """A rule with a finding on a due move lists its phase and its kind in the rulebook."""
    found = objections(game)
    assert found
    missed = set()
    for state, move, finding in found:
        when = book_of(game)[finding.rule]["when"]
        if game.phase(state) not in when["phases"] or move.kind not in when["kinds"]:
            missed.add((finding.rule, game.phase(state), move.kind))
    assert missed == set()


@EACH_GAME
def test_the_readings_that_a_rule_looks_at_are_named_with_it(game: AnyGame) -> None:
    """Every reading belongs to a rule; a rule names those that it reads in a worked case."""
    book = book_of(game)
    named = {name: set(rule.get("readings", ())) for name, rule in book.items()}
    assert set().union(*named.values()) == {reading.key for reading in game.readings}
    looked: dict[str, set[str]] = {}
    for state, move in case_moves(game.id):
        readings = TrackedReadings(state.readings)
        watched = game.with_readings(state, readings)
        heard = game.check(state, move).heard_rules
        for rule in game.book[game.phase(state), type(move)]:
            readings.pop_keys_read()
            if rule.id not in heard:
                continue
            rule.objects(watched, move)
            looked.setdefault(rule.id, set()).update(readings.pop_keys_read())
    assert {name: seen - named[name] for name, seen in looked.items() if seen - named[name]} == {}
