"""Villefranche: what a placement sees of unknown cells, and the fillings that stand for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice, product
from math import prod
from typing import Any, Final

from rules.kernel import Cell, Effect, Facts
from rules.unknowns import MOST_CHECKS, Filling, TooMany, deviations
from rules.villefranche.board import BIT, CORNER_NUMBER, CORNERS, ENCLOSURE, INDEX, LAND, NAMES, RING, pair_of
from rules.villefranche.counting import cuts_nothing, fronts_of, shops_needed
from rules.villefranche.enclosure import SIDE_OF_RAMPART
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
)
from rules.villefranche.moves import BellTower, CornerStorey, House, Move, Nave, NobleStorey, Rampart, Roof
from rules.villefranche.pieces import DIRECTION, PIECE_LETTERS, STEP, tower_owner
from rules.villefranche.state import COLOURS, SUPPLY, PieceName, State
from rules.villefranche.unknowns.fill import BLOCK, BRICKS, ENCLOSED, IN_HAND

WALLS: Final = "walls"
"""All ramparts of a filling, as if they were one cell."""
FEW: Final = 700
"""So many combinations are heard one by one; of more, only the extremes, and each content beside them."""
MOST_EXTREMES: Final = 1_500
"""Beyond so many combinations of the extremes, nothing is decided."""
LONE: Final = ("C", "CP", "Y", "YY", "YYY")
"""The buildings of one cell, as Black has them: house, shop, noble tower."""
CHURCHES: Final = ("{0}", "{0}{0}", "{0}{0}P")
"""The stages of a church on one of its cells; the bell tower is on one of the two."""
CORNER: Final = ("", "Y", "y", "Yy", "YY", "yy", "YYy", "yyY")
"""The storeys of a corner tower, as far as their numbers and their owner go."""
KIND: Final[Mapping[str, PieceName]] = {"C": "cube", "P": "pyramid", "Y": "cylinder"}
"""A letter of a stack -> the kind of piece; all others are bricks."""
ROOM: Final[Mapping[PieceName, int]] = {"brick": 2, "cube": 1, "pyramid": 1, "cylinder": 3}
"""The most pieces of a kind on a cell."""
SITES: Final[Mapping[type[Move], tuple[str, ...]]] = {
    House: ("",),
    Roof: ("C", "CP", "c", "cp"),
    NobleStorey: ("", "Y", "YY", "YYY"),
}
"""What the site can have that the rules tell apart from any other building, as if its player were Black."""
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
TOLD: Final = frozenset(f"VF-{n}" for n in (4, 10, 11, 12, 21, 22, 32, 35, 40, 41, 43))
"""The rules whose effects are about what is around the piece; all others count over the whole table."""


class Look:
    """A placement in a state, with what it sees of the unknown cells."""

    def __init__(self, state: State, move: Move, unknown: Sequence[Cell]) -> None:
        self.state, self.move = state, move
        self.unknown = cell_set(INDEX[str(cell)] for cell in unknown if cell in INDEX)
        self.facts = [cell for cell in unknown if cell not in INDEX]
        self.own = PIECE_LETTERS[state.player]
        self.near = cell_set(RING.get(move.site, ())) | move.bits
        piece: PieceName = PIECES[type(move)]
        self.hand = f"{IN_HAND} {COLOURS[state.player]} {piece}"
        told = self.hand in self.facts or any(
            (colour, kind) == (COLOURS[state.player], piece) for colour, kind, _ in state.in_hand
        )
        left = left_of(state.towns[state.player], move)
        self.tight = not told and left <= ROOM[piece] * self.unknown.bit_count()

    @cached_property
    def ways(self) -> bool:
        """Whether the placement may cut a gate off (`VF-21`), by what lies on the unknown cells around it."""
        state, move = self.state, self.move
        if move.bits & ~LAND:
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
    def no_site(self) -> bool:
        """Whether the site is known, and none for the piece: then nothing else around it is asked."""
        return not self.move.bits & self.unknown and _refused(self.state, self.move)

    def matters(self, cell: Cell) -> bool:
        """Whether the ruling may depend on what lies there, or on a fact."""
        if cell not in INDEX:
            return cell in (ENCLOSED, self.hand)
        bit = BIT[INDEX[str(cell)]]
        if self.no_site:
            return bool(bit & ENCLOSURE) and not (self.state.enclosed or ENCLOSED in self.facts)
        if bit & self.near or self.tight:
            return True
        if bit & ENCLOSURE:
            wall = isinstance(self.move, Rampart | CornerStorey)
            return wall or not (self.state.enclosed or ENCLOSED in self.facts) or self.ways
        return isinstance(self.move, NobleStorey | Nave) or self.short or self.ways

    def walled(self, cell: Cell) -> bool:
        """Whether ramparts can be on a cell, and nothing else: they are filled in together."""
        return cell in INDEX and bool(BIT[INDEX[str(cell)]] & ENCLOSURE & ~CORNERS)

    def walls(self) -> Iterator[Filling]:
        """The ramparts that can be on the unknown cells; of the other colour only where that is counted."""
        yield from self._walls(tuple(members(self.unknown & ENCLOSURE & ~CORNERS)))

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
                back = DIRECTION[-STEP[letter]]
                counted = self.tight or (BIT[first] | BIT[second]) & self.near
                for filling in self._walls(tuple(cell for cell in rest if cell != second)):
                    mine = letter in self.own
                    for black in (mine, not mine) if counted else (mine,):
                        both = (letter, back) if black else (letter.lower(), back.lower())
                        yield {NAMES[first]: both[0], NAMES[second]: both[1], **filling}

    # --- what can be there ---------------------------------------------------------------------------------------

    def contents(self, cell: Cell) -> tuple[object, ...]:
        """What can be there, of each sort that the placement tells apart one."""
        if cell not in INDEX:
            return (True, False)
        index = INDEX[str(cell)]
        found: dict[object, str] = {}
        known = self.state.stacks.get(index, "")
        for stack in sorted(self._stacks(index), key=lambda stack: self._dear(stack[len(known) :])):
            if self._dear(stack[len(known) :]) <= 1:
                found.setdefault(self._sort(index, stack), stack)
        return tuple(found.values())

    def _dear(self, stack: str) -> float:
        """How much of what is left of a piece a stack takes: of what looks alike, the cheapest stands for all."""
        return max((stack.count(letter) / self._left(letter) for letter in set(stack)), default=0)

    def _left(self, letter: str) -> float:
        """The pieces of a kind that are left, or may be; next to nothing where none is."""
        town = self.state.towns[letter.islower()]
        kind: PieceName = KIND.get(letter.upper(), "brick")
        if any((COLOURS[letter.islower()], kind) == told[:2] for told in self.state.in_hand):
            return SUPPLY[kind]
        return {"brick": town.bricks, "cube": town.cubes, "pyramid": town.pyramids, "cylinder": town.cylinders}[
            kind
        ] or 0.1

    def _stacks(self, index: int) -> Iterator[str]:
        """Every stack that can be on a cell, of the player due first."""
        standing = self.state.stacks.get(index, "")
        if standing:
            yield from (standing, standing + ("P" if standing.isupper() else "p"))
        elif index in CORNER_NUMBER:
            yield from CORNER
        else:
            yield ""
            built = tuple(self._built(index))
            for black in (self.own.isupper(), not self.own.isupper()):
                yield from built if black else map(str.lower, built)

    def _built(self, index: int) -> Iterator[str]:
        """What can be built on a cell in the town, as Black has it: a church only towards another unknown cell."""
        yield from LONE
        for letter, step in STEP.items():
            if BIT[index + step] & self.unknown & LAND:
                yield from (form.format(letter) for form in CHURCHES)

    def _sort(self, index: int, stack: str) -> object:
        """What the rules of the placement see of a stack."""
        bit, site = BIT[index], SITES.get(type(self.move))
        if bit & self.move.bits and site is not None and not self.tight:
            seen = stack if self.own.isupper() else stack.swapcase()
            return seen if seen in site else bool(stack)
        if bit & CORNERS & ~(self.near | self.move.bits):
            return tower_owner(stack)
        if bit & CORNERS:
            return stack
        return stack if bit & self.move.bits or self._goes_on(index, stack) else self._seen(bit, stack)

    def _goes_on(self, index: int, stack: str) -> bool:
        """Whether the placement may depend on what a church on a cell is: it is on the site, too, or one's own."""
        step = STEP.get(stack[:1].upper(), 0)
        if isinstance(self.move, Nave):
            return bool(step)
        return bool(step) and isinstance(self.move, BellTower) and bool(BIT[index + step] & self.move.bits)

    def _seen(self, bit: int, stack: str) -> object:
        """What the rules see of a building beside the site, or far away."""
        own = tuple(letter.upper() for letter in stack if letter in self.own)
        return (
            bool(stack),
            (len(own), len(stack) - len(own)) if bit & self.near else (),
            own == ("C", "P") and isinstance(self.move, NobleStorey | Nave | BellTower),
            stack[:1].upper() not in ("", "C") and isinstance(self.move, NobleStorey | Nave),
            own in (("Y",), ("Y", "Y")) and isinstance(self.move, NobleStorey),
            own if self.tight else (),
        )

    @property
    def _kept(self) -> int:
        """The cells of which every content is an extreme: the enclosure, and a site of one cell."""
        return ENCLOSURE | (self.move.bits if type(self.move) in SITES else 0)

    def extremes(self, cell: Cell, *, least: bool = False) -> tuple[object, ...]:
        """The contents that pull most: nothing, and the most of either colour that lets the placement be.

        `least`: and the least of it, for what counts is told.
        """
        every = self.contents(cell)
        if cell not in INDEX or BIT[INDEX[str(cell)]] & self._kept or every[0]:
            return every
        noble = isinstance(self.move, NobleStorey | Nave)
        stacks = [str(stack) for stack in every]
        fair = [stack for stack in stacks if stack[:1] not in BRICKS and not (noble and stack[:1] in ("Y", "y"))]
        both = [
            [stack for stack in fair if stack and stack[0] in letters] for letters in (self.own, self.own.swapcase())
        ]
        shops = [stack for stack in both[0] if self.short and stack in ("CP", "cp")]
        few = [min(found, key=len) for found in both if found and least]
        return tuple(dict.fromkeys(["", *shops, *few, *(max(found, key=len) for found in both if any(found))]))


def _ways_of(n: int) -> Iterator[tuple[bool, ...]]:
    return product((False, True), repeat=n)


def _refused(state: State, move: Move) -> bool:
    """Whether a site is none for a piece of its kind."""
    rule = SITE_RULES[type(move)]
    return rule(state, move) is not None or (
        not isinstance(move, Rampart | CornerStorey) and on_building_land(state, move) is not None
    )


# --- the fillings ------------------------------------------------------------------------------------------------


def matter(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """The unknown cells and facts on which the ruling may depend."""
    look = Look(state, move, unknown)
    return tuple(cell for cell in unknown if look.matters(cell))


def fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Filling]:
    """Every combination; where they are too many, of the extremes, and each other content beside them."""
    look = Look(state, move, unknown)
    every: dict[Cell, Sequence[object]] = {cell: look.contents(cell) for cell in unknown if not look.walled(cell)}
    walls = tuple(islice(look.walls(), MOST_CHECKS + 1))
    if len(walls) * prod(map(len, every.values())) <= FEW:
        return map(_flat, (dict(zip((WALLS, *every), each, strict=True)) for each in product(walls, *every.values())))
    extremes: dict[Cell, Sequence[object]] = {WALLS: walls, **{cell: look.extremes(cell) for cell in every}}
    if prod(map(len, extremes.values())) > MOST_EXTREMES:
        raise TooMany
    alone = {cell: [stack for stack in each if str(stack)[:1] not in BRICKS] for cell, each in every.items()}
    joined = (_around(extremes, pair) for pair in _joined(every))
    return map(_flat, chain(deviations(extremes, alone, MOST_EXTREMES), chain.from_iterable(joined)))


def _flat(filling: Filling) -> Filling:
    """A filling with the ramparts on their cells."""
    return {**filling[WALLS], **{cell: content for cell, content in filling.items() if cell != WALLS}}


def _around(extremes: Mapping[Cell, Sequence[object]], pair: Filling) -> Iterator[Filling]:
    """The fillings with a church on two cells: the extremes of the others."""
    rest = {cell: each for cell, each in extremes.items() if cell not in pair}
    return ({**pair, **filling} for filling in deviations(rest, {}))


def _joined(every: Mapping[Cell, Sequence[object]]) -> Iterator[Filling]:
    """Each church on two unknown cells of which the placement may depend: both halves."""
    for cell, contents in every.items():
        for stack in map(str, contents):
            if stack and stack[0] in "NEne":
                other, half = _half(str(cell), stack)
                if other in every:
                    yield {cell: stack, other: half}
                    if len(stack.rstrip("Pp")) > 1:
                        bell = "P" if stack.isupper() else "p"
                        yield {cell: stack.rstrip("Pp"), other: half + bell}


def _half(cell: str, stack: str) -> tuple[str, str]:
    """The other half of what stands on a cell and the next one."""
    step = STEP[stack[0].upper()]
    back = DIRECTION[-step] if stack[0].isupper() else DIRECTION[-step].lower()
    return NAMES[INDEX[cell] + step], back * len(stack.rstrip("Pp"))


def effect_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Filling]:
    """Those by which effects are told: the extremes near the piece, with all else free, or built on."""
    look = Look(state, move, matter(state, move, unknown))
    walls = tuple(islice(look.walls(), FEW + 1))
    if len(walls) > FEW:
        return
    near: dict[Cell, Sequence[object]] = {WALLS: walls}
    seen = [cell for cell in matter(state, move, unknown) if not look.walled(cell)]
    near |= {cell: look.extremes(cell, least=True) for cell in seen if _is_near(look, cell)}
    far = [cell for cell in unknown if cell in INDEX and cell not in near and BIT[INDEX[str(cell)]] & LAND]
    for filling in map(_flat, deviations(near, near, most=81)):
        yield filling
        if far:
            yield {**filling, **dict.fromkeys(far, BLOCK)}


def _is_near(look: Look, cell: Cell) -> bool:
    return cell not in INDEX or bool(BIT[INDEX[str(cell)]] & (look.near | ENCLOSURE))


def tells(_: State, __: Move, unknown: Sequence[Cell], effect: Effect) -> bool:
    """Whether an effect is about what is around the piece. The ways of gates are, where the enclosure is known."""
    if effect.rule == "VF-21":
        return not any(cell not in INDEX or BIT[INDEX[str(cell)]] & ENCLOSURE for cell in unknown)
    return effect.rule in TOLD
