"""Robber Knights on a table of which not everything is known: cells, stacks of knights, supplies (`rules.unknowns`)."""

from __future__ import annotations

from typing import Final

from rules.robber_knights.moves import Move
from rules.robber_knights.state import State
from rules.robber_knights.unknowns.fill import contents, fill
from rules.robber_knights.unknowns.fillings import fillings
from rules.robber_knights.unknowns.look import cells, distance, known, matter
from rules.robber_knights.unknowns.told import effect_fillings, tells
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
    lit=lambda cell: () if isinstance(cell, str) else (cell,),
    distance=distance,
)
