"""Functions for several games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from heapq import nsmallest
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from rules.kernel import LEGAL, Cell, Ended, Fact, Facts, Finding, Rule, Value, differing_fields
from rules.old_names import accept_old_arguments, old_attributes
from rules.steps import each, spend

S = TypeVar("S")
M = TypeVar("M")
Book: TypeAlias = "Mapping[tuple[str, type], tuple[Rule[S, Any], ...]]"
NEAREST = 3
"""The maximum number of legal moves offered in place of a refused one."""
DISTANCE_STEPS = 2
"""Steps to compute the distance between two moves."""

# --- lists of moves ----------------------------------------------------------------------------------------------


def passes(row: Sequence[Rule[S, M]], state: S, move: M) -> bool:
    """Whether a verdict of these rules would be legal: none objects and none is left open."""
    for number, rule in enumerate(row, start=1):
        facts = rule.objects(state, move)
        if facts is not None and facts.ruling is not LEGAL:
            spend(number)
            return False
    spend(len(row) or 1)
    return True


def legal_among(
    book: Book[S],
    phase: Callable[[S], str],
    candidates: Mapping[type[M], Callable[[S], Iterable[M]]],
    due: Callable[[S], Iterable[type[M]]] | None = None,
) -> Callable[..., Iterator[M]]:
    """A game's `moves`: the candidates, kind by kind, that the rulebook lets pass.

    `due` names the kinds to try in a state, in order; without it, all are tried. A game that needs a faster list
    computes it from the board instead.
    """

    def moves(state: S, kinds: Sequence[str] | None = None) -> Iterator[M]:
        now = phase(state)
        for form in candidates if due is None else due(state):
            if kinds is None or form.kind in kinds:  # type: ignore[attr-defined]  # every move has its kind
                row = book[now, form]
                yield from (move for move in candidates[form](state) if passes(row, state, move))

    return moves


@accept_old_arguments(far="distance")
def nearest_by(
    distance: Callable[[M, M], tuple[object, ...]],
    moves: Callable[..., Iterator[M]],
    alike: Callable[[S, M], Callable[[M], M | None]] | None = None,
) -> Callable[[S, M], tuple[M, ...]]:
    """A game's `nearest`: the legal moves nearest to a refused one of the same kind.

    `alike(state, move)` turns each of them into one that keeps the fixed parts of the refused move, or into None.
    """

    def nearest(state: S, move: M) -> tuple[M, ...]:
        listed = each(moves(state, (move.kind,)), DISTANCE_STEPS)  # type: ignore[attr-defined]  # every move has its kind
        if alike is not None:
            alike_moves = map(alike(state, move), listed)
            listed = iter(dict.fromkeys(other for other in alike_moves if other is not None))
        return tuple(nsmallest(NEAREST, listed, key=lambda other: distance(other, move)))

    return nearest


def difference_explainer(
    explainers: Mapping[str, Callable[[Any, Any], Facts]],
) -> Callable[[M, M], tuple[Facts, ...]]:
    """A game's `differences` that explains how some fields differ: (refused value, near value) -> a fact.

    Its code is the field's name, or begins with it and a dot.
    """

    def by(refused: M, near: M) -> tuple[Facts, ...]:
        return tuple(
            explainers[name](getattr(refused, name), getattr(near, name)) if name in explainers else facts
            for facts in differing_fields(refused, near)
            for name in (facts.code,)
        )

    return by


# --- rules -------------------------------------------------------------------------------------------------------


def not_due(rule: str, code: str = "") -> Rule[Any, Any]:
    """The rule against a kind of move that is not due."""
    return Rule(rule, lambda _, move: Facts(code, {"kind": move.kind}))


def game_over_rule(rule: str, game_end: Callable[[S], Ended | None], code: str = "") -> Rule[S, object]:
    """The rule that ended the game objects to any later move, and shows the cell where it ended, if any."""

    def objects(state: S, move: object) -> Facts | None:
        end = game_end(state)
        if end is None or end.rule != rule:
            return None
        cell: Any = end.values.get("cell")
        return Facts(code, end.values, () if cell is None else (Fact((cell,)),))

    return Rule(rule, objects)


# --- later tables ------------------------------------------------------------------------------------------------


class _WithTiles(Protocol):
    @property
    def tiles(self) -> Sized: ...


def missing_tiles(state: _WithTiles, target: _WithTiles) -> int:
    """A game's `Changes.least` if a move lays at most one tile: the number of missing tiles, at least 1."""
    return max(len(target.tiles) - len(state.tiles), 1)


# --- entered positions -------------------------------------------------------------------------------------------


def position_problem(rule: str, code: str = "", cells: Iterable[Cell] = (), **values: Value) -> Finding:
    """A problem of an entered position, which cannot stand on a table, with the cells that show it."""
    shown_cells = tuple(cells)
    return Finding(
        rule, Facts(f"position_{code}" if code else "position", values, (Fact(shown_cells),) if shown_cells else ())
    )


if not TYPE_CHECKING:  # else any name would do
    __getattr__ = old_attributes(
        __name__,
        differing_by="difference_explainer",
        ended_by="game_over_rule",
        wrong="position_problem",
    )
