"""Fief: rulings on a position of which villages, lords and facts are unknown.

In order: `doubts` (what is unknown, and what is left), `filling`, `strangers` and `contents` (what an unknown fact can
be), `watched` (what a rule looks at), `tree` (all that a ruling can depend on), `ways` (what matters, and the fillings
that stand for all), `changing`, `everything` and `told` (what a move brings about), `distance`.
"""

from __future__ import annotations

from rules.fief.moves import Move
from rules.fief.state import State
from rules.fief.unknowns import contents, doubts, filling, told, ways
from rules.fief.unknowns.distance import distance
from rules.unknowns import UnknownRules

UNKNOWNS: UnknownRules[State, Move] = UnknownRules(
    cells=doubts.doubts,
    known=doubts.known,
    matter=ways.matter,
    contents=contents.contents,
    fill=filling.fill,
    heard=ways.heard,
    told=told.told,
    lit=doubts.lit,
    distance=distance,
)
