"""Villa Paletti: rulings on a villa with unknown groups of columns, locks or facts."""

from __future__ import annotations

from rules.unknowns import UnknownRules
from rules.villa_paletti.moves import Move
from rules.villa_paletti.state import State
from rules.villa_paletti.unknowns.combinations import judged_fillings
from rules.villa_paletti.unknowns.contents import fill
from rules.villa_paletti.unknowns.effects import effect_fillings
from rules.villa_paletti.unknowns.gaps import cells, distance, known_part
from rules.villa_paletti.unknowns.scope import relevant_cells

UNKNOWNS: UnknownRules[State, Move] = UnknownRules(
    cells=cells,
    known_part=known_part,
    relevant_cells=relevant_cells,
    fill=fill,
    judged_fillings=judged_fillings,
    effect_fillings=effect_fillings,
    shows_outcome=True,
    distance=distance,
)
