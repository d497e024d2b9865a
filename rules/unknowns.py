"""Rulings on a position that leaves cells open: what holds whatever lies there, and where to look for the rest.

A *partial position* is an entered position with ``"?"`` in place of what lies on a cell, or of a fact. A *filling* says
what lies on each of them. A move is legal if every filling makes it legal, illegal if every filling makes it illegal,
and unproven else. A game says what can lie where (`UnknownRules`), and `judge` hears its rules on every filling.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Protocol, TypeVar

from rules.agreement import DIFFERS, combine_verdicts, common_effects, end_in_both
from rules.deciding_cells import CellsByFilling, CellsBySort, DecidingCells
from rules.effects import ENDED, effects_of
from rules.fillings import (
    MAX_CHECKS,
    Filling,
    FillingVerdict,
    TooMany,
    count_verdicts,
    judge_fillings,
    possible_fillings,
    verdict_on,
)
from rules.kernel import Cell, Effect, Facts, Finding, Ruling, Verdict
from rules.old_names import accept_old_members, old_attributes
from rules.records import dataclass
from rules.steps import within

if TYPE_CHECKING:
    from rules.game import Game

S = TypeVar("S")
M = TypeVar("M")
MAX_NEEDING: Final = 8_000
"""So many steps are spent to find what a ruling needs; beyond, it is all that may matter. …"""
MAX_TELLING: Final = 12_000
"""… The maximum number of steps to find its effects. Beyond it, the ruling has none."""


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
    `effect_fillings` of those alone in which the move is legal."""
    sorts: Callable[[S, M, Sequence[Cell], Sequence[Cell], Callable[[S], Verdict]], Sorts[S]] | None = None
    """(known state, move, the cells of `relevant_cells`, all that is unknown, what hears a state) -> the fillings of
    these cells by sorts: of one sort one is heard. For rules that only count what lies on many cells, where the ways to
    one count are many. It stands for all that fillings are else asked for. Raises `TooMany`."""
    holds: Callable[[str, Facts], bool] = lambda *_: True
    """(rule, what every filling has, with bounds) -> whether the effect follows from these bounds alone. False if it
    compares two numbers whose bounds cross: then it is left out."""
    effect_fillings: Callable[[S, M, Sequence[Cell]], Iterable[Filling]] | None = None
    """(known state, move, all that is unknown) -> fillings to tell effects by: every effect that some filling lacks,
    one of these lacks. None: the fillings that were ruled on. Of its own where effects look at more cells than the
    rules, or where fewer fillings do: effects cost more than a ruling."""
    certain_effects: Callable[[S, M, Sequence[Cell]], Iterable[Effect]] | None = None
    """(known state, move, all that is unknown) -> the effects of every filling in which the move is legal, the end and
    the points among them. Where a game knows that by itself; then no `effect_fillings` are asked for."""
    shows_outcome: bool = False
    """Whether the fillings for the effects show the end, the winner and the points of each player, too: if any filling
    lacks some of these, one of them does. Then the effects include them as far as all fillings share them."""
    is_certain: Callable[[S, M, Sequence[Cell], Effect], bool] = lambda *_: True
    """(known state, move, all that is unknown, an effect of all those fillings) -> whether every filling has it: False
    where it counts what they do not show."""
    is_end_certain: Callable[[S, M, Sequence[Cell]], bool] = lambda *_: False
    """(known state, move, all that is unknown) -> whether the game ends in every filling if it does in those fillings.
    Then the end is an effect without its winner, if `is_certain` says that the winner is uncertain."""
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
        """States of legal fillings of all that is unknown. Effects are taken from them, the end and the points, too."""

    def is_certain(self, effect: Effect) -> bool:
        """Whether every filling has what these have."""


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
    filling_verdicts, whole, exact = judge_fillings(game, rules, state, cells, move)
    if not filling_verdicts and whole:
        raise NoFilling(cells)
    depends = CellsByFilling(filling_verdicts, cells)
    if not whole:
        return PartialRuling(
            combine_verdicts(depends, whole=False, exact=False),
            cells,
            (),
            False,
            count_verdicts(filling_verdicts),
            whole=False,
        )
    verdict, needs, exact = _with_needs(depends, exact=exact)
    # Of a move that no filling lets pass there is nothing to tell, however many fillings effects would ask for.
    effects = partial(_effects, game, rules, state, unknown, move, filling_verdicts)
    certain_effects = () if verdict.ruling is Ruling.ILLEGAL else within(MAX_TELLING, effects) or ()
    return PartialRuling(verdict, needs, certain_effects, exact, count_verdicts(filling_verdicts))


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
        sorts = make_sorts(state, move, cells, unknown, lambda filled: verdict_on(game, filled, move))
    except TooMany:
        return PartialRuling(Verdict(Ruling.UNPROVEN, (), ()), cells, (), False, 0, whole=False)
    if not sorts.verdicts:
        raise NoFilling(cells)
    verdict, needs, exact = _with_needs(CellsBySort(sorts, cells), exact=sorts.exact)

    def effects() -> tuple[Effect, ...]:
        certain_effects = common_effects(
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


def _with_needs(depends: DecidingCells, *, exact: bool) -> tuple[Verdict, tuple[Cell, ...], bool]:
    """The verdict on all fillings, what it needs, and whether that is exact: as `exact` has it, or less."""
    if exact:
        with suppress(TooMany):
            found = within(MAX_NEEDING, partial(_verdict_and_needs, depends, exact=True))
            if found is not None:
                return *found, True
    return *_verdict_and_needs(depends, exact=False), False


def _verdict_and_needs(depends: DecidingCells, *, exact: bool) -> tuple[Verdict, tuple[Cell, ...]]:
    """The verdict, and what it needs. Raises `TooMany`."""
    verdict = combine_verdicts(depends, whole=True, exact=exact)
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


def _ruling(verdict: Verdict) -> Ruling:
    return verdict.ruling


def _needs_of_findings(verdict: Verdict) -> Iterator[Cell]:
    """What findings need that are open in every filling."""
    return (need for finding in verdict.findings if finding.facts.code != DIFFERS for need in finding.facts.needs)


def squared_distance(cells: Iterable[Cell], cell: Cell) -> float:
    """How far a cell of a grid is from the nearest of others, squared; what is no cell of it is farthest.

    >>> squared_distance([(0, 0), (5, 5)], (1, 1)), squared_distance([(0, 0)], "supply white")
    (2, inf)
    """
    if isinstance(cell, str):
        return inf
    column, row = cell
    return min(((at[0] - column) ** 2 + (at[1] - row) ** 2 for at in cells if isinstance(at, tuple)), default=0)


# --- effects -----------------------------------------------------------------------------------------------------


def _effects(
    game: Game[S, M],
    rules: UnknownRules[S, M],
    state: S,
    unknown: Sequence[Cell],
    move: M,
    filling_verdicts: Sequence[FillingVerdict],
) -> tuple[Effect, ...]:
    """The effects of every filling in which the move is legal."""
    if rules.certain_effects is not None:
        return tuple(rules.certain_effects(state, move, unknown))
    if rules.effect_fillings is None:
        states: Iterable[S] = (each.state for each in filling_verdicts if each.verdict.legal)
    else:
        ways = possible_fillings(rules, state, rules.effect_fillings(state, move, unknown))
        are_legal = rules.judged_fillings is not None
        states = (filled for _, filled in ways if are_legal or verdict_on(game, filled, move).legal)
    after = ((filled, game.apply(filled, move)) for filled in islice(states, MAX_CHECKS))
    tell = partial(effects_of, game) if rules.shows_outcome else game.effects
    in_common = common_effects(tell(filled, move, then) for filled, then in after)
    return tuple(_effects_of_every_filling(rules, state, move, unknown, in_common))


def _effects_of_every_filling(
    rules: UnknownRules[S, M], state: S, move: M, unknown: Sequence[Cell], in_common: Sequence[Effect]
) -> Iterator[Effect]:
    """Of the effects in common, those that every filling has."""
    for effect in in_common:
        if rules.is_certain(state, move, unknown, effect):
            yield effect
        elif effect.facts.code == ENDED and rules.is_end_certain(state, move, unknown):
            yield Effect(effect.rule, end_in_both(effect.facts, effect.facts))


if not TYPE_CHECKING:  # else any name would do
    __getattr__ = old_attributes(
        __name__,
        Open="PartialRuling",
        Extremes="rules.fillings.Extremes",
        MAX_TRIED="rules.fillings.MAX_TRIED",
        MOST_CHECKS="rules.fillings.MAX_CHECKS",
        MOST_TRIED="rules.fillings.MAX_TRIED",
        apart="squared_distance",
        both="rules.agreement.facts_in_both",
        effects_in_both="rules.agreement.effects_in_both",
        facts_in_both="rules.agreement.facts_in_both",
        in_both="rules.agreement.effects_in_both",
    )
