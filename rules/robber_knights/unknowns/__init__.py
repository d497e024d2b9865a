"""Robber Knights: rulings on a table with unknown cells, stacks of knights or supplies."""

from __future__ import annotations

from typing import Final

from rules.robber_knights.moves import Move
from rules.robber_knights.state import State
from rules.robber_knights.unknowns.combinations import fillings
from rules.robber_knights.unknowns.contents import contents, fill
from rules.robber_knights.unknowns.effects import effect_fillings, is_certain, is_end_certain
from rules.robber_knights.unknowns.gaps import cells, distance, known_part
from rules.robber_knights.unknowns.scope import relevant_cells
from rules.unknowns import UnknownRules

UNKNOWNS: Final[UnknownRules[State, Move]] = UnknownRules(
    cells=cells,
    known_part=known_part,
    relevant_cells=relevant_cells,
    contents=contents,
    fill=fill,
    fillings=fillings,
    effect_fillings=effect_fillings,
    shows_outcome=True,
    is_certain=is_certain,
    is_end_certain=is_end_certain,
    cells_to_light=lambda cell: () if isinstance(cell, str) else (cell,),
    distance=distance,
)
