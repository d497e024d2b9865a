"""Judges a game and a state without a table: rulings, legal moves, score sheets, positions.

Everything here is pure; `service.judgements` defines the values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import islice
from types import MappingProxyType
from typing import Final

from rules.forms import Malformed, TrackedReadings
from rules.kernel import Cell, Finding, Place, Seat, Verdict
from rules.ranking import first, totals
from rules.steps import TooMuch, at_most, each, spend, within
from rules.unknowns import NoFilling, PartialRuling
from rules.unknowns import judge as judge_open
from service.errors import Impossible, Invalid, Refused
from service.judgements import (
    AttemptedMove,
    CheckedPosition,
    Judgement,
    LegalMoves,
    ReadingAlternative,
    SatisfiedRule,
    ScoreChange,
    Sheet,
)
from service.rulings.other_readings import (
    decisive_alternatives,
    lets_pass,
    new_objection,
    other_values,
    states_by_other_values,
    trace_ruling,
)
from service.runtime.budget import APPLY_STEPS, BUDGET
from service.runtime.metrics import count_ruling
from service.tables.scores import due_of
from service.types import AnyGame, Move, Position, Setup, State
from service.validation import FieldError

NEAREST: Final = 3
AFFORDABLE: Final = 200
"""With more fillings of unknown cells, other readings are not tried; …"""
OTHERS: Final = BUDGET // 5
"""… nor if that takes more steps than these."""


def judge(game: AnyGame, state: State, move: Move, unknown: Sequence[Cell] = ()) -> Judgement:
    """Rule on a move in full: the findings, the effects, and the readings that would change them.

    `unknown` are the position's unknown cells and facts. Raises `Invalid` if nothing can fill them.
    """
    if unknown:
        return _judge_in_part(game, state, move, unknown)
    now = trace_ruling(game, state, move)
    verdict, outcome = now.verdict, now.outcome
    count_ruling(game.id, verdict.ruling.value)
    return Judgement(
        game,
        move,
        game.write(move),
        game.owner_of(state, move) or due_of(game, state).seat,
        verdict,
        tuple(decisive_alternatives(game, state, move, now)),
        () if verdict.legal else _nearest(game, state, move),
        None if verdict.legal else game.cannot_stand(state, move),
        () if outcome is None else (*outcome.effects, *outcome.end, *outcome.point_changes),
        None if outcome is None else outcome.due,
        None if outcome is None else outcome.after,
    )


def _judge_in_part(game: AnyGame, state: State, move: Move, unknown: Sequence[Cell]) -> Judgement:
    """The same with unknown cells; `state` is the known part. It omits nearby moves and what is due then, which would
    depend on further cells.
    """
    readings = TrackedReadings(state.readings)
    try:
        now = judge_open(game, game.with_readings(state, readings), unknown, move)
    except NoFilling as error:
        raise Invalid([("/position", FieldError("no_filling", values=error.cells))]) from None
    count_ruling(game.id, now.verdict.ruling.value)
    return Judgement(
        game,
        move,
        game.write(move),
        game.owner_of(state, move) or due_of(game, state).seat,
        now.verdict,
        within(OTHERS, lambda: tuple(_alternatives_in_part(game, state, move, unknown, now, readings.pop_keys_read())))
        or (),
        effects=now.effects,
        unknown=tuple(unknown),
        needs=now.needs,
        exact=now.exact,
    )


def _alternatives_in_part(
    game: AnyGame, state: State, move: Move, unknown: Sequence[Cell], now: PartialRuling, keys: Set[str]
) -> Iterator[ReadingAlternative]:
    """The values of readings that would change the ruling, if finding them is not too much work.

    It omits values that would only change effects: a certain effect of one reading may be true, but uncertain, under
    the other. And it omits values under which no filling can stand: these give no ruling.
    """
    affordable = now.whole and now.checks <= AFFORDABLE
    for key, value, other_state in states_by_other_values(game, state, keys, move) if affordable else ():
        with suppress(NoFilling):
            other = judge_open(game, other_state, unknown, move)
            if other.verdict.ruling is not now.verdict.ruling:
                yield ReadingAlternative(key, value, other.verdict.ruling, new_objection(other.verdict, now.verdict))


def _nearest(game: AnyGame, state: State, move: Move) -> tuple[Move, ...]:
    """The legal moves nearest to a refused one, those of its kind first; as many as half the budget finds."""
    found: list[Move] = []
    with at_most(BUDGET // 2) as effort, suppress(TooMuch):
        found += game.nearest(state, move)[:NEAREST]
        found += islice(_of_other_kinds(game, state, move), NEAREST - len(found))
        if not found:
            found += islice(_due_moves(game, state), NEAREST)
    spend(effort.steps)
    return tuple(found)


def _of_other_kinds(game: AnyGame, state: State, move: Move) -> Iterator[Move]:
    """The first legal move of each other due kind that touches a cell of a refused one."""
    cells = set(game.cells_of(move))
    for kind in _due_kinds(game, state) if cells else ():
        if kind != move.kind:
            at = (other for other in each(game.moves(state, (kind,))) if cells.intersection(game.cells_of(other)))
            yield from islice(at, 1)


def _due_moves(game: AnyGame, state: State) -> Iterator[Move]:
    """The first legal move of each kind that is due."""
    for kind in _due_kinds(game, state):
        yield from islice(each(game.moves(state, (kind,))), 1)


def _due_kinds(game: AnyGame, state: State) -> Iterator[str]:
    """The kinds that are due now, without those that may be entered at any time."""
    return (kind for kind in game.due(state).kinds if kind not in (*game.out_of_turn, *game.happenings))


def rules_without_objection(
    state: State, move: Move, verdict: Verdict, *, counts: bool = True
) -> tuple[SatisfiedRule, ...]:
    """Every rule that was checked and had no objection, once; with `counts`, with its count, if any."""
    objecting = {finding.rule for finding in verdict.findings if not lets_pass(finding)}
    found: dict[str, Finding | None] = {}
    for number, rule in enumerate(verdict.row):
        if number not in verdict.silent and rule.id not in objecting:
            facts = rule.objects(state, move) if counts else None
            if facts is None and rule.counts is not None and counts:
                facts = rule.counts(state, move)
            found[rule.id] = found.get(rule.id) if facts is None else Finding(rule.id, facts)
    return tuple(SatisfiedRule(rule, count_finding) for rule, count_finding in found.items())


def step(game: AnyGame, state: State, attempt: AttemptedMove, index: int = 0) -> tuple[Verdict, State]:
    """Judge one move and play it: the verdict and the state after it.

    Raises `Refused` if the rules forbid it and it does not stand, or cannot physically stand.
    """
    verdict = game.check(state, attempt.move)
    if not verdict.legal and (not attempt.stands or game.cannot_stand(state, attempt.move) is not None):
        raise Refused(index, judge(game, state, attempt.move), state, stands=attempt.stands)
    spend(APPLY_STEPS)
    count_ruling(game.id, verdict.ruling.value)
    return verdict, game.apply(state, attempt.move)


def replay(game: AnyGame, setup: Setup, moves: Sequence[AttemptedMove]) -> State:
    """Play moves from the setup on. Returns the state after the last one. Raises `Refused` at the first refused one."""
    state = game.setup(setup)
    for index, attempt in enumerate(moves):
        _, state = step(game, state, attempt, index)
    return state


def unknown_of(game: AnyGame, setup: Setup, position: Position | None) -> tuple[Cell, ...]:
    """The unknown cells and facts of a position, in reading order. Raises `Invalid` for unknowns that the game does not
    support.
    """
    if game.unknowns is None or position is None:
        return ()
    try:
        return game.unknowns.cells(setup, position)
    except Malformed as error:
        pointed = Invalid.of(error, game.id).field_errors
        raise Invalid([(f"/position{pointer}", wrong) for pointer, wrong in pointed]) from None


def known_position(game: AnyGame, setup: Setup, position: Position, *, in_part: bool) -> Position:
    """The known part of a position. Raises `Invalid` if the game requires all of it and some is unknown."""
    if game.unknowns is None:
        return position
    unknown = unknown_of(game, setup, position)
    if unknown and not in_part:
        raise Invalid([("/position", FieldError("unknown_cells", values=unknown))])
    return game.unknowns.known_part(setup, position)


def state_of(
    game: AnyGame, setup: Setup, moves: Sequence[AttemptedMove] = (), position: Position | None = None
) -> State:
    """The state that a request means: the moves from the setup on, or a position (then there are no moves).

    Raises `Refused` for the first refused move, `Impossible` for a position with problems.
    """
    if position is None:
        return replay(game, setup, moves)
    if problems := game.problems(setup, position):
        raise Impossible(game, setup, problems)
    return game.enter(setup, position)


def enter_with_problems(game: AnyGame, setup: Setup, position: Position, problems: Sequence[Finding]) -> State:
    """The state of a position with these problems. Raises `Malformed`, and `Impossible` if a problem prevents it."""
    if any((problem.rule, problem.facts.code) in game.barriers for problem in problems):
        raise Impossible(game, setup, tuple(problems))
    return game.enter(setup, position)


def state_and_problems(
    game: AnyGame,
    setup: Setup,
    moves: Sequence[AttemptedMove] = (),
    position: Position | None = None,
    *,
    anyway: bool = False,
    in_part: bool = False,
) -> tuple[State, tuple[Finding, ...]]:
    """The state that a request means, as `state_of`, and the problems of its position. With `anyway`, a position may
    have problems; with `in_part`, unknown cells, and the state is that of the known part.

    Raises `Invalid` for unknown cells without `in_part`, and `Impossible`; with `anyway`, only if a problem prevents
    any state.
    """
    if position is not None:
        position = known_position(game, setup, position, in_part=in_part)
    problems = game.problems(setup, position) if anyway and position is not None else ()
    if not problems or position is None:
        return state_of(game, setup, moves, position), ()
    try:
        return enter_with_problems(game, setup, position, problems), problems
    except Malformed:  # the problems include this error
        raise Impossible(game, setup, problems) from None


def check_position(
    game: AnyGame, setup: Setup, moves: Sequence[AttemptedMove] = (), position: Position | None = None
) -> CheckedPosition:
    """A position with its problems; it reports them, and never raises `Impossible`. With unknown cells, it checks the
    known part.
    """
    if position is None:
        state = replay(game, setup, moves)
        return CheckedPosition(game, state, game.position(state), game.due(state), ())
    unknown = unknown_of(game, setup, position)
    known_part = known_position(game, setup, position, in_part=True)
    if problems := game.problems(setup, known_part):
        return CheckedPosition(game, None, position, None, problems, unknown)
    state = game.enter(setup, known_part)
    return CheckedPosition(game, state, position if unknown else game.position(state), game.due(state), (), unknown)


def legal_moves(
    game: AnyGame,
    state: State,
    kind: str | None = None,
    at: Cell | None = None,
    limit: int | None = None,
    after: Move | None = None,
) -> LegalMoves:
    """The legal moves, perhaps only of one kind or touching one cell: at most `limit`, those `after` another one.

    Raises `Invalid` if that one is not in the list.
    """
    every = each(game.moves(state, None if kind is None else (kind,)))
    found = (move for move in every if at is None or at in game.cells_of(move))
    before = 0
    if after is not None:
        before = next((number for number, move in enumerate(found, start=1) if move == after), 0)
        if not before:
            raise Invalid([("/after", FieldError("not_listed"))])
    moves = tuple(islice(found, limit))
    more = limit is not None and len(moves) == limit and next(found, None) is not None
    return LegalMoves(game, moves, game.due(state), None if more else before + len(moves))


def sheet(game: AnyGame, state: State, problems: Sequence[Finding] = ()) -> Sheet:
    """The score now, who leads and why, forecasts, and what other readings would change.

    A position with problems has no forecasts: play never leads there, and may be unable to continue from there.
    """
    seats = game.seats_of(state)
    score_lines = game.score(state)
    lines = {seat: tuple(line for line in score_lines if line.seat == seat) for seat in seats}
    sums = {seat: sum(line.points for line in lines[seat]) for seat in seats}
    ranking = game.ranking(state)
    scoring = {reading.key for reading in game.readings if reading.scores}
    changes = tuple(
        _change(game, state, key, value, sums, ranking) for key, value in other_values(game, state, scoring)
    )
    ended = game.due(state).ended
    forecasts = () if ended or problems else game.forecasts(state)
    return Sheet(game, MappingProxyType(lines), MappingProxyType(sums), ranking, ended, changes, forecasts)


def _change(
    game: AnyGame, state: State, key: str, value: str, now: Mapping[Seat, int], ranking: tuple[Place, ...]
) -> ScoreChange:
    other = game.with_readings(state, {key: value})
    sums = totals(game, other)
    places = game.ranking(other)
    winner_changes = set(first(places)) != set(first(ranking))
    return ScoreChange(key, value, sums, places, winner_changes, winner_changes or sums != now)
