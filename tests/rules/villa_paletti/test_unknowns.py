"""Villa Paletti: rulings on positions of which something is unknown, against every position that it can be.

What can be is enumerated here by the box and by the JSON of a position: how many columns of a kind there are, how many
of those on a level can be locked. Each is entered, looked at for problems, and ruled on; of the program's own way to
fill in what is unknown nothing is used.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from rules.agreement import DIFFERS
from rules.effects import effects_of
from rules.forms import Malformed, plain
from rules.kernel import Bounds, Effect, Facts, Ruling
from rules.steps import at_most
from rules.unknowns import PartialRuling, judge
from rules.villa_paletti import GAME
from rules.villa_paletti.state import Position
from rules.villa_paletti.unknowns import combinations
from rules.villa_paletti.unknowns import effects as told_effects
from tests.rules.play import SEED
from tests.rules.trials import has
from tests.rules.villa_paletti.positions import (
    COLOURS,
    FillingByName,
    Json,
    facts,
    group,
    hide,
    kinds,
    move_to_ask,
    ways,
)
from tests.support.json_forms import read_position, read_setup
from tests.support.recorded_games import plies
from tests.support.records import records_of

PLAYERS = {4: [["red"], ["blue"], ["yellow"], ["green"]], 3: [["red"], ["blue"], ["yellow"]]}
TIMES = 2
"""Questions about each position of a recorded game."""
MOST = 300
"""Positions with more fillings are left out; the laws about extremes have others."""
in_both_ways = pytest.mark.parametrize("most", [None, 1], ids=["every combination", "extremes"])


# --- every filling, by the box ----------------------------------------------------------------------------------


def filled_in(setup: Json, partial: Json) -> list[tuple[FillingByName, Any]] | None:
    """Every filling that can stand on a table, with its state; None where there are too many to look at."""
    players = [player["colours"][0] for player in setup["players"]]
    taken = [colour for player in setup["players"] for colour in player["colours"]]
    neutral = next((colour for colour in COLOURS if colour not in taken), "")
    of_kinds = [list(ways(partial, kind, neutral)) for kind in kinds()]
    moments = list(facts(partial, players))
    number = len(moments)
    for each in of_kinds:
        number *= len(each)
    if not 0 < number <= MOST:
        return None
    form = read_setup(GAME, setup)
    found = []
    for chosen in product(*of_kinds):
        columns = tuple(each for standing, _, _ in chosen for each in standing)
        out = tuple(each for _, gone, _ in chosen for each in gone)
        unknown = {name: what for _, _, named in chosen for name, what in named.items()}
        for moment in moments:
            whole = {**partial, **moment, "columns": columns, "out": out, "rest": None}
            position = Position(**whole)
            if not GAME.problems(form, position):
                found.append((unknown | moment, GAME.enter(form, position)))
    going_on = [(filling, state) for filling, state in found if GAME.due(state).ended is None]
    return going_on or found


def enter(setup: Json, partial: Json) -> tuple[Any, tuple[Any, ...]]:
    """The known part of a position and what is unknown of it, as the program has them."""
    rules = GAME.unknowns
    assert rules is not None
    form = read_setup(GAME, setup)
    position = read_position(GAME, partial, partial=True)
    known = rules.known_part(form, position)
    assert GAME.problems(form, known) == ()
    return GAME.enter(form, known), rules.cells(form, position)


def rule_on(setup: Json, partial: Json, notation: str) -> PartialRuling:
    state, unknown = enter(setup, partial)
    return judge(GAME, state, unknown, GAME.read(notation))


# --- worked cases ---------------------------------------------------------------------------------------------------


def setup_of(number: int) -> Json:
    return {"players": [{"colours": colours} for colours in PLAYERS[number]]}


def villa(top: int, *columns: str, **more: Any) -> Json:
    """A position by its groups, such as ``red small 1 2/?``: two, of which nobody knows how many are locked."""
    listed = []
    for text in columns:
        colour, shape, level, count = text.split()
        n, _, locked = count.partition("/")
        numbers = [int(each) if each.isdigit() else each for each in (n, locked or "0")]
        listed.append({**group(colour, shape, int(level), 0, 0), "n": numbers[0], "locked": numbers[1]})
    return {"columns": listed, "out": [], "top": top, "rest": "unknown", **more}


CASES: tuple[tuple[str, int, Json, str, str, tuple[str, ...]], ...] = (
    # what it is about, players, position, move, ruling, what it needs
    ("a free column", 4, villa(2, "red small 0 1", due="red"), "red small 0", "legal", ()),
    ("a locked one", 4, villa(2, "red small 0 1/1", due="red"), "red small 0", "illegal", ()),
    ("was it tried?", 4, villa(2, "red small 0 1/?", due="red"), "red small 0", "unproven", ("red small 0",)),
    ("one of two is free", 4, villa(2, "red small 0 2/1", due="red"), "red small 0", "legal", ()),
    ("nobody looked", 4, villa(2, due="red"), "red small 0", "unproven", ("red small 0",)),
    ("whose turn is it?", 4, villa(2, "red small 0 1", due="?"), "red small 0", "unproven", ("due",)),
    ("three carry a floor", 4, villa(2, "red hex 2 1", "blue small 2 2", holder="red"), "floor", "legal", ()),
    ("another neutral one stays", 3, villa(2, "green small 0 1", "green hex 0 1", due="red"), "n small 0", "legal", ()),
    ("the last neutral one?", 3, villa(2, "green small 0 1", due="red"), "n small 0", "unproven",
     ("n hex 0", "n big 0")),
    ("asked before?", 4, villa(2, "red hex 2 1", "blue small 2 2", "red big 0 1", asked="?", holder="red"), "floor",
     "legal", ()),
)  # fmt: skip


@pytest.mark.parametrize(
    ("players", "position", "move", "ruling", "needs"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_worked_cases(players: int, position: Json, move: str, ruling: str, needs: tuple[str, ...]) -> None:
    """By hand: what is certain whatever the rest is, and what to look at where nothing is."""
    told = rule_on(setup_of(players), position, move)
    assert (told.verdict.ruling.value, told.needs) == (ruling, needs)
    assert told.exact


def test_what_is_nearest_to_the_column_is_looked_at_first() -> None:
    """The column itself, its level, then level by level; what is not of the villa comes last."""
    state, _ = enter(setup_of(4), villa(2, "red small 0 1", due="red"))
    unknown = ["red small 0", "blue hex 0", "blue big 1", "blue small 2", "out red small", "due"]
    assert GAME.unknowns
    far = [GAME.unknowns.distance(state, GAME.read("red small 0"), each) for each in unknown]
    assert far == sorted(far) and len(set(far)) == 5


STEPS = 20_000
"""Three quarters of what a request may take."""


@pytest.mark.parametrize("move", ["red small 0", "floor", "floor ! blue red small 0 fail none", "n small 0"])
def test_nobody_has_looked_at_anything(move: str) -> None:
    """With all columns, locks and facts unknown there is an answer, for no more steps than a request may take."""
    everything = villa(3, **dict.fromkeys(("due", "part", "asked", "holder", "previous"), "?"))
    with at_most(None) as effort:
        told = rule_on(setup_of(3), everything, move)
    assert effort.steps <= STEPS
    assert (told.verdict.ruling, told.exact) == (Ruling.UNPROVEN, True)
    assert told.needs


# --- what is unknown, and what of it is refused -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "code", "pointer"),
    [
        (villa(1, "red small 2 ?"), "unknown_above", "/columns/0/n"),
        (villa(1, "red small 2 1/?"), "unknown_above", "/columns/0/locked"),
        (villa(1, "red small 1 1", "red small 1 ?"), "unknown_twice", "/columns/1/n"),
        (villa(1, out=2 * [{"colour": "red", "shape": "hex", "n": "?"}]), "unknown_twice", "/out/0/n"),
    ],
)
def test_what_means_nothing_is_refused_where_it_stands(position: Json, code: str, pointer: str) -> None:
    """Nothing that is said to be unknown is passed over."""
    with pytest.raises(Malformed) as error:
        enter(setup_of(4), position)
    assert (error.value.code, error.value.pointer) == (code, pointer)


def test_what_can_be_in_one_place_only_is_known() -> None:
    """Without the rest nothing else is unknown; columns of which all are seen are nowhere else; what is out is."""
    whole = plain(GAME.position(GAME.setup(read_setup(GAME, setup_of(4)))))
    assert enter(setup_of(4), whole)[1] == ()
    assert enter(setup_of(4), {**whole, "rest": "unknown"})[1] == ()
    fewer = [each for each in whole["columns"] if each["colour"] != "red" or each["shape"] == "small"]
    assert enter(setup_of(4), {**whole, "rest": "unknown", "columns": fewer})[1] == (
        *("red hex 1", "red big 1", "red hex 0", "red big 0"),
        *("out red hex", "out red big"),
    )
    nowhere = [group("red", shape, level, 0, 0) for shape in ("hex", "big") for level in (0, 1)]
    state, unknown = enter(setup_of(4), {**whole, "rest": "unknown", "columns": [*fewer, *nowhere]})
    assert (unknown, state.out) == ((), {("red", "hex"): 1, ("red", "big"): 1})
    assert enter(setup_of(4), {**whole, "rest": "empty", "columns": fewer}) == (state, ())


def test_columns_that_are_nowhere_are_a_problem_unless_they_may_be_somewhere() -> None:
    """Of the known part alone too many are told, and too few where nobody can have overlooked one."""
    form = read_setup(GAME, setup_of(4))
    rules = GAME.unknowns
    assert rules is not None
    many = read_position(GAME, villa(1, "red hex 0 2", "blue small 0 3/?"), partial=True)
    few = read_position(GAME, {**villa(1, "red hex 0 ?"), "rest": None}, partial=True)
    found = GAME.problems(form, rules.known_part(form, many))
    assert [(each.rule, each.facts.values["n"]) for each in found] == [("VP-1", 2)]
    kinds_missed = {each.facts.values["colour"] for each in GAME.problems(form, rules.known_part(form, few))}
    assert kinds_missed == {"red", "blue", "yellow", "green"}
    shapes = {
        each.facts.values["shape"]
        for each in GAME.problems(form, rules.known_part(form, few))
        if each.facts.values["colour"] == "red"
    }
    assert shapes == {"small", "big"}


# --- every kind of move, with something of a real table unknown -----------------------------------------------------


@cache
def questions() -> tuple[tuple[Json, Json, str], ...]:
    """Setups, positions with something unknown (each kind of column is out of the game once at most), and moves."""
    chance, found = Random(f"{SEED} unknown villa"), []
    recorded = records_of(GAME.id)
    for _, form, state, _ in (ply for path in recorded for ply in plies(path)):
        position = plain(GAME.position(state))
        for _ in range(TIMES if "ended" not in position else 0):
            partial = hide(position, chance)
            if len({(each["colour"], each["shape"]) for each in partial["out"]}) < len(partial["out"]):
                continue
            found.append((plain(form), partial, move_to_ask(state, partial, chance)))
    return tuple(found)


@cache
def answers(most: int | None = None) -> tuple[tuple[str, Json, PartialRuling, list[tuple[FillingByName, Any]]], ...]:
    """The moves asked about, what is told of them, and every filling: of positions with few enough of these.

    `most`: how many combinations are looked at; of more, those at the ends stand for all.
    """
    found = []
    with pytest.MonkeyPatch.context() as patch:
        limits = ((combinations, "MAX_RULINGS"), (told_effects, "MAX_COMBINATIONS"))
        for module, name in limits if most is not None else ():
            patch.setattr(module, name, most)
        for (setup, partial, notation), every in zip(questions(), every_filling(), strict=True):
            if every:
                found.append((notation, partial, rule_on(setup, partial, notation), every))
    return tuple(found)


@cache
def every_filling() -> tuple[list[tuple[FillingByName, Any]] | None, ...]:
    """Every filling of every question."""
    return tuple(filled_in(setup, partial) for setup, partial, _ in questions())


def within(told: Any, value: Any) -> bool:
    """Whether a value is the one that was told, or within what was told of it."""
    return told.least <= value <= told.most if isinstance(told, Bounds) else bool(told == value)


def holds(told: Facts, facts: Facts) -> bool:
    return told.code == facts.code and all(within(value, facts.values[name]) for name, value in told.values.items())


def effects(state: Any, notation: str) -> tuple[Effect, ...]:
    move = GAME.read(notation)
    return effects_of(GAME, state, move, GAME.apply(state, move))


@in_both_ways
def test_a_ruling_is_that_of_every_filling(most: int | None) -> None:
    """Sound and complete: legal or illegal where all fillings are, unproven where two differ. The figures are told."""
    counted: dict[str, int] = defaultdict(int)
    for notation, partial, told, every in answers(most):
        rulings = {GAME.check(state, GAME.read(notation)).ruling for _, state in every}
        expected = rulings.pop() if len(rulings) == 1 else Ruling.UNPROVEN
        assert told.verdict.ruling is expected, (notation, partial)
        counted[f"{expected.value}, {'one filling' if len(every) == 1 else 'several'}"] += 1
        counted["not exact"] += not told.exact
    sys.stdout.write(f"{dict(counted)} of {sum(len(every) for *_, every in answers(most))} fillings\n")
    assert min(counted[f"{ruling}, several"] for ruling in ("legal", "illegal", "unproven")) >= 10


@in_both_ways
def test_what_is_certain_is_in_every_filling(most: int | None) -> None:
    """The findings that are told are those of every filling, with its figures within the bounds."""
    found = 0
    for notation, partial, told, every in answers(most):
        verdicts = [GAME.check(state, GAME.read(notation)) for _, state in every]
        broken = [set(verdict.broken_rules) for verdict in verdicts]
        found += len(told.verdict.findings)
        for finding in told.verdict.findings:
            if finding.facts.code == DIFFERS:
                assert any(finding.rule in each for each in broken), (notation, partial, finding)
                continue
            for verdict in verdicts:
                same = [each.facts for each in verdict.findings if each.rule == finding.rule]
                assert any(holds(finding.facts, facts) for facts in same), (notation, partial, finding)
    assert found


@in_both_ways
def test_effects_are_those_of_every_filling(most: int | None) -> None:
    """Told is what every filling has in which the move is legal, and whatever all of them have."""
    compared = 0
    for notation, partial, told, every in answers(most):
        legal = [state for _, state in every if GAME.check(state, GAME.read(notation)).legal]
        all_told = [effects(state, notation) for state in legal]
        for effect in told.effects:
            for each in all_told:
                assert has(each, effect), (notation, partial, effect)
        for effect in all_told[0] if all_told else ():
            if all(any(effect[:1] + effect.facts[:2] == o[:1] + o.facts[:2] for o in each) for each in all_told):
                compared += len(legal) > 1
                assert any(o.rule == effect.rule and holds(o.facts, effect.facts) for o in told.effects), (
                    notation,
                    partial,
                )
    assert compared >= 20


@in_both_ways
def test_needs_decide_and_none_is_idle(most: int | None) -> None:
    """Whatever is found where a ruling says to look, it is decided; without one of these places it is not."""
    seen = 0
    for notation, partial, told, every in answers(most):
        if told.verdict.ruling is not Ruling.UNPROVEN:
            assert told.needs == ()
            continue
        seen += 1
        rulings = [(filling, GAME.check(state, GAME.read(notation)).ruling) for filling, state in every]
        assert decides(told.needs, rulings), (notation, partial, told.needs)
        for idle in told.needs if told.exact else ():
            assert not decides([need for need in told.needs if need != idle], rulings), (notation, partial, told.needs)
    assert seen >= 10


def decides(needs: Any, rulings: list[tuple[FillingByName, Ruling]]) -> bool:
    found: Mapping[Any, set[Ruling]] = defaultdict(set)
    for filling, ruling in rulings:
        found[tuple(filling[need] for need in needs)].add(ruling)
    return all(len(each) == 1 for each in found.values())
