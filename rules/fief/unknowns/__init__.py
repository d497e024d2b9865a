"""Fief: rulings on a position of which villages, lords or facts are not known."""

from __future__ import annotations

from rules.fief.moves import Move
from rules.fief.state import State
from rules.fief.unknowns.combinations.ways import judged_fillings, relevant_cells
from rules.fief.unknowns.contents.facts import contents
from rules.fief.unknowns.contents.filling import fill
from rules.fief.unknowns.effects import certain_effects
from rules.fief.unknowns.gaps import cells_to_light, distance, doubts, known_part
from rules.unknowns import UnknownRules

UNKNOWNS: UnknownRules[State, Move] = UnknownRules(
    cells=doubts,
    known_part=known_part,
    relevant_cells=relevant_cells,
    contents=contents,
    fill=fill,
    judged_fillings=judged_fillings,
    certain_effects=certain_effects,
    cells_to_light=cells_to_light,
    distance=distance,
)
