"""Fief: rulings on a position of which villages, lords or facts are not known."""

from __future__ import annotations

from rules.fief.moves import Move
from rules.fief.state import State
from rules.fief.unknowns.combinations.ways import heard, matter
from rules.fief.unknowns.contents.facts import contents
from rules.fief.unknowns.contents.filling import fill
from rules.fief.unknowns.effects import told
from rules.fief.unknowns.gaps import distance, doubts, known, lit
from rules.unknowns import UnknownRules

UNKNOWNS: UnknownRules[State, Move] = UnknownRules(
    cells=doubts,
    known=known,
    matter=matter,
    contents=contents,
    fill=fill,
    heard=heard,
    told=told,
    lit=lit,
    distance=distance,
)
