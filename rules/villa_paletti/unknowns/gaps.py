"""Villa Paletti: the unknown cells and facts of a position, and its known part.

Groups of columns may be unknown (their number and locks, or the locks alone), and columns out of the game. The facts
are whose turn it is, its part, whether a floor was requested in it, and who has and had the seal.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from math import inf
from typing import Any, Final

from rules.forms import UNKNOWN, Malformed, is_unknown, rest_is_unknown
from rules.kernel import Cell
from rules.villa_paletti.columns import KINDS, RED_FLOOR, SUPPLY, Group, Kind
from rules.villa_paletti.legal_moves import cells_of
from rules.villa_paletti.moves import Move
from rules.villa_paletti.play import setup
from rules.villa_paletti.state import Columns, KnownPosition, OutColumns, Position, Setup, State
from rules.villa_paletti.villa import cell_of, out_cell

DUE, PART, ASKED_COLUMN, HOLDER, PREVIOUS = "due", "part", "asked", "holder", "previous"
FACTS: Final = (DUE, PART, ASKED_COLUMN, HOLDER, PREVIOUS)


def cells(form: Setup, position: Position) -> tuple[Cell, ...]:
    """The groups from the top level down, the columns out of the game, and the facts. Raises `Malformed`."""
    _refuse(position)
    state = setup(form)
    open_kinds = {kind: _places(position, kind) for kind in KINDS}
    found = [
        cell_of(state, Group(*kind, level))
        for level in range(position.top, -1, -1)
        for kind in KINDS
        if level in open_kinds[kind] or _locks_open(position, Group(*kind, level))
    ]
    found += [out_cell(*kind) for kind in KINDS if open_kinds[kind] and _out_open(position, kind)]
    facts = [name for name in FACTS if is_unknown(getattr(position, name))]
    hangs = position.due is None and (position.asked or position.part == "own" or position.top == RED_FLOOR)
    return (*found, *([DUE] if hangs and found else []), *facts)


def known_part(form: Setup, position: Position) -> KnownPosition:
    """The known part of the position. Columns that can only be out of the game are out of it."""
    unknown = frozenset(map(str, cells(form, position)))
    defaults: dict[str, Any] = {member.name: member.default for member in fields(Position)}
    facts = {name: defaults[name] for name in FACTS if is_unknown(getattr(position, name))}
    out = [each for each in position.out if not is_unknown(each.n)]
    nowhere = (kind for kind in KINDS if _is_out(position, kind))
    out += [OutColumns(*kind, left) for kind in nowhere if (left := _columns_left(position, kind)) > 0]
    columns = tuple(
        replace(each, locked=0) if is_unknown(each.locked) else each
        for each in position.columns
        if not is_unknown(each.n)
    )
    plain = replace(position, columns=columns, out=tuple(out), rest=None, **facts)
    known_position = KnownPosition(**{member.name: getattr(plain, member.name) for member in fields(Position)})
    object.__setattr__(known_position, "unknown", unknown)
    return known_position


def _refuse(position: Position) -> None:
    """Raise `Malformed` for an invalid unknown number: above the villa, or for a group entered twice."""
    group_counts = Counter((each.colour, each.shape, each.level) for each in position.columns)
    for number, each in enumerate(position.columns):
        for name in ("n", "locked"):
            if not is_unknown(getattr(each, name)):
                continue
            if each.level > position.top:
                raise Malformed("unknown_above", f"/columns/{number}/{name}", level=each.level, top=position.top)
            if group_counts[each.colour, each.shape, each.level] > 1:
                raise Malformed("unknown_twice", f"/columns/{number}/{name}")
    kinds = Counter((each.colour, each.shape) for each in position.out)
    for number, columns in enumerate(position.out):
        if is_unknown(columns.n) and kinds[columns.colour, columns.shape] > 1:
            raise Malformed("unknown_twice", f"/out/{number}/n")


def _columns_left(position: Position, kind: Kind) -> int:
    """The number of columns of a kind without a known place."""
    every: tuple[Columns | OutColumns, ...] = (*position.columns, *position.out)
    listed = [each for each in every if (each.colour, each.shape) == kind]
    return SUPPLY[kind[1]] - sum(each.n for each in listed if not is_unknown(each.n))


def _places(position: Position, kind: Kind) -> tuple[int, ...]:
    """The levels with an unknown number of a kind of columns; empty if all of these are somewhere else."""
    if _columns_left(position, kind) <= 0:
        return ()
    listed = {each.level: each.n for each in position.columns if (each.colour, each.shape) == kind}
    rest = UNKNOWN if rest_is_unknown(position) else 0
    return tuple(level for level in range(position.top + 1) if is_unknown(listed.get(level, rest)))


def _is_out(position: Position, kind: Kind) -> bool:
    """Whether the unseen columns of a kind can only be out of the game, or are entered so."""
    return not _places(position, kind) and (_out_open(position, kind) or position.rest == "empty")


def _out_open(position: Position, kind: Kind) -> bool:
    """Whether the number of columns of a kind out of the game is unknown."""
    listed = [each.n for each in position.out if (each.colour, each.shape) == kind]
    return any(map(is_unknown, listed)) or (rest_is_unknown(position) and not listed)


def _locks_open(position: Position, group: Group) -> bool:
    """Whether only the locks of a group are unknown."""
    return any(
        is_unknown(each.locked) and not is_unknown(each.n) and each.n
        for each in position.columns
        if (each.colour, each.shape, each.level) == group
    )


def distance(_: State, move: Move, unknown: Cell) -> float:
    """The distance of something unknown from the move: the columns it names, then their level, then the levels below
    and above; facts outside the villa come last.
    """
    groups = cells_of(move)
    level = _level(unknown)
    if level is None:
        return inf
    steps = (abs(level - there) for each in groups if (there := _level(each)) is not None)
    return 0 if unknown in groups else 1 + min(steps, default=0)


def _level(cell: Cell) -> int | None:
    """The level of a group as a cell; None if the cell is no level."""
    last = str(cell).rpartition(" ")[2]
    return int(last) if last.isdigit() else None
