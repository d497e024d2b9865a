"""Writes a drawn board as markup for a page."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Final, Self

from rules.records import dataclass
from service.runtime.memory import WeightedCache
from web.board.layers import Layer
from web.board.markup import layer
from web.board.shapes import Board

FEW: Final = 4
"""The maximum number of layouts of its cells that are cached with a drawing."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board with rendered shapes: the ground, and the pieces on it."""

    board: Board
    ground: Layer = field(repr=False)
    pieces: Layer = field(repr=False)
    cells: WeightedCache[tuple[object, str], Layer] = field(
        default_factory=lambda: WeightedCache(FEW), repr=False, compare=False
    )
    """The last layouts of the cells that can be tapped."""

    @classmethod
    def of(cls, board: Board) -> Self:
        """Render the shapes of a board."""
        return cls(replace(board, ground=(), pieces=()), layer("ground", board.ground), layer("pieces", board.pieces))
