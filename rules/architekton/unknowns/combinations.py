"""Architekton: the fillings that represent all.

Beside a building every combination is judged. Each neighbour of a landscape is one *arm*, with the cells that surround
it. A rule objects because of one arm: it is a landscape (`AR-11`), or it is settled otherwise than the move says
(`AR-23`, `AR-25`). Otherwise one arm has to match (`AR-12`). So the arms are varied one at a time, beside a base
without an objection.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product
from typing import Any, Final, TypeAlias

from rules.architekton.box import OF_EACH_LANDSCAPE
from rules.architekton.legal_moves import seen_landscapes
from rules.architekton.legality import answers, order
from rules.architekton.moves import Building, Land, Move
from rules.architekton.settlement import find_surrounded
from rules.architekton.state import State
from rules.architekton.tiles import AROUND, OPPOSITE, Square
from rules.architekton.unknowns.contents import (
    Content,
    Hand,
    There,
    any_building,
    contents_anywhere,
    fill,
    letters_left,
    most_similar_building,
    tiles_on_cell,
    uniform_rows,
    unique_fillings,
)
from rules.architekton.unknowns.scope import houses_may_be_out, houses_of, outer
from rules.fillings import Filling, TooMany
from rules.kernel import Cell, Ruling
from rules.records import dataclass

OTHER: Final = {"E": "F", "F": "M", "M": "W", "W": "E"}
"""Another landscape, for each."""
BASES: Final = 64
"""The maximum number of ways to surround the buildings that the move settles."""
Cells: TypeAlias = dict[Cell, Any]


@dataclass(frozen=True)
class Arms:
    """The unknown neighbours of a landscape, with the unknown cells around them."""

    state: State
    move: Land
    cells: Sequence[Cell]

    def ways_for_ruling(self) -> Iterator[Cells]:
        """Which arms match, and one of them at a time with what surrounds it; and the landscape's own cell taken."""
        ways = ({**self.base, **way} for way in (*self._match_ways(), *self._arm_ways()))
        if self.move.cell not in self.cells:
            yield from ways
            return
        own, (first, *others) = self.move.cell, tiles_on_cell(self.state)
        for way in ways:
            yield way
            yield {**way, own: first}
        yield from ({**self.base, own: there} for there in others)

    def ways_for_effects(self) -> Iterator[Cells]:
        """The ways that lack an effect of the base, or have its counts least or greatest.

        A surely settled arm may cost and bring more, or less, if other arms are settled with it.
        """
        filled = fill(self.state, self.base)
        others = (
            self._settlement_ways()
            if filled is None or find_surrounded(filled, self.move)
            else self._ways_around_known_arms()
        )
        yield from ({**self.base, **way} for way in (*self._match_ways(), *others))

    # --- the base ------------------------------------------------------------------------------------------------

    @cached_property
    def unknown_arms(self) -> list[Square]:
        """The arms with unknown contents."""
        return [arm for arm in AROUND[self.move.cell] if arm in self.cells]

    @cached_property
    def settled_arms(self) -> frozenset[Square]:
        """The arms that the move says are settled."""
        return frozenset((*self.move.order, *self.move.keep, *self.move.take))

    @cached_property
    def base(self) -> Cells:
        """The contents that let most moves pass: matching buildings without houses, and nothing around them. Those that
        the move says are settled have a house, and landscapes all around, in the first way that the rules let pass.
        """
        base: Cells = dict.fromkeys(self.cells)
        base |= {arm: self._buildings_without_house(arm)[0] for arm in self.unknown_arms}
        base |= {arm: self._settled_building(arm) for arm in self.unknown_arms if arm in self.settled_arms}
        closed = dict.fromkeys(
            near for arm in AROUND[self.move.cell] if arm in self.settled_arms for near in self.around(arm)
        )
        if not closed:
            return base
        lands = ([there for there in self._surround(near)[::-1] if there] for near in closed)
        ways = [{**base, **dict(zip(closed, way, strict=True))} for way in islice(product(*lands), BASES)]
        return next(filter(self._passes, ways), ways[0] if ways else base)

    def _passes(self, way: Cells) -> bool:
        """Whether exactly the buildings in the move are settled, of those that need an answer."""
        filled = fill(self.state, way) if self._hand.has_tile(way) else None
        if filled is None or answers(filled, self.move) is not None:
            return False
        order_facts = order(filled, self.move)
        return order_facts is None or order_facts.ruling is Ruling.LEGAL

    def _settled_building(self, arm: Square) -> There:
        """A settled building: it needs an answer, or is only listed."""
        own = arm in self.move.keep or arm in self.move.take
        player = self.state.player
        return self.building(arm, facing=True, rest=False, owner=player if own else 1 - player)

    # --- the contents of an arm, and around it -------------------------------------------------------------------

    def around(self, arm: Square) -> list[Square]:
        """The unknown cells around an arm."""
        return [near for near in outer(self.move, arm) if near in self.cells]

    def _buildings_without_house(self, arm: Square) -> list[There]:
        """Buildings without a house: one that matches, and one that does not."""
        return [self.building(arm, facing=facing, rest=True, owner=None) for facing in (True, False)]

    def _unsettled_contents(self, arm: Square) -> list[Content]:
        """The contents that are never settled: nothing, a landscape, a building without a house."""
        lands = [There(letter) for letter in self._letters_left if letter != self.move.tile]
        return [None, *lands[:1], *self._buildings_without_house(arm)]

    def _buildings_with_house(self, arm: Square) -> list[There]:
        """Buildings that need an answer if surrounded; with an order, those of the other player, too."""
        player = self.state.player
        both = self.move.order or not self.state.supply[player]
        owners = (player, 1 - player) if both else (player,)
        return [self.building(arm, facing=f, rest=False, owner=owner) for owner in owners for f in (True, False)]

    def _buildings_of_both(self, arm: Square) -> list[There]:
        """Buildings of both players that match on all sides, on one, on the others, and on none."""
        ways = product((0, 1), (True, False), (True, False))
        return [self.building(arm, facing=facing, rest=rest, owner=owner) for owner, facing, rest in ways]

    def building(self, arm: Square, *, facing: bool, rest: bool, owner: int | None) -> There:
        """A building on an arm: `facing`: its side to the landscape matches; `rest`: its other sides match."""
        return There(self._sides[arm, facing, rest], owner)

    @cached_property
    def _sides(self) -> dict[tuple[Square, bool, bool], str]:
        """The buildings that may lie on unknown arms."""
        ways = product(self.unknown_arms, (True, False), (True, False))
        return {(arm, facing, rest): self._make_sides(arm, facing=facing, rest=rest) for arm, facing, rest in ways}

    def _make_sides(self, arm: Square, *, facing: bool, rest: bool) -> str:
        state, side_of_arm = self.state, OPPOSITE[AROUND[self.move.cell].index(arm)]
        sides = ""
        for side, near in enumerate(AROUND[arm]):
            letter = self.move.tile if near == self.move.cell else state.tiles.get(near, "")
            letter = letter if len(letter) == 1 else self._common
            sides += letter if (facing if side == side_of_arm else rest) else OTHER[letter]
        return sides if state.box is None else most_similar_building(state, sides, side_of_arm)

    @cached_property
    def _letters_left(self) -> list[str]:
        """The landscapes that may lie there, the most frequent first; the last one is in the hand."""
        return [letter for letter in letters_left(self.state) if self._landscape_counts[letter] > 0]

    @cached_property
    def _landscape_counts(self) -> dict[str, int]:
        """The number of landscapes of each kind that may lie there."""
        has_display = self.state.display is not None
        return {
            letter: OF_EACH_LANDSCAPE - count - (letter == self.move.tile and not has_display)
            for letter, count in seen_landscapes(self.state).items()
        }

    @cached_property
    def _hand(self) -> Hand:
        return Hand(self.state, self.move)

    @cached_property
    def _common(self) -> str:
        """A landscape with many copies left."""
        return next(iter(self._letters_left), "E")

    def _surround(self, near: Square) -> list[Content]:
        """The surroundings of a neighbour: nothing, a match for a known building there, and no match."""
        tiles, letters = self.state.tiles, self._letters_left
        match = [tiles[arm][side - 2] for side, arm in enumerate(AROUND[near]) if self._is_building(arm)]
        usual = [*dict.fromkeys(match)] or [self._common]
        other = [letter for letter in letters if letter not in usual][:1]
        return [None, *(There(letter) for letter in [*usual, *other] if letter in letters)]

    def _is_building(self, cell: Square) -> bool:
        return cell in AROUND[self.move.cell] and len(self.state.tiles.get(cell, "")) > 1

    # --- the ways ------------------------------------------------------------------------------------------------

    def _match_ways(self) -> Iterator[Cells]:
        """All neighbours match, no neighbour matches, there is no neighbour, or just one of them."""
        differ: Cells = {arm: self._mismatched_building(arm) for arm in self.unknown_arms}
        none: Cells = dict.fromkeys(self.unknown_arms)
        yield {}
        yield from (differ, none) if self.unknown_arms else ()
        for arm in self.unknown_arms:
            for there in self._unsettled_contents(arm):
                yield {**none, arm: there}
                yield {**differ, arm: there}
            yield {**differ, arm: self.base[arm]}

    def _mismatched_building(self, arm: Square) -> There:
        if arm not in self.settled_arms:
            return self._buildings_without_house(arm)[1]
        return self.building(arm, facing=False, rest=False, owner=self.base[arm].owner)

    def _arm_ways(self) -> Iterator[Cells]:
        """Each arm with its surroundings; if settled, or listed as settled, also beside a landscape on another arm."""
        for arm in AROUND[self.move.cell]:
            around = self.around(arm)
            if arm in self.unknown_arms:
                yield from self._ways_of_unknown_arm(arm, around)
                yield from self._beside_land(arm, {**self._lands(around), arm: self._buildings_with_house(arm)[0]})
                if arm in self.settled_arms:
                    yield from self._beside_land(arm, {arm: self._buildings_without_house(arm)[0]})
            elif around and arm in self.state.houses:
                ways = [*(self._surrounding_ways if self._matters(arm) else self._two_landscape_ways)(arm, around)]
                yield from ways
                ways_to_check = (way for way in ways if arm in self.settled_arms or None not in way.values())
                yield from (each for way in ways_to_check for each in self._beside_land(arm, way))

    def _ways_of_unknown_arm(self, arm: Square, around: Sequence[Square]) -> Iterator[Cells]:
        """An unknown arm with landscapes around it, or not; houses also with all but one."""
        lands, lies = self._lands(around), (*self._unsettled_contents(arm), *self._buildings_with_house(arm))
        yield from ({**way, arm: there} for there in lies for way in ({}, lands))
        yield from ({**lands, near: None, arm: there} for there in self._buildings_with_house(arm) for near in around)

    def _beside_land(self, arm: Square, way: Cells) -> Iterator[Cells]:
        """The same with a landscape on another arm."""
        others = [other for other in self.unknown_arms if other != arm]
        yield from ({**way, other: there} for other in others for there in self._unsettled_contents(other)[1:-2])

    def _matters(self, arm: Square) -> bool:
        """Whether the move has to mention a known building if it is settled."""
        return bool(self.move.order) or self.state.houses[arm] == self.state.player

    def _lands(self, around: Sequence[Square]) -> Cells:
        """Landscapes all around: those of the base, if any, else matching ones, while there are any."""
        return self._choose_landscapes(around, {near: (self.base[near], *self._surround(near)) for near in around})

    def _choose_landscapes(self, around: Sequence[Square], wanted: Mapping[Square, Iterable[Content]]) -> Cells:
        """For each cell the first wanted landscape with enough copies; else any other."""
        left, chosen = Counter(self._landscape_counts), Cells()
        for near in around:
            lands = [there for there in wanted[near] if there and left[there.tile] > 0]
            chosen[near] = lands[0] if lands else next((There(letter) for letter in left if left[letter] > 0), None)
            left[chosen[near].tile if chosen[near] else ""] -= 1
        return chosen

    def _two_landscape_ways(self, _: Square, around: Sequence[Square]) -> Iterator[Cells]:
        """Landscapes of either of two kinds all around."""
        yield self._choose_landscapes(around, {near: self._surround(near) for near in around})
        yield self._choose_landscapes(around, {near: self._surround(near)[::-1] for near in around})

    def _surrounding_ways(self, arm: Square, around: Sequence[Square]) -> Iterator[Cells]:
        """The surroundings of a known building: all match, none matches, or one cell differs from the rest."""
        every = {near: self._surround(near) for near in around}
        first: Cells = {near: self._matching_landscape(arm, near) for near in around}
        other: Cells = {
            near: next((each for each in every[near] if each not in (None, first[near])), None) for near in around
        }
        yield dict.fromkeys(around)
        for each in (first, other):
            yield each
            yield from ({**each, near: there} for near in around for there in every[near])

    def _matching_landscape(self, arm: Square, near: Square) -> Content:
        """The landscape that matches a known building."""
        letter = self.state.tiles[arm][AROUND[arm].index(near)]
        return There(letter) if letter in self._letters_left else None

    # --- for effects ---------------------------------------------------------------------------------------------

    def _ways_around_known_arms(self) -> Iterator[Cells]:
        """Each cell around a known building with whatever may lie there; and none of these cells free."""
        lie = There(any_building(self.state))
        arms = [arm for arm in AROUND[self.move.cell] if arm in self.state.houses]
        around = dict.fromkeys(near for arm in arms for near in self.around(arm))
        yield dict.fromkeys(around, lie)
        yield from (Cells({near: there}) for near in around for there in (*self._surround(near), lie))

    def _settlement_ways(self) -> Iterator[Cells]:
        """Each arm settled for either player, with all possible gains and costs."""
        yield from self._ways_around_known_arms()
        for arm in AROUND[self.move.cell]:
            around = self.around(arm)
            if arm in self.unknown_arms:
                yield from ({**self._lands(around), arm: there} for there in self._buildings_of_both(arm))
            elif around and arm in self.state.houses:
                yield from self._surrounding_ways(arm, around)


MAX_ANYWHERE: Final = 2
"""The maximum number of cells with any content, if a tile of the display may fit somewhere else."""
MAX_HOUSES: Final = 24
"""The maximum number of cells with possible houses, if houses may have run out."""


def fillings(state: State, move: Move, cells: Sequence[Cell]) -> Iterator[Filling]:
    """The fillings that the rules distinguish. Raises `TooMany`."""
    if isinstance(move, Building | Land):
        hand = Hand(state, move)
        ways = (
            Arms(state, move, cells).ways_for_ruling()
            if isinstance(move, Land)
            else _ways_with_house_counts(state, move, cells)
        )
        yield from filter(hand.has_tile, unique_fillings(ways))
        return
    if len(cells) > MAX_ANYWHERE:
        raise TooMany
    every = [contents_anywhere(state, move) for _ in cells]
    yield from (dict(zip(cells, each, strict=True)) for each in product(*every))


# --- beside a building -------------------------------------------------------------------------------------------


def _ways_with_house_counts(state: State, move: Building, cells: Sequence[Cell]) -> Iterator[Filling]:
    """The possible ways; if the number of houses left is unknown, with none, one, and the most."""
    fact, most = houses_of(state), state.supply[state.player]
    ways = _ways_beside_building(state, move, [cell for cell in cells if cell != fact])
    if fact not in cells:
        return ways
    return ({**way, fact: left} for way in ways for left in sorted({0, min(1, most), most}))


def _ways_beside_building(state: State, move: Building, cells: Sequence[Cell]) -> Iterator[Filling]:
    """The landscapes that may lie beside the tile, combined; then one change at a time: a building beside it, a tile on
    its own cell, the house that moves, and the houses left. Raises `TooMany`.
    """
    beside = [cell for cell in AROUND[move.cell] if cell in cells]
    nothing: dict[Cell, object] = dict.fromkeys(cells)
    source = move.house_from if move.house_from in cells else None
    if source is not None:
        nothing[source] = There(any_building(state), state.player)
    every = [_contents(state, move, cell) for cell in beside]
    yield from ({**nothing, **dict(zip(beside, way, strict=True))} for way in product(*every))
    alone = [dict[Cell, object](zip(beside, way, strict=True)) for way in uniform_rows(every)]
    for each in alone:
        yield from ({**nothing, **each, cell: there} for cell in beside for there in _buildings(state, move, cell))
        yield from ({**nothing, **each, move.cell: there} for there in tiles_on_cell(state) if move.cell in cells)
        if source is not None and source not in beside:
            yield from ({**nothing, **each, source: there} for there in (None, There(any_building(state))))
    if houses_may_be_out(state, cells):
        if len(cells) > MAX_HOUSES:
            raise TooMany
        for each in alone:
            yield from _houses(state, move, {**nothing, **each})


def _contents(state: State, move: Building, cell: Cell) -> tuple[Content, ...]:
    """The allowed contents beside a building: nothing, a landscape that matches or not."""
    at: object = cell
    side, letters = move.sides[AROUND[move.cell].index(at)], letters_left(state)
    match = [letter for letter in letters if letter == side]
    differ = [letter for letter in letters if letter != side][:1]
    return (None, *map(There, match + differ))


def _buildings(state: State, move: Building, cell: Cell) -> Iterator[There]:
    """The forbidden contents: buildings; also with a house, if the move needs one there."""
    owners = (None, state.player) if cell == move.house_from else (None,)
    yield from (There(any_building(state), owner) for owner in owners)


def _houses(state: State, move: Building, base: Filling) -> Iterator[Filling]:
    """A filling with as many houses of the player as are left, and one fewer, with each cell in turn.

    They stand where the filling has a building without a house, or an empty cell that the tile does not touch.
    """
    bare, house = There(lie := any_building(state)), There(lie, state.player)
    left = state.supply[state.player] - sum(there == house for there in base.values())
    closed = {move.cell, move.house_from, *AROUND[move.cell]}
    room = [cell for cell, there in base.items() if there == bare or (there is None and cell not in closed)]
    for cell in room if 0 < left <= len(room) else ():
        few = {**base, **dict.fromkeys([other for other in room if other != cell][: left - 1], house)}
        yield few
        yield {**few, cell: house}
