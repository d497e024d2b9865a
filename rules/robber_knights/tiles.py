"""Robber Knights: the tiles of every player, and the meaning of their faces. All of it is data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

Face: TypeAlias = Literal[
    "lake",
    "lake village",
    "lake castle",
    "lake town",
    "mountain",
    "mountain village",
    "mountain castle",
    "mountain town",
    "plain",
    "plain village",
    "plain castle",
    "plain town",
    "forest",
    "forest village",
    "forest castle",
    "forest town",
]
"""The face of a tile: a landscape, and a building or none. Nine of them exist (`FACES`)."""
Letter: TypeAlias = Literal["A", "B", "C", "D", "E"]

DECK: Mapping[Letter, tuple[Face, ...]] = {
    "A": ("plain", "plain village", "plain castle", "mountain"),
    "B": ("lake", "plain castle", "plain village", "plain town", "forest village"),
    "C": ("plain", "plain village", "plain castle", "forest castle", "forest town"),
    "D": ("mountain", "plain castle", "plain castle", "plain town", "forest village"),
    "E": ("plain", "plain castle", "plain town", "forest village", "forest castle"),
}
"""The tiles of one player, by the letter on the back."""
TILES = sum(len(faces) for faces in DECK.values())
IN_LAYOUT = 2
"""The number of each player's tiles in the starting layout (`RK-1`)."""
TO_LAY = TILES - IN_LAYOUT
"""The number of tiles that a player lays in a game."""
CASTLE_TILES: tuple[Face, Face, Face] = ("plain", "plain village", "mountain")
"""The A tiles of which a player keeps one beside the castle (`RK-1`)."""

LETTERS = tuple(DECK)
FACES: Mapping[Face, int] = {
    face: sum(faces.count(face) for faces in DECK.values())
    for face in sorted({face for faces in DECK.values() for face in faces})
}
"""The faces that exist, with the number of copies that each player has."""

BUILDINGS = ("castle", "village", "town")
_MINIMUM = {"lake": 0, "plain": 1, "forest": 2, "mountain": 3}
_POINTS = dict(zip(BUILDINGS, (1, 2, 3), strict=True))
_EVERY_FACE: tuple[Face, ...] = Face.__args__  # type: ignore[attr-defined]  # the type checker sees a form, not a value

MINIMUM: Mapping[Face, int] = {face: _MINIMUM[face.split()[0]] for face in _EVERY_FACE}
"""The minimum number of knights on a tile (`RK-22`); a lake needs none (`RK-24`)."""
POINTS: Mapping[Face, int] = {face: sum(_POINTS.get(word, 0) for word in face.split()[1:]) for face in _EVERY_FACE}
"""The points of a tile (`RK-31`)."""
LAKES = frozenset(face for face in _EVERY_FACE if face.startswith("lake"))
CASTLES = frozenset(face for face in _EVERY_FACE if face.endswith("castle"))
