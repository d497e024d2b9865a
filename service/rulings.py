"""What a referee can say of a game and a state, without a table: rulings, legal moves, score sheets, positions.

Everything here is pure; `service.judgements` has the values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rules.kernel import Cell, Place, Ruling, Seat, Verdict
from rules.ranking import first, totals
from service.datatypes import AnyGame, Move, Position, Setup, State
from service.errors import Impossible, Refused
from service.judgements import Change, Choices, Judgement, Other, Placed, Sheet, Try

NEAREST: Final = 3


def judge(game: AnyGame, state: State, move: Move, verdict: Verdict | None = None) -> Judgement:
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


def _others(game: AnyGame, state: State, move: Move, ruling: Ruling) -> Iterator[Other]:
    """The values of readings, other than the table's, that would change the ruling."""
    for key, value in _alternatives(game, state):
        other = game.check(game.with_readings(state, {key: value}), move).ruling
        if other is not ruling:
            yield Other(key, value, other)


def _alternatives(game: AnyGame, state: State, *, scores: bool = False) -> Iterator[tuple[str, str]]:
    for reading in game.readings:
        if scores and not reading.scores:
            continue
        chosen = state.readings.get(reading.key, reading.default)
        yield from ((reading.key, value) for value in reading.values if value != chosen)


def step(game: AnyGame, state: State, attempt: Try, index: int = 0) -> tuple[Verdict, State]:
    """Judge one move and play it: the verdict and the state after it.

    Raises `Refused` where the rules forbid it and it does not stand, or where it cannot physically stand.
    """
    verdict = game.check(state, attempt.move)
    if not verdict.legal and (not attempt.stands or game.cannot_stand(state, attempt.move) is not None):
        raise Refused(index, judge(game, state, attempt.move, verdict), state, stands=attempt.stands)
    return verdict, game.apply(state, attempt.move)


def replay(game: AnyGame, setup: Setup, moves: Sequence[Try]) -> State:
    """Play moves from the setup on: the state after the last one. Raises `Refused` at the first that is refused."""
    state = game.setup(setup)
    for index, attempt in enumerate(moves):
        _, state = step(game, state, attempt, index)
    return state


def state_of(game: AnyGame, setup: Setup, moves: Sequence[Try] = (), position: Position | None = None) -> State:
    """The state that a request means: the moves from the setup on, or a position (then there are no moves).

    Raises `Refused` for the first move that is refused, `Impossible` for a position that cannot stand.
    """
    if position is None:
        return replay(game, setup, moves)
    if problems := game.problems(setup, position):
        raise Impossible(game, problems)
    return game.enter(setup, position)


def placed(game: AnyGame, setup: Setup, moves: Sequence[Try] = (), position: Position | None = None) -> Placed:
    """A position with its problems: never `Impossible`, for telling them is what it is for."""
    if position is not None and (problems := game.problems(setup, position)):
        return Placed(game, None, position, None, problems)
    state = replay(game, setup, moves) if position is None else game.enter(setup, position)
    return Placed(game, state, game.position(state), game.due(state), ())


def choices(game: AnyGame, state: State, kind: str | None = None, at: Cell | None = None) -> Choices:
    """The legal moves, of one kind or touching one cell where asked."""
    moves = game.moves(state, None if kind is None else (kind,))
    touching = tuple(move for move in moves if at is None or at in game.cells_of(move))
    return Choices(game, touching, game.due(state))


def sheet(game: AnyGame, state: State) -> Sheet:
    """The score now, who leads and why, and what other readings would change."""
    seats = game.seats_of(state)
    scored = game.score(state)
    lines = {seat: tuple(line for line in scored if line.seat == seat) for seat in seats}
    sums = {seat: sum(line.points for line in lines[seat]) for seat in seats}
    ranking = game.ranking(state)
    changes = tuple(
        _change(game, state, key, value, sums, ranking) for key, value in _alternatives(game, state, scores=True)
    )
    return Sheet(game, lines, sums, ranking, game.due(state).ended, changes)


def _change(
    game: AnyGame, state: State, key: str, value: str, now: Mapping[Seat, int], ranking: tuple[Place, ...]
) -> Change:
    other = game.with_readings(state, {key: value})
    sums = totals(game, other)
    winner_changes = set(first(game.ranking(other))) != set(first(ranking))
    return Change(key, value, sums, winner_changes, winner_changes or sums != now)
