"""What lies on a table now, entered as a position: against what the log gives, and what it would write."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from rules.changes import Led, Told, compared, told
from rules.kernel import Finding
from service import plans
from service.codec import to_keep
from service.datatypes import Position, State
from service.entries import Checkpoint
from service.errors import Forbidden, Impossible
from service.line import as_read
from service.plans import Plan
from service.table import HOST, Role, Table
from service.wire import plain


class ComparedPosition(NamedTuple):
    """A position that is entered at a table, and what can be told of it; with problems, that is these alone."""

    table: Table
    position: Position
    problems: tuple[Finding, ...]
    state: State | None = None
    told: Told | None = None


def entered(table: Table, position: Position) -> ComparedPosition:
    """Compare a position with the one that the log gives. Nothing is written."""
    problems = tuple(table.game.problems(as_read(table.setup, table.state), position))
    if problems:
        return ComparedPosition(table, position, problems)
    state = table.history.enter(plain(position), table.state)
    return ComparedPosition(table, position, (), state, told(table.game, table.state, state))


def entering(table: Table, role: Role, position: Position, now: datetime, *, dispute: int | None = None) -> Plan:
    """Go on from a position; nothing is written where the log gives it already. Raises `Forbidden`, `Impossible`."""
    if role.kind != HOST:
        raise Forbidden(table, "host")
    found = entered(table, position)
    if found.told is None:
        raise Impossible(table.game, table.setup, found.problems)
    plan = Plan(table, (), ())
    if found.state == table.state:
        return plan
    return plans.extended(plan, entry_of(found, found.told, role, now, dispute))


def entry_of(found: ComparedPosition, said: Told, role: Role, now: datetime, dispute: int | None) -> Checkpoint:
    """The entry of a position without problems, with what was told of it."""
    table, game = found.table, found.table.game
    way, why = tuple(map(game.write, said.way)), to_keep(said.why)
    what = plain(found.position), said.led.value, way, why, said.looked
    return Checkpoint(table.version + 1, now, role.name, *what, game.rules_version, dispute)


def told_then(table: Table, entry: Checkpoint) -> Told:
    """What was told of a position when it was entered; the way by its notations."""
    before, after = table.states[entry.number - 2], table.states[entry.number - 1]
    return Told(compared(table.game, before, after), Led(entry.led), entry.way, entry.why, entry.looked)
