"""The values that the referee returns: rulings, legal moves, score sheets and positions, without words.

`service.rulings.judge` makes them, `service.i18n.sentences` puts them into words, and `service.http.serializers`
into JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from rules.kernel import Cell, Due, Effect, Ended, Facts, Finding, Forecast, Line, Place, Ruling, Seat, Verdict
from rules.ranking import first, winners
from rules.records import dataclass
from service.types import AnyGame, Move, Position, State


@dataclass(frozen=True, slots=True)
class AttemptedMove:
    """A move that somebody wants to play. `stands`: play it even if the rules forbid it, by common consent."""

    move: Move
    stands: bool = False


class SatisfiedRule(NamedTuple):
    """A rule that did not object, with its count where it counted something."""

    rule: str
    count_finding: Finding | None


class MissingEffect(NamedTuple):
    """An effect that a move would not have."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class ReadingAlternative:
    """Another value of a reading, and the ruling that it would bring.

    `differences` are what would object, or, of a move that is ruled alike, what would be brought about instead, what
    would not, and what would be due after it, the most telling first. Some may be told by the same sentence as now.
    """

    key: str
    value: str
    ruling: Ruling
    differences: tuple[Finding | Effect | MissingEffect | Due, ...]


class NearbyMove(NamedTuple):
    """A legal move near a refused one, and why it is near."""

    move: Move
    why: tuple[Facts, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """A ruling in full: the verdict on a move, and what a player would ask next.

    `alternatives` has just the values of readings that would change the ruling or the effects; `nearest_moves` the
    legal moves nearest to a refused one, those of its kind first; `cannot_stand` says what makes it impossible to put
    the piece there at all. `effects` are what the move brings about, `after` the state after it and `due` what is due
    then, where the rules let it pass.

    Of a position with `unknown` cells or facts, `needs` are those on which the ruling depends, where it is unproven;
    not `exact`: they may be fewer. The effects are then those that are certain.
    """

    game: AnyGame = field(repr=False)
    move: Move
    notation: str
    seat: Seat | None
    verdict: Verdict
    alternatives: tuple[ReadingAlternative, ...] = ()
    nearest_moves: tuple[Move, ...] = ()
    cannot_stand: Facts | None = None
    effects: tuple[Effect, ...] = ()
    due: Due | None = None
    after: State | None = field(default=None, compare=False, repr=False)
    unknown: tuple[Cell, ...] = ()
    needs: tuple[Cell, ...] = ()
    exact: bool = True

    @property
    def ruling(self) -> Ruling:
        """The ruling itself: legal, illegal or unproven."""
        return self.verdict.ruling

    @property
    def nearby_moves(self) -> tuple[NearbyMove, ...]:
        """The nearest legal moves, each with why it is near."""
        return tuple(NearbyMove(other, self.game.why_near(self.move, other)) for other in self.nearest_moves)


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """The legal moves of a state, or a page of them, and whose move it is.

    `count` is how many there are in all, or None while there are more: nobody has counted them then.
    """

    game: AnyGame = field(repr=False)
    moves: tuple[Move, ...]
    due: Due
    count: int | None

    @property
    def next(self) -> Move | None:
        """The last move of this page, after which the next page begins; None at the end."""
        return self.moves[-1] if self.count is None else None


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """The points and the ranking under another value of a reading."""

    key: str
    value: str
    totals: Mapping[Seat, int]
    ranking: tuple[Place, ...]
    winner_changes: bool
    changes: bool

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """The leaders under that value, several on a tie; empty where nobody would have a place."""
        return first(self.ranking)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet. `ended` is None while the game continues: then the sheet is what it would be if the game ended
    now, and `forecasts` are about the end, a tie, and what somebody lacks.
    """

    game: AnyGame = field(repr=False)
    lines: Mapping[Seat, tuple[Line, ...]]
    totals: Mapping[Seat, int]
    ranking: tuple[Place, ...]
    ended: Ended | None
    sensitivity: tuple[ScoreChange, ...]
    forecasts: tuple[Forecast, ...] = ()

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who has won: nobody while the game continues, at a draw of all, and if a game ends without a winner."""
        return winners(self.ranking) if self.ended is not None else ()


@dataclass(frozen=True, slots=True)
class CheckedPosition:
    """A position as the players would write it down, with everything in it that cannot stand on a table.

    A position with problems has no state, and nothing is due in it.
    """

    game: AnyGame = field(repr=False)
    state: State | None
    position: Position
    due: Due | None
    problems: tuple[Finding, ...]
    unknown: tuple[Cell, ...] = ()
