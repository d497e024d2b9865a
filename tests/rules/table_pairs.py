"""Pairs of tables of one random game: input for tests that compare a position with an earlier one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rules.changes import PositionComparison, Reachability, compare_positions
from tests.rules.play import AnyGame, shared_games

FAR = (0, 1, 2, 3, 5, 8, 13, 40, 200)
"""Numbers of moves between the two tables of a pair."""


def pairs(game: AnyGame, every: int, far: tuple[int, ...] = FAR) -> Iterator[tuple[Any, Any, int]]:
    """Two tables of one legal game, and how many moves lie between them."""
    for number, played in enumerate(shared_games(game)):
        states = [state for state, _ in played.steps]
        for start in range(29 * number % every, len(states), every):
            for apart in far:
                if start + apart < len(states):
                    yield states[start], states[start + apart], apart


def always_found(game: AnyGame, far: tuple[int, ...]) -> None:
    """Assert that a way between tables so far apart is found, and that the way back is impossible."""
    forth: Counter[Reachability] = Counter()
    back: Counter[Reachability] = Counter()
    for before, after, _ in pairs(game, 29, far):
        forth[compare_positions(game, before, after).reachability] += 1
        back[compare_positions(game, after, before).reachability] += 1
    assert forth.keys() == {Reachability.POSSIBLE}
    assert back.keys() == {Reachability.IMPOSSIBLE}
    assert forth[Reachability.POSSIBLE] > 5


def why(found: PositionComparison) -> set[str]:
    """The rules that make a position impossible."""
    assert found.reachability is Reachability.IMPOSSIBLE
    return {each.rule for each in found.why}


def tables_within(game: AnyGame, state: Any, deep: int) -> Iterator[Any]:
    """Every table that at most `deep` legal moves lead to, by brute force."""
    yield state
    if deep:
        for move in game.moves(state):
            yield from tables_within(game, game.apply(state, move), deep - 1)


def agrees(game: AnyGame, state: Any, after: Any, there: list[Any], deep: int) -> bool:
    """Assert that a table is ruled possible if brute force found it (`there`); whether it did."""
    found = compare_positions(game, state, after)
    possible = game.position(after) in there
    if possible:
        assert found.reachability is Reachability.POSSIBLE
    elif found.reachability is Reachability.POSSIBLE:
        assert len(found.way) > deep
    return possible
