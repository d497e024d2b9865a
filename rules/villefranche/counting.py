"""Villefranche: counts for the rules: gates, buildings, and the pieces around a site (`VF-5`)."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from rules.caches import cache
from rules.kernel import Fact
from rules.villefranche.board import GRID, MARKET, NAMES, RING
from rules.villefranche.enclosure import SIDES, Gate
from rules.villefranche.grid import LANE
from rules.villefranche.state import State, Town

SITE_NAMES = {site: tuple(NAMES[cell] for cell in site) for site in RING}
"""A site of one or two cells -> their names."""
_LENGTH = len(NAMES)
_LOOK = {site: itemgetter(*ring) for site, ring in RING.items()}
_RING_CELLS = {site: tuple((NAMES[cell],) for cell in ring) for site, ring in RING.items()}
_SIZES = {0: (1, 1), 1: (2, 1), GRID.stride: (1, 2)}
"""Offset from the first to the second cell of a site -> its width and height."""


@cache()  # of `_SIZES` alone, not at every start
def joined_window(shape: int) -> tuple[int, frozenset[int]]:
    """The window of a site's shape (`_SIZES`), and the free cells in it that are joined."""
    return GRID.safe_window(*_SIZES[shape])


def gates_of(state: State) -> Iterator[tuple[Gate, ...]]:
    """The candidate gates of each side; empty if the side can no longer be finished (`VF-11`)."""
    for side in SIDES:
        yield side.gates.get(state.walls & side.mask, ())


def fronts_of(state: State) -> int:
    """The cells in front of all candidate gates."""
    fronts = 0
    for side in SIDES:
        fronts |= side.fronts.get(state.walls & side.mask, 0)
    return fronts


def unfinished_towers(town: Town) -> int:
    """The cells of the player's unfinished noble towers."""
    return town.begun_towers | town.raised_towers


def noble_cells(town: Town) -> int:
    """The cells of the player's noble towers, begun and finished."""
    return town.begun_towers | town.raised_towers | town.towers


def church_cells(town: Town) -> int:
    """The cells of the player's churches, begun and finished."""
    return GRID.cells_of_pairs(town.naves | town.doubles | town.churches)


def shops_needed(state: State, town: Town, element: int) -> int:
    """The shops that the next element of a church needs, its first, second or third (`VF-42`, `church_funding`)."""
    if state.readings["church_funding"] == "per_church":
        return element
    return 1 + town.naves.bit_count() + 2 * town.doubles.bit_count() + 3 * town.churches.bit_count()


def influence(state: State, site: tuple[int, ...]) -> tuple[int, int]:
    """The pieces of the player due and of the opponent around a site (`VF-5`)."""
    look = _LOOK[site]
    player = state.player
    own = sum(look(state.towns[player].counts.to_bytes(_LENGTH, "little")))
    return own, sum(look(state.towns[1 - player].counts.to_bytes(_LENGTH, "little")))


def around(state: State, site: tuple[int, ...]) -> list[Fact]:
    """The cells around a site that hold pieces, with the count of each colour (`VF-5`)."""
    look, (black, white) = _LOOK[site], state.towns
    blacks, whites = look(black.counts.to_bytes(_LENGTH, "little")), look(white.counts.to_bytes(_LENGTH, "little"))
    return [
        Fact(cell, {"black": n, "white": other})
        for cell, n, other in zip(_RING_CELLS[site], blacks, whites, strict=True)
        if n or other
    ]


def cuts_nothing(free: int, fronts: int, site: tuple[int, ...], cells: int) -> bool:
    """Whether building on free cells surely leaves every gate its way, judging by the cells around them alone."""
    return not fronts & cells and leaves_joined(free, site)


def leaves_joined(free: int, site: tuple[int, ...]) -> bool:
    """Whether the free cells beside a site, with the market square, are surely joined around it."""
    window, safe_sets = joined_window(site[-1] - site[0])
    return (free | MARKET) >> LANE * (site[0] - GRID.stride - 1) & window in safe_sets
