"""Rulings on a position that leaves cells open: what holds whatever lies there, and where to look for the rest.

A *partial position* is an entered position with ``"?"`` in place of what lies on a cell, or of a fact. A *filling* says
what lies on each of them. A move is legal if every filling makes it legal, illegal if every filling makes it illegal,
and unproven else. A game says what can lie where (`UnknownRules`), and `judge` hears its rules on every filling.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, product
from math import inf, prod
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from rules.effects import ENDED, POINTS, effects_of
from rules.kernel import Bounds, Cell, Effect, Fact, Facts, Finding, Rule, Ruling, Value, Verdict, hear
from rules.old_names import accept_old_members, old_attributes
from rules.steps import spend, within
from rules.styled_name import StyledName

if TYPE_CHECKING:
    from rules.kernel import Game

S = TypeVar("S")
M = TypeVar("M")
Filling: TypeAlias = "Mapping[Cell, Any]"
"""What lies on each of some unknown cells, as the game's `contents` have it."""
MAX_CHECKS: Final = 2_048
"""So many fillings are heard at most; beyond, a ruling is unproven and not decided exactly."""
MAX_TRIED: Final = 2 * MAX_CHECKS
"""So many fillings are tried at most; those that cannot stand are not heard."""
CELLS: Final = 12
"""So many cells are filled in a step, where the filling cannot stand, …"""
CELLS_HEARD: Final = 50
"""… and where it can: what is heard then counts for itself."""
MAX_NEEDING: Final = 8_000
"""So many steps are spent to find what a ruling needs; beyond, it is all that may matter. …"""
MAX_TELLING: Final = 12_000
"""… So many are spent to tell its effects; beyond, none is told."""
TOLD: Final = 12
"""Steps to make a move on a filling, and work out its effects."""
COMPARED: Final = 20
"""So many fillings are compared in a step."""
DIFFERS: Final = "?"
"""The code of a finding of which the rule alone is certain: it objects in other words, or only to some fillings."""


@accept_old_members(
    ends="is_end_certain",
    heard="judged_fillings",
    known="known_part",
    lit="cells_to_light",
    matter="relevant_cells",
    outcome="shows_outcome",
    tells="is_certain",
    told="certain_effects",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownRules(Generic[S, M]):
    """How a game deals with what a position leaves open. Every function is pure.

    In the position's form, ``Annotated[…, OrUnknown()]`` marks what may be ``"?"`` (`rules.forms`), and a member
    ``rest: Rest = None`` lets a position say that each cell which it leaves out is unknown. A form with ``"?"`` in it
    is given to `cells` and `known_part` only; all else gets what `known_part` made of it.

    An unknown thing is named by its cell, or, where it is a fact, by a text such as ``supply white``; the game's texts
    have the words of such a name in ``[unknown]``. What a game cannot deal with it does not mark.
    """

    cells: Callable[[Any, Any], tuple[Cell, ...]]
    """(setup, partial position) -> what is unknown, in reading order; each once. Raises `Malformed` for a ``"?"`` that
    the game cannot deal with there, with its pointer."""
    known_part: Callable[[Any, Any], Any]
    """(setup, partial position) -> the position with what is unknown left empty (or at its default): what `enter`,
    `problems` and `position` take. What a known cell tells of an unknown one, it has: the other half of a brick."""
    relevant_cells: Callable[[S, M, Sequence[Cell]], tuple[Cell, ...]]
    """(known state, move, unknown) -> those on which the ruling may depend, in the order given. A superset is sound;
    the fewer, the quicker. Where `effect_fillings` is None, also those at which an effect may look."""
    fill: Callable[[S, Filling], S | None]
    """(known state, filling) -> the state with these cells so, the other unknown ones left empty; None where that
    cannot stand on a table, by supply or by what touches. A position says whose move is due: what ends the game is no
    filling, unless what is known ends it."""
    contents: Callable[[S, M, Cell], tuple[object, ...]] | None = None
    """(known state, move, unknown cell) -> what can be there, each as `fill` takes it, of each sort one: two contents
    are of one sort where no rule or effect of this move tells them apart, whatever lies elsewhere. A dozen at most,
    never none. Emptiness is one of them, where a cell may be empty. Needed where `fillings` is None."""
    fillings: Callable[[S, M, Sequence[Cell]], Iterable[Filling]] | None = None
    """(known state, move, the cells of `relevant_cells`) -> fillings that stand for all of them; None: every
    combination of `contents`. Of its own where these are too many. Every one names all the cells of `relevant_cells`,
    and may name more, of which `needs` takes no notice. What they owe:

    - each outcome (ruling, rules that object, and the least and greatest of each count) that some filling has, one of
      these has;
    - two of these that agree in some cells of `relevant_cells` and differ in the ruling, for any cells that do not
      decide it: mostly two that differ in one cell only, for each cell on which it depends. The same for each rule that
      objects.

    Where they owe the second, they raise `Extremes` at their end: `needs` is then all that may matter."""
    judged_fillings: Callable[[S, M, Sequence[Cell]], Iterable[tuple[Filling, Verdict]]] | None = None
    """The same as `fillings`, of those alone that can stand, each with what the rules say of it; these are not heard
    again. Where a game knows that from less than a hearing of each. It needs `certain_effects` beside it, or
    `effect_fillings` of
    those alone in which the move is legal."""
    sorts: Callable[[S, M, Sequence[Cell], Sequence[Cell], Callable[[S], Verdict]], Sorts[S]] | None = None
    """(known state, move, the cells of `relevant_cells`, all that is unknown, what hears a state) -> the fillings of
    these cells by sorts: of one sort one is heard. For rules that only count what lies on many cells, where the ways to
    one
    count are many. It stands for all that fillings are else asked for. Raises `TooMany`."""
    holds: Callable[[str, Facts], bool] = lambda *_: True
    """(rule, what every filling tells, with bounds) -> whether it is so by these bounds alone. False where it says of
    two numbers which is more, and the bounds cross: then it is not told."""
    effect_fillings: Callable[[S, M, Sequence[Cell]], Iterable[Filling]] | None = None
    """(known state, move, all that is unknown) -> fillings to tell effects by: every effect that some filling lacks,
    one of these lacks. None: the fillings that were ruled on. Of its own where effects look at more cells than the
    rules, or where fewer fillings do: effects cost more than a ruling."""
    certain_effects: Callable[[S, M, Sequence[Cell]], Iterable[Effect]] | None = None
    """(known state, move, all that is unknown) -> the effects of every filling in which the move is legal, the end and
    the points among them. Where a game knows that by itself; then no `effect_fillings` are asked for."""
    shows_outcome: bool = False
    """Whether the fillings that effects are told by show the end, the winner and the points of each player, too: what
    some filling lacks of these, one of them lacks. Then they are told as far as all have them."""
    is_certain: Callable[[S, M, Sequence[Cell], Effect], bool] = lambda *_: True
    """(known state, move, all that is unknown, an effect of all those fillings) -> whether every filling has it: False
    where it counts what they do not show."""
    is_end_certain: Callable[[S, M, Sequence[Cell]], bool] = lambda *_: False
    """(known state, move, all that is unknown) -> whether the game ends in every filling if it does in those fillings.
    Then the end is told alone, where `is_certain` has it that who wins is not certain."""
    cells_to_light: Callable[[Cell], tuple[Cell, ...]] = lambda cell: (cell,)
    """What is unknown -> the cells to light for it on the board: of a fact those that it is about, or none."""
    distance: Callable[[S, M, Cell], float] = lambda *_: 0
    """(known state, move, something unknown) -> how far from the move it is: what is nearer is to be looked at first.
    At one distance, what comes first in reading order does."""


S_co = TypeVar("S_co", covariant=True)


class Sorts(Protocol[S_co]):
    """All fillings that can stand, by sorts (`UnknownRules.sorts`)."""

    exact: bool
    """Whether they are all."""
    verdicts: Sequence[Verdict]
    """What the rules say of each sort, with `Bounds` of what is counted, and no evidence on unknown cells."""

    def groups(self, chosen: Collection[int]) -> Iterable[Collection[int]]:
        """For each way that some cells of `matter` can be, by their numbers, the sorts that are left, by theirs.
        Raises `TooMany`.
        """

    def states(self) -> Iterable[S_co]:
        """States of legal fillings of all that is unknown, by which effects are told, the end and the points, too."""

    def is_certain(self, effect: Effect) -> bool:
        """Whether every filling has what these have."""


class Extremes(Exception):
    """Raised at the end of `fillings` that show every ruling, but not on which cells it depends."""


class TooMany(Exception):
    """Raised by `fillings` that would be too many to show every ruling."""


class PartialRuling(NamedTuple):
    """A ruling on a partial position.

    `verdict` has the findings of every filling, with `Bounds` where their counts differ, and, of rules that object to
    some fillings only, findings with the ruling `UNPROVEN`, the code `DIFFERS` and what they need. `needs` is what the
    ruling depends on, from the move on: none of it is idle, and together it decides. `effects` are those of every
    filling in which the move is legal. `exact` is false where there were too many fillings (then it is unproven), or
    where they did not show what it depends on: `needs` is then all that may matter. `checks` is how many were heard.
    `whole` is false where there were too many: another reading has no other ruling then.
    """

    verdict: Verdict
    needs: tuple[Cell, ...]
    effects: tuple[Effect, ...]
    exact: bool
    checks: int
    whole: bool = True


class NoFilling(Exception):
    """Nothing can lie on the unknown cells so that the position can stand; `cells` are those that were tried."""

    def __init__(self, cells: tuple[Cell, ...]) -> None:
        super().__init__(cells)
        self.cells = cells


class _FillingVerdict(NamedTuple):
    """A filling, in the order of the cells, with what the rules say of it."""

    filling: tuple[object, ...]
    state: Any
    verdict: Verdict


def judge(game: Game[S, M], state: S, unknown: Sequence[Cell], move: M) -> PartialRuling:
    """Rule on a move in a position of which `unknown` is open; `state` is the known part of it.

    Raises `NoFilling`, and `rules.steps.TooMuch` where steps are counted.
    """
    rules = game.unknowns
    if rules is None:
        raise TypeError(f"{game.id} has no unknown cells")
    return _nearest_first(rules, state, move, _ruling_and_needs(game, rules, state, unknown, move))


def _ruling_and_needs(
    game: Game[S, M], rules: UnknownRules[S, M], state: S, unknown: Sequence[Cell], move: M
) -> PartialRuling:
    """The ruling, with what it needs in reading order."""
    cells = tuple(rules.relevant_cells(state, move, unknown)) if unknown else ()
    if rules.sorts is not None:
        return _by_sorts(game, rules.sorts, state, unknown, move, cells)
    filling_verdicts, whole, exact = _hear_all(game, rules, state, cells, move)
    if not filling_verdicts and whole:
        raise NoFilling(cells)
    depends = _CellsByFilling(filling_verdicts, cells)
    if not whole:
        return PartialRuling(
            _combine_verdicts(depends, whole=False, exact=False),
            cells,
            (),
            False,
            _checks(filling_verdicts),
            whole=False,
        )
    verdict, needs, exact = _with_needs(depends, exact=exact)
    # Of a move that no filling lets pass there is nothing to tell, however many fillings effects would ask for.
    effects = partial(_effects, game, rules, state, unknown, move, filling_verdicts)
    certain_effects = () if verdict.ruling is Ruling.ILLEGAL else within(MAX_TELLING, effects) or ()
    return PartialRuling(verdict, needs, certain_effects, exact, _checks(filling_verdicts))


def _by_sorts(
    game: Game[S, M],
    make_sorts: Callable[[S, M, Sequence[Cell], Sequence[Cell], Callable[[S], Verdict]], Sorts[S]],
    state: S,
    unknown: Sequence[Cell],
    move: M,
    cells: tuple[Cell, ...],
) -> PartialRuling:
    """The same, of a game that has its fillings by sorts."""
    rules = game.unknowns
    if rules is None:
        raise TypeError(game.id)
    try:
        sorts = make_sorts(state, move, cells, unknown, lambda filled: _verdict_on(game, filled, move))
    except TooMany:
        return PartialRuling(Verdict(Ruling.UNPROVEN, (), ()), cells, (), False, 0, whole=False)
    if not sorts.verdicts:
        raise NoFilling(cells)
    verdict, needs, exact = _with_needs(_CellsBySort(sorts, cells), exact=sorts.exact)

    def effects() -> tuple[Effect, ...]:
        certain_effects = _common_effects(
            effects_of(game, each, move, game.apply(each, move)) for each in sorts.states()
        )
        return tuple(each for each in certain_effects if rules.holds(*each) and sorts.is_certain(each))

    certain_effects = () if verdict.ruling is Ruling.ILLEGAL else within(MAX_TELLING, effects) or ()
    verdict = verdict._replace(findings=tuple(_reliable_findings(rules, verdict)))
    return PartialRuling(verdict, needs, certain_effects, exact, len(sorts.verdicts))


def _reliable_findings(rules: UnknownRules[S, M], verdict: Verdict) -> Iterator[Finding]:
    """The findings, without those that are not so by their bounds alone; of these the rule, where it objects."""
    for finding in verdict.findings:
        if rules.holds(*finding):
            yield finding
        elif finding.ruling is Ruling.ILLEGAL:
            yield Finding(finding.rule, Facts(DIFFERS))


def _with_needs(depends: _CellsByFilling | _CellsBySort, *, exact: bool) -> tuple[Verdict, tuple[Cell, ...], bool]:
    """The verdict on all fillings, what it needs, and whether that is exact: as `exact` has it, or less."""
    if exact:
        with suppress(TooMany):
            found = within(MAX_NEEDING, partial(_verdict_and_needs, depends, exact=True))
            if found is not None:
                return *found, True
    return *_verdict_and_needs(depends, exact=False), False


def _verdict_and_needs(depends: _CellsByFilling | _CellsBySort, *, exact: bool) -> tuple[Verdict, tuple[Cell, ...]]:
    """The verdict, and what it needs. Raises `TooMany`."""
    verdict = _combine_verdicts(depends, whole=True, exact=exact)
    if verdict.ruling is not Ruling.UNPROVEN:
        return verdict, ()
    needs = depends.cells_for(_ruling) if exact else depends.cells
    return verdict, tuple(dict.fromkeys([*needs, *_needs_of_findings(verdict)]))


def _nearest_first(rules: UnknownRules[S, M], state: S, move: M, ruling: PartialRuling) -> PartialRuling:
    """The same, with what it needs, and what each of its findings does, from the move on."""

    def nearest(needs: Iterable[Cell]) -> tuple[Cell, ...]:
        return tuple(sorted(needs, key=lambda need: rules.distance(state, move, need)))

    findings = tuple(
        finding._replace(facts=finding.facts._replace(needs=nearest(finding.facts.needs)))
        for finding in ruling.verdict.findings
    )
    return ruling._replace(verdict=ruling.verdict._replace(findings=findings), needs=nearest(ruling.needs))


def _hear_all(
    game: Game[S, M], rules: UnknownRules[S, M], state: S, cells: Sequence[Cell], move: M
) -> tuple[list[_FillingVerdict], bool, bool]:
    """The fillings that can stand, heard; whether these are all there are; and whether they show what decides."""
    filling_verdicts: list[_FillingVerdict] = []
    try:
        for number, (filling, judged) in enumerate(_verdict_of_each(game, rules, state, cells, move)):
            if number >= MAX_TRIED or len(filling_verdicts) >= MAX_CHECKS:
                return filling_verdicts, False, False
            if judged is not None:
                filling_verdicts.append(_FillingVerdict(tuple([filling[cell] for cell in cells]), *judged))
    except Extremes:
        return filling_verdicts, True, False
    except TooMany:
        return filling_verdicts, False, False
    return filling_verdicts, True, True


def _verdict_of_each(
    game: Game[S, M], rules: UnknownRules[S, M], state: S, cells: Sequence[Cell], move: M
) -> Iterator[tuple[Filling, tuple[object, Verdict] | None]]:
    """The fillings, each with its state where it was made, and what the rules say; None of one that cannot stand."""
    if rules.judged_fillings is not None:
        yield from ((filling, (None, verdict)) for filling, verdict in rules.judged_fillings(state, move, cells))
        return
    for filling in _ways(rules, state, move, cells):
        filled = rules.fill(state, filling)
        spend(1 + len(filling) // (CELLS if filled is None else CELLS_HEARD))
        yield filling, None if filled is None else (filled, _verdict_on(game, filled, move))


def _verdict_on(game: Game[S, M], state: S, move: M) -> Verdict:
    """What the rules say of a move; not whether the game has ended by being stuck, which is no ruling on the move."""
    return hear(game.book[game.phase(state), type(move)], state, move)


def _checks(filling_verdicts: Sequence[_FillingVerdict]) -> int:
    """How many verdicts there are."""
    return len({id(each.verdict) for each in filling_verdicts})


def _ruling(verdict: Verdict) -> Ruling:
    return verdict.ruling


def _needs_of_findings(verdict: Verdict) -> Iterator[Cell]:
    """What findings need that are open in every filling."""
    return (need for finding in verdict.findings if finding.facts.code != DIFFERS for need in finding.facts.needs)


def _ways(rules: UnknownRules[S, M], state: S, move: M, cells: Sequence[Cell]) -> Iterable[Filling]:
    """The fillings to hear: the game's own, or every combination."""
    if rules.fillings is not None:
        return rules.fillings(state, move, cells)
    if rules.contents is None:
        raise TypeError("neither contents nor fillings")
    contents = [rules.contents(state, move, cell) for cell in cells]
    return (dict(zip(cells, each, strict=True)) for each in product(*contents))


def _possible_fillings(rules: UnknownRules[S, M], state: S, fillings: Iterable[Filling]) -> Iterator[tuple[Filling, S]]:
    """The fillings that can stand, each with its state."""
    for filling in fillings:
        filled = rules.fill(state, filling)
        if filled is not None:
            yield filling, filled


def squared_distance(cells: Iterable[Cell], cell: Cell) -> float:
    """How far a cell of a grid is from the nearest of others, squared; what is no cell of it is farthest.

    >>> squared_distance([(0, 0), (5, 5)], (1, 1)), squared_distance([(0, 0)], "supply white")
    (2, inf)
    """
    if isinstance(cell, str):
        return inf
    column, row = cell
    return min(((at[0] - column) ** 2 + (at[1] - row) ** 2 for at in cells if isinstance(at, tuple)), default=0)


def deviations(
    extremes: Mapping[Cell, Sequence[object]], contents: Mapping[Cell, Sequence[object]], most: int = 1_500
) -> Iterator[Filling]:
    """Fillings for rules that are monotone in each cell: all combinations of the extremes, as far as these are few,
    else each extreme alone beside a uniform rest; and each other content of each cell beside a uniform rest.

    >>> ways = deviations({"a": (0, 9), "b": (0, 9)}, {"a": (0, 5, 9), "b": (0, 9)})
    >>> [tuple(filling.values()) for filling in ways]
    [(0, 0), (0, 9), (9, 0), (9, 9), (5, 0), (5, 9)]
    """
    rows = max(map(len, extremes.values()), default=0)
    uniform = [{cell: each[min(row, len(each) - 1)] for cell, each in extremes.items()} for row in range(rows)]
    whole = prod(map(len, extremes.values())) <= most
    if whole:
        yield from (dict(zip(extremes, each, strict=True)) for each in product(*extremes.values()))
    else:
        yield from uniform
    for cell, every in contents.items():
        for content in every:
            if not whole or content not in extremes[cell]:
                yield from ({**row, cell: content} for row in uniform)


# --- what every filling says -------------------------------------------------------------------------------------


def _combine_verdicts(depends: _CellsByFilling | _CellsBySort, *, whole: bool, exact: bool) -> Verdict:
    """The verdict on all fillings: what is certain, and which rules are open."""
    verdicts = list({id(verdict): verdict for verdict in depends.verdicts}.values())
    rulings = {verdict.ruling for verdict in verdicts}
    ruling = rulings.pop() if whole and len(rulings) == 1 else Ruling.UNPROVEN
    certain = tuple(_certain_findings(verdicts, ruling)) if whole else ()
    objecting: tuple[Finding, ...] = ()
    if ruling is Ruling.UNPROVEN or (ruling is Ruling.ILLEGAL and not certain):
        objecting = tuple(_open_rules(verdicts, depends, exact=exact))
    return Verdict(ruling, (*certain, *objecting), *_row(verdicts))


def _row(verdicts: Sequence[Verdict]) -> tuple[tuple[Rule[object, object], ...], frozenset[int]]:
    """All rules that were asked for some filling, and which of them were heard for none."""
    rows = {id(verdict.row): verdict.row for verdict in verdicts}
    rules = {id(rule): rule for row in rows.values() for rule in row}
    heard_rules = {
        id(rule)
        for verdict in {(id(each.row), each.silent): each for each in verdicts}.values()
        for number, rule in enumerate(verdict.row)
        if number not in verdict.silent
    }
    return tuple(rules.values()), frozenset(number for number, rule in enumerate(rules) if rule not in heard_rules)


def _certain_findings(verdicts: Sequence[Verdict], ruling: Ruling) -> Iterator[Finding]:
    """The findings of every filling, their facts as far as they agree; none is left open."""
    for finding in _first_of_each(verdicts[0]).values():
        spend(len(verdicts) // 2)
        facts: Facts | None = finding.facts
        for verdict in verdicts[1:]:
            other = _first_of_each(verdict).get(finding.rule)
            if other is None:
                break
            facts = facts and facts_in_both(facts, other.facts)
        else:
            if ruling is Ruling.UNPROVEN and finding.ruling is not ruling:
                continue
            if facts is not None:
                yield Finding(finding.rule, facts)
            elif ruling is Ruling.ILLEGAL:
                yield Finding(finding.rule, Facts(DIFFERS))


def _first_of_each(verdict: Verdict) -> dict[str, Finding]:
    """The first finding of each rule that spoke."""
    return {finding.rule: finding for finding in reversed(verdict.findings)}


def _open_rules(
    verdicts: Sequence[Verdict], depends: _CellsByFilling | _CellsBySort, *, exact: bool
) -> Iterator[Finding]:
    """Each rule that objects to some fillings, with what it depends on."""
    broken = {id(verdict): verdict.broken_rules for verdict in verdicts}
    for rule in dict.fromkeys(rule for rules in broken.values() for rule in rules):
        needs = depends.cells_for(lambda verdict, rule=rule: rule in broken[id(verdict)]) if exact else depends.cells  # type: ignore[misc]  # mypy cannot infer a lambda with a default
        yield Finding(rule, Facts(DIFFERS, {}, (), Ruling.UNPROVEN, needs))


def facts_in_both(some: Facts, other: Facts) -> Facts | None:
    """What two facts say alike: numbers that differ become `Bounds`; None where it is another sentence.

    >>> facts_in_both(Facts("", {"own": 2, "cell": "c5"}), Facts("", {"own": 4, "cell": "c5"})).values
    {'own': Bounds(least=2, most=4), 'cell': 'c5'}
    >>> facts_in_both(Facts("", {"cell": "c5"}), Facts("", {"cell": "d5"})) is None
    True
    """
    if some is other:
        return some
    if some.code != other.code or some.ruling is not other.ruling or some.values.keys() != other.values.keys():
        return None
    values: dict[str, Value] = {}
    for name, value in some.values.items():
        joined = _common_value(value, other.values[name])
        if joined is None and value is not None:
            return None
        values[name] = joined
    return Facts(some.code, values, _common_evidence(some.evidence, other.evidence), some.ruling, some.needs)


def _common_value(value: Value, other: Value) -> Value:
    """A value that is the same, or the bounds of two numbers, or None; a name that is said in two ways is bare."""
    if _in_same_words(value, other):
        return value
    if _bare(value) == _bare(other):
        return _bare(value)
    bounds = [_bounds(each) for each in (value, other)]
    if None in bounds:
        return None
    (least, most), (low, high) = (each for each in bounds if each is not None)
    return Bounds(min(least, low), max(most, high))


def _in_same_words(value: object, other: object) -> bool:
    """Whether two values are the same, and every name in them is said in the same words; a bare name has none.

    >>> _in_same_words(StyledName("Henri", "king", {}), "Henri"), _in_same_words((1, "Henri"), (1, "Henri"))
    (False, True)
    """
    if isinstance(value, StyledName) or isinstance(other, StyledName):
        if not (isinstance(value, StyledName) and isinstance(other, StyledName) and value == other):
            return False
        return all(_in_same_words(part, other.values[name]) for name, part in value.values.items())
    if isinstance(value, tuple) and isinstance(other, tuple) and not isinstance(value, Bounds):
        return len(value) == len(other) and all(map(_in_same_words, value, other))
    return value == other


def _bare(value: Value) -> Value:
    """A name, or a list of names, without the words that it is said in: one may be with a title, and the other not.

    >>> from rules.styled_name import StyledName
    >>> _bare((StyledName("Henri", "king", {}), "Lambert"))
    ('Henri', 'Lambert')
    """
    if isinstance(value, tuple) and not isinstance(value, Bounds):
        return tuple(str(each) if isinstance(each, str) else each for each in value)
    return str(value) if isinstance(value, str) else value


def _bounds(value: Value) -> Bounds | None:
    if isinstance(value, Bounds):
        return value
    return Bounds(value, value) if type(value) is int else None


def _common_evidence(some: Sequence[Fact], other: Collection[Fact]) -> tuple[Fact, ...]:
    """The evidence that both show."""
    return tuple(fact for fact in some if fact in other)


# --- what it depends on ------------------------------------------------------------------------------------------


class _DecidingCells:
    """Which cells decide an answer."""

    cells: tuple[Cell, ...]
    verdicts: Sequence[Verdict]

    def __init__(self) -> None:
        self._cells_by_answers: dict[tuple[object, ...], tuple[Cell, ...]] = {}

    def cells_for(self, answer: Callable[[Verdict], object]) -> tuple[Cell, ...]:
        """A smallest set of cells that decides an answer: those of which each may turn it, and more if need be."""
        answer_by_id = {id(verdict): answer(verdict) for verdict in {id(each): each for each in self.verdicts}.values()}
        names: dict[object, int] = {}
        answers = [names.setdefault(answer_by_id[id(verdict)], len(names)) for verdict in self.verdicts]
        key = tuple(answers)
        if key not in self._cells_by_answers:
            self._cells_by_answers[key] = tuple(self.cells[number] for number in sorted(self._smallest(answers)))
        return self._cells_by_answers[key]

    def _smallest(self, answers: Sequence[int]) -> set[int]:
        candidates = self._candidates()
        chosen = {number for number in candidates if self._turns(answers, number)}
        added: list[int] = []
        for number in candidates:
            if self._decides(answers, chosen):
                break
            if number not in chosen:
                chosen.add(number)
                added.append(number)
        for number in added:
            if self._decides(answers, chosen - {number}):
                chosen.discard(number)
        return chosen

    def _candidates(self) -> Sequence[int]:
        """The cells that may decide anything."""
        return range(len(self.cells))

    def _turns(self, answers: Sequence[int], number: int) -> bool:
        """Whether two fillings differ in this cell only, and in the answer."""
        return not self._decides(answers, set(range(len(self.cells))) - {number})

    def _decides(self, answers: Sequence[int], chosen: Collection[int]) -> bool:
        """Whether the answer is known once these cells are."""
        raise NotImplementedError


class _CellsByFilling(_DecidingCells):
    """By all fillings: each is a number, the sum of one for each of its contents."""

    def __init__(self, filling_verdicts: Sequence[_FillingVerdict], cells: tuple[Cell, ...]) -> None:
        super().__init__()
        self.filling_verdicts, self.cells = filling_verdicts, cells
        self.verdicts = [each.verdict for each in filling_verdicts]

    @cached_property
    def parts(self) -> list[list[int]]:
        """Of each cell the number that its content is in each filling."""
        found: list[list[int]] = []
        step = 1
        for contents in zip(*(each.filling for each in self.filling_verdicts), strict=True):
            numbers: dict[object, int] = {}
            found.append([step * numbers.setdefault(content, len(numbers)) for content in contents])
            step *= len(numbers)
        return found

    @cached_property
    def fillings(self) -> list[int]:
        """Each filling as a number."""
        return self._numbers_of(range(len(self.cells)))

    def _candidates(self) -> Sequence[int]:
        # Of many cells most are the same in all fillings: they turn nothing.
        return [number for number, parts in enumerate(self.parts) if any(parts)]

    def _turns(self, answers: Sequence[int], number: int) -> bool:
        rest = [filling - part for filling, part in zip(self.fillings, self.parts[number], strict=True)]
        return not _is_consistent(rest, answers)

    def _decides(self, answers: Sequence[int], chosen: Collection[int]) -> bool:
        return _is_consistent(self._numbers_of(chosen), answers)

    def _numbers_of(self, chosen: Collection[int]) -> list[int]:
        """Of each filling what lies on some cells, as a number."""
        if not chosen:
            return [0] * len(self.verdicts)
        return [sum(parts) for parts in zip(*(self.parts[number] for number in chosen), strict=True)]


class _CellsBySort(_DecidingCells):
    """By the sorts of fillings that are left once some cells are known."""

    def __init__(self, sorts: Sorts[object], cells: tuple[Cell, ...]) -> None:
        super().__init__()
        self.sorts, self.cells, self.verdicts = sorts, cells, sorts.verdicts
        self._groups: dict[frozenset[int], set[frozenset[int]]] = {}

    def _decides(self, answers: Sequence[int], chosen: Collection[int]) -> bool:
        key = frozenset(chosen)
        if key not in self._groups:
            self._groups[key] = {frozenset(group) for group in self.sorts.groups(key)}
        return all(len({answers[sort] for sort in group}) <= 1 for group in self._groups[key])


def _is_consistent(keys: Sequence[int], answers: Sequence[int]) -> bool:
    """Whether the same key always has the same answer."""
    spend(1 + len(keys) // COMPARED)
    answer_by_key: dict[int, int] = {}
    return all(answer_by_key.setdefault(key, answer) == answer for key, answer in zip(keys, answers, strict=True))


# --- effects -----------------------------------------------------------------------------------------------------


def _effects(
    game: Game[S, M],
    rules: UnknownRules[S, M],
    state: S,
    unknown: Sequence[Cell],
    move: M,
    filling_verdicts: Sequence[_FillingVerdict],
) -> tuple[Effect, ...]:
    """The effects of every filling in which the move is legal."""
    if rules.certain_effects is not None:
        return tuple(rules.certain_effects(state, move, unknown))
    if rules.effect_fillings is None:
        states: Iterable[S] = (each.state for each in filling_verdicts if each.verdict.legal)
    else:
        ways = _possible_fillings(rules, state, rules.effect_fillings(state, move, unknown))
        are_legal = rules.judged_fillings is not None
        states = (filled for _, filled in ways if are_legal or _verdict_on(game, filled, move).legal)
    after = ((filled, game.apply(filled, move)) for filled in islice(states, MAX_CHECKS))
    tell = partial(effects_of, game) if rules.shows_outcome else game.effects
    common_effects = _common_effects(tell(filled, move, then) for filled, then in after)
    return tuple(_effects_of_every_filling(rules, state, move, unknown, common_effects))


def _effects_of_every_filling(
    rules: UnknownRules[S, M], state: S, move: M, unknown: Sequence[Cell], common_effects: Sequence[Effect]
) -> Iterator[Effect]:
    """Of what the fillings tell that effects are told by, what every filling has."""
    for effect in common_effects:
        if rules.is_certain(state, move, unknown, effect):
            yield effect
        elif effect.facts.code == ENDED and rules.is_end_certain(state, move, unknown):
            yield Effect(effect.rule, _end_in_both(effect.facts, effect.facts))


def _common_effects(each: Iterable[Sequence[Effect]]) -> Sequence[Effect]:
    """The effects that all lists have."""
    certain: Sequence[Effect] | None = None
    for effects in each:
        spend(TOLD)
        certain = effects if certain is None else tuple(effects_in_both(certain, effects))
        if not certain:
            break
    return certain or ()


def effects_in_both(some: Sequence[Effect], others: Sequence[Effect]) -> Iterator[Effect]:
    """The effects that both lists have: the same, or the only one of its rule and sentence, as far as they agree."""
    for effect in some:
        like = [other for other in others if _sort(other) == _sort(effect)]
        facts = next((effect.facts for other in like if _is_same(effect.facts, other.facts)), None)
        if facts is None and len(like) == 1 and sum(_sort(each) == _sort(effect) for each in some) == 1:
            facts = OF_BOTH.get(effect.facts.code, facts_in_both)(effect.facts, like[0].facts)
        if facts is not None:
            yield Effect(effect.rule, facts)


def _is_same(some: Facts, other: Facts) -> bool:
    """Whether two facts are told in the same words, and show the same."""
    return some == other and all(_in_same_words(value, other.values[name]) for name, value in some.values.items())


def _end_in_both(some: Facts, _other: Facts) -> Facts:
    """That the game ends by a rule; who has won is another one in each."""
    return some._replace(values={})


def _points_in_both(some: Facts, other: Facts) -> Facts | None:
    """The points of the players of whom both tell the same."""
    both_rows = [_rows(facts.values) for facts in (some, other)]
    rows = [row for row in both_rows[0] if row in both_rows[1]]
    seats, was, now = zip(*rows, strict=True) if rows else ((), (), ())
    return some._replace(values={"seats": seats, "was": was, "now": now}) if rows else None


def _rows(values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    return list(zip(values["seats"], values["was"], values["now"], strict=True))


OF_BOTH: Final[Mapping[str, Callable[[Facts, Facts], Facts | None]]] = {
    ENDED: _end_in_both,
    POINTS: _points_in_both,
}
"""How the effects of every game are told as far as two fillings have them; all others as `facts_in_both` has it."""


def _sort(effect: Effect) -> tuple[str, str]:
    return effect.rule, effect.facts.code


if not TYPE_CHECKING:  # else any name would do
    __getattr__ = old_attributes(
        __name__,
        Open="PartialRuling",
        apart="squared_distance",
        both="facts_in_both",
        in_both="effects_in_both",
    )
