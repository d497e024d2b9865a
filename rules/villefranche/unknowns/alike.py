"""Villefranche: which fillings a placement cannot tell apart.

What a placement sees of each cell is numbers, which are added up, and marks, where it looks at the cell itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Final, NamedTuple

from rules.kernel import Cell
from rules.unknowns import Filling
from rules.villefranche.board import BIT, CORNERS, ENCLOSURE, GRID, INDEX, LAND, RING
from rules.villefranche.counting import noble_cells
from rules.villefranche.grid import cell_set
from rules.villefranche.moves import BellTower, House, Move, Nave, NobleStorey, Roof
from rules.villefranche.pieces import STEP, tower_owner
from rules.villefranche.play import FINISHED_BUILDINGS, finished
from rules.villefranche.state import COLOURS, State
from rules.villefranche.unknowns.fill import BRICKS, ENCLOSED
from rules.villefranche.unknowns.look import KIND, ROOM, Look

LANE: Final = 16
"""Bits of a number: all the numbers of a content are one int, so that they are added at once."""
KIND_USED: Final = (1 << LANE) - 1
"""The first number: one's own pieces of the kind that is placed."""
COUNTED: Final = (1 << 64 * LANE) - 1
"""All numbers, …"""
OCCUPIED: Final = 64 * LANE
"""… above which the set of the cells is that are built on."""
SUITS: Final[dict[type[Move], tuple[str, ...]]] = {House: ("",), Roof: ("C",), NobleStorey: ("", "Y", "YY")}
"""What a site of one cell has where all other rules are heard, as if its player were Black."""


ALONE: Final = 1
"""It may matter together with all that lies around it, so that every such filling is heard."""
REFUSED: Final = 2
"""The site is none, so that nothing else is heard."""
BEGUN: Final = 4
"""The placement goes on with what is there, so that no way of a gate is asked for."""
TOWER: Final = 8
"""A noble tower of one's own that wants a shop."""


class Seen(NamedTuple):
    """What a placement sees of what lies on a cell.

    `numbers` and `used` are added up: what is counted, and the pieces taken from scarce supplies. `mark` is the content
    itself, where it is looked at. `shop`: the cell of a shop that noble towers may be given. `flags`: the above.
    """

    numbers: int = 0
    used: int = 0
    mark: Hashable = None
    shop: int = 0
    flags: int = 0


def alike(state: State, move: Move, cells: Sequence[Cell]) -> Callable[[Filling], Hashable]:
    """By the sums of the pieces that are counted, the cells that are built on, and what is looked at itself.

    None of those for which there are too few pieces.
    """
    look, found = Look(state, move, cells), dict[tuple[Cell, object], Seen]()
    sight, supplies = _Sight(look), _Supplies(look)

    def sort(filling: Filling) -> Hashable:
        numbers = used = shops = flags = 0
        marks = []
        for item in filling.items():
            seen = found.get(item)
            if seen is None:
                seen = found[item] = sight.of(*item)._replace(used=supplies.used(*item))
            more, taken, mark, shop, flag = seen
            numbers, used, shops, flags = numbers + more, used + taken, shops | shop, flags | flag
            if mark is not None:
                marks.append(mark)
        if not supplies.last(used):
            return None
        kept = used if supplies.ending else 0
        if flags & REFUSED:
            return kept, frozenset(marks), numbers & KIND_USED
        if flags & ALONE:
            return tuple(filling.items())
        counts = numbers & COUNTED if flags & BEGUN else numbers
        return kept, frozenset(marks), counts, shops if sight.towers or flags & TOWER else 0

    return sort


class _Supplies:
    """The pieces that are left for unknown cells, of each kind of which there may be too few."""

    def __init__(self, look: Look) -> None:
        state, cells = look.state, look.unknown.bit_count()
        none = {(colour, kind) for colour, kind, some in state.in_hand if not some}
        self.letters = [
            letter for letter in sorted(look.scarce) if (COLOURS[letter.islower()], KIND[letter.upper()]) not in none
        ]
        left = [look.left[letter] for letter in self.letters]
        over = finished(state)
        left.append(FINISHED_BUILDINGS - 1 - over if over < FINISHED_BUILDINGS else cells)
        self.guard = sum(1 << LANE * place + LANE - 1 for place in range(len(left)))
        self.left = self.guard + sum(number << LANE * place for place, number in enumerate(left))
        self.ending = state.towns[state.player].supply <= ROOM["cylinder"] * cells
        """Whether the player may be without any piece: then the game is over."""

    def last(self, used: int) -> bool:
        """Whether there are so many, and the game goes on."""
        return (self.left - used) & self.guard == self.guard

    def used(self, cell: Cell, there: object) -> int:
        """What a content takes of each, and whether it is a finished building."""
        if cell not in INDEX:
            return 0
        stack = str(there)
        is_tower = stack.upper() == "YYY" and bool(BIT[INDEX[str(cell)]] & LAND)
        is_church = stack[:1] in BRICKS and stack[-1:] in ("P", "p")
        numbers = [*(stack.count(letter) for letter in self.letters), is_tower or is_church]
        return sum(number << LANE * place for place, number in enumerate(numbers))


class _Sight:
    """What a placement sees of each content of a cell."""

    def __init__(self, look: Look) -> None:
        self.look = look
        state, own = look.state, look.state.towns[look.state.player]
        self.whole = state.enclosed and ENCLOSED not in look.facts
        self.rings = [cell_set(RING[site]) for site in (look.move.site, *look.rivals) if site in RING]
        self.towers = noble_cells(own) & ~look.move.bits if isinstance(look.move, NobleStorey) else 0

    def of(self, cell: Cell, there: object) -> Seen:
        """What it sees of what lies on a cell."""
        if cell not in INDEX:
            return Seen(mark=(cell, there))
        look, stack, bit = self.look, str(there), BIT[INDEX[str(cell)]]
        if bit & look.move.bits:
            return self._of_site(cell, stack)
        if stack[:1] in BRICKS and stack:
            going_on = look.begins and isinstance(look.move, Nave) and stack[0] in look.own and not bit & ENCLOSURE
            return Seen(mark=(cell, stack), flags=ALONE if going_on and stack[-1] not in "Pp" else 0)
        if bit & CORNERS:
            owned = self.whole or tower_owner(stack) is not None
            return Seen(self._numbers(bit, stack), mark=None if owned else CORNERS)
        if look.begins and stack[:1] in ("Y", "y"):
            return self._of_tower(cell, bit, stack)
        numbers = self._numbers(bit, stack)
        return Seen(numbers, shop=bit if isinstance(look.move, NobleStorey) and self._is_shop(stack) else 0)

    def _of_site(self, cell: Cell, stack: str) -> Seen:
        flags = BEGUN if stack else 0
        return Seen(self._of_kind(stack), mark=(cell, stack), flags=flags if self._suits(str(cell), stack) else REFUSED)

    def _suits(self, cell: str, stack: str) -> bool:
        """Whether the site may be one for the piece, as far as this cell of it tells."""
        look, black = self.look, stack if self.look.own.isupper() else stack.swapcase()
        if type(look.move) in SUITS:
            return black in SUITS[type(look.move)]
        if isinstance(look.move, BellTower):
            return black[:1] in STEP and black == black[0] * 2
        if isinstance(look.move, Nave):
            return not stack or (black in STEP and bool(BIT[INDEX[cell] + STEP[black]] & look.move.bits))
        return True

    def _of_tower(self, cell: Cell, bit: int, stack: str) -> Seen:
        """A noble tower: none and no church may be begun beside it, and one's own wants shops, or goes on itself."""
        look, own = self.look, stack[0] in self.look.own and isinstance(self.look.move, NobleStorey)
        beside = GRID.ring(bit) & look.unknown & ~bit
        mark = (cell, stack) if own else cell if bit & look.near else None
        flags = (TOWER | ALONE if beside else TOWER) if own else 0
        return Seen(self._numbers(bit, stack), mark=mark, flags=flags)

    def _numbers(self, bit: int, stack: str) -> int:
        """The pieces around each site that counts, the shops, one's own pieces of the kind; and the cell."""
        look, own = self.look, sum(letter in self.look.own for letter in stack)
        numbers = [self._of_kind(stack)]
        numbers += [own if bit & ring else 0 for ring in self.rings]
        numbers += [len(stack) - own if bit & ring else 0 for ring in self.rings]
        counted = isinstance(look.move, Nave | BellTower) or bit & GRID.edges(look.move.bits)
        numbers.append(bool(counted) and self._is_shop(stack))
        lanes = sum(number << LANE * place for place, number in enumerate(numbers))
        return lanes | (bit << OCCUPIED if stack and bit & LAND and look.ways else 0)

    def _of_kind(self, stack: str) -> int:
        """One's own pieces of the kind that is placed, where these may be used up."""
        look = self.look
        if not look.tight:
            return 0
        return sum(letter in look.own and KIND.get(letter.upper(), "brick") == look.piece for letter in stack)

    def _is_shop(self, stack: str) -> bool:
        return stack.upper() == "CP" and stack[0] in self.look.own
