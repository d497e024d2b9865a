"""Compares an entered position with the log's position, and plans the entry that stores it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import NamedTuple

from rules.changes import PositionComparison, changes_between, compare_positions
from rules.forms import Malformed, Plain, plain
from rules.kernel import Finding
from service import schemas
from service.errors import Forbidden, Impossible, Invalid
from service.referee import plans
from service.referee.plans import Plan
from service.referee.replay import Revision, Step
from service.tables.apply_entry import setup_with_readings
from service.tables.codec import findings_to_keep
from service.tables.entries import Checkpoint
from service.tables.keys import HOST, Role
from service.tables.table import Table
from service.types import Position, State
from service.validation import FieldError


class ComparedPosition(NamedTuple):
    """A position that the host enters, with its comparison; or a position with problems, without one."""

    table: Table
    position: Position
    problems: tuple[Finding, ...]
    state: State | None = None
    comparison: PositionComparison | None = None


def compare_position(table: Table, position: Position, *, names: Collection[str] | None = None) -> ComparedPosition:
    """Compare a position with the log's position. This writes nothing.

    `names`: the members of the request, if it may omit some. Raises `Invalid` for omitted members whose value in the
    log's position would be lost; but a position with problems is returned first.
    """
    problems = _new_problems(table, position)
    if problems:
        return ComparedPosition(table, position, problems)
    lost = [] if names is None else [*_lost_members(table, position, names)]
    if lost:
        raise Invalid([(f"/position/{name}", FieldError("missing")) for name in lost])
    state = table.history.enter(plain(position), table.state)
    return ComparedPosition(table, position, (), state, compare_positions(table.game, table.state, state))


def _new_problems(table: Table, position: Position) -> tuple[Finding, ...]:
    """The problems of a position that the log's own has not: since readings changed, that one may have some, too."""
    game, setup = table.game, setup_with_readings(table.setup, table.state)
    problems = tuple(game.problems(setup, position))
    known = game.problems(setup, game.position(table.state)) if problems else ()
    return tuple([problem for problem in problems if problem not in known])


def _lost_members(table: Table, position: Position, names: Collection[str]) -> Iterator[str]:
    """The omitted members that matter in the log's position, such as a siege, or whose turn it is. Not those that the
    referee computes itself, nor a member that is impossible with the entered ones.
    """
    now, silent = plain(table.game.position(table.state)), plain(table.game.position_form())
    left_out = [name for name in now if name not in names and now[name] != silent.get(name)]
    here = _state(table, now) if left_out else None
    lost = {name: now[name] for name in left_out if _state(table, _without_member(now, name)) != here}
    whole = {**plain(position), **lost}
    stands = not lost or _state(table, whole) is not None
    return (name for name in lost if stands or _state(table, _without_member(whole, name)) is None)


def _without_member(members: Plain, left: str) -> Plain:
    return {name: value for name, value in members.items() if name != left}


def _state(table: Table, members: Plain) -> State | None:
    """The state of a position, for comparison; None for an impossible position."""
    game, setup = table.game, setup_with_readings(table.setup, table.state)
    try:
        position = schemas.load(schemas.of(game).position, members)
        if _new_problems(table, position):
            return None
    except (Invalid, Malformed):
        return None
    return game.enter(setup, position)


def plan_position(
    table: Table, role: Role, position: Position, now: datetime, *, names: Collection[str] | None = None
) -> Plan:
    """Plan to continue from a position; empty if the log has it already. `names`: as for `compare_position`.

    Raises `Forbidden`, `Impossible`, `Invalid`.
    """
    if role.kind != HOST:
        raise Forbidden(table, "host")
    return plans.add_revision(Plan(table, (), ()), revision_by_position(table, role, position, now, names), now)


def revision_by_position(
    table: Table, role: Role, position: Position, now: datetime, names: Collection[str] | None = None
) -> Revision:
    """The revision by an entered position: its entry, unless the log has it already. Raises as `plan_position`."""
    found = compare_position(table, position, names=names)
    if found.comparison is None or found.state is None:
        raise Impossible(table.game, table.setup, found.problems)
    if found.state == table.state:
        return Revision(None, table.state)
    game, said = table.game, found.comparison
    way, why = tuple(map(game.write, said.way)), findings_to_keep(said.why)
    entry = Checkpoint(
        table.version + 1, now, role.name, plain(position), said.reachability, way, why, said.searched_depth
    )
    return Revision(None, found.state, (Step(0, entry, found.state, role.name),))


def entered_position(table: Table, entry: Checkpoint) -> Position:
    """The position that an entry of a table's log entered."""
    return schemas.load(schemas.of(table.game).position, entry.position)


def recorded_comparison(table: Table, entry: Checkpoint) -> PositionComparison:
    """The comparison that was recorded with the position, with its moves in notation."""
    before, after = table.states[entry.number - 2], table.states[entry.number - 1]
    return PositionComparison(changes_between(table.game, before, after), entry.led, entry.way, entry.why, entry.looked)
