"""Villa Paletti: rulings on a villa of which groups of columns, locks or facts are not known."""

from __future__ import annotations

from rules.unknowns import UnknownRules
from rules.villa_paletti.moves import Move
from rules.villa_paletti.state import State
from rules.villa_paletti.unknowns.combinations import heard
from rules.villa_paletti.unknowns.contents import fill
from rules.villa_paletti.unknowns.effects import effect_fillings
from rules.villa_paletti.unknowns.gaps import cells, distance, known
from rules.villa_paletti.unknowns.scope import matter

UNKNOWNS: UnknownRules[State, Move] = UnknownRules(
    cells=cells,
    known=known,
    matter=matter,
    fill=fill,
    heard=heard,
    effect_fillings=effect_fillings,
    outcome=True,
    distance=distance,
)
