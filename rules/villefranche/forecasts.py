"""Villefranche: how near each end of the game is, who is ahead, and the buildings that cannot be finished."""

from __future__ import annotations

from collections.abc import Iterator

from rules.forecasts import by_points, end_forecast, shortage_forecast
from rules.kernel import Fact, Forecast, Value
from rules.villefranche.board import GRID, names_of
from rules.villefranche.counting import shops_needed, unfinished_towers
from rules.villefranche.grid import cell_set, each_pair, members
from rules.villefranche.play import FINISHED_BUILDINGS, finished_count, stage
from rules.villefranche.scoring import ranking
from rules.villefranche.standstill import leave_none
from rules.villefranche.state import COLOURS, State, Town

FEW, LAST = 6, 2
"""A forecast counts the pieces of a player from `FEW` on; one turn uses up `LAST`."""


def forecasts(state: State) -> tuple[Forecast, ...]:
    """The three ends, points and ties, pieces used up, and buildings that lack something."""
    table_forecasts = (*_fifth(state), *_last_pieces(state), *_none_left(state), *by_points(ranking, state))
    return (*table_forecasts, *(each for player in (0, 1) for each in _short(state, player)))


def _fifth(state: State) -> Iterator[Forecast]:
    """`VF-50`: the number of buildings to finish until the end; in the town, or once there is one."""
    n = finished_count(state)
    left = FINISHED_BUILDINGS - n
    if left == 1:
        yield end_forecast("VF-50", "next", {"n": n}, soon=True)
    elif n or stage(state) == "town":
        yield end_forecast("VF-50", "left", {"left": left, "n": n, "all": FINISHED_BUILDINGS})


def _last_pieces(state: State) -> Iterator[Forecast]:
    """`VF-51`: a player's pieces, once they are few; the end comes when that player is to place and has none.

    Under `turn_is_cut` a second placement without a piece ends only the turn.
    """
    cut = "" if state.readings["stuck"] == "ends" else "_cut"
    for colour, town in zip(COLOURS, state.towns, strict=True):
        n = town.supply
        if n <= FEW:
            yield end_forecast("VF-51", f"{'pieces' if n else 'none'}{cut}", {"colour": colour, "n": n}, soon=n <= LAST)


def _none_left(state: State) -> Iterator[Forecast]:
    """`VF-52`: the number of legal placements that leave the next player without any, and their cells."""
    last, n = leave_none(state)
    if last:
        values: dict[str, Value] = {"colour": last[0].colour, "n": len(last), "all": n}
        evidence = [Fact(cells) for cells in dict.fromkeys(each.cells for each in last)]
        yield end_forecast("VF-52", "some" if len(last) < n else "every", values, evidence, soon=True)


def _short(state: State, player: int) -> Iterator[Forecast]:
    """`VF-6`, `VF-42`: the kinds of pieces that a player has used up, and the buildings that cannot be finished."""
    town, colour = state.towns[player], COLOURS[player]
    supply = {"brick": town.bricks, "cube": town.cubes, "pyramid": town.pyramids, "cylinder": town.cylinders}
    used_up = tuple(piece for piece, n in supply.items() if not n)
    if used_up and town.supply:
        yield shortage_forecast("VF-6", "used_up", {"colour": colour, "pieces": used_up})
    if unfinished_towers(town):
        yield from _towers(town, colour)
    for pair in each_pair(town.naves | town.doubles):
        naves = 2 if town.doubles & pair else 1
        yield from _church(state, player, pair, naves)


def _towers(town: Town, colour: str) -> Iterator[Forecast]:
    """The noble towers that a player has too few cylinders to finish."""
    for missing, cells in ((2, town.begun_towers), (1, town.raised_towers)):
        if town.cylinders < missing:
            for cell in members(cells):
                site = names_of(cell_set((cell,)))
                yield shortage_forecast(
                    "VF-6", "tower", {"colour": colour, "cells": site, "pieces": ("cylinder",)}, (Fact(site),)
                )


def _church(state: State, player: int, pair: int, naves: int) -> Iterator[Forecast]:
    """A church that a player lacks pieces to finish, or whose next piece needs more shops than there are."""
    town, cells = state.towns[player], names_of(GRID.cells_of_pairs(pair))
    values: dict[str, Value] = {"colour": COLOURS[player], "cells": cells}
    wanting = (("brick", naves == 1 and not town.bricks), ("pyramid", not town.pyramids))
    if missing := tuple(piece for piece, short_of in wanting if short_of):
        yield shortage_forecast("VF-6", "church", {**values, "pieces": missing}, (Fact(cells),))
        return
    needed, n = shops_needed(state, town, naves + 1), town.shops.bit_count()
    if n < needed:
        yield shortage_forecast("VF-42", "wanting", {**values, "needed": needed, "n": n}, (Fact(cells),))
