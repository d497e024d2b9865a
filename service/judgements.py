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
    """A rule that did not object, with its count, if any."""

    rule: str
    count_finding: Finding | None


class MissingEffect(NamedTuple):
    """An effect that a move would not have."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class ReadingAlternative:
    """Another value of a reading, and the ruling under it.

    `differences` are the new objections; or, under the same ruling, the new effects, the missing effects, and the new
    turn, the most important first. Some may have the same sentence as now.
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
    """A ruling in full: the verdict on a move, and the answers to a player's next questions.

    `alternatives` has only the values of readings that would change the ruling or the effects. `nearest_moves` are the
    legal moves nearest to a refused one, those of its kind first. `cannot_stand` is the reason why the piece cannot lie
    there at all. If the rules let the move pass, `effects` are its effects, `after` is the state after it, and `due`
    what is due then.

    In a position with `unknown` cells or facts, `needs` decide an unproven ruling; if not `exact`, fewer may decide it.
    The effects are then the certain ones.
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

    `count` is their total number, or None if more follow, which are not counted.
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
        """The leaders under that value, several on a tie; empty if nobody would have a place."""
        return first(self.ranking)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet. `ended` is None while the game continues: then the sheet shows the score if the game ended now.
    `forecasts` are about the end, a tie, and what a player lacks.
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
        """The winners; empty while the game continues, if all draw, and if a game ends without a winner."""
        return winners(self.ranking) if self.ended is not None else ()


@dataclass(frozen=True, slots=True)
class CheckedPosition:
    """A position as the players would write it down, with everything impossible in it.

    A position with problems has no state, and nothing is due in it.
    """

    game: AnyGame = field(repr=False)
    state: State | None
    position: Position
    due: Due | None
    problems: tuple[Finding, ...]
    unknown: tuple[Cell, ...] = ()
