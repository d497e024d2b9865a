"""Villefranche: the fillings by which the effects of a placement are told, and those effects that they show.

Effects in the town count what is around the piece, and look at what is built on (`VF-21`). So they are told by how many
pieces of either colour can be there where the placement is legal, each way with as little as possible else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import Final

from rules.kernel import Cell, Effect
from rules.unknowns import Filling, deviations
from rules.villefranche.board import BIT, CORNERS, ENCLOSURE, GRID, INDEX, LAND, NAMES
from rules.villefranche.counting import influence
from rules.villefranche.effects.ways import ways
from rules.villefranche.grid import cell_set, members
from rules.villefranche.legality import circulation
from rules.villefranche.moves import BellTower, Move, Nave
from rules.villefranche.pieces import DIRECTION, STEP, put
from rules.villefranche.state import PieceName, State
from rules.villefranche.unknowns.alike import SUITS
from rules.villefranche.unknowns.contents import Contents
from rules.villefranche.unknowns.fill import ENCLOSED, Heap, fill
from rules.villefranche.unknowns.look import Look

MOST_WALLS: Final = 48
"""By so many ways of ramparts and corner towers effects are told."""
MOST_BUILT: Final = 6
"""The last ways are told where no more cells of the town are unknown: each may be free, or built on."""
AROUND: Final = frozenset({"VF-22", "VF-35", "VF-43"})
"""The rules whose effects count the pieces around the site."""
TOLD: Final = frozenset(f"VF-{n}" for n in (4, 10, 11, 12, 21, 32, 40, 41)) | AROUND
"""The rules whose effects are about what is around the piece; all others count over the whole table."""
OF_TOWN: Final = frozenset(("VF-42", "VF-50", "VF-62"))
"""Of these, the rules whose effects are about the town alone, …"""
OF_WALLS: Final = frozenset(("VF-60",))
"""… and about the enclosure alone."""


def effect_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Filling]:
    """Those by which effects are told."""
    look = Look(state, move, unknown)
    if look.walls:
        return _of_walls(look)
    return iter(()) if look.no_site or not move.site or move.bits & ~LAND else _of_town(look)


def tells(state: State, move: Move, unknown: Sequence[Cell], effect: Effect) -> bool:
    """Whether an effect is of every filling: it is about what is around the piece, or nothing that counts is unknown.

    The ways of gates are, where the enclosure is known.
    """
    cells, facts = (
        cell_set(INDEX[str(cell)] for cell in unknown if cell in INDEX),
        [c for c in unknown if c not in INDEX],
    )
    if effect.rule == "VF-21":
        return not facts and not cells & ENCLOSURE and (cells & LAND).bit_count() <= MOST_BUILT
    if effect.rule in AROUND:
        return not cells & LAND or _countable(Look(state, move, unknown), effect.rule)
    if effect.rule in TOLD:
        return True
    if facts:
        return False
    if effect.rule == "VF-6":
        return not state.in_hand and not _may_have(cells, Look(state, move, ()).piece)
    return effect.rule in (OF_WALLS if not cells & ENCLOSURE else OF_TOWN if not cells & LAND else ())


def _may_have(cells: int, piece: PieceName) -> bool:
    """Whether pieces of a kind may be on some cells."""
    on_walls = {"cylinder": CORNERS, "brick": ENCLOSURE & ~CORNERS}.get(piece, 0)
    return bool(cells & (LAND | on_walls))


def _countable(look: Look, rule: str) -> bool:
    """Whether the fillings show how many pieces may be around the site.

    Not where these let another building go on, or where the next piece of a church may go on either of its cells.
    """
    if any(GRID.ring(cell_set(site)) & look.unknown & look.near for site in look.rivals):
        return False
    second = isinstance(look.move, Nave) and bool(look.move.bits & (look.state.taken | look.unknown))
    return rule != "VF-43" or not second or not look.near & look.unknown & ~look.move.bits


# --- the enclosure -----------------------------------------------------------------------------------------------


def _of_walls(look: Look) -> Iterator[Filling]:
    """Ramparts and corner towers in every way."""
    found = Contents(look)
    walls = tuple(islice(found.walls(), MOST_WALLS + 1))
    if len(walls) > MOST_WALLS:
        return
    site = [NAMES[index] for index in members(look.unknown & CORNERS & look.move.bits)]
    others: dict[Cell, Sequence[object]] = {name: found.of(name) for name in site}
    others |= {fact: (True, False) for fact in look.facts if fact == ENCLOSED}
    for rampart, rest in product(walls, tuple(deviations(others, others, most=MOST_WALLS))):
        yield {**rampart, **rest}


# --- the town ----------------------------------------------------------------------------------------------------


def _of_town(look: Look) -> Iterator[Filling]:
    """The counts that are possible around the piece, with all else free; and what is built on, where that tells."""
    near = [NAMES[index] for index in members(look.near & look.unknown & ~look.move.bits)]
    walls: dict[Cell, object] = {name: Heap() for name in near if BIT[INDEX[name]] & ENCLOSURE & ~CORNERS}
    facts: dict[Cell, object] = {look.hand: True} if look.hand in look.facts else {}
    if look.unknown & ENCLOSURE or look.facts:
        facts[ENCLOSED] = True
    built: dict[Cell, object] = {NAMES[index]: Heap() for index in members(look.unknown & LAND & ~look.move.bits)}
    for site in _sites(look):
        base = {**walls, **facts, **site}
        yield base
        yield {**base, **built}
        yield from ({**base, **counts} for counts in _counts(look, near))
        yield from _last_ways(look, base, list(built))


def _sites(look: Look) -> Iterable[Filling]:
    """What the site can be where the placement is legal."""
    move, open_cells = look.move, look.move.bits & look.unknown
    known = [index for index in members(open_cells) if index in look.state.stacks]
    if not open_cells or known:
        return ({},)
    cells = [NAMES[index] for index in members(open_cells)]
    if isinstance(move, Nave):
        return _naves(look, cells)
    if isinstance(move, BellTower):
        return tuple(_doubles(look, move))
    sites = SUITS[type(move)]
    return ({cells[0]: site if look.own.isupper() else site.lower()} for site in sites)


def _naves(look: Look, cells: list[str]) -> Iterator[Filling]:
    """Nothing on both cells, or the first nave where both are unknown."""
    yield dict.fromkeys(cells, "")
    if len(cells) == len(look.move.site):
        here, there = look.move.site
        letters = DIRECTION[there - here], DIRECTION[here - there]
        yield {
            NAMES[at]: letter if look.own.isupper() else letter.lower()
            for at, letter in zip((here, there), letters, strict=True)
        }


def _doubles(look: Look, move: BellTower) -> Iterator[Filling]:
    """A church of two naves towards each unknown cell beside the site."""
    index = move.site[0]
    for letter, step in STEP.items():
        if BIT[index + step] & look.unknown & LAND:
            halves = {index: letter * 2, index + step: DIRECTION[-step] * 2}
            yield {NAMES[at]: half if look.own.isupper() else half.lower() for at, half in halves.items()}


# --- counts around the piece ---------------------------------------------------------------------------------------


def _counts(look: Look, near: Sequence[str]) -> Iterator[Filling]:
    """Where the majority lets the placement be: the most of one's own, the fewest, and the most of the other's.

    And as many of each, if that can be: it is said in other words.
    """
    own, other = influence(look.state, look.move.site)
    ways = {name: _heaps(look, INDEX[name]) for name in near}
    yield _as_heaps(look, {name: _most_of(each) for name, each in ways.items()})
    if own < other:
        yield _as_heaps(look, _just({name: _most_of(each)[0] for name, each in ways.items()}, other - own, 0))
    elif own > other:
        most = {name: max(there for _, there in each) for name, each in ways.items()}
        yield _as_heaps(look, _just(most, own - other, 1))
    best: dict[int, tuple[int, tuple[tuple[int, int], ...]]] = {0: (0, ())}
    for each in ways.values():
        grown: dict[int, tuple[int, tuple[tuple[int, int], ...]]] = {}
        for there, (here, chosen) in best.items():
            for more, less in each:
                if there + less not in grown or grown[there + less][0] < here + more:
                    grown[there + less] = here + more, (*chosen, (more, less))
        best = grown
    fair = [there for there, (here, _) in best.items() if own + here >= other + there]
    if fair:
        yield _as_heaps(look, dict(zip(ways, best[max(fair)][1], strict=True)))


def _heaps(look: Look, index: int) -> list[tuple[int, int]]:
    """The most pieces of one's own on a cell, and each number of the other's with the most of one's own beside it."""
    bit, standing = BIT[index], look.state.stacks.get(index, "")
    if bit & CORNERS:
        return [(2, 0), (2, 1), (1, 2), (0, 2)]
    if standing:
        return [(0, 0), (1, 0) if standing[0] in look.own else (0, 1)]
    most = 1 if bit & ENCLOSURE else 2 if look.begins and not look.unknown & look.move.bits else 3
    return [(most, 0), *((0, less) for less in range(1, most + 1))]


def _most_of(heaps: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """The one with the most of one's own, and the fewest of the other's beside."""
    return max(heaps, key=lambda heap: (heap[0], -heap[1]))


def _just(most: dict[str, int], wanted: int, colour: int) -> dict[str, tuple[int, int]]:
    """So many pieces of one's own (0) or the other's (1), on one cell after the other, nothing on the rest."""
    found = {}
    for name, number in most.items():
        here = min(number, wanted)
        wanted -= here
        if here:
            found[name] = (0, here) if colour else (here, 0)
    return found


def _as_heaps(look: Look, counts: dict[str, tuple[int, int]]) -> Filling:
    """Heaps of so many pieces of one's own and the other's; nothing where there are none."""
    return {
        name: Heap(own, other) if look.own.isupper() else Heap(other, own)
        for name, (own, other) in counts.items()
        if own or other
    }


# --- the ways of the gates (VF-21) -------------------------------------------------------------------------------


def _last_ways(look: Look, base: Filling, cells: Sequence[Cell]) -> Iterator[Filling]:
    """Of what is told of ways where all is free, the fillings in which it is not so."""
    if len(cells) > MOST_BUILT or not cells or look.unknown & ENCLOSURE or look.state.taken & look.move.bits:
        return
    sure = _ways(look, base)
    for heaped in product((False, True), repeat=len(cells)):
        if not sure:
            return
        heaps = {cell: _most_own(look, cell) for cell, is_built in zip(cells, heaped, strict=True) if is_built}
        filling = {**base, **heaps}
        filled = fill(look.state, filling)
        if filled is not None and any(heaped) and circulation(filled, look.move) is None:
            told = _ways(look, filling)
            if any(effect not in told for effect in sure):
                yield filling
                own, other = influence(filled, look.move.site)
                sure = [effect for effect in sure if effect in told or own < other]


def _most_own(look: Look, cell: Cell) -> Heap:
    """As many pieces of one's own as can be: then the majority lets the placement be if it can."""
    index = INDEX[str(cell)]
    own = _most_of(_heaps(look, index))[0] if BIT[index] & look.near else 0
    return Heap(own, 0) if look.own.isupper() else Heap(0, own)


def _ways(look: Look, filling: Filling) -> list[Effect]:
    """What is told of the ways of gates."""
    filled = fill(look.state, filling)
    return [] if filled is None else list(ways(filled, look.move, put(filled, look.move)))
