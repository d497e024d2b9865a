"""Villefranche: the placements after which there is no legal placement, so that the game ends (`VF-52`).

It tries each legal placement, except those that obviously leave one: a placement changes the majority around its own
cells only. So a placement that is legal now, and depends only on the cells around its own site, stays legal unless a
piece is put there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rules.steps import each, spend
from rules.villefranche.board import GRID, LAND
from rules.villefranche.counting import cuts_nothing, fronts_of
from rules.villefranche.legal_moves import cells_of, moves_of
from rules.villefranche.legality import pieces_left_of
from rules.villefranche.moves import BellTower, House, Move, Nave
from rules.villefranche.play import KINDS_DUE, apply, game_end, stage
from rules.villefranche.state import State

PIECE_STEPS: Final = 4
"""Steps to put a piece and check whether any can be placed then."""
APART: Final = 3
"""The number of placements without a common cell: a piece on two cells can affect at most two of them."""


class Last(NamedTuple):
    """A placement after which the game ends: its cells, and the player without a legal one then."""

    cells: tuple[str, ...]
    colour: str


def leave_none(state: State) -> tuple[list[Last], int]:
    """The legal placements after which the game ends by `VF-52`; and, if there is one, the number of all legal ones."""
    zones = _ending_zones(state)
    if zones is None:
        return [], 0
    n, found = 0, []
    for move in each(moves_of(state, KINDS_DUE[stage(state)])):
        n += 1
        if all(zone & move.bits for zone in zones):
            spend(PIECE_STEPS)
            end = game_end(apply(state, move))
            if end is not None and end.rule == "VF-52":
                found.append(Last(cells_of(move), str(end.values["colour"])))
    return found, n


def _ending_zones(state: State) -> list[int] | None:
    """For each lasting placement, the cells where a piece might end it; None if one of them lasts in any case."""
    zones: list[int] = []
    zone_cells = apart = 0
    for move in _lasting_placements(state):
        zone = GRID.ring(move.bits)
        zones.append(zone)
        if not zone & zone_cells:
            zone_cells, apart = zone_cells | zone, apart + 1
            if apart == APART:
                return None
    return zones


def _lasting_placements(state: State) -> Iterator[Move]:
    """Placements in the town that are legal for the next player, and depend only on the cells around them.

    The same player needs another piece of the kind; and shops, if those of all churches are counted together.
    """
    if stage(state) != "town":
        return
    same = state.placement == 1
    player = state.player if same else 1 - state.player
    after = state._replace(player=player, placement=2 if same else 1)
    free, fronts = LAND & ~state.taken_cells, fronts_of(state)
    shared = same and state.readings["church_funding"] == "cumulative"
    for move in each(moves_of(after, KINDS_DUE["town"])):
        if pieces_left_of(state.towns[player], move) <= same:
            continue
        if state.taken_cells & move.bits:
            if not (shared and isinstance(move, Nave | BellTower)):
                yield move
        elif isinstance(move, House) and cuts_nothing(free, fronts, move.site, move.bits):
            yield move
