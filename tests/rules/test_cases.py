"""The worked cases of every game come out as written, and cover every rule, both ways."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

import rules
from rules import GAMES, load
from rules.caches import thaw
from rules.cases import position_of
from rules.game import Game
from rules.kernel import Effect, Finding, Rule, Ruling
from rules.ranking import totals
from tests.rules.list_entries import stand_in
from tests.support.case_states import Case, cases, enter, setup_of, state_of

RULE_ID = re.compile(r"[A-Z]{2}-[1-9][0-9]*")
CASE_ID = re.compile(rf"({RULE_ID.pattern})/([1-9][0-9]*)")
ANSWERS = {"move", "score", "ended", "due_kinds", "problems"}
FOLDERS = sorted(Path(rules.__file__).parent.glob("*/cases"))
EACH_GAME = pytest.mark.parametrize("game", [pytest.param(game, id=name) for name, game in GAMES.items()])


def about(case: Case) -> str:
    """The rule that a case is about."""
    return str(case["id"]).split("/")[0]


def all_cases() -> list[Any]:
    """Every case of every game, as a parameter named by its id."""
    return [pytest.param(game, case, id=f"{name} {case['id']}") for name, game in GAMES.items() for case in cases(game)]


# --- running a case ------------------------------------------------------------------------------------------


def without_order(value: Any) -> Any:
    """A list of cells or pieces, sorted, as no rule sets its order; a cell of two numbers keeps its own."""
    if not isinstance(value, list | tuple) or all(isinstance(item, int) for item in value):
        return tuple(value) if isinstance(value, list) else value
    return sorted((tuple(item) if isinstance(item, list) else item for item in value), key=repr)


def says(finding: Finding | Effect, values: Mapping[str, Any]) -> bool:
    """Whether a finding, or an effect, has these values, among others."""
    said = {name: without_order(value) for name, value in finding.facts.values.items()}
    return all(name in said and said[name] == without_order(value) for name, value in values.items())


def judge(game: Game[Any, Any], case: Case) -> None:
    """Assert the ruling, all broken rules, the facts, whether the list has the move, and its effects."""
    state, move = state_of(game, case), game.read(case["move"])
    verdict = game.check(state, move)
    shown = [(finding.rule, finding.facts.code, dict(finding.facts.values)) for finding in verdict.findings]
    assert set(verdict.broken_rules) == set(case["broken"]), shown
    assert verdict.ruling is Ruling(case["ruling"]), shown
    explain(case, verdict.findings)
    entry = stand_in(game, state, move)
    assert (entry in set(game.moves(state))) == game.check(state, entry).legal
    told = effects(game, state, move)
    assert list(told) == list(case.get("effects", told)), told
    for name, values in case.get("told", {}).items():
        assert name in told and any(says(effect, values) for effect in told[name]), told


def explain(case: Case, findings: Iterable[Finding]) -> None:
    """Assert that findings of the named rule, or of rule and code (`FI-54.foreign`), have the case's facts."""
    for rule, values in case.get("facts", {}).items():
        about = [finding for finding in findings if rule in (finding.rule, f"{finding.rule}.{finding.facts.code}")]
        assert any(says(finding, values) for finding in about), findings


def effects(game: Game[Any, Any], state: Any, move: Any) -> dict[str, list[Effect]]:
    """The effects of a move that can stand, by rule and code, in order."""
    found: dict[str, list[Effect]] = {}
    if game.cannot_stand(state, move) is None:
        for effect in game.effects(state, move, game.apply(state, move)):
            found.setdefault(f"{effect.rule}.{effect.facts.code}".rstrip("."), []).append(effect)
    return found


def count(game: Game[Any, Any], case: Case) -> None:
    """Assert the totals, the named score lines, the winner, and what decided it."""
    state = state_of(game, case)
    lines: dict[str, dict[str, int]] = {}
    for line in game.score(state):
        of_rule = lines.setdefault(line.rule, dict.fromkeys(game.seats_of(state), 0))
        of_rule[line.seat] += line.points
    assert {rule: lines.get(rule) for rule in case.get("lines", {})} == case.get("lines", {})
    assert totals(game, state) == case["score"], lines
    best = game.ranking(state)[0]
    if "winner" in case:
        assert best.seats == (case["winner"],) if case["winner"] else best.place is None or len(best.seats) > 1
    if "decided_by" in case:
        assert best.decided_by == case["decided_by"]


def end(game: Game[Any, Any], case: Case) -> None:
    """Assert the rule that ended the game, or that it goes on."""
    ended = game.due(state_of(game, case)).ended
    assert (ended.rule if ended else "") == case["ended"]


def turn(game: Game[Any, Any], case: Case) -> None:
    """Assert the kinds of move that are due, and the seat."""
    due = game.due(state_of(game, case))
    assert set(due.kinds) == set(case["due_kinds"])
    if "due_seat" in case:
        assert due.seat == case["due_seat"]


def inspect(game: Game[Any, Any], case: Case) -> None:
    """Assert the rules by which an entered position cannot stand on a table, and their facts."""
    book = load(game.id, "cases")
    problems = game.problems(setup_of(game, case, book), enter(game, case, book))
    assert {finding.rule for finding in problems} == set(case["problems"]), problems
    explain(case, problems)


@pytest.mark.parametrize(("game", "case"), all_cases())
def test_a_worked_case_comes_out_as_written(game: Game[Any, Any], case: Case) -> None:
    """The program answers every worked case as the page does."""
    asked = {"move": judge, "score": count, "ended": end, "due_kinds": turn, "problems": inspect}
    [question] = ANSWERS & case.keys()
    asked[question](game, case)


# --- what the cases cover --------------------------------------------------------------------------------------------


def objecting(game: Game[Any, Any]) -> set[str]:
    """The ids of all rules of a game that can object to a move."""
    rows: list[Rule[Any, Any]] = [rule for row in game.book.values() for rule in row]
    return {rule.id for rule in rows} | ({game.stuck_rule.id} if game.stuck_rule else set())


@EACH_GAME
def test_the_ids_of_cases_are_unique_and_numbered_by_rule(game: Game[Any, Any]) -> None:
    """A case is cited by its id: the rule it is about, and 1, 2, 3 … within the rule."""
    numbers: dict[str, list[int]] = {}
    for case in cases(game):
        match = CASE_ID.fullmatch(case["id"])
        assert match, case["id"]
        numbers.setdefault(match[1], []).append(int(match[2]))
    assert {rule: list(range(1, len(found) + 1)) for rule, found in numbers.items()} == numbers


@EACH_GAME
def test_cases_come_in_the_order_of_the_rulebook(game: Game[Any, Any]) -> None:
    """Cases follow the rulebook's order of rules, across several files too."""
    order = list(load(game.id, "rulebook"))
    places = [order.index(about(case)) for case in cases(game)]
    assert places == sorted(places)


@pytest.mark.parametrize("folder", [pytest.param(folder, id=folder.parent.name) for folder in FOLDERS])
def test_each_file_of_a_folder_of_cases_reads_alone_and_starts_with_its_number(folder: Path) -> None:
    """A file's name begins with the number of its first rule; only the first file has other tables than cases."""
    parts = {path.name: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.iterdir())}
    whole = load(folder.parent.name, "cases")
    assert [case for part in parts.values() for case in part.get("case", ())] == thaw(whole["case"])
    first = {name: about(part["case"][0]).split("-")[1] for name, part in parts.items() if "case" in part}
    assert {name: int(name.split("-")[0]) for name in first} == {name: int(number) for name, number in first.items()}
    shared = {name: part.keys() - {"case"} for name, part in parts.items()}
    assert [name for name, tables in shared.items() if tables] == [min(parts)]


@EACH_GAME
def test_every_case_asks_one_thing(game: Game[Any, Any]) -> None:
    """Each case asks exactly one question."""
    assert [case["id"] for case in cases(game) if len(ANSWERS & case.keys()) != 1] == []


@EACH_GAME
def test_a_position_that_is_not_about_problems_has_none(game: Game[Any, Any]) -> None:
    """A case without `problems` starts from a position that could stand on a table."""
    book = load(game.id, "cases")
    asked = [case for case in book["case"] if "problems" not in case and position_of(case, book) is not None]
    found = {case["id"]: game.problems(setup_of(game, case, book), enter(game, case, book)) for case in asked}
    assert {name: problems for name, problems in found.items() if problems} == {}


@EACH_GAME
def test_the_rulebook_lists_the_rules_of_the_game(game: Game[Any, Any]) -> None:
    """Every id has the game's prefix and a number, and every status is known."""
    book = load(game.id, "rulebook")
    assert [rule for rule in book if not RULE_ID.fullmatch(rule)] == []
    assert len({rule.split("-")[0] for rule in book}) == 1
    assert {entry["status"] for entry in book.values()} <= {"enforced", "recorded", "shown"}


@EACH_GAME
def test_every_rule_has_a_case_and_every_case_a_rule(game: Game[Any, Any]) -> None:
    """Every rule of the rulebook has a case; cases break no other rules, and no other rule can object."""
    book = set(load(game.id, "rulebook"))
    assert {about(case) for case in cases(game)} == book
    assert {rule for case in cases(game) for rule in case.get("broken", ())} <= book
    assert objecting(game) <= book


@EACH_GAME
def test_every_rule_that_can_object_has_a_case_where_it_does_and_one_where_it_must_not(game: Game[Any, Any]) -> None:
    """One case breaks the rule, and another case about the rule does not."""
    moves = [case for case in cases(game) if "move" in case]
    assert objecting(game) - {rule for case in moves for rule in case["broken"]} == set()
    assert objecting(game) - {about(case) for case in moves if about(case) not in case["broken"]} == set()


@EACH_GAME
def test_every_value_of_every_reading_has_a_case(game: Game[Any, Any]) -> None:
    """A case sets each value of a reading but the default, which holds where a case sets none."""
    chosen = {(key, value) for case in cases(game) for key, value in case.get("readings", {}).items()}
    assert {(reading.key, value) for reading in game.readings for value in reading.values[1:]} <= chosen
