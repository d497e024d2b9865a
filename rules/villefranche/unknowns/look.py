"""Villefranche: what a placement sees of unknown cells, and which of them its ruling depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, Final

from rules.kernel import Cell, Facts
from rules.villefranche.board import BIT, ENCLOSURE, GRID, INDEX, LAND, RING
from rules.villefranche.counting import church_cells, cuts_nothing, fronts_of, shops_needed, unfinished_towers
from rules.villefranche.grid import cell_set, members
from rules.villefranche.legality import (
    PIECES,
    bell_site,
    corner_site,
    house_site,
    left_of,
    nave_site,
    noble_site,
    on_building_land,
    rampart_site,
    roof_site,
    unfinished_churches,
)
from rules.villefranche.moves import BellTower, CornerStorey, House, Move, Nave, NobleStorey, Rampart, Roof
from rules.villefranche.pieces import PIECE_LETTERS
from rules.villefranche.state import COLOURS, PieceName, State
from rules.villefranche.unknowns.fill import ENCLOSED, IN_HAND

KIND: Final[Mapping[str, PieceName]] = {"C": "cube", "P": "pyramid", "Y": "cylinder"}
"""A letter of a stack -> the kind of piece; all others are bricks."""
ROOM: Final[Mapping[PieceName, int]] = {"brick": 2, "cube": 1, "pyramid": 1, "cylinder": 3}
"""The most pieces of a kind on a cell."""
SITE_RULES: Final[Mapping[type[Move], Callable[[State, Any], Facts | None]]] = {
    Rampart: rampart_site,
    CornerStorey: corner_site,
    House: house_site,
    Roof: roof_site,
    NobleStorey: noble_site,
    Nave: nave_site,
    BellTower: bell_site,
}
"""What is asked of the site alone, before all else (`VF-10`, `VF-12`, `VF-30`, `VF-31`, `VF-32`, `VF-40`, `VF-41`)."""


class Look:
    """A placement in a state, with what it sees of the unknown cells."""

    def __init__(self, state: State, move: Move, unknown: Sequence[Cell]) -> None:
        self.state, self.move = state, move
        self.unknown = cell_set(INDEX[str(cell)] for cell in unknown if cell in INDEX)
        self.facts = [cell for cell in unknown if cell not in INDEX]
        self.own = PIECE_LETTERS[state.player]
        self.near = cell_set(RING.get(move.site, ())) | move.bits
        self.walls = isinstance(move, Rampart | CornerStorey)
        self.begins = isinstance(move, NobleStorey | Nave) and not state.taken & move.bits
        self.piece: PieceName = PIECES[type(move)]
        self.hand = f"{IN_HAND} {COLOURS[state.player]} {self.piece}"
        told = self.hand in self.facts or any(
            (colour, kind) == (COLOURS[state.player], self.piece) for colour, kind, _ in state.in_hand
        )
        left = left_of(state.towns[state.player], move)
        self.tight = not told and left <= ROOM[self.piece] * self.unknown.bit_count()

    @cached_property
    def ways(self) -> bool:
        """Whether the placement may cut a gate off (`VF-21`), by what lies on the unknown cells around it."""
        state, move = self.state, self.move
        if isinstance(move, Roof | BellTower) or move.bits & (state.taken | ~LAND):
            return False
        free, near = LAND & ~state.taken, [BIT[cell] for cell in members(self.near & self.unknown & LAND & ~move.bits)]
        gone = (sum(bit for bit, is_taken in zip(near, each, strict=True) if is_taken) for each in _ways_of(len(near)))
        return not all(cuts_nothing(free & ~each, fronts_of(state), move.site, move.bits) for each in gone)

    @cached_property
    def short(self) -> bool:
        """Whether shops on unknown cells may decide (`VF-42`)."""
        if not isinstance(self.move, Nave | BellTower):
            return False
        town = self.state.towns[self.state.player]
        return self.state.readings["church_funding"] == "cumulative" or town.shops.bit_count() < shops_needed(
            self.state, town, 3
        )

    @cached_property
    def rivals(self) -> tuple[tuple[int, ...], ...]:
        """The sites where buildings of one's own may go on instead of the one that is begun (`VF-35`, `VF-43`)."""
        town = self.state.towns[self.state.player]
        if not self.begins:
            return ()
        if isinstance(self.move, NobleStorey):
            return tuple((index,) for index in members(unfinished_towers(town)))
        return tuple(site for _, sites in unfinished_churches(town) for site in sites)

    @cached_property
    def counted(self) -> int:
        """The cells of which the pieces are counted: around the site, and around these."""
        town = self.state.towns[self.state.player]
        going_on = unfinished_towers(town) if isinstance(self.move, NobleStorey) else church_cells(town)
        return self.near | (GRID.ring(going_on) if self.rivals else 0)

    @cached_property
    def left(self) -> Mapping[str, int]:
        """The pieces that are left of each kind but bricks, by their letters."""
        return {
            letter.lower() if white else letter: getattr(town, f"{kind}s")
            for white, town in enumerate(self.state.towns)
            for letter, kind in KIND.items()
        }

    @cached_property
    def scarce(self) -> frozenset[str]:
        """The letters of the pieces of which there may be too few for all unknown cells."""
        cells = self.unknown.bit_count()
        return frozenset(letter for letter, left in self.left.items() if left < ROOM[KIND[letter.upper()]] * cells)

    @cached_property
    def no_site(self) -> bool:
        """Whether the site is known, and none for the piece: then nothing else around it is asked."""
        return not self.move.bits & self.unknown and _refused(self.state, self.move)

    def goes_on(self, cells: Iterable[str]) -> bool:
        """Whether a church on two cells is one that the placement could go on with."""
        at_site = [bool(BIT[INDEX[cell]] & self.move.bits) for cell in cells]
        return all(at_site) if isinstance(self.move, Nave) else any(at_site) and isinstance(self.move, BellTower)

    def matters(self, cell: Cell) -> bool:
        """Whether the ruling may depend on what lies there, or on a fact."""
        if cell not in INDEX:
            return cell in (ENCLOSED, self.hand)
        bit = BIT[INDEX[str(cell)]]
        whole = self.state.enclosed or ENCLOSED in self.facts
        if self.no_site:
            return bool(bit & ENCLOSURE) and not whole
        if self.tight or (bit & self.near and not self.walls):
            return True
        if bit & ENCLOSURE:
            return self.walls or not whole or self.ways
        return not self.walls and (self.begins or self.short or self.ways)


def _ways_of(n: int) -> Iterator[tuple[bool, ...]]:
    return product((False, True), repeat=n)


def _refused(state: State, move: Move) -> bool:
    """Whether a site is none for a piece of its kind."""
    rule = SITE_RULES[type(move)]
    return rule(state, move) is not None or (
        not isinstance(move, Rampart | CornerStorey) and on_building_land(state, move) is not None
    )


def matter(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """The unknown cells and facts on which the ruling may depend."""
    look = Look(state, move, unknown)
    return tuple(cell for cell in unknown if look.matters(cell))
