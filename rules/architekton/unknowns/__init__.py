"""Architekton: rulings on a table with unknown cells, or an unknown number of houses left."""

from __future__ import annotations

from typing import Final

from rules.architekton.moves import Move
from rules.architekton.state import State
from rules.architekton.unknowns.combinations import fillings
from rules.architekton.unknowns.contents import fill
from rules.architekton.unknowns.effects import effect_fillings, is_certain, is_end_certain
from rules.architekton.unknowns.gaps import cells, distance, known_part
from rules.architekton.unknowns.scope import relevant_cells
from rules.unknowns import UnknownRules

UNKNOWNS: Final[UnknownRules[State, Move]] = UnknownRules(
    cells=cells,
    known_part=known_part,
    relevant_cells=relevant_cells,
    fill=fill,
    fillings=fillings,
    effect_fillings=effect_fillings,
    shows_outcome=True,
    is_certain=is_certain,
    is_end_certain=is_end_certain,
    distance=distance,
)
