"""Architekton on a table of which some cells are not known (`rules.unknowns`)."""

from __future__ import annotations

from typing import Final

from rules.architekton.moves import Move
from rules.architekton.state import State
from rules.architekton.unknowns.fill import fill
from rules.architekton.unknowns.fillings import effect_fillings, fillings, tells
from rules.architekton.unknowns.look import cells, distance, known, matter
from rules.unknowns import UnknownRules

UNKNOWNS: Final[UnknownRules[State, Move]] = UnknownRules(
    cells=cells,
    known=known,
    matter=matter,
    fill=fill,
    fillings=fillings,
    effect_fillings=effect_fillings,
    outcome=True,
    tells=tells,
    distance=distance,
)
