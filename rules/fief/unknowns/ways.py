"""Fief: which unknown facts matter for a move, the fillings that stand for all, and what the rules say of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod
from typing import Any, Final, cast

from rules.fief import moves
from rules.fief.moves import Move
from rules.fief.near import cells_of
from rules.fief.state import CASTLES, CITIES, Building, State
from rules.fief.unknowns.contents import shown
from rules.fief.unknowns.doubts import Doubt
from rules.fief.unknowns.tree import Leaf, Question, question, reached
from rules.kernel import Cell, Effect, Verdict
from rules.unknowns import Extremes, TooMany

FEW: Final = 200
"""So many combinations are looked up one by one."""
FEW_LEGAL: Final = 24
"""Of so many leaves each is told of."""
MOST_PAIRS: Final = 20_000
"""So many pairs of leaves are compared; with more, it is not known on which facts a ruling depends."""
COUNTING: Final = (moves.BuyCastle, moves.BuyTitle, moves.BuyCard, moves.BuyCardinal, moves.Give)
"""Moves of which effects tell how many castles or cities are left."""
FEW_ROWS: Final = 100
NOTHING: Final[Mapping[str, Any]] = {
    "control": None, "building": None, "spouse": None, "fiefs": (), "bishop": (), "elected": False, "cardinal": None,
    "pope": False, "king": False, "regent": False, "arc": False, "excommunicated": False, "marked": False,
    "lord": None, "lords": (), "castles": 0, "cities": 0, "spent": 0, "murders": 0, "arc_gone": False, "held": 0,
    "excommunication": None, "moved": (), "arrivals": (), "attacked": (), "sieges": (),
}  # fmt: skip
"""Code of a fact -> what it is in the known part."""


# --- what matters ------------------------------------------------------------------------------------------------


def matter(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """What the rules look at, whatever the rest is."""
    asked = question(state, move, unknown)
    chosen = asked.tree.read if asked.tree.whole or asked.tree.open() else asked.doubts
    return tuple(fact for fact in unknown if fact in chosen)


def _told_of(state: State, move: Move, doubts: Iterable[Doubt]) -> Iterator[Doubt]:
    """What effects may be told of: all but villages that have nothing to do with those of the move, and but lords who
    were not entered (`tells`).
    """
    doubts = [doubt for doubt in doubts if doubt.code not in ("lord", "lords")]
    if isinstance(move, moves.Next):
        yield from doubts
        return
    land, fief = state.land, str(getattr(move, "fief", ""))
    touched = [village for village in (*cells_of(move), *land.fiefs.get(fief, ())) if village in land.fief_of]
    near = {each for village in touched for each in land.fiefs[land.fief_of[str(village)]]}
    sees = {land.bishopric_of[str(village)] for village in touched} | {getattr(move, "bishopric", 0)}
    far = {village for village in land.villages if village not in near and land.bishopric_of[village] not in sees}
    for doubt in doubts:
        aside = doubt.code == "building" and doubt.name not in near and not isinstance(move, COUNTING)
        if not aside and not (doubt.code == "control" and doubt.name in far):
            yield doubt


def default(state: State, doubt: Doubt) -> Any:
    """What an unknown fact is in the known part."""
    code, name = doubt.code, doubt.name
    if code in ("player", "place"):
        return getattr(state.lords[name], code)
    if code in ("first", "turn"):
        return getattr(state, code)
    if code == "income":
        return state.income.get(name, 0)  # type: ignore[call-overload]  # a colour
    return NOTHING[code]


def heard(state: State, move: Move, cells: Sequence[Cell]) -> Iterator[tuple[Mapping[Cell, Any], Verdict]]:
    """Every combination where they are few, else every leaf; then two for each fact on which the answer depends.

    Where leaves are too many, those that were found are enough if the move is legal in some only.
    """
    asked = question(state, move, cells)
    tree = asked.tree
    usual: dict[Cell, Any] = {fact: default(state, fact) for fact in asked.doubts}
    ways = {fact: asked.contents(fact) for fact in asked.doubts if fact in tree.read}
    if tree.whole and tree.full and prod(map(len, ways.values())) <= FEW:
        combinations = (dict(zip(ways, each, strict=True)) for each in product(*ways.values()))
        for facts in combinations:
            leaf = next(reached(tree.root, facts), None)
            if leaf is not None and asked.stands(facts):
                yield {**usual, **facts}, leaf.verdict
        return
    yield from (({**usual, **leaf.facts}, leaf.verdict) for leaf in tree.leaves)
    if tree.whole and tree.full:
        yield from _pairs(asked, usual)
    elif tree.whole or tree.open():
        raise Extremes
    else:
        raise TooMany


def _pairs(asked: Question, usual: Mapping[Cell, Any]) -> Iterator[tuple[Mapping[Cell, Any], Verdict]]:
    """For each fact and each rule, two fillings that differ in the fact alone, and in what the rule says."""
    shown: set[tuple[Cell, frozenset[str], bool]] = set()
    for number, (some, fact, other) in enumerate(_beside(asked)):
        if number > MOST_PAIRS:
            raise Extremes
        if some.answer == other.answer:
            continue
        key = fact, frozenset({*some.verdict.broken} ^ {*other.verdict.broken}), some.answer[0] is not other.answer[0]
        if key in shown:
            continue
        both = {**usual, **other.facts, **some.facts}
        pair = both, {**both, fact: other.facts[fact]}
        if all(map(asked.stands, pair)):
            shown.add(key)
            yield from zip(pair, (some.verdict, other.verdict), strict=True)


def _beside(asked: Question) -> Iterator[tuple[Leaf, Cell, Leaf]]:
    """Two leaves that can be told apart by one fact alone, and this fact."""
    for leaf in asked.tree.leaves:
        for fact, content in leaf.facts.items():
            ways = asked.ways[fact]
            for other in ways[ways.index(content) + 1 :]:
                for reaches in reached(asked.tree.root, {**leaf.facts, fact: other}):
                    if fact in reaches.facts:
                        yield leaf, fact, reaches


# --- effects -----------------------------------------------------------------------------------------------------


def effect_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Mapping[Cell, Any]]:
    """Every leaf in which the move is legal, with each other fact as each that it can be.

    None where the leaves are not all: an effect that these have, another might lack.
    """
    asked = question(state, move, unknown)
    if not asked.tree.whole:
        return
    told = {*asked.tree.read, *_told_of(state, move, asked.doubts)}
    legal = [leaf for leaf in asked.tree.leaves if leaf.verdict.legal]
    for number, leaf in enumerate(_various(legal)):
        yield leaf.facts
        rows = list(_rows(state, move, [fact for fact in asked.doubts if fact in told and fact not in leaf.facts]))
        some = rows if number == 0 else rows[number % len(rows) :][:1] if rows else ()
        yield from ({**row, **leaf.facts} for row in some)


def _various(leaves: Sequence[Leaf]) -> Iterator[Leaf]:
    """All of few leaves; of many, those with some two facts together that none before had."""
    seen: set[tuple[tuple[Cell, Any], ...]] = set()
    for leaf in leaves:
        pairs = set(combinations(leaf.facts.items(), 2))
        if len(leaves) <= FEW_LEGAL or not pairs <= seen:
            seen |= pairs
            yield leaf


def _rows(state: State, move: Move, facts: Sequence[Doubt]) -> Iterator[Mapping[Cell, Any]]:
    """Each fact alone as each that it can be; all villages alike."""
    ways = {fact: shown(state, move, fact) for fact in facts}
    built = [fact for fact in facts if fact.code == "building"]
    yield from (_built(state, built, "castle", n) for n in (CASTLES - 1, CASTLES) if built)
    yield from (_built(state, built, "city", n) for n in (CITIES - 1, CITIES) if built)
    alike = [fact for fact in facts if fact.code == "control"]
    yield from (dict.fromkeys(alike, content) for content in (ways[alike[0]] if len(alike) > 1 else ()))
    if sum(map(len, ways.values())) <= FEW_ROWS:
        yield from ({cast("Cell", fact): content} for fact, found in ways.items() for content in found)
        return
    for number in range(max(map(len, ways.values()))):
        row: dict[Cell, Any] = {fact: found[number % len(found)] for fact, found in ways.items()}
        yield row


def _built(state: State, facts: Sequence[Doubt], building: Building, most: int) -> Mapping[Cell, Any]:
    """As many castles, or cities, as there can be in these villages, with those that are known."""
    fief_of = state.land.fief_of
    left = most - sum(each == building for each in state.buildings.values())
    taken = {fief_of[village] for village, each in state.buildings.items() if each == "city"}
    row: dict[Cell, Any] = {}
    for fact in facts:
        if len(row) < left and (building == "castle" or fief_of[fact.name] not in taken):
            taken.add(fief_of[fact.name])
            row[fact] = building
    return row


OF_ALL_LORDS: Final = frozenset(
    {"FI-20", "FI-22", "FI-30", "FI-40", "FI-50", "FI-81", "FI-82", "FI-91", "FI-92", "FI-93", "FI-94"}
)
"""The rules of which effects tell who of all lords has what."""


OF_A_BATTLE: Final = frozenset({"FI-71", "FI-72", "FI-74", "FI-75"})


def tells(_state: State, move: Move, unknown: Sequence[Cell], effect: Effect) -> bool:
    """Whether an effect is certain though lords were not entered: not where it counts what all lords have, nor who
    fights where nobody has looked.
    """
    if "lords" not in unknown:
        return True
    unseen = next(fact.scope.villages for fact in unknown if isinstance(fact, Doubt))
    there = isinstance(move, moves.Attack) and move.village in unseen
    return effect.rule not in OF_ALL_LORDS and not (there and effect.rule in OF_A_BATTLE)
