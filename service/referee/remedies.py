"""What can be done about a dispute, and what each of it would do: computed, nothing is written.

A remedy takes nothing away from the log. What goes are moves in play, and undo brings them back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from rules.kernel import Seat
from rules.ranking import totals
from rules.steps import TooMuch, at_most, spend
from service.judgements import Heard, Judgement
from service.referee import entry_effects
from service.referee.entry_effects import Deed
from service.referee.replay import Broken, Step, replay
from service.rulings import judge
from service.runtime.budget import BUDGET
from service.tables.decisions import ADJUST, GO_BACK, NO_CHANGE, PUT_BACK, REPLAY, STANDS, Dispute, Remedy
from service.tables.entries import Disputed, InLine, Played, ReadingsSet, Settled
from service.tables.table import Table
from service.types import State

MOST_REPLAYED: Final = BUDGET // 3
"""Steps that replaying may take; where it would take more, it is no remedy, …"""
MOST_AGAIN: Final = 200
"""… nor where more moves would be played again: the answer tells what each brings about."""


class Offer(NamedTuple):
    """A remedy, and what it would do.

    `to`: the version to go back to, or None. `plays`: what is played then. `loses`: the numbers of the entries in play
    that are gone afterwards; `restores`: of those that are in play again. `breaks`: the first of the lost that the
    rules forbid. `state`: what lies there afterwards, with the `totals`; None where only the host can say.
    """

    remedy: Remedy
    to: int | None
    plays: tuple[Step, ...]
    loses: tuple[int, ...]
    restores: tuple[int, ...]
    breaks: Broken | None
    state: State | None
    totals: Mapping[Seat, int] | None

    @property
    def changed(self) -> tuple[Step, ...]:
        """What is played again and ruled on otherwise than it was, or another player's then."""
        return tuple([step for step in self.plays if step.changed])


ADJUSTING: Final = Offer(ADJUST, None, (), (), (), None, None, None)
"""The position is entered by hand: what that brings about, nobody can compute."""


class Hearing(NamedTuple):
    """A dispute with all that there is to say of it, and the remedies, none where it is settled.

    Of a move: the ruling by the rules of today on the position of then (`state`), and the rules that had nothing to
    object. Of another entry, which is never ruled on: what it did.
    """

    table: Table
    number: int
    dispute: Dispute
    about: Disputed
    state: State
    judgement: Judgement | None
    deed: Deed | None
    heard: tuple[Heard, ...]
    offers: tuple[Offer, ...]

    @property
    def confirmed(self) -> dict[Seat, str]:
        """What each seat has confirmed that counts now."""
        return confirmed(self.table, self.dispute)

    @property
    def status(self) -> str:
        """``open``, ``settled``, or ``undone``: settled, and taken back since. Undone, it is open again."""
        return "undone" if self.dispute.undone else "open" if self.dispute.open else "settled"

    @property
    def settlement(self) -> Settled | None:
        """How it was settled last, also where that was taken back."""
        entry = None if self.dispute.settled is None else self.table.entries[self.dispute.settled - 1]
        return entry if isinstance(entry, Settled) else None

    @property
    def in_play(self) -> bool:
        """Whether what is disputed is in play now."""
        return self.about.entry is not None and entry_effects.in_play(self.table, self.about.entry)

    @property
    def speaking(self) -> tuple[str, ...]:
        """The rules that have something to say, each once."""
        if self.judgement is None:
            return () if self.deed is None else self.deed.rules
        told = [finding.rule for finding in self.judgement.verdict.findings]
        return tuple(dict.fromkeys([*told, *(effect.rule for effect in self.judgement.effects)]))

    @property
    def read_otherwise(self) -> bool:
        """Whether another reading of the rules would rule otherwise."""
        judgement = self.judgement
        return judgement is not None and any(other.ruling is not judgement.ruling for other in judgement.others)


def hearing(table: Table, number: int) -> Hearing:
    """The dispute of a number. Raises `IndexError`."""
    about, dispute = table.disputed(number), table.disputes[number - 1]
    state, judgement = table.states[about.version - 1], None
    heard: tuple[Heard, ...] = ()
    if about.notation is not None:
        judgement = judge.judge(table.game, state, table.game.read(about.notation))
        heard = judge.heard(state, judgement.move, judgement.verdict)
    deed = None if about.entry is None else entry_effects.deed(table, about.entry)
    open_to = offers(table, about) if dispute.open else ()
    return Hearing(table, number, dispute, about, state, judgement, deed, heard, open_to)


def confirmed(table: Table, dispute: Dispute) -> dict[Seat, str]:
    """What each seat has confirmed. It counts while the same moves are in play as then."""
    return {seat: entry.remedy for seat, entry in table.agreed(dispute).items()}


# --- what can be done ------------------------------------------------------------------------------------------------


class Before(NamedTuple):
    """What one can go back to: a version and the entries in play then, and those in play now to be made again."""

    to: int
    line: tuple[int, ...]
    again: tuple[int, ...]


def offers(table: Table, about: Disputed) -> tuple[Offer, ...]:
    """The remedies that there are now."""
    if about.entry is None or not entry_effects.in_play(table, about.entry):
        found = [_offer(table, NO_CHANGE, None), *_put_back(table, about)]
    else:
        found = [_offer(table, STANDS, None)]
    before = _before(table, about)
    if before is not None and (back := _shifted(table, GO_BACK, before.to)) is not None:
        found.append(back)
        if about.entry is not None and (replayed := _replayed(table, about.entry, before, back)) is not None:
            found.append(replayed)
    reads = about.entry is not None and isinstance(table.entries[about.entry - 1], ReadingsSet)
    return tuple(found) if reads else (*found, ADJUSTING)


def _before(table: Table, about: Disputed) -> Before | None:
    """What there was before the disputed entry, or move; None where one cannot go back there."""
    if about.entry is None or isinstance(table.entries[about.entry - 1], InLine):
        return _before_in_line(table, about)
    if about.entry == 1 or not entry_effects.in_play(table, about.entry):
        return None
    last, to = entry_effects.shift(table, about.entry).last, about.version
    line = tuple(table.history.line_to(table.tips[to - 1]))
    return Before(to, line, tuple([number for number in table.line if number > last]))


def _before_in_line(table: Table, about: Disputed) -> Before | None:
    """The same of an entry in the line of play, or of a move that was not played: the entries in play before it."""
    tip = table.tips[about.version - 1]
    if about.entry not in (None, *table.line) or tip not in (1, *table.line):
        return None
    kept = 0 if tip == 1 else table.line.index(tip) + 1
    moved = about.entry is None or isinstance(table.entries[about.entry - 1], Played)
    return Before(tip, table.line[:kept], table.line[kept if moved else kept + 1 :])


def _put_back(table: Table, about: Disputed) -> Iterator[Offer]:
    """To be as it was when the disputed entry was in play last, if it is one of the line of play."""
    if about.entry is None or not isinstance(table.entries[about.entry - 1], InLine):
        return
    with_it, last = {about.entry}, about.entry
    for version in range(about.entry, table.version + 1):
        tip = table.tips[version - 1]
        if tip in with_it or (tip > 1 and table.tips[tip - 2] in with_it):
            with_it.add(tip)
            last = version
    if (offer := _shifted(table, PUT_BACK, last)) is not None:
        yield offer


def _shifted(table: Table, remedy: Remedy, to: int) -> Offer | None:
    """A remedy that goes to how the table was at a version; None where the same entries are in play now."""
    line = table.history.line_to(table.tips[to - 1])
    there, now = frozenset(line), frozenset(table.line)
    loses = [number for number in table.line if number not in there]
    restores = [number for number in line if number not in now]
    return _offer(table, remedy, to, loses=loses, restores=restores) if loses or restores else None


def _offer(
    table: Table,
    remedy: Remedy,
    to: int | None,
    plays: Sequence[Step] = (),
    loses: Sequence[int] = (),
    restores: Sequence[int] = (),
    breaks: Broken | None = None,
    state: State | None = None,
) -> Offer:
    """A remedy, with the score after it."""
    left = state or (table.state if to is None else table.states[to - 1])
    return Offer(remedy, to, tuple(plays), tuple(loses), tuple(restores), breaks, left, totals(table.game, left))


def _replayed(table: Table, disputed: int, before: Before, back: Offer) -> Offer | None:
    """What follows the disputed entry, made again as far as the rules allow; None where there is nothing to make again,
    or that is too much work.

    What the table let stand later stands again; the disputed move is played only if it is legal. A move that is not
    allowed is left out, and the next one is tried without it. What is no move is made again as it was.
    """
    found = None
    with at_most(MOST_REPLAYED) as effort, suppress(TooMuch):
        found = _played_again(table, disputed, before, back) if before.again else None
    spend(effort.spent)
    return found


def _played_again(table: Table, disputed: int, before: Before, back: Offer) -> Offer | None:
    done = replay(table, table.states[before.to - 1], before.again, doubted=disputed)
    again = frozenset(before.again)
    gone = tuple([number for number in back.loses if number not in again])
    to, steps = before.to, done.steps
    if not gone and not back.restores:
        if not done.lost:
            return _offer(table, REPLAY, None)
        # what comes before the first that is lost stays as it is
        first = table.line.index(done.lost[0])
        to, steps = table.line[first - 1] if first else 1, tuple([step for step in steps if step.of > done.lost[0]])
    if len(steps) > MOST_AGAIN:
        return None
    breaks = None if done.first is None else done.first.judged(table.game)
    return _offer(table, REPLAY, to, steps, (*gone, *done.lost), back.restores, breaks, done.state)
