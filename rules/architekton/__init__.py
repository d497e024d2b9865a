"""Architekton (2005): the rulebook's index."""

from __future__ import annotations

from typing import Any

from rules.architekton import effects, legal_moves, notation, play, position, scoring
from rules.architekton import legality as law
from rules.architekton.changes import CHANGES
from rules.architekton.forecasts import forecasts
from rules.architekton.moves import KINDS, Building, Keep, Land, Move, Pass, Take, UpBuilding, UpLandscape
from rules.architekton.settlement import mismatch_count
from rules.architekton.state import COLOURS, READINGS, Position, Setup, State
from rules.architekton.tiles import landscapes
from rules.architekton.unknowns import UNKNOWNS
from rules.defaults import difference_explainer, game_over_rule, nearest_by, not_due
from rules.game import Game
from rules.kernel import Due, Rule, Seat

Row = tuple[Rule[State, Any], ...]
SITE = ("AR-10", "AR-11")
"""The rules that those on edges, house and settlements presuppose."""

NOT_DUE: Row = (not_due("AR-2"),)
NO_TILE_YET: Row = (not_due("AR-2", "up"),)
ANSWER_FIRST: Row = (Rule("AR-21", law.answer_first),)
OVER: Row = tuple(game_over_rule(rule, play.game_end) for rule in ("AR-22", "AR-30", "AR-34"))
LAY: Row = (
    Rule("AR-3", law.tile_there, counts=law.tile_count),
    Rule("AR-10", law.beside_a_tile),
    Rule("AR-11", law.kinds_alternate),
    Rule("AR-12", law.edges_match, SITE),
)
SETTLE: Row = (Rule("AR-23", law.order, SITE), Rule("AR-25", law.answers, SITE, law.answer_count))
ANSWER: Row = (Rule("AR-25", law.what_is_asked), Rule("AR-21", law.choice, ("AR-25",)))
TURN_UP: Row = (Rule("AR-3", law.turn_up_in_supply, counts=law.turn_up_count),)

DUE: dict[str, dict[type[Move], Row]] = {
    "turn": {
        Building: (*LAY, Rule("AR-13", law.house, SITE, law.house_count), *SETTLE),
        Land: (*LAY, *SETTLE),
        Pass: (Rule("AR-34", law.nothing_fits),),
    },
    "answer": {Keep: ANSWER, Take: ANSWER},
    "up_both": {UpBuilding: TURN_UP, UpLandscape: TURN_UP},
    "up_building": {UpBuilding: TURN_UP},
    "up_landscape": {UpLandscape: TURN_UP},
    "over": {},
}
"""Phase -> the kinds that may be entered, with the rules that are heard."""
OTHERS = {"turn": NOT_DUE, "answer": ANSWER_FIRST, "over": OVER}
"""Phase -> the rules that are heard on a kind that is not due."""

BOOK = {
    (phase, kind): rows.get(kind, OTHERS.get(phase, NO_TILE_YET))
    for phase, rows in DUE.items()
    for kind in KINDS.values()
}


def player_on_move(state: State) -> Seat | None:
    """The player whose entry is due while the game continues; None if a tile is to be turned up."""
    phase = play.phase(state)
    if phase == "answer":
        return COLOURS[state.houses[state.pending[0].cell]]
    return COLOURS[state.player] if phase == "turn" else None


def due(state: State) -> Due:
    """Whose entry is due and of which kinds, or the end. A tile is turned up by nobody's turn."""
    end = play.game_end(state)
    if end:
        return Due(None, (), "ended", end.values, end)
    phase = play.phase(state)
    kinds = tuple(form.kind for form in DUE[phase])
    if phase == "answer":
        cell = state.pending[0].cell
        owner = COLOURS[state.houses[cell]]
        amount, chips = mismatch_count(state.tiles, cell), state.chips[state.houses[cell]]
        sides, less = landscapes(state.tiles[cell]), amount - 1
        values = {"colour": owner, "cell": cell, "sides": sides, "n": amount, "less": less, "chips": chips}
        return Due(owner, kinds, "answer", values)
    if phase != "turn":
        return Due(None, kinds, phase, {})
    if state.display is not None:
        kinds = kinds[:2] if legal_moves.has_lay(state) else (Pass.kind,)
    code = "pass" if len(kinds) == 1 else "second" if state.laid else "first"
    colour = COLOURS[state.player]
    return Due(colour, kinds, code, {"colour": colour})


GAME: Game[State, Move] = Game(
    id="architekton",
    edition="2005",
    rules_version="2",
    players=(2,),
    seats=COLOURS,
    seats_of=play.seats_of,
    readings=READINGS,
    kinds=KINDS,
    setup_form=Setup,
    setup=play.setup,
    example_setup={"layout": [{"cell": [0, 0], "tile": "earth"}, {"cell": [1, 1], "tile": "forest"}]},
    book=BOOK,
    phase=play.phase,
    apply=play.apply,
    cannot_stand=law.cannot_stand,
    due=due,
    player_on_move=player_on_move,
    moves=legal_moves.moves,
    cells_of=legal_moves.cells_of,
    nearest=nearest_by(legal_moves.move_distance, legal_moves.moves),
    differences=difference_explainer({"sides": legal_moves.sides_differ}),
    score=scoring.score,
    points=scoring.points,
    ranking=scoring.ranking,
    forecasts=forecasts,
    effects=effects.effects,
    read=notation.read,
    write=notation.write,
    position_form=Position,
    changes=CHANGES,
    position=position.position,
    enter=position.enter,
    problems=position.problems,
    barriers=(("AR-25", "position"),),
    turn_of=play.turn_of,
    round_begins=play.round_begins,
    unknowns=UNKNOWNS,
    meanings={
        "keep": "The mover's own buildings that pay in full and keep their houses (`AR-25`).",
        "order": "The buildings that are settled, in order (`AR-23`); left out, clockwise from the north of the tile.",
        "sides": "Its sides, clockwise from the north: `E` earth, `F` forest, `M` meadow, `W` water.",
        "take": "The mover's own buildings whose houses go back into supply, for one chip less (`AR-21`).",
    },
)
