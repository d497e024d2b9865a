"""Plans an amendment in memory: the entries that it would add to a table's log. It rewrites nothing.

The host amends the log alone, or all seats do, if each of them requests the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final, NamedTuple

from rules.kernel import Seat
from rules.ranking import totals
from rules.steps import TooMuch, at_most, spend
from service.errors import Invalid, Refused
from service.judgements import AttemptedMove
from service.referee import plans
from service.referee import replay as replaying
from service.referee.plans import Plan
from service.referee.replay import Revision, Step, replay
from service.runtime.budget import BUDGET
from service.tables.entries import INSERT, MISFIT_POLICIES, STAND, Amended, Confirmed, LogChange
from service.tables.keys import HOST, Role
from service.tables.table import Table
from service.types import State
from service.validation import FieldError

MAX_COMPARED: Final = BUDGET // 3
"""The most steps to compare the policies for entries that do not fit."""


class AmendmentDraft(NamedTuple):
    """A computed amendment: the change, without the moves from the refused one (`refusal`) on."""

    change: LogChange
    revision: Revision
    refusal: Refused | None


class PolicyOutcome(NamedTuple):
    """The outcome of one policy for entries that do not fit: the lost entries, and the totals."""

    misfits: str
    lost_entries: tuple[int, ...]
    totals: Mapping[Seat, int]


# --- computing -----------------------------------------------------------------------------------------------------


def draft_amendment(table: Table, change: LogChange, by: str) -> AmendmentDraft:
    """Compute an amendment. Raises `Invalid` for an entry that is not in play, `Refused` for the first new move."""
    line_before, rest = _place(table, change)
    to = line_before[-1] if line_before else 1
    steps, state, refused = _new_moves(table, table.states[to - 1], change, by)
    if refused is not None and not steps:
        raise refused
    accepted_change = change._replace(moves=change.moves[: len(steps)])
    revision = replay(table, Revision(to, state, tuple(steps)), rest, change.misfits)
    return AmendmentDraft(accepted_change, revision, refused)


def _place(table: Table, change: LogChange) -> tuple[Sequence[int], Sequence[int]]:
    """The entries in play before the change, and those after it. Raises `Invalid`."""
    line, inserted = table.line, change.do == INSERT
    if inserted and change.entry == 1:
        return (), line
    if change.entry not in line:
        raise Invalid([(f"/{change.do}/{'after' if inserted else 'entry'}", FieldError("not_in_play"))])
    at = line.index(change.entry)
    return line[: at + inserted], line[at + 1 :]


def _new_moves(table: Table, state: State, change: LogChange, by: str) -> tuple[list[Step], State, Refused | None]:
    """The new moves of a change, up to the first refused one, the state after them, and the refusal."""
    steps: list[Step] = []
    for index, late in enumerate(change.moves):
        try:
            step = replaying.play_new_move(
                table.game, state, AttemptedMove(table.game.read(late.notation), late.stands), index, by
            )
        except Refused as refused:
            refused.setup = table.setup
            return steps, state, refused
        steps.append(step)
        state = step.state
    return steps, state, None


def compare_policies(table: Table, change: LogChange) -> tuple[PolicyOutcome, ...]:
    """The outcome of each policy for entries that do not fit; empty if this is too much work."""
    found: list[PolicyOutcome] = []
    with at_most(MAX_COMPARED) as effort, suppress(TooMuch, Refused):
        for misfits in MISFIT_POLICIES:
            draft = draft_amendment(table, change._replace(misfits=misfits), HOST)
            found.append(PolicyOutcome(misfits, draft.revision.lost_entries, totals(table.game, draft.revision.state)))
    spend(effort.steps)
    return tuple(found) if len(found) == len(MISFIT_POLICIES) else ()


# --- planning ------------------------------------------------------------------------------------------------------


def plan_amendment(table: Table, role: Role, change: LogChange, now: datetime) -> Plan:
    """Plan an amendment by the host. For a seat: its confirmation, and after the last one the amendment.

    The plan is empty if the seat's confirmation of the same change still counts. Raises `Invalid`, `Refused`.
    """
    draft = draft_amendment(table, change, role.name)
    plan = Plan(table, (), (), draft.refusal)
    if role.kind == HOST:
        return _add_amendment(plan, role, draft, now)
    if role.seat not in _agreeing_seats(table, draft.change):
        plan = plans.add_entry(plan, Confirmed(table.version + 1, now, role.name, None, "", draft.change))
    if not plan.entries:
        plan = Plan(table, (), ())  # the refusal was reported already
    same = set(_agreeing_seats(plan.table, draft.change))
    return _add_amendment(plan, role, draft, now) if same.issuperset(table.game.seats_of(table.state)) else plan


def _add_amendment(plan: Plan, role: Role, draft: AmendmentDraft, now: datetime) -> Plan:
    """The plan with the amendment's entry, which itself undoes entries, and with the repeated and new entries."""
    number, to = plan.table.version + 1, draft.revision.to or 1
    line, changed = (
        tuple([step.original_number for step in each]) for each in (draft.revision.steps, draft.revision.changed_steps)
    )
    plan = plans.add_entry(plan, Amended(number, now, role.name, draft.change, to, line, changed))
    return plans.add_revision(plan, draft.revision._replace(to=None), now)


# --- preview -------------------------------------------------------------------------------------------------------


class Preview(NamedTuple):
    """A preview of an amendment: the table as it would be, and the number of its entry there.

    `ways`: the policies for entries that do not fit, if there are any. `agreeing_seats`: the seats that have confirmed
    exactly this change.
    """

    table: Table
    number: int
    refusal: Refused | None
    ways: tuple[PolicyOutcome, ...]
    agreeing_seats: tuple[Seat, ...]


def preview_amendment(table: Table, role: Role, change: LogChange, now: datetime) -> Preview:
    """Preview what the amendment would write once all have confirmed it. Raises `Invalid`, `Refused`, `Full`."""
    draft = draft_amendment(table, change, role.name)
    plan = plans.check_plan(_add_amendment(Plan(table, (), (), draft.refusal), role, draft, now))
    compared = compare_policies(table, draft.change) if draft.revision.lost_entries or change.misfits == STAND else ()
    return Preview(plan.table, table.version + 1, draft.refusal, compared, _agreeing_seats(table, draft.change))


def _agreeing_seats(table: Table, change: LogChange) -> tuple[Seat, ...]:
    """The seats that have confirmed exactly this change, which is pending."""
    pending = table.amendments[-1:]
    confirmations = table.confirmations(pending[0]) if pending and pending[0].settlement_number is None else {}
    return tuple([seat for seat, entry in confirmations.items() if entry.change == change])


def refusal(table: Table, change: LogChange) -> Refused | None:
    """The refused new move at which an amendment of the log stopped; None if it has all its moves."""
    to = change.entry if change.do == INSERT else table.tips[change.entry - 2]
    return _new_moves(table, table.states[to - 1], change, HOST)[2]
