"""Errors in the values of a request: codes and values, without words."""

from __future__ import annotations

from typing import Final

from rules.kernel import Value

MAX_FIELD_ERRORS: Final = 20
"""The maximum number of errors in one response."""


class FieldError(str):
    """What is wrong with a value: a code, and what its sentence needs. A string, as marshmallow keeps messages.

    `game` is the id of the game whose own words say it, else None.
    """

    __slots__ = ("code", "game", "values")
    code: str
    game: str | None
    values: dict[str, Value]

    def __new__(cls, code: str, game: str | None = None, **values: Value) -> FieldError:
        """Make one of its code and values."""
        self = super().__new__(cls, code)
        self.code, self.game, self.values = code, game, values
        return self
