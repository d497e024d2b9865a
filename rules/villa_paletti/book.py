"""Villa Paletti: the rulebook, a row of rules for each kind of move in each phase."""

from __future__ import annotations

from typing import Any

from rules.defaults import game_over_rule
from rules.kernel import Rule
from rules.villa_paletti import explain, play
from rules.villa_paletti import legality as law
from rules.villa_paletti.moves import KINDS, Abort, Column, Crash, Done, End, Floor, Move, Neutral, NeutralAbort
from rules.villa_paletti.state import State

Row = tuple[Rule[State, Any], ...]

OWN: Row = (Rule("VP-10", law.own_colour), Rule("VP-10", law.own_movable, counts=explain.own_columns))
NEUTRAL_FIRST: Row = (Rule("VP-20", law.neutral_first), *OWN)
FLOOR: Row = (
    Rule("VP-12", law.at_the_start),
    Rule("VP-12", law.next_floor, counts=explain.floors),
    Rule("VP-13", law.objector),
    Rule("VP-13", law.objection_colour),
    Rule("VP-13", law.objection_movable, counts=explain.objected_columns),
    Rule("VP-20", law.objection_stays),
    Rule("VP-14", law.of_the_objector),
    Rule("VP-14", law.in_the_villa, counts=explain.columns_to_take),
    Rule("VP-15", law.floor_is_supported, ("VP-14",)),
)
NO_NEUTRAL: Row = (Rule("VP-20", law.no_neutral),)
A_NEUTRAL: Row = (
    Rule("VP-10", law.neutral_movable, counts=explain.neutral_columns),
    Rule("VP-20", law.one_stays, ("VP-10",)),
)
CHALLENGE_OPEN: Row = (
    *A_NEUTRAL,
    Rule("VP-21", law.challenger),
    Rule("VP-21", law.challenge_movable, counts=explain.challenging_columns),
    Rule("VP-20", law.challenge_stays),
)
NOT_DONE: Row = (Rule("VP-20", law.not_done),)
MAY_BE_DONE: Row = (Rule("VP-20", law.may_give_up_own),)
NEUTRAL_OVER: Row = (Rule("VP-20", law.neutral_over),)
CRASH: Row = (Rule("VP-16", law.by_a_player),)
SHOWN_BY_TABLE: Row = ()
"""The table shows that nobody can build; no rule objects."""
OVER: Row = (game_over_rule("VP-16", play.game_end), game_over_rule("VP-17", play.game_end))

ANY_TIME: dict[type[Move], Row] = {Floor: FLOOR, Done: NOT_DONE, Crash: CRASH, End: SHOWN_BY_TABLE}
LATE: dict[type[Move], Row] = {
    Column: OWN,
    Abort: OWN,
    Neutral: (*NEUTRAL_OVER, *A_NEUTRAL),
    NeutralAbort: (*NEUTRAL_OVER, *CHALLENGE_OPEN),
}
BOOK: dict[tuple[str, type], Row] = {
    (phase, kind): row
    for phase, rows in {
        "turn": {Column: OWN, Abort: OWN, Neutral: NO_NEUTRAL, NeutralAbort: NO_NEUTRAL},
        "neutral": {Column: NEUTRAL_FIRST, Abort: NEUTRAL_FIRST, Neutral: A_NEUTRAL, NeutralAbort: CHALLENGE_OPEN},
        "skipped": LATE,
        "own": {**LATE, Done: MAY_BE_DONE},
        "over": dict.fromkeys(KINDS.values(), OVER),
    }.items()
    for kind, row in {**ANY_TIME, **rows}.items()
}
