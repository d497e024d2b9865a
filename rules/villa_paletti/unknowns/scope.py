"""Villa Paletti: the unknown columns and facts on which the rules and the effects of a move depend, and how closely."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from rules.caches import cache
from rules.kernel import Cell
from rules.villa_paletti import moves
from rules.villa_paletti.columns import COLOURS, CONTEST, KINDS, NEUTRAL, RED_FLOOR, Colour, Group, Kind, Shape
from rules.villa_paletti.moves import Move
from rules.villa_paletti.play import end_by_move, is_floor_laid
from rules.villa_paletti.state import MAX_GROUPS, State
from rules.villa_paletti.unknowns.gaps import ASKED_COLUMN, DUE, FACTS, HOLDER, PART, PREVIOUS
from rules.villa_paletti.villa import cell_of, has_floor_left, on_level, out_cell, supports

NUMBER, FREE, EXACT = 1, 2, 4
"""How closely: the number of columns; whether one of them may be moved; the number, and the number of locked ones."""


class Table:
    """The known part of a table, and its unknown cells and facts."""

    def __init__(self, state: State, unknown: Sequence[Cell]) -> None:
        self.state, self.unknown = state, unknown
        names = set(unknown)
        self.facts = frozenset(name for name in FACTS if name in names)
        groups = {cell: group for group in _groups(state) if (cell := cell_of(state, group)) in names}
        self.cells: dict[Group, Cell] = {group: cell for cell, group in groups.items()}
        self.locks = frozenset(group for group in self.cells if group in state.columns)
        """The groups with only their locks unknown."""
        self.out = frozenset(kind for kind in KINDS if out_cell(*kind) in names)
        """The kinds with an unknown number of columns out of the game."""

    @property
    def level_below(self) -> range:
        """The levels below the top one."""
        return range(self.state.top)

    def unknown_of(self, kind: Kind) -> list[Group]:
        """The groups of a kind with something unknown."""
        return [group for group in self.cells if group[:2] == kind]

    def names_of(self, kind: Kind) -> list[Cell]:
        """The same as cells, and the columns out of the game if these are unknown."""
        return [*map(self.cells.__getitem__, self.unknown_of(kind)), *([out_cell(*kind)] if kind in self.out else [])]

    def may_move(self, player: int, but: Collection[Group] = ()) -> bool:
        """Whether a player is known to have a column to move, other than these."""
        return any(
            group.colour in self.state.players[player] and self._free(group) and group not in but
            for group in self.state.columns
        )

    def _free(self, group: Group) -> bool:
        count = self.state.columns[group]
        return group.level < self.state.top and group not in self.locks and count.locked < count.n

    def gives(self, but: Collection[Group] = ()) -> bool:
        """Whether a level is known to have a neutral column to give, other than these."""
        neutral = self.state.neutral
        return any(
            group.colour == neutral
            and self._free(group)
            and on_level(self.state.columns, group.level, neutral) > 1
            and group not in but
            for group in self.state.columns
        )

    @cached_property
    def may_be_stuck(self) -> bool:
        """Whether the player in turn might have nothing to do, since no floor can be requested (`VP-18`, `VP-20`)."""
        state = self.state
        return not has_floor_left(state) or state.own or state.asked or not {PART, ASKED_COLUMN}.isdisjoint(self.facts)

    @cached_property
    def goes_on(self) -> bool:
        """Whether somebody is known to be able to build."""
        state = self.state
        if has_floor_left(state) and on_level(state.columns, state.top) >= supports(state):
            return True
        return any(map(self.may_move, range(len(state.players)))) or self.gives()


def _groups(state: State) -> Iterator[Group]:
    """Every possible group, from the top level down."""
    for level in range(state.top, -1, -1):
        yield from (Group(*kind, level) for kind in KINDS)


def group_named(state: State, cell: Cell) -> Group:
    """The group of a cell."""
    return _group(state.neutral, str(cell))


@cache(MAX_GROUPS * (len(COLOURS) + 1))  # a ruling with many unknown groups calls it thousands of times
def _group(neutral: Colour | None, cell: str) -> Group:
    colour, shape, level = cell.split(" ")
    group_colour: Any = neutral if colour == NEUTRAL else colour
    kind: Any = shape
    return Group(group_colour, kind, int(level))


class Scope(NamedTuple):
    """The unknown groups that matter, how closely, and the unknown facts."""

    groups: dict[Group, int]
    facts: frozenset[str]


class _ScopeBuilder:
    """Gathers a scope."""

    def __init__(self, table: Table) -> None:
        self.table, self.state = table, table.state
        self.groups: dict[Group, int] = {}
        self.names: set[str] = set()

    def add_facts(self, *names: str) -> None:
        self.names |= self.table.facts.intersection(names)

    def add_groups(self, groups: Iterable[Group], how: int) -> None:
        for group in groups:
            if group in self.table.cells:
                self.groups[group] = self.groups.get(group, 0) | how

    def add_colours(self, colours: Collection[Colour | None], levels: Collection[int], how: int) -> None:
        """The groups of some colours on some levels."""
        self.add_groups((group for group in self.table.cells if group.colour in colours and group.level in levels), how)

    def add_own(self, players: Iterable[int], levels: Collection[int], but: Collection[Group] = ()) -> None:
        """The groups that decide whether these players have a column to move."""
        for player in players:
            if not self.table.may_move(player, but):
                self.add_colours(self.state.players[player], levels, FREE)

    def add_neutral(self, levels: Collection[int]) -> None:
        """The groups that decide which levels have a neutral column to give."""
        if self.state.neutral is not None:
            self.add_colours((self.state.neutral,), levels, NUMBER | FREE)

    def add_everybody(self, levels: Collection[int], but: Collection[Group] = ()) -> None:
        """The groups that decide who can build."""
        self.add_own(range(len(self.state.players)), levels, but)
        self.add_neutral(levels)

    def add_top_level(self, colours: Collection[Colour | None]) -> None:
        """The groups on the top level, for the number of columns there."""
        self.add_colours(colours, (self.state.top,), NUMBER)

    @property
    def colours(self) -> list[Colour]:
        """The colours of the players."""
        return [colour for colours in self.state.players for colour in colours]

    def scope(self) -> Scope:
        return Scope(self.groups, frozenset(self.names))


def named_groups(state: State, move: Move) -> list[Group]:
    """The groups that a move names."""
    found: list[tuple[Colour | None, Shape, int]] = []
    if isinstance(move, moves.Column | moves.Abort):
        found.append((move.colour, move.shape, move.level))
    elif isinstance(move, moves.Neutral | moves.NeutralAbort):
        challenge = move.challenge if isinstance(move, moves.NeutralAbort) else None
        found += [(state.neutral, each.shape, each.level) for each in (move, challenge) if each is not None]
    elif isinstance(move, moves.Floor) and move.objection is not None:
        both = (move.objection, move.objection.taken)
        found += [(each.colour, each.shape, each.level) for each in both if each is not None]
    return [Group(colour, shape, level) for colour, shape, level in found if colour is not None]


# --- the ruling ---------------------------------------------------------------------------------------------------


def ruling_scope(table: Table, move: Move) -> Scope:
    """The scope of the rules of a move, and of the phase that selects them."""
    look, state = _ScopeBuilder(table), table.state
    if state.ended is not None:
        look.add_facts(HOLDER, PREVIOUS)
        return look.scope()
    if not table.goes_on:  # if nobody can build, the game has ended, and the seal decides who has won
        look.add_facts(HOLDER)
        look.add_everybody(table.level_below)
        look.add_top_level((*look.colours, state.neutral))
    look.add_facts(DUE, PART, ASKED_COLUMN)
    _turn(look)
    look.add_groups(named_groups(state, move), EXACT)
    if isinstance(move, moves.Floor):
        _floor(look, move)
    elif not isinstance(move, moves.Done | moves.Crash | moves.End):
        _neutral_part(look, move)
    return look.scope()


def _turn(look: _ScopeBuilder) -> None:
    """The player in turn has something to do (`VP-18`, `VP-20`), if no floor can be requested."""
    state, facts = look.state, look.table.facts
    if not look.table.may_be_stuck:
        return
    look.add_own(range(len(state.players)) if DUE in facts else (state.player,), look.table.level_below)
    if (not state.own or PART in facts) and not look.table.gives():
        look.add_neutral(look.table.level_below)


def _floor(look: _ScopeBuilder, move: moves.Floor) -> None:
    """The columns that carry a laid floor, and whether a tried neutral column is the last of its level."""
    state, objection = look.state, move.objection
    if is_floor_laid(state, move):
        look.add_top_level((*look.colours, state.neutral))
    if objection is not None and state.neutral is not None and objection.colour == state.neutral:
        look.add_colours((state.neutral,), (objection.level,), NUMBER)


def _neutral_part(look: _ScopeBuilder, move: Move) -> None:
    """Whether the neutral part is due, and whether another column stays on the level of the moved one."""
    state = look.state
    over = state.own and PART not in look.table.facts
    if not over and not look.table.gives():
        look.add_neutral(look.table.level_below)
    if isinstance(move, moves.Neutral | moves.NeutralAbort):
        look.add_colours((state.neutral,), {group.level for group in named_groups(state, move)}, NUMBER)


# --- the effects --------------------------------------------------------------------------------------------------


def effect_scope(table: Table, move: Move) -> Scope:
    """The scope of the effects of a legal move, beyond that of its rules."""
    look, state = _ScopeBuilder(table), table.state
    ruling = ruling_scope(table, move)
    look.groups, look.names = dict(ruling.groups), set(ruling.facts - {HOLDER})
    if state.ended is not None or end_by_move(state, move) is not None:
        look.add_facts(HOLDER, PREVIOUS)
        return look.scope()
    moved = named_groups(state, move)
    if isinstance(move, moves.Column):
        look.add_top_level(look.colours)
        if state.top >= CONTEST:
            look.add_facts(HOLDER, PREVIOUS)
    elif isinstance(move, moves.Floor):
        look.add_top_level((*look.colours, state.neutral))
        look.add_facts(HOLDER)
        if state.readings["after_objection"] == "asker_moves":  # whether the asker continues
            look.add_own(range(len(state.players)) if DUE in table.facts else (state.player,), table.level_below, moved)
    if isinstance(move, moves.Neutral | moves.NeutralAbort):
        look.add_own(range(len(state.players)) if DUE in look.table.facts else (state.player,), table.level_below)
    if not isinstance(move, moves.Column | moves.Abort | moves.Done):
        look.add_neutral(range(state.top + 1))
    if state.top + isinstance(move, moves.Floor) >= RED_FLOOR or not _goes_on_after(table, moved):
        look.add_everybody(range(state.top + isinstance(move, moves.Floor)), moved)
        look.add_top_level((*look.colours, state.neutral))
        look.add_facts(HOLDER, PREVIOUS)
    return look.scope()


def _goes_on_after(table: Table, moved: list[Group]) -> bool:
    """Whether somebody is known to be able to build after a move of these columns, if that does not end the game."""
    state = table.state
    return table.gives(moved) or any(table.may_move(player, moved) for player in range(len(state.players)))


def relevant_cells(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """The unknown cells and facts on which the ruling may depend, with all that a filling needs.

    It needs the other possible places of such columns, the locks of columns that would count as free, and facts.
    """
    table = Table(state, unknown)
    kinds = {(group.colour, group.shape) for group in ruling_scope(table, move).groups}
    relevant = table.facts.union(*map(table.names_of, kinds), (table.cells[group] for group in table.locks))
    return tuple(cell for cell in unknown if cell in relevant)
