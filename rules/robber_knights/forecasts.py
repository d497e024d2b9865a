"""Robber Knights: the number of tiles until the end, who is ahead, and whose knights or tiles run out."""

from __future__ import annotations

from collections.abc import Iterator

from rules.forecasts import AT_EQUAL_POINTS, by_points, end_forecast, shortage_forecast
from rules.kernel import Forecast
from rules.robber_knights.legality import supply_of
from rules.robber_knights.moves import MAX_IN_A_TURN
from rules.robber_knights.scoring import ranking
from rules.robber_knights.state import UNKNOWN, State
from rules.robber_knights.tiles import CASTLES, FACES, MINIMUM, TILES, Face
from rules.styled_name import StyledName

LANDSCAPES: tuple[Face, ...] = ("plain", "forest", "mountain")
"""The landscapes that a march can enter."""
ON_CASTLE = min(MINIMUM[face] for face in CASTLES & FACES.keys())
"""The minimum number of knights that a march leaves on its castle."""


def forecasts(state: State) -> tuple[Forecast, ...]:
    """The tiles left, points and knights, the players without tiles, and those with few knights."""
    supplies = [supply_of(state, player) for player in range(len(state.colours))]
    are_known = all(fewest == most for fewest, most in supplies)
    ahead = (each for each in by_points(ranking, state) if are_known or each.facts.code not in AT_EQUAL_POINTS)
    return (*_tiles(state), *ahead, *_skipped_players(state), *_knights(state, supplies))


def _tiles(state: State) -> Iterator[Forecast]:
    """`RK-30`: the exact number of tiles until the end; nothing if only some players' tiles are known."""
    if UNKNOWN not in state.left:
        n, soon = sum(state.left), max(state.left) <= MAX_IN_A_TURN
        whose = [colour for colour, left in zip(state.colours, state.left, strict=True) if left]
        if n == 1:
            yield end_forecast("RK-30", "next", {"colour": whose[0]}, soon=True)
        else:
            figures = [_tiles_left_words(colour, state.left[state.colours.index(colour)]) for colour in whose]
            yield end_forecast("RK-30", "left", {"n": n, "colours": tuple(figures)}, soon=soon)
    elif not any(left >= 0 for left in state.left):
        n = TILES * len(state.left) - len(state.tiles)
        if n > 0:
            yield end_forecast("RK-30", "in_all", {"n": n}, soon=n <= MAX_IN_A_TURN)


def _tiles_left_words(colour: str, n: int) -> str:
    return StyledName(colour, "left", {"colour": colour, "n": n})


def _skipped_players(state: State) -> Iterator[Forecast]:
    """`RK-4`: the players who have no tile left."""
    skipped = tuple(colour for colour, left in zip(state.colours, state.left, strict=True) if not left)
    if skipped:
        yield shortage_forecast("RK-4", "out", {"colours": skipped, "n": len(skipped)})


def _knights(state: State, supplies: list[tuple[int, int]]) -> Iterator[Forecast]:
    """`RK-26`, `RK-22`: the players without a knight, or with too few to enter a landscape; of those with tiles."""
    for colour, left, (_, n) in zip(state.colours, state.left, supplies, strict=True):
        closed = tuple(face for face in LANDSCAPES if ON_CASTLE + MINIMUM[face] > n)
        if left and not n:
            yield shortage_forecast("RK-26", "none", {"colour": colour})
        elif left and closed:
            yield shortage_forecast("RK-22", "few", {"colour": colour, "n": n, "faces": closed})
