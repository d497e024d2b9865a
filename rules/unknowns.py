"""Rulings on a position with unknown cells: what is certain in any case, and which cells to look at for the rest.

A *partial position* is an entered position with ``"?"`` in place of the content of a cell, or of a fact. A *filling*
gives a content to each of them. A move is legal if every filling makes it legal, illegal if every filling makes it
illegal, and unproven else. A game defines the possible contents (`UnknownRules`); `judge` hears its rules on every
filling.
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
"""The maximum steps to find what a ruling needs; beyond, it needs all cells that may matter. …"""
MAX_TELLING: Final = 12_000
"""… The maximum steps to find its effects; beyond, it has none."""


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
    """How a game handles the unknown cells of a position. Every function is pure.

    In the position's form, ``Annotated[…, OrUnknown()]`` marks what may be ``"?"`` (`rules.forms`), and a member
    ``rest: Rest = None`` can declare each omitted cell unknown. Only `cells` and `known_part` get a form with ``"?"``;
    all other functions get the result of `known_part`.

    The name of an unknown thing is its cell, or, for a fact, a text such as ``supply white``, whose words are in the
    game's texts under ``[unknown]``. A game marks only what it can handle.
    """

    cells: Callable[[Any, Any], tuple[Cell, ...]]
    """(setup, partial position) -> the unknown cells and facts, in reading order; each once. Raises `Malformed`, with a
    pointer, for a ``"?"`` that the game cannot handle there."""
    known_part: Callable[[Any, Any], Any]
    """(setup, partial position) -> the position with unknown cells empty (or at their default), for `enter`, `problems`
    and `position`. It includes what a known cell shows of an unknown one, such as the other half of a brick."""
    relevant_cells: Callable[[S, M, Sequence[Cell]], tuple[Cell, ...]]
    """(known state, move, unknown cells) -> those on which the ruling may depend, in the same order. A superset is
    sound; fewer are quicker. If `effect_fillings` is None, also those on which an effect may depend."""
    fill: Callable[[S, Filling], S | None]
    """(known state, filling) -> the state with these cells filled, the other unknown ones empty; None if that cannot
    stand on a table, by supply or by contact. A move is due in a position: a state in which the game has ended is no
    filling, unless the known part ends it."""
    contents: Callable[[S, M, Cell], tuple[object, ...]] | None = None
    """(known state, move, unknown cell) -> the possible contents, as `fill` takes them, one of each sort. Two contents
    are of one sort if no rule or effect of this move distinguishes them, whatever lies elsewhere. At least one, and a
    dozen at most; emptiness is one of them, if possible. Required if `fillings` is None."""
    fillings: Callable[[S, M, Sequence[Cell]], Iterable[Filling]] | None = None
    """(known state, move, the cells of `relevant_cells`) -> fillings that represent all; None: every combination of
    `contents`. For a game with too many of these. Each has all cells of `relevant_cells`, and may have more, which
    `needs` ignores. They have to include:

    - for each outcome of some filling (ruling, rules that object, and the least and greatest of each count), one with
      that outcome;
    - for any cells of `relevant_cells` that do not decide the ruling, two that agree in these and differ in the ruling:
      mostly two that differ in one cell only, for each cell on which it depends. The same for each rule that objects.

    If they lack the second, they raise `Extremes` at their end: `needs` is then all that may matter."""
    judged_fillings: Callable[[S, M, Sequence[Cell]], Iterable[tuple[Filling, Verdict]]] | None = None
    """Like `fillings`, but only those that can stand, each with its verdict, so that the rules are not heard again. For
    a game that can judge them faster. It also needs `certain_effects`, or `effect_fillings` with only those in which
    the move is legal."""
    sorts: Callable[[S, M, Sequence[Cell], Sequence[Cell], Callable[[S], Verdict]], Sorts[S]] | None = None
    """(known state, move, the cells of `relevant_cells`, all unknown cells, a function that judges a state) -> the
    fillings of these cells by sorts: one of each sort is judged. For rules that only count what lies on many cells, if
    many fillings have the same count. It replaces all functions on fillings. Raises `TooMany`."""
    holds: Callable[[str, Facts], bool] = lambda *_: True
    """(rule, the facts of every filling, with bounds) -> whether the effect follows from these bounds alone. False if
    it compares two numbers whose bounds overlap: then it is omitted."""
    effect_fillings: Callable[[S, M, Sequence[Cell]], Iterable[Filling]] | None = None
    """(known state, move, all unknown cells) -> fillings for the effects: every effect that some filling lacks, one of
    these lacks. None: the judged fillings. For a game whose effects depend on more cells than the rules, or need fewer
    fillings: effects cost more than a ruling."""
    certain_effects: Callable[[S, M, Sequence[Cell]], Iterable[Effect]] | None = None
    """(known state, move, all unknown cells) -> the effects of every filling in which the move is legal, with the end
    and the points. For a game that can compute them; then `effect_fillings` is not called."""
    shows_outcome: bool = False
    """Whether the fillings for the effects also show the end, the winner and the points of each player: if any filling
    lacks some of these, one of them does. Then the effects include those that all fillings share."""
    is_certain: Callable[[S, M, Sequence[Cell], Effect], bool] = lambda *_: True
    """(known state, move, all unknown cells, an effect of all those fillings) -> whether every filling has it: False if
    it counts something that they do not show."""
    is_end_certain: Callable[[S, M, Sequence[Cell]], bool] = lambda *_: False
    """(known state, move, all unknown cells) -> whether the game ends in every filling if it does in those fillings.
    Then the end is an effect without its winner, if `is_certain` says that the winner is uncertain."""
    cells_to_light: Callable[[Cell], tuple[Cell, ...]] = lambda cell: (cell,)
    """Unknown cell or fact -> the cells to light for it on the board: for a fact, those that it is about, or none."""
    distance: Callable[[S, M, Cell], float] = lambda *_: 0
    """(known state, move, unknown cell or fact) -> its distance from the move: the nearest is to be looked at first; at
    equal distance, the first in reading order."""


S_co = TypeVar("S_co", covariant=True)


class Sorts(Protocol[S_co]):
    """All fillings that can stand, by sorts (`UnknownRules.sorts`)."""

    exact: bool
    """Whether the sorts cover every filling."""
    verdicts: Sequence[Verdict]
    """The verdict on each sort, with `Bounds` of its counts, and no evidence on unknown cells."""

    def groups(self, chosen: Collection[int]) -> Iterable[Collection[int]]:
        """For each combination of contents of some cells, which are given by number, the numbers of the sorts that are
        left. Raises `TooMany`.
        """

    def states(self) -> Iterable[S_co]:
        """States of legal fillings of all unknown cells, for the effects, the end and the points."""

    def is_certain(self, effect: Effect) -> bool:
        """Whether every filling has an effect that these states have."""


class PartialRuling(NamedTuple):
    """A ruling on a partial position.

    `verdict` has the findings of every filling, with `Bounds` where their counts differ. For rules that object to some
    fillings only, it has findings with the ruling `UNPROVEN`, the code `DIFFERS` and their needs. `needs`: the cells
    that decide the ruling, the nearest to the move first; each of them is necessary. `effects`: those of every filling
    in which the move is legal. `exact`: false if there were too many fillings (then the ruling is unproven), or if they
    did not show what it depends on; `needs` is then all that may matter. `checks`: the number of verdicts. `whole`:
    false if there were too many fillings: then no other reading changes the ruling.
    """

    verdict: Verdict
    needs: tuple[Cell, ...]
    effects: tuple[Effect, ...]
    exact: bool
    checks: int
    whole: bool = True


class NoFilling(Exception):
    """No content of the unknown cells gives a position that can stand; `cells` are those that were tried."""

    def __init__(self, cells: tuple[Cell, ...]) -> None:
        super().__init__(cells)
        self.cells = cells


def judge(game: Game[S, M], state: S, unknown: Sequence[Cell], move: M) -> PartialRuling:
    """Rule on a move in a position with the `unknown` cells; `state` is its known part.

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
    # A move that is illegal in every filling has no effects, so no fillings are needed for them.
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
    """The same for a game that has its fillings by sorts."""
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
    """The findings that follow from their bounds; of any other that objects, the rule alone."""
    for finding in verdict.findings:
        if rules.holds(*finding):
            yield finding
        elif finding.ruling is Ruling.ILLEGAL:
            yield Finding(finding.rule, Facts(DIFFERS))


def _with_needs(depends: DecidingCells, *, exact: bool) -> tuple[Verdict, tuple[Cell, ...], bool]:
    """The verdict on all fillings, what it needs, and whether that is exact, which takes `exact` and enough steps."""
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
    """The same, with its needs, and those of each finding, sorted by distance from the move."""

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
    """The needs of findings that are open in every filling."""
    return (need for finding in verdict.findings if finding.facts.code != DIFFERS for need in finding.facts.needs)


def squared_distance(cells: Iterable[Cell], cell: Cell) -> float:
    """The squared distance of a cell of a grid from the nearest of others; infinite for a fact.

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
    """The effects in common that every filling has."""
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
