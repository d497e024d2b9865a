"""Villefranche: the short text form of a move, and back. The colour comes from the turn."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules.forms import Malformed
from rules.villefranche.board import COLUMNS
from rules.villefranche.moves import BellTower, CornerStorey, House, Move, Nave, NobleStorey, OnTwo, Rampart, Roof

LETTERS: Mapping[str, type[Move]] = {
    "r": Rampart,
    "t": CornerStorey,
    "h": House,
    "s": Roof,
    "n": NobleStorey,
    "e": Nave,
    "b": BellTower,
}
_LETTER_OF = {form: letter for letter, form in LETTERS.items()}
_CELL = f"[{COLUMNS}][1-9]"
_MOVE = re.compile(f"([a-z]) ({_CELL})({_CELL})?")


def read(text: str) -> Move:
    """``h c4``, ``r b9c9`` … -> the move. Two cells are read in either order."""
    match = _MOVE.fullmatch(text)
    if match is None:
        raise Malformed("notation", text=text)
    letter, first, second = match.groups()
    form = LETTERS.get(letter)
    if form is None:
        raise Malformed("unknown_kind", text=letter)
    if form is Rampart or form is Nave:
        if second is None:
            raise Malformed("notation", text=text)
        return form((first, second))
    if second is not None:
        raise Malformed("notation", text=text)
    return form(first)  # type: ignore[arg-type]  # the kinds of two cells have returned above


def write(move: Move) -> str:
    """The move -> its text; two cells with the smaller column first, then the smaller row."""
    cells = "".join(move.cells) if isinstance(move, OnTwo) else move.cell
    return f"{_LETTER_OF[type(move)]} {cells}"
