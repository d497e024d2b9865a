"""Fief: which unknown facts matter for a move, and the fillings that stand for all.

The rules are heard on what is known, in a state that notes which unknown facts they look at. What they looked at first
is filled in with all that it can be, and so on: a tree of few leaves, each of which stands for every filling that has
its facts, whatever the others are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod
from typing import Any, Final, NamedTuple, cast

from rules.fief import moves
from rules.fief.book import BOOK
from rules.fief.moves import Move
from rules.fief.near import cells_of
from rules.fief.rounds import phase
from rules.fief.state import CASTLES, CITIES, Building, State
from rules.fief.unknowns.contents import contents, named, shown
from rules.fief.unknowns.doubts import Doubt
from rules.fief.unknowns.filling import fill, put
from rules.fief.unknowns.watched import Watched
from rules.kernel import Cell, Effect, Ruling, hear
from rules.unknowns import Extremes

MOST_LEAVES: Final = 600
"""With more, the ruling is not decided exactly."""
FEW: Final = 200
"""So many combinations are heard one by one."""
MOST_PAIRS: Final = 30_000
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


class Leaf(NamedTuple):
    """Facts that decide the ruling, and which one it is, with the rules that object."""

    facts: Mapping[Cell, Any]
    answer: tuple[Ruling, tuple[str, ...]]


class Tree(NamedTuple):
    """The leaves, the facts that were looked at, and whether the leaves are all."""

    leaves: Sequence[Leaf]
    read: frozenset[Cell]
    whole: bool

    def open(self) -> bool:
        """Whether some leaves are legal, and some are not."""
        return len({leaf.answer[0] for leaf in self.leaves}) > 1


# --- the tree ----------------------------------------------------------------------------------------------------


def tree(state: State, move: Move, unknown: Sequence[Cell]) -> Tree:
    """All that the ruling can depend on; remembered as long as the doubts are, for it is asked for three times."""
    doubts = asked_of(state, move, unknown)
    if not doubts:
        return _grown(state, move, doubts)
    memo = doubts[0].scope.memo
    if move not in memo or memo[move][0] is not state:
        memo.clear()
        memo[move] = state, _grown(state, move, doubts)
    return cast("Tree", memo[move][1])


def asked_of(state: State, move: Move, unknown: Iterable[Cell]) -> list[Doubt]:
    """The facts that are asked for one by one: of the lords who were not entered, those whom the move names."""
    spoken = named(state, move)
    return [fact for fact in unknown if isinstance(fact, Doubt) and (fact.code != "lord" or fact.name in spoken)]


def _grown(state: State, move: Move, doubts: Sequence[Doubt]) -> Tree:
    found: list[Leaf] = []
    waiting: list[dict[Cell, Any]] = [{}]
    ways: dict[Doubt, tuple[Any, ...]] = {}
    while waiting:
        facts = waiting.pop()
        filled = put(state, facts)
        if filled is None:
            continue
        watched = Watched(filled, (doubt for doubt in doubts if doubt not in facts))
        seen: State = cast("State", watched)
        verdict = hear(BOOK[phase(seen), type(move)], seen, move)
        asked = next(iter(watched.seen), None) or next(_implied(filled, facts, doubts), None)
        if asked is None:
            if fill(state, facts) is not None:
                found.append(Leaf(facts, (verdict.ruling, verdict.broken)))
        else:
            ways[asked] = ways.get(asked) or contents(state, move, asked)
            waiting += ({**facts, asked: content} for content in reversed(ways[asked]))
        if len(found) + len(waiting) > MOST_LEAVES:
            return Tree(found, frozenset(ways), whole=False)
    return Tree(found, frozenset(ways), whole=True)


def _implied(state: State, facts: Mapping[Cell, Any], doubts: Sequence[Doubt]) -> Iterator[Doubt]:
    """The facts on which it depends whether what is filled in can be so: a title has its city, a siege its site."""
    held = set(state.titles)
    sites = {siege.village for siege in state.sieges}
    built = {village for fief in held for village in state.land.fiefs[fief]} | sites
    pending = bool(state.sieges or state.captured or state.estates)
    needed = {*(f"building {village}" for village in built), *(f"control {village}" for village in sites)}
    for doubt in doubts:
        if doubt not in facts and (doubt in needed or (pending and doubt.code in ("player", "place", "lords"))):
            yield doubt


# --- what matters ------------------------------------------------------------------------------------------------


def matter(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """What the rules look at, whatever the rest is."""
    grown = tree(state, move, unknown)
    chosen = grown.read if grown.whole or grown.open() else asked_of(state, move, unknown)
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


def fillings(state: State, move: Move, cells: Sequence[Cell]) -> Iterator[Mapping[Cell, Any]]:
    """Every combination where they are few, else every leaf; then two for each fact on which the answer depends.

    Where leaves are too many, those that were found are enough if the move is legal in some only.
    """
    grown, asked = tree(state, move, cells), asked_of(state, move, cells)
    usual: dict[Cell, Any] = {fact: default(state, fact) for fact in asked}
    few = grown.read if grown.whole else frozenset(asked)
    ways = {fact: contents(state, move, fact) for fact in asked if fact in few}
    if not grown.whole and grown.open():
        yield from ({**usual, **leaf.facts} for leaf in grown.leaves)
        raise Extremes
    if not grown.whole or prod(map(len, ways.values())) <= FEW:
        yield from ({**usual, **dict(zip(ways, each, strict=True))} for each in product(*ways.values()))
        return
    yield from ({**usual, **leaf.facts} for leaf in grown.leaves)
    yield from _pairs(state, usual, grown.leaves)


def _pairs(state: State, usual: Mapping[Cell, Any], leaves: Sequence[Leaf]) -> Iterator[Mapping[Cell, Any]]:
    """For each fact and each rule, two fillings that differ in the fact alone, and in what the rule says."""
    shown: set[tuple[Cell, frozenset[str], bool]] = set()
    for number, (some, other) in enumerate(combinations(leaves, 2)):
        if number > MOST_PAIRS:
            return
        if some.answer == other.answer:
            continue
        differing = [fact for fact, content in some.facts.items() if other.facts.get(fact, content) != content]
        if len(differing) != 1:
            continue
        key = differing[0], frozenset({*some.answer[1]} ^ {*other.answer[1]}), some.answer[0] is not other.answer[0]
        if key in shown:
            continue
        both = {**usual, **other.facts, **some.facts}
        pair = both, {**both, differing[0]: other.facts[differing[0]]}
        if all(fill(state, each) is not None for each in pair):
            shown.add(key)
            yield from pair


# --- effects -----------------------------------------------------------------------------------------------------


def effect_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Mapping[Cell, Any]]:
    """Every leaf in which the move is legal, with each other fact as each that it can be."""
    grown, asked = tree(state, move, unknown), asked_of(state, move, unknown)
    told = {*grown.read, *_told_of(state, move, asked)}
    legal = [leaf for leaf in grown.leaves if leaf.answer[0] is Ruling.LEGAL]
    for number, leaf in enumerate(legal):
        yield leaf.facts
        rows = list(_rows(state, move, [fact for fact in asked if fact in told and fact not in leaf.facts]))
        some = rows if number == 0 else rows[number % len(rows) :][:1] if rows else ()
        yield from ({**row, **leaf.facts} for row in some)


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
