"""Villa Paletti (Zoch, 2001): the rulebook's index."""

from __future__ import annotations

from typing import Any

from rules.defaults import ended_by, legal_among, nearest_by
from rules.kernel import Game, Rule
from rules.villa_paletti import effects, explain, legal_moves, notation, play, position, scoring
from rules.villa_paletti import legality as law
from rules.villa_paletti.changes import CHANGES
from rules.villa_paletti.columns import COLOURS
from rules.villa_paletti.foretold import foretold
from rules.villa_paletti.moves import KINDS, Abort, Column, Crash, Done, End, Floor, Move, Neutral, NeutralAbort
from rules.villa_paletti.state import READINGS, Position, Setup, State
from rules.villa_paletti.unknowns import UNKNOWNS

Row = tuple[Rule[State, Any], ...]

OWN: Row = (Rule("VP-10", law.own_colour), Rule("VP-10", law.own_movable, counts=explain.own_columns))
NEUTRAL_FIRST: Row = (Rule("VP-20", law.neutral_first), *OWN)
FLOOR: Row = (
    Rule("VP-12", law.at_the_start),
    Rule("VP-12", law.next_floor, counts=explain.floors),
    Rule("VP-13", law.objector),
    Rule("VP-13", law.objected_with),
    Rule("VP-13", law.objection_movable, counts=explain.objected_columns),
    Rule("VP-20", law.objection_stays),
    Rule("VP-14", law.of_the_objector),
    Rule("VP-14", law.in_the_villa, counts=explain.columns_to_take),
    Rule("VP-15", law.supported, ("VP-14",)),
)
NO_NEUTRAL: Row = (Rule("VP-20", law.no_neutral),)
A_NEUTRAL: Row = (
    Rule("VP-10", law.neutral_movable, counts=explain.neutral_columns),
    Rule("VP-20", law.one_stays, ("VP-10",)),
)
CHALLENGED: Row = (
    *A_NEUTRAL,
    Rule("VP-21", law.challenger),
    Rule("VP-21", law.challenge_movable, counts=explain.challenging_columns),
    Rule("VP-20", law.challenge_stays),
)
NOT_DONE: Row = (Rule("VP-20", law.not_done),)
MAY_BE_DONE: Row = (Rule("VP-20", law.own_given_up),)
NEUTRAL_OVER: Row = (Rule("VP-20", law.neutral_over),)
CRASH: Row = (Rule("VP-16", law.by_a_player),)
SAID: Row = ()
"""That nobody can build is said by the table; no rule objects."""
OVER: Row = (ended_by("VP-16", play.ended), ended_by("VP-17", play.ended))

ANY_TIME: dict[type[Move], Row] = {Floor: FLOOR, Done: NOT_DONE, Crash: CRASH, End: SAID}
LATE: dict[type[Move], Row] = {
    Column: OWN,
    Abort: OWN,
    Neutral: (*NEUTRAL_OVER, *A_NEUTRAL),
    NeutralAbort: (*NEUTRAL_OVER, *CHALLENGED),
}
BOOK: dict[tuple[str, type], Row] = {
    (phase, kind): row
    for phase, rows in {
        "turn": {Column: OWN, Abort: OWN, Neutral: NO_NEUTRAL, NeutralAbort: NO_NEUTRAL},
        "neutral": {Column: NEUTRAL_FIRST, Abort: NEUTRAL_FIRST, Neutral: A_NEUTRAL, NeutralAbort: CHALLENGED},
        "skipped": LATE,
        "own": {**LATE, Done: MAY_BE_DONE},
        "over": dict.fromkeys(KINDS.values(), OVER),
    }.items()
    for kind, row in {**ANY_TIME, **rows}.items()
}

moves = legal_among(BOOK, play.phase, legal_moves.CANDIDATES)

GAME: Game[State, Move] = Game(
    id="villa_paletti",
    edition="2001",
    rules_version="2",
    players=(2, 3, 4),
    seats=COLOURS,
    seats_of=play.seats_of,
    readings=READINGS,
    kinds=KINDS,
    setup_form=Setup,
    setup=play.setup,
    book=BOOK,
    phase=play.phase,
    apply=play.apply,
    cannot_stand=law.cannot_stand,
    due=play.due,
    moves=moves,
    of_pieces=lambda values: ("colour",) if "shape" in values else ("shown",),
    cells_of=legal_moves.cells_of,
    nearest=nearest_by(legal_moves.far, moves, legal_moves.as_fallen),
    score=scoring.score,
    ranking=scoring.ranking,
    foretold=foretold,
    effects=effects.effects,
    going_on=(Done.kind,),
    read=notation.read,
    write=notation.write,
    position_form=Position,
    changes=CHANGES,
    position=position.position,
    enter=position.enter,
    problems=position.problems,
    turn_of=play.turn_of,
    unknowns=UNKNOWNS,
)
