"""For each game, what one fills in on the page to open a table, as one would at the table."""

from __future__ import annotations

from collections.abc import Mapping

FILLED: Mapping[str, Mapping[str, str]] = {
    "villefranche": {"name-black": "Anne", "name-white": "Bruno"},
    "robber_knights": {
        "players": "3",
        "colour-1": "green",
        "name-1": "Anne",
        "colour-2": "yellow",
        "name-2": "Bruno",
        "colour-3": "blue",
        "name-3": "Chloé",
        "tile-0-2": "plain",
        "tile-1-2": "mountain",
        "tile-0-1": "plain village",
        "tile-1-1": "plain",
        "tile-0-0": "mountain",
        "tile-1-0": "plain village",
        "reading-knights": "compulsory",
    },
    "architekton": {
        "name-light": "Anne",
        "name-dark": "Bruno",
        "first": "dark",
        "land-0": "water",
        "land-1": "earth",
        "corner": "1,-1",
        "display": "yes",
        "buildings": "FWME eemf W M W M",
        "open-0": "forest",
        "open-1": "forest",
        "open-2": "meadow",
    },
    "villa_paletti": {
        "players": "3",
        "colour-1-1": "yellow",
        "name-1": "Anne",
        "colour-2-1": "red",
        "name-2": "Bruno",
        "colour-3-1": "green",
        "name-3": "Chloé",
        "reading-supports": "two_from_orange",
    },
    "fief": {
        "players": "3",
        "colour-1": "white",
        "name-1": "Anne",
        "lord-1": "Blanche",
        "village-1": "Sigy",
        "colour-2": "black",
        "name-2": "Bruno",
        "lord-2": "Othon",
        "village-2": "Charolles",
        "colour-3": "red",
        "name-3": "Chloé",
        "lord-3": "Guenièvre",
        "village-3": "Bourg",
        "price-castle": "3",
        "reading-cardinal": "unmarried_man",
    },
}
"""Game -> name of a field -> what is filled in, from the top of the form to its bottom."""
