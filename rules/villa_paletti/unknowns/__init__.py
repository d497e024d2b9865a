"""Villa Paletti: what a position leaves open, and what can be there.

Unknown are groups of columns (how many, and how many of them locked; or the locks alone), columns out of the game, and
facts: whose turn it is, its part, whether a floor was asked for in it, and who has and had the seal. All twenty columns
are somewhere, so the places of one kind of column depend on each other: `spread` has every way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from itertools import islice
from math import inf
from typing import Any, Final

from rules.forms import UNKNOWN, Malformed, is_unknown, rest_is_unknown
from rules.kernel import Cell, Verdict
from rules.unknowns import Filling, UnknownRules
from rules.villa_paletti.columns import KINDS, RED_FLOOR, SUPPLY, Group, Kind
from rules.villa_paletti.legal_moves import cells_of
from rules.villa_paletti.moves import Floor, Move
from rules.villa_paletti.play import setup
from rules.villa_paletti.state import Columns, KnownPosition, OutColumns, Position, Setup, State
from rules.villa_paletti.unknowns.extremes import corners, families
from rules.villa_paletti.unknowns.filling import Hearing, fill
from rules.villa_paletti.unknowns.scopes import DUE, FACTS, HOLDER, Table, looked_at, told_of
from rules.villa_paletti.unknowns.spread import Spread
from rules.villa_paletti.villa import cell_of, out_cell

# --- what is unknown, and the rest ----------------------------------------------------------------------------------


def cells(form: Setup, entered: Position) -> tuple[Cell, ...]:
    """The groups from the top level down, the columns out of the game, and the facts. Raises `Malformed`."""
    _refuse(entered)
    state = setup(form)
    open_kinds = {kind: _places(entered, kind) for kind in KINDS}
    found = [
        cell_of(state, Group(*kind, level))
        for level in range(entered.top, -1, -1)
        for kind in KINDS
        if level in open_kinds[kind] or _locks_open(entered, Group(*kind, level))
    ]
    found += [out_cell(*kind) for kind in KINDS if open_kinds[kind] and _out_open(entered, kind)]
    facts = [name for name in FACTS if is_unknown(getattr(entered, name))]
    hangs = entered.due is None and (entered.asked or entered.part == "own" or entered.top == RED_FLOOR)
    return (*found, *([DUE] if hangs and found else []), *facts)


def known(form: Setup, entered: Position) -> KnownPosition:
    """The position without what is unknown. What can be nowhere but out of the game is out of it."""
    unknown = frozenset(map(str, cells(form, entered)))
    defaults: dict[str, Any] = {member.name: member.default for member in fields(Position)}
    facts = {name: defaults[name] for name in FACTS if is_unknown(getattr(entered, name))}
    out = [each for each in entered.out if not is_unknown(each.n)]
    nowhere = (kind for kind in KINDS if _is_out(entered, kind))
    out += [OutColumns(*kind, left) for kind in nowhere if (left := _left(entered, kind)) > 0]
    columns = tuple(
        replace(each, locked=0) if is_unknown(each.locked) else each
        for each in entered.columns
        if not is_unknown(each.n)
    )
    plain = replace(entered, columns=columns, out=tuple(out), rest=None, **facts)
    seen = KnownPosition(**{member.name: getattr(plain, member.name) for member in fields(Position)})
    object.__setattr__(seen, "unknown", unknown)
    return seen


def _refuse(entered: Position) -> None:
    """Raise `Malformed` for an unknown number that means nothing: above the villa, or said of a group twice."""
    seen = Counter((each.colour, each.shape, each.level) for each in entered.columns)
    for number, each in enumerate(entered.columns):
        for name in ("n", "locked"):
            if not is_unknown(getattr(each, name)):
                continue
            if each.level > entered.top:
                raise Malformed("unknown_above", f"/columns/{number}/{name}", level=each.level, top=entered.top)
            if seen[each.colour, each.shape, each.level] > 1:
                raise Malformed("unknown_twice", f"/columns/{number}/{name}")
    kinds = Counter((each.colour, each.shape) for each in entered.out)
    for number, columns in enumerate(entered.out):
        if is_unknown(columns.n) and kinds[columns.colour, columns.shape] > 1:
            raise Malformed("unknown_twice", f"/out/{number}/n")


def _left(entered: Position, kind: Kind) -> int:
    """How many columns of a kind are nowhere that is known."""
    every: tuple[Columns | OutColumns, ...] = (*entered.columns, *entered.out)
    listed = [each for each in every if (each.colour, each.shape) == kind]
    return SUPPLY[kind[1]] - sum(each.n for each in listed if not is_unknown(each.n))


def _places(entered: Position, kind: Kind) -> tuple[int, ...]:
    """The levels on which nobody has looked for a kind of columns; none where all of these are somewhere else."""
    if _left(entered, kind) <= 0:
        return ()
    listed = {each.level: each.n for each in entered.columns if (each.colour, each.shape) == kind}
    rest = UNKNOWN if rest_is_unknown(entered) else 0
    return tuple(level for level in range(entered.top + 1) if is_unknown(listed.get(level, rest)))


def _is_out(entered: Position, kind: Kind) -> bool:
    """Whether what nobody has seen of a kind can be nowhere but out of the game, or is said to be."""
    return not _places(entered, kind) and (_out_open(entered, kind) or entered.rest == "empty")


def _out_open(entered: Position, kind: Kind) -> bool:
    """Whether nobody knows how many columns of a kind are out of the game."""
    listed = [each.n for each in entered.out if (each.colour, each.shape) == kind]
    return any(map(is_unknown, listed)) or (rest_is_unknown(entered) and not listed)


def _locks_open(entered: Position, group: Group) -> bool:
    """Whether the locks alone of a group are unknown."""
    return any(
        is_unknown(each.locked) and not is_unknown(each.n) and each.n
        for each in entered.columns
        if (each.colour, each.shape, each.level) == group
    )


# --- what can be there ----------------------------------------------------------------------------------------------

RULED: Final = 1_024
"""So many combinations are ruled on, …"""
TOLD: Final = 256
"""… and of so many the effects are told. Of more, a few stand for all, …"""
MAX_TOLD: Final = 320
"""… and of more of these than that, no effect is told."""


def matter(state: State, move: Move, unknown: Sequence[Cell]) -> tuple[Cell, ...]:
    """What the rules of a move look at; with it all that a filling rests on.

    That is where else columns of such a kind may be, the locks of columns that would be taken for free ones, and facts.
    """
    table = Table(state, unknown)
    kinds = {(group.colour, group.shape) for group in looked_at(table, move).groups}
    named = table.facts.union(*map(table.names_of, kinds), (table.cells[group] for group in table.locks))
    return tuple(cell for cell in unknown if cell in named)


def heard(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[tuple[Filling, Verdict]]:
    """To rule on a move: every combination, or a few that show every ruling and what it depends on.

    Who has the seal is asked only where nobody can build, whatever the columns are.
    """
    table = Table(state, unknown)
    scope, hearing = looked_at(table, move), Hearing(table, move)
    at_first = scope if state.ended is not None else scope._replace(facts=scope.facts - {HOLDER})
    yield from _ways(Spread(table, at_first, sorts=True), hearing)
    if not hearing.went_on:
        hearing.over = True
        yield from _ways(Spread(table, scope, sorts=True), hearing)


def _ways(spread: Spread, hearing: Hearing) -> Iterator[tuple[Filling, Verdict]]:
    if spread.number > RULED:
        yield from families(spread, hearing)
    else:
        ways = list(spread.every())
        yield from hearing.heard(ways, map(hearing.of, ways))


def effect_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Filling]:
    """To tell its effects: every combination, or those with the fewest and the most of everything.

    None where these are many as well: what they all have, another might lack.
    """
    table = Table(state, unknown)
    spread, hearing = Spread(table, told_of(table, move), laid=isinstance(move, Floor)), Hearing(table, move)
    ways = spread.every() if spread.number <= TOLD else corners(spread)
    found = list(islice(ways, MAX_TOLD + 1))
    if len(found) > MAX_TOLD:
        return
    for hearing.over in (False, True):
        heard = zip(found, map(hearing.of, found), strict=True)
        legal = [filling for filling, verdict in heard if verdict is not None and verdict.legal]
        if hearing.went_on:
            break
    yield from legal


def distance(_: State, move: Move, unknown: Cell) -> float:
    """How far something unknown is from the move: the columns it names, then their level, then what is under and over
    that; what is not of the villa is looked at last.
    """
    named = cells_of(move)
    level = _level(unknown)
    if level is None:
        return inf
    steps = (abs(level - there) for each in named if (there := _level(each)) is not None)
    return 0 if unknown in named else 1 + min(steps, default=0)


def _level(cell: Cell) -> int | None:
    """The level of a group as a cell; None for what is none."""
    last = str(cell).rpartition(" ")[2]
    return int(last) if last.isdigit() else None


UNKNOWNS: UnknownRules[State, Move] = UnknownRules(
    cells=cells,
    known=known,
    matter=matter,
    fill=fill,
    heard=heard,
    effect_fillings=effect_fillings,
    outcome=True,
    distance=distance,
)
