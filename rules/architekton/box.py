"""Architekton: how many there are of everything in the box, and in a turn. All of it is data."""

from __future__ import annotations

BUILDINGS = 22
OF_EACH_LANDSCAPE = 6
LANDSCAPES = 24
HOUSES = 12
CHIPS = 8
DISPLAY_SIZE = 3
"""How many tiles of each kind the display has (`AR-1`)."""
PILE = 15
"""How many tiles each pile has when the game starts (`AR-1`)."""
STARTING = 2
TILES_A_TURN = 2
TILES = BUILDINGS + LANDSCAPES
GAMES_OF_A_SERIES = 99
"""The maximum number of games in a series."""
