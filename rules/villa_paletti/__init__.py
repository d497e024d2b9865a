"""Villa Paletti (Zoch, 2001): the rulebook's index."""

from __future__ import annotations

from rules.defaults import legal_among, nearest_by
from rules.game import Game
from rules.villa_paletti import effects, legal_moves, notation, play, position, scoring
from rules.villa_paletti import legality as law
from rules.villa_paletti.book import BOOK
from rules.villa_paletti.changes import CHANGES
from rules.villa_paletti.columns import COLOURS
from rules.villa_paletti.forecasts import forecasts
from rules.villa_paletti.moves import KINDS, Crash, Done, End, Move
from rules.villa_paletti.state import READINGS, Position, Setup, State
from rules.villa_paletti.unknowns import UNKNOWNS

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
    player_on_move=play.player_on_move,
    moves=moves,
    of_pieces=lambda values: ("colour",) if "shape" in values else ("shown",),
    cells_of=legal_moves.cells_of,
    nearest=nearest_by(legal_moves.move_distance, moves, legal_moves.with_same_collapse),
    score=scoring.score,
    points=scoring.points,
    ranking=scoring.ranking,
    by_points=False,
    forecasts=forecasts,
    effects=effects.effects,
    pass_moves=(Done.kind,),
    happenings=(Crash.kind, End.kind),
    read=notation.read,
    write=notation.write,
    position_form=Position,
    changes=CHANGES,
    position=position.position,
    enter=position.enter,
    problems=position.problems,
    turn_of=play.turn_of,
    unknowns=UNKNOWNS,
    meanings={
        "colour": "The colour of the column.",
        "crash": "Whether the attempt brought the villa down; then nothing else of the move happens (`VP-16`).",
        "level": "The level that the column stands on: 0 is the base plate, 1 to 5 are the floors.",
        "locked": "Whether it is a locked column where a like one beside it is not: the star of the notation.",
        "shape": "The shape of the column: `small` round, `hex` hexagonal, or `big` round.",
    },
)
