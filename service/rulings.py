"""What a referee can say of a game and a state, without a table: rulings, legal moves, score sheets, positions.

Everything here is pure and speaks in codes; `service.texts` has the words and `service.wire` the JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rules.kernel import (
    Cell,
    Due,
    Ended,
    Facts,
    Finding,
    Game,
    Line,
    Place,
    Ruling,
    Seat,
    Verdict,
)

AnyGame: TypeAlias = "Game[Any, Any]"
NEAREST = 3


@dataclass(frozen=True, slots=True)
class Try:
    """A move that somebody wants to play. `stands`: play it even if the rules forbid it, by common consent."""

    move: Any
    stands: bool = False


@dataclass(frozen=True, slots=True)
class Other:
    """Another value of a reading, and the ruling that it would bring."""

    key: str
    value: str
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Judgement:
    """A ruling in full: the verdict on a move, and what a player would ask next.

    `others` has only the values of readings that would change the ruling; `nearest` the legal moves of the same kind
    nearest to a refused one; `cannot_stand` says what makes it impossible to put the piece there at all.
    """

    game: AnyGame = field(repr=False)
    move: Any
    notation: str
    seat: Seat | None
    verdict: Verdict
    others: tuple[Other, ...] = ()
    nearest: tuple[Any, ...] = ()
    cannot_stand: Facts | None = None

    @property
    def ruling(self) -> Ruling:
        """The answer in one word."""
        return self.verdict.ruling


@dataclass(frozen=True, slots=True)
class Choices:
    """The legal moves of a state, and whose move it is."""

    game: AnyGame = field(repr=False)
    moves: tuple[Any, ...]
    due: Due


@dataclass(frozen=True, slots=True)
class Change:
    """What the score would be under another value of a reading."""

    key: str
    value: str
    totals: Mapping[Seat, int]
    winner_changes: bool
    changes: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet. `ended` is None while the game goes on: then it says what it would be if it ended now."""

    game: AnyGame = field(repr=False)
    lines: Mapping[Seat, tuple[Line, ...]]
    totals: Mapping[Seat, int]
    ranking: tuple[Place, ...]
    ended: Ended | None
    sensitivity: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A position, as the players would write it down, and everything in it that cannot stand on a table.

    Where it has problems there is no state, and nothing is due.
    """

    game: AnyGame = field(repr=False)
    state: Any
    position: Any
    due: Due | None
    problems: tuple[Finding, ...]


class Refused(Exception):
    """A move that the rules forbid, or (`stands`) that was to stand and cannot even lie on the table.

    `index` is its place in the moves that were sent; `state` is the state before it, all earlier moves played.
    """

    def __init__(self, index: int, judgement: Judgement, state: Any, *, stands: bool = False) -> None:
        super().__init__(index, judgement.notation)
        self.index = index
        self.judgement = judgement
        self.state = state
        self.stands = stands


class Impossible(Exception):
    """A position that cannot stand on a table, with everything that is wrong with it."""

    def __init__(self, game: AnyGame, problems: tuple[Finding, ...]) -> None:
        super().__init__(game.id, [problem.rule for problem in problems])
        self.game = game
        self.problems = problems


def judge(game: AnyGame, state: Any, move: Any, verdict: Verdict | None = None) -> Judgement:
    """Rule on a move in full. `verdict` is the answer of `game.check`, where it is known already."""
    verdict = verdict or game.check(state, move)
    return Judgement(
        game,
        move,
        game.write(move),
        game.due(state).seat,
        verdict,
        tuple(_others(game, state, move, verdict.ruling)),
        () if verdict.legal else tuple(game.nearest(state, move))[:NEAREST],
        None if verdict.legal else game.cannot_stand(state, move),
    )


def _others(game: AnyGame, state: Any, move: Any, ruling: Ruling) -> Iterator[Other]:
    """The values of readings, other than the table's, that would change the ruling."""
    for key, value in _alternatives(game, state):
        other = game.check(game.with_readings(state, {key: value}), move).ruling
        if other is not ruling:
            yield Other(key, value, other)


def _alternatives(game: AnyGame, state: Any, *, scores: bool = False) -> Iterator[tuple[str, str]]:
    for reading in game.readings:
        if scores and not reading.scores:
            continue
        chosen = state.readings.get(reading.key, reading.default)
        yield from ((reading.key, value) for value in reading.values if value != chosen)


def step(game: AnyGame, state: Any, attempt: Try, index: int = 0) -> tuple[Verdict, Any]:
    """Judge one move and play it: the verdict and the state after it.

    Raises `Refused` where the rules forbid it and it does not stand, or where it cannot physically stand.
    """
    verdict = game.check(state, attempt.move)
    if not verdict.legal and (not attempt.stands or game.cannot_stand(state, attempt.move) is not None):
        raise Refused(index, judge(game, state, attempt.move, verdict), state, stands=attempt.stands)
    return verdict, game.apply(state, attempt.move)


def replay(game: AnyGame, setup: Any, moves: Sequence[Try]) -> Any:
    """Play moves from the setup on: the state after the last one. Raises `Refused` at the first that is refused."""
    state = game.setup(setup)
    for index, attempt in enumerate(moves):
        _, state = step(game, state, attempt, index)
    return state


def state_of(game: AnyGame, setup: Any, moves: Sequence[Try] = (), position: Any | None = None) -> Any:
    """The state that a request means: the moves from the setup on, or a position (then there are no moves).

    Raises `Refused` for the first move that is refused, `Impossible` for a position that cannot stand.
    """
    if position is None:
        return replay(game, setup, moves)
    if problems := game.problems(setup, position):
        raise Impossible(game, problems)
    return game.enter(setup, position)


def placed(game: AnyGame, setup: Any, moves: Sequence[Try] = (), position: Any | None = None) -> Placed:
    """A position with its problems: never `Impossible`, for telling them is what it is for."""
    if position is not None and (problems := game.problems(setup, position)):
        return Placed(game, None, position, None, problems)
    state = replay(game, setup, moves) if position is None else game.enter(setup, position)
    return Placed(game, state, game.position(state), game.due(state), ())


def choices(game: AnyGame, state: Any, kind: str | None = None, at: Cell | None = None) -> Choices:
    """The legal moves, of one kind or touching one cell where asked."""
    moves = game.moves(state, None if kind is None else (kind,))
    touching = tuple(move for move in moves if at is None or at in game.cells_of(move))
    return Choices(game, touching, game.due(state))


def sheet(game: AnyGame, state: Any) -> Sheet:
    """The score now, who leads and why, and what other readings would change."""
    seats = game.seats_of(state)
    scored = game.score(state)
    lines = {seat: tuple(line for line in scored if line.seat == seat) for seat in seats}
    totals = {seat: sum(line.points for line in lines[seat]) for seat in seats}
    ranking = game.ranking(state)
    changes = tuple(
        _change(game, state, key, value, totals, ranking) for key, value in _alternatives(game, state, scores=True)
    )
    return Sheet(game, lines, totals, ranking, game.due(state).ended, changes)


def _change(
    game: AnyGame, state: Any, key: str, value: str, totals: Mapping[Seat, int], ranking: tuple[Place, ...]
) -> Change:
    other = game.with_readings(state, {key: value})
    sums = dict.fromkeys(totals, 0)
    for line in game.score(other):
        sums[line.seat] += line.points
    winner_changes = set(game.ranking(other)[0].seats) != set(ranking[0].seats)
    return Change(key, value, sums, winner_changes, winner_changes or sums != totals)


__all__ = [
    "AnyGame",
    "Change",
    "Choices",
    "Impossible",
    "Judgement",
    "Other",
    "Placed",
    "Refused",
    "Sheet",
    "Try",
    "choices",
    "judge",
    "placed",
    "replay",
    "sheet",
    "state_of",
    "step",
]
