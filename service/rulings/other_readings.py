"""The changes by other values of the readings: in the ruling on a move, or in the move's effects.

A move is judged and played, and the readings that the rules look at are recorded: no other can change anything. Then
it is judged and played with their other values, and the outcomes are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from rules.effects import Points, change_of, end_of
from rules.forms import TrackedReadings, with_readings
from rules.kernel import Due, Effect, Finding, Ruling, Seat, Verdict
from rules.records import dataclass
from service.judgements import MissingEffect, ReadingAlternative
from service.tables.scores import points_of
from service.types import AnyGame, Move, State


@dataclass(frozen=True)
class Outcome:
    """The states before and after a move, and its immediate consequences, which readings may change."""

    game: AnyGame
    before: State
    after: State
    due: Due
    end: tuple[Effect, ...]
    effects: tuple[Effect, ...]

    @cached_property
    def points(self) -> tuple[Points, Points]:
        """The points before and after the move, counted on demand."""
        return points_of(self.game, self.before), points_of(self.game, self.after)

    @property
    def gains(self) -> dict[Seat, int]:
        """The points that each player gains."""
        gains = dict.fromkeys(self.game.seats_of(self.after), 0)
        for sign, points in zip((-1, 1), self.points, strict=True):
            for (seat, _), n in points.items():
                gains[seat] += sign * n
        return gains

    @property
    def point_changes(self) -> Iterator[Effect]:
        """The points that change."""
        return change_of(self.game.seats_of(self.after), *self.points)


class TracedRuling(NamedTuple):
    """A verdict and its outcome, with the readings that the rules looked at.

    `judge_readings`: to judge the move; `play_readings`: to play it; `due_readings`: to find what is due then, and who
    has won; `effect_readings`: to find the effects.
    """

    verdict: Verdict
    outcome: Outcome | None
    judge_readings: Set[str]
    play_readings: Set[str] = frozenset()
    due_readings: Set[str] = frozenset()
    effect_readings: Set[str] = frozenset()


def trace_ruling(game: AnyGame, state: State, move: Move) -> TracedRuling:
    """Judge a move and play it, and record the readings that the rules look at."""
    readings = TrackedReadings(state.readings)
    watched = game.with_readings(state, readings)
    verdict = game.check(watched, move)
    judge_readings = readings.pop_keys_read()
    if not _may_be_made(game, watched, move, verdict):
        return TracedRuling(verdict, None, judge_readings)
    after = game.apply(watched, move)
    play_readings = readings.pop_keys_read()
    due_and_end = _due_and_end(game, watched, after)
    due_readings = readings.pop_keys_read()
    effects = game.effects(watched, move, after)
    effect_readings = readings.pop_keys_read()
    stands = with_readings(after, state.readings)
    return TracedRuling(
        verdict,
        Outcome(game, state, stands, *due_and_end, effects),
        judge_readings,
        play_readings,
        due_readings,
        effect_readings,
    )


def _may_be_made(game: AnyGame, state: State, move: Move, verdict: Verdict) -> bool:
    """Whether the rules let a move pass, or leave it unproven and it can lie on the table."""
    return verdict.legal or (verdict.ruling is Ruling.UNPROVEN and game.cannot_stand(state, move) is None)


def _due_and_end(game: AnyGame, before: State, after: State) -> tuple[Due, tuple[Effect, ...]]:
    """What is due after a move, and the winners if the game has ended."""
    due = game.due(after)
    return due, tuple(end_of(game, before, after, due))


def decisive_alternatives(game: AnyGame, state: State, move: Move, now: TracedRuling) -> Iterator[ReadingAlternative]:
    """The values of readings, other than the table's, that would change the ruling or the move's effects.

    Only readings that the rules looked at can, so only these are tried, and only at the same steps.
    """
    consequences = now.play_readings | now.due_readings | now.effect_readings
    for key, value, other in states_by_other_values(game, state, now.judge_readings | consequences, move):
        verdict = game.check(other, move) if key in now.judge_readings else now.verdict
        if verdict.ruling is not now.verdict.ruling:
            yield ReadingAlternative(key, value, verdict.ruling, new_objection(verdict, now.verdict))
        elif now.outcome is not None and key in consequences:
            outcome = _other_outcome(game, now, other, move, key)
            if outcome is not None and (else_ := _compare_outcomes(now.outcome, outcome, move)).is_noticeable:
                yield ReadingAlternative(key, value, verdict.ruling, tuple(else_.differences()))


def _other_outcome(game: AnyGame, now: TracedRuling, other: State, move: Move, key: str) -> Outcome | None:
    """The outcome of a move from a state with another value of a reading; None if nothing can differ.

    If the table is the same afterwards, only rules that looked at the reading are evaluated again.
    """
    outcome = now.outcome
    if outcome is None:
        return None
    changed = {key: other.readings[key]}
    after = game.apply(other, move) if key in now.play_readings else with_readings(outcome.after, changed)
    moved = key in now.play_readings and with_readings(after, outcome.after.readings) != outcome.after
    if not moved and key not in now.due_readings | now.effect_readings:
        return None
    due_and_end = _due_and_end(game, other, after) if moved or key in now.due_readings else (outcome.due, outcome.end)
    effects = game.effects(other, move, after) if moved or key in now.effect_readings else outcome.effects
    return Outcome(game, other, after, *due_and_end, effects)


class _OutcomeDifference(NamedTuple):
    """Two outcomes of a move: `new_effects` only the other one has, `lost_effects` only the present one."""

    now: Outcome
    other: Outcome
    new_effects: Sequence[Effect]
    lost_effects: Sequence[Effect]

    @property
    def is_noticeable(self) -> bool:
        """Whether a player would notice the difference: on the table, in what is due, in who won, or in an effect."""
        now, other = self.now, self.other
        if (_turn(now.due), now.end) != (_turn(other.due), other.end):
            return True
        if now.effects != other.effects and (self.new_effects or self.lost_effects or now.gains != other.gains):
            return True
        return bool(with_readings(other.after, now.after.readings) != now.after)

    def differences(self) -> Iterator[Effect | MissingEffect | Due]:
        """The other winners; the new effects, first of other kinds; the missing effects; the points; the turn."""
        now, other = self.now, self.other
        codes = {effect.sentence_key for effect in now.effects}
        yield from reversed(_effects_not_in(other.end, now.end))
        yield from sorted(self.new_effects, key=lambda effect: effect.sentence_key in codes)
        instead = {effect.sentence_key for effect in (*other.end, *self.new_effects)}
        lost_effects = (*_effects_not_in(now.end, other.end), *self.lost_effects)
        missing = [MissingEffect(effect) for effect in lost_effects if effect.sentence_key not in instead]
        yield from missing
        # Points are only counted if no new sentence was found so far.
        if (
            codes.issuperset(effect.sentence_key for effect in self.new_effects)
            and not missing
            and now.gains != other.gains
        ):
            points = tuple(other.point_changes)
            yield from points or map(MissingEffect, now.point_changes)
        if _turn(other.due) != _turn(now.due):
            yield other.due


def _compare_outcomes(now: Outcome, other: Outcome, move: Move) -> _OutcomeDifference:
    """Compare two outcomes, without effects that are true in both but new in only one."""
    new, lost_effects = _effects_not_in(other.effects, now.effects), _effects_not_in(now.effects, other.effects)
    return _OutcomeDifference(
        now, other, _not_so(new, other.before, move, now), _not_so(lost_effects, now.before, move, other)
    )


def _not_so(effects: Sequence[Effect], before: State, move: Move, there: Outcome) -> Sequence[Effect]:
    """The effects that are not true in another outcome, as seen from the state before them."""
    game = there.game
    if game.standing_effects.isdisjoint(effect.sentence_key for effect in effects):
        return effects
    so = game.effects(before, move, there.after)
    return [
        effect
        for effect in effects
        if effect.sentence_key not in game.standing_effects or _effects_not_in([effect], so)
    ]


def _effects_not_in(some: Sequence[Effect], others: Sequence[Effect]) -> list[Effect]:
    """The effects that are not among others. Different evidence does not make an effect different."""
    among = [(effect.rule, *effect.facts[:2]) for effect in others]
    return [effect for effect in some if (effect.rule, *effect.facts[:2]) not in among]


def new_objection(verdict: Verdict, now: Verdict) -> tuple[Finding, ...]:
    """The first finding that objects only under the other reading, if any."""
    present_findings = [(finding.rule, *finding.facts[:2]) for finding in now.findings]
    there = [finding for finding in verdict.findings if not lets_pass(finding)]
    return tuple(finding for finding in there if (finding.rule, *finding.facts[:2]) not in present_findings)[:1]


def _turn(due: Due) -> object:
    """What is due, as it is worded. Kinds that a reading allows at any time do not come from the move."""
    return due.seat, due.code, due.values, due.ended


def other_values(game: AnyGame, state: State, keys: Set[str]) -> Iterator[tuple[str, str]]:
    """The other values of some readings."""
    for reading in game.readings:
        if reading.key not in keys:
            continue
        chosen = state.readings.get(reading.key, reading.default)
        yield from ((reading.key, value) for value in reading.values if value != chosen)


def states_by_other_values(game: AnyGame, state: State, keys: Set[str], move: Move) -> Iterator[tuple[str, str, State]]:
    """The other values of some readings, each with its state; without those that only change the move's notation."""
    for key, value in other_values(game, state, keys):
        other = game.with_readings(state, {key: value})
        if not game.is_written_differently(other, move, key):
            yield key, value, other


def lets_pass(finding: Finding) -> bool:
    """Whether a finding lets the move pass, and shows the count."""
    return finding.ruling is Ruling.LEGAL
