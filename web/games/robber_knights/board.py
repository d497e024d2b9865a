"""Draws the board of Robber Knights: a country of tiles that grows in every direction.

A tile is a square of 100 units. It can be recognized without colour: by the shapes of its landscape and building, and
by the landscape's letter. Knights stand at its right edge, one on the other, each with the letter of its colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from rules.caches import cache
from rules.robber_knights import GAME
from rules.robber_knights.legal_moves import sites
from rules.robber_knights.position import standing_tile
from rules.robber_knights.state import BELOW, StandingTile, State
from rules.robber_knights.tiles import Face
from service.i18n.sentences import NOBODY, Words, words
from web.board.shapes import Board, Shape, Spot, Stock
from web.games.robber_knights.beside import faces_beside
from web.games.robber_knights.symbols import Place, draw_face, icon, use

CELL = 100
MAX_SPOTS = 400
"""The maximum number of cells to show a full rectangle; beyond, only the tiles and the cells beside them."""

MOST = 2_000
"""The maximum number of cached drawings of tiles with their knights, and of cached names of cells. A move leaves most
of them as they were.
"""


class _Tile(NamedTuple):
    """A drawn tile, and the name of its cell for screen readers."""

    shapes: tuple[Shape, ...]
    name: str


# --- tiles and knights -------------------------------------------------------------------------------------------


def _corner(cell: Place) -> tuple[int, int]:
    """The upper left corner of a cell, in units."""
    return cell[0] * CELL, -cell[1] * CELL


def _knights(tile: StandingTile, before: int, words: Words) -> Iterator[Shape]:
    """The knights of a tile from the bottom up; those above `before` are ghosts."""
    at = _corner(tile.cell)
    step = min(20.0, 66 / max(len(tile.knights) - 1, 1))
    if tile.covered:
        yield Shape("text", "knight-below", {"x": 66, "y": 97, "font-size": 20}, "…", at=at)
    for number, colour in enumerate(tile.knights):
        ghost = number >= before
        yield use(f"knight-{colour}", 0, -number * step, ghost=ghost, at=at)
        middle: dict[str, int | float | str] = {
            "x": 80,
            "y": 88 - number * step,
            "font-size": 18,
            "text-anchor": "middle",
        }
        yield Shape("text", f"piece-letter-{colour}", middle, words.name(colour)[:1], ghost=ghost, at=at)


# --- the table ---------------------------------------------------------------------------------------------------


def _shown_cells(state: State, free: frozenset[Place]) -> list[Place]:
    """The visible cells in reading order: from the upper left, row by row."""
    cells: set[Place] = {*state.tiles, *state.unknown, *free} or {(0, 0)}
    columns, rows = [x for x, _ in cells], [y for _, y in cells]
    left, bottom, right, top = min(columns), min(rows), max(columns), max(rows)
    if (right - left + 1) * (top - bottom + 1) <= MAX_SPOTS:
        cells = {(x, y) for x in range(left, right + 1) for y in range(bottom, top + 1)}
    return sorted(cells, key=lambda cell: (-cell[1], cell[0]))


def _name(state: State, cell: Place, tile: _Tile | None, free: frozenset[Place], words: Words) -> tuple[str, str]:
    """The name of a cell for screen readers, and its title: its content, or the neighbours of a free cell."""
    if tile is not None:
        return tile.name, tile.name
    is_unknown = cell in state.unknown_cells
    code = "unknown" if is_unknown else "site" if cell in free else "free"
    return _free(code, faces_beside(state.tiles, cell), words), words.say("board", "unknown" if is_unknown else "free")


def _free(code: str, beside: tuple[Face, ...], words: Words) -> str:
    name = words.say("board", code)
    return words.say("board", "beside", {"name": name, "beside": beside}) if beside else name


@cache(MOST)
def _spot(cell: Place, name: str, title: str, row: int, column: int, words: Words) -> Spot:
    """A cell; its description includes its place among the visible cells, since many are alike."""
    label = words.say("board", "at", {"name": name, "row": row, "column": column})
    return Spot(cell, f"{cell[0]},{cell[1]}", label, *_corner(cell), CELL, CELL, title=title)


def draw(state: State, language: str, before: State | None = None, people: Mapping[str, str] = NOBODY) -> Board:
    """Draw a state; with `before`, the tiles and knights that were not there then are ghosts."""
    # For a move in question, the visible part stays the same.
    taken = state.tiles.keys() | state.unknown
    free = frozenset(sites(before or state)) - taken if any(state.left) else frozenset()
    if state.rest:
        free |= _cells_around(before or state).difference(taken)
    return _board(state, free, language, before, people)


def _board(
    state: State,
    free: frozenset[Place],
    language: str,
    before: State | None = None,
    people: Mapping[str, str] = NOBODY,
) -> Board:
    board_words = words(language, GAME.id).with_people(people)
    tiles = {cell: _tile(state, before, cell, board_words) for cell in sorted(state.tiles)}
    visible_cells = _shown_cells(state, free)
    names = {cell: _name(state, cell, tiles.get(cell), free, board_words) for cell in visible_cells}
    left, top = min(x for x, _ in visible_cells), max(y for _, y in visible_cells)
    across, down = max(x for x, _ in visible_cells) - left + 1, top - min(y for _, y in visible_cells) + 1
    return Board(
        box=(left * CELL, -top * CELL, across * CELL, down * CELL),
        ground=_sites(free),
        pieces=tuple(chain.from_iterable([tile.shapes for tile in tiles.values()])),
        spots=tuple(
            _spot(cell, *names[cell], top - cell[1] + 1, cell[0] - left + 1, board_words) for cell in visible_cells
        ),
        stock={colour: tuple(_stock(state, number)) for number, colour in enumerate(state.colours)},
        row=across,
        badges="lower left",
    )


def _sites(free: frozenset[Place]) -> tuple[Shape, ...]:
    return tuple(_site(cell) for cell in sorted(free))


def _site(cell: Place) -> Shape:
    x, y = _corner(cell)
    return Shape("rect", "site", {"x": x + 6, "y": y + 6, "width": 88, "height": 88, "rx": 8})


def _tile(state: State, before: State | None, cell: Place, words: Words) -> _Tile:
    """A tile; new parts are ghosts."""
    stack = state.stacks.get(cell, "")
    if before is None:
        return _cached_tile(cell, state.tiles[cell], stack, stack, words, new=False)
    return _cached_tile(
        cell, state.tiles[cell], stack, before.stacks.get(cell, ""), words, new=cell not in before.tiles
    )


@cache(MOST)
def _cached_tile(cell: Place, face: Face, stack: str, before: str, words: Words, *, new: bool) -> _Tile:
    tile = standing_tile(cell, face, stack)
    shapes = _shapes(tile, face, len(before.lstrip(BELOW)), words, new=new)
    return _Tile(tuple(shapes), _tile_name(tile, words))


def _tile_name(tile: StandingTile, words: Words) -> str:
    code = ("covered" if tile.knights else "hidden") if tile.covered else "knights" if tile.knights else "tile"
    return words.say("board", code, {"face": tile.face, "knights": tile.knights})


def _shapes(tile: StandingTile, face: Face, knights_before: int, words: Words, *, new: bool) -> Iterator[Shape]:
    at = _corner(tile.cell)
    yield from draw_face(face, at, ghost=new)
    mark = words.say("board", f"mark_{face.split()[0]}")
    yield Shape("text", "tile-letter", {"x": 7, "y": 21, "font-size": 18}, mark, ghost=new, at=at)
    yield from _knights(tile, knights_before, words)


def _stock(state: State, player: int) -> Iterator[Stock]:
    supply, left = state.supply[player], state.left[player]
    if supply is not None:
        yield Stock("knight", supply, icon("knight", state.colours[player]))
    if left >= 0:
        yield Stock("tile", left, icon("tile", state.colours[player]))


def draw_entry(state: State, language: str, people: Mapping[str, str] = NOBODY) -> Board:
    """The country with the cells around it, wherever a tile may go; for an empty table, a cell and those around."""
    free = _cells_around(state).difference(state.tiles, state.unknown)
    return _board(state, free, language, None, people)


def _cells_around(state: State) -> frozenset[Place]:
    """All cells of the country with those beside them; for an empty table, a cell with those."""
    cells = frozenset(state.tiles) | state.unknown or {(0, 0)}
    return frozenset(
        (x + across, y + up) for x, y in cells for across, up in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
    )
