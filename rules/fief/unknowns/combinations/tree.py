"""Fief: all that a ruling can depend on where facts are unknown, as a tree of few leaves.

The rules read a state that records which unknown facts they look at. The tree fills in the first of them with all that
it can be, and so on: each leaf stands for every filling that has its facts, whatever the others are. It asks a rule
once for each set of facts, and caches the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias, cast

from rules.agreement import DIFFERS
from rules.fief.book import BOOK
from rules.fief.lords import city_of
from rules.fief.moves import BuyCard, Give, Move
from rules.fief.problems import DECIDE_WINNERS
from rules.fief.rounds import phase
from rules.fief.state import State
from rules.fief.unknowns.contents.facts import contents, lords_in
from rules.fief.unknowns.contents.filling import clashes, faults, fill, has_pending, held_fiefs, put
from rules.fief.unknowns.gaps import Doubt, gaps_in
from rules.fief.unknowns.scope.names import unsure_names, with_bare_names
from rules.fief.unknowns.scope.ranges import with_bounds
from rules.fief.unknowns.scope.watched_state import Index, Unseen, WatchedState
from rules.kernel import Cell, Facts, Finding, Rule, Ruling, Verdict, hear
from rules.steps import spend

CLASHING: Final = frozenset(
    {
        *("building", "castles", "cities", "spouse", "fiefs", "bishop", "cardinal", "pope", "king", "regent", "arc"),
        *("lord", "lords", "arc_gone", "moved", "sieges"),
    }
)
"""The facts by which a table may be impossible; with sieges, or with something pending, all facts are."""
DECISIONS: Final[Mapping[tuple[str, type[Move]], tuple[str, ...]]] = {
    ("FI-50", BuyCard): ("king", "pope", "lords"),
    ("FI-3", Give): ("building", "fiefs", "king", "regent", "lords"),
}
"""Rule and kind of move -> the facts that decide whether the sentence names a decision."""
PLAIN: Final = ("legal", "phase", "phase_family")
"""The sentences that name a decision, or the same ones without it."""
LOOKED_AT: Final = 4
"""The number of facts that are looked at in a step."""
Values: TypeAlias = "dict[Cell, Any]"


class TreeLimits(NamedTuple):
    """The limits of a tree: the number of nodes, and of questions to a rule. A cached answer costs little."""

    nodes: int
    rule_calls: int


FULL: Final = TreeLimits(500, 160)
"""In a larger tree, a leaf ends where the first rule objects, …"""
ENDS: Final = TreeLimits(200, 60)
"""… and if this is too large as well, the ruling is not decided exactly."""


class Leaf(NamedTuple):
    """Facts that decide the ruling, and the answer of the rules for them."""

    facts: Mapping[Cell, object]
    verdict: Verdict

    @property
    def answer(self) -> tuple[Ruling, tuple[str, ...]]:
        """The ruling, and the rules that object."""
        return self.verdict.ruling, self.verdict.broken_rules


class Branch(NamedTuple):
    """A fact on which the ruling depends, and what follows from each of its values; None for an impossible table."""

    fact: Doubt
    ways: dict[Any, Any]


Node: TypeAlias = "Branch | Leaf | None"


class Tree(NamedTuple):
    """The leaves, the facts that were looked at, and whether the leaves are all.

    `full`: each leaf has every rule that objects, and not the first one alone; then `root` leads to them.
    """

    leaves: Sequence[Leaf]
    facts_read: frozenset[Cell]
    whole: bool
    full: bool
    root: Node

    def is_open(self) -> bool:
        """Whether some leaves are legal, and some are not."""
        return len({leaf.verdict.ruling for leaf in self.leaves}) > 1


class Impossible(Exception):
    """Two of the facts that are filled in contradict each other."""


class _Enough(Exception):
    """The tree is too large."""


# --- rules, and what they looked at --------------------------------------------------------------------------------


class _FilledFacts:
    """Facts that are filled in, with the state that a rule is asked about; the state is made on the first question."""

    def __init__(self, known_state: State, index: Index, facts: Mapping[Cell, object]) -> None:
        self.known_state, self.index, self.facts = known_state, index, facts

    @cached_property
    def watched_state(self) -> WatchedState:
        """The state. Raises `Impossible`."""
        state = put(self.known_state, self.facts)
        if state is None:
            raise Impossible
        return WatchedState(state, self.index, self.facts)


class _RememberedRule:
    """A rule with its answers so far, by the fact that it looked at first, its value, the next fact, and so on."""

    def __init__(self, rule: Rule[Any, Any]) -> None:
        self.rule = rule
        self.call_count = 0
        self.answers: dict[object, object] = {}
        """None -> the first `Branch`, or the answer that the rule always gives, in a list."""

    def objects(self, filled: _FilledFacts, move: Move) -> Facts | None:
        """The answer of the rule. Raises `Unseen` and `Impossible`."""
        found: Any = self.answers.get(None)
        while isinstance(found, Branch):
            if found.fact not in filled.facts:
                raise Unseen(found.fact)
            found = found.ways.get(filled.facts[found.fact])
        return self._hear(filled, move) if found is None else cast("Facts | None", found[0])

    def _hear(self, filled: _FilledFacts, move: Move) -> Facts | None:
        watched_state = filled.watched_state
        watched_state.facts_read = {}
        self.call_count += 1
        try:
            facts = self.rule.objects(cast("State", watched_state), move)
        except Unseen as unseen:
            self._keep(watched_state.facts_read, filled.facts, Branch(unseen.doubt, {}))
            raise
        facts = facts and with_bounds(facts)
        self._keep(watched_state.facts_read, filled.facts, [facts])
        return facts

    def _keep(self, facts_read: Iterable[Doubt], facts: Mapping[Cell, object], answer: object) -> None:
        ways: dict[object, object] = self.answers
        content: object = None
        for fact in facts_read:
            branch = ways.setdefault(content, Branch(fact, {}))
            if not isinstance(branch, Branch) or branch.fact != fact:
                return
            ways, content = branch.ways, facts[fact]
        ways[content] = answer


# --- the tree ----------------------------------------------------------------------------------------------------


class Question:
    """A move in a state of which facts are unknown."""

    def __init__(self, state: State, move: Move, doubts: Sequence[Doubt]) -> None:
        self.state, self.move, self.doubts = state, move, doubts
        self.index = Index(state, doubts)
        self.unsure_names = unsure_names(state, doubts)
        """The lords and fiefs that sentences call by their bare names."""
        self.row = BOOK[phase(state), type(move)]
        self._remembered_rules = [_RememberedRule(rule) for rule in self.row]
        self.rules = tuple(replace(each.rule, objects=each.objects) for each in self._remembered_rules)
        self.has_pending = has_pending(state)
        self.leaves: list[Leaf] = []
        self.ways: dict[Cell, tuple[object, ...]] = {}
        self._nodes = self.max_calls = 0
        self._tables: dict[tuple[tuple[Cell, object], ...], tuple[bool, tuple[Doubt, ...]]] = {}

    @cached_property
    def tree(self) -> Tree:
        """The tree of all facts that the ruling can depend on."""
        root, whole = self._grow(FULL, self._hear_all)
        if whole:
            return Tree(self.leaves, frozenset(self.ways), whole, True, root)
        many = self.leaves
        _, whole = self._grow(ENDS, self._hear_first_objection)
        return Tree([*self.leaves, *many], frozenset(self.ways), whole, False, None)

    def contents(self, fact: Doubt) -> tuple[Any, ...]:
        """The values that a fact can have."""
        if fact not in self.ways:
            self.ways[fact] = contents(self.state, self.move, fact)
        return self.ways[fact]

    def _grow(self, most: TreeLimits, hear_rules: object) -> tuple[Node, bool]:
        """A tree within these limits, and whether it is complete."""
        self.leaves, self.ways, self._nodes = [], {}, most.nodes
        self.max_calls = most.rule_calls + sum(rule.call_count for rule in self._remembered_rules)
        try:
            return self._node({}, hear_rules), True
        except _Enough:
            return None, False

    def _node(self, facts: Values, hear_rules: Any) -> Node:
        self._nodes -= 1
        if self._nodes < 0 or sum(rule.call_count for rule in self._remembered_rules) > self.max_calls:
            raise _Enough
        try:
            verdict = hear_rules(_FilledFacts(self.state, self.index, facts))
            fact = next((each for each in self._implied_facts(facts) if each not in facts), None)
        except Unseen as unseen:
            fact = unseen.doubt
        except Impossible:
            return None
        if fact is not None:
            return Branch(fact, {way: self._node({**facts, fact: way}, hear_rules) for way in self.contents(fact)})
        if not self.stands(facts):
            return None
        findings = tuple(map(self._finding_of_every_filling, verdict.findings))
        findings = tuple(each for each in findings if each.facts.code != DIFFERS or each.ruling is Ruling.ILLEGAL)
        self.leaves.append(Leaf(facts, verdict._replace(findings=findings)))
        return self.leaves[-1]

    def _hear_all(self, filled: _FilledFacts) -> Verdict:
        """The answers of all rules. Raises `Unseen` and `Impossible`."""
        return hear(self.rules, cast("State", filled), self.move)._replace(row=self.row)

    def _hear_first_objection(self, filled: _FilledFacts) -> Verdict:
        """The answer of the first rule sure to object, or else of all rules. Raises `Unseen`, `Impossible`."""
        spend(len(self.rules))
        waiting: set[str] = set()
        unseen: Unseen | None = None
        for number, rule in enumerate(self.rules):
            if not waiting.isdisjoint(rule.after):
                waiting.add(rule.id)
                continue
            try:
                facts = rule.objects(cast("State", filled), self.move)
            except Unseen as error:
                unseen = unseen or error
                waiting.add(rule.id)
                continue
            if facts is not None and facts.ruling is Ruling.ILLEGAL:
                silent = frozenset(range(len(self.rules))) - {number}
                return Verdict(Ruling.ILLEGAL, (Finding(rule.id, facts),), self.row, silent)
        if unseen is not None:
            raise unseen
        return self._hear_all(filled)

    def _finding_of_every_filling(self, finding: Finding) -> Finding:
        """A finding in words that are so with every filling: whether a decision is named can depend on a fact that no
        rule looked at (`plain`).
        """
        rests_on = DECISIONS.get((finding.rule, type(self.move)), ())
        if finding.facts.code in PLAIN and any(fact.code in rests_on for fact in self.doubts):
            return finding._replace(facts=Facts(DIFFERS, ruling=finding.ruling))
        return finding._replace(facts=with_bare_names(finding.facts, self.unsure_names))

    # --- what can be on a table

    def stands(self, facts: Mapping[Cell, object]) -> bool:
        """Whether these facts are possible on a table."""
        if self.has_pending or "sieges" in facts:
            return fill(self.state, facts) is not None
        return self._table(facts)[0]

    def cannot_stand(self, facts: Mapping[Cell, object]) -> bool:
        """Whether these facts are impossible on a table, whatever the others are."""
        state = put(self.state, facts)
        if state is None:
            return True
        cities = {f"building {village}" for fief in held_fiefs(state) for village in state.land.fiefs[fief]}
        unseen = any(fact in cities for fact in self.doubts if fact not in facts)
        return not unseen and any(clashes(state))

    def _implied_facts(self, facts: Values) -> Sequence[Doubt]:
        """The facts that decide whether these are possible: a title has its city, a siege its site."""
        return self._table(facts)[1]

    def _table(self, facts: Mapping[Cell, object]) -> tuple[bool, tuple[Doubt, ...]]:
        """Whether the facts that can clash are possible together, and the facts that they imply."""
        spend(1 + len(facts) // LOOKED_AT)
        key = tuple((fact, way) for fact, way in facts.items() if isinstance(fact, Doubt) and fact.code in CLASHING)
        if key not in self._tables:
            spend(1 + (len(self.doubts) + len(facts)) // LOOKED_AT)
            state = put(self.state, dict(key))
            stands = state is not None and not any(faults(state, gaps_in(self.index.scope)))
            self._tables[key] = stands, () if state is None else tuple(_implied_doubts(state, self.doubts))
        return self._tables[key]


def _implied_doubts(state: State, doubts: Iterable[Doubt]) -> Iterator[Doubt]:
    sites = {siege.village for siege in state.sieges}
    cityless = [fief for fief in held_fiefs(state) if city_of(state, fief) is None]
    built = {village for fief in cityless for village in state.land.fiefs[fief]} | sites
    codes = {"player", "place", "lords"} if has_pending(state) else set()
    if state.over:
        codes |= DECIDE_WINNERS
    needed = {*(f"building {village}" for village in built), *(f"control {village}" for village in sites)}
    for doubt in doubts:
        if doubt in needed or doubt.code in codes:
            yield doubt


def question_for(state: State, move: Move, unknown: Iterable[Cell]) -> Question:
    """The question about a move, cached as long as its doubts: callers need its tree repeatedly."""
    doubts = doubts_to_ask(state, move, unknown)
    if not doubts:
        return Question(state, move, doubts)
    memo = doubts[0].scope.memo
    if move not in memo or memo[move].state is not state:
        memo.clear()
        memo[move] = Question(state, move, doubts)
    return cast("Question", memo[move])


def doubts_to_ask(state: State, move: Move, unknown: Iterable[Cell]) -> list[Doubt]:
    """The facts that are asked for one by one: of the lords who were not entered, those whom the move names."""
    lords = lords_in(state, move)
    return [fact for fact in unknown if isinstance(fact, Doubt) and (fact.code != "lord" or fact.name in lords)]


def leaves_with(node: Node, facts: Mapping[Cell, object]) -> Iterator[Leaf]:
    """The leaves of all fillings with these facts."""
    while isinstance(node, Branch) and node.fact in facts:
        node = node.ways.get(facts[node.fact])
    if isinstance(node, Branch):
        for each in node.ways.values():
            yield from leaves_with(each, facts)
    elif node is not None:
        yield node
