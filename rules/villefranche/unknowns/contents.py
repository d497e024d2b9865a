"""Villefranche: what can lie on unknown cells, of what a placement cannot tell apart one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rules.kernel import Cell
from rules.villefranche.board import BIT, CORNER_NUMBER, CORNERS, ENCLOSURE, INDEX, LAND, NAMES, pair_of
from rules.villefranche.enclosure import SIDE_OF_RAMPART
from rules.villefranche.grid import members
from rules.villefranche.moves import BellTower, House, Move, Nave, NobleStorey, Roof
from rules.villefranche.pieces import DIRECTION, PIECE_LETTERS, STEP, tower_owner
from rules.villefranche.state import COLOURS, SUPPLY
from rules.villefranche.unknowns.fill import BRICKS, ENCLOSED
from rules.villefranche.unknowns.look import KIND, Look

LONE: Final = ("C", "CP", "Y", "YY", "YYY")
"""The buildings of one cell, as Black has them: house, shop, noble tower."""
CHURCHES: Final = ("{0}", "{0}{0}", "{0}{0}P")
"""The stages of a church on one of its cells; the bell tower is on one of the two."""
CORNER: Final = ("", "Y", "y", "Yy", "YY", "yy", "YYy", "yyY")
"""The storeys of a corner tower, as far as their numbers and their owner go."""
SITES: Final[Mapping[type[Move], tuple[str, ...]]] = {
    House: ("",),
    Roof: ("C", "CP", "c", "cp"),
    NobleStorey: ("", "Y", "YY", "YYY"),
}
"""What the site can have that the rules tell apart from any other building, as if its player were Black."""
UNFINISHED: Final = ("Y", "YY")


class Contents:
    """What can lie on the unknown cells around a placement."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._found: dict[Cell, tuple[object, ...]] = {}
        self._share: dict[str, float] = {}

    def of(self, cell: Cell) -> tuple[object, ...]:
        """What can be there, of each sort that the placement tells apart one."""
        if cell not in self._found:
            self._found[cell] = tuple(self._sorts(INDEX[str(cell)])) if cell in INDEX else (True, False)
        return self._found[cell]

    def _sorts(self, index: int) -> Iterator[str]:
        known = self.look.state.stacks.get(index, "")
        shares = [
            (self._dear(stack[len(known) :]), stack) for stack in self._stacks(index) if self._tells(index, stack)
        ]
        found: dict[object, str] = {}
        for share, stack in sorted(shares, key=lambda each: each[0]):
            sort = self._sort(index, stack)
            if share <= 1 and (sort not in found or (_is_fullest(sort) and len(stack) > len(found[sort]))):
                found[sort] = stack
        return iter(found.values())

    def _tells(self, index: int, stack: str) -> bool:
        """Whether a stack shows what no other does: half a church as such only where supplies are short."""
        if stack[:1] not in BRICKS or not stack or index in self.look.state.stacks:
            return True
        bit, look = BIT[index], self.look
        instead = look.scarce and bit & look.counted and not (look.begins and (look.left["Y"] or look.left["y"]))
        return bool(bit & look.move.bits or instead) or self._goes_on(index, stack)

    def _dear(self, stack: str) -> float:
        """How much of what is left of a piece a stack takes: of what looks alike, the cheapest stands for all."""
        return max((stack.count(letter) * self._each(letter) for letter in set(stack)), default=0)

    def _each(self, letter: str) -> float:
        """How much of what is left, or may be, of a kind of piece each is; more than all of it where none is."""
        if letter not in self._share:
            state, white, kind = self.look.state, letter.islower(), KIND.get(letter.upper(), "brick")
            told = any((COLOURS[white], kind) == each[:2] for each in state.in_hand)
            self._share[letter] = 1 / (SUPPLY[kind] if told else getattr(state.towns[white], f"{kind}s") or 0.1)
        return self._share[letter]

    def _stacks(self, index: int) -> Iterator[str]:
        """Every stack that can be on a cell, of the player due first."""
        standing = self.look.state.stacks.get(index, "")
        if standing:
            yield from (standing, standing + ("P" if standing.isupper() else "p"))
        elif index in CORNER_NUMBER:
            yield from CORNER
        else:
            yield ""
            built = tuple(self._built(index))
            for black in (self.look.own.isupper(), not self.look.own.isupper()):
                yield from built if black else map(str.lower, built)

    def _built(self, index: int) -> Iterator[str]:
        """What can be built on a cell in the town, as Black has it: a church only towards another unknown cell."""
        yield from LONE
        for letter, step in STEP.items():
            if BIT[index + step] & self.look.unknown & LAND:
                yield from (form.format(letter) for form in CHURCHES)

    # --- what is told apart --------------------------------------------------------------------------------------

    def _sort(self, index: int, stack: str) -> object:
        """What the rules of the placement see of a stack."""
        look, bit = self.look, BIT[index]
        if bit & CORNERS:
            return stack
        if bit & look.move.bits:
            return self._at_site(index, stack)
        if self._goes_on(index, stack):
            return stack
        return self._apart(bit, stack) or self._seen(bit, stack)

    def _at_site(self, index: int, stack: str) -> object:
        """What the rules see of the site: what the placement goes on with, and why it cannot be there else."""
        look, suits = self.look, SITES.get(type(self.look.move))
        taken = self._of_kind(stack) if look.tight else 0
        seen = stack if look.own.isupper() else stack.swapcase()
        if suits is not None or stack[:1] not in BRICKS or not stack:
            return seen if seen in (suits or ("",)) else bool(stack), taken
        if stack[0] not in look.own:
            return "theirs", taken
        whole = isinstance(look.move, BellTower) or BIT[index + STEP[seen[0]]] & look.move.bits
        return stack if whole else "other", taken

    def _goes_on(self, index: int, stack: str) -> bool:
        """Whether the placement may depend on what a church on a cell is: it is on the site, too, or one's own."""
        step = STEP.get(stack[:1].upper(), 0)
        if not step or not isinstance(self.look.move, Nave | BellTower):
            return False
        own = isinstance(self.look.move, Nave) and stack[0] in self.look.own
        return own or bool(BIT[index + step] & self.look.move.bits)

    def _apart(self, bit: int, stack: str) -> object:
        """What no tower or church may be begun beside (`VF-34`), or instead of which no other is (`VF-35`)."""
        look = self.look
        if not look.begins or stack[:1].upper() in ("", "C"):
            return None
        own, taken = stack[0] in look.own, self._of_kind(stack) if look.tight else 0
        if own and stack.upper() in UNFINISHED and isinstance(look.move, NobleStorey):
            return "unfinished", taken
        return ("apart", own, taken) if bit & look.near else None

    def special(self, cell: Cell, stack: object) -> bool:
        """Whether a content is heard beside the extremes of others only: a church, or what is begun beside none."""
        index, letter = INDEX.get(str(cell), 0), str(stack)[:1]
        bit, look = BIT[index], self.look
        if cell not in INDEX or not letter or bit & ENCLOSURE or index in look.state.stacks:
            return False
        return letter in BRICKS or (look.begins and letter in "Yy" and not bit & look.move.bits)

    def _of_kind(self, stack: str) -> int:
        """How many pieces of the kind that is placed it takes from the player."""
        look = self.look
        return sum(letter in look.own and KIND.get(letter.upper(), "brick") == look.piece for letter in stack)

    def _seen(self, bit: int, stack: str) -> object:
        """What the rules see of a building beside the site, or far away."""
        look = self.look
        own = tuple(letter.upper() for letter in stack if letter in look.own)
        brick = stack[:1] if stack[:1] in BRICKS else ""
        return (
            bool(stack) and look.ways,
            (len(own), len(stack) - len(own)) if bit & look.counted else (),
            own == ("C", "P") and isinstance(look.move, NobleStorey | Nave | BellTower),
            self._of_kind(stack) if look.tight else 0,
            brick or tuple(letter for letter in stack if letter in look.scarce and bit & look.counted),
        )

    # --- the extremes --------------------------------------------------------------------------------------------

    def extremes(self, cell: Cell, *, more: int = 2) -> tuple[object, ...]:
        """The contents that pull most: the most of either colour that lets the placement be, and nothing.

        Nothing at all only where that may decide otherwise than either colour does. Where there may be too few of some
        pieces, the most of which there are enough for all cells; and `more`: (1) nothing, and (2) the most there are.
        """
        every = self.of(cell)
        if cell not in INDEX or (every[0] and BIT[INDEX[str(cell)]] & LAND):
            return every
        bit, stacks = BIT[INDEX[str(cell)]], [str(stack) for stack in every]
        if bit & self.look.move.bits and (bit & ENCLOSURE or type(self.look.move) in SITES):
            return every
        return self._of_corner(bit, stacks) if bit & ENCLOSURE else self._of_land(stacks, more)

    def _of_corner(self, bit: int, stacks: list[str]) -> tuple[object, ...]:
        """The most of either colour, with an owner, and without one where it matters whether each tower has one."""
        look = self.look
        if look.walls or not bit & look.near:
            return tuple(stacks)
        whole = look.state.enclosed and ENCLOSED not in look.facts
        owned = (False,) if whole else (False, True)
        sorts = [[each for each in stacks if whole or (tower_owner(each) is not None) is some] for some in owned]
        return tuple(dict.fromkeys(each for some in sorts for each in self._most(some)))

    def _of_land(self, stacks: list[str], more: int) -> tuple[object, ...]:
        look = self.look
        fair = [stack for stack in stacks if stack[:1] not in BRICKS and not (look.begins and stack[:1] in ("Y", "y"))]
        paying = look.short or isinstance(look.move, NobleStorey)
        shops = [stack for stack in fair if paying and stack == ("CP" if look.own.isupper() else "cp")]
        cells = look.unknown.bit_count()
        many = [stack for stack in fair if all(stack.count(x) * cells <= look.left.get(x, cells) for x in stack)]
        empty = look.ways or (more and look.scarce) or isinstance(look.move, NobleStorey | Nave | BellTower)
        most = self._most(fair) if more > 1 or not many else ()
        return tuple(dict.fromkeys([*([""] if empty else []), *shops, *self._most(many), *most])) or ("",)

    def _most(self, stacks: list[str]) -> Iterator[str]:
        """The one with the most pieces beyond the other's, of either colour."""
        for letters in (self.look.own, PIECE_LETTERS[1 - self.look.state.player]):
            best = max(stacks, key=lambda stack: lead(stack, letters), default="")
            if lead(best, letters) > 0:
                yield best

    # --- the enclosure -------------------------------------------------------------------------------------------

    def joint(self, cell: Cell) -> bool:
        """Whether a cell is filled in together with others: ramparts, and corner towers that are only to be owned."""
        bit = BIT[INDEX[str(cell)]] if cell in INDEX else 0
        return bool(bit & ENCLOSURE & ~CORNERS or bit & self._to_be_owned)

    @property
    def _to_be_owned(self) -> int:
        look = self.look
        return look.unknown & CORNERS & ~(look.move.bits if look.walls else look.near | look.move.bits)

    def walls(self) -> Iterator[dict[Cell, str]]:
        """What can be on these cells; ramparts of the other colour only where that is counted."""
        cells = tuple(members(self.look.unknown & ENCLOSURE & ~CORNERS))
        towers = tuple(self._towers([NAMES[index] for index in members(self._to_be_owned)]))
        return ({**walls, **corners} for walls in self._walls(cells) for corners in towers)

    def _towers(self, corners: list[str]) -> Iterator[dict[Cell, str]]:
        """Corner towers with an owner, but one, or all: whoever owns them, as far as there are cylinders for it."""
        yield dict.fromkeys(corners, "")
        n, scarce = len(corners), self.look.scarce & {"Y", "y"}
        for blacks in range(n + 1) if scarce and n else (n,) if n else ():
            owned: dict[Cell, str] = {cell: "YY" if place < blacks else "yy" for place, cell in enumerate(corners)}
            yield owned
            if n > 1:
                yield from ({**owned, cell: ""} for cell in corners)

    def _walls(self, cells: tuple[int, ...]) -> Iterator[dict[Cell, str]]:
        if not cells:
            yield {}
            return
        first, rest = cells[0], cells[1:]
        for filling in self._walls(rest):
            yield {NAMES[first]: "", **filling}
        for letter in "NE":
            second = first + STEP[letter]
            if second in rest and pair_of(first, second) in SIDE_OF_RAMPART:
                for filling in self._walls(tuple(cell for cell in rest if cell != second)):
                    for here, there in self._rampart(first, letter):
                        yield {NAMES[first]: here, NAMES[second]: there, **filling}

    def _rampart(self, first: int, letter: str) -> Iterator[tuple[str, str]]:
        """The halves of a rampart, of the player due, and of the other one where that is counted."""
        look, back = self.look, DIRECTION[-STEP[letter]]
        ours = (letter, back) if letter in look.own else (letter.lower(), back.lower())
        yield ours
        both = BIT[first] | BIT[first + STEP[letter]]
        if look.tight or (both & look.near and not look.walls):
            yield ours[0].swapcase(), ours[1].swapcase()


def _is_fullest(sort: object) -> bool:
    """Whether the most pieces of a sort stand for all: it lets nothing be begun beside it, and is only counted."""
    return isinstance(sort, tuple) and sort[0] == "apart"


def lead(stack: str, letters: str) -> int:
    """How many more pieces of one player there are than of the other."""
    return sum(1 if letter in letters else -1 for letter in stack)
