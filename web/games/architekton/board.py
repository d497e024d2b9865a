"""Draws the board of Architekton: a town of tiles seen from above, which grows in every direction.

A cell is a square of 100 units, and north is up. Below the town are the open tiles, if the table keeps a display.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rules.architekton import GAME
from rules.architekton.legal_moves import sites
from rules.architekton.state import COLOURS, OpenTiles, State
from rules.architekton.tiles import LANDSCAPE, Square
from rules.caches import cache
from rules.kernel import Seat
from service.i18n.sentences import NOBODY, Words, words
from service.runtime.memoize import memoize_by_identity
from web.board.shapes import Board, Shape, Spot, Stock
from web.games.architekton.beside import lands_beside, owners_beside
from web.games.architekton.symbols import SHADES, Marks, Place, icon, tile, use

CELL = 100
MARGIN = 1
"""The number of visible cells around the town."""
OPEN_TILE = 0.7
"""The size of a tile in the display, relative to one on the table."""
CAPTION = 40
"""The room above the display for its name."""
MAX_STATES = 32
"""The maximum number of states for which the cells that accept a tile are cached."""
MAX_SPOTS = 2_000
"""The maximum number of cells with a cached name. A move leaves most names as they were."""

# --- the town ----------------------------------------------------------------------------------------------------


def _bounds(tiles: Iterable[Square], new: Iterable[Square]) -> tuple[int, int, int, int]:
    """The west, south, east and north of the visible part: the cells around the town, and the new cells of a move."""
    town = [(x + far, y + far) for x, y in tiles for far in (-MARGIN, MARGIN)] or [(0, 0)]
    xs, ys = zip(*town, *new, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _place(cell: Square) -> Place:
    return cell[0] * CELL, -cell[1] * CELL, 1


_sites = memoize_by_identity(MAX_STATES)(sites)


@memoize_by_identity(MAX_STATES)
def _ground(
    state: State, box: tuple[float, float, float, float], display: OpenTiles | None, top: float, words: Words
) -> tuple[Shape, ...]:
    """The table below a state and below those after one move, with a display."""
    return *_table(state, box), *_display(display, box[0], top, words)


def _table(state: State, box: tuple[float, float, float, float]) -> Iterator[Shape]:
    """The table, and the free cells where a tile may go: round for a building, square for a landscape."""
    left, top, width, height = box
    beyond = max(width, height)
    across, down = width + 2 * beyond, height + 2 * beyond
    yield Shape("rect", "table", {"x": left - beyond, "y": top - beyond, "width": across, "height": down})
    for_buildings, for_landscapes = _sites(state)
    for cell in sorted(cell for cell in for_buildings if not state.hides(cell)):
        x, y, _ = _place(cell)
        yield Shape("circle", "free", {"cx": x + 50, "cy": y + 50, "r": 30})
    for cell in sorted(cell for cell in for_landscapes if not state.hides(cell)):
        yield _square(cell)


def _square(cell: Square) -> Shape:
    return Shape(
        "rect", "free", {"x": cell[0] * CELL + 22, "y": 22 - cell[1] * CELL, "width": 56, "height": 56, "rx": 4}
    )


def _marks(words: Words) -> Marks:
    """The letter of each landscape in a language."""
    return tuple((letter, words.say("board", f"mark_{letter}")) for letter in LANDSCAPE)


def _town(state: State, before: State | None, marks: Marks) -> Iterator[Shape]:
    """Every tile; new pieces are ghosts, and so is a house that was moved or taken back since."""
    for cell, text in sorted(state.tiles.items()):
        owner = state.houses.get(cell)
        new = before is not None and cell not in before.tiles
        yield from tile(text, _place(cell), None if owner is None else COLOURS[owner], marks, ghost=new)
        former_owner = None if before is None or owner is not None else before.houses.get(cell)
        if former_owner is not None:
            yield use(f"house-{SHADES[COLOURS[former_owner]]}", _place(cell), ghost=True)


def _display(display: OpenTiles | None, left: float, top: float, words: Words) -> Iterator[Shape]:
    """The open tiles in a row, with their name above."""
    if display is None:
        return
    label = words.say("board", "display")
    yield Shape("text", "label", {"x": left + 10, "y": top + CAPTION - 12, "font-size": 30}, label)
    for number, text in enumerate((*display.buildings, *display.landscapes)):
        at = (left + 10 + number * CELL * (OPEN_TILE + 0.05), top + CAPTION, OPEN_TILE)
        yield from tile(text, at, None, _marks(words))


def _name(state: State, cell: Square, places: Sequence[Collection[Square]], words: Words) -> tuple[str, str]:
    """The name of a cell for screen readers, and its title: its content, or the neighbours of a free cell."""
    text = state.tiles.get(cell)
    if text is not None:
        name = _tile_name(text, state.houses.get(cell), words)
        return name, name
    for_building, for_landscape = places
    if state.hides(cell):
        code = title = "unknown"
    else:
        code = "for_building" if cell in for_building else "for_landscape" if cell in for_landscape else "free"
        title = "free"
    lands = lands_beside(state, cell)
    name = _free(lands, () if lands else owners_beside(state, cell), code, words)
    return name, words.say("board", title)


def _tile_name(text: str, owner: int | None, words: Words) -> str:
    """A tile, with the house on it."""
    if len(text) == 1:
        return words.say("board", "landscape", {"landscape": LANDSCAPE[text]})
    sides = {"sides": tuple(LANDSCAPE[letter] for letter in text)}
    if owner is None:
        return words.say("board", "building", sides)
    return words.say("board", "house", {**sides, "colour": COLOURS[owner]})


def _free(lands: tuple[str, ...], owners: tuple[Seat, ...], code: str, words: Words) -> str:
    """The name of a free cell, with the landscapes or the houses beside it."""
    name = words.say("board", code)
    if lands:
        return words.say("board", "near", {"name": name, "beside": lands})
    return words.say("board", "near_houses", {"name": name, "beside": owners}) if owners else name


def draw(state: State, language: str, before: State | None = None, people: Mapping[str, str] = NOBODY) -> Board:
    """Draw a state; with `before`, the tiles that were not there then are ghosts."""
    board_words = words(language, GAME.id).with_people(people)
    # The tile of a move in question lies within the visible part, so that the board does not move.
    previous = before or state
    bounds = west, south, east, north = _bounds({*previous.tiles, *previous.unknown}, state.tiles)
    across, down = (east - west + 1) * CELL, (north - south + 1) * CELL
    left, top = west * CELL, -north * CELL
    row = 0 if state.display is None else CAPTION + CELL * OPEN_TILE + 10
    width = max(across, 0 if state.display is None else 20 + 6 * CELL * (OPEN_TILE + 0.05))
    box = (left, top, width, down + row)
    return Board(
        box=box,
        ground=_ground(before or state, box, state.display, top + down, board_words),
        pieces=tuple(_town(state, before, _marks(board_words))),
        spots=tuple(_spots(state, bounds, board_words)),
        stock={colour: _stock(state, player) for player, colour in enumerate(COLOURS)},
        row=east - west + 1,
    )


def _spots(state: State, bounds: tuple[int, int, int, int], words: Words) -> Iterator[Spot]:
    """The cells in reading order: from the north west, row by row."""
    west, south, east, north = bounds
    places = _sites(state)
    for y in range(north, south - 1, -1):
        for x in range(west, east + 1):
            yield _spot((x, y), *_name(state, (x, y), places, words), north - y + 1, x - west + 1, words)


@cache(MAX_SPOTS)
def _spot(cell: Square, name: str, title: str, row: int, column: int, words: Words) -> Spot:
    """A cell; its description includes its place among the visible cells."""
    label, (x, y) = words.say("board", "at", {"name": name, "row": row, "column": column}), cell
    return Spot(cell, f"{x},{y}", label, x * CELL, -y * CELL, CELL, CELL, title=title)


def _stock(state: State, player: int) -> tuple[Stock, ...]:
    seat = COLOURS[player]
    left = {"houses": state.supply[player], "chips": state.chips[player]}
    return tuple(Stock(piece, n, icon(piece, seat)) for piece, n in left.items())


def draw_entry(state: State, language: str, people: Mapping[str, str] = NOBODY) -> Board:
    """The town with the cells around it; for an empty table, the cells for the first tile, in the later size."""
    board = draw(state, language, None, people)
    box = (-CELL, -CELL, 3 * CELL, 3 * CELL)
    return board if state.tiles else replace(board, box=box, ground=(*board.ground, _square((0, 0))))
