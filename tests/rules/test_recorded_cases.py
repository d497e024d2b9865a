"""Worked cases: the referee's whole answers are still those that were recorded.

A case states only what matters. ``tests/games/<game>/cases.said.json`` has the rest: every number and cell of its
findings, effects and lines, and the moves offered in place of a refused one. A change of the rules that changes any of
it must say so and record it again: ``make record`` writes and lists the differences.
"""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from rules import GAMES, load
from rules.effects import effects_of
from rules.kernel import Effect, Fact, Finding
from rules.styled_name import StyledName
from tests.rules.play import AnyGame
from tests.support.case_states import Case, cases, enter, setup_of, state_of
from tests.support.records import FOLDER


def said_file(game_id: str) -> Path:
    return FOLDER / game_id / "cases.said.json"


def of_value(value: Any) -> Any:
    """A value as it is recorded; a styled name with its words."""
    if isinstance(value, StyledName):
        return [str(value), value.code, of_values(value.values)]
    return [of_value(each) for each in value] if isinstance(value, tuple) else value


def of_values(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: of_value(value) for name, value in values.items()}


def of_evidence(facts: Iterable[Fact]) -> list[Any]:
    return [[*fact.cells, dict(fact.counts)] for fact in facts]


def of_findings(findings: Iterable[Finding | Effect]) -> list[Any]:
    return [
        [rule, facts.code, facts.ruling.value, of_values(facts.values), of_evidence(facts.evidence), facts.needs]
        for rule, facts in findings
    ]


def of_move(game: AnyGame, case: Case) -> dict[str, Any]:
    """The findings on a move, its effects where it can stand, and the moves offered in place of a refused one."""
    state, move = state_of(game, case), game.read(case["move"])
    verdict = game.check(state, move)
    said: dict[str, Any] = {"cells": game.cells_of(move), "findings": of_findings(verdict.findings)}
    cannot = game.cannot_stand(state, move)
    if cannot is not None:
        said["cannot_stand"] = of_findings([Finding("", cannot)])
    else:
        said["effects"] = of_findings(effects_of(game, state, move, game.apply(state, move)))
    if not verdict.legal:
        said["nearest"] = [game.write(other) for other in game.nearest(state, move)]
    return said


def of_table(game: AnyGame, case: Case) -> dict[str, Any]:
    """The move that is due, the score lines and the places."""
    state = state_of(game, case)
    due = game.due(state)
    lines = [
        [e.seat, e.rule, e.code, e.points, of_values(e.values), of_evidence(e.evidence)] for e in game.score(state)
    ]
    places = [[e.place, e.seats, e.decided_by, of_evidence(e.evidence)] for e in game.ranking(state)]
    end = due.ended and [due.ended.rule, of_values(due.ended.values)]
    return {"due": [due.seat, due.code, of_values(due.values), end], "lines": lines, "ranking": places}


def of_case(game: AnyGame, case: Case) -> dict[str, Any]:
    """The referee's whole answer to a case."""
    if "problems" in case:
        book = load(game.id, "cases")
        setup, position = setup_of(game, case, book), enter(game, case, book)
        return {"problems": of_findings(game.problems(setup, position))}
    return of_move(game, case) if "move" in case else of_table(game, case)


def as_text(game: AnyGame) -> str:
    """One line a case, so that a diff shows which cases changed."""
    said = ((case["id"], of_case(game, case)) for case in cases(game))
    lines = [f'"{name}": {json.dumps(each, separators=(",", ":"))}' for name, each in said]
    return "{{\n{}\n}}\n".format(",\n".join(lines))


def differences(game: AnyGame, file: Path) -> str:
    """The changes in the answers to a game's cases, as a unified diff; empty if there are none."""
    before = file.read_text() if file.exists() else ""
    name = f"{game.id}/{file.name}"
    return "".join(difflib.unified_diff(before.splitlines(True), as_text(game).splitlines(True), name, name, n=0))


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_what_is_said_of_worked_cases_is_still_said(game_id: str) -> None:
    """Each finding, effect, line and place, with its numbers and cells, and each offered move is as recorded."""
    assert differences(GAMES[game_id], said_file(game_id)) == ""


def test_what_is_said_differently_is_shown(tmp_path: Path) -> None:
    """The control: only the case that was recorded with another ruling differs."""
    game, copy = next(iter(GAMES.values())), tmp_path / "cases.said.json"
    said = said_file(game.id).read_text()
    copy.write_text(said.replace('"illegal"', '"unproven"', 1))
    changed = [line[:1] for line in differences(game, copy).splitlines()[2:]]
    assert changed == ["@", "-", "+"]


def record() -> None:
    """Record the answers to the cases of every game again, and print the differences."""
    for game in GAMES.values():
        file = said_file(game.id)
        sys.stdout.write(differences(game, file))
        file.write_text(as_text(game))


if __name__ == "__main__":
    record()
