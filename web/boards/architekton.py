"""The board of Architekton: a town of tiles seen from above, which grows in every direction.

A cell is a square of 100 units, north is up. What a tile shows is told by its ink, by a drawing and by a letter: any
one of them is enough. Below the town lie the open tiles, where the table keeps a display.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from rules.architekton import GAME
from rules.architekton.legal_moves import lays_at, lies, sites
from rules.architekton.play import phase
from rules.architekton.state import COLOURS, Building, Keep, Land, Lay, Move, State, Take, UpBuilding, UpLandscape
from rules.architekton.tiles import LANDSCAPE, LETTER, Square
from rules.kernel import Cell, Seat
from service.texts import Words, words
from web.boards import Board, Count, Option, Picks, Shape, Spot, Stock, Symbol
from web.boards.drafting import architekton as drafting
from web.boards.drafts import Answers, Draft
from web.boards.editing import architekton as editing

CELL = 100
MARGIN = 1
"""How many cells are seen around the town."""
EXAMPLE = "FWME"
"""A building, where any one will do."""
OPEN_TILE = 0.7
"""The size of a tile in the display, beside one on the table."""
SHADES: Mapping[Seat, str] = {"light": "light", "dark": "dark"}
SIDES = ((50, 18), (82, 50), (50, 82), (18, 50))
"""Where the drawing and the letter of each side of a building are: north, east, south, west."""

Place = tuple[float, float, float]
"""The upper left corner of a tile, and its scale."""


# --- tiles -------------------------------------------------------------------------------------------------------


def _path(ink: str, d: str) -> Shape:
    return Shape("path", ink, {"d": d})


MOTIFS: Mapping[str, tuple[Shape, ...]] = {
    # within 10 units of the origin: furrows, tufts of grass, waves, a fir
    "E": (_path("motif", "M-10 -6H10M-10 0H10M-10 6H10"),),
    "M": (_path("motif", "M-9 6l-3 -8M-9 6v-10M-9 6l3 -8M3 6l-3 -8M3 6v-10M3 6l3 -8"),),
    "W": (_path("motif", "M-10 -3q5 -6 10 0t10 0M-10 5q5 -6 10 0t10 0"),),
    "F": (_path("motif-full", "M0 -11L9 5H2.5V10H-2.5V5H-9Z"),),
}
SPREAD = ((26, 26), (74, 26), (26, 74), (74, 74))
"""Where a landscape repeats its drawing, around its letter."""


@cache
def _symbols() -> tuple[Symbol, ...]:
    """The drawings of the landscapes, a landscape tile, a side of a building, and the houses."""
    found = [Symbol(f"motif-{letter}", shapes) for letter, shapes in MOTIFS.items()]
    for letter, name in LANDSCAPE.items():
        square = Shape("rect", name, {"x": 2, "y": 2, "width": 96, "height": 96, "rx": 6})
        found.append(Symbol(f"tile-{letter}", (square, *(_motif(letter, x, y, 1.4) for x, y in SPREAD))))
        found.append(Symbol(f"side-{letter}", (_path(name, "M2 2H98L66 34H34Z"),)))
    for shade in SHADES.values():
        walls = _path(f"{shade}-front", "M36 66V50L50 36 64 50V66Z")
        roof = _path(f"{shade}-top", "M31 53L50 33 69 53 64 57 50 43 36 57Z")
        found.append(Symbol(f"house-{shade}", (walls, roof, _path(f"{shade}-mark", "M46 66V56H54V66Z"))))
    return tuple(found)


def _motif(letter: str, x: float, y: float, scale: float = 1) -> Shape:
    return Shape("use", "", {"href": f"#motif-{letter}", "transform": f"translate({x} {y}) scale({scale})"})


def _use(name: str, place: Place, turn: int = 0, *, ghost: bool = False) -> Shape:
    x, y, scale = place
    turned = f" rotate({turn} 50 50)" if turn else ""
    where = f"translate({x:g} {y:g}) scale({scale:g}){turned}"
    return Shape("use", "", {"href": f"#{name}", "transform": where}, ghost=ghost)


def _within(place: Place, x: float, y: float) -> tuple[float, float]:
    return place[0] + x * place[2], place[1] + y * place[2]


def _letter(letter: str, place: Place, x: float, y: float, size: int, *, ghost: bool) -> Shape:
    left, top = _within(place, x, y)
    bold = {"text-anchor": "middle", "font-weight": "bold"}
    at: dict[str, float | str] = {"x": left, "y": top, "font-size": size * place[2], **bold}
    return Shape("text", "letter", at, letter, ghost=ghost)


def tile(text: str, place: Place, house: Seat | None = None, *, ghost: bool = False) -> Iterator[Shape]:
    """A tile, with the house on it."""
    if len(text) == 1:
        yield _use(f"tile-{text}", place, ghost=ghost)
        yield _letter(text, place, 50, 61, 32, ghost=ghost)
        return
    x, y, scale = place
    square = {"x": x + 2 * scale, "y": y + 2 * scale, "width": 96 * scale, "height": 96 * scale}
    yield Shape("rect", "plot", square, ghost=ghost)
    for number, (letter, (across, down)) in enumerate(zip(text, SIDES, strict=True)):
        yield _use(f"side-{letter}", place, 90 * number, ghost=ghost)
        left, top = _within(place, across - (13 if number % 2 == 0 else 0), down - (0 if number % 2 == 0 else 12))
        yield _use(f"motif-{letter}", (left, top, scale), ghost=ghost)
        aside = (13, 7) if number % 2 == 0 else (0, 21)
        yield _letter(letter, place, across + aside[0], down + aside[1], 20, ghost=ghost)
    if house is not None:
        yield _use(f"house-{SHADES[house]}", place, ghost=ghost)


# --- the town ----------------------------------------------------------------------------------------------------


def _bounds(tiles: Iterable[Square], new: Iterable[Square]) -> tuple[int, int, int, int]:
    """West, south, east and north of what is seen: the cells around the town, and those of a tile to be."""
    town = [(x + far, y + far) for x, y in tiles for far in (-MARGIN, MARGIN)] or [(0, 0)]
    xs, ys = zip(*town, *new, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _place(cell: Square) -> Place:
    return cell[0] * CELL, -cell[1] * CELL, 1


def _ground(state: State, box: tuple[float, float, float, float]) -> Iterator[Shape]:
    """The table, and the free cells where a tile may go: round for a building, square for a landscape."""
    left, top, width, height = box
    beyond = max(width, height)
    across, down = width + 2 * beyond, height + 2 * beyond
    yield Shape("rect", "table", {"x": left - beyond, "y": top - beyond, "width": across, "height": down})
    for_buildings, for_landscapes = sites(state)
    for cell in sorted(for_buildings):
        x, y, _ = _place(cell)
        yield Shape("circle", "free", {"cx": x + 50, "cy": y + 50, "r": 30})
    for cell in sorted(for_landscapes):
        yield _square(cell)


def _square(cell: Square) -> Shape:
    return Shape(
        "rect", "free", {"x": cell[0] * CELL + 22, "y": 22 - cell[1] * CELL, "width": 56, "height": 56, "rx": 4}
    )


def _town(state: State, before: State | None) -> Iterator[Shape]:
    """Every tile; what was not there before is a ghost, and so is a house that was moved or taken back since."""
    for cell, text in sorted(state.tiles.items()):
        owner = state.houses.get(cell)
        new = before is not None and cell not in before.tiles
        yield from tile(text, _place(cell), None if owner is None else COLOURS[owner], ghost=new)
        gone = None if before is None or owner is not None else before.houses.get(cell)
        if gone is not None:
            yield _use(f"house-{SHADES[COLOURS[gone]]}", _place(cell), ghost=True)


def _display(state: State, left: float, top: float) -> Iterator[Shape]:
    """The open tiles in a row."""
    if state.display is None:
        return
    for number, text in enumerate((*state.display.buildings, *state.display.landscapes)):
        yield from tile(text, (left + 10 + number * CELL * (OPEN_TILE + 0.05), top, OPEN_TILE))


def _name(state: State, cell: Square, places: Sequence[Collection[Square]], words: Words) -> str:
    text = state.tiles.get(cell)
    values: dict[str, object] = {}
    if text is None:
        for_buildings, for_landscapes = places
        code = "for_building" if cell in for_buildings else "for_landscape" if cell in for_landscapes else "free"
    elif len(text) == 1:
        code, values = "landscape", {"landscape": LANDSCAPE[text]}
    else:
        owner = state.houses.get(cell)
        code, values = "building", {"sides": tuple(LANDSCAPE[letter] for letter in text)}
        if owner is not None:
            code, values = "house", {**values, "colour": COLOURS[owner]}
    return f"({cell[0]}, {cell[1]}), {words.say('board', code, values)}"


# --- what a hand could do ----------------------------------------------------------------------------------------


def _lays(state: State, cell: Square) -> Iterator[tuple[str, tuple[Move, ...]]]:
    """Every tile that there is, by kind, on a cell: the legal ways first, then those that the rules refuse."""
    legal = tuple(lays_at(state, cell))
    found = {move.tile for move in legal}
    letters = LETTER.values() if state.display is None else dict.fromkeys(state.display.landscapes)
    plain: tuple[Lay, ...] = (
        *(Building(cell, lie) for lie in lies(state) if lie not in found),
        *(Land(cell, LANDSCAPE[letter]) for letter in letters if letter not in found),
    )
    for kind in ("building", "landscape"):
        yield kind, tuple(move for move in (*legal, *plain) if move.kind == kind)


class Architekton:
    """The drawing of Architekton."""

    def draw(self, state: State, language: str, before: State | None = None) -> Board:
        """Draw a state; with `before`, the tiles that were not there then are ghosts."""
        # A tile to be lies within what is seen already, so that the board stays where it is.
        bounds = west, south, east, north = _bounds((before or state).tiles, state.tiles)
        across, down = (east - west + 1) * CELL, (north - south + 1) * CELL
        left, top = west * CELL, -north * CELL
        row = 0 if state.display is None else CELL * OPEN_TILE + 20
        width = max(across, 0 if state.display is None else 20 + 6 * CELL * (OPEN_TILE + 0.05))
        box = (left, top, width, down + row)
        return Board(
            box=box,
            ground=(*_ground(before or state, box), *_display(state, left, top + down + 10)),
            pieces=tuple(_town(state, before)),
            spots=tuple(self._spots(state, bounds, words(language, GAME.id))),
            stock={colour: self._stock(state, player) for player, colour in enumerate(COLOURS)},
            row=east - west + 1,
        )

    def symbols(self) -> tuple[Symbol, ...]:
        """The tiles and the houses."""
        return _symbols()

    def _spots(self, state: State, bounds: tuple[int, int, int, int], words: Words) -> Iterator[Spot]:
        """The cells as they are read: from the north west on, row by row."""
        west, south, east, north = bounds
        places = sites(state)
        for y in range(north, south - 1, -1):
            for x in range(west, east + 1):
                yield Spot((x, y), f"{x},{y}", _name(state, (x, y), places, words), x * CELL, -y * CELL, CELL, CELL)

    def _stock(self, state: State, player: int) -> tuple[Stock, ...]:
        seat = COLOURS[player]
        left = {"houses": state.supply[player], "chips": state.chips[player]}
        return tuple(Stock(piece, n, self.icon(piece, seat)) for piece, n in left.items())

    def options(self, state: State, cell: Cell) -> Sequence[Option]:
        """What a hand could do at a cell, kind by kind, whatever the rules say."""
        if isinstance(cell, str):
            return ()
        if phase(state) == "answer":
            return (Option("keep", (Keep(cell),)), Option("take", (Take(cell),))) if cell in state.houses else ()
        if cell in state.tiles:
            return ()
        if phase(state) != "turn":
            return Option("building", (Building(cell, EXAMPLE),)), Option("landscape", (Land(cell, "earth"),))
        usual = "building" if cell in sites(state)[0] else "landscape"
        options = (Option(kind, moves, usual=kind == usual) for kind, moves in _lays(state, cell) if moves)
        return tuple(sorted(options, key=lambda option: not option.usual))

    def draft(self, state: State, kind: str, cell: Cell | None, so: Answers, words: Words) -> Draft | None:
        """A tile by its sides or its picture, and what has to be said with it."""
        if isinstance(cell, str):
            return None
        return drafting.draft(state, kind, cell, so, words, lambda move: self.sketch(move, COLOURS[state.player]))

    def icon(self, kind: str, seat: Seat | None) -> tuple[Shape, ...]:
        """A kind of move, or a piece, in a square of 100 units."""
        whole: Place = (0, 0, 1)
        shade = SHADES[seat or COLOURS[0]]
        if kind == "chips":
            return (
                Shape("circle", "chip", {"cx": 50, "cy": 50, "r": 32}),
                Shape("circle", "line", {"cx": 50, "cy": 50, "r": 22}),
            )
        if kind in ("building", "up_building"):
            return tuple(tile(EXAMPLE, whole, seat if kind == "building" else None))
        if kind in ("landscape", "up_landscape"):
            return tuple(tile("W", whole))
        if kind == "pass":
            return (_path("label", "M20 44H58V28L82 50 58 72V56H20Z"),)
        house = _use(f"house-{shade}", (-20, -20, 1.4), ghost=kind == "take")
        return (house,)

    def sketch(self, move: Move, seat: Seat | None) -> tuple[Shape, ...]:
        """The tile as it would lie; any other move as its kind."""
        whole: Place = (0, 0, 1)
        if isinstance(move, Building):
            return tuple(tile(move.sides, whole, seat))
        if isinstance(move, UpBuilding):
            return tuple(tile(move.sides, whole))
        if isinstance(move, Land | UpLandscape):
            return tuple(tile(LETTER[move.landscape], whole))
        return self.icon(move.kind, seat)

    def blank(self) -> Count:
        """No tile at all, and the chips of the start."""
        return editing.blank()

    def entry(self, state: State, language: str) -> Board:
        """The town with the cells around it; of an empty table, where the first tile may be put, as large as later."""
        board = self.draw(state, language)
        box = (-CELL, -CELL, 3 * CELL, 3 * CELL)
        return board if state.tiles else replace(board, box=box, ground=(*board.ground, _square((0, 0))))

    def picks(self, count: Count, cell: Cell | None, language: str) -> Sequence[Picks]:
        """The tiles and the house of a cell; beside the board, the chips."""
        return editing.picks(self, count, cell, language)


DRAWING = Architekton()
