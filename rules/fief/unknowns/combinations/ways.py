"""Fief: the unknown facts that matter for a move, the fillings that stand for all, and the rulings on these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final

from rules.fief.combats.dice import dice_for, sums_are_possible
from rules.fief.combats.strengths import PLACES
from rules.fief.lords import LAY
from rules.fief.moves import Attack, Move
from rules.fief.state import State
from rules.fief.unknowns.combinations.tree import Leaf, Question, leaves_with, question_for
from rules.fief.unknowns.gaps import Doubt
from rules.fillings import Extremes, TooMany
from rules.kernel import Cell, Verdict

FEW: Final = 200
"""The maximum number of combinations that are looked up one by one."""
MAX_PAIRS: Final = 20_000
"""The maximum number of pairs of leaves to compare; with more, it stays open on which facts a ruling depends."""
NOTHING: Final[Mapping[str, object]] = {
    "control": None, "building": None, "spouse": None, "fiefs": (), "bishop": (), "elected": False, "cardinal": None,
    "pope": False, "king": False, "regent": False, "arc": False, "excommunicated": False, "marked": False,
    "lord": None, "lords": (), "castles": 0, "cities": 0, "spent": 0, "murders": 0, "arc_gone": False, "held": 0,
    "excommunication": None, "moved": (), "arrivals": (), "attacked": (), "sieges": (),
}  # fmt: skip
"""Code of a fact -> its value in the known part."""


# --- what matters ------------------------------------------------------------------------------------------------


def relevant_cells(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells that the rules look at, whatever the rest is. At least one: numbers may have bounds without a look."""
    asked = question_for(state, move, unknown)
    chosen = asked.tree.facts_read if asked.tree.whole or asked.tree.is_open() else asked.doubts
    chosen = chosen or asked.doubts[:1]
    return tuple(fact for fact in unknown if fact in chosen)


def default(state: State, doubt: Doubt) -> object:
    """The value of an unknown fact in the known part."""
    code, name = doubt.code, doubt.name
    if code in ("player", "place"):
        return getattr(state.lords[name], code)
    if code in ("first", "turn"):
        return getattr(state, code)
    if code == "income":
        return state.income.get(name, 0)  # type: ignore[call-overload]  # a colour
    return NOTHING[code]


def judged_fillings(state: State, move: Move, cells: Sequence[Cell]) -> Iterator[tuple[Mapping[Cell, object], Verdict]]:
    """Every combination if there are few, else every leaf; then two for each fact on which the answer depends.

    If there are too many leaves, those that were found are enough if the move is legal in some of them only.
    """
    asked = question_for(state, move, cells)
    tree = asked.tree
    usual: dict[Cell, object] = {fact: default(state, fact) for fact in asked.doubts}
    ways = {fact: asked.contents(fact) for fact in asked.doubts if fact in tree.facts_read}
    if _hides_strengths(asked):
        yield from (({**usual, **leaf.facts}, leaf.verdict) for leaf in tree.leaves)
        raise TooMany
    if tree.whole and tree.full and prod(map(len, ways.values())) <= FEW:
        combinations = (dict(zip(ways, each, strict=True)) for each in product(*ways.values()))
        for facts in combinations:
            leaf = next(leaves_with(tree.root, facts), None)
            if leaf is not None and asked.stands(facts):
                yield {**usual, **facts}, leaf.verdict
        return
    yield from (({**usual, **leaf.facts}, leaf.verdict) for leaf in tree.leaves)
    if tree.whole and tree.full:
        yield from _pairs(asked, usual)
    elif tree.whole or tree.is_open():
        raise Extremes
    else:
        raise TooMany


def _hides_strengths(question: Question) -> bool:
    """`FI-73`: whether all leaves agree on an attack, but lords who were not entered may have other strengths, with
    which the sums of the dice are possible or not. The leaves have only some of these lords.
    """
    move, tree, land = question.move, question.tree, question.state.land
    may_hide = any(fact in tree.facts_read for fact in question.doubts if fact.code == "lords")
    if not may_hide or not isinstance(move, Attack):
        return False
    broken = {leaf.verdict.broken_rules for leaf in tree.leaves}
    if (() in broken and len(broken) > 1) or broken.isdisjoint({(), ("FI-73",)}):
        return False
    strengths = range(1, max(LAY.values()) * (len(land.men) + len(land.women)) + max(PLACES.values()) + 1)
    return len({sums_are_possible(dice_for(strength), move) for strength in strengths}) > 1


def _pairs(question: Question, usual: Mapping[Cell, object]) -> Iterator[tuple[Mapping[Cell, object], Verdict]]:
    """For each fact and each rule, two fillings that differ in this fact alone and get different answers."""
    pairs_shown: set[tuple[Cell, frozenset[str], bool]] = set()
    for number, (some, fact, other) in enumerate(_neighbouring_leaves(question)):
        if number > MAX_PAIRS:
            raise Extremes
        if some.answer == other.answer:
            continue
        key = (
            fact,
            frozenset({*some.verdict.broken_rules} ^ {*other.verdict.broken_rules}),
            some.answer[0] is not other.answer[0],
        )
        if key in pairs_shown:
            continue
        both = {**usual, **other.facts, **some.facts}
        pair = both, {**both, fact: other.facts[fact]}
        if all(map(question.stands, pair)):
            pairs_shown.add(key)
            yield from zip(pair, (some.verdict, other.verdict), strict=True)


def _neighbouring_leaves(question: Question) -> Iterator[tuple[Leaf, Cell, Leaf]]:
    """Pairs of leaves that differ in one fact alone, and this fact."""
    for leaf in question.tree.leaves:
        for fact, content in leaf.facts.items():
            ways = question.ways[fact]
            for other in ways[ways.index(content) + 1 :]:
                for reaches in leaves_with(question.tree.root, {**leaf.facts, fact: other}):
                    if fact in reaches.facts:
                        yield leaf, fact, reaches
