"""Architekton: how near each end of the game is, who is ahead, and who runs out of houses or of games of a series."""

from __future__ import annotations

from collections.abc import Iterator

from rules.architekton.box import PILE, STARTING
from rules.architekton.play import used_up
from rules.architekton.scoring import by_total
from rules.architekton.series import EARLY_WIN, TO_WIN, WIN, other, points_of, won_by
from rules.architekton.state import COLOURS, State
from rules.architekton.tiles import AROUND, LANDSCAPE, Square, landscapes
from rules.foretold import by_points, end, short
from rules.kernel import Fact, Foretold, Value


def foretold(state: State) -> tuple[Foretold, ...]:
    """Chips that will not do, an empty turn, the last turns, points and houses, the supply, and the series."""
    ends = (*_unpayable(state), *_empty_turn(state), *_last_turns(state))
    return (*ends, *by_points(by_total, state), *_houses(state), *_series(state))


# --- the ends (AR-22, AR-30, AR-34) ------------------------------------------------------------------------------


def _unpayable(state: State) -> Iterator[Foretold]:
    """`AR-22`: the buildings that lack one landscape and that their owner, with the chips of now, could not pay for.

    Only where that landscape closes no other building: what another one brings or costs would come in between.
    """
    for cell, owner in state.houses.items():
        sides, chips = state.tiles[cell], state.chips[owner]
        near = [state.tiles.get(each, "") for each in AROUND[cell]]
        open_sides = [side for side, tile in enumerate(near) if len(tile) != 1]
        differ = sum(tile != side for tile, side in zip(near, sides, strict=True)) - 1
        if len(open_sides) != 1 or differ < chips + 1:
            continue
        [side] = open_sides
        free = AROUND[cell][side]
        if free in state.tiles or _closes_others(state, free, cell):
            continue
        values: dict[str, Value] = {"colour": COLOURS[owner], "sides": landscapes(sides), "chips": chips}
        values |= {"differ": differ, "landscape": LANDSCAPE[sides[side]]}
        shown = (Fact((cell,), {"differ": differ}), Fact((free,)))
        yield end("AR-22", "loses" if differ > chips + 1 else "must_match", values, shown, soon=differ > chips + 1)


def _closes_others(state: State, free: Square, cell: Square) -> bool:
    """Whether a landscape on a free cell surrounds another building with a house, too."""
    beside = (near for near in AROUND[free] if near != cell and near in state.houses)
    return any(sum(len(state.tiles.get(each, "")) == 1 for each in AROUND[near]) == 3 for near in beside)


def _empty_turn(state: State) -> Iterator[Foretold]:
    """`AR-34`: the turn before laid nothing, and in this one nothing is laid yet."""
    if state.empty == 1:
        yield end("AR-34", "one", {"colour": COLOURS[state.player]}, soon=True)


def _last_turns(state: State) -> Iterator[Foretold]:
    """`AR-30`: the turns left once the last ones have begun; else the tiles that begin them."""
    player = COLOURS[state.player]
    if state.left is not None:
        whose = (player, other(player))[: state.left]
        yield end("AR-30", "turns", {"n": state.left, "colours": whose}, soon=True)
    elif used_up(state):
        n = 2 if 1 - state.player == state.starts else 1
        yield end("AR-30", "after_this", {"n": n, "kinds": used_up(state)}, soon=True)
    else:
        laid = state.built, len(state.tiles) - state.built - STARTING
        left = [PILE + 1 - each if each <= PILE else 1 for each in laid]
        yield end("AR-30", "tiles", {"buildings": left[0], "landscapes": left[1]})


# --- what is short (AR-13, AR-40) --------------------------------------------------------------------------------


def _houses(state: State) -> Iterator[Foretold]:
    """`AR-13`: the players who have no house left in supply."""
    for colour, left in zip(COLOURS, state.supply, strict=True):
        if not left:
            yield short("AR-13", "none", {"colour": colour})


def _series(state: State) -> Iterator[Foretold]:
    """`AR-40`: what each player would have to win this game by, to win the series with it."""
    if state.series is None or won_by(points_of(state.series)) is not None:
        return
    for colour, points in points_of(state.series).items():
        missing = TO_WIN - points
        if missing <= EARLY_WIN:
            yield short("AR-40", "any_win" if missing <= WIN else "early_win", {"colour": colour, "n": missing})
