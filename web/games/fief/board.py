"""Draws the board of Fief: villages joined by roads, and the lords who stand in them.

The data of the table contain the map (`geography`, `pieces`, `scenery`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from rules.fief import GAME
from rules.fief.data import Colour
from rules.fief.lords import lords_of
from rules.fief.purchases.purse import purse
from rules.fief.state import State
from rules.fief.style import style, title
from rules.kernel import Cell
from service.i18n.sentences import NOBODY, Words, words
from web.board.shapes import Board, Stock
from web.games.fief import scenery
from web.games.fief.geography import box
from web.games.fief.icons import icon_of


def draw(state: State, language: str, before: State | None = None, people: Mapping[str, str] = NOBODY) -> Board:
    """Draw a state; with `before`, new pieces are ghosts."""
    board_words = words(language, GAME.id).with_people(people)
    then = None if before is None else scenery.pieces_on_map(before, board_words)
    return Board(
        box=box(scenery.points_of(state.land)),
        ground=scenery.ground(state.land),
        pieces=tuple(scenery.shapes(scenery.pieces_on_map(state, board_words), then)),
        spots=tuple(scenery.spots(state, board_words)),
        stock={colour: tuple(_stock(state, colour)) for colour in state.colours},
        row=0,
    )


def _stock(state: State, colour: Colour) -> Iterator[Stock]:
    """The supply of a player: villages, lords, and during purchases the money that is left."""
    had = {"stock_villages": sum(owner == colour for owner in state.control.values())}
    had["stock_lords"] = len(lords_of(state, colour))
    if state.phase == "purchases":
        had["stock_coins"] = purse(state, colour).money_left
    yield from (Stock(name, number, icon_of(name, colour)) for name, number in had.items())


def full_names(state: State, words: Words, among: Collection[str] | None = None) -> Mapping[str, str]:
    """Every living lord with all titles, and every fief by rank and city; or only those `among` some names."""
    if among is None:
        found = scenery.current_names(state)
        names = {**found.lords, **found.fiefs}
    else:
        names = {name: style(state, name) for name in among if name in state.lords}
        names |= {name: title(state, name) for name in among if name in state.land.fiefs}
    return {name: str(words.render_value(text)) for name, text in names.items()}


def lord_places(state: State) -> Mapping[Cell, Cell]:
    """The village where each living lord stands."""
    return {name: lord.place for name, lord in state.lords.items()}
