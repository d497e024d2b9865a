"""Robber Knights: rulings on a table of which cells, stacks of knights or supplies are not known."""

from __future__ import annotations

from typing import Final

from rules.robber_knights.moves import Move
from rules.robber_knights.state import State
from rules.robber_knights.unknowns.combinations import fillings
from rules.robber_knights.unknowns.contents import contents, fill
from rules.robber_knights.unknowns.effects import effect_fillings, ends, tells
from rules.robber_knights.unknowns.gaps import cells, distance, known
from rules.robber_knights.unknowns.scope import matter
from rules.unknowns import UnknownRules

UNKNOWNS: Final[UnknownRules[State, Move]] = UnknownRules(
    cells=cells,
    known=known,
    matter=matter,
    contents=contents,
    fill=fill,
    fillings=fillings,
    effect_fillings=effect_fillings,
    outcome=True,
    tells=tells,
    ends=ends,
    lit=lambda cell: () if isinstance(cell, str) else (cell,),
    distance=distance,
)
