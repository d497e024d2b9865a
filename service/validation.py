"""Errors in the values of a request: codes and values, without words."""

from __future__ import annotations

from typing import Final

from rules.kernel import Value

MAX_FIELD_ERRORS: Final = 20
"""The maximum number of errors in one response."""


class FieldError(str):
    """An error in a value: a code, and the values of its sentence. It is a string, like marshmallow's messages.

    `game` is the id of the game whose words have the sentence, else None.
    """

    __slots__ = ("code", "game", "values")
    code: str
    game: str | None
    values: dict[str, Value]

    def __new__(cls, code: str, game: str | None = None, **values: Value) -> FieldError:
        """Make an error from its code and values."""
        self = super().__new__(cls, code)
        self.code, self.game, self.values = code, game, values
        return self
