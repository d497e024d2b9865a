"""What a hand could do in Villefranche: a piece on a cell, or a brick on two. Nothing more is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.kernel import Cell
from rules.villefranche.board import COLUMNS, INDEX
from rules.villefranche.state import BellTower, CornerStorey, House, Move, Nave, NobleStorey, Rampart, Roof, State
from web.games.villefranche.board import BORDER, CORNERS, SIZE
from web.kernel import Option


def _pairs(cell: str) -> Iterator[tuple[str, str]]:
    """The cell with each of its neighbours by an edge: north, east, south, west."""
    column, row = COLUMNS.index(cell[0]), int(cell[1])
    for across, up in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        if 0 <= column + across < SIZE and 1 <= row + up <= SIZE:
            yield cell, f"{COLUMNS[column + across]}{row + up}"


ON_LAND: tuple[type[House] | type[Roof] | type[NobleStorey] | type[BellTower], ...] = (
    House,
    Roof,
    NobleStorey,
    BellTower,
)


def options(_state: State, cell: Cell) -> Sequence[Option[Move]]:
    """What a hand could do at a cell, kind by kind, whatever the rules say."""
    if not isinstance(cell, str) or cell not in INDEX:
        return ()
    border = cell in BORDER
    pairs = tuple(_pairs(cell))
    walls = tuple(Rampart(pair) for pair in pairs if BORDER.issuperset(pair) and CORNERS.isdisjoint(pair))
    naves: tuple[Move, ...] = tuple(Nave(pair) for pair in pairs if border or BORDER.isdisjoint(pair))
    found: list[Option[Move]] = [
        Option("rampart", walls or tuple(Rampart(pair) for pair in pairs), usual=bool(walls)),
        Option("corner_storey", (CornerStorey(cell),), usual=cell in CORNERS),
        *(Option(form.kind, (form(cell),), usual=not border) for form in ON_LAND),
    ]
    found.insert(5, Option("nave", naves, usual=not border))
    return tuple(sorted(found, key=lambda option: not option.usual))
