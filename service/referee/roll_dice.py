"""Rolls dice for a table, and plans the entry that records the roll.

The caller provides the random choice, as a `Pick`. A roll changes nothing on the table, and is never undone.

Dice can be rolled only while they are due. The dice of a camp are due for a due move, until they have been rolled once.
Dice for any other purpose are due while the game continues; a seat can roll them `MAX_ROLLS` times until the table
changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple, TypeAlias

from rules.kernel import ORDINARY, Seat
from rules.steps import spend
from service.errors import Invalid
from service.referee import plans
from service.referee.plans import Plan
from service.runtime.budget import ENTRY_STEPS, READ_STEPS
from service.tables.entries import BATTLE, BEGINS, DICE, Die, Rolled, Throw, ToRoll
from service.tables.keys import HOST, Role
from service.tables.table import Table
from service.types import AnyGame, Setup
from service.validation import FieldError

Pick: TypeAlias = Callable[[int], int]
"""A number -> one of the numbers below it, all with the same probability."""
MAX_ROLLS: Final = 6
"""The most rolls of a seat for any purpose (`DICE`) until the table changes: players repeat level throws."""


def plan_roll(table: Table, role: Role, to_roll: ToRoll, pick: Pick, now: datetime) -> Plan:
    """Roll dice, and plan the entry with the result. Raises `Invalid` if no such dice exist or none are due."""
    game, dice = table.game, {to_roll.kind: to_roll.n}
    notation: str | None = None
    if table.due.ended is not None:
        raise Invalid([("/for", FieldError("no_roll_over"))])
    if to_roll.purpose == BATTLE:
        notation, dice = _dice_of(table, role, to_roll)
    elif (
        role.kind != HOST
        and sum((each.by, each.purpose) == (role.name, DICE) for each in rolls_here(table)) >= MAX_ROLLS
    ):
        raise Invalid([("/for", FieldError("no_roll_due", n=MAX_ROLLS))])
    entry = Rolled(
        table.version + 1,
        now,
        role.name,
        to_roll.purpose,
        (_throw(game, dice, pick),),
        {kind: game.dice[kind] for kind in dice},
        notation,
        to_roll.camp,
        rules_version=game.rules_version,
    )
    spend(ENTRY_STEPS)
    return plans.add_entry(Plan(table, (), ()), entry)


def _dice_of(table: Table, role: Role, to_roll: ToRoll) -> tuple[str, dict[str, int]]:
    """A move that is due, in notation, and the dice that a camp throws for it. Raises `Invalid`.

    A camp that has thrown for one move throws for no other, or it could choose. The host may correct a mistake.
    """
    game, move = table.game, to_roll.move
    camps = game.dice_thrown(table.state, move) if move is not None and move.kind in table.due.kinds else {}
    if move is None or not camps:
        raise Invalid([("/move", FieldError("no_dice"))])
    if to_roll.camp not in camps:
        raise Invalid([("/camp", FieldError("no_camp", values=tuple(camps)))])
    notation = game.write(move)
    thrown_for = {each.notation for each in rolls_here(table) if each.camp == to_roll.camp}
    if notation in thrown_for:
        raise Invalid([("/camp", FieldError("camp_rolled"))])
    if thrown_for and role.kind != HOST:
        raise Invalid([("/camp", FieldError("camp_rolled_for_another"))])
    return notation, {**camps[to_roll.camp]}


def rolls_here(table: Table) -> Iterator[Rolled]:
    """The rolls since the table last changed, also those before a move that was undone since."""
    tip = table.tips[-1]
    for number in range(tip, table.version + 1):
        if table.tips[number - 1] == tip:
            spend(READ_STEPS)
            entry = table.entries[number - 1]
            if isinstance(entry, Rolled):
                yield entry


def _throw(game: AnyGame, dice: Mapping[str, int], pick: Pick, seat: Seat | None = None) -> Throw:
    """Dice of some kinds, thrown together."""
    kinds = [kind for kind, number in dice.items() for _ in range(number)]
    return Throw(tuple([Die(kind, game.dice[kind][pick(len(game.dice[kind]))]) for kind in kinds]), seat)


# --- who begins ----------------------------------------------------------------------------------------------------


class StarterRoll(NamedTuple):
    """The setup in which the player begins whom the dice chose, and these rolls."""

    setup: Setup
    throws: tuple[Throw, ...]


def roll_for_start(game: AnyGame, setup: Setup, pick: Pick) -> StarterRoll:
    """Roll a die for each player, in turn order; level players throw again until one is ahead.

    Raises `Invalid` if players differ only in their colours, and the colour decides who begins.
    """
    if game.setup_with_starter(setup, 1) == setup:
        raise Invalid([("/setup/players", FieldError("nobody_begins"))])
    places = range(len(game.seats_of(game.setup(setup))))
    thrown: list[tuple[int, Throw]] = []
    left: Sequence[int] = places
    while len(left) > 1:
        now = [(place, _throw(game, {ORDINARY: 1}, pick)) for place in left]
        best = max(throw.total for _, throw in now)
        left = [place for place, throw in now if throw.total == best]
        thrown += now
    (first,) = left
    begun: Setup = game.setup_with_starter(setup, first)
    seats = game.seats_of(game.setup(begun))
    throws = tuple([throw._replace(seat=seats[(place - first) % len(seats)]) for place, throw in thrown])
    return StarterRoll(begun, throws)


def add_starter_roll(plan: Plan, throws: Sequence[Throw], by: str, now: datetime) -> Plan:
    """Add to a plan the entry of the rolls that chose the starting player."""
    game = plan.table.game
    faces = {ORDINARY: game.dice[ORDINARY]}
    entry = Rolled(plan.table.version + 1, now, by, BEGINS, tuple(throws), faces, rules_version=game.rules_version)
    return plans.add_entry(plan, entry)
