"""The one entry of a game's list of legal moves that stands for a move.

A list of every election, of every group of lords or of every hand at a collapse would be endless: there one move
stands for others. ``tests/rules/<game>/list_entries.py`` says which one; without it a move stands for itself.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from rules.game import Game


@cache
def _of(game_id: str) -> Any:
    """A game's module `list_entries`, or None."""
    there = Path(__file__).with_name(game_id) / "list_entries.py"
    return import_module(f"tests.rules.{game_id}.list_entries") if there.exists() else None


def stand_in(game: Game[Any, Any], state: Any, move: Any) -> Any:
    """The listed move that stands for a legal move; for an illegal one, the entry it would have."""
    own = _of(game.id)
    return move if own is None else own.stand_in(state, move)


def unlisted_move(game: Game[Any, Any], state: Any, move: Any, chance: Random) -> Any:
    """Change a listed move into one, mostly legal, for which another entry stands; or return it unchanged."""
    own = _of(game.id)
    return own.unlisted_move(state, move, chance) if hasattr(own, "unlisted_move") else move
