"""Random play, the same for every game: input for the tests of the laws and the texts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from hypothesis import strategies as st

from rules import GAMES
from rules.game import Game
from tests.support.json_forms import read_setup
from tests.support.records import record_of, records_of

AnyGame = Game[Any, Any]
LONGEST = 2000
"""Moves after which random play fails: no game is so long."""
SELDOM = 0.02
"""The share of draws in which a move that ends the game is taken, …"""
PUT_OFF = 10
"""… and after how many draws it is taken anyway."""
SEARCH = os.environ.get("GAMES_SEARCH") == "1"
"""Whether this run searches with a new seed; other runs repeat the same games and examples."""
SEED = os.environ.setdefault("GAMES_SEED", str(SystemRandom().getrandbits(32)) if SEARCH else "1")
"""The seed of the shared games: the same in all processes of a run."""
SHARED_GAMES = int(os.environ.get("GAMES_SHARED", "60" if SEARCH else "9"))
"""Random games of each game that all tests of a run share; with fewer, the laws try fewer examples."""


def often(times: int) -> int:
    """The number of tries: `times` where a run searches, else a third of it."""
    return times if SEARCH else -(-times // 3)


def has_default_setup(game: AnyGame) -> bool:
    """Whether the game takes an empty setup."""
    try:
        read_setup(game, {})
    except ValueError:  # `Malformed` is one, too
        return False
    return True


@cache
def setups(game_id: str) -> tuple[Any, ...]:
    """The empty setup, where a game takes one, and those of the recorded games."""
    game = GAMES[game_id]
    given = [record_of(path)["setup"] for path in records_of(game_id)]
    silent: list[dict[str, Any]] = [{}] if has_default_setup(game) else []
    return tuple(read_setup(game, setup) for setup in (*silent, *given))


def setup_of(game: AnyGame, chance: Random) -> Any:
    """A random one of a game's setups, with random readings."""
    return replace(chance.choice(setups(game.id)), readings=readings(game, chance))


def readings(game: AnyGame, chance: Random) -> dict[str, str]:
    """A random value of every reading."""
    return {reading.key: chance.choice(reading.values) for reading in game.readings}


def some_move(game: AnyGame, state: Any, legal: Sequence[Any], chance: Random) -> Any:
    """A random legal move: first its kind, as some kinds have many more moves; seldom one that ends the game."""
    kinds = sorted({move.kind for move in legal})
    for _ in range(PUT_OFF):
        kind = chance.choice(kinds)
        move = chance.choice([move for move in legal if move.kind == kind])
        if chance.random() < SELDOM or game.due(game.apply(state, move)).ended is None:
            break
    return move


@cache
def ways(game_id: str) -> Any:
    """The module that chooses moves in a game that does not end if every move is as likely, or None."""
    there = Path(__file__).with_name(game_id) / "ways.py"
    return import_module(f"tests.rules.{game_id}.ways") if there.exists() else None


def choose(game: AnyGame, state: Any, chance: Random, played: int) -> Any:
    """A random legal move after `played` moves; None where there is none."""
    own = ways(game.id)
    if own is not None:
        return own.choose(state, chance, played)
    legal = list(game.moves(state))
    return some_move(game, state, legal, chance) if legal else None


def random_game(game: AnyGame, chance: Random, form: Any = None) -> Iterator[tuple[Any, Any]]:
    """Random legal moves to the end: each state, with the move played there (or None).

    Starts from `form`, or from a random setup with random readings.
    """
    yield from played_on(game, game.setup(form or setup_of(game, chance)), chance)


def played_on(game: AnyGame, state: Any, chance: Random) -> Iterator[tuple[Any, Any]]:
    """Random legal moves from a state to the end: each state, with the move played there (or None)."""
    for played in range(LONGEST):
        move = None if game.due(state).ended else choose(game, state, chance, played)
        yield state, move
        if move is None:
            return
        state = game.apply(state, move)
    raise AssertionError(f"{game.id}: no end after {LONGEST} moves")


def seeds() -> st.SearchStrategy[Random]:
    """Random generators for a game."""
    return st.integers(0, 2**32 - 1).map(Random)


@dataclass(frozen=True)
class PlayedGame:
    """A random game: its setup, and each state with the move that was played there (None in the last)."""

    form: Any
    steps: Sequence[tuple[Any, Any]]

    def some_state(self, chance: Random) -> Any:
        """A random state of the game."""
        return chance.choice(self.steps)[0]


@cache
def shared_game(game_id: str, number: int) -> PlayedGame:
    """A random game that all tests of a run share (0 to `SHARED_GAMES` - 1), played on first use."""
    game, chance = GAMES[game_id], Random(f"{SEED} {game_id} {number}")
    form = setup_of(game, chance)
    return PlayedGame(form, tuple(random_game(game, chance, form)))


def shared_games(game: AnyGame) -> Iterator[PlayedGame]:
    """All shared random games."""
    return (shared_game(game.id, number) for number in range(SHARED_GAMES))


def every_nth_step(game: AnyGame, nth: int) -> Iterator[tuple[Any, Any]]:
    """Every nth step of the shared games, from a different start in each: for slow checks."""
    return (step for number, played in enumerate(shared_games(game)) for step in played.steps[number % nth :: nth])


def some_game(game: AnyGame, chance: Random) -> PlayedGame:
    """One of the shared random games."""
    return shared_game(game.id, chance.randrange(SHARED_GAMES))


def some_state(game: AnyGame, chance: Random, form: Any = None) -> Any:
    """A random state of a shared game, or of a random game from a given setup."""
    if form is None:
        return some_game(game, chance).some_state(chance)
    return PlayedGame(form, tuple(random_game(game, chance, form))).some_state(chance)


EVERY_GAME = sorted(GAMES.values(), key=lambda game: game.id)
