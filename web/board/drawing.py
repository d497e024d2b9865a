"""A drawn board, written as it stands in a page."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from web.board.layers import Layer
from web.board.markup import layer
from web.board.shapes import Board


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board without its shapes, which are written already: the ground, and the pieces on it."""

    board: Board
    ground: Layer = field(repr=False)
    pieces: Layer = field(repr=False)

    @classmethod
    def of(cls, board: Board) -> Self:
        """Write the shapes of a board."""
        return cls(replace(board, ground=(), pieces=()), layer("ground", board.ground), layer("pieces", board.pieces))
