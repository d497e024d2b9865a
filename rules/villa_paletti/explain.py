"""Villa Paletti: the counts of rules without an objection (`Rule.counts`)."""

from __future__ import annotations

from rules.kernel import Fact, Facts, counted_facts
from rules.villa_paletti import moves, villa
from rules.villa_paletti.columns import RED_FLOOR, Group
from rules.villa_paletti.legality import MovedUp, OfNeutral, group_of, loss, neutral_group
from rules.villa_paletti.play import after_failing
from rules.villa_paletti.state import State


def _there(state: State, group: Group) -> Facts:
    """The columns equal to one, on its level; the number of locked ones; and the top level."""
    n, locked = state.columns[group]
    colour = villa.colour_words(state, group.colour)
    values = {"colour": colour, "shape": group.shape, "level": group.level, "n": n, "locked": locked}
    evidence = (Fact((villa.cell_of(state, group),), {"columns": n}),)
    return counted_facts({**values, "top": state.top}, evidence)


def own_columns(state: State, move: MovedUp) -> Facts:
    """`VP-10`: the player's columns equal to the moved one."""
    return _there(state, Group(move.colour, move.shape, move.level))


def neutral_columns(state: State, move: OfNeutral) -> Facts:
    """`VP-10`: the neutral columns equal to the moved one."""
    return _there(state, neutral_group(state, move))


def floors(state: State, _move: moves.Floor) -> Facts:
    """`VP-12`: the floors that are left."""
    return counted_facts({"n": RED_FLOOR - state.top}, (Fact((villa.level_cell(state.top),)),))


def objected_columns(state: State, move: moves.Floor) -> Facts | None:
    """`VP-13`: the columns equal to the one that the objector tries."""
    return _there(state, group_of(move.objection)) if move.objection else None


def columns_to_take(state: State, move: moves.Floor) -> Facts | None:
    """`VP-14`: the columns equal to the taken one, after the objection has failed."""
    failed = loss(move)
    return _there(after_failing(state, failed[0]), group_of(failed[1])) if failed else None


def challenging_columns(state: State, move: moves.NeutralAbort) -> Facts | None:
    """`VP-21`: the neutral columns equal to the one that the challenger shows."""
    return _there(state, neutral_group(state, move.challenge)) if move.challenge else None
