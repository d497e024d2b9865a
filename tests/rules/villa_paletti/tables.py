"""Villa Paletti: tables of four, three and two, and a contested seal."""

from __future__ import annotations

from dataclasses import replace

from rules.villa_paletti import GAME
from rules.villa_paletti.state import Player, Setup, State

FOUR = Setup()


THREE = Setup(players=(Player(("red",)), Player(("blue",)), Player(("yellow",))))


TWO = Setup(players=(Player(("red", "yellow")), Player(("blue", "green"))))


def play(form: Setup, *moves: str, **readings: str) -> State:
    """The table after these moves, judged or not."""
    state = GAME.setup(replace(form, readings=readings))
    for move in moves:
        state = GAME.apply(state, GAME.read(move))
    return state


CONTESTED_SEAL = ("red small 0", "blue small 0", "yellow small 0", "floor -", "floor", "blue hex 0", "yellow big 0")
"""Blue was first on the green floor with 2 points, Yellow took the seal with 3."""
