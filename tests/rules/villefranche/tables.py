"""Villefranche: every move on one cell, and tables from random games."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from rules import GAMES
from rules.villefranche import GAME
from rules.villefranche.board import INDEX
from rules.villefranche.moves import KINDS, Move, OnTwo
from rules.villefranche.state import State
from tests.rules.forms import moves
from tests.rules.play import seeds, some_state

CELLS = sorted(INDEX)
ALL_MOVES: list[Move] = [form(cell) for form in KINDS.values() if not issubclass(form, OnTwo) for cell in CELLS]


def table(chance: Random, drawn: list[Any]) -> State:
    """A table from a random game on which some forbidden moves stood."""
    state: State = some_state(GAMES["villefranche"], chance)
    for move in drawn:
        if GAME.cannot_stand(state, move) is None:
            state = GAME.apply(state, move)
    return state


tables = st.builds(table, seeds(), st.lists(moves(GAMES["villefranche"]), max_size=8))
