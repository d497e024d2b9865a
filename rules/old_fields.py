"""Old names of the fields of `rules.kernel.Game`: a game from another package may use them until 0.2.0."""

from __future__ import annotations

from functools import wraps
from types import MappingProxyType
from typing import Any, Final, TypeVar
from warnings import warn

NEW_FIELDS: Final = MappingProxyType(
    {
        "any_time": "out_of_turn",
        "as_of": "migrate",
        "going_on": "pass_moves",
        "thrown": "dice_thrown",
        "whose": "owner_of",
    }
)
"""The old name of a field -> its name now."""

T = TypeVar("T")


def accept_old_fields(game_class: type[T]) -> type[T]:
    """A class of keyword arguments that takes them by their old names too, and warns."""
    initialise: Any = game_class.__init__

    @wraps(initialise)
    def initialise_by_either_name(self: T, **arguments: object) -> None:
        for old in NEW_FIELDS.keys() & arguments.keys():
            warn(
                f"Game.{old} is called {NEW_FIELDS[old]} now. 0.2.0 drops the old name.",
                DeprecationWarning,
                stacklevel=2,
            )
            arguments[NEW_FIELDS[old]] = arguments.pop(old)
        initialise(self, **arguments)

    game_class.__init__ = initialise_by_either_name  # type: ignore[assignment]  # the same arguments, and the old names
    return game_class
