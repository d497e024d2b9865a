"""Fief, the simplified rules of 2021 on the material of 2011: the rulebook's index."""

from __future__ import annotations

from rules.defaults import nearest_by
from rules.fief import legal_moves, near, notation, play, position, problems, rounds, victory
from rules.fief.book import BOOK
from rules.fief.cannot_stand import cannot_stand
from rules.fief.changes import CHANGES
from rules.fief.combats.dice import DICE, dice_thrown
from rules.fief.data import COLOURS, Data, whole
from rules.fief.deaths import murders
from rules.fief.effects import STANDING, effects
from rules.fief.forecasts import forecasts
from rules.fief.moves import AT_ANY_TIME, KINDS, Give, Move, Next
from rules.fief.state import PLAYERS, READINGS, Position, Setup, State
from rules.fief.unknowns import UNKNOWNS
from rules.game import Game

GAME: Game[State, Move] = Game(
    id="fief",
    edition="2011, simplified rules of 9 August 2021",
    rules_version="2",
    players=PLAYERS,
    seats=COLOURS,
    seats_of=play.seats_of,
    readings=READINGS,
    kinds=KINDS,
    setup_form=Setup,
    setup=play.setup,
    example_setup={
        "players": [
            {"colour": "red", "lord": "Blanche", "village": "Sigy"},
            {"colour": "blue", "lord": "Henri", "village": "St Paul"},
            {"colour": "green", "lord": "Othon", "village": "Les Essarts"},
        ]
    },
    migrate=play.migrate,
    book=BOOK,
    phase=rounds.phase,
    apply=play.apply,
    effects=effects,
    standing_effects=STANDING,
    is_written_differently=murders.is_written_differently,
    cannot_stand=cannot_stand,
    due=rounds.due,
    moves=legal_moves.moves,
    cells_of=near.cells_of,
    nearest=nearest_by(near.move_distance, legal_moves.moves),
    score=victory.score,
    points=victory.points_by_player,
    ranking=victory.ranking,
    by_points=False,
    forecasts=forecasts,
    read=notation.read,
    write=notation.write,
    position_form=Position,
    changes=CHANGES,
    position=position.position,
    enter=position.enter,
    problems=problems.problems,
    barriers=tuple(("FI-1", f"position_no_{what}") for what in ("lord", "village", "fief")),
    out_of_turn=tuple(form.kind for form in (Give, *AT_ANY_TIME)),
    owner_of=play.owner_of,
    pass_moves=(Next.kind,),
    round_begins=rounds.begins,
    dice=DICE,
    dice_thrown=dice_thrown,
    unknowns=UNKNOWNS,
    meanings={
        "candidates": "The lords who stand for election.",
        "fief": "The fief, by its name on the map.",
    },
    data=whole(Data()),
)
