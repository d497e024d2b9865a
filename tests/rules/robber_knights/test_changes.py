"""Robber Knights: what can be told of a country against an earlier one."""

from __future__ import annotations

from dataclasses import replace

from rules.changes import Reachability, compare_positions
from rules.robber_knights import GAME
from rules.robber_knights.state import Position, StandingTile
from tests.rules.play import shared_game
from tests.rules.table_pairs import always_found, pairs, why
from tests.support.loops import over


def test_a_few_tiles_are_always_found_and_never_undone() -> None:
    """Up to three moves; to stop is one."""
    always_found(GAME, (1, 2, 3))


def test_tiles_and_knights_stay() -> None:
    """A tile that has gone, knights that were taken from below, and more than the supply had, are impossible."""
    played = shared_game(GAME.id, 0)
    state = played.steps[-8][0]
    form, position = replace(played.form, layout=()), GAME.position(state)
    topped = next(tile for tile in position.tiles if tile.knights)

    def instead(*tiles: StandingTile) -> Position:
        kept: Position = replace(position, tiles=tuple(tile for tile in position.tiles if tile is not topped) + tiles)
        return kept

    robbed = replace(topped, knights=topped.knights[1:])
    for entered, rule in ((instead(), "RK-10"), (instead(robbed), "RK-26")):
        assert rule in why(compare_positions(GAME, state, GAME.enter(form, entered)))


def test_what_was_not_entered_fits_whatever_it_may_be() -> None:
    """Without the tiles laid, those left and the place in the turn, what play led to is possible still."""
    for before, after, _ in over(pairs(GAME, 29, (1, 2))):
        position = replace(GAME.position(after), laid=None, left={}, supply={}, placed=None)
        state = after._replace(laid=None, hands=None, left=(-1,) * len(after.colours))
        assert position.laid is None
        assert compare_positions(GAME, before, state).reachability is Reachability.POSSIBLE
