"""Villefranche: rulings on a town with unknown cells, enclosure or pieces in hand."""

from __future__ import annotations

from rules.unknowns import UnknownRules
from rules.villefranche.moves import Move
from rules.villefranche.state import State
from rules.villefranche.unknowns.combinations.sorts import holds
from rules.villefranche.unknowns.contents import fill
from rules.villefranche.unknowns.effects import Sorts
from rules.villefranche.unknowns.gaps import cells, distance, known_part
from rules.villefranche.unknowns.scope import relevant_cells

UNKNOWNS: UnknownRules[State, Move] = UnknownRules(
    cells=cells,
    known_part=known_part,
    relevant_cells=relevant_cells,
    fill=fill,
    sorts=Sorts,
    holds=holds,
    distance=distance,
)
