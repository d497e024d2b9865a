"""Architekton: rulings on a table of which some cells, or the houses left, are not known."""

from __future__ import annotations

from typing import Final

from rules.architekton.moves import Move
from rules.architekton.state import State
from rules.architekton.unknowns.combinations import fillings
from rules.architekton.unknowns.contents import fill
from rules.architekton.unknowns.effects import effect_fillings, ends, tells
from rules.architekton.unknowns.gaps import cells, distance, known
from rules.architekton.unknowns.scope import matter
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
    ends=ends,
    distance=distance,
)
