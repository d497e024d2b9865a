"""Villefranche: the effects of a placement, read from the table after it, since illegal moves may stand too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.effects import effect
from rules.kernel import Effect
from rules.villefranche import scoring
from rules.villefranche.board import CORNER_NUMBER, ENCLOSURE, LAND
from rules.villefranche.effects import enclosure, town
from rules.villefranche.effects.ties import ties
from rules.villefranche.effects.ways import ways
from rules.villefranche.legality import PIECES, majority, pieces_left_of
from rules.villefranche.moves import BellTower, CornerStorey, House, Move, Nave, NobleStorey, Rampart, Roof
from rules.villefranche.play import FINISHED_BUILDINGS, finished_count, game_end
from rules.villefranche.state import COLOURS, State


def effects(before: State, move: Move, after: State) -> tuple[Effect, ...]:
    """The effects of a placement: on the enclosure the new phase and gates first, in the town the new building."""
    return (*_BY_KIND[type(move)](before, move, after), *_for_all(before, move, after))


# --- the building of a piece -------------------------------------------------------------------------------------


def _brick(before: State, move: Rampart | Nave, after: State) -> Iterator[Effect]:
    """A rampart on two cells of the enclosure, else a nave."""
    return (town.nave if move.bits & ~ENCLOSURE else enclosure.rampart)(before, move, after)


def _cylinder(before: State, move: CornerStorey | NobleStorey, after: State) -> Iterator[Effect]:
    """A storey of a corner tower on a corner, else of a noble tower."""
    return (enclosure.storey if move.site[0] in CORNER_NUMBER else town.noble)(before, move, after)


def _cube(_before: State, _move: House, _after: State) -> Iterator[Effect]:
    """A house has no effect of its own. Other effects report for every piece what it joins or closes."""
    return iter(())


_BY_KIND: Mapping[type[Move], Callable[[State, Any, State], Iterator[Effect]]] = {
    Rampart: _brick,
    CornerStorey: _cylinder,
    House: _cube,
    Roof: town.pyramid,
    NobleStorey: _cylinder,
    Nave: _brick,
    BellTower: town.pyramid,
}


# --- for every kind ----------------------------------------------------------------------------------------------


_MAJORITY: Mapping[str, str] = {"legal": "more", "equal": "equal", "": "fewer"}
"""Finding of the majority rule -> the code of the effect."""


def _for_all(before: State, move: Move, after: State) -> Iterator[Effect]:
    """The effects of every kind.

    The majority, parishes, buildings of the five, the last ways, a cut turn, pieces left, and the tie-break.
    """
    if not move.bits & ~LAND:
        yield _majority(before, move)
    yield from _parishes(before, after)
    n = finished_count(after)
    if n != finished_count(before):
        yield effect("VF-50", "count", {"n": n, "all": FINISHED_BUILDINGS})
    if after.taken_cells & ~before.taken_cells & LAND:
        yield from ways(before, move, after)
    if before.placement == 1 and after.placement == 1 and not before.first_turn:
        rule = "VF-52" if after.towns[before.player].supply else "VF-51"
        yield effect(rule, "cut", {"colour": COLOURS[before.player]})
    yield _pieces_left(before, move, after)
    if game_end(after) is not None:
        yield from ties(after)


def _majority(before: State, move: Move) -> Effect:
    """`VF-22`: the count around the site: more, as many, or fewer, if the table let the piece stand."""
    facts = majority(before, move)
    return effect("VF-22", _MAJORITY[facts.code], facts.values, facts.evidence)


def _parishes(before: State, after: State) -> Iterator[Effect]:
    """`VF-64`: the points that the player's parishes give now, and gave before."""
    player = before.player
    now = scoring.parish_areas(after, player)
    if not now:
        return
    was, n = (sum([points for _, points in areas]) for areas in (scoring.parish_areas(before, player), now))
    if n != was:
        facts = tuple([scoring.area_fact(*area) for area in now])
        yield effect("VF-64", "parish", {"colour": COLOURS[player], "n": n, "was": was}, facts)


def _pieces_left(before: State, move: Move, after: State) -> Effect:
    """`VF-6`: the pieces of a kind that a player has left."""
    piece, n = PIECES[type(move)], pieces_left_of(after.towns[before.player], move)
    return effect("VF-6", piece if n else "last", {"piece": piece, "colour": COLOURS[before.player], "n": n})
