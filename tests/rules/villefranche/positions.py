"""Villefranche: partial positions as JSON, and what is ruled on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.unknowns import PartialRuling, judge
from rules.villefranche import GAME
from tests.support.json_forms import read_position, read_setup

assert GAME.unknowns is not None
RULES = GAME.unknowns
COLUMNS, BORDER = "abcdefghi", "19ai"


def piece(name: str, colour: str, second: str | None = None) -> dict[str, str]:
    """A piece as JSON."""
    return {"piece": name, "colour": colour} | ({"second": second} if second else {})


def house(colour: str) -> list[dict[str, str]]:
    """A house."""
    return [piece("cube", colour)]


def tower(colour: str) -> list[dict[str, str]]:
    """A finished noble tower."""
    return [piece("cylinder", colour)] * 3


def read(cells: Mapping[str, Any], **more: Any) -> Any:
    """A position of its JSON, in the town unless it says otherwise."""
    return read_position(GAME, {"cells": cells, "enclosed": True, **more}, partial=True)


SETUP = read_setup(GAME, {})


def ask(cells: Mapping[str, Any], move: str, **more: Any) -> PartialRuling:
    """The ruling on a move in a partial position."""
    entered = read(cells, **more)
    state = GAME.enter(SETUP, RULES.known_part(SETUP, entered))
    return judge(GAME, state, RULES.cells(SETUP, entered), GAME.read(move))


LINE = [f"{x}{y}" for x in COLUMNS for y in range(1, 10)]


def around(number: int) -> list[str]:
    """So many cells, from c5 on, the nearest first."""
    far = {cell: max(abs(COLUMNS.index(cell[0]) - 2), abs(int(cell[1]) - 5)) for cell in LINE if cell != "e5"}
    return sorted(far, key=lambda cell: (far[cell], cell))[:number]
