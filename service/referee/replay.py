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
    """An entry that was made again, or a move that is new (`original_number` is 0 then), and the state after it.

    `by`: the role whose key entered it. `verdict`: on a move; `seat`: whose move it is. `differs`: it is ruled on
    otherwise than it was, or another player's.
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
        """The ruling on the move; an entry that is no move counts as legal."""
        return Ruling.LEGAL if self.verdict is None else self.verdict.ruling

    @property
    def stands(self) -> bool:
        """Whether the move was played although the rules object."""
        return self.verdict is not None and not self.verdict.legal


class Misfit(NamedTuple):
    """A move that does not fit on a `state`: the rules object, or it is the `turn` of another player there."""

    entry: int
    move: Move
    state: State
    turn: Seat | None

    def judge_in_full(self, game: AnyGame) -> JudgedMisfit:
        """This misfit with the full ruling."""
        return JudgedMisfit(self.entry, judge.judge(game, self.state, self.move), self.turn)


class JudgedMisfit(NamedTuple):
    """The first move that does not fit any more, and the ruling on it.

    `turn`: whose turn it is then, where that is why: the player who entered the move was another one.
    """

    entry: int
    judgement: Judgement
    turn: Seat | None = None


class Revision(NamedTuple):
    """A correction of the line of play: what it takes out and plays again. To undo, to settle a dispute, to amend the
    log and to enter a position are such.

    `to`: the version that the table goes back to, or forward to; None where it stays. `steps`: what is entered then.
    `state`: what lies there after that. `lost_entries`: the numbers of the entries in play that are gone afterwards;
    `restored_entries`: of those that are in play again. `first_misfit`: the first of the lost that does not fit any
    more.
    """

    to: int | None
    state: State
    steps: tuple[Step, ...] = ()
    lost_entries: tuple[int, ...] = ()
    restored_entries: tuple[int, ...] = ()
    first_misfit: Misfit | None = None

    @property
    def changed_steps(self) -> tuple[Step, ...]:
        """What is made again and ruled on otherwise than it was, or another player's then."""
        return tuple([step for step in self.steps if step.differs])


def revision_to(table: Table, to: int) -> Revision:
    """The revision of going to a version, which repeats no entry."""
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
    """Make entries of a table again, after what a revision has done so far.

    What the table let stand stands again. A `disputed_entry` move is played only if it is legal; that it is not is no
    misfit.
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
    """An entry, made again on a state; a move that the rules forbid there only if it `stands`, and can.

    What is no move is made again as it was.
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
    """Whose a move is that the host enters; of one of any time that is anybody's, nobody knows."""
    owner = game.owner_of(state, move)
    if owner or move.kind in game.out_of_turn:
        return owner
    if is_legal and game.player_on_move is not None:
        return game.player_on_move(state)
    return game.due(state).seat


def misfit(game: AnyGame, state: State, entry: Played) -> Misfit:
    """A move of the log that did not fit on a state."""
    move = game.read(entry.notation)
    return Misfit(entry.number, move, state, _turn_of_another(game, state, move, entry))


def _turn_of_another(game: AnyGame, state: State, move: Move, entry: Played) -> Seat | None:
    """Whose turn it is, where a player's own key entered a move that would now be another's.

    What the host entered is the move of whoever's turn it is: a forgotten entry gave all that follow to the wrong one.
    """
    by_own_key = entry.seat is not None and entry.by == entry.seat and entry.dispute is None
    if not by_own_key or move.kind in game.out_of_turn:
        return None
    seat = seat_of(game, state, move)
    return None if seat in (None, entry.seat) else seat
