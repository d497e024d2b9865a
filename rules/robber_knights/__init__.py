"""Robber Knights (Queen Games, 2005): the rulebook's index."""

from __future__ import annotations

from typing import Any

from rules.defaults import difference_explainer, nearest_by
from rules.game import Game
from rules.kernel import Rule
from rules.robber_knights import effects, explain, legal_moves, notation, play, position, scoring
from rules.robber_knights import legality as law
from rules.robber_knights.changes import CHANGES
from rules.robber_knights.forecasts import forecasts
from rules.robber_knights.moves import KINDS, Move, Stop, Tile
from rules.robber_knights.state import COLOURS, READINGS, Position, Setup, State
from rules.robber_knights.unknowns import UNKNOWNS

BOOK: dict[tuple[str, type], tuple[Rule[State, Any], ...]] = {
    ("play", Tile): (
        Rule("RK-10", law.site),
        Rule("RK-11", law.within, counts=law.rectangle_size),
        Rule("RK-12", law.at_hand, counts=explain.copies),
        Rule("RK-20", law.may_bring_knights, counts=law.brought_knights_count),
        Rule("RK-21", law.over_tiles, counts=explain.tiles_passed),
        Rule("RK-22", law.enough, counts=explain.stay),
        Rule("RK-23", law.at_most),
        Rule("RK-24", law.no_lake),
        Rule("RK-25", law.no_stop_on_march),
        Rule("RK-26", law.supply, counts=law.supply_count),
    ),
    ("play", Stop): (Rule("RK-3", law.first_is_compulsory),),
    ("over", Tile): (Rule("RK-30", law.over),),
    ("over", Stop): (Rule("RK-30", law.over),),
}
"""No rule presupposes another: the cell, the tile and the knights are heard independently."""

GAME: Game[State, Move] = Game(
    id="robber_knights",
    edition="2005",
    rules_version="2",
    players=(2, 3, 4),
    seats=COLOURS,
    seats_of=play.seats_of,
    readings=READINGS,
    kinds=KINDS,
    setup_form=Setup,
    setup=play.setup,
    example_setup={
        "players": [{"colour": "red"}, {"colour": "yellow"}],
        "layout": [
            {"cell": [0, 0], "tile": "plain"},
            {"cell": [1, 0], "tile": "plain village"},
            {"cell": [0, 1], "tile": "mountain"},
            {"cell": [1, 1], "tile": "plain village"},
        ],
    },
    book=BOOK,
    phase=play.phase,
    apply=play.apply,
    cannot_stand=play.cannot_stand,
    due=play.due,
    moves=legal_moves.moves,
    cells_of=legal_moves.cells_of,
    nearest=nearest_by(legal_moves.move_distance, legal_moves.moves),
    differences=difference_explainer({"knights": legal_moves.knights_differ, "letter": legal_moves.letters_differ}),
    score=scoring.score,
    points=scoring.points,
    ranking=scoring.ranking,
    forecasts=forecasts,
    effects=effects.effects,
    pass_moves=(Stop.kind,),
    read=notation.read,
    write=notation.write,
    position_form=Position,
    changes=CHANGES,
    position=position.position,
    enter=position.enter,
    problems=position.problems,
    setup_for_position=play.seat_players,
    turn_of=play.turn_of,
    unknowns=UNKNOWNS,
)
