"""Villefranche (rules 6.7, 2003-2004, for the material of Kontakt): the rulebook's index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rules.defaults import game_over_rule, nearest_by, not_due
from rules.game import Game
from rules.kernel import Rule
from rules.villefranche import explain, legal_moves, notation, play, position, scoring
from rules.villefranche import legality as law
from rules.villefranche.changes import CHANGES
from rules.villefranche.effects import effects
from rules.villefranche.forecasts import forecasts
from rules.villefranche.moves import KINDS, BellTower, CornerStorey, House, Move, Nave, NobleStorey, Rampart, Roof
from rules.villefranche.state import COLOURS, READINGS, Position, Setup, State
from rules.villefranche.unknowns import UNKNOWNS

SUPPLY = Rule("VF-6", law.supply, counts=law.supply_count)
LAND = Rule("VF-20", law.on_building_land)


def _on_land(site: Rule[State, Any], *rest: tuple[Any, ...]) -> tuple[Rule[State, Any], ...]:
    """The rules of a building: the land, the site, and only then the rest."""
    before = ("VF-20", site.id)
    shared: tuple[tuple[object, ...], ...] = (
        ("VF-21", law.circulation),
        ("VF-22", law.majority),
        ("VF-23", law.under_walls),
    )
    return (SUPPLY, LAND, site, *(Rule(id_, objects, before, *count) for id_, objects, *count in (*shared, *rest)))


PLACEMENTS: dict[type[Move], tuple[Rule[State, Any], ...]] = {
    Rampart: (SUPPLY, Rule("VF-10", law.rampart_site), Rule("VF-11", law.one_gate, ("VF-10",), explain.gates)),
    CornerStorey: (SUPPLY, Rule("VF-12", law.corner_site)),
    House: _on_land(Rule("VF-30", law.house_site, ("VF-20",))),
    Roof: _on_land(Rule("VF-31", law.roof_site, ("VF-20",))),
    NobleStorey: (
        *_on_land(
            Rule("VF-32", law.noble_site, ("VF-20",)),
            ("VF-34", law.apart("tower")),
            ("VF-35", law.tower_to_continue, explain.none_unfinished),
            ("VF-32", law.noble_shop),
            ("VF-33", law.shop_for_each, explain.shops),
        ),
    ),
    Nave: _on_land(
        Rule("VF-40", law.nave_site, ("VF-20",)),
        ("VF-34", law.apart("church")),
        ("VF-42", law.funding),
        ("VF-43", law.church_to_continue, explain.none_unfinished),
    ),
    BellTower: _on_land(Rule("VF-41", law.bell_site, ("VF-20",)), ("VF-42", law.funding)),
}
"""Kind of placement -> the rules that are heard."""

DUE_RULES = {
    "first_turn": ("VF-1", ""),
    "rampart": ("VF-2", "first"),
    "storey_or_house": ("VF-2", "second"),
    "storey": ("VF-3", "first"),
    "storey_or_house_2": ("VF-3", "second"),
    "town": ("VF-4", ""),
}
"""Phase -> the rule against a kind that is not due."""


def _rules(stage: str, kind: type[Move]) -> tuple[Rule[State, object], ...]:
    if kind in play.KINDS_DUE[stage]:
        return PLACEMENTS[kind]
    rule, code = DUE_RULES[stage]
    return (not_due(rule, code), *PLACEMENTS[kind])


BOOK = {(stage, kind): _rules(stage, kind) for stage in play.KINDS_DUE for kind in PLACEMENTS} | {
    ("over", kind): (game_over_rule("VF-50", play.game_end), game_over_rule("VF-51", play.game_end))
    for kind in PLACEMENTS
}


def moves(state: State, kinds: Sequence[str] | None = None) -> Iterator[Move]:
    """The legal placements, or only those of the given kinds."""
    stage = play.phase(state)
    if stage == "over":
        return iter(())
    due = play.KINDS_DUE[stage]
    return legal_moves.moves_of(state, due if kinds is None else [form for form in due if form.kind in kinds])


GAME: Game[State, Move] = Game(
    id="villefranche",
    edition="6.7 (2003-2004)",
    rules_version="2",
    players=(2,),
    seats=COLOURS,
    seats_of=play.seats_of,
    readings=READINGS,
    kinds=KINDS,
    setup_form=Setup,
    setup=play.setup,
    book=BOOK,
    phase=play.phase,
    stuck_rule=game_over_rule("VF-52", play.game_end),
    apply=play.apply,
    cannot_stand=play.cannot_stand,
    effects=effects,
    due=play.due,
    player_on_move=play.player_on_move,
    moves=moves,
    cells_of=legal_moves.cells_of,
    nearest=nearest_by(legal_moves.move_distance, moves),
    score=scoring.score,
    points=scoring.points,
    ranking=scoring.ranking,
    forecasts=forecasts,
    read=notation.read,
    write=notation.write,
    position_form=Position,
    changes=CHANGES,
    position=position.position,
    enter=position.enter,
    problems=position.problems,
    with_readings=play.with_readings,
    turn_of=play.turn_of,
    setup_with_starter=play.setup_with_starter,
    unknowns=UNKNOWNS,
)
