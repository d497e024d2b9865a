"""What can be done about a dispute, and what each of it would do: computed, nothing is written.

A remedy takes nothing away from the log. What goes are moves in play, and undo brings them back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from rules.kernel import Seat
from rules.ranking import totals
from rules.steps import TooMuch, at_most, spend
from service import rulings
from service.budget import BUDGET
from service.datatypes import State
from service.disputes import ADJUST, GO_BACK, REPLAY, STANDS, Dispute, Remedy
from service.entries import Disputed, Settled
from service.judgements import Heard, Judgement
from service.replaying import Broken, Step, replay
from service.table import Table

MOST_REPLAYED: Final = BUDGET // 3
"""Steps that replaying may take; where it would take more, it is no remedy, …"""
MOST_AGAIN: Final = 200
"""… nor where more moves would be played again: the answer tells what each brings about."""


class Offer(NamedTuple):
    """A remedy, and what it would do.

    `to`: the version to go back to, or None. `plays`: what is played then. `loses`: the numbers of the moves in play
    that are gone afterwards. `breaks`: the first of those that the rules forbid. `state`: what lies there afterwards,
    with the `totals`; None where only the host can say.
    """

    remedy: Remedy
    to: int | None
    plays: tuple[Step, ...]
    loses: tuple[int, ...]
    breaks: Broken | None
    state: State | None
    totals: Mapping[Seat, int] | None


ADJUSTING: Final = Offer(ADJUST, None, (), (), None, None, None)
"""The position is entered by hand: what that brings about, nobody can compute."""


class Hearing(NamedTuple):
    """A dispute with all that there is to say of it: the ruling by the rules of today on the position of then, the
    rules that had nothing to object, and the remedies, none where it is settled.
    """

    table: Table
    number: int
    dispute: Dispute
    about: Disputed
    state: State
    judgement: Judgement
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
    def read_otherwise(self) -> bool:
        """Whether another reading of the rules would rule otherwise."""
        return any(other.ruling is not self.judgement.ruling for other in self.judgement.others)


def hearing(table: Table, number: int) -> Hearing:
    """The dispute of a number. Raises `IndexError`."""
    about, dispute = table.disputed(number), table.disputes[number - 1]
    state = table.states[about.version - 1]
    judgement = rulings.judge(table.game, state, table.game.read(about.notation))
    heard = rulings.heard(state, judgement.move, judgement.verdict)
    open_to = offers(table, about) if dispute.open else ()
    return Hearing(table, number, dispute, about, state, judgement, heard, open_to)


def confirmed(table: Table, dispute: Dispute) -> dict[Seat, str]:
    """What each seat has confirmed. It counts while the same moves are in play as then."""
    return {seat: entry.remedy for seat, entry in table.agreed(dispute).items()}


def offers(table: Table, about: Disputed) -> tuple[Offer, ...]:
    """The remedies that there are now."""
    found = [_offer(table, STANDS, None)]
    kept = _kept(table, about)
    rest = () if kept is None else table.line[kept:]
    if kept is not None and rest:
        found.append(_offer(table, GO_BACK, _after(table, kept), loses=rest))
        if about.entry is not None and (replayed := _replayed(table, about.entry, rest)) is not None:
            found.append(replayed)
    return (*found, ADJUSTING)


def _kept(table: Table, about: Disputed) -> int | None:
    """How many of the moves in play are before the disputed one; None where they are not those of then."""
    tip = table.tips[about.version - 1]
    if about.entry not in (None, *table.line) or tip not in (1, *table.line):
        return None
    return 0 if tip == 1 else table.line.index(tip) + 1


def _after(table: Table, kept: int) -> int:
    """The version at which so many of the moves in play are left."""
    return table.line[kept - 1] if kept else 1


def _offer(
    table: Table,
    remedy: Remedy,
    to: int | None,
    plays: Sequence[Step] = (),
    loses: Sequence[int] = (),
    breaks: Broken | None = None,
    state: State | None = None,
) -> Offer:
    """A remedy, with the score after it."""
    left = state or (table.state if to is None else table.states[to - 1])
    return Offer(remedy, to, tuple(plays), tuple(loses), breaks, left, totals(table.game, left))


def _replayed(table: Table, disputed: int, rest: Sequence[int]) -> Offer | None:
    """The moves from the disputed one on, played again as far as the rules allow; None where that is too much work.

    What the table let stand later stands again; the disputed move is played only if it is legal. A move that is not
    allowed is left out, and the next one is tried without it. What is no move is made again as it was.
    """
    found = None
    with at_most(MOST_REPLAYED) as effort, suppress(TooMuch):
        found = _played_again(table, disputed, rest)
    spend(effort.spent)
    return found


def _played_again(table: Table, disputed: int, rest: Sequence[int]) -> Offer | None:
    done = replay(table, table.states[disputed - 2], rest, doubted=disputed)
    if not done.lost:
        return _offer(table, REPLAY, None)
    first = done.lost[0]
    plays = [step for step in done.steps if step.of > first]
    if len(plays) > MOST_AGAIN:
        return None
    breaks = None if done.first is None else done.first.judged(table.game)
    return _offer(table, REPLAY, _after(table, table.line.index(first)), plays, done.lost, breaks, done.state)
