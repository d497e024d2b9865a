"""Villefranche: the unknown cells that a placement looks at, and those on which its ruling depends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, Final

from rules.kernel import Cell, Facts
from rules.villefranche.board import BIT, ENCLOSURE, GRID, INDEX, LAND, RING
from rules.villefranche.counting import cuts_nothing, fronts_of, unfinished_towers
from rules.villefranche.grid import cell_set, members
from rules.villefranche.legality import (
    PIECES,
    bell_site,
    corner_site,
    house_site,
    nave_site,
    noble_site,
    on_building_land,
    pieces_left_of,
    rampart_site,
    roof_site,
    unfinished_churches,
)
from rules.villefranche.moves import BellTower, CornerStorey, House, Move, Nave, NobleStorey, Rampart, Roof
from rules.villefranche.pieces import PIECE_LETTERS
from rules.villefranche.play import FINISHED_BUILDINGS, finished_count
from rules.villefranche.state import COLOURS, PieceName, State
from rules.villefranche.unknowns.gaps import ENCLOSURE_FACT, IN_HAND

ROOM: Final[Mapping[PieceName, int]] = {"brick": 2, "cube": 1, "pyramid": 1, "cylinder": 3}
"""The maximum number of pieces of a kind on a cell."""
FEW_WALLS: Final = 12
"""Of so many unknown cells of the enclosure it is asked whether they make it whole, also where it may be said that it
is not."""
SITE_RULES: Final[Mapping[type[Move], Callable[[State, Any], Facts | None]]] = {
    Rampart: rampart_site,
    CornerStorey: corner_site,
    House: house_site,
    Roof: roof_site,
    NobleStorey: noble_site,
    Nave: nave_site,
    BellTower: bell_site,
}
"""The rules on the site alone, heard first (`VF-10`, `VF-12`, `VF-30`, `VF-31`, `VF-32`, `VF-40`, `VF-41`)."""


class Look:
    """A placement in a state, with its view of the unknown cells."""

    def __init__(self, state: State, move: Move, unknown: Sequence[Cell]) -> None:
        self.state, self.move = state, move
        self.unknown = cell_set(INDEX[str(cell)] for cell in unknown if cell in INDEX)
        self.facts = [str(cell) for cell in unknown if cell not in INDEX]
        self.own = PIECE_LETTERS[state.player]
        self.near = cell_set(RING.get(move.site, ())) | move.bits
        self.walls = isinstance(move, Rampart | CornerStorey)
        self.begins = isinstance(move, NobleStorey | Nave) and not state.taken_cells & move.bits
        self.piece: PieceName = PIECES[type(move)]
        self.hand = f"{IN_HAND} {COLOURS[state.player]} {self.piece}"
        knows_hand = self.hand in self.facts or any(
            (colour, kind) == (COLOURS[state.player], self.piece) for colour, kind, _ in state.in_hand
        )
        left = pieces_left_of(state.towns[state.player], move)
        self.tight = not knows_hand and left <= ROOM[self.piece] * self.unknown.bit_count()
        few = (self.unknown & ENCLOSURE).bit_count() <= FEW_WALLS
        self.whole = state.enclosed or (ENCLOSURE_FACT in self.facts and not few)
        """Whether no cell of the enclosure decides if it is complete."""
        ran_out = not state.towns[state.player].supply and self.hand not in self.facts
        self.over = ran_out or finished_count(state) >= FINISHED_BUILDINGS
        """Whether the game is over already. The ruling then says nothing else."""

    @cached_property
    def ways(self) -> bool:
        """Whether the placement may cut off a gate (`VF-21`), depending on the unknown cells around it."""
        state, move = self.state, self.move
        if isinstance(move, Roof | BellTower) or move.bits & (state.taken_cells | ~LAND):
            return False
        free, near = (
            LAND & ~state.taken_cells,
            [BIT[cell] for cell in members(self.near & self.unknown & LAND & ~move.bits)],
        )
        taken_cells = (
            sum(bit for bit, is_taken in zip(near, each, strict=True) if is_taken) for each in _ways_of(len(near))
        )
        return not all(cuts_nothing(free & ~each, fronts_of(state), move.site, move.bits) for each in taken_cells)

    @cached_property
    def rivals(self) -> int:
        """The cells of one's own buildings that may continue instead of the one that is begun (`VF-35`, `VF-43`)."""
        town = self.state.towns[self.state.player]
        if not self.begins:
            return 0
        if isinstance(self.move, NobleStorey):
            return unfinished_towers(town) | self.unknown & LAND
        return cell_set(cell for _, sites in unfinished_churches(town) for site in sites for cell in site) | (
            self.unknown & LAND
        )

    @cached_property
    def no_site(self) -> bool:
        """Whether the site is known and not one for the piece: then nothing else around it matters."""
        return not self.move.bits & self.unknown and _is_refused(self.state, self.move)

    def matters(self, cell: Cell) -> bool:
        """Whether the ruling, or a count in it, may depend on a cell or a fact."""
        if cell not in INDEX:
            return cell in (ENCLOSURE_FACT, self.hand) and not self.over
        bit = BIT[INDEX[str(cell)]]
        if self.over:
            return bool(bit & LAND)
        wall = bool(bit & ENCLOSURE)
        if self.no_site:
            return self.tight or (wall and not self.whole)
        if self.tight or (bit & self.near and not self.walls) or bit & GRID.ring(self.rivals):
            return True
        if wall:
            return self.walls or not self.whole or self.ways
        return not self.walls and (isinstance(self.move, Nave | BellTower) or self.begins or self.ways)


def _ways_of(n: int) -> Iterator[tuple[bool, ...]]:
    return product((False, True), repeat=n)


def _is_refused(state: State, move: Move) -> bool:
    """Whether the site rejects a piece of this kind."""
    rule = SITE_RULES[type(move)]
    return rule(state, move) is not None or (
        not isinstance(move, Rampart | CornerStorey) and on_building_land(state, move) is not None
    )


def relevant_cells(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """The unknown cells and facts on which the ruling may depend."""
    look = Look(state, move, unknown)
    return tuple(cell for cell in unknown if look.matters(cell))
