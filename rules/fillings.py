"""The fillings of unknown cells: those to judge, and the verdict on each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from rules.kernel import Cell, Verdict, hear
from rules.steps import spend

if TYPE_CHECKING:
    from rules.game import Game
    from rules.unknowns import UnknownRules

S = TypeVar("S")
M = TypeVar("M")
Filling: TypeAlias = "Mapping[Cell, Any]"
"""Unknown cell -> what lies there, as in the game's `contents`."""
MAX_CHECKS: Final = 2_048
"""The maximum number of judged fillings; beyond, a ruling is unproven and not exact."""
MAX_TRIED: Final = 2 * MAX_CHECKS
"""The maximum number of tried fillings; those that cannot stand are not judged."""
CELLS: Final = 12
"""Cells that are filled in a step if the filling cannot stand, …"""
CELLS_HEARD: Final = 50
"""… and if it can: then the rules count their own steps."""


class Extremes(Exception):
    """Raised at the end of `fillings` that show every ruling, but not on which cells it depends."""


class TooMany(Exception):
    """Raised by `fillings` that would be too many to show every ruling."""


class FillingVerdict(NamedTuple):
    """A filling, in the order of the cells, with its state and its verdict."""

    filling: tuple[object, ...]
    state: Any
    verdict: Verdict


def judge_fillings(
    game: Game[S, M], rules: UnknownRules[S, M], state: S, cells: Sequence[Cell], move: M
) -> tuple[list[FillingVerdict], bool, bool]:
    """The fillings that can stand, judged; whether they cover every filling; whether they show the deciding cells."""
    filling_verdicts: list[FillingVerdict] = []
    try:
        for number, (filling, judged) in enumerate(_verdict_of_each(game, rules, state, cells, move)):
            if number >= MAX_TRIED or len(filling_verdicts) >= MAX_CHECKS:
                return filling_verdicts, False, False
            if judged is not None:
                filling_verdicts.append(FillingVerdict(tuple([filling[cell] for cell in cells]), *judged))
    except Extremes:
        return filling_verdicts, True, False
    except TooMany:
        return filling_verdicts, False, False
    return filling_verdicts, True, True


def _verdict_of_each(
    game: Game[S, M], rules: UnknownRules[S, M], state: S, cells: Sequence[Cell], move: M
) -> Iterator[tuple[Filling, tuple[object, Verdict] | None]]:
    """The fillings, each with its state, if computed, and its verdict; None for one that cannot stand."""
    if rules.judged_fillings is not None:
        yield from ((filling, (None, verdict)) for filling, verdict in rules.judged_fillings(state, move, cells))
        return
    for filling in _ways(rules, state, move, cells):
        filled = rules.fill(state, filling)
        spend(1 + len(filling) // (CELLS if filled is None else CELLS_HEARD))
        yield filling, None if filled is None else (filled, verdict_on(game, filled, move))


def verdict_on(game: Game[S, M], state: S, move: M) -> Verdict:
    """The verdict on a move, without the rule that ends a stuck game, which is no ruling on the move."""
    return hear(game.book[game.phase(state), type(move)], state, move)


def count_verdicts(filling_verdicts: Sequence[FillingVerdict]) -> int:
    """The number of distinct verdicts."""
    return len({id(each.verdict) for each in filling_verdicts})


def _ways(rules: UnknownRules[S, M], state: S, move: M, cells: Sequence[Cell]) -> Iterable[Filling]:
    """The fillings to judge: the game's own, or every combination."""
    if rules.fillings is not None:
        return rules.fillings(state, move, cells)
    if rules.contents is None:
        raise TypeError("neither contents nor fillings")
    contents = [rules.contents(state, move, cell) for cell in cells]
    return (dict(zip(cells, each, strict=True)) for each in product(*contents))


def possible_fillings(rules: UnknownRules[S, M], state: S, fillings: Iterable[Filling]) -> Iterator[tuple[Filling, S]]:
    """The fillings that can stand, each with its state."""
    for filling in fillings:
        filled = rules.fill(state, filling)
        if filled is not None:
            yield filling, filled
