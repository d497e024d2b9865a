"""The types of values that pass through the service: states and moves of any game, and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol, TypeAlias

from rules.game import Game

MOVES: Final = "moves"
RULINGS: Final = "rulings"
"""The kinds of readiness. Rulings need no store."""


class State(Protocol):
    """A state of some game. Only that game looks into it; the service hands it back."""

    @property
    def readings(self) -> Mapping[str, str]:
        """Key of a reading -> the value that the table chose."""


class Move(Protocol):
    """A move of some game."""

    @property
    def kind(self) -> str:
        """One of the game's kinds of moves."""


class Setup(Protocol):
    """A setup of some game."""

    @property
    def players(self) -> Sequence[object]:
        """The players, as the game describes them."""

    @property
    def readings(self) -> Mapping[str, str]:
        """Key of a reading -> the value that the table chose."""


Position: TypeAlias = object
"""A position of some game."""
AnyGame: TypeAlias = "Game[State, Move]"
Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | float | bool | datetime | None"
"""JSON as it is read and written; a time is written in the format of RFC 3339."""
JsonObject: TypeAlias = "dict[str, Json]"
