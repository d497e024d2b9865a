"""Replays entries of the line of play on another state: the entries that still fit, and the first that does not.

Settlements and amendments use this module. It writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.kernel import Ruling, Seat, Verdict
from rules.steps import spend
from service.judgements import AttemptedMove, Judgement
from service.rulings import judge
from service.runtime.budget import APPLY_STEPS, ENTRY_STEPS
from service.tables.apply_entry import Repeatable, state_after
from service.tables.entries import LEAVE_OUT, STAND, STOP, InLine, MisfitPolicy, Played
from service.tables.table import Table
from service.types import AnyGame, Move, State


class Step(NamedTuple):
    """A repeated entry, or a new move (`original_number` is 0 then), and the state after it.

    `by`: the role whose key entered it. `verdict`: on a move; `seat`: whose move it is. `differs`: its ruling or its
    player has changed.
    """

    original_number: int
    action: Repeatable
    state: State
    by: str
    verdict: Verdict | None = None
    seat: Seat | None = None
    differs: bool = False

    @property
    def ruling(self) -> Ruling:
        """The ruling on the move; another entry counts as legal."""
        return Ruling.LEGAL if self.verdict is None else self.verdict.ruling

    @property
    def stands(self) -> bool:
        """Whether the move was played although the rules object."""
        return self.verdict is not None and not self.verdict.legal


class Misfit(NamedTuple):
    """A move that does not fit a `state`: the rules object, or it is the `turn` of another player there."""

    entry: int
    move: Move
    state: State
    turn: Seat | None

    def judge_in_full(self, game: AnyGame) -> JudgedMisfit:
        """This misfit with the full ruling."""
        return JudgedMisfit(self.entry, judge.judge(game, self.state, self.move), self.turn)


class JudgedMisfit(NamedTuple):
    """The first move that does not fit any more, and the ruling on it.

    `turn`: the player whose turn it is then, if another player entered the move and it does not fit for that reason.
    """

    entry: int
    judgement: Judgement
    turn: Seat | None = None


class Revision(NamedTuple):
    """A correction of the line of play, with the entries that it removes and repeats: an undo, a settlement, an
    amendment, or an entered position.

    `to`: the version that the table goes back or forward to; None if it stays. `steps`: the entries to make then.
    `state`: the state after them. `lost_entries`: the numbers of the entries that it takes out of play;
    `restored_entries`: of those that it puts back. `first_misfit`: the first lost move that does not fit any more.
    """

    to: int | None
    state: State
    steps: tuple[Step, ...] = ()
    lost_entries: tuple[int, ...] = ()
    restored_entries: tuple[int, ...] = ()
    first_misfit: Misfit | None = None

    @property
    def changed_steps(self) -> tuple[Step, ...]:
        """The repeated entries that have another ruling or another player than before."""
        return tuple([step for step in self.steps if step.differs])


def revision_to(table: Table, to: int) -> Revision:
    """The revision that goes to a version, and repeats no entry."""
    lost, restored = line_difference(table.line, table.history.line_to(table.tips[to - 1]))
    return Revision(to, table.states[to - 1], lost_entries=lost, restored_entries=restored)


def line_difference(before: Sequence[int], after: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers that are only in the earlier line of play, and those that are only in the later one."""
    was, now = frozenset(before), frozenset(after)
    return tuple([n for n in before if n not in now]), tuple([n for n in after if n not in was])


def replay(
    table: Table,
    begun: Revision,
    numbers: Sequence[int],
    misfits: MisfitPolicy = LEAVE_OUT,
    *,
    disputed_entry: int | None = None,
) -> Revision:
    """Repeat entries of a table, after the steps that a revision has so far.

    A move that the table let stand stands again. The move of `disputed_entry` is played only if it is legal; otherwise
    it does not count as a misfit.
    """
    steps, lost, state, first = list(begun.steps), list(begun.lost_entries), begun.state, begun.first_misfit
    for place, number in enumerate(numbers):
        entry = table.line_entry(number)
        stands = misfits == STAND or (isinstance(entry, Played) and entry.stands and number != disputed_entry)
        done = replay_entry(table, state, entry, stands=stands)
        if isinstance(done, Step):
            steps.append(done)
            state = done.state
            continue
        lost.append(number)
        if number != disputed_entry:
            first = first or done
            if misfits == STOP:
                lost += numbers[place + 1 :]
                break
    return begun._replace(state=state, steps=tuple(steps), lost_entries=tuple(lost), first_misfit=first)


def replay_entry(table: Table, state: State, entry: InLine, *, stands: bool) -> Step | Misfit:
    """Repeat an entry on a state; a move that the rules forbid there only if it `stands` and can lie on the table.

    An entry other than a move is repeated unchanged.
    """
    spend(APPLY_STEPS + ENTRY_STEPS)
    game = table.game
    if not isinstance(entry, Played):
        return Step(entry.number, entry, state_after(game, state, entry, table.history.enter), entry.by)
    move = game.read(entry.notation)
    turn = _turn_of_another(game, state, move, entry)
    verdict = game.check(state, move)
    if turn is None and (verdict.legal or (stands and game.cannot_stand(state, move) is None)):
        seat = entry.seat if move.kind in game.out_of_turn else seat_of(game, state, move)
        changed = verdict.ruling is not entry.ruling or seat != entry.seat
        return Step(
            entry.number, AttemptedMove(move, stands), game.apply(state, move), entry.by, verdict, seat, changed
        )
    return Misfit(entry.number, move, state, turn)


def play_new_move(game: AnyGame, state: State, attempt: AttemptedMove, index: int, by: str) -> Step:
    """Judge a new move and play it. Raises `Refused`."""
    spend(ENTRY_STEPS)
    seat = seat_of(game, state, attempt.move)
    verdict, after = judge.step(game, state, attempt, index)
    return Step(0, attempt, after, by, verdict, seat)


def seat_of(game: AnyGame, state: State, move: Move, *, is_legal: bool = False) -> Seat | None:
    """The player of a move that the host enters; None for a move of any time that may be anybody's."""
    owner = game.owner_of(state, move)
    if owner or move.kind in game.out_of_turn:
        return owner
    if is_legal and game.player_on_move is not None:
        return game.player_on_move(state)
    return game.due(state).seat


def misfit(game: AnyGame, state: State, entry: Played) -> Misfit:
    """A move of the log that did not fit a state."""
    move = game.read(entry.notation)
    return Misfit(entry.number, move, state, _turn_of_another(game, state, move, entry))


def _turn_of_another(game: AnyGame, state: State, move: Move, entry: Played) -> Seat | None:
    """The player whose turn it is, if another player's own key entered the move; else None.

    A move that the host entered belongs to the player whose turn it is: a forgotten entry had shifted all later moves.
    """
    by_own_key = entry.seat is not None and entry.by == entry.seat and entry.dispute is None
    if not by_own_key or move.kind in game.out_of_turn:
        return None
    seat = seat_of(game, state, move)
    return None if seat in (None, entry.seat) else seat
