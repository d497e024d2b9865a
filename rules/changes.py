"""Compares a table with an earlier state: the differences, and whether legal play can have led there.

The result is sound. *Impossible*: the game objects (by supply, by the turns, by what never leaves the board), or every
way was tried. *Possible*: a way was found, and the result contains it. Else it is undecided, and the result gives the
depth of the search. The ways follow the rules: the search tries no moves that a table might let stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from rules.game import Game
from rules.kernel import Cell, Ended, Facts, Finding, Piece, Ruling
from rules.steps import TooMuch, at_most, spend

S = TypeVar("S")
M = TypeVar("M")
AnyGame: TypeAlias = "Game[Any, Any]"

EFFORT: Final = 9_000
"""The maximum steps of a search."""
LOOKED_AT: Final = 12
"""Steps for a state on a way, beside those of its moves."""
WRITE_STEPS: Final = 60
"""Steps to write a position, if the game has no key of its own."""
DEEPEST: Final = 100
"""The maximum moves of a way."""
NEVER: Final = DEEPEST + 1
"""In place of a number of moves: no number leads there."""
OVER: Final = "over"
"""The code of an objection in every game: it was over before. Its words are the service's."""
END: Final = "end"
"""The code of the end of a game among the differences; its values are the rule, and those of the end's sentence."""


class Reachability(StrEnum):
    """Whether play can have led from one table to another."""

    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"


class Change(NamedTuple):
    """A piece that has vanished, has moved, or was added; `n` of them. `to`: the piece at its new place.

    The end of a game is a change, too, of a piece with the code `END`.
    """

    what: str
    piece: Piece
    n: int = 1
    to: Piece | None = None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells where it lay, and where it lies now."""
        return self.piece.cells + (self.to.cells if self.to else ())


class PositionComparison(NamedTuple):
    """The result of a comparison of two tables.

    `way`: moves that lead from the first to the second, if found. `why`: the objections that make it impossible; empty
    if all ways were tried instead. `searched_depth`: no way with at most this many moves leads there.
    """

    changes: tuple[Change, ...]
    reachability: Reachability
    way: tuple[Any, ...] = ()
    why: tuple[Finding, ...] = ()
    searched_depth: int = 0


def compare_positions(game: AnyGame, before: object, after: object) -> PositionComparison:
    """Compare two tables, and find out whether play can have led from the first to the second.

    It takes `EFFORT` steps at most, and a little more.
    """
    changes = changes_between(game, before, after)
    if _same(game, before, after):
        return PositionComparison(changes, Reachability.POSSIBLE)
    why = tuple(_objections(game, before, after))
    if why:
        return PositionComparison(changes, Reachability.IMPOSSIBLE, why=why)
    search: Search[object, object] = Search(game, after)
    reachability = search.run(before)
    return PositionComparison(changes, reachability, tuple(search.way), searched_depth=search.searched_depth)


# --- the differences ---------------------------------------------------------------------------------------------


def changes_between(game: Game[S, M], before: S, after: S) -> tuple[Change, ...]:
    """The end that only one of the tables has; then the pieces that vanished, moved, or were added."""
    was, now = Counter(game.changes.pieces(before)), Counter(game.changes.pieces(after))
    lost, new = was - now, now - was
    moved = list(_moved_pieces(lost, new))
    vanished = [Change("vanished", piece, n) for piece, n in lost.items() if n]
    added = [Change("added", piece, n) for piece, n in new.items() if n]
    return (*_ends(game.due(before).ended, game.due(after).ended), *vanished, *moved, *added)


def _ends(was: Ended | None, now: Ended | None) -> Iterator[Change]:
    """The changes if a game has ended, has not, or has ended otherwise."""
    for what, end in (("vanished", was), ("added", now)) if was != now else ():
        if end is not None:
            yield Change(what, Piece(END, (("rule", end.rule), *end.values.items())))


def _moved_pieces(lost: Counter[Piece], new: Counter[Piece]) -> Iterator[Change]:
    """Equal pieces at different places, removed from both counters."""
    there: dict[tuple[object, ...], list[Piece]] = {}
    for piece in new:
        if piece.cells:
            there.setdefault((piece.code, piece.values), []).append(piece)
    for piece in lost:
        for other in there.get((piece.code, piece.values), ()) if piece.cells else ():
            n = min(lost[piece], new[other])
            if n:
                lost[piece] -= n
                new[other] -= n
                yield Change("moved", piece, n, other)


# --- objections --------------------------------------------------------------------------------------------------


def _objections(game: Game[S, M], before: S, after: S) -> Iterator[Finding]:
    """The objections to play from one table to another: first, that the game was over."""
    ended = game.due(before).ended
    if ended is not None:
        yield Finding(ended.rule, Facts(OVER))
    yield from game.changes.objections(before, after)


def _same(game: Game[S, M], state: S, target: S) -> bool:
    same = game.changes.same
    return bool(state == target) if same is None else same(state, target)


# --- a way -------------------------------------------------------------------------------------------------------


@dataclass
class Search(Generic[S, M]):
    """Searches for legal moves that lead to a target state, deeper and deeper (iterative deepening A*).

    `limit`: the present maximum moves of a way. `was_cut_off`: some way was longer. `has_unproven_move`: some way had a
    move with an unproven ruling. `dead_ends`: key of a state -> the number of moves that do not lead from it to the
    target. `searched_depth`: no way with at most this many moves leads there.
    """

    game: Game[S, M]
    target: S
    way: list[M] = field(default_factory=list)
    limit: int = 0
    searched_depth: int = 0
    was_cut_off: bool = False
    has_unproven_move: bool = False
    dead_ends: dict[Hashable, int] = field(default_factory=dict)

    def run(self, state: S) -> Reachability:
        """Whether a way leads from a different state to the target."""
        first = self.game.changes.least(state, self.target)
        with at_most(EFFORT) as effort:
            try:
                reachability = self._deepen(state, max(first, 1))
            except TooMuch:
                self.way.clear()
                reachability = Reachability.UNDECIDED
        spend(min(effort.steps, EFFORT))
        return reachability

    def _deepen(self, state: S, first: int) -> Reachability:
        self.searched_depth = first - 1
        for limit in range(first, DEEPEST + 1):
            self.limit, self.was_cut_off = limit, False
            if self._find_way(state, 0):
                self.way.reverse()
                return Reachability.POSSIBLE
            every = self.game.changes.every_way and not self.has_unproven_move
            self.searched_depth = limit if every else self.searched_depth
            if not self.was_cut_off:
                return Reachability.IMPOSSIBLE if every else Reachability.UNDECIDED
        return Reachability.UNDECIDED

    def _find_way(self, state: S, depth: int) -> bool:
        """Whether the remaining moves lead to the target; then they are in `way`, the last move first."""
        spend(LOOKED_AT)
        changes, left = self.game.changes, self.limit - depth
        if _same(self.game, state, self.target):
            return True
        if depth and any(True for _ in _objections(self.game, state, self.target)):
            return False
        if changes.least(state, self.target) > left:
            self.was_cut_off = True
            return False
        key = self._key(state)
        failed_depth = self.dead_ends.get(key, 0)
        if failed_depth >= left:
            self.was_cut_off = self.was_cut_off or failed_depth < NEVER
            return False
        was_cut_off, self.was_cut_off = self.was_cut_off, False
        for move in self._moves(state):
            if self._find_way(self.game.apply(state, move), depth + 1):
                self.way.append(move)
                return True
        self.dead_ends[key] = left if self.was_cut_off else NEVER
        self.was_cut_off = self.was_cut_off or was_cut_off
        return False

    def _key(self, state: S) -> Hashable:
        """The key that identifies a state."""
        key = self.game.changes.key
        if key is not None:
            return key(state)
        spend(WRITE_STEPS)
        return repr(self.game.position(state))

    def _moves(self, state: S) -> Iterator[M]:
        """The legal moves that may be part of a way."""
        towards = self.game.changes.towards
        if towards is None:
            yield from self.game.moves(state)
            return
        for move in towards(state, self.target):
            ruling = self.game.check(state, move).ruling
            self.has_unproven_move = self.has_unproven_move or ruling is Ruling.UNPROVEN
            if ruling is Ruling.LEGAL:
                yield move
