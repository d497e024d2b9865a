"""Robber Knights: the short text form of a move, and back. The colour comes from the turn."""

from __future__ import annotations

import re
from typing import cast

from rules.forms import Malformed
from rules.robber_knights.moves import FARTHEST, Cell, Direction, Knights, Move, Stop, Tile
from rules.robber_knights.tiles import Face, Letter

_NUMBER = "0|-?[1-9][0-9]{0,15}"
_COUNT = "0|[1-9][0-9]?"
_MOVE = re.compile(
    rf"\(({_NUMBER}),({_NUMBER})\)"
    r" ((?:lake|mountain|plain|forest)(?: village| castle| town)?)"
    r"(?::([A-E]))?"
    rf"(?: >([.nesw])((?: (?:{_COUNT}))+))?"
)
STOP = "stop"


def read(text: str) -> Move:
    """``(3,-1) plain castle:C >e 1 2 1``, ``stop`` … -> the move."""
    if text == STOP:
        return Stop()
    match = _MOVE.fullmatch(text)
    if match is None:
        raise Malformed("notation", text=text)
    x, y, face, letter, march, counts = match.groups()
    cell: Cell = (int(x), int(y))
    if max(map(abs, cell)) > FARTHEST:
        raise Malformed("notation", text=text)
    knights = _knights(march, counts) if march else None
    return Tile(cell, cast("Face", face), cast("Letter | None", letter), knights)


def _knights(march: str, counts: str) -> Knights:
    left = tuple(map(int, counts.split()))
    return Knights(left) if march == "." else Knights(left, cast("Direction", march))


def write(move: Move) -> str:
    """The move -> its text."""
    if isinstance(move, Stop):
        return STOP
    x, y = move.cell
    letter = f":{move.letter}" if move.letter else ""
    knights = ""
    if move.knights:
        knights = f" >{move.knights.march or '.'} {' '.join(map(str, move.knights.left))}"
    return f"({x},{y}) {move.face}{letter}{knights}"
