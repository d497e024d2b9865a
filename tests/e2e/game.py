"""A whole, very short game of Villefranche: 46 placements, then White has no legal second one."""

from __future__ import annotations

MOVES = (
    "r i7i8", "r b9c9", "h g6", "r i4i5", "h e3", "r g9h9", "t i9", "r f1g1", "h h4", "r e9f9", "h e8", "r a6a7",
    "h g5", "r a2a3", "h g7", "r a4a5", "h b7", "r i2i3", "h e7", "r b1c1", "h b4", "r d1e1", "t i1", "t a1", "h g3",
    "t i9", "h e6", "t a9", "h e2", "t a1", "t a9", "t i1", "h d4", "t a9", "t i1", "t a1", "h c7", "s g6", "s e6",
    "s d4", "e c2d2", "s e8", "s e7", "s b7", "n e4", "s g7",
)  # fmt: skip
