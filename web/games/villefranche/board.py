"""Draws the board of Villefranche: a small town of blocks, seen from the south and from above.

A cell is a square of 100 units. Each piece is drawn as standing on the ground of its cell, or on the pieces below it,
so that every piece of a building can be counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from rules.caches import cache
from rules.kernel import Cell, Seat
from rules.villefranche import GAME
from rules.villefranche.board import COLUMNS, CORNER_NUMBER, INDEX, MARKET, NAMES, names_of
from rules.villefranche.counting import gates_of
from rules.villefranche.pieces import STEP
from rules.villefranche.state import COLOURS, Piece, PieceName, Position, State
from service.i18n.sentences import NOBODY, Words, words
from web.board.shapes import Board, Shape, Spot, Stock
from web.games.villefranche.symbols import CELL, HEIGHTS, SHADES, icon

SIZE = 9
SIDE = SIZE * CELL
MARKET_CELL = names_of(MARKET)[0]
MOST = 2_000
"""The maximum number of cached drawings of pieces, and of cells with cached descriptions. A move leaves most of them as
they were.
"""
BORDER = frozenset(name for name in INDEX if name[0] in "ai" or name[1] in "19")
CORNERS = frozenset(NAMES[index] for index in CORNER_NUMBER)


def _corner_of(name: str) -> tuple[int, int]:
    """The upper left corner of a cell, in units."""
    return COLUMNS.index(name[0]) * CELL, (SIZE - int(name[1])) * CELL


def beside(cell: str) -> tuple[str, ...]:
    """The cells that share an edge with one: north, east, south, west."""
    near = (INDEX[cell] + step for step in STEP.values())
    return tuple(NAMES[index] for index in near if index in INDEX.values())


# --- the ground --------------------------------------------------------------------------------------------------


def _square(ink: str, x: int, y: int, side: int) -> Shape:
    return Shape("rect", ink, {"x": x, "y": y, "width": side, "height": side})


def _position(state: State) -> Position:
    """The position of a state."""
    found: Position = GAME.position(state)
    return found


def _ground() -> tuple[Shape, ...]:
    """The empty board: the enclosure, the building land, the market, the names of columns and rows."""
    inner = CELL * (SIZE - 2)
    x, y = _corner_of(MARKET_CELL)
    lines = "".join(f"M0 {n * CELL}H{SIDE}M{n * CELL} 0V{SIDE}" for n in range(1, SIZE))
    shapes = [_square("stone", 0, 0, SIDE), _square("land", CELL, CELL, inner), _square("market", x, y, CELL)]
    shapes += [_square("pad", *_corner_of(name), CELL) for name in sorted(CORNERS)]
    shapes.append(Shape("path", "line", {"d": lines}))
    shapes += [Shape("circle", "cobble", {"cx": x + 50, "cy": y + 50, "r": radius}) for radius in (34, 21, 8)]
    for number, column in enumerate(COLUMNS):
        shapes.append(Shape("text", "label", {"x": number * CELL + 86, "y": SIDE - 5, "font-size": 19}, column))
    for row in range(SIZE):
        shapes.append(Shape("text", "label", {"x": 5, "y": row * CELL + 20, "font-size": 19}, str(SIZE - row)))
    return tuple(shapes)


def _gates(state: State) -> frozenset[str]:
    """The cells of the known gates: those of sides with only one candidate."""
    return frozenset(NAMES[side[0].cell] for side in gates_of(state) if len(side) == 1)


def _gate(cell: str, *, ghost: bool) -> Shape:
    x, y = _corner_of(cell)
    return Shape("use", "", {"href": "#gate", "x": x, "y": y}, ghost=ghost)


# --- the pieces --------------------------------------------------------------------------------------------------


def _piece_shapes(position: Position, before: Position | None) -> Iterator[tuple[tuple[int, int, int], Shape]]:
    """Every piece once, with its place in painter's order: from the north to the south, from the bottom up."""
    for cell, stack in position.cells.items():
        old_height = len(before.cells.get(cell, ())) if before else len(stack)
        height = 0
        for level, piece in enumerate(stack):
            if piece.second is None or cell < piece.second:
                order = (-_front_row(position, cell), level, COLUMNS.index(cell[0]))
                yield order, _piece(cell, piece, height, ghost=level >= old_height)
            height += HEIGHTS[_form(cell, piece)]


def _front_row(position: Position, cell: str) -> int:
    """The southern row of what stands on a cell: a brick may reach one row further."""
    return min(int(name[1]) for piece in position.cells[cell] for name in (cell, piece.second or cell))


def _form(cell: str, piece: Piece) -> str:
    """The form of a piece: a brick of the enclosure is a rampart, any other a nave; flat or upright."""
    if piece.piece != "brick" or piece.second is None:
        return piece.piece
    form = "rampart" if cell in BORDER and piece.second in BORDER else "nave"
    return form if cell[1] == piece.second[1] else f"{form}-upright"


def _piece(cell: str, piece: Piece, height: int, *, ghost: bool) -> Shape:
    form = _form(cell, piece)
    # An upright brick is drawn from its northern cell on.
    x, y = _corner_of(piece.second if form.endswith("upright") and piece.second else cell)
    return Shape("use", "", {"href": f"#{SHADES[piece.colour]}-{form}", "x": x, "y": y - height}, ghost=ghost)


# --- cells in words ----------------------------------------------------------------------------------------------


def unknown_spot_name(state: State, spot: Spot, _: Collection[Cell], words: Words) -> str:
    """The name of an unknown cell, or of one with an unknown top."""
    if state.stacks.get(INDEX[spot.key]):
        return words.say("board", "unknown_above", {"name": spot.name})
    return f"{spot.key}, {words.say('board', 'unknown')}"


def _cell_sentence(
    state: State, stack: Sequence[Piece], gates: frozenset[str], cell: str
) -> tuple[str, Mapping[str, object]]:
    """The sentence for a cell, and its values."""
    if not stack:
        return _empty(gates, cell), {}
    colours = {piece.colour for piece in stack}
    pieces = tuple(piece.piece for piece in stack)
    if cell in CORNERS and set(pieces) == {"cylinder"}:
        storeys = {"storeys": tuple(piece.colour for piece in stack)}
        owner = state.corners[CORNER_NUMBER[INDEX[cell]]]
        return ("corner_tower", storeys) if owner is None else ("corner_owned", {**storeys, "colour": COLOURS[owner]})
    if len(colours) == 1:
        building = _BUILDINGS.get(pieces) if cell not in BORDER else _WALLS.get(pieces)
        if building:
            return building, {"colour": stack[0].colour, "n": len(stack)}
    names = tuple(name for piece in stack for name in (piece.colour, piece.piece))
    return "stack", {"pieces": names}


def _empty(gates: frozenset[str], cell: str) -> str:
    if cell in gates:
        return "gate"
    if cell in CORNERS:
        return "corner"
    if cell == MARKET_CELL:
        return "market"
    return "enclosure" if cell in BORDER else "free"


_WALLS: Mapping[tuple[PieceName, ...], str] = {("brick",): "rampart"}
_BUILDINGS: Mapping[tuple[PieceName, ...], str] = {
    ("cube",): "house",
    ("cube", "pyramid"): "shop",
    ("cylinder",): "noble_tower",
    ("cylinder", "cylinder"): "noble_tower",
    ("cylinder", "cylinder", "cylinder"): "noble_tower",
    ("brick",): "church_begun",
    ("brick", "brick"): "church_ready",
    ("brick", "brick", "pyramid"): "church_choir",
}


def draw(state: State, language: str, before: State | None = None, people: Mapping[str, str] = NOBODY) -> Board:
    """Draw a state; with `before`, the pieces and gates that were not there then are ghosts."""
    position = _position(state)
    pieces = sorted(_piece_shapes(position, before and _position(before)), key=lambda drawn: drawn[0])
    gates_before = _gates(before or state)
    gates = [_gate(cell, ghost=cell not in gates_before) for cell in sorted(_gates(state))]
    return Board(
        box=(0, 0, SIDE, SIDE),
        ground=_ground(),
        pieces=(*gates, *(shape for _, shape in pieces)),
        spots=tuple(_spots(state, position, words(language, GAME.id).with_people(people))),
        stock={colour: _stock(state, colour) for colour in COLOURS},
        row=SIZE,
    )


def _spots(state: State, position: Position, words: Words) -> Iterator[Spot]:
    """The cells in reading order: from the north west, row by row."""
    gates = _gates(state)
    for row in range(SIZE, 0, -1):
        for column in COLUMNS:
            cell = f"{column}{row}"
            code, values = _cell_sentence(state, position.cells.get(cell, ()), gates, cell)
            yield _spot(cell, words.say("board", code, values))


@cache(MOST)
def _spot(cell: str, what: str) -> Spot:
    return Spot(cell, cell, f"{cell}, {what}", *_corner_of(cell), CELL, CELL)


def _stock(state: State, colour: Seat) -> tuple[Stock, ...]:
    town = state.towns[0 if colour == COLOURS[0] else 1]
    left = {"brick": town.bricks, "cube": town.cubes, "pyramid": town.pyramids, "cylinder": town.cylinders}
    return tuple(Stock(piece, n, icon(piece, colour)) for piece, n in left.items())
