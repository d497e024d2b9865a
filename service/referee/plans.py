"""Plans in memory the entries that a request would add to a table's log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from rules.kernel import Seat, Verdict
from rules.steps import spend
from service.errors import Forbidden, Full, Refused, Unreachable
from service.judgements import AttemptedMove
from service.referee.fold import fold, fold_entry, fold_moves
from service.referee.replay import Revision, Step, revision_to, seat_of
from service.rulings import judge
from service.runtime.budget import ENTRY_STEPS
from service.tables.codec import encode, findings_to_keep
from service.tables.decisions import Dispute
from service.tables.entries import (
    AnyEntry,
    Checkpoint,
    InLine,
    KeyRevoked,
    Opened,
    Played,
    ReadingsSet,
    Renamed,
    Rewound,
    Settled,
    ViewRevoked,
)
from service.tables.history import LineEntry
from service.tables.keys import HOST, Role
from service.tables.players import names_of
from service.tables.table import Table
from service.types import AnyGame, Move, State

MAX_ENTRIES: Final = 5_000
MAX_BYTES: Final = 4_000_000
"""Stored bytes of all entries. The longest whole games have some fifty thousand."""
OF_THE_HOST: Final = 10
"""A tenth of a log, at its end, is reserved for the host, and as much again for undo and settlements."""
MAX_NOTES: Final = 1_000
"""The most entries of a seat other than moves."""


class Plan(NamedTuple):
    """Entries and their stored forms; the table after them; and the refused move that stopped a series."""

    table: Table
    entries: tuple[AnyEntry, ...]
    payloads: tuple[bytes, ...]
    refusal: Refused | None = None


def plan_opening(table_id: str, opening: Opened, moves: Sequence[AttemptedMove], lifetime: timedelta) -> Plan:
    """Plan the opening of a table, with moves that were played before. Raises `Refused`, `Full`."""
    payload = encode(opening)
    plan = plan_moves(fold(table_id, [(1, payload)], lifetime), Role("host"), moves, opening.at)
    if plan.refusal is not None:
        raise plan.refusal
    return check_plan(Plan(plan.table, (opening, *plan.entries), (payload, *plan.payloads)))


def plan_moves(table: Table, role: Role, moves: Sequence[AttemptedMove], now: datetime) -> Plan:
    """Judge moves, and plan their entries up to the first refused move. Raises `Forbidden`."""
    state, line, refusal = table.state, list[LineEntry](), None
    for index, attempt in enumerate(moves):
        before, seat = state, None if role.seat is None else _turn(table, state, role, attempt)
        try:
            verdict, state = judge.step(table.game, before, attempt, index)
        except Refused as refused:
            refused.setup = table.setup
            refusal = refused
            break
        spend(ENTRY_STEPS)
        if role.seat is None:
            seat = seat_of(table.game, before, attempt.move, is_legal=verdict.legal)
        entry = _move_entry(table.game, table.version + len(line) + 1, attempt.move, verdict, (now, role.name, seat))
        line.append((entry, encode(entry), state))
    after = fold_moves(table, line) if line else table
    return Plan(after, tuple([entry for entry, _, _ in line]), tuple([payload for _, payload, _ in line]), refusal)


def _move_entry(
    game: AnyGame,
    number: int,
    move: Move,
    verdict: Verdict,
    who: tuple[datetime, str, Seat | None],
    dispute: int | None = None,
) -> Played:
    """The entry of a judged move. `who`: its time, the role that enters it, and the seat that moves."""
    now, role, seat = who
    findings = findings_to_keep(verdict.findings)
    ruled = verdict.ruling, not verdict.legal, findings, game.rules_version
    return Played(number, now, role, game.write(move), seat, *ruled, dispute)


def add_step(plan: Plan, step: Step, now: datetime, *, dispute: int | None = None, by: str = "") -> Plan:
    """A plan with one more entry in the line of play. `dispute`: its settlement by the role `by` makes the entry."""
    game, again = plan.table.game, step.action
    number, role = plan.table.version + 1, by or step.by
    if isinstance(again, AttemptedMove):
        if step.verdict is None:
            raise TypeError(f"{again} was not judged")
        who = now, role, step.seat
        entry: InLine = _move_entry(game, number, again.move, step.verdict, who, dispute)
    else:
        same = again.without_comparison() if isinstance(again, Checkpoint) and step.original_number else again
        renewed = same._replace(number=number, at=now, by=role, dispute=dispute)
        entry = renewed._replace(rules_version=game.rules_version)
    return add_entry(plan, entry, step.state)


def add_revision(plan: Plan, revision: Revision, now: datetime, *, dispute: int | None = None, by: str = "") -> Plan:
    """A plan with the entries of a revision: a change of version, and the repeated entries.

    `dispute`: its settlement by the role `by` makes them.
    """
    if revision.to is not None:
        plan = add_entry(plan, Rewound(plan.table.version + 1, now, by, revision.to, dispute))
    for step in revision.steps:
        plan = add_step(plan, step, now, dispute=dispute, by=by)
    return plan


def add_entry(plan: Plan, entry: AnyEntry, state: State | None = None) -> Plan:
    """Add an entry to a plan; `state` is the state after it, if known."""
    payload = encode(entry)
    table = fold_entry(plan.table, entry, payload, state)
    return Plan(table, (*plan.entries, entry), (*plan.payloads, payload), plan.refusal)


def plan_rewind(table: Table, role: Role, to: int, now: datetime) -> Plan:
    """Plan an undo or a redo to a version. Raises `Unreachable`, `Forbidden`."""
    if table.line_at(to) is None:
        raise Unreachable(table, to)
    crossed, revision = table.crossed_decision(to), revision_to(table, to)
    if role.seat is not None and crossed is not None:
        raise Forbidden(table, "host")
    touched = (*revision.lost_entries, *revision.restored_entries)
    if role.seat is not None and not all(role.owns(table.line_entry(number)) for number in touched):
        raise Forbidden(table, "moves")
    dispute = table.disputes.index(crossed) + 1 if isinstance(crossed, Dispute) else None
    return add_revision(Plan(table, (), ()), revision, now, dispute=dispute, by=role.name)


def plan_readings(table: Table, role: Role, readings: Mapping[str, str], now: datetime) -> Plan:
    """Plan a change of readings from now on; empty if they are in force already. Raises `Forbidden`."""
    if role.kind != HOST:
        raise Forbidden(table, "host")
    changed = {key: value for key, value in readings.items() if table.state.readings[key] != value}
    plan = Plan(table, (), ())
    if not changed:
        return plan
    return add_entry(plan, ReadingsSet(table.version + 1, now, role.name, changed, table.game.rules_version))


def plan_names(table: Table, role: Role, names: Mapping[Seat, str], now: datetime) -> Plan:
    """Plan other names of players; empty if they have them already. A seat may only name itself.

    Raises `Forbidden`.
    """
    if role.kind != HOST and names.keys() - {role.seat}:
        raise Forbidden(table, "names")
    present = names_of(table.setup)
    changed = {seat: name for seat, name in names.items() if present[seat] != name}
    plan = Plan(table, (), ())
    return add_entry(plan, Renamed(table.version + 1, now, role.name, changed)) if changed else plan


def check_plan(plan: Plan) -> Plan:
    """Check that a plan is not refused, and not more than a table may have. Raises `Refused`, `Full`.

    A seat's limit is below the host's, so that the host can correct what a seat did. The host can still undo and settle
    in a full log.
    """
    if not plan.entries:
        if plan.refusal is not None:
            raise plan.refusal
        return plan
    first, spare = plan.entries[0], 0
    if first.by != HOST:
        if plan.table.note_counts.get(first.by, 0) > MAX_NOTES and any(
            not isinstance(each, Played) for each in plan.entries
        ):
            raise Full(plan.table.id, "seat")
        spare = -1
    elif isinstance(first, Rewound | Settled | ViewRevoked | KeyRevoked):
        spare = 1
    table, (entries, size) = plan.table, (most + spare * (most // OF_THE_HOST) for most in (MAX_ENTRIES, MAX_BYTES))
    if table.version > entries or table.size > size:
        raise Full(table.id, "host" if spare < 0 else "table")
    return plan


def _turn(table: Table, state: State, role: Role, attempt: AttemptedMove) -> Seat | None:
    """The seat that plays a move in a state by its own key. Raises `Forbidden` if it may not play it then.

    A seat plays its own moves, and moves of any time except another seat's. When it is nobody's turn, any seat may
    play, and learn that the game is over, but only the host may let a move stand.
    """
    game = table.game
    due, owner = table.due if state is table.state else game.due(state), game.owner_of(state, attempt.move)
    seat = due.seat
    if attempt.move.kind in game.out_of_turn:
        if owner not in (None, role.seat) and due.ended is None:
            raise Forbidden(table, "seat", owner)
        if not attempt.stands:
            return role.seat
    if role.seat == seat:
        return seat
    if seat is not None:
        raise Forbidden(table, "seat", seat)
    if attempt.stands:
        raise Forbidden(table, "over" if due.ended is not None else "nobody")
    return seat
