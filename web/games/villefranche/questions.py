"""Lists every possible move in Villefranche: a piece on a cell, or a brick on two. It asks nothing more."""

from __future__ import annotations

from collections.abc import Sequence

from rules.kernel import Cell
from rules.villefranche.board import INDEX
from rules.villefranche.moves import BellTower, CornerStorey, House, Move, Nave, NobleStorey, Rampart, Roof
from rules.villefranche.state import State
from web.game_pages import Option
from web.games.villefranche.board import BORDER, CORNERS, beside

ON_LAND: tuple[type[House] | type[Roof] | type[NobleStorey] | type[BellTower], ...] = (
    House,
    Roof,
    NobleStorey,
    BellTower,
)


def options(_state: State, cell: Cell) -> Sequence[Option[Move]]:
    """All that a hand could do at a cell, kind by kind, legal or not."""
    if not isinstance(cell, str) or cell not in INDEX:
        return ()
    border = cell in BORDER
    pairs = [(cell, other) for other in beside(cell)]
    walls = tuple(Rampart(pair) for pair in pairs if BORDER.issuperset(pair) and CORNERS.isdisjoint(pair))
    naves: tuple[Move, ...] = tuple(Nave(pair) for pair in pairs if border or BORDER.isdisjoint(pair))
    found: list[Option[Move]] = [
        Option("rampart", walls or tuple(Rampart(pair) for pair in pairs), usual=bool(walls)),
        Option("corner_storey", (CornerStorey(cell),), usual=cell in CORNERS),
        *(Option(form.kind, (form(cell),), usual=not border) for form in ON_LAND),
    ]
    found.insert(5, Option("nave", naves, usual=not border))
    return tuple(sorted(found, key=lambda option: not option.usual))
