"""Architekton: the lines of the score sheet, the tie-break, the early end, and the series."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from rules.architekton.play import game_end, seats_of
from rules.architekton.series import Departure, departures, other, points_of, series_counts
from rules.architekton.settlement import price, unpaid_claim
from rules.architekton.state import COLOURS, Colour, Result, State
from rules.architekton.tiles import AROUND, Square, corners
from rules.kernel import Fact, Line, Place, Seat
from rules.ranking import ByPoints, Standing, Tiebreak

FEWEST = 3
"""The minimum number of landscapes beside a building that counts for the score (`AR-31`)."""


def buildings_to_remove(state: State) -> tuple[Square, ...]:
    """The buildings that are removed before the score (`AR-31`)."""
    return tuple(sorted(cell for cell, tile in state.tiles.items() if len(tile) > 1 and not _stays(state, cell)))


def _stays(state: State, cell: Square) -> bool:
    """Whether enough landscapes lie beside a building (`AR-31`)."""
    tiles = state.tiles
    return sum([len(tiles.get(near, "")) == 1 for near in AROUND[cell]]) >= FEWEST


def houses_left(state: State, player: int) -> tuple[Square, ...]:
    """The player's houses that count (`AR-31`)."""
    return tuple(sorted(cell for cell, owner in state.houses.items() if owner == player and _stays(state, cell)))


def largest_group(houses: Collection[Square]) -> tuple[Square, ...]:
    """The largest group of houses joined corner to corner; of equal ones the one that reaches farthest west, south."""
    unseen = set(houses)
    best: tuple[Square, ...] = ()
    for first in sorted(houses):
        if first not in unseen:
            continue
        unseen.discard(first)
        group = [first]
        for cell in group:
            joined = [near for near in corners(cell) if near in unseen]
            unseen.difference_update(joined)
            group += joined
        if len(group) > len(best):
            best = tuple(sorted(group))
    return best


def score(state: State) -> tuple[Line, ...]:
    """Every line of both players: the removed buildings, the largest group, the chips; and the series, if any."""
    lines, series = _of_this_game(state), _of_the_series(state)
    return tuple(line for colour in COLOURS for line in (*lines, *series) if line.seat == colour)


def _of_the_series(state: State) -> tuple[Line, ...]:
    """`AR-40`: the games before, the points before and after this one, who begins next, and the departures."""
    if state.series is None:
        return ()
    points, over = series_points(state, ranking(state)), game_end(state) is not None
    first = COLOURS[state.starts]
    lines = []
    for colour in COLOURS:
        counts = series_counts(state.series, first, points, over=over, colour=colour)
        lines.append(Line(colour, "AR-40", 0, tuple(Fact((), {"points": 0, **each}) for each in counts), "series"))
    return (*lines, *(_departs(departure) for departure in departures(state.series, first)))


def _departs(departure: Departure) -> Line:
    """`AR-40`: a departure from the rule of a series, as a line on the sheet."""
    code, colour, game = f"departs_{departure.code}", departure.colour, departure.game
    values = {"colour": colour, "other": other(colour), "n": game}
    return Line(colour, "AR-40", 0, (Fact((), {"points": 0, code: game}),), code, values)


def _of_this_game(state: State) -> tuple[Line, ...]:
    off = buildings_to_remove(state)
    lines = []
    for player, colour in enumerate(COLOURS):
        removed_cells = tuple(cell for cell in off if state.houses.get(cell) == player)
        group = largest_group(houses_left(state, player))
        chips = state.chips[player]
        lines += [
            Line(colour, "AR-31", 0, (Fact(removed_cells, {"points": 0}),) if removed_cells else ()),
            Line(colour, "AR-32", len(group), (Fact(group, {"points": len(group)}),) if group else ()),
            Line(colour, "AR-35", chips, (Fact((), {"points": chips}),) if chips else ()),
        ]
    return tuple(lines)


def points(state: State) -> dict[tuple[Seat, str], int]:
    """The points of both players, as on the lines that have any."""
    found: dict[tuple[Seat, str], int] = {}
    for player, colour in enumerate(COLOURS):
        found[colour, "AR-32"] = len(largest_group(houses_left(state, player)))
        found[colour, "AR-35"] = state.chips[player]
    return found


def more_houses(state: State, seat: Seat, _tied: Sequence[Seat] = COLOURS) -> Standing:
    """`AR-33`: the houses on the table (reading `tie_houses`)."""
    player = COLOURS.index(seat)
    if state.readings["tie_houses"] == "after_removal":
        cells = houses_left(state, player)
    else:
        cells = tuple(sorted(cell for cell, owner in state.houses.items() if owner == player))
    return Standing((len(cells),), (Fact(cells, {"houses": len(cells)}),) if cells else (), len(cells))


by_total = ByPoints(seats_of, _of_this_game, (Tiebreak("AR-33", more_houses),), shared_by="AR-33")


def ranking(state: State) -> tuple[Place, ...]:
    """By points, unless somebody could not pay (`AR-22`); in a series its points are shown with the first place."""
    claim = unpaid_claim(state)
    if claim is None:
        places = by_total(state)
    else:
        loser = state.houses[claim.cell]
        evidence = (Fact((claim.cell,), {"due": price(state, claim), "chips": state.chips[loser]}),)
        places = (Place(1, (COLOURS[1 - loser],), "AR-22", evidence), Place(2, (COLOURS[loser],), "AR-22", evidence))
    if state.series is None:
        return places
    first, *others = places
    series = Fact((), {f"series_{seat}": points for seat, points in series_points(state, places).items()})
    return (replace(first, evidence=(*first.evidence, series)), *others)


def series_points(state: State, places: tuple[Place, ...]) -> dict[Colour, int]:
    """The points of the series, with this game's once it has ended (`AR-40`)."""
    series = state.series or ()
    if game_end(state) is not None:
        winner = next((colour for colour in COLOURS if places[0].seats == (colour,)), None)
        series = (*series, Result(winner, early=unpaid_claim(state) is not None))
    return points_of(series)
