"""The board of Robber Knights: a country of tiles that grows to all sides.

A tile is a square of 100 units. What it shows can be told without colour: by the shapes of its landscape and building,
and by the landscape's letter. Knights stand at its right edge, one on the other, each with the letter of its colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from rules.kernel import Cell, Seat
from rules.robber_knights import GAME
from rules.robber_knights.legal_moves import faces_of, sites, tiles_at
from rules.robber_knights.state import COLOURS, Move, StandingTile, State, Tile
from rules.robber_knights.tiles import FACES, Face
from service.texts import Words, words
from web.boards import Board, Count, Option, Picks, Shape, Spot, Stock, Symbol
from web.boards.drafting import robber_knights as drafting
from web.boards.drafts import Answers, Draft
from web.boards.editing import robber_knights as editing

CELL = 100
MOST_SPOTS = 400
"""As many cells are shown as a full rectangle; where a tile stands far away, only tiles and what is beside them."""
Place: TypeAlias = tuple[int, int]


# --- tiles and knights as symbols --------------------------------------------------------------------------------


def _path(ink: str, d: str) -> Shape:
    return Shape("path", ink, {"d": d})


def _land(ink: str, *shapes: Shape) -> tuple[Shape, ...]:
    square = Shape("rect", f"tile-{ink}", {"x": 1.5, "y": 1.5, "width": 97, "height": 97, "rx": 7})
    return (square, *shapes)


LANDS: Mapping[str, tuple[Shape, ...]] = {
    "lake": _land(
        "lake", _path("tile-wave", "M12 44q9-9 19 0t19 0t19 0t19 0M12 62q9-9 19 0t19 0t19 0t19 0M31 80q9-9 19 0t19 0")
    ),
    "mountain": _land(
        "mountain",
        _path("tile-peak", "M6 92L32 40L46 66L62 30L94 92Z"),
        _path("tile-snow", "M62 30L53 50L62 45L70 50Z"),
    ),
    "plain": _land("plain", _path("tile-grass", "M14 88v-8m5 8v-10m5 10v-7M40 92v-7m5 7v-9m5 9v-6M28 74v-6m5 6v-7")),
    "forest": _land(
        "forest", *(_path("tile-tree", f"M{x} 92V84H{x - 11}L{x} 58L{x + 11} 84H{x}") for x in (16, 38, 60))
    ),
}
BUILDINGS: Mapping[str, tuple[Shape, ...]] = {
    "castle": (
        _path("building", "M20 66V22h9v9h9v-9h9v9h9v-9h9V66Z"),
        _path("building-mark", "M36 66V53a6.500 6.500 0 0 1 13 0V66Z"),
    ),
    "village": (
        _path("building", "M14 66V48L28 35L42 48V66ZM44 66V52L56 41L68 52V66Z"),
        _path("building-mark", "M24 66V55h8V66ZM52 66V57h8V66Z"),
    ),
    "town": (
        _path("building", "M8 66V46L19 36L30 46V66ZM30 66V34L39 12L48 34V66ZM48 66V46L59 36L70 46V66Z"),
        _path("building-mark", "M15 66V56h8V66ZM35 66V52h8V66ZM55 66V56h8V66ZM36 40h6v6h-6Z"),
    ),
}


@cache
def _symbols() -> tuple[Symbol, ...]:
    knights = (
        Symbol(f"knight-{colour}", (Shape("circle", f"knight-{colour}", {"cx": 80, "cy": 82, "r": 15}),))
        for colour in COLOURS
    )
    return (
        *(Symbol(f"land-{name}", shapes) for name, shapes in LANDS.items()),
        *(Symbol(f"building-{name}", shapes) for name, shapes in BUILDINGS.items()),
        *knights,
    )


def _use(symbol: str, x: float, y: float, *, ghost: bool) -> Shape:
    return Shape("use", "", {"href": f"#{symbol}", "x": x, "y": y}, ghost=ghost)


def _tile(face: Face, x: float, y: float, *, ghost: bool) -> Iterator[Shape]:
    land, *building = face.split()
    yield _use(f"land-{land}", x, y, ghost=ghost)
    for name in building:
        yield _use(f"building-{name}", x, y, ghost=ghost)


def _corner(cell: Place) -> tuple[int, int]:
    """The upper left corner of a cell, in units."""
    return cell[0] * CELL, -cell[1] * CELL


def _knights(tile: StandingTile, before: int, words: Words) -> Iterator[Shape]:
    """The knights of a tile from the bottom up; those above `before` are ghosts."""
    x, y = _corner(tile.cell)
    step = min(20.0, 66 / max(len(tile.knights) - 1, 1))
    if tile.covered:
        yield Shape("text", "knight-below", {"x": x + 66, "y": y + 97, "font-size": 20}, "…")
    for number, colour in enumerate(tile.knights):
        ghost = number >= before
        yield _use(f"knight-{colour}", x, y - number * step, ghost=ghost)
        at: dict[str, int | float | str] = {"x": x + 80, "y": y + 88 - number * step}
        at |= {"font-size": 18, "text-anchor": "middle"}
        yield Shape("text", f"knight-letter-{colour}", at, words.name(colour)[:1], ghost=ghost)


# --- the table ---------------------------------------------------------------------------------------------------


def _seen(state: State, free: frozenset[Place]) -> list[Place]:
    """The cells that are shown, as they are read: from the upper left on, row by row."""
    cells: set[Place] = {*state.tiles, *free}
    columns, rows = [x for x, _ in cells], [y for _, y in cells]
    left, bottom, right, top = min(columns), min(rows), max(columns), max(rows)
    if (right - left + 1) * (top - bottom + 1) <= MOST_SPOTS:
        cells = {(x, y) for x in range(left, right + 1) for y in range(bottom, top + 1)}
    return sorted(cells, key=lambda cell: (-cell[1], cell[0]))


def _name(cell: Place, tile: StandingTile | None, free: frozenset[Place], words: Words) -> str:
    """What a screen reader says of a cell."""
    place = f"({cell[0]}, {cell[1]})"
    if tile is None:
        return f"{place}, {words.say('board', 'site' if cell in free else 'free')}"
    code = "covered" if tile.covered else "knights" if tile.knights else "tile"
    return f"{place}, {words.say('board', code, {'face': tile.face, 'knights': tile.knights})}"


def _place(cell: Cell) -> Place | None:
    """A cell, also by the key of its spot."""
    if not isinstance(cell, str):
        return cell
    x, _, y = cell.partition(",")
    return (int(x), int(y)) if x.lstrip("-").isdecimal() and y.lstrip("-").isdecimal() else None


class RobberKnights:
    """The drawing of Robber Knights."""

    def draw(self, state: State, language: str, before: State | None = None) -> Board:
        """Draw a state; with `before`, the tiles and knights that were not there then are ghosts."""
        # For a tile to be, what is seen stays as it was before.
        free = frozenset(sites(before or state)) - state.tiles.keys() if any(state.left) else frozenset()
        return self._board(state, free, language, before)

    def _board(self, state: State, free: frozenset[Place], language: str, before: State | None = None) -> Board:
        said = words(language, GAME.id)
        tiles = {tile.cell: tile for tile in GAME.position(state).tiles}
        seen = _seen(state, free)
        left, top = min(x for x, _ in seen), max(y for _, y in seen)
        across, down = max(x for x, _ in seen) - left + 1, top - min(y for _, y in seen) + 1
        return Board(
            box=(left * CELL, -top * CELL, across * CELL, down * CELL),
            ground=tuple(self._site(cell) for cell in sorted(free)),
            pieces=tuple(shape for tile in tiles.values() for shape in self._standing(tile, before, said)),
            spots=tuple(
                Spot(cell, f"{cell[0]},{cell[1]}", _name(cell, tiles.get(cell), free, said), *_corner(cell), CELL, CELL)
                for cell in seen
            ),
            stock={colour: tuple(self._stock(state, number)) for number, colour in enumerate(state.colours)},
            row=across,
        )

    def _site(self, cell: Place) -> Shape:
        x, y = _corner(cell)
        return Shape("rect", "site", {"x": x + 6, "y": y + 6, "width": 88, "height": 88, "rx": 8})

    def _standing(self, tile: StandingTile, before: State | None, said: Words) -> Iterator[Shape]:
        x, y = _corner(tile.cell)
        new = before is not None and tile.cell not in before.tiles
        yield from _tile(tile.face, x, y, ghost=new)
        mark = said.say("board", f"mark_{tile.face.split()[0]}")
        yield Shape("text", "tile-letter", {"x": x + 7, "y": y + 21, "font-size": 18}, mark, ghost=new)
        standing = len(before.stacks.get(tile.cell, "").lstrip("?")) if before else len(tile.knights)
        yield from _knights(tile, standing, said)

    def _stock(self, state: State, player: int) -> Iterator[Stock]:
        supply, left = state.supply[player], state.left[player]
        if supply is not None:
            yield Stock("knight", supply, self.icon("knight", state.colours[player]))
        if left >= 0:
            yield Stock("tile", left, self.icon("tile", state.colours[player]))

    def symbols(self) -> tuple[Symbol, ...]:
        """The landscapes, the buildings and the knights."""
        return _symbols()

    def options(self, state: State, cell: Cell) -> Sequence[Option]:
        """The faces that could go on a free cell: with every legal deployment, or bare where there is none."""
        place = _place(cell)
        if place is None or place in state.tiles or not any(state.left):
            return ()
        legal = list(tiles_at(state, [place])) if place in sites(state) else []
        held = faces_of(state) or list(FACES)
        found = []
        for face in sorted(FACES, key=lambda face: face not in held):
            moves = tuple(move for move in legal if move.face == face)
            found.append(Option(face, moves or (Tile(place, face),), usual=face in held))
        return tuple(found)

    def draft(self, state: State, kind: str, cell: Cell | None, so: Answers, words: Words) -> Draft | None:
        """The march from a castle: which way, then how many knights stay on each tile."""
        return drafting.draft(state, kind, None if cell is None else _place(cell), so, words)

    def sketch(self, move: Move, seat: Seat | None) -> tuple[Shape, ...]:
        """The tile that is laid, or the end of the turn."""
        return self.icon(move.face if isinstance(move, Tile) else move.kind, seat)

    def icon(self, kind: str, seat: Seat | None) -> tuple[Shape, ...]:
        """A tile, a knight, or the end of the turn, in a square of 100 units."""
        if kind == "stop":
            return (Shape("rect", "march", {"x": 28, "y": 28, "width": 44, "height": 44, "rx": 6}),)
        if kind == "knight":
            return (_use(f"knight-{seat or COLOURS[0]}", -30, -32, ghost=False),)
        face: Face = next((face for face in FACES if face == kind), "plain castle")
        return tuple(_tile(face, 0, 0, ghost=False))

    def blank(self) -> Count:
        """No tile at all."""
        return editing.blank()

    def entry(self, state: State, language: str) -> Board:
        """The country with the cells around it, wherever a tile may go; of an empty table, a cell and those around."""
        tiles = frozenset(state.tiles) or {(0, 0)}
        around = {(x + right, y + up) for x, y in tiles for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1))}
        return self._board(state, frozenset((around | tiles) - state.tiles.keys()), language)

    def picks(self, count: Count, cell: Cell | None, language: str) -> Sequence[Picks]:
        """The faces and knights of a cell; beside the board, who plays."""
        return editing.picks(self, count, cell, language)


DRAWING = RobberKnights()
