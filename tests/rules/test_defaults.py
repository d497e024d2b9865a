"""The defaults that games may use, on a game of one number: a move adds one, or subtracts some."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import pytest

from rules.defaults import (
    DISTANCE_STEPS,
    NEAREST,
    game_over_rule,
    legal_among,
    nearest_by,
    not_due,
    passes,
    position_problem,
)
from rules.kernel import Ended, Fact, Facts, Finding, Rule, Ruling
from rules.steps import at_most


@dataclass(frozen=True)
class Add:
    """Add one."""

    kind: ClassVar[str] = "add"


@dataclass(frozen=True)
class Drop:
    """Subtract `n`."""

    n: int
    kind: ClassVar[str] = "drop"


class Heap(NamedTuple):
    """The number."""

    n: int


ENOUGH: Rule[Heap, Drop] = Rule(
    "enough",
    lambda state, move: Facts("few") if move.n > state.n else Facts("rest", ruling=Ruling.LEGAL),
)
OPEN: Rule[Heap, Drop] = Rule("open", lambda _, move: Facts(ruling=Ruling.UNPROVEN) if move.n == 2 else None)
BOOK: Mapping[tuple[str, type], tuple[Rule[Heap, Drop], ...]] = {
    ("on", Add): (),
    ("on", Drop): (ENOUGH, OPEN),
    ("late", Add): (not_due("late", "no"),),
    ("late", Drop): (ENOUGH,),
}
CANDIDATES: Mapping[type[Any], Callable[[Heap], Iterable[Any]]] = {
    Drop: lambda _: map(Drop, range(1, 9)),
    Add: lambda _: [Add()],
}
MOVES = legal_among(BOOK, lambda state: "late" if state.n > 8 else "on", CANDIDATES)


@pytest.mark.parametrize(("taken", "passed"), [(1, True), (2, False), (3, True), (4, False)])
def test_a_move_passes_where_no_rule_objects_and_none_is_left_open(taken: int, passed: bool) -> None:
    """A rule that shows its count lets the move pass; one that objects or is left open does not."""
    assert passes(BOOK["on", Drop], Heap(3), Drop(taken)) is passed


def test_the_list_is_what_the_rulebook_lets_pass_of_what_is_tried() -> None:
    """Legal moves come kind by kind, in the candidates' order, by the rules of the phase; `kinds` limits them."""
    assert list(MOVES(Heap(3))) == [Drop(1), Drop(3), Add()]
    assert list(MOVES(Heap(9))) == list(map(Drop, range(1, 9)))
    assert list(MOVES(Heap(3), ("add",))) == [Add()]


@pytest.mark.parametrize(("kind", "steps"), [("drop", 3 * 2 + 5 * 1), ("add", 1)])
def test_every_rule_that_is_heard_is_a_step(kind: str, steps: int) -> None:
    """Each rule checked for a candidate is a step, up to the one that objects; a move without rules is one step."""
    with at_most(None) as effort:
        list(MOVES(Heap(3), (kind,)))
    assert effort.steps == steps


def test_every_move_that_is_compared_is_counted() -> None:
    """To find the nearest takes `DISTANCE_STEPS` for each listed move."""
    with at_most(None) as listed:
        number = len(list(MOVES(Heap(8), ("drop",))))
    with at_most(None) as compared:
        nearest_by(lambda other, move: (abs(other.n - move.n),), MOVES)(Heap(8), Drop(5))
    assert compared.steps == listed.steps + DISTANCE_STEPS * number


def test_only_what_is_due_is_tried_where_a_game_says_so() -> None:
    """`moves` tries only the kinds that are due, in their order."""
    moves = legal_among(BOOK, lambda _: "on", CANDIDATES, lambda state: (Add, Drop) if state.n > 1 else (Add,))
    assert list(moves(Heap(1))) == [Add()]
    assert list(moves(Heap(3))) == [Add(), Drop(1), Drop(3)]


def test_the_nearest_moves_are_of_one_kind_and_few() -> None:
    """The nearest comes first; of equally near moves, the one listed first."""
    nearest = nearest_by(lambda other, move: (abs(other.n - move.n),), MOVES)
    assert nearest(Heap(8), Drop(5)) == (Drop(5), Drop(4), Drop(6))
    assert len(nearest(Heap(8), Drop(1))) == NEAREST
    assert nearest(Heap(1), Drop(9)) == (Drop(1),)
    fours = nearest_by(
        lambda other, move: (abs(other.n - move.n),),
        MOVES,
        lambda _, move: lambda other: None if (other.n - move.n) % 2 else replace(other, n=other.n // 4 * 4),
    )
    assert fours(Heap(8), Drop(5)) == (Drop(4), Drop(0)), "each once, and not those that cannot be alike"


def test_the_rule_that_ended_the_game_alone_objects() -> None:
    """Before the end, or for another ending, the rule lets the move pass; its facts show the cell of the end."""
    ends = {0: Ended("zero", {"n": 0}), 1: Ended("cell", {"cell": (1, 2)})}
    rules: list[Rule[Heap, Any]] = [
        game_over_rule(rule, lambda state: ends.get(state.n), "over") for rule in ("zero", "cell")
    ]
    zero, cell = rules
    assert zero.objects(Heap(0), Add()) == Facts("over", {"n": 0})
    assert cell.objects(Heap(1), Add()) == Facts("over", {"cell": (1, 2)}, (Fact(((1, 2),)),))
    assert cell.objects(Heap(0), Add()) is None
    assert zero.objects(Heap(5), Add()) is None


def test_a_kind_that_is_not_due_is_named() -> None:
    """The facts name the kind of move."""
    assert not_due("late", "no").objects(Heap(1), Add()) == Facts("no", {"kind": "add"})


def test_what_is_wrong_with_a_position_shows_its_cells() -> None:
    """The facts show the cells, if any; their code begins with `position`."""
    assert position_problem("r") == Finding("r", Facts("position"))
    assert position_problem("r", "many", ["a"], n=2) == Finding("r", Facts("position_many", {"n": 2}, (Fact(("a",)),)))
