"""Villefranche: the contents of unknown cells, as a placement sees them, as numbers that add up.

A number has lanes, in which pieces are counted, and bits, each of which stands for something on some cell. The parts
that only limit what can stand together are separate (`use`), and omitted if nothing can exceed the limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from rules.kernel import Cell
from rules.sums import Joint, Sums
from rules.villefranche.board import BIT, CORNERS, ENCLOSURE, ENCLOSURE_BESIDE, GRID, INDEX, LAND, NAMES, RING, pair_of
from rules.villefranche.counting import influence, noble_cells
from rules.villefranche.enclosure import SIDE_OF_RAMPART
from rules.villefranche.grid import cell_set, members
from rules.villefranche.legality import unfinished_churches
from rules.villefranche.moves import BellTower, House, Nave, NobleStorey, Roof
from rules.villefranche.pieces import DIRECTION, STEP, tower_owner
from rules.villefranche.play import FINISHED_BUILDINGS, finished_count
from rules.villefranche.state import COLOURS, SUPPLY, PieceName
from rules.villefranche.unknowns.contents import KIND, contents, left_over
from rules.villefranche.unknowns.gaps import IN_HAND
from rules.villefranche.unknowns.scope import ROOM, Look

LANE: Final = 10
"""Bits of a lane."""
MOST: Final = (1 << LANE - 1) - 1
FULL: Final = (1 << LANE) - 1
SUITS: Final[dict[type, tuple[str, ...]]] = {House: ("",), Roof: ("C",), NobleStorey: ("", "Y", "YY")}
"""The stacks of a site of one cell for which all other rules are heard, in Black's letters."""
UNFINISHED_TOWERS: Final = ("Y", "YY")


class Rival(NamedTuple):
    """A site where the player's building may continue instead of the one that is begun, with the counts there."""

    cells: tuple[str, ...]
    own: int
    other: int
    known_influence: tuple[int, int]
    mark: object = None
    """What has to stand there, if it is unknown, …"""
    bell: object = None
    """… and what finishes it."""


@dataclass
class Item:
    """A possible content of a cell: the placement's view of it, and its use of limited things."""

    content: object
    view: int
    use: dict[object, int]
    joint: int = 0
    church: object = None


@dataclass
class Numbers:
    """The lanes and bits, and the number of each content of each cell."""

    look: Look
    cells: Sequence[Cell]
    width: int = 0
    marks: dict[object, int] = field(default_factory=dict)
    """The meaning of a bit -> the bit."""
    joints: dict[int, tuple[Joint, int]] = field(default_factory=dict)
    """A pair of cells -> the codes of its halves, and the start of its lane."""
    refused_bits: int = 0
    """The bits of contents of the site after which no other rule is heard, …"""
    begun_bits: int = 0
    """… and of those with which the placement can continue."""

    def __post_init__(self) -> None:
        look = self.look
        self.place = {INDEX[str(cell)]: n for n, cell in enumerate(self.cells) if cell in INDEX}
        on_land = not look.walls and look.move.site in RING and not look.over
        self.own, self.other, self.shops, self.elements = (self._lane() for _ in range(4))
        self.pieces, self.supply, self.finishes = (self._lane() for _ in range(3))
        self.rings = [(cell_set(RING[look.move.site]), self.own, self.other)] if on_land else []
        self.rivals = [self._make_rival(*each) for each in self._rivals()] if on_land else []
        self.pays = self._tower_shops()

    def _lane(self, width: int = LANE) -> int:
        self.width += width
        return self.width - width

    def bit(self, mark: object) -> int:
        """The bit that stands for something."""
        if mark not in self.marks:
            self.marks[mark] = 1 << self._lane(1)
        return self.marks[mark]

    # --- the sites that count ------------------------------------------------------------------------------------

    def _rivals(self) -> Iterator[tuple[tuple[str, ...], tuple[int, ...], object, object]]:
        look, town = self.look, self.look.state.towns[self.look.state.player]
        if not look.begins:
            return
        free = [index for index in self.place if BIT[index] & LAND & ~look.move.bits and index not in look.state.stacks]
        if isinstance(look.move, NobleStorey):
            for index in members(town.begun_towers | town.raised_towers):
                yield (NAMES[index],), (index,), None, None
            for index in free:
                yield (NAMES[index],), (index,), ("unfinished", index), None
            return
        for names, sites in unfinished_churches(town):
            pair = pair_of(*(INDEX[name] for name in names))
            yield from ((names, site, None, ("bell", pair)) for site in sites)
        for low in free:
            for high in (low + 1, low + GRID.stride):
                if high in free:
                    pair, names = pair_of(low, high), (NAMES[low], NAMES[high])
                    yield tuple(sorted(names)), (low, high), ("church", pair, 1), None
                    yield from (
                        (tuple(sorted(names)), (at,), ("church", pair, 2), ("bell", pair)) for at in (low, high)
                    )

    def _make_rival(self, names: tuple[str, ...], site: tuple[int, ...], mark: object, bell: object) -> Rival:
        own, other = self._lane(), self._lane()
        self.rings.append((cell_set(RING[site]), own, other))
        return Rival(names, own, other, influence(self.look.state, site), mark, bell)

    def _tower_shops(self) -> int:
        """The cells on which a shop may be given to a noble tower."""
        look = self.look
        if not isinstance(look.move, NobleStorey):
            return 0
        towers = noble_cells(look.state.towns[look.state.player]) | look.unknown & LAND if look.begins else 0
        return GRID.edges(look.move.bits | towers)

    # --- the contents of a cell ------------------------------------------------------------------------------------

    def items(self, cell: Cell) -> list[Item]:
        """The possible contents of a cell, or values of a fact."""
        every = contents(self.look.state, self.look.unknown, cell)
        if cell not in INDEX:
            return [Item(there, self.bit((cell, True)) if there else 0, {}) for there in every]
        return [self._item(INDEX[str(cell)], str(there)) for there in every]

    def _item(self, index: int, stack: str) -> Item:
        look, bit = self.look, BIT[index]
        standing = look.state.stacks.get(index, "")
        added, view, use = stack[len(standing) :], 0, dict[object, int]()
        own = sum(letter in look.own for letter in added)
        for ring, mine, theirs in self.rings:
            if bit & ring:
                view += (own << mine) + (len(added) - own << theirs)
        item = Item(stack, view, use)
        if stack and STEP.get(stack[0].upper()):
            self._brick(item, index, stack, added)
        for letter in added:
            if letter.upper() in KIND:
                self._uses(item, letter, 1)
        if bit & LAND and (added.upper() == "YYY" or (stack[:1].upper() in STEP and added[-1:] in ("P", "p"))):
            use["finished"] = use.get("finished", 0) + 1
            item.view += (1 << self.finishes) if look.over else 0
        if look.over:
            return item
        if bit & look.move.bits:
            item.view += self._site(index, stack) + (self._marks(index, stack, standing) if bit & CORNERS else 0)
        else:
            item.view += self._marks(index, stack, standing)
        return item

    def _uses(self, item: Item, letter: str, number: int) -> None:
        """Pieces taken from a supply."""
        look = self.look
        white, kind = letter.islower(), KIND.get(letter.upper(), "brick")
        item.use[COLOURS[white], kind] = item.use.get((COLOURS[white], kind), 0) + number
        if letter in look.own:
            item.view += number << self.pieces if look.tight and kind == look.piece else 0
            item.view += number << self.supply if self.used_up_kinds and kind in self.used_up_kinds else 0

    def _brick(self, item: Item, index: int, stack: str, added: str) -> None:
        """A rampart or a church with its other half, which is on one of these cells, or on one that does not matter."""
        look, standing = self.look, stack if not added else stack[: -len(added)]
        step = STEP[stack[0].upper()]
        other, pair = index + step, pair_of(index, index + step)
        stage, bell = len(stack.rstrip("Pp")), stack[-1] in ("P", "p")
        own, counts = stack[0] in look.own, step > 0 or other not in self.place
        if bell:
            item.use["bell", pair] = 1
            if isinstance(look.move, Nave | BellTower) and not look.over:
                item.view += self.bit(("bell", pair)) + ((1 << self.elements) if own and self._cumulative else 0)
        if standing:
            return
        if counts:
            self._uses(item, stack[0], stage)
        if other in self.place:
            self._join_halves(item, pair, index, other, stage + 2 * stack.islower())
            item.church = (pair, min(stage, 2), stack.islower()) if BIT[index] & LAND else None
        else:
            item.use["beside", other] = 1
        if BIT[index] & ENCLOSURE:
            item.view += self.bit(("wall", pair)) if counts else 0
        elif own and counts and isinstance(look.move, Nave | BellTower) and not look.over:
            item.view += (stage << self.elements) if self._cumulative else 0
            item.view += self.bit(("church", pair, stage)) if look.begins else 0

    @cached_property
    def _cumulative(self) -> bool:
        return self.look.state.readings["church_funding"] == "cumulative"

    def _join_halves(self, item: Item, pair: int, index: int, other: int, number: int) -> None:
        if pair not in self.joints:
            shift = self._lane(4)
            self.joints[pair] = Joint(self.place[index], self.place[other], 7 << shift, 8 << shift), shift
        shift = self.joints[pair][1]
        item.joint = (number if index < other else 8 - number) << shift

    @cached_property
    def used_up_kinds(self) -> tuple[PieceName, ...]:
        """The kinds that may be used up: if the player has nothing left, the game is over."""
        look, colour = self.look, COLOURS[self.look.state.player]
        known_hand = {kind: some for whose, kind, some in look.state.in_hand if whose == colour}
        kinds = tuple(
            kind for kind in SUPPLY if kind not in known_hand and f"{IN_HAND} {colour} {kind}" not in look.facts
        )
        left = sum(self.pieces_left[colour, kind] for kind in kinds)
        never = any(known_hand.values()) or self.other_hand or left > ROOM["cylinder"] * len(self.place)
        return () if never or look.over else kinds

    @cached_property
    def other_hand(self) -> dict[Cell, Any]:
        """The filling of the player's hand of another kind, if that is unknown: with a piece, the game goes on."""
        look, own = self.look, f"{IN_HAND} {COLOURS[self.look.state.player]} "
        return {fact: True for fact in look.facts if fact.startswith(own) and fact != look.hand}

    @cached_property
    def pieces_left(self) -> Mapping[tuple[str, PieceName], int]:
        """The pieces of each kind that stand nowhere."""
        return left_over(self.look.state)

    # --- the bits of a content --------------------------------------------------------------------------------------

    def _site(self, index: int, stack: str) -> int:
        """The rules' view of the site: the building that the placement continues, or else why it cannot be there."""
        look, stack_as_black = self.look, stack if self.look.own.isupper() else stack.swapcase()
        kind = type(look.move)
        sort: object = stack
        if kind is House:
            sort = bool(stack)
        elif kind is Roof:
            sort = stack_as_black if stack_as_black in ("C", "CP", "c", "cp") else "other"
        elif kind is NobleStorey:
            sort = stack_as_black if stack_as_black in ("", "Y", "YY", "YYY") else "other"
        bit = self.bit(("site", index, sort))
        if stack:
            self.begun_bits |= bit
        if not self._suits(index, stack_as_black):
            self.refused_bits |= bit
        return bit

    def _suits(self, index: int, stack_as_black: str) -> bool:
        """Whether the site may be one for the piece, judging by this cell alone."""
        move = self.look.move
        if type(move) in SUITS:
            return stack_as_black in SUITS[type(move)]
        if isinstance(move, BellTower):
            return stack_as_black[:1] in STEP and stack_as_black == stack_as_black[0] * 2
        if isinstance(move, Nave):
            return not stack_as_black or (
                stack_as_black in STEP and bool(BIT[index + STEP[stack_as_black]] & move.bits)
            )
        return True

    def _marks(self, index: int, stack: str, standing: str) -> int:
        """The bits that the rules need from a cell beside the site, or far away."""
        look, bit, view = self.look, BIT[index], 0
        if not stack:
            return 0
        if bit & CORNERS:
            owned = not look.whole and tower_owner(stack) is not None
            return self.bit(("owned", index)) if owned else 0
        if bit & ENCLOSURE:
            return self.bit(("front", index)) if bit & self.front_cells else 0
        if look.ways and not standing:
            view += self.bit(("taken", index))
        if standing:
            return view
        stack_as_black = stack if look.own.isupper() else stack.swapcase()
        if stack_as_black == "CP":
            view += self.bit(("shop", index)) if bit & self.pays else 0
            view += (1 << self.shops) if isinstance(look.move, Nave | BellTower) else 0
        if look.begins and stack_as_black[0].upper() != "C":
            view += self.bit(("apart", index)) if bit & look.near else 0
            if isinstance(look.move, NobleStorey) and stack_as_black[0] == "Y":
                view += self.bit(("tower", index)) + (
                    self.bit(("unfinished", index)) if stack_as_black in UNFINISHED_TOWERS else 0
                )
        return view

    @cached_property
    def front_cells(self) -> int:
        """The cells in front of the site (`VF-23`)."""
        return 0 if self.look.walls else sum({ENCLOSURE_BESIDE[index] for index in self.look.move.site})

    # --- the sums ---------------------------------------------------------------------------------------------------

    def sums(self) -> Sums:
        """Every content with its number, without those that another one can replace."""
        items = [self.items(cell) for cell in self.cells]
        bounds = self._bounds(items)
        lanes = {name: self._lane() for name in bounds}
        for each in items:
            for item in each:
                item.use = {name: number for name, number in item.use.items() if name in bounds}
        items = _without_replaceable(items)
        found = []
        for each in items:
            numbers: dict[int, object] = {}
            for item in each:
                number = item.view + item.joint + sum(n << lanes[name] for name, n in item.use.items())
                numbers.setdefault(number, item.content)
            found.append([(content, number) for number, content in numbers.items()])
        start = sum(MOST - bounds[name] << shift for name, shift in lanes.items())
        over = sum(1 << shift + LANE - 1 for shift in lanes.values())
        return Sums(tuple(self.cells), found, start, over, [joint for joint, _ in self.joints.values()])

    def _bounds(self, items: Sequence[Sequence[Item]]) -> dict[object, int]:
        """The limit of everything that may run out."""
        wanted: dict[object, int] = {}
        for each in items:
            for name in {name for item in each for name in item.use}:
                wanted[name] = wanted.get(name, 0) + max(item.use.get(name, 0) for item in each)
        state = self.look.state
        over = finished_count(state)
        limits: dict[object, int] = dict(self.pieces_left.items())
        limits["finished"] = FINISHED_BUILDINGS - 1 - over if over < FINISHED_BUILDINGS else sum(wanted.values())
        return {name: limits.get(name, 1) for name, most in wanted.items() if most > limits.get(name, 1)}

    def walls_fit(self, total: int) -> bool:
        """Whether each side that has new ramparts can still be finished (`VF-11`), unless it could not before."""
        state = self.look.state
        new = [mark[1] for mark, bit in self._wall_bits if total & bit]
        if not new:
            return True
        walls = state.walls | sum(new)
        return all(
            walls & side.mask in side.gates or state.walls & side.mask not in side.gates
            for side in {SIDE_OF_RAMPART[pair].name: SIDE_OF_RAMPART[pair] for pair in new}.values()
        )

    @cached_property
    def _wall_bits(self) -> list[tuple[Any, int]]:
        return [(mark, bit) for mark, bit in self.marks.items() if isinstance(mark, tuple) and mark[0] == "wall"]

    def with_other_halves(self, filling: Mapping[Cell, Any]) -> dict[Cell, Any]:
        """A filling with the other halves of the bricks on its cells."""
        found = dict(filling)
        for cell, there in filling.items():
            step = STEP.get(str(there)[:1].upper()) if cell in INDEX and there else None
            index = INDEX.get(str(cell), 0)
            if step and index not in self.look.state.stacks and index + step not in self.place:
                back = DIRECTION[-step] if there.isupper() else DIRECTION[-step].lower()
                found[NAMES[index + step]] = back * len(there.rstrip("Pp"))
        return found


def _without_replaceable(items: Sequence[Sequence[Item]]) -> list[list[Item]]:
    """The contents of each cell, without those that another one can replace: one that looks the same to all rules and
    uses no more; for a church, on both its cells.
    """
    lone = [_fewest([item for item in each if not item.joint]) for each in items]
    needed = {
        item.church
        for each, others in zip(items, lone, strict=True)
        for item in each
        if item.joint and (item.church is None or not any(_can_replace(other, item) for other in others))
    }
    return [
        [*others, *(item for item in each if item.joint and (item.church is None or item.church in needed))]
        for each, others in zip(items, lone, strict=True)
    ]


def _fewest(items: Sequence[Item]) -> list[Item]:
    """Of contents that look alike, those that use least."""
    found: list[Item] = []
    for item in items:
        if not any(_can_replace(other, item) for other in found):
            found = [other for other in found if not _can_replace(item, other)]
            found.append(item)
    return found


def _can_replace(some: Item, other: Item) -> bool:
    """Whether the one can replace the other."""
    return some.view == other.view and all(number <= other.use.get(name, 0) for name, number in some.use.items())
