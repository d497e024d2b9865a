"""Architekton: the numbers of pieces in the box, and of tiles in a turn. All of it is data."""

from __future__ import annotations

BUILDINGS = 22
OF_EACH_LANDSCAPE = 6
LANDSCAPES = 24
HOUSES = 12
CHIPS = 8
DISPLAY_SIZE = 3
"""The number of tiles of each kind in the display (`AR-1`)."""
PILE = 15
"""The number of tiles in each pile at the start (`AR-1`)."""
STARTING = 2
TILES_A_TURN = 2
TILES = BUILDINGS + LANDSCAPES
GAMES_OF_A_SERIES = 99
"""The maximum number of games in a series."""
