"""Random play, the same for every game: what the laws and the texts are tried on."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from rules import GAMES
from rules.kernel import Game

AnyGame = Game[Any, Any]
LONGEST = 2000
"""No game lasts so many moves; one that does never ends."""


def readings(game: AnyGame, chance: Random) -> dict[str, str]:
    """One value of every reading."""
    return {reading.key: chance.choice(reading.values) for reading in game.readings}


def random_game(game: AnyGame, chance: Random) -> Iterator[tuple[Any, Any]]:
    """Legal moves by chance under readings by chance, to the end: each state, with the move played there (or None)."""
    state = game.under(game.setup(game.setup_form()), readings(game, chance))
    for _ in range(LONGEST):
        legal = list(game.moves(state))
        if game.due(state).ended or not legal:
            yield state, None
            return
        move = chance.choice(legal)
        yield state, move
        state = game.apply(state, move)
    raise AssertionError(f"{game.id}: no end after {LONGEST} moves")


def seeds() -> st.SearchStrategy[Random]:
    """A source of chance for a game."""
    return st.integers(0, 2**32 - 1).map(Random)


def some_state(game: AnyGame, chance: Random) -> Any:
    """A state from somewhere in a random game."""
    states = [state for state, _ in random_game(game, chance)]
    return chance.choice(states)


EVERY_GAME = sorted(GAMES.values(), key=lambda game: game.id)
