"""The legal moves of a table, for a phone that may lose its connection: what it can choose from then."""

from __future__ import annotations

from itertools import islice
from typing import Final, NamedTuple

from service import texts
from service.table import Table
from web.games import pages_of
from web.page import drawing_of
from web.panels.sentences import phrase, upper

MOST: Final = 400
"""So many moves are handed out; others can be typed."""


class Ahead(NamedTuple):
    """A legal move: its notation, what it is in words, its kind, and the keys of its cells on the board."""

    notation: str
    words: str
    kind: str
    cells: tuple[str, ...]


def ahead_of(table: Table, language: str) -> list[Ahead]:
    """The legal moves of a table as it is, in the order in which the game lists them."""
    game, state = table.game, table.state
    words = pages_of(game.id).speaking(texts.words_among(language, game.id, table.setup), state)
    keys = {spot.cell: spot.key for spot in drawing_of(state, game.id, language).board.spots}
    return [
        Ahead(
            game.write(move),
            upper(phrase(words, game, move, state)),
            move.kind,
            tuple(keys[cell] for cell in game.cells_of(move) if cell in keys),
        )
        for move in islice(game.moves(state), MOST)
    ]
