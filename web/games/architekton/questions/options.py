"""Lists every possible move on a cell of Architekton, kind by kind, legal or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.architekton.legal_moves import lays_at, lies, site
from rules.architekton.moves import Building, Keep, Land, Lay, Move, Take
from rules.architekton.play import phase
from rules.architekton.state import State
from rules.architekton.tiles import AROUND, LANDSCAPE, LETTER, Square
from rules.kernel import Cell
from web.game_pages import Option
from web.games.architekton.symbols import EXAMPLE


def _lays(state: State, cell: Square) -> Iterator[tuple[str, tuple[Move, ...]]]:
    """Every existing tile on a cell, by kind: the legal orientations first, then the illegal ones."""
    legal = tuple(lays_at(state, cell))
    found = {move.tile for move in legal}
    letters = LETTER.values() if state.display is None else dict.fromkeys(state.display.landscapes)
    plain: tuple[Lay, ...] = (
        *(Building(cell, lie) for lie in lies(state) if lie not in found),
        *(Land(cell, LANDSCAPE[letter]) for letter in letters if letter not in found),
    )
    for kind in ("building", "landscape"):
        yield kind, tuple(move for move in (*legal, *plain) if move.kind == kind)


def is_site(state: State, cell: Square) -> bool:
    """Whether some tile can be laid on a cell, or may be, if the cell or a neighbour is unknown."""
    return any(map(state.hides, (cell, *AROUND[cell]))) or any(site(state, cell))


def attempts(state: State, cell: Cell) -> Sequence[Option[Move]]:
    """A tile of each kind, for a cell with a tile, or where no tile can be laid."""
    if isinstance(cell, str) or phase(state) == "answer":
        return ()
    return tuple(Option(kind, moves[:1], usual=False) for kind, moves in _lays(state, cell) if moves)


def options(state: State, cell: Cell) -> Sequence[Option[Move]]:
    """All that a hand could do at a cell, kind by kind, legal or not; empty where no tile can be laid."""
    if isinstance(cell, str):
        return ()
    if phase(state) == "answer":
        return (Option("keep", (Keep(cell),)), Option("take", (Take(cell),))) if cell in state.houses else ()
    if cell in state.tiles:
        return ()
    if phase(state) != "turn":
        return Option("building", (Building(cell, EXAMPLE),)), Option("landscape", (Land(cell, "earth"),))
    if not is_site(state, cell):
        return ()
    usual = "building" if site(state, cell)[0] else "landscape"
    options = (Option(kind, moves, usual=kind == usual) for kind, moves in _lays(state, cell) if moves)
    return tuple(sorted(options, key=lambda option: not option.usual))
